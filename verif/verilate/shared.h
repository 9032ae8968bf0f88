/* What every Verilated model is compiled with, and is the same for all of them: Verilator's run-time library and the headers that
 * each file includes.
 *
 * Invariant: it is made once for a command and the versions of the tools, and kept in <work>/build beside the models; two processes
 * that want the same make it once. While Verilator is at work, which has one core, a process of its own makes it on another.
 */
#ifndef HEDDLE_VERIF_VERILATE_SHARED_H
#define HEDDLE_VERIF_VERILATE_SHARED_H

#include "verif/verilate/tools.h"

struct hd_shared {
  struct hd_tool_place at; /* at.dir: a directory inside <work>/build, for what is not finished */
  const struct hd_tools *tools;
  const char *flags; /* with which the models' files are compiled */
  bool traced;       /* with a writer of waveforms */
};

/* Starts to make all of it in a process of its own. What that cannot make, the two functions below make again, and say why not. */
pid_t hd_shared_begin(const struct hd_shared *s);
/* Waits for that process; it uses at.dir. */
void hd_shared_end(pid_t pid);

/* *option: how the compiler includes the compiled headers, a space behind it; to be freed. */
enum hd_rc hd_shared_headers(const struct hd_shared *s, char **option);
/* *objects: what a model is linked with, names from inside at.dir; to be freed. */
enum hd_rc hd_shared_objects(const struct hd_shared *s, char **objects);

#endif
