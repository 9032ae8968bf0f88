/* An APB4 requester for the environments, with a copy of the control registers (docs/mechanisms/apb.md). It reads and writes existing and
 * missing registers at random, with idle cycles or without, and checks each answer.
 *
 * Invariant: it keeps the protocol. The values that it expects follow from its own transfers and from the events of each cycle that the
 * environment gives it.
 */
#ifndef HEDDLE_VERIF_APB_APB_REQUESTER_H
#define HEDDLE_VERIF_APB_APB_REQUESTER_H

#include "arch/config/enables.h"
#include "verif/harness/env_common.h"

/* The numbers of the thresholds in the register map: HD_APB_swl_limit, ... */
enum {
#define ROW(name, width, reset, least, most, of) HD_APB_##name,
  HD_THRESHOLDS(ROW)
#undef ROW
      HD_APB_THRESHOLDS
};

/* The numbers of the counters in the register map: HD_APB_cycles, HD_APB_instructions, ... */
#define ROW(field, width) HD_APB_##field,
enum {
#include "verif/apb/counters.h"
  HD_APB_COUNTERS = 32 /* most counters of a map */
};
/* The counters whose events are visible at an SM's ports. */
#define HD_APB_SEEN                                                                                          \
  (UINT64_C(1) << HD_APB_cycles | UINT64_C(1) << HD_APB_instructions | UINT64_C(1) << HD_APB_issues |        \
   UINT64_C(1) << HD_APB_issue_waits | UINT64_C(1) << HD_APB_reads | UINT64_C(1) << HD_APB_writes |          \
   UINT64_C(1) << HD_APB_memory_waits | UINT64_C(1) << HD_APB_prefetch_hits |                                \
   UINT64_C(1) << HD_APB_prefetch_merges | UINT64_C(1) << HD_APB_queries)

/* Those of them whose events are visible at the memory's port. */
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

/* The events of a cycle. */
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
  uint64_t known; /* bit i: the requester gets the events of counter i; other counters may have any value */
  enum { HD_APB_IDLE, HD_APB_SETUP, HD_APB_WAIT, HD_APB_END } state;
  uint64_t address, wdata, strb;
  bool write;
  struct { /* the expected answer */
    bool error, any;
    uint64_t rdata;
  } due;
  /* the registers */
  uint64_t there, enable, active; /* enables, by their bits in the map */
  struct {
    uint64_t now, least, most; /* most 0: this machine does not have it */
  } threshold[HD_APB_THRESHOLDS];
  uint64_t counters, count[HD_APB_COUNTERS], high, scratch;
  bool freeze, clear, high_known;
  struct hd_apb_cycle last;
};

void hd_apb_open(struct hd_apb_requester *r, struct hd_env_base *p);
/* For an SM: the requester gets the events of these counters only. */
void hd_apb_know(struct hd_apb_requester *r, uint64_t known);
/* Draws a new mood. */
void hd_apb_mood(struct hd_apb_requester *r);
/* Drives the APB pins. */
void hd_apb_drive(struct hd_apb_requester *r, const struct hd_apb_inputs *in);
/* The clock edge. Returns false if a check failed; the environment's text says which. *moved: a transfer ended. */
bool hd_apb_clock(struct hd_apb_requester *r, const struct hd_apb_outputs *out,
                  const struct hd_apb_cycle *cycle, bool *moved);
/* Returns true if no transfer is in progress. */
bool hd_apb_is_idle(const struct hd_apb_requester *r);

#endif
