/* A requester of APB4 for the environments, and what it knows of the control registers (docs/mechanisms/apb.md): it reads and
 * writes at random, registers that there are and others, with idle cycles or without, and checks each answer.
 *
 * Invariant: it keeps the protocol; what it expects follows from its own transfers and from what it is told of each cycle.
 */
#ifndef HEDDLE_VERIF_APB_APB_REQUESTER_H
#define HEDDLE_VERIF_APB_APB_REQUESTER_H

#include "verif/harness/env_common.h"

enum { HD_APB_COUNTERS = 32 };
/* Counters by their places in the map. */
enum {
  HD_APB_CYCLES,
  HD_APB_INSTRUCTIONS,
  HD_APB_ISSUES,
  HD_APB_ISSUE_WAITS,
  HD_APB_LOADS,
  HD_APB_HITS,
  HD_APB_MERGES,
  HD_APB_MISSES,
  HD_APB_BYPASSES,
  HD_APB_EVICTIONS,
  HD_APB_READS,
  HD_APB_WRITES,
  HD_APB_MEMORY_WAITS,
  HD_APB_PREFETCHES,
  HD_APB_PREFETCH_HITS,
  HD_APB_PREFETCH_MERGES,
  HD_APB_QUERIES
};
/* Those of which an SM shows at its ports what they count. */
#define HD_APB_SEEN                                                                                          \
  (UINT64_C(1) << HD_APB_CYCLES | UINT64_C(1) << HD_APB_INSTRUCTIONS | UINT64_C(1) << HD_APB_ISSUES |        \
   UINT64_C(1) << HD_APB_ISSUE_WAITS | UINT64_C(1) << HD_APB_READS | UINT64_C(1) << HD_APB_WRITES |          \
   UINT64_C(1) << HD_APB_MEMORY_WAITS | UINT64_C(1) << HD_APB_PREFETCH_HITS |                                \
   UINT64_C(1) << HD_APB_PREFETCH_MERGES | UINT64_C(1) << HD_APB_QUERIES)

/* Of these, what it shows at the memory's port. */
#define HD_APB_AT_MEMORY                                                                                     \
  (UINT64_C(1) << HD_APB_READS | UINT64_C(1) << HD_APB_WRITES | UINT64_C(1) << HD_APB_MEMORY_WAITS |         \
   UINT64_C(1) << HD_APB_QUERIES)

struct hd_apb_inputs {
  uint64_t *psel, *penable, *paddr, *pwrite, *pwdata, *pstrb;
};
#define HD_APB_INPUTS(in)                                                                                    \
  &(const struct hd_apb_inputs) {                                                                            \
    &(in)->s_apb_psel, &(in)->s_apb_penable, &(in)->s_apb_paddr, &(in)->s_apb_pwrite, &(in)->s_apb_pwdata,   \
        &(in)->s_apb_pstrb                                                                                   \
  }
struct hd_apb_outputs {
  uint64_t pready, prdata, pslverr;
};
#define HD_APB_OUTPUTS(out)                                                                                  \
  &(const struct hd_apb_outputs) {                                                                           \
    (out)->s_apb_pready, (out)->s_apb_prdata, (out)->s_apb_pslverr                                           \
  }

/* What happens in a cycle beside APB. Counters by their places in the map. */
struct hd_apb_cycle {
  bool flush;
  unsigned instructions;
  uint64_t events; /* bit i: counter i counts it */
};

struct hd_apb_requester {
  struct hd_env_base *p;
  struct { /* the mood */
    unsigned begin, writes, wild;
  } m;
  uint64_t known;         /* bit i: it is told what counter i counts; the others may say anything */
  uint64_t fixed, values; /* bits of enable that are never changed, and what they are */
  enum { HD_APB_IDLE, HD_APB_SETUP, HD_APB_WAIT, HD_APB_END } state;
  uint64_t address, wdata, strb;
  bool write;
  struct { /* what the answer is to be */
    bool error, any;
    uint64_t rdata;
  } due;
  /* the registers */
  uint64_t there, enable, active; /* enables, by their bits of the map */
  uint64_t counters, count[HD_APB_COUNTERS], high, scratch;
  bool freeze, clear, high_known;
  struct hd_apb_cycle last;
};

void hd_apb_open(struct hd_apb_requester *r, struct hd_env_base *p);
/* Inside an SM: it is told of these counters alone, and leaves alone the enables that change at rest only. */
void hd_apb_fix(struct hd_apb_requester *r, uint64_t known);
/* A new mood. */
void hd_apb_mood(struct hd_apb_requester *r);
/* Drives APB. */
void hd_apb_drive(struct hd_apb_requester *r, const struct hd_apb_inputs *in);
/* The clock edge. False: something is wrong, and is said. *moved: a transfer ended. */
bool hd_apb_clock(struct hd_apb_requester *r, const struct hd_apb_outputs *out,
                  const struct hd_apb_cycle *cycle, bool *moved);
/* No transfer goes on. */
bool hd_apb_is_idle(const struct hd_apb_requester *r);

#endif
