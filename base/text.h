/* What every floor uses: answer codes, the sentence that explains them, texts, whole files.
 *
 * Invariant: nothing here ends the program, or keeps anything.
 */
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What a call that may fail answers; the values are the program's exit codes. */
enum hd_rc {
  HD_OK = 0,    /* the figures are there and the checks held */
  HD_CHECK = 1, /* a check failed: a mismatch, bits do not add up, a latch */
  HD_INPUT = 2, /* the question is bad: usage, configuration, workload, unreadable RTL */
  HD_TOOL = 3,  /* a program is missing, or it failed in a way that is not the input's fault */
};

/* One sentence for the user, set whenever a call answers other than HD_OK. */
struct hd_why {
  char text[1024];
};

/* Sets the sentence; returns rc, so that `return hd_because(why, HD_INPUT, "...")` reads well. why may
 * be NULL. */
enum hd_rc hd_because(struct hd_why *why, enum hd_rc rc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* printf into a new string to be freed; NULL: out of memory. hd_format (base/run.h) is for those who cannot go on then. */
char *hd_try_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The whole file as a string to be freed; NULL when it cannot be read, or memory is out (errno: ENOMEM). */
char *hd_slurp(const char *path);
/* The same; a file of more bytes than `most` is not read on (errno: EFBIG). */
char *hd_slurp_most(const char *path, size_t most);

/* Closes a file that was written. False: not all of it has arrived. fclose alone says so of the last bytes only: a write that failed
 * before, on a full disk, leaves a file with a hole or without an end. */
bool hd_close_written(FILE *f);
/* Writes a file of this text; false: it can't, and errno says why. */
bool hd_write_file(const char *path, const char *text);

/* FNV-1a of the text's bytes and of its end ("ab", "c" is not "a", "bc"), going on from h: HD_HASH_START, or the
 * hash of the texts before. */
#define HD_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t hd_hash_text(uint64_t h, const char *text);
/* Goes on from *h with the bytes of a file; false: it cannot be read. */
bool hd_hash_file(uint64_t *h, const char *path);

#endif
