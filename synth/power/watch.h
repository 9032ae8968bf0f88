/* The power of a lockstep run, by a watch that looks at the run from outside, cycle by cycle (struct
 * hd_watch).
 *
 * The toggles of the RTL's registers and ports are counted in every cycle. In parallel each module to be
 * priced runs as gates: its netlist gets the values of the RTL's ports and memories, and its outputs and
 * flip-flops are compared with the RTL's. So a netlist that behaves differently from its RTL ends the run.
 *
 * With sample > 1 the gates run in one of `sample` windows of HD_POWER_WINDOW cycles. Their energy is scaled
 * to the whole run by the toggles of the module's registers and ports, which are counted in all cycles: a
 * ratio estimate, with its standard error. */
#ifndef HEDDLE_SYNTH_POWER_WATCH_H
#define HEDDLE_SYNTH_POWER_WATCH_H

#include "synth/power/price.h"
#include "synth/power/replay.h"
#include "synth/power/toggles.h"
#include "verif/harness/run.h"

enum {
  HD_POWER_WINDOW = 1024,
  HD_POWER_LOOK = 64
}; /* HD_POWER_LOOK: cycles from one comparison of everything to the next */

struct hd_power_tie { /* a port, a register or the output of a macro, and its bits in the netlist */
  int toggled;        /* index of the RTL's side; -1: the RTL's side is `rdata` */
  struct hd_dut_var rdata;
  uint8_t *was;
  const struct hd_bits *bits;
};
struct hd_power_ties {
  struct hd_power_tie *at;
  int n;
};

/* An instance of a module. */
struct hd_power_part {
  const struct hd_decl *decl;
  char *path, *scope;  /* "u_mrpb.", or "" if it is the top */
  const char *netlist; /* netlist.json, the caller's; NULL: only toggles are counted */
  /* its entries of the toggles: ports, then the registers of it and of all modules inside it */
  int from, to;
  struct hd_gates gates;
  double *weight;
  struct hd_power_ties in, out, reg, rdata;
  uint64_t compared; /* compared bits of outputs and registers */
  bool running;      /* a window is open */
  bool stale;        /* the gates do not hold the RTL's values: before a window, after a reset */

  /* of the windows in which the gates ran */
  double *energy, *activity; /* energy of the toggles, fJ; toggles of the RTL's registers and ports */
  int windows;
  double began_energy, began_activity;
};

/* The accesses of a memory in the window, all its banks together. */
struct hd_power_memory {
  char *name; /* "u_l1d.tags" */
  const struct hd_mem *mem;
  struct hd_ram *of; /* valid while the run is open */
  struct hd_accesses did;
  uint64_t sleeps, wakes, asleep; /* rows; row-cycles without power */
};

struct hd_power_watch {
  const struct hd_lib *lib;
  const char *top;          /* the module that is run; runs of other modules are ignored */
  uint64_t from, to;        /* cycles; `to` 0: until the end */
  unsigned sample;          /* 1: the gates run in every cycle */
  struct hd_replay *replay; /* of the first part; NULL: not wanted */
  struct hd_power_part *part;
  int parts;

  const struct hd_run *run;
  struct hd_toggles toggles;
  bool begun;                     /* the window has begun */
  bool fresh;                     /* nothing was counted since the last reset */
  struct hd_power_memory *memory; /* those of the parts, in the order of the table */
  int memories;
  struct hd_dut_var valid, ready, write; /* of the L1D's requests; without data if there is no L1D */
  uint64_t loads;                        /* loads that the L1D took in the window */
};

/* Finds the parts to price: the instances in `top`, or `top` itself if it has none; with `module` only
 * instances of it. Free them with hd_power_free. Returns HD_INPUT if `top` holds no such module. */
enum hd_rc hd_power_parts(struct hd_power_watch *w, const struct hd_decl *top, const char *module,
                          struct hd_why *why);
/* The watch for hd_cosim_job.watch; the job needs `inside`. */
struct hd_watch hd_power_watch(struct hd_power_watch *w);
void hd_power_free(struct hd_power_watch *w);

#endif
