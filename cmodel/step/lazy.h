/* The lazy run of one SM, for performance runs. The SM, the memory and the modules of sm_mem each sleep while they can change nothing but
 * event counts. A handshake or the clock wakes them; the events of the cycles that they slept through are counted then. Line bytes are
 * not carried.
 *
 * Invariant: in every cycle everything is as if all of it were run (see cmodel/model/models.h). Event counts, times and statistics are
 * up to date after hd_lazy_settle. A part may be awake without need, but it never sleeps through a change. */
#ifndef HEDDLE_CMODEL_STEP_LAZY_H
#define HEDDLE_CMODEL_STEP_LAZY_H

#include "cmodel/memory/memory_port.h"
#include "cmodel/sm/sm.h"

/* The parts. LAZY_SCHED: the scheduler that the machine has. LAZY_BUFFER: its request buffer. LAZY_PREFETCH: its prefetcher, if it has
 * one. LAZY_CASC: CASC, if the machine has it; it sleeps and wakes with LAZY_COALESCER. All other modules stand *beside* the first module
 * of a part: they sleep and wake with it. They hear in the cycles that their rows name (PART, HEARS; docs/connections.md). */
enum hd_lazy_name {
  LAZY_SCHED,
  LAZY_COALESCER,
  LAZY_BUFFER,
  LAZY_L1D,
  LAZY_PREFETCH,
  LAZY_CASC,
  LAZY_SM,
  LAZY_MEMORY,
  LAZY_PARTS
};
enum { LAZY_MOST_PORTS = 14 };

/* What stands outside of sm_mem, besides the SM and the memory. In each cycle in which the L1D ticks, `drive` sets what it drives, and
 * `hear` reads what the modules beside the L1D said. */
struct hd_outside {
  void (*drive)(void *self, uint64_t now, struct sm_mem_in *in);
  void (*hear)(void *self, uint64_t now, const struct sm_mem_in *in, const struct sm_mem *m);
};

/* An instance with an ALONE row. `since`: the first cycle that it has not run. `until`: the cycle in which it ticks if nothing is told to
 * it before; UINT64_MAX: there is none. */
struct hd_lazy_alone {
  uint64_t since, until;
};

/* Sets of the modules beside the first of a part, by their numbers in sm_mem. */
enum { LAZY_MOST_ALONE = 2 };
struct hd_lazy_busy {
  uint64_t moves; /* they hear and tick in any case */
  uint64_t ends;  /* they hear, so that what they say or were told ends, or is seen */
  uint64_t now;   /* the cycle, if a module has an ALONE row */
  struct hd_lazy_alone alone[LAZY_MOST_ALONE];
};

struct hd_lazy;
/* Code that runs an SM lazily. `run`: runs up to cycle `limit`, or to the end of the workload. `fits`: true if the code is made for the
 * machine (cmodel/step/run.c). */
struct hd_lazy_code {
  const char *name; /* name of the machine in configs/, with `_` for `/`; or "any" */
  bool (*fits)(const struct sm_mem *m);
  void (*run)(struct hd_lazy *l, uint64_t limit);
};

struct hd_lazy {
  struct sm_mem *m;
  struct hd_sm *sm;
  struct hd_port *memory;
  struct sm_mem_in *in;
  struct sm_mem_out *out;
  uint64_t now;                    /* the next cycle to run */
  uint64_t sm_until, memory_until; /* the cycle in which each must run again; or UINT64_MAX */
  uint64_t alone_until;            /* the cycle in which an instance that works alone ticks; or UINT64_MAX */
  unsigned awake;                  /* bit p: part p is awake */
  unsigned ports;                  /* the valids and readies that parts show (lazy_names.h) */
  bool orders;                     /* the SM looks at `busy` and `drained` */
  bool done;                       /* the SM is done */
  const struct hd_lazy_code *code; /* the code that runs this machine */
  uint64_t there;                  /* modules beside the first of their part, by their numbers in sm_mem */
  struct hd_lazy_busy busy[LAZY_SM];
  /* Bit n: modules beside the L1D hear, n + 1 cycles from now, of what has happened. */
  unsigned attachments_hear_for;
  unsigned attachments_hear;        /* not 0: they hear in the next cycle */
  bool levels_heard;                /* a module hears a LEVEL of the L1D, notices something, or follows */
  bool tries_pass;                  /* cycles in which loads are tried in vain may be passed */
  unsigned pulses_heard;            /* the pulses of the L1D that other parts hear */
  const struct hd_outside *outside; /* NULL, or set with `outside_user` after hd_lazy_init */
  void *outside_user;
  struct hd_lazy_part {
    uint64_t *ev;    /* the part's event counts */
    uint64_t since;  /* while asleep: the first cycle that it has not run */
    uint64_t events; /* while asleep: the events that happen in each cycle since */
    uint64_t times;  /* how often each of them happens in a cycle */
  } part[LAZY_SM];   /* the modules */
  /* Schedulers that sleep although they have ready warps, all withheld; counted up to cycle held_since. */
  uint64_t held, held_since;
  uint64_t heard[LAZY_SM]; /* modules beside the first of the part that heard in this cycle */
  /* The parts that take part in the cycle after one of these parts did. */
  unsigned char follows[1 << LAZY_PARTS];
  unsigned char takes_part[1 << LAZY_MOST_PORTS]; /* the parts that take part if these ports meet */
};

/* Returns the code for this machine. */
const struct hd_lazy_code *hd_lazy_code_for(const struct sm_mem *m);

/* Sets up a run that starts. Nothing of it may have seen a cycle yet. */
void hd_lazy_init(struct hd_lazy *l, struct sm_mem *m, struct hd_sm *sm, struct hd_port *memory,
                  struct sm_mem_in *in, struct sm_mem_out *out);

/* Runs up to cycle `limit`, or to the end of the workload. */
void hd_lazy_run(struct hd_lazy *l, uint64_t limit);

/* Call it between two runs: the dispatcher may have given CTAs to the SM. `memory`: what the memory will drive may have changed too. */
void hd_lazy_look(struct hd_lazy *l, bool memory);

/* Call it between two runs, after hd_lazy_settle: the SM's warps have passed instructions (cmodel/sm/forward.h). */
void hd_lazy_forwarded(struct hd_lazy *l);

/* Call it between two runs, or at the end: it brings event counts, times and statistics up to date. */
void hd_lazy_settle(struct hd_lazy *l);

#endif
