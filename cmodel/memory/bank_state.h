/* The inside of a bank, shared by bank.c (its figures, its ways, making it) and bank_cycle.c (its cycles). Nobody else includes this.
 *
 * Invariant: `counted` is the first cycle whose registers have not been counted.
 *
 * Inlined: with calls instead, heddle sim executes 0.4 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_CMODEL_MEMORY_BANK_STATE_H
#define HEDDLE_CMODEL_MEMORY_BANK_STATE_H

#include "cmodel/l2/ports.h"
#include "cmodel/memory/bank_ways.h"

/* Code that runs the slice and its ways, as hd_bank_run says, and whether it is made for the machine
 * (cmodel/memory/bank_cycle.c). */
struct hd_bank_code {
  const char *name; /* of the machine of configs/, `/` as `_`; or "any" */
  bool (*fits)(const struct l2_top *m);
  struct hd_bank_moves (*run)(struct hd_bank *b, uint64_t now, uint64_t until, struct l2rsp *room);
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
  const struct hd_memmap *map;            /* if there are: of the machine, */
  unsigned number;                        /* and which of its banks this is */
  const struct hd_bank_code *code;        /* what runs this machine */
  struct hd_clock clock;                  /* stands at its first cycle that has not been run */
  uint64_t now;                           /* core cycle of the cycle that runs */
  bool moves;                             /* the next cycle may change something by itself */
  bool woken;                             /* it is to be run, whatever can meet */
  uint64_t counted;
  uint64_t pred;           /* of the request that is decided in this cycle */
  unsigned failed;         /* why the oldest request is blocked */
  bool store;              /* the last hit was one */
  uint64_t closing_stores; /* hits that were the last access of their lines */
};

/* The cycles before `cycle` whose registers are those of now. */
static inline void hd_bank_count(struct hd_bank *b, uint64_t cycle) {
  const uint64_t cycles = cycle - b->counted;
  if (HD_HAS(b->m, u_gate))
    b->stats.awake_cycles += cycles * b->m->u_gate->s.n;
  if (b->m->u_slice->s.blocked)
    b->stats.fails[b->failed] += cycles;
  b->counted = cycle;
}

/* As hd_bank_next. */
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
