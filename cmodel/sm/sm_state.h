/* The state of the SM. These files share it: sm_cycle.h and sm.c (ports and clock), sm_issue.h (issue and results), sm_warps.h and warps.c
 * (which warps may issue, barriers, ends), dispatch.c (launches and CTAs) and forward.c. No other file includes it, except the lazy
 * run, through sm_cycle.h.
 *
 * Invariant: after every clock, `ready[u]` holds the warps whose next instruction needs unit u and waits for nothing else.
 * `unit_free[u]` holds the warps whose scheduler has unit u free. Events update both; no code looks at all warps for that. The same is
 * true of `awake` and, where a module hears them, of `wait_mem`, `next_load` and `next_mem`.
 *
 * Inlined: with calls instead, heddle sim executes 0.9 % more instructions (gpu/loscache on gemm:tiny). */
#ifndef HEDDLE_CMODEL_SM_SM_STATE_H
#define HEDDLE_CMODEL_SM_SM_STATE_H

#include "cmodel/sm/grid.h"
#include "cmodel/sm/loops.h"
#include "cmodel/sm/sm.h"

#include "workloads/rng.h"

enum { SM_MAX_PASSES = 4 * WL_LANES }; /* words that one shared-memory access may need */
enum { SM_NONE = -1 };

/* A memory instruction in flight. */
struct sm_slot {
  bool write;
  int8_t dst;
  uint8_t answered, requests; /* requests: 0 until the answer with `last` has come */
  uint32_t pc;
  uint64_t issued; /* cycle */
};

/* The bytes that a store writes, in runs with data. */
struct sm_bytes {
  uint8_t size;
  uint8_t offset[WL_LANES]; /* of each active lane's element in its line */
  uint64_t content;         /* the stored bytes are a hash of it */
};

enum sm_phase { SM_ABSENT, SM_STARTING, SM_RUNNING, SM_WAITING /* at a barrier */ };

/* The instructions that a warp slot is to pass (cmodel/sm/forward.h), and how far it is. */
struct sm_pass {
  int64_t goal, left;    /* instructions; left < 0: the warp passed its goal to come to `home` */
  uint32_t home;         /* pc of the instruction at which it began */
  int64_t since, period; /* instructions since it was at `home`; between its last two times there, or 0 */
  bool there;            /* it has arrived and passes no more */
};

/* The warps of all SMs fill the host's caches. So all fields but the slots are in one cache line. The next instruction is kept here
 * without its addresses; the stream gives them when the instruction issues (sm_next). */
struct sm_warp {
  _Alignas(64) uint64_t need, pending; /* registers the next instruction reads or writes; registers awaited */
  void *stream;
  uint64_t src; /* this and the fields up to `dst`: of the next instruction, as in wl_inst */
  uint32_t pc, active;
  uint8_t op, size, kind;
  int8_t dst;
  uint8_t phase;                  /* enum sm_phase */
  uint8_t unit;                   /* the warp's bit may be set in ready[unit], and in no other */
  uint8_t buffered;               /* instructions in its buffer, if the SM has instruction buffers */
  uint8_t queued;                 /* instructions in an LSU queue */
  uint16_t free_slots, in_flight; /* memory slots that are free; instructions in flight */
  uint8_t cta, place;             /* CTA slot; the warp's number in the CTA */
  uint64_t seq;                   /* memory instructions that it has issued */
  struct sm_slot slot[HD_MOST(sm, loads)];
};

struct sm_cta {
  uint32_t id;
  unsigned live, arrived; /* warps that have not ended; those of them that have arrived at the barrier */
  unsigned epoch;         /* barriers passed */
};

/* The LSU queue of a scheduler, a ring: the memory instructions that it has issued and that the coalescer has not taken yet. */
struct sm_lsu {
  unsigned head, count;
  struct sm_lsu_entry {
    bool write;
    uint8_t op;
    unsigned wid, slot, sig;
    uint64_t changes;       /* as coalescer_cycle takes it. Not 0: only the lines that it names are set. */
    uint32_t mask, pc, low; /* the low sm.pc_bits of the pc; byte offset in its line of the lowest lane */
    uint64_t line[WL_LANES], sector[WL_LANES]; /* sector: only if requests carry sectors */
  } entry[HD_MOST(sm, lsu_queue)];
};

/* Results that have not arrived yet, in the order in which they arrive. */
struct sm_pipe {
  uint64_t next;                       /* `at` of the first result; UINT64_MAX: the pipe is empty */
  unsigned latency, head, count, size; /* size: a power of two, larger than the most results in it */
  struct sm_result {
    uint64_t at; /* first cycle in which a dependent instruction may issue */
    uint8_t wid;
    int8_t dst;
  } * ring;
};
enum { PIPE_ALU, PIPE_SFU, PIPE_SHARED, PIPE_CONST, PIPE_TEX, PIPE_RETURN, PIPES };

/* What an instruction needs besides registers: a unit of its scheduler. The unit is free again from cycle `free_at` on. */
enum { UNIT_NONE, UNIT_ALU, UNIT_SFU, UNIT_SHARED, UNIT_LSU /* a place in its queue */, UNITS };

/* A CTA that the dispatcher gave to this SM. It takes a slot in cycle `at`. */
struct sm_given {
  uint32_t cta;
  uint64_t at;
  void *stream[WL_LANES];
};

struct hd_sm {
  const struct hd_config *c;
  struct hd_grid *grid;
  const struct wl_source_ops *ops; /* of the grid's source */
  unsigned number;                 /* of the SM */
  struct hd_sm_options options;
  struct hd_sm_watch watch;
  struct hd_sm_stats stats;
  uint64_t now;
  bool moved; /* something happened in the last clock */
  char error[256];
  struct wl_rng rng;
  bool resp_ready; /* resp_ready in this cycle */

  struct sm_warp warp[HD_MOST(sm, warps)];
  uint64_t ready[UNITS], unit_free[UNITS];
  /* Warps that do not run, or whose next instruction reads or writes a register that a load in flight brings. */
  uint64_t wait_mem;
  uint64_t next_load;     /* warps whose next instruction is a load */
  uint64_t next_mem;      /* warps whose next instruction uses the L1D */
  uint64_t awake;         /* warps that run and do not wait at a barrier */
  uint64_t exiting;       /* warps that ended in the last clock */
  struct hd_loops *loops; /* with APCM's protection of lines; else NULL */
  uint64_t free_at[UNITS][HD_MOST(sm, schedulers)],
      next_free;         /* the first cycle of `free_at` in which a busy unit gets free, or UINT64_MAX */
  uint64_t hungry;       /* warps whose instruction buffer is empty */
  int fetching;          /* the warp whose instructions arrive in the next cycle, or SM_NONE */
  unsigned last_fetched; /* the warp that was served last */
  uint64_t sched_warps[HD_MOST(sm, schedulers)];
  uint64_t shared_free; /* the shared memory is free from this cycle on */
  unsigned alu_cycles;  /* cycles that a warp occupies an ALU */
  uint16_t all_slots;   /* the set of all memory slots of a warp */
  uint64_t waiting;     /* warps that have issued a barrier and have not arrived at it yet */
  /* With MemSched: warps with a request that may not have reached the L1D yet (D-SM-13). */
  uint64_t unsent;
  struct sm_lsu lsu[HD_MOST(sm, schedulers)];
  unsigned lsu_count; /* instructions in all LSU queues */
  int offered;        /* the LSU queue whose head is at the issue port, or SM_NONE */
  bool offer_is_new;  /* its payload has not been driven yet */
  unsigned last_lsu;  /* the queue offered last */
  struct sm_pipe pipe[PIPES];
  unsigned filled;      /* bit p: pipe p is not empty */
  uint64_t next_result; /* the least `at` of all pipes, or UINT64_MAX */

  const struct wl_launch *launch;
  unsigned launch_number;                   /* launches that have begun */
  uint32_t free_ctas, used_ctas;            /* CTA slots of the launch */
  struct sm_given given[HD_MOST(sm, ctas)]; /* a ring, in order of `at` */
  unsigned given_head, n_given;
  uint64_t next_start;  /* first cycle in which another CTA may take a slot */
  bool first, flushing; /* no CTA of the launch has taken a slot yet; `flush` is 1 in this cycle */
  /* If the launch's first CTA is announced in this cycle, the CTAs that start here at first; else 0. */
  unsigned kernel_ctas;
  uint64_t los_seed;
  bool starved; /* a CTA was passed to its end, and no CTA was left to follow */
  struct sm_pass pass[HD_MOST(sm, warps)];
  /* Instructions that each warp slot issued or passed, added up over its CTAs. */
  uint64_t went[HD_MOST(sm, warps)];
  unsigned residents;            /* warps that have started and not ended */
  uint64_t counted_at;           /* the cycle up to which stats.warp_cycles counts them */
  uint64_t fails, were_ready;    /* the last argument of hd_sm_count_ready; the warps that were ready then */
  struct hd_store_bytes *stores; /* see hd_sm_tell_stores */
  bool tells_changes;            /* see hd_sm_tell_changes */
  int starting;                  /* CTA slot announced in this cycle, or SM_NONE */
  struct sm_cta cta[HD_MOST(sm, ctas)];
  /* Only with `wait_mem`: registers that memory instructions in flight will write. */
  uint64_t loading[HD_MOST(sm, warps)];
  struct sm_bytes bytes[HD_MOST(sm, warps)][HD_MOST(sm, loads)];
};

static inline uint64_t sm_bit(unsigned n) {
  return UINT64_C(1) << n;
}

/* The cycle in which the next CTA that the SM was given takes a slot. UINT64_MAX: no CTA waits. */
static inline uint64_t sm_next_cta(const struct hd_sm *sm) {
  return sm->n_given ? sm->given[sm->given_head].at : UINT64_MAX;
}

static inline uint64_t sm_reg_bit(int8_t reg) {
  return reg < 0 ? 0 : sm_bit((unsigned)reg);
}

/* The warp slots of a CTA slot. */
static inline uint64_t sm_cta_warps(const struct hd_sm *sm, unsigned slot) {
  const unsigned n = sm->launch->warps_per_cta;
  return (UINT64_MAX >> (64 - n)) << (slot * n);
}

/* Call it before `residents` changes. */
static inline void sm_count_residents(struct hd_sm *sm) {
  sm->stats.warp_cycles += sm->residents * (sm->now - sm->counted_at);
  sm->counted_at = sm->now;
}

/* Sets `i` to the warp's next instruction, without its addresses. */
static inline void sm_next_but_addresses(const struct sm_warp *w, struct wl_inst *i) {
  i->op = (enum wl_op)w->op;
  i->pc = w->pc;
  i->active = w->active;
  i->dst = w->dst;
  i->kind = w->kind;
  i->size = w->size;
  i->src = w->src;
}

/* Sets `i` to the warp's next instruction, with its addresses. */
static inline void sm_next(const struct hd_sm *sm, const struct sm_warp *w, struct wl_inst *i) {
  sm_next_but_addresses(w, i);
  sm->ops->locate(w->stream, i);
}

/* warps.c */
void hd_sm_refresh(struct hd_sm *sm, unsigned wid); /* as sm_refresh */
void hd_sm_fetch(struct hd_sm *sm, unsigned wid);   /* as sm_fetch */
/* Warps of `waiting` whose requests are all in the L1D arrive at their barriers. */
void hd_sm_barriers(struct hd_sm *sm, const struct sm_mem_out *out);
/* Removes from `unsent` the warps whose requests have all reached the L1D. */
void hd_sm_sent(struct hd_sm *sm, const struct sm_mem_out *out);
/* Returns the passes of a shared-memory access: how often its banks are read or written. Lanes that want different words of one bank take
 * turns. */
unsigned hd_sm_passes(const struct hd_sm *sm, const struct wl_inst *i);
/* Keeps the value of which the stored bytes will be a hash, and the bytes' places in the line. */
void hd_sm_keep_store(struct hd_sm *sm, const struct sm_warp *w, const struct wl_inst *i,
                      struct sm_bytes *bytes);
/* Tells `loops` that the warp has gone from the instruction at `pc` to its next instruction. */
void hd_sm_follow(struct hd_sm *sm, unsigned wid, uint32_t pc);

/* dispatch.c */
/* Opens the stream of a warp of a CTA that is new on the SM. Returns NULL after hd_sm_fail if it can't be opened. */
void *hd_sm_open_warp(struct hd_sm *sm, uint32_t cta, unsigned i);
unsigned hd_sm_join(struct hd_sm *sm); /* joins the grid; returns the SM's number */
void hd_sm_dispatch(struct hd_sm *sm); /* starts the announced CTA, and lets the next one take a slot */

/* Notes an error of the workload. Only the first one is kept. */
void hd_sm_fail(struct hd_sm *sm, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
