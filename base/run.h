/* What every floor uses: answer codes, the sentence that explains them, running other programs, files.
 *
 * Invariant: a program run here never hangs the caller (every call has a time limit, after which its whole
 * process group is killed), never outlives it (SIGINT, SIGTERM and SIGHUP end that group too) and never writes
 * to the caller's terminal (its output goes to a file).
 */
#ifndef HEDDLE_BASE_RUN_H
#define HEDDLE_BASE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

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

/* Runs argv[0] (searched in PATH) in directory cwd (NULL: here), stdout and stderr into the file log. Returns
 * the exit status 0..255, or HD_RUN_SIGNAL (killed by a signal), HD_RUN_TIMEOUT, HD_RUN_NOT_STARTED. */
enum { HD_RUN_SIGNAL = -1, HD_RUN_TIMEOUT = -2, HD_RUN_NOT_STARTED = -3 };
int hd_run(const char *const argv[], const char *cwd, const char *log, int timeout_s);

/* The name of a file that is removed if SIGINT, SIGTERM or SIGHUP ends this program, until hd_scrap_done is told the
 * same string, which must stay till then; NULL: nothing. Two at a time. */
void hd_scrap(const char *path);
void hd_scrap_done(const char *path);

/* fork() for a child that goes on in this program and ends with _exit: it is killed when its parent ends, however
 * that does, and removes nothing of its parent's. */
pid_t hd_fork(void);

/* Whether a program of this name is in PATH. */
bool hd_have_tool(const char *name);

/* The whole file as a string to be freed; NULL when it cannot be read. */
char *hd_slurp(const char *path);

/* Creates the directory and its parents; true when it is there afterwards, else errno says why. */
bool hd_make_dirs(const char *path);

/* FNV-1a of the text's bytes and of its end ("ab", "c" is not "a", "bc"), going on from h: HD_HASH_START, or the
 * hash of the texts before. */
#define HD_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t hd_hash_text(uint64_t h, const char *text);
/* Goes on from *h with the bytes of a file; false: it cannot be read. */
bool hd_hash_file(uint64_t *h, const char *path);

/* printf into a new string to be freed; aborts when memory is out. */
char *hd_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
