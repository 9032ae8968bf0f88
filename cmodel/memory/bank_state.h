/* The inside of a bank, shared by bank.c (its figures, its ways, making it) and bank_cycle.c (its cycles). Nobody else includes this.
 *
 * Invariant: `counted` is the first cycle whose registers have not been counted. */
#ifndef HEDDLE_CMODEL_MEMORY_BANK_STATE_H
#define HEDDLE_CMODEL_MEMORY_BANK_STATE_H

#include "cmodel/memory/bank_ways.h"

/* Code that runs the slice and its ways in a cycle, as hd_bank_cycle says, and whether it is made for the machine
 * (cmodel/memory/bank_cycle.c). */
struct hd_bank_code {
  const char *name; /* of the machine of configs/, `/` as `_`; or "any" */
  bool (*fits)(const struct l2_top *m);
  void (*cycle)(struct hd_bank *b, uint64_t now, uint64_t cycle, struct l2rsp *room,
                struct hd_bank_moves *moves);
};

struct hd_bank {
  struct hd_bank_ways ways;
  struct hd_bank_stats stats;
  const struct hd_design *design;
  struct l2_top *m;
  struct l2_top_in in;
  struct l2_top_out out; /* with a watch; else the slice's registers say what is needed of it */
  struct hd_log log;
  struct hd_generations *generations;
  struct hd_bank_watch watch;             /* `after` NULL: nobody looks on */
  const struct hd_access_watch *accesses; /* or NULL */
  const struct hd_bank_code *code;        /* what runs this machine */
  uint64_t now;                           /* core cycle of the cycle that runs */
  bool moves;                             /* the next cycle may change something by itself */
  bool woken;                             /* it is to be run, whatever can meet */
  uint64_t counted;
  uint64_t pred;           /* of the request that is decided in this cycle */
  unsigned failed;         /* why the oldest request is blocked */
  bool store;              /* the last hit was one */
  uint64_t closing_stores; /* hits that were the last access of their lines */
};

#endif
