/* The inside of a bank, shared by bank.c (figures, ways, construction) and bank_cycle.c (cycles). Only these two
 * include this.
 *
 * Invariant: `counted` is the first of the bank's cycles that is not in the counts yet.
 *
 * Inlined: with calls instead, heddle sim executes 0.4 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_CMODEL_MEMORY_BANK_STATE_H
#define HEDDLE_CMODEL_MEMORY_BANK_STATE_H

#include "cmodel/l2/ports.h"
#include "cmodel/memory/bank_ways.h"

/* Code that runs the slice and its ways, as hd_bank_run describes. `fits`: true if the code can run the machine
 * (cmodel/memory/bank_cycle.c). */
struct hd_bank_code {
  const char *name; /* the machine of configs/, with `_` for `/`; or "any" */
  bool (*fits)(const struct l2_top *m);
  struct hd_bank_moves (*run)(struct hd_bank *b, uint64_t now, uint64_t until, struct l2rsp *room);
};

struct hd_bank {
  struct hd_bank_ways ways;
  struct hd_bank_stats stats;
  const struct hd_design *design;
  struct l2_top *m;
  struct l2_top_in in;
  struct l2_top_out out; /* used with a watch; otherwise the slice's registers are read */
  struct hd_log log;
  struct hd_generations *generations;
  struct hd_bank_watch watch;             /* `after` NULL: no observer */
  const struct hd_access_watch *accesses; /* or NULL */
  const struct hd_memmap *map;            /* with `accesses`: the map of the machine, */
  unsigned number;                        /* and this bank's number */
  const struct hd_bank_code *code;        /* the code for this machine */
  struct hd_clock clock;                  /* stands at the first cycle that has not been run */
  uint64_t now;                           /* core cycle of the cycle that runs */
  bool moves;                             /* the next cycle may change something by itself */
  bool woken;                             /* run the next cycle even if no port can meet */
  uint64_t counted;
  uint64_t pred;           /* prediction of the request that is decided in this cycle */
  unsigned failed;         /* why the oldest request is blocked */
  bool store;              /* the last hit was a store */
  uint64_t closing_stores; /* stores that hit and were the last access of their lines */
};

/* Counts the cycles before `cycle` that are not counted yet. Their registers have the present values. */
static inline void hd_bank_count(struct hd_bank *b, uint64_t cycle) {
  const uint64_t cycles = cycle - b->counted;
  if (HD_HAS(b->m, u_gate))
    b->stats.awake_cycles += cycles * b->m->u_gate->s.n;
  if (b->m->u_slice->s.blocked)
    b->stats.fails[b->failed] += cycles;
  b->counted = cycle;
}

/* See hd_bank_next. */
static inline uint64_t hd_bank_wants(const struct hd_bank *b, bool room) {
  const struct l2_slice *m = b->m->u_slice;
  if (b->moves || b->woken || b->watch.after || (room && l2_slice_rsp_valid(m)) ||
      (l2_slice_out_valid(m) && !hd_bank_stuck(&b->ways)))
    return b->clock.at;
  const uint64_t fill = l2_slice_fill_ready(m) ? hd_bank_return_at(&b->ways) : UINT64_MAX;
  const uint64_t in = l2_slice_req_ready(m) ? hd_bank_request_at(&b->ways) : UINT64_MAX;
  const uint64_t first = fill < in ? fill : in;
  return first > b->clock.at ? first : b->clock.at;
}

#endif
