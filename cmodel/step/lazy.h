/* One SM run lazily, for performance runs: the SM, the memory and the modules of sm_mem each sleep while they
 * can change nothing but event counts, until a handshake or the clock wakes them; the events of the cycles
 * slept through are counted then. Line bytes are not carried.
 *
 * Invariant: in every cycle everything is as if all of it were run (cmodel/model/models.h says how), event counts,
 * times and statistics after hd_lazy_settle. A part may stay awake for nothing, never sleep through a change.
 */
#ifndef HEDDLE_CMODEL_STEP_LAZY_H
#define HEDDLE_CMODEL_STEP_LAZY_H

#include "cmodel/memory/memory_port.h"
#include "cmodel/sm/sm.h"

/* LAZY_SCHED: whichever scheduler is there; LAZY_BUFFER: whichever request buffer; LAZY_PREFETCH: whichever prefetcher, if
 * any. LAZY_CASC, if there, sleeps and wakes with LAZY_COALESCER. All other modules stand beside the first of a part, sleep and
 * wake with it, and hear in the cycles that their rows name (PART, HEARS; docs/connections.md). */
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

/* What stands outside of sm_mem beside the SM and the memory. It is asked in each cycle of the L1D: what it drives, and, of those
 * beside the L1D, what they said. */
struct hd_outside {
  void (*drive)(void *self, uint64_t now, struct sm_mem_in *in);
  void (*hear)(void *self, uint64_t now, const struct sm_mem_in *in, const struct sm_mem *m);
};

/* Of an instance with an ALONE row: the first cycle that it has not run, and that in which it ticks if nobody tells it anything
 * before; UINT64_MAX: none. */
struct hd_lazy_alone {
  uint64_t since, until;
};

/* Of those beside the first of a part, sets of their numbers in sm_mem. */
enum { LAZY_MOST_ALONE = 2 };
struct hd_lazy_busy {
  uint64_t moves; /* they hear and tick in any case */
  uint64_t ends;  /* they hear, so that what they say, or are told, ends, or is seen */
  uint64_t now;   /* where somebody has an ALONE row */
  struct hd_lazy_alone alone[LAZY_MOST_ALONE];
};

struct hd_lazy;
/* Code that runs it up to cycle `limit`, or the end of the workload; and whether it is made for the machine
 * (cmodel/step/run.c). */
struct hd_lazy_code {
  const char *name; /* of the machine of configs/, `/` as `_`; or "any" */
  bool (*fits)(const struct sm_mem *m);
  void (*run)(struct hd_lazy *l, uint64_t limit);
};

struct hd_lazy {
  struct sm_mem *m;
  struct hd_sm *sm;
  struct hd_port *memory;
  struct sm_mem_in *in;
  struct sm_mem_out *out;
  uint64_t now;                    /* cycles run */
  uint64_t sm_until, memory_until; /* cycle from which on they must be up to date; or UINT64_MAX */
  uint64_t alone_until;            /* cycle in which somebody who works alone ticks; or UINT64_MAX */
  unsigned awake;                  /* bit p: part p is */
  unsigned ports;                  /* what they show */
  bool orders;                     /* the SM looks at `busy` and `drained` */
  bool done;                       /* the SM is */
  const struct hd_lazy_code *code; /* what runs this machine */
  uint64_t there; /* the modules beside the first of their part, by their numbers in sm_mem */
  struct hd_lazy_busy busy[LAZY_SM];
  unsigned
      attachments_hear_for; /* bit n: those beside the L1D hear, n + 1 cycles from now, of what has happened */
  unsigned attachments_hear;        /* not 0: they hear in the next cycle */
  bool levels_heard;                /* a module hears a LEVEL of the L1D, or notices something, or follows */
  bool tries_pass;                  /* cycles may be passed in which loads are tried in vain */
  unsigned pulses_heard;            /* the pulses of the L1D that others hear */
  const struct hd_outside *outside; /* NULL, or set with `outside_user` after hd_lazy_init */
  void *outside_user;
  struct hd_lazy_part {
    uint64_t *ev;    /* its event counts */
    uint64_t since;  /* asleep: cycle up to which it has run, not included */
    uint64_t events; /* asleep: which happen in each cycle since */
    uint64_t times;  /* how often */
  } part[LAZY_SM];   /* the modules */
  uint64_t held,
      held_since; /* schedulers that sleep though they have ready warps, all withheld; counted up to this cycle */
  uint64_t heard[LAZY_SM];                /* beside the first of the part: those that heard in this cycle */
  unsigned char follows[1 << LAZY_PARTS]; /* the parts that do in the cycle after one of these did */
  unsigned char takes_part[1 << LAZY_MOST_PORTS]; /* the parts that do if these ports meet */
};

/* That for this machine. */
const struct hd_lazy_code *hd_lazy_code_for(const struct sm_mem *m);

/* All of a run that starts; nothing of it has seen a cycle yet. */
void hd_lazy_init(struct hd_lazy *l, struct sm_mem *m, struct hd_sm *sm, struct hd_port *memory,
                  struct sm_mem_in *in, struct sm_mem_out *out);

/* Runs up to cycle `limit`, or the end of the workload. */
void hd_lazy_run(struct hd_lazy *l, uint64_t limit);

/* Between two runs: what the dispatcher gave to the SM may have changed, and with `memory` what that will drive. */
void hd_lazy_look(struct hd_lazy *l, bool memory);

/* Between two runs, after hd_lazy_settle: the SM's warps have been forwarded (cmodel/sm/forward.h). */
void hd_lazy_forwarded(struct hd_lazy *l);

/* Between two runs, or at the end: brings event counts, times and statistics up to date. */
void hd_lazy_settle(struct hd_lazy *l);

#endif
