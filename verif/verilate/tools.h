/* The tools that make a Verilated model: Verilator and the C++ compiler.
 *
 * Invariant: their answers are kept, in the process and in <work>/build. The key is their commands, PATH, VERILATOR_ROOT, and the
 * place, size and time of each program. So a changed tool is asked again.
 */
#ifndef HEDDLE_VERIF_VERILATE_TOOLS_H
#define HEDDLE_VERIF_VERILATE_TOOLS_H

#include <stdbool.h>

#include "base/run.h"

/* The directory in which tools run, and the module for which they run. */
struct hd_tool_place {
  const char *module, *dir;
  char *failed; /* the directory's name after a failure: its logs stay there */
  struct hd_why *why;
};

struct hd_tools {
  char *versions;        /* the lines that the tools print */
  char *verilator, *cxx; /* commands */
  char *include;         /* Verilator's own sources */
  bool clang;            /* the compiler is clang */
};

/* Runs a tool in the directory; its output goes to <dir>/<log>. The command is split at each space. That is safe: apart from
 * Verilator's own path, which cannot have spaces, the command has no path outside the directory. */
enum hd_rc hd_tool_run(const struct hd_tool_place *k, const char *log, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills in *t; asks the tools for answers that are not kept. `work`: as in hd_dut_build. Call hd_tools_free in any case. */
enum hd_rc hd_tools_ask(struct hd_tools *t, const struct hd_tool_place *k, const char *work);
void hd_tools_free(struct hd_tools *t);

/* Writes the text to the file dir/name. Returns false if it cannot. */
bool hd_write_text(const char *dir, const char *name, const char *text);
/* Returns `text` followed by `more`, and frees both. */
char *hd_joined(char *text, char *more);

#endif
