/* Used by every floor: answer codes, the message that explains them, texts, whole files.
 *
 * Invariant: no function here ends the program or keeps state. */
#ifndef HEDDLE_BASE_TEXT_H
#define HEDDLE_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The answer of a call that may fail. The values are the program's exit codes. */
enum hd_rc {
  HD_OK = 0,    /* the figures are there and the checks passed */
  HD_CHECK = 1, /* a check failed: a mismatch, bits do not add up, a latch */
  HD_INPUT = 2, /* the input is bad: usage, configuration, workload, unreadable RTL */
  HD_TOOL = 3,  /* a program is missing, or failed for a reason other than the input */
};

/* A message for the user, set whenever a call answers other than HD_OK. */
struct hd_why {
  char text[1024];
};

/* Sets the message and returns rc, so that `return hd_because(why, HD_INPUT, "...")` reads well. `why` may be NULL. */
enum hd_rc hd_because(struct hd_why *why, enum hd_rc rc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* printf into a new string, which the caller frees. Returns NULL if memory runs out. hd_format (base/run.h) is for
 * callers that cannot go on then. */
char *hd_try_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the whole file as a string, which the caller frees. Returns NULL if the file cannot be read, or if memory
 * runs out (errno: ENOMEM). */
char *hd_slurp(const char *path);
/* The same, but returns NULL for a file of more than `most` bytes (errno: EFBIG). */
char *hd_slurp_most(const char *path, size_t most);

/* Closes a file that was written. Returns false if any of the writes has failed. fclose alone reports only the last
 * bytes: a write that failed earlier, on a full disk, leaves a file with a hole or without an end. */
bool hd_close_written(FILE *f);
/* Writes a file with this text. Returns false, with errno set, if it fails. */
bool hd_write_file(const char *path, const char *text);

/* Returns the FNV-1a hash of the text's bytes and of its end ("ab", "c" differs from "a", "bc"). `h`: HD_HASH_START,
 * or the hash of the texts before. */
#define HD_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t hd_hash_text(uint64_t h, const char *text);
/* Continues *h with the bytes of a file. Returns false if the file cannot be read. */
bool hd_hash_file(uint64_t *h, const char *path);

#endif
