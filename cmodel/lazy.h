/* One SM run lazily, for performance runs: the SM, the memory and the modules of sm_mem each sleep while they
 * can change nothing but event counts, until a handshake or the clock wakes them; the events of the cycles
 * slept through are counted then. Line bytes are not carried.
 *
 * Invariant: in every cycle everything is as if all of it were run (cmodel/models.h says how), event counts,
 * times and statistics after hd_lazy_settle. A part may stay awake for nothing, never sleep through a change.
 */
#ifndef HEDDLE_CMODEL_LAZY_H
#define HEDDLE_CMODEL_LAZY_H

#include "cmodel/memory.h"
#include "cmodel/sm.h"

enum hd_lazy_name { LAZY_SCHED, LAZY_COALESCER, LAZY_BUFFER, LAZY_L1D, LAZY_SM, LAZY_MEMORY, LAZY_PARTS };
enum { LAZY_WAITS = 6 };

struct hd_lazy {
  struct sm_mem *m;
  struct hd_sm *sm;
  struct hd_memory *memory;
  struct sm_mem_in *in;
  struct sm_mem_out *out;
  uint64_t now;   /* cycles run */
  unsigned awake; /* bit p: part p is */
  struct hd_lazy_part {
    uint64_t since, until; /* asleep: first cycle slept through; cycle in which it must wake */
    /* modules: */
    uint64_t *ev;                   /* its event counts */
    unsigned waits;                 /* events that can happen while nothing changes: */
    unsigned char wait[LAZY_WAITS]; /* which */
    uint64_t count[LAZY_WAITS];     /* asleep: how often in each such cycle */
  } part[LAZY_PARTS];
  /* The ports of the request buffer that is there. */
  struct {
    const uint64_t *deq_valid, *enq_ready;
    const struct req *deq;
    uint64_t *deq_ready, *enq_valid;
    struct req *enq;
  } buffer;
};

/* All of a run that starts; nothing of it has seen a cycle yet. */
void hd_lazy_init(struct hd_lazy *l, struct sm_mem *m, struct hd_sm *sm, struct hd_memory *memory,
                  struct sm_mem_in *in, struct sm_mem_out *out);

/* Runs a cycle, and passes the cycles after it in which everything sleeps, up to cycle `limit`. False:
 * everything sleeps forever. */
bool hd_lazy_cycle(struct hd_lazy *l, uint64_t limit);

void hd_lazy_settle(struct hd_lazy *l);

#endif
