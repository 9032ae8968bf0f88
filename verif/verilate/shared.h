/* The parts that all Verilated models share: Verilator's run-time library and the headers that each file includes.
 *
 * Invariant: they are compiled once for each command and versions of the tools, and kept in <work>/build beside the models. If two
 * processes need the same part, one makes it. Verilator uses one core; meanwhile another process makes these parts on a second core.
 */
#ifndef HEDDLE_VERIF_VERILATE_SHARED_H
#define HEDDLE_VERIF_VERILATE_SHARED_H

#include "verif/verilate/tools.h"

struct hd_shared {
  struct hd_tool_place at; /* at.dir: a directory inside <work>/build, for what is not finished */
  const struct hd_tools *tools;
  const char *flags; /* the compiler flags of the models' files */
  bool traced;       /* with a writer of waveforms */
};

/* Starts a process that makes all shared parts. If it fails, hd_shared_headers and hd_shared_objects try again and give the reason. */
pid_t hd_shared_begin(const struct hd_shared *s);
/* Waits for that process; it uses at.dir. */
void hd_shared_end(pid_t pid);

/* Sets *option to the compiler option that includes the compiled headers, and a space. The caller frees it. */
enum hd_rc hd_shared_headers(const struct hd_shared *s, char **option);
/* Sets *objects to the object files that a model is linked with; names are relative to at.dir. The caller frees it. */
enum hd_rc hd_shared_objects(const struct hd_shared *s, char **objects);

#endif
