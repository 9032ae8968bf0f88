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
 * any. LAZY_CASC, if there, sleeps and wakes with LAZY_COALESCER, with whose instructions APCM's ids are given; the L1D's
 * attachments and the tables of CASC, LASC and APCM tick with LAZY_L1D, that of LoSCache, and what withholds
 * warps, with LAZY_SCHED. */
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
enum { LAZY_PORTS = 12 };

struct hd_rft_port; /* cmodel/lasc/shared_rft.h */

struct hd_lazy {
  struct sm_mem *m;
  struct hd_sm *sm;
  struct hd_port *memory;
  struct sm_mem_in *in;
  struct sm_mem_out *out;
  uint64_t now;                              /* cycles run */
  uint64_t sm_until, memory_until;           /* cycle from which on they must be up to date; or UINT64_MAX */
  unsigned awake;                            /* bit p: part p is */
  unsigned ports;                            /* what they show */
  unsigned char takes_part[1 << LAZY_PORTS]; /* the parts that do if these ports meet */
  bool done;                                 /* the SM is */
  bool company;                              /* of the L1D: MemSched, MASCAR, attachments */
  bool hooked;                               /* attachments */
  unsigned tells, every;   /* LAWS or a prefetcher hears of loads' first requests; of every one */
  bool limited;            /* warps are withheld from the scheduler by which are awake */
  bool learns, tables;     /* APCM's tables would move though they hear nothing; so would CASC's and LASC's */
  struct hd_rft_port *rft; /* the shared one, if it is shared: NULL, or set after hd_lazy_init */
  struct hd_lazy_part {
    uint64_t *ev;    /* its event counts */
    uint64_t since;  /* asleep: cycle up to which it has run, not included */
    uint64_t events; /* asleep: which happen in each cycle since */
    uint64_t times;  /* how often */
  } part[LAZY_SM];   /* the modules */
};

/* All of a run that starts; nothing of it has seen a cycle yet. */
void hd_lazy_init(struct hd_lazy *l, struct sm_mem *m, struct hd_sm *sm, struct hd_port *memory,
                  struct sm_mem_in *in, struct sm_mem_out *out);

/* Runs up to cycle `limit`, or the end of the workload. */
void hd_lazy_run(struct hd_lazy *l, uint64_t limit);

/* Between two runs: the memory, or what the dispatcher gave to the SM, may have changed. */
void hd_lazy_look(struct hd_lazy *l);

/* Brings everything up to date; once, at the end. */
void hd_lazy_settle(struct hd_lazy *l);

#endif
