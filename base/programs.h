/* The programs that Heddle runs, or whose input it writes: the command of each, and its oldest good version.
 *
 * Invariant: the user's environment variable gives a program's command; without it the command is the usual name. A
 * command is words with one space between. If the first word is a path relative to the working directory, it is made
 * absolute, because tools run elsewhere. */
#ifndef HEDDLE_BASE_PROGRAMS_H
#define HEDDLE_BASE_PROGRAMS_H

#include "base/run.h"

enum hd_program_id {
  HD_VERILATOR,
  HD_CXX,
  HD_MAKE,
  HD_YOSYS,
  HD_OPENSTA,
  HD_NEXTPNR,
  HD_ABC,
  HD_ICARUS,
  HD_VVP,
  HD_GNUPLOT,
  HD_SBATCH,
  HD_GRAPHVIZ,
  HD_PYTHON,
  HD_JINJA, /* a Python module: found if Python is; only a check shows if it is there */
  HD_PROGRAMS
};

struct hd_program {
  const char *name, *command;
  const char *variable;              /* environment variable; NULL: the command is always `command` */
  const char *version, *script;      /* the option that prints the version, and its value or NULL */
  const char *oldest, *oldest_clang; /* oldest good versions; oldest_clang NULL: not a compiler */
  /* verbs of `heddle`, with spaces between: those that need the program; those that use it and can do without */
  const char *verbs, *without;
  const char *purpose, *get;
};
extern const struct hd_program hd_programs[HD_PROGRAMS];

/* True if a verb needs the program; true if a verb uses it at all. */
bool hd_program_needed(enum hd_program_id id, const char *verb);
bool hd_program_used(enum hd_program_id id, const char *verb);

/* Returns the command. The caller frees it. */
char *hd_program_command(enum hd_program_id id);

/* True if the command's first word is a program. *where (may be NULL) gets its path, which the caller frees, or NULL. */
bool hd_program_find(enum hd_program_id id, char **where);

/* Returns HD_OK, or HD_TOOL with a message if the program is not there. */
enum hd_rc hd_program_need(enum hd_program_id id, struct hd_why *why);

/* As hd_run. `args` ends with NULL; the command is put before it. */
int hd_program_run(enum hd_program_id id, const char *const args[], const char *cwd, const char *log,
                   int timeout_s);

/* Returns the processor time of the child programs that have ended, in seconds. So other programs on this computer do
 * not count. */
double hd_program_seconds(void);

enum hd_program_state { HD_PROGRAM_GOOD, HD_PROGRAM_MISSING, HD_PROGRAM_BROKEN, HD_PROGRAM_OLD };

/* Runs the program to get its version, "" if it prints none. HD_PROGRAM_BROKEN: it fails, or prints no version.
 * HD_PROGRAM_OLD: it is older than the table allows. */
enum hd_program_state hd_program_check(enum hd_program_id id, char *version, size_t room);

#endif
