/* The texts of a design under one top, in memory, and of the files beside its modules. Internal to rtl_gen. */
#ifndef HEDDLE_RTL_GEN_EMIT_FILES_H
#define HEDDLE_RTL_GEN_EMIT_FILES_H

#include <stdio.h>

#include "arch/declaration/modules.h"
#include "rtl_gen/rtl.h"
#include "rtl_gen/template/size_roles.h"

/* The text of a wrapper, to be freed. */
char *hd_wrapper_text(const struct hd_design *design, const char *name);

/* `top` and every module below it, inner ones first. */
struct hd_set {
  const struct hd_design *design;
  const struct hd_decl *top;
  struct hd_modules modules;
  bool ports[HD_PORT_KINDS];        /* the memory wrappers that the modules hold */
  bool latched;                     /* some module has registers of latches */
  const struct hd_rtl_bench *bench; /* NULL: no test bench */
};

/* The texts of <top>.f and <top>.json, to be freed. */
char *hd_files_list(const struct hd_set *set);
char *hd_files_signature(const struct hd_set *set);

/* The text of the set's test bench, testbench.c. */
char *hd_files_bench(const struct hd_set *set);

/* The files for tools beside the Verilog (flows.c): <top>.core, <top>.sdc and <top>.synth.tcl, to be freed. */
char *hd_files_core(const struct hd_set *set);
char *hd_files_sdc(const struct hd_set *set);
char *hd_files_synth(void);

/* The power intent as UPF, <top>.upf (upf.c), to be freed. Returns NULL if no memory below the top has rows
 * that can be powered off. */
char *hd_files_upf(const struct hd_set *set);

/* The register map of the control registers as SystemRDL 2.0, to be freed (rtl_gen/apb/rdl.c). */
char *hd_files_rdl(const struct hd_set *set);

/* Fills `names` with the wrappers that the modules hold, leaves first, and returns their number. */
enum { HD_WRAPPERS = HD_PORT_KINDS + 2 };
unsigned hd_files_wrappers(const struct hd_set *set, struct hd_text names[HD_WRAPPERS]);

/* Prints a line for each Verilog file, leaves first, with `before` in front of its name. */
void hd_files_put_names(FILE *f, const struct hd_set *set, const char *before);

#endif
