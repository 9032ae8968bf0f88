/* The tools that make a Verilated model: Verilator and the C++ compiler.
 *
 * Invariant: what they have answered is kept, in the process and in <work>/build, by their commands, PATH, VERILATOR_ROOT, and the
 * place, size and time of each program: another tool is asked anew.
 */
#ifndef HEDDLE_VERIF_VERILATE_TOOLS_H
#define HEDDLE_VERIF_VERILATE_TOOLS_H

#include <stdbool.h>

#include "base/run.h"

/* Where tools run, and for what. */
struct hd_tool_place {
  const char *module, *dir;
  char *failed; /* the directory's name after a failure, for the logs in it */
  struct hd_why *why;
};

struct hd_tools {
  char *versions;        /* as they print them */
  char *verilator, *cxx; /* commands */
  char *include;         /* Verilator's own sources */
  bool clang;            /* so is the compiler */
};

/* Runs a tool in the directory; its output goes to <dir>/<log>. The command is words with one space between
 * them: no path outside the directory is in it but Verilator's own, which takes no spaces either. */
enum hd_rc hd_tool_run(const struct hd_tool_place *k, const char *log, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills in *t, to be freed whatever it returns; asks the tools what is not kept. `work`: as of hd_dut_build. */
enum hd_rc hd_tools_ask(struct hd_tools *t, const struct hd_tool_place *k, const char *work);
void hd_tools_free(struct hd_tools *t);

/* The file dir/name has this text now. */
bool hd_write_text(const char *dir, const char *name, const char *text);
/* Both, in one; they are freed. */
char *hd_append(char *text, char *more);

#endif
