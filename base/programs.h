/* The programs that Heddle runs, or whose input it writes: how each is called, and since which version it is good.
 *
 * Invariant: a program is called by what the user's environment variable says, else by its usual name. That is a command: words
 * with one space between. A first word that is a path relative to the working directory is made absolute, since tools run
 * elsewhere.
 */
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
  HD_JINJA, /* a module of Python: found if that is, and to be asked whether it is there */
  HD_PROGRAMS
};

struct hd_program {
  const char *name, *command;
  const char *variable;              /* of the environment; NULL: the name is always taken */
  const char *version, *script;      /* the option that prints it, and its value, which may be NULL */
  const char *oldest, *oldest_clang; /* versions that are good; NULL: it is no compiler */
  const char *verbs,
      *without; /* of `heddle`: those that need it, those that use it and do without; a space between */
  const char *purpose, *get;
};
extern const struct hd_program hd_programs[HD_PROGRAMS];

/* Whether a verb needs it, or uses it at all. */
bool hd_program_needed(enum hd_program_id id, const char *verb);
bool hd_program_used(enum hd_program_id id, const char *verb);

/* The command, to be freed. */
char *hd_program_command(enum hd_program_id id);

/* Whether the command's first word is a program. *where (may be NULL): its path, to be freed, or NULL. */
bool hd_program_find(enum hd_program_id id, char **where);

/* HD_OK, or HD_TOOL with a sentence: it is not there. */
enum hd_rc hd_program_need(enum hd_program_id id, struct hd_why *why);

/* As hd_run; `args` ends with NULL, and the command comes before it. */
int hd_program_run(enum hd_program_id id, const char *const args[], const char *cwd, const char *log,
                   int timeout_s);

enum hd_program_state { HD_PROGRAM_GOOD, HD_PROGRAM_MISSING, HD_PROGRAM_BROKEN, HD_PROGRAM_OLD };

/* Runs it for its version, "" if it says none. BROKEN: it fails, or says no version; OLD: older than the table has it. */
enum hd_program_state hd_program_check(enum hd_program_id id, char *version, size_t room);

#endif
