/* The findings of `heddle demo`, and how they are printed. */
#ifndef HEDDLE_CLI_DEMO_H
#define HEDDLE_CLI_DEMO_H

#include "area/area.h"
#include "base/programs.h"
#include "cli/cli.h"
#include "cmodel/gpu/sim.h"
#include "verif/harness/cosim.h"

enum { DEMO_KERNELS = 8, DEMO_MODULES = 8, DEMO_RUNS = 2 };

/* Name and class of each kernel. */
extern const char *const demo_kernels[DEMO_KERNELS][2];

struct demo_kernel {
  const char *name, *class;        /* class: MRPB Table 2 */
  struct hd_sim_result base, with; /* baseline and mechanism */
};

struct demo {
  heddle_machine *base, *with;
  struct demo_kernel kernel[DEMO_KERNELS];
  const char *run_name[DEMO_RUNS]; /* the stimulus of each lockstep run */
  struct hd_cosim_report run[DEMO_RUNS];
  struct hd_synth_report module[DEMO_MODULES]; /* each leaf module of the mechanism's design, alone */
  int runs, modules;
  struct hd_area_report area; /* area of the module that the paper prices; rows = 0: this design has none */
  struct hd_area_memory *memory; /* the memories of `area`; the rows of the report point to their names */
  int memories;
  struct hd_area_report whole; /* area of sm_mem: its memories, and the sum of the modules as logic */
  struct hd_area_memory *whole_memory;
  int whole_memories;
};

/* Prints the table of the kernels, for README and people alike (Markdown). */
void demo_print_kernels(const struct demo *d, FILE *f);
/* Prints all findings in one screen. */
void demo_print(const struct demo *d, FILE *f);
json_t *demo_json(const struct demo *d);
/* Draws the IPC gains as dir/ipc.svg with gnuplot. Returns HD_TOOL if there is no gnuplot. */
enum hd_rc demo_picture(const struct demo *d, const char *dir, struct hd_why *why);

#endif
