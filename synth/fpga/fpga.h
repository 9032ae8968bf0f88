/* What a module takes of an FPGA: Yosys for the Lattice ECP5 family, then nextpnr's place and route.
 *
 * As in synth.h every module asked for is a top of its own, with all below it flattened into it. The wrappers of memories are
 * those of ram.v, which Yosys maps to block RAM. Scripts, logs and netlists stay in the run's directory.
 *
 * Invariant: figures are of a design that was placed and routed; one that does not fit has none.
 */
#ifndef HD_SYNTH_FPGA_FPGA_H
#define HD_SYNTH_FPGA_FPGA_H

#include "synth/synth.h"

struct hd_fpga_part {
  const char *name, *chip, *package; /* --device, what it stands for, and the package with most pins */
};
/* HD_INPUT: no part has that name. */
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
  HD_FPGA_LUT,     /* LUTs of four inputs, those of carries and LUT RAM too */
  HD_FPGA_FF,      /* flip-flops */
  HD_FPGA_LUT_RAM, /* writes of LUT RAM: 16 words of 4 bits each */
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
  int memories[HD_FPGA_PLACES]; /* arrays of the Verilog, by what Yosys made of them */
  char *names[HD_FPGA_PLACES];  /* theirs, a blank before each; NULL: none */
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

/* Runs the job; stops at the first module that fails, and the reason names it. HD_TOOL: no Yosys, or no nextpnr-ecp5
 * ($NEXTPNR); HD_CHECK: the module does not fit; HD_INPUT: Yosys cannot read the RTL. hd_fpga_free may be called in any case. */
enum hd_rc hd_fpga_run(const struct hd_fpga_job *job, struct hd_fpga_report *report, struct hd_why *why);
void hd_fpga_free(struct hd_fpga_report *report);

void hd_fpga_print(const struct hd_fpga_report *report, FILE *out);
/* {device, chip, package, out_of_context, seed, nextpnr, work; modules: [...]}, a new reference. */
json_t *hd_fpga_json(const struct hd_fpga_report *report);

/* --- for tests: what a run's files say, into a result that has its name ------------------------------------- */

/* Of Yosys's log: what became of each array. */
void hd_fpga_read_memories(const char *log, struct hd_fpga_result *r);
/* Of nextpnr's log: what is used and there. HD_CHECK: more than there is; HD_TOOL: no table of it. */
enum hd_rc hd_fpga_read_use(const char *log, const struct hd_fpga_part *part, bool out_of_context,
                            struct hd_fpga_result *r, struct hd_why *why);
/* Of nextpnr's report. */
void hd_fpga_read_timing(const json_t *report, struct hd_fpga_result *r);

#endif
