/* Running other programs, and what only a program may do: signal handlers, and ending when memory is out.
 *
 * Invariant: a program run here never hangs the caller (every call has a time limit, after which its whole
 * process group is killed), never outlives it (SIGINT, SIGTERM and SIGHUP end that group too) and never writes
 * to the caller's terminal (its output goes to a file).
 */
#ifndef HEDDLE_BASE_RUN_H
#define HEDDLE_BASE_RUN_H

#include <sys/types.h>

#include "base/text.h"

/* Runs argv[0] (searched in PATH) in directory cwd (NULL: here), stdout and stderr into the file log. Returns
 * the exit status 0..255, or HD_RUN_SIGNAL (killed by a signal), HD_RUN_TIMEOUT, HD_RUN_NOT_STARTED. */
enum { HD_RUN_SIGNAL = -1, HD_RUN_TIMEOUT = -2, HD_RUN_NOT_STARTED = -3 };
int hd_run(const char *const argv[], const char *cwd, const char *log, int timeout_s);

/* The last line of such a log, to be freed; "" if it has none, or is not there. */
char *hd_last_line(const char *log);

/* The name of a file that is removed if SIGINT, SIGTERM or SIGHUP ends this program, or of a directory that is removed then if it is
 * empty; until hd_scrap_done is told the same string, which must stay till then. NULL: nothing. Some hundreds at a time. */
void hd_scrap(const char *path);
/* The same of a directory and all files in it. */
void hd_scrap_dir(const char *path);
void hd_scrap_done(const char *path);
/* Signals that would end the program wait, until the second: what is done between is done whole. */
void hd_hold_endings(void);
void hd_let_endings(void);

/* fork() for a child that goes on in this program and ends with _exit: it is killed when its parent ends, however
 * that does, and removes nothing of its parent's. */
pid_t hd_fork(void);

/* The path of a program: `name` itself if there is a / in it, else where PATH has it; to be freed, NULL: nowhere. */
char *hd_find_tool(const char *name);

/* Creates the directory and its parents; true when it is there afterwards, else errno says why. */
bool hd_make_dirs(const char *path);

/* printf into a new string to be freed; aborts when memory is out. */
char *hd_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
