/* Proves that a netlist does the same as the Verilog that it was made of, for all inputs and all states
 * (docs/prove.md).
 *
 * Both are cut at the flip-flops and at the memories. The value of a register, and the data that a memory
 * returns, become inputs. The next value of a register, and the inputs of a memory, become outputs. The rest
 * has no state. Each bit of an output is a point; the bits of a port are proved together.
 *
 * Invariant: a point counts as proved only if Yosys says so, and no point is left out: each flip-flop of both
 * sides is a bit of a declared register. */
#ifndef HEDDLE_SYNTH_EQUAL_EQUAL_H
#define HEDDLE_SYNTH_EQUAL_EQUAL_H

#include <jansson.h>
#include <stdio.h>

#include "arch/declaration/declaration.h"
#include "synth/liberty.h"

struct hd_equal_job {
  const struct hd_decl *module; /* holds no other module */
  /* where hd_synth_names has made a netlist of the module: its RTL, the library, the boxes of memories */
  const char *dir;
  /* the netlist; NULL: the one made there. JSON of Yosys, with the names of the registers */
  const char *netlist;
  const struct hd_lib *lib;
  int limit_s; /* for each port */
};

struct hd_equal {
  const char *module;
  long flipflops, points, proved;
  json_t *differ,
      *open; /* names of ports that are not proved: `differ`: they differ for some inputs; `open`: the time was over */
  double seconds; /* processor time of Yosys */
};

/* Returns HD_OK if all points are proved. HD_CHECK: some are not; or RTL and netlist have other ports than each other,
 * other registers than the declaration, or another clock than clk. HD_INPUT: the netlist can't be read, or a flip-flop
 * has a set, clear or enable. HD_TOOL: Yosys failed. Call hd_equal_free in any case. */
enum hd_rc hd_equal_run(const struct hd_equal_job *job, struct hd_equal *answer, struct hd_why *why);
void hd_equal_free(struct hd_equal *answer);

void hd_equal_print(const struct hd_equal *answer, FILE *out);
json_t *hd_equal_json(const struct hd_equal *answer); /* a new reference */

/* One side without its flip-flops and memories. Internal to synth/equal. */
struct hd_cut {
  const struct hd_decl *module;
  const char *from, *to;    /* files: JSON of Yosys */
  const struct hd_lib *lib; /* NULL: the cells are Yosys's own, as in RTL */
  long flipflops;           /* answer */
  json_t *outputs;          /* answer: the bits of each output by its name; to be freed */
};
enum hd_rc hd_equal_cut(struct hd_cut *cut, struct hd_why *why);

#endif
