/* The resources of an FPGA that a module takes: Yosys for the Lattice ECP5 family, then nextpnr's place and
 * route.
 *
 * As in synth.h every module of the job is a top of its own, with all modules below it flattened into it. The
 * wrappers of memories are those of ram.v, which Yosys maps to block RAM. Scripts, logs and netlists stay in
 * the run's directory.
 *
 * Invariant: figures are of a design that was placed and routed; a design that does not fit has none. */
#ifndef HEDDLE_SYNTH_FPGA_FPGA_H
#define HEDDLE_SYNTH_FPGA_FPGA_H

#include "synth/synth.h"

struct hd_fpga_part {
  const char *name, *chip, *package; /* --device, the chip that it means, and the package with most pins */
};
/* Returns HD_INPUT if no part has that name. */
enum hd_rc hd_fpga_find(const char *name, const struct hd_fpga_part **part, struct hd_why *why);

struct hd_fpga_job {
  const char *rtl_dir, *work; /* as in struct hd_synth_job */
  const struct hd_synth_module *module;
  int modules;
  const struct hd_fpga_part *part;
  bool out_of_context; /* ports stay inside the FPGA, and the clock is not on a global net */
  uint64_t seed;       /* of the placement */
  void (*progress)(void *user, const char *module, int done, int of); /* may be NULL */
  void *user;
  int timeout_s; /* per tool run; 0: four hours */
};

/* Resources, by nextpnr's count after packing. */
enum hd_fpga_kind {
  HD_FPGA_LUT,     /* LUTs of four inputs, including those of carries and LUT RAM */
  HD_FPGA_FF,      /* flip-flops */
  HD_FPGA_LUT_RAM, /* the write side of LUT RAM (TRELLIS_RAMW): 16 words of 4 bits each */
  HD_FPGA_BLOCK,   /* block RAMs of 18 Kbit */
  HD_FPGA_DSP,     /* multipliers of 18 x 18 bits */
  HD_FPGA_PIN,     /* pins */
  HD_FPGA_KINDS
};
enum hd_fpga_place { HD_FPGA_IN_BLOCK, HD_FPGA_IN_LUT, HD_FPGA_IN_FF, HD_FPGA_PLACES };

struct hd_fpga_result {
  char name[64];
  long declared_bits;
  long used[HD_FPGA_KINDS], there[HD_FPGA_KINDS];
  int memories[HD_FPGA_PLACES]; /* arrays of the Verilog, by the place that Yosys gave them */
  char *names[HD_FPGA_PLACES];  /* their names, a blank before each; NULL: none */
  double fmax_mhz;              /* after routing; 0: no path from register to register */
  char from[160], to[160];      /* ends of the slowest such path */
  double seconds;               /* wall time of both tools */
};

struct hd_fpga_report {
  const struct hd_fpga_part *part;
  bool out_of_context;
  uint64_t seed;
  char *work, version[64];       /* nextpnr's */
  struct hd_fpga_result *result; /* in the order of the job */
  int results;
};

/* Runs the job. Stops at the first module that fails; the reason names it. Returns HD_TOOL if there is no
 * Yosys or no nextpnr-ecp5 ($NEXTPNR), HD_CHECK if the module does not fit, HD_INPUT if Yosys cannot read the
 * RTL. hd_fpga_free may be called in any case. */
enum hd_rc hd_fpga_run(const struct hd_fpga_job *job, struct hd_fpga_report *report, struct hd_why *why);
void hd_fpga_free(struct hd_fpga_report *report);

void hd_fpga_print(const struct hd_fpga_report *report, FILE *out);
/* {device, chip, package, out_of_context, seed, nextpnr, work; modules: [...]}, a new reference. */
json_t *hd_fpga_json(const struct hd_fpga_report *report);

/* --- for tests: read a run's files into a result that has its name --------------------------------------- */

/* From Yosys's log: where each array went. */
void hd_fpga_read_memories(const char *log, struct hd_fpga_result *r);
/* From nextpnr's log: the resources used and available. Returns HD_CHECK if more is used than there is,
 * HD_TOOL if the log has no such table. */
enum hd_rc hd_fpga_read_use(const char *log, const struct hd_fpga_part *part, bool out_of_context,
                            struct hd_fpga_result *r, struct hd_why *why);
/* From nextpnr's report. */
void hd_fpga_read_timing(const json_t *report, struct hd_fpga_result *r);

#endif
