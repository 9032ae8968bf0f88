/* Reads the user's text files of numbers, line by line, and says where one is wrong.
 *
 * Fields are separated by blanks and commas; a field is never looked for beyond the end of its line. Every
 * function that fails has written one line "FILE:LINE: what is wrong" to the buffer given at the start; after
 * that only wl_scan_close may follow.
 *
 * Invariant: nothing is allocated by what a file claims; wl_scan_count refuses a count that the file is too
 * short for.
 */
#ifndef HEDDLE_WORKLOADS_GRAPH_NUMBER_FILE_H
#define HEDDLE_WORKLOADS_GRAPH_NUMBER_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct wl_scan {
  const char *path;
  FILE *file;
  uint64_t line;  /* of the field to come, from 1 */
  uint64_t bytes; /* of the whole file */
  char *err;
  size_t errlen;
  size_t at, read; /* of the buffer: the next character, how many there are */
  unsigned char buffer[4096];
};

/* Opens a regular file, at its first line; `path` and `err` must outlive the scan. False: nothing is left
 * open. */
bool wl_scan_open(struct wl_scan *s, const char *path, char *err, size_t errlen);
void wl_scan_close(struct wl_scan *s);

/* Says what is wrong with the current line; false. */
bool wl_scan_fail(struct wl_scan *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The next character of the line that is not a blank or comma, not consumed; '\n' also at the end of the
 * file. */
int wl_scan_peek(struct wl_scan *s);

/* For what is not numbers: the next character, consumed; or seen only. EOF at the end of the file. */
int wl_scan_char(struct wl_scan *s);
int wl_scan_next(struct wl_scan *s);

/* Leaves the rest of the line, then skips lines that are empty or start with one of `comments`. False,
 * with no message: the file ends. */
bool wl_scan_next_line(struct wl_scan *s, const char *comments);

/* The same for lines that must be there. */
bool wl_scan_need_line(struct wl_scan *s, const char *comments, const char *what);

/* Leaves the rest of the line, then skips lines that start with one of `comments`, but not empty ones;
 * there must be one. */
bool wl_scan_need_row(struct wl_scan *s, const char *comments, const char *what);

/* That nothing more is on the line. */
bool wl_scan_line_ends(struct wl_scan *s);

/* The next field: a decimal number in min..max; the number of something that takes at least `bytes` bytes
 * of the file each, at most `max` of them; a real number; a word, cut to size - 1 characters. `what` names
 * it in messages. */
bool wl_scan_number(struct wl_scan *s, const char *what, uint64_t min, uint64_t max, uint64_t *value);
bool wl_scan_count(struct wl_scan *s, const char *what, uint64_t max, uint64_t bytes, uint64_t *value);
bool wl_scan_real(struct wl_scan *s, const char *what, double *value);
bool wl_scan_word(struct wl_scan *s, const char *what, char *word, size_t size);

#endif
