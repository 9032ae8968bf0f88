/* Reads the user's text files of numbers, line by line, with the line number in error messages.
 *
 * Blanks and commas separate fields. A function that reads a field never goes beyond the end of the line.
 * Every function that fails has written one line "FILE:LINE: what is wrong" to the buffer given at the
 * start. After that, only wl_scan_close may be called.
 *
 * Invariant: no memory is allocated for a size that a file only claims; wl_scan_count refuses a count that
 * the file is too short for.
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
  uint64_t line;  /* line of the next field, from 1 */
  uint64_t bytes; /* size of the whole file */
  char *err;
  size_t errlen;
  size_t at, read; /* in `buffer`: the next character, and the number of characters */
  unsigned char buffer[4096];
};

/* Opens a regular file, at its first line. `path` and `err` must outlive the scan. Returns false with
 * nothing left open. */
bool wl_scan_open(struct wl_scan *s, const char *path, char *err, size_t errlen);
void wl_scan_close(struct wl_scan *s);

/* Writes an error for the current line. Returns false. */
bool wl_scan_fail(struct wl_scan *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the next character of the line that is no blank or comma, without consuming it; '\n' also at the
 * end of the file. */
int wl_scan_peek(struct wl_scan *s);

/* For data that is not numbers: wl_scan_char consumes and returns the next character, wl_scan_next only
 * returns it. EOF at the end of the file. */
int wl_scan_char(struct wl_scan *s);
int wl_scan_next(struct wl_scan *s);

/* Skips the rest of the line, then lines that are empty or start with one of `comments`. Returns false,
 * without a message, at the end of the file. */
bool wl_scan_next_line(struct wl_scan *s, const char *comments);

/* The same, but it is an error if no such line follows. */
bool wl_scan_need_line(struct wl_scan *s, const char *comments, const char *what);

/* Skips the rest of the line, then lines that start with one of `comments`, but not empty lines. It is an
 * error if no line follows. */
bool wl_scan_need_row(struct wl_scan *s, const char *comments, const char *what);

/* Checks that nothing more is on the line. */
bool wl_scan_line_ends(struct wl_scan *s);

/* Read the next field; `what` names it in messages. wl_scan_number: a decimal number in min..max.
 * wl_scan_count: a number of things, at most `max`, each of which takes at least `bytes` bytes of the file.
 * wl_scan_real: a real number. wl_scan_word: a word, cut to size - 1 characters. */
bool wl_scan_number(struct wl_scan *s, const char *what, uint64_t min, uint64_t max, uint64_t *value);
bool wl_scan_count(struct wl_scan *s, const char *what, uint64_t max, uint64_t bytes, uint64_t *value);
bool wl_scan_real(struct wl_scan *s, const char *what, double *value);
bool wl_scan_word(struct wl_scan *s, const char *what, char *word, size_t size);

#endif
