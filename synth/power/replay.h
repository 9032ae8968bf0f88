/* Writes the inputs and the behaviour of a part's gates, so that any Verilog simulator can repeat and compare
 * them:
 *
 *   gates.v        the netlist with nets n2, n3, ...; instances are cells of the library
 *   replay.v       a testbench: gives the inputs at the clock edge, compares the outputs, writes the nets to nets.vcd
 *   stimulus.txt   inputs and the outputs of memories, a line a cycle
 *   outputs.txt    outputs, a line a cycle
 *   toggles.txt    how often each net changes in nets.vcd after its first values: net and toggles
 *
 * Invariant: no file gets its name before all are written. */
#ifndef HEDDLE_SYNTH_POWER_REPLAY_H
#define HEDDLE_SYNTH_POWER_REPLAY_H

#include "base/new_files.h"
#include "synth/power/gates.h"

struct hd_replay {
  char *dir;
  struct hd_files files;
  FILE *gates, *bench, *stimulus, *outputs, *toggles; /* of `files` */
  uint8_t *first;                                     /* values of all nets in the first cycle */
  uint64_t cycles;
};

/* Returns HD_INPUT if the directory or a file can't be written. Call hd_replay_close in any case. */
enum hd_rc hd_replay_open(struct hd_replay *r, const char *dir, struct hd_why *why);
/* Writes a cycle, after the nets have settled. */
void hd_replay_cycle(struct hd_replay *r, const struct hd_gates *g);
enum hd_rc hd_replay_end(struct hd_replay *r, const struct hd_gates *g, struct hd_why *why);
/* Removes unfinished files, as a signal that ends the program does. Files of an earlier run then stay. */
void hd_replay_close(struct hd_replay *r);

#endif
