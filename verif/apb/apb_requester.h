/* A requester of APB4 for the environments, and what it knows of the control registers (docs/mechanisms/apb.md): it reads and
 * writes at random, registers that there are and others, with idle cycles or without, and checks each answer.
 *
 * Invariant: it keeps the protocol; what it expects follows from its own transfers and from what it is told of each cycle.
 */
#ifndef HEDDLE_VERIF_APB_APB_REQUESTER_H
#define HEDDLE_VERIF_APB_APB_REQUESTER_H

#include "arch/config/enables.h"
#include "verif/harness/env_common.h"

/* Thresholds by their places in the map, HD_APB_swl_limit, ... */
enum {
#define ROW(name, width, reset, least, most, of) HD_APB_##name,
  HD_THRESHOLDS(ROW)
#undef ROW
      HD_APB_THRESHOLDS
};

/* Counters by their places in the map, HD_APB_cycles, HD_APB_instructions, ... */
#define ROW(field, width) HD_APB_##field,
enum {
#include "verif/apb/counters.h"
  HD_APB_COUNTERS = 32 /* that there may be */
};
/* Those of which an SM shows at its ports what they count. */
#define HD_APB_SEEN                                                                                          \
  (UINT64_C(1) << HD_APB_cycles | UINT64_C(1) << HD_APB_instructions | UINT64_C(1) << HD_APB_issues |        \
   UINT64_C(1) << HD_APB_issue_waits | UINT64_C(1) << HD_APB_reads | UINT64_C(1) << HD_APB_writes |          \
   UINT64_C(1) << HD_APB_memory_waits | UINT64_C(1) << HD_APB_prefetch_hits |                                \
   UINT64_C(1) << HD_APB_prefetch_merges | UINT64_C(1) << HD_APB_queries)

/* Of these, what it shows at the memory's port. */
#define HD_APB_AT_MEMORY                                                                                     \
  (UINT64_C(1) << HD_APB_reads | UINT64_C(1) << HD_APB_writes | UINT64_C(1) << HD_APB_memory_waits |         \
   UINT64_C(1) << HD_APB_queries)

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
  uint64_t known; /* bit i: it is told what counter i counts; the others may say anything */
  enum { HD_APB_IDLE, HD_APB_SETUP, HD_APB_WAIT, HD_APB_END } state;
  uint64_t address, wdata, strb;
  bool write;
  struct { /* what the answer is to be */
    bool error, any;
    uint64_t rdata;
  } due;
  /* the registers */
  uint64_t there, enable, active; /* enables, by their bits of the map */
  struct {
    uint64_t now, least, most; /* most 0: it is not there */
  } threshold[HD_APB_THRESHOLDS];
  uint64_t counters, count[HD_APB_COUNTERS], high, scratch;
  bool freeze, clear, high_known;
  struct hd_apb_cycle last;
};

void hd_apb_open(struct hd_apb_requester *r, struct hd_env_base *p);
/* Inside an SM: it is told of these counters alone. */
void hd_apb_know(struct hd_apb_requester *r, uint64_t known);
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
