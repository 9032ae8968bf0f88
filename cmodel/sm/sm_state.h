/* The inside of the SM, shared by the files that are it: sm_cycle.h and sm.c (ports and clock), sm_issue.h (what issues, and results),
 * sm_warps.h and warps.c (which may issue, barriers, ends), dispatch.c (launches and CTAs) and forward.c. Nobody else
 * includes this but the lazy run, by sm_cycle.h.
 *
 * Invariant: after every clock, `ready[u]` says which warps' next instruction may issue as far as they go, if
 * unit u of their scheduler is free, and `unit_free[u]` for which warps it is; both are brought up to date when
 * something happens, never by looking at all warps. So are `awake`, and where a module hears them, `wait_mem`, `next_load` and
 * `next_mem`.
 *
 * Inlined: with calls instead, heddle sim executes 0.9 % more instructions (gpu/loscache on gemm:tiny). */
#ifndef HEDDLE_CMODEL_SM_SM_STATE_H
#define HEDDLE_CMODEL_SM_SM_STATE_H

#include "cmodel/sm/grid.h"
#include "cmodel/sm/loops.h"
#include "cmodel/sm/sm.h"

#include "workloads/rng.h"

enum { SM_MAX_PASSES = 4 * WL_LANES }; /* words a shared-memory access may want */
enum { SM_NONE = -1 };

/* A memory instruction in flight. */
struct sm_slot {
  bool write;
  int8_t dst;
  uint8_t answered, requests; /* requests: 0 until the last one has been answered */
  uint32_t pc;
  uint64_t issued; /* cycle */
};

/* The bytes it stores, in runs with data. */
struct sm_bytes {
  uint8_t size;
  uint8_t offset[WL_LANES]; /* of each active lane's element in its line */
  uint64_t content;         /* what the stored bytes are a hash of */
};

enum sm_phase { SM_ABSENT, SM_STARTING, SM_RUNNING, SM_WAITING /* at a barrier */ };

/* What a warp slot is to pass (cmodel/sm/forward.h), and where it is on its way. */
struct sm_pass {
  int64_t goal, left;    /* instructions; left: < 0 where it went on to `home` */
  uint32_t home;         /* pc of the instruction at which it began */
  int64_t since, period; /* instructions since it was there; between the last two times; 0: not known */
  bool there;            /* it passes no more */
};

/* Warps of all SMs fill the host's caches: all but the slots is in one line. The next instruction is here without its addresses,
 * which its stream gives when it issues (sm_next). */
struct sm_warp {
  _Alignas(64) uint64_t need, pending; /* registers the next instruction reads or writes; registers awaited */
  void *stream;
  uint64_t src; /* of the next instruction, as in wl_inst, and so are these: */
  uint32_t pc, active;
  uint8_t op, size, kind;
  int8_t dst;
  uint8_t phase;                  /* enum sm_phase */
  uint8_t unit;                   /* ready[unit] may have the warp's bit */
  uint8_t buffered;               /* instructions in its buffer, if there are buffers */
  uint8_t queued;                 /* instructions in an LSU queue */
  uint16_t free_slots, in_flight; /* in_flight: instructions */
  uint8_t cta, place;             /* CTA slot; number in the CTA */
  uint64_t seq;                   /* memory instructions issued */
  struct sm_slot slot[HD_MOST(sm, loads)];
};

struct sm_cta {
  uint32_t id;
  unsigned live, arrived; /* warps that have not ended; of them, at the barrier with nothing left to order */
  unsigned epoch;         /* barriers passed */
};

/* The LSU queue of a scheduler: the memory instructions that it issued, until the coalescer takes them. A ring. */
struct sm_lsu {
  unsigned head, count;
  struct sm_lsu_entry {
    bool write;
    uint8_t op;
    unsigned wid, slot, sig;
    uint64_t changes;       /* not 0: as coalescer_cycle asks; and of `line` the rest says nothing */
    uint32_t mask, pc, low; /* pc: its low sm.pc_bits; low: byte offset in its line of the lowest lane */
    uint64_t line[WL_LANES], sector[WL_LANES]; /* sector: where requests carry them */
  } entry[HD_MOST(sm, lsu_queue)];
};

/* Results on their way, in the order in which they come. */
struct sm_pipe {
  uint64_t next;                       /* `at` of the first; UINT64_MAX: there is none */
  unsigned latency, head, count, size; /* size: a power of two that they never fill */
  struct sm_result {
    uint64_t at; /* first cycle in which a dependent instruction may issue */
    uint8_t wid;
    int8_t dst;
  } * ring;
};
enum { PIPE_ALU, PIPE_SFU, PIPE_SHARED, PIPE_CONST, PIPE_TEX, PIPE_RETURN, PIPES };

/* What an instruction waits for besides registers: a unit of its scheduler. A unit is free from cycle `free_at` on. */
enum { UNIT_NONE, UNIT_ALU, UNIT_SFU, UNIT_SHARED, UNIT_LSU /* a place in its queue */, UNITS };

/* A CTA that the dispatcher gave: it takes a slot in cycle `at`. */
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
  bool resp_ready; /* this cycle */

  struct sm_warp warp[HD_MOST(sm, warps)];
  uint64_t ready[UNITS], unit_free[UNITS];
  uint64_t wait_mem;      /* warps that do not run, or whose next instruction wants what a load brings */
  uint64_t next_load;     /* those that are to load, */
  uint64_t next_mem;      /* those that are to use the L1D */
  uint64_t awake;         /* warps that run and do not wait at a barrier */
  uint64_t exiting;       /* warps that ended in the last clock */
  struct hd_loops *loops; /* APCM that protects lines; else NULL */
  uint64_t free_at[UNITS][HD_MOST(sm, schedulers)],
      next_free;         /* units that are not free; the least of it, or UINT64_MAX */
  uint64_t hungry;       /* warps whose instruction buffer is empty */
  int fetching;          /* the warp whose instructions are there in the next cycle, or SM_NONE */
  unsigned last_fetched; /* warp */
  uint64_t sched_warps[HD_MOST(sm, schedulers)];
  uint64_t shared_free; /* cycle from which on the shared memory is */
  unsigned alu_cycles;  /* a warp takes in an ALU */
  uint16_t all_slots;   /* memory slots of a warp */
  uint64_t waiting;     /* warps at a barrier with requests that are still to be ordered */
  uint64_t unsent;      /* MemSched: warps of which a request may still be before the L1D (D-SM-13) */
  struct sm_lsu lsu[HD_MOST(sm, schedulers)];
  unsigned lsu_count; /* in all */
  int offered;        /* the queue at the issue port, or SM_NONE */
  bool offer_is_new;  /* its payload has not been driven yet */
  unsigned last_lsu;  /* the queue offered last */
  struct sm_pipe pipe[PIPES];
  unsigned filled;      /* bit p: pipe p has a result */
  uint64_t next_result; /* the least `at` in the pipes, or UINT64_MAX */

  const struct wl_launch *launch;
  unsigned launch_number;                   /* launches begun */
  uint32_t free_ctas, used_ctas;            /* CTA slots of the launch */
  struct sm_given given[HD_MOST(sm, ctas)]; /* a ring, in order of `at` */
  unsigned given_head, n_given;
  uint64_t next_start;  /* first cycle in which another CTA may take a slot */
  bool first, flushing; /* no CTA of the launch has taken a slot; the first one is announced in this cycle */
  unsigned kernel_ctas; /* if so: the CTAs that start here at first; else 0 */
  uint64_t los_seed;
  bool starved; /* a CTA was passed to its end, and there was none to follow */
  struct sm_pass pass[HD_MOST(sm, warps)];
  /* Instructions that a slot issued or passed, of one CTA after the other. */
  uint64_t went[HD_MOST(sm, warps)];
  unsigned residents;            /* warps that have started and not ended */
  uint64_t counted_at;           /* the cycle up to which stats.warp_cycles counts them */
  uint64_t fails, were_ready;    /* told last by hd_sm_count_ready; the warps that were ready then */
  struct hd_store_bytes *stores; /* hd_sm_tell_stores */
  bool tells_changes;            /* hd_sm_tell_changes */
  int starting;                  /* CTA slot announced in this cycle, or SM_NONE */
  struct sm_cta cta[HD_MOST(sm, ctas)];
  /* With `wait_mem`: registers that memory instructions in flight will write. */
  uint64_t loading[HD_MOST(sm, warps)];
  struct sm_bytes bytes[HD_MOST(sm, warps)][HD_MOST(sm, loads)];
};

static inline uint64_t sm_bit(unsigned n) {
  return UINT64_C(1) << n;
}

/* The cycle in which the next CTA it was given takes a slot; UINT64_MAX: there is none. */
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

/* Before `residents` changes. */
static inline void sm_count_residents(struct hd_sm *sm) {
  sm->stats.warp_cycles += sm->residents * (sm->now - sm->counted_at);
  sm->counted_at = sm->now;
}

/* The warp's next instruction but for its addresses, */
static inline void sm_next_but_addresses(const struct sm_warp *w, struct wl_inst *i) {
  i->op = (enum wl_op)w->op;
  i->pc = w->pc;
  i->active = w->active;
  i->dst = w->dst;
  i->kind = w->kind;
  i->size = w->size;
  i->src = w->src;
}

/* and with them. */
static inline void sm_next(const struct hd_sm *sm, const struct sm_warp *w, struct wl_inst *i) {
  sm_next_but_addresses(w, i);
  sm->ops->locate(w->stream, i);
}

/* warps.c */
void hd_sm_refresh(struct hd_sm *sm, unsigned wid); /* as sm_refresh */
void hd_sm_fetch(struct hd_sm *sm, unsigned wid);   /* as sm_fetch */
void hd_sm_barriers(struct hd_sm *sm, const struct sm_mem_out *out);
void hd_sm_sent(struct hd_sm *sm, const struct sm_mem_out *out); /* which of `unsent` no longer are */
/* How often the banks of the shared memory are read or written for an access: lanes that want different words of one
 * bank take turns. */
unsigned hd_sm_passes(const struct hd_sm *sm, const struct wl_inst *i);
/* Keeps what the stored bytes will be a hash of, and where they go. */
void hd_sm_keep_store(struct hd_sm *sm, const struct sm_warp *w, const struct wl_inst *i,
                      struct sm_bytes *bytes);
/* The warp's next instruction comes after the one at `pc`. */
void hd_sm_follow(struct hd_sm *sm, unsigned wid, uint32_t pc);

/* dispatch.c */
/* The stream of a warp of a CTA that is new on the SM; NULL: it can't be opened, which hd_sm_fail has said. */
void *hd_sm_open_warp(struct hd_sm *sm, uint32_t cta, unsigned i);
unsigned hd_sm_join(struct hd_sm *sm); /* the grid; its number */
void hd_sm_dispatch(struct hd_sm *sm); /* what happens to CTAs in a clock */

/* Notes what is wrong with the workload; the first time counts. */
void hd_sm_fail(struct hd_sm *sm, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
