/* Running other programs, and things that only a program may do: signal handlers, and ending when memory runs out.
 *
 * Invariant: a program run here never hangs the caller (every call has a time limit, after which its whole
 * process group is killed), never outlives it (SIGINT, SIGTERM and SIGHUP end that group too) and never writes
 * to the caller's terminal (its output goes to a file). */
#ifndef HEDDLE_BASE_RUN_H
#define HEDDLE_BASE_RUN_H

#include <sys/types.h>

#include "base/text.h"

/* Runs argv[0] (searched in PATH) in directory cwd (NULL: here), stdout and stderr into the file log. Returns
 * the exit status 0..255, or HD_RUN_SIGNAL (killed by a signal), HD_RUN_TIMEOUT, HD_RUN_NOT_STARTED. */
enum { HD_RUN_SIGNAL = -1, HD_RUN_TIMEOUT = -2, HD_RUN_NOT_STARTED = -3 };
int hd_run(const char *const argv[], const char *cwd, const char *log, int timeout_s);

/* Returns the last line of such a log, which the caller frees; "" if the log is empty, or does not exist. */
char *hd_last_line(const char *log);

/* Registers a file to remove if SIGINT, SIGTERM or SIGHUP ends this program, or a directory to remove then if it is
 * empty. `path` must stay valid until hd_scrap_done is called with the same pointer. NULL: does nothing. Some
 * hundreds at a time. */
void hd_scrap(const char *path);
/* The same for a directory and all files in it. */
void hd_scrap_dir(const char *path);
void hd_scrap_done(const char *path);
/* hd_hold_endings makes signals that would end the program wait until hd_let_endings, so that the work between is
 * done completely. */
void hd_hold_endings(void);
void hd_let_endings(void);

/* fork() for a child that continues in this program and ends with _exit. The child is killed when its parent ends, in
 * whatever way, and removes none of its parent's files. */
pid_t hd_fork(void);

/* Returns the path of a program: `name` itself if it contains a /, else its place in PATH. The caller frees it. NULL:
 * not found. */
char *hd_find_tool(const char *name);

/* Creates the directory and its parents. Returns true if it is there afterwards; else errno is set. */
bool hd_make_dirs(const char *path);

/* Opens a file whose text is in *text after hd_memory_close, with its length in *size. The caller frees the text. Both functions abort if
 * memory runs out, so that no text lacks a part. */
FILE *hd_memory_open(char **text, size_t *size);
void hd_memory_close(FILE *f);

/* printf into a new string, which the caller frees. Aborts if memory runs out. */
char *hd_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
