/* Running other people's programs, and the answer codes of the price side (area/ and synth/).
 *
 * Invariant: a program run here never hangs the caller (every call has a time limit, after which its whole
 * process group is killed) and never writes to the caller's terminal (its output goes to a file).
 */
#ifndef HD_AREA_RUN_H
#define HD_AREA_RUN_H

#include <stdbool.h>
#include <stddef.h>

/* What a pricing call answers; the values are the program's exit codes. */
enum hd_price_rc {
  HD_PRICE_OK = 0,    /* the figures are there and the checks held */
  HD_PRICE_CHECK = 1, /* a check failed: bits do not add up, a latch, an array turned into flip-flops */
  HD_PRICE_INPUT = 2, /* the question is bad: unknown library, unreadable RTL, impossible memory */
  HD_PRICE_TOOL = 3,  /* a program is missing, or it failed in a way that is not the input's fault */
};

/* One sentence for the user, set whenever a call answers other than HD_PRICE_OK. */
struct hd_why {
  char text[1024];
};

/* Sets the sentence; returns rc, so that `return hd_because(why, HD_PRICE_INPUT, "...")` reads well. why may
 * be NULL. */
enum hd_price_rc hd_because(struct hd_why *why, enum hd_price_rc rc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Runs argv[0] (searched in PATH) in directory cwd (NULL: here), stdout and stderr into the file log. Returns
 * the exit status 0..255, or HD_RUN_SIGNAL (killed by a signal), HD_RUN_TIMEOUT, HD_RUN_NOT_STARTED. */
enum { HD_RUN_SIGNAL = -1, HD_RUN_TIMEOUT = -2, HD_RUN_NOT_STARTED = -3 };
int hd_run(const char *const argv[], const char *cwd, const char *log, int timeout_s);

/* Whether a program of this name is in PATH. */
bool hd_have_tool(const char *name);

/* The whole file as a string to be freed; NULL when it cannot be read. */
char *hd_slurp(const char *path);

/* Creates the directory and its parents; true when it is there afterwards. */
bool hd_make_dirs(const char *path);

/* printf into a new string to be freed; aborts when memory is out. */
char *hd_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
