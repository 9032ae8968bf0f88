/* The energy of a whole GPU in a run of `heddle sim`: the emitted hardware by the embedded memory model, all
 * else by the table area/gpu_energy.def.
 *
 * It is a model of a GPU. It is good only for comparing the energy of two runs on the same machine. */
#ifndef HEDDLE_AREA_GPU_ENERGY_H
#define HEDDLE_AREA_GPU_ENERGY_H

#include <jansson.h>
#include <stdio.h>

#include "base/text.h"

enum { HD_GPU_PARTS = 16 };
struct hd_gpu_part {
  const char *name, *by; /* by: "model": the memories of emitted hardware; "table": area/gpu_energy.def */
  double events;         /* 0: the part has no single event */
  double low, mid, high; /* uJ in the run */
  bool is_static;
};
struct hd_gpu_energy {
  char config[64], workload[128];
  double us;
  struct hd_gpu_part part[HD_GPU_PARTS];
  int parts;
  double low, mid, high; /* sum, uJ */
  double dynamic_mid, static_mid;
  double l2_mid, dram_mid, icnt_mid, l1d_mid; /* parts of the sum */
};

/* The energy of one result of `heddle sim --json`. Returns HD_INPUT if it is no result of a whole GPU
 * (memory.kind: l2). */
enum hd_rc hd_gpu_energy_of(const json_t *run, struct hd_gpu_energy *e, struct hd_why *why);
void hd_gpu_energy_print(const struct hd_gpu_energy *e, FILE *out);
json_t *hd_gpu_energy_json(const struct hd_gpu_energy *e); /* a new reference */

#endif
