/* The cost of the logic: cells, flip-flops, area and clock, for each module of a generated design.
 *
 * Every module of the job is synthesised as a top of its own, with everything below it flattened into it. So
 * each line of the result is that module's whole price, and the line of the design's top is the total. Each
 * line is checked: declared bits = flip-flops + bits in RAM macros. */
#ifndef HEDDLE_SYNTH_SYNTH_H
#define HEDDLE_SYNTH_SYNTH_H

#include <jansson.h>
#include <stdio.h>

#include "synth/flow.h"

struct hd_synth_module {
  const char *name;   /* the Verilog module */
  long declared_bits; /* registers and memories of the module and all below it; -1: unknown, not checked */
  /* parts of declared_bits: latches of memories; rows of these, with a clock-gating cell each */
  long latches, rows;
  const char *of, *others; /* for some instances of a module, as in struct hd_flow; else NULL */
};

/* The modules of a design from `top` (NULL: the design's top) down, top first, with the bits that their
 * declarations hold, instances included. The array is to be freed; the names belong to the design. Returns
 * their number, or -1 if there is no such module. */
struct hd_design;
int hd_synth_modules_of(const struct hd_design *design, const char *top, struct hd_synth_module **modules);

/* A module of the design together with the attachments beside it (those that hear its ports by their names or
 * answer its hooks), flattened into one module: `module`_attached. To be freed. Returns NULL and a sentence
 * if it is in no module that has connection rows. */
struct hd_synth_module *hd_synth_attached(const struct hd_design *design, const char *module,
                                          struct hd_why *why);

struct hd_synth_job {
  /* X.v in it is the module X; only the modules of the job and those in them are read */
  const char *rtl_dir;
  const struct hd_synth_module *module; /* the modules to synthesise; the design's top first */
  int modules;
  const char *lib; /* "heddle45" (also NULL), "osu018", or the path of a liberty file */
  /* where to write, one run at a time; it gets a directory for each library, and in it one for each module */
  const char *work;
  struct hd_pricer pricer;                                            /* for the timing of RAM macros */
  void (*progress)(void *user, const char *module, int done, int of); /* may be NULL */
  void *user;
  unsigned gate; /* as in struct hd_flow; HD_INPUT if the library has no clock-gating cell */
  int timeout_s; /* per tool run; 0: four hours */
};

struct hd_synth_result {
  char name[64];
  long declared_bits, declared_latches, declared_rows;
  struct hd_netlist net;
  struct hd_timing timing;
  double seconds; /* wall time of both tools */
};

struct hd_synth_report {
  char lib[64]; /* the library's name, from its file */
  /* the name of the default operating conditions, which all delays are for; "": it has none */
  char corner[64];
  bool wires;                     /* its delays include its default wire load */
  char *work;                     /* the job's: the files of a module are in work/lib/module */
  unsigned gate;                  /* the job's */
  double macro_nm;                /* the node for the timing of RAM macros */
  struct hd_synth_result *result; /* in the order of the job */
  int results;
};

/* Runs the job. Stops at the first module that fails; the reason names it. Returns what hd_yosys and
 * hd_opensta return, and HD_CHECK if declared bits and bits found differ, HD_INPUT for an unknown library or
 * a module without its file. Without OpenSTA (HD_TOOL) there is no result. hd_synth_free may be called in any
 * case. */
enum hd_rc hd_synth_run(const struct hd_synth_job *job, struct hd_synth_report *report, struct hd_why *why);
void hd_synth_free(struct hd_synth_report *report);

/* A module's netlist for simulation, with the names of all its registers. It is made in
 * job->work/LIBRARY/MODULE-names (and -gatedN), or reused from there if none of its inputs has changed.
 * *netlist: the file, to be freed. Returns what hd_yosys returns, and HD_CHECK if declared and found bits
 * differ. */
enum hd_rc hd_synth_names(const struct hd_synth_job *job, const struct hd_synth_module *module,
                          const char *lib_path, const struct hd_lib *lib, char **netlist, struct hd_why *why);

/* The tolerance of a clock with heddle45: the range with the library that heddle45 is fitted to; a macro's
 * own cycle is not scaled. Returns false if there is no path from register to register, or for another
 * library, whose figures have no tolerance. */
bool hd_synth_tolerance(const struct hd_synth_report *report, const struct hd_timing *timing, double *low_mhz,
                        double *high_mhz);

/* Checks declared bits against the bits found. */
enum hd_rc hd_synth_check_bits(const struct hd_synth_result *r, struct hd_why *why);

/* hd_synth_print: the table with the worst paths, for people. hd_synth_json: the same as JSON {lib, work,
 * macro_node_nm, cells, flipflops, declared_bits, macro_bits, area_um2, fmax_mhz, fmax_low_mhz, fmax_high_mhz
 * of the top; modules: [...]}, a new reference. */
void hd_synth_print(const struct hd_synth_report *report, FILE *out);
json_t *hd_synth_json(const struct hd_synth_report *report);

/* The liberty file of a library choice, to be freed. heddle45 is written below `work`. */
enum hd_rc hd_synth_lib_path(const char *choice, const char *work, char **path, struct hd_why *why);

#endif
