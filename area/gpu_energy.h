/* Energy of a whole GPU in a run of `heddle sim`: what is emitted hardware by the embedded memory model, the rest by the table
 * area/gpu_energy.def.
 *
 * It is a model of a GPU: what it can say is how a run's energy compares with another's on the same machine.
 */
#ifndef HEDDLE_AREA_GPU_ENERGY_H
#define HEDDLE_AREA_GPU_ENERGY_H

#include <jansson.h>
#include <stdio.h>

#include "base/text.h"

enum { HD_GPU_PARTS = 16 };
struct hd_gpu_part {
  const char *name, *by; /* by: "model": the memories of emitted hardware; "table" */
  double events;         /* 0: of no single event */
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
  double l2_mid, dram_mid, icnt_mid, l1d_mid; /* of them */
};

/* Of one result as `heddle sim --json` writes it. HD_INPUT: it is none of a whole GPU (memory.kind: l2). */
enum hd_rc hd_gpu_energy_of(const json_t *run, struct hd_gpu_energy *e, struct hd_why *why);
void hd_gpu_energy_print(const struct hd_gpu_energy *e, FILE *out);
json_t *hd_gpu_energy_json(const struct hd_gpu_energy *e); /* a new reference */

#endif
