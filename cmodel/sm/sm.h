/* The SM around its memory path: warps that run instruction streams, scoreboard, barriers, CTA dispatch, LSU.
 *
 * It drives the SM side of sm_mem (ready, launch, issue, st_*, resp). It does not know whether the golden sm_mem or RTL answers. Call in
 * every cycle, as in cmodel/model/models.h: sm_mem_moore, hd_sm_drive, `drive` of the memory (hd_port_ops), sm_mem_mealy, hd_sm_clock,
 * the memory's `clock`, sm_mem_tick.
 *
 * Invariant: each warp consumes its instruction stream (workloads/stream.h) in program order. An instruction issues only when no register
 * that it reads or writes is awaited (true dependences, and one writer at a time). */
#ifndef HEDDLE_CMODEL_SM_SM_H
#define HEDDLE_CMODEL_SM_SM_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "workloads/stream.h"

struct hd_grid; /* cmodel/sm/grid.h */
struct hd_sm;
struct hd_store_bytes; /* cmodel/memory/memsys.h */

struct hd_sm_options {
  bool data;     /* stores bring bytes (st_data, st_mask) */
  bool hesitate; /* resp_ready is dropped at random (verification). false: resp_ready is always 1. */
  uint64_t seed; /* of the random drops and of the stored bytes */
};

/* One memory instruction, as observers see it (verif/sm/scoreboard.c). Valid during the call. */
struct hd_sm_mem_inst {
  unsigned wid, slot;
  uint32_t cta, warp_in_cta; /* of the current launch */
  const struct wl_inst *inst;
  uint64_t seq;   /* program order: counts the memory instructions of its warp, from 0 */
  unsigned epoch; /* barriers its CTA has passed before it */
};
struct hd_sm_watch {
  void *ctx;
  void (*launch)(void *ctx, const struct wl_launch *launch,
                 unsigned n); /* kernel n starts; no instruction is in flight */
  void (*issue)(void *ctx, const struct hd_sm_mem_inst *mi); /* its scheduler has picked it */
  void (*done)(void *ctx, unsigned wid, unsigned slot);      /* all its requests are answered */
  void (*barrier)(void *ctx, unsigned cta_slot);             /* a CTA passes a barrier */
  void (*cta_start)(void *ctx, unsigned cta_slot, uint32_t cta);
  void (*cta_end)(void *ctx, unsigned cta_slot);
};

struct hd_sm_stats {
  uint64_t cycles, instructions; /* warp instructions issued, WL_EXIT not counted */
  uint64_t thread_instructions;  /* their active lanes */
  uint64_t loads, stores, barriers, ctas, launches;
  /* Resident warps, summed over cycles up to the last start of a CTA or end of a warp. */
  uint64_t warp_cycles;
  uint64_t load_latency_sum,
      load_requests;         /* issue to answer, of each load request; the mean latency is sum / requests */
  uint64_t store_requests;   /* answered */
  uint64_t shared_conflicts; /* cycles that shared-memory accesses took longer because lanes met in a bank */
  uint64_t ready_in_fails;   /* ready warps, summed over cycles in which the L1D fails (hd_sm_count_ready) */
};

/* Makes the next SM of the grid. The grid must outlive it. `watch` may be NULL, and so may each of its functions. Returns NULL if memory
 * has run out, or if the grid already has all its SMs. */
struct hd_sm *hd_sm_new(const struct hd_config *c, struct hd_grid *grid, const struct hd_sm_options *options,
                        const struct hd_sm_watch *watch);
void hd_sm_free(struct hd_sm *sm);
/* The SM writes here what the lanes of each store request write, numbered as in hd_memsys_stores. NULL: it writes this nowhere. */
void hd_sm_tell_stores(struct hd_sm *sm, struct hd_store_bytes *stores);

/* From now on the SM may give only the lanes at which a memory instruction's line changes, instead of all lines (sm_changes). It does so
 * for callers that use sm_changes, if the addresses are one stride apart. It never does so if requests carry sectors. */
void hd_sm_tell_changes(struct hd_sm *sm);

/* `in` must be the same struct in every cycle: fields that are unchanged or not valid are not written again. */
void hd_sm_drive(struct hd_sm *sm, const struct sm_mem_out *out, struct sm_mem_in *in);
void hd_sm_clock(struct hd_sm *sm, const struct sm_mem_in *in, const struct sm_mem_out *out);

/* Counts ready warps over cycles in which the L1D fails. Call it after the clock of a cycle. `fails`: cycles so far, this one included,
 * in which a request failed in the L1D (l1d_fails). For each of these since the last call, it adds the warps that were ready after that
 * call. The SM must not have been clocked between the last call and this clock. *Ready* here: the warp waits for no register and no
 * instruction, at most for a unit. */
void hd_sm_count_ready(struct hd_sm *sm, uint64_t fails);

/* The pc of the memory instruction that is in flight in this slot of the warp. */
uint32_t hd_sm_pc(const struct hd_sm *sm, unsigned wid, unsigned slot);

/* True if all launches are over and no instruction is in flight. */
bool hd_sm_done(const struct hd_sm *sm);
/* Returns NULL, or what is wrong with the workload: a launch does not fit (hd_grid_error), active lanes are beyond sm.lanes, or addresses
 * are wider than sm.addr_bits. hd_sm_done is then true. */
const char *hd_sm_error(const struct hd_sm *sm);
/* True if memory has run out: the run's results are then wrong. */
bool hd_sm_no_memory(const struct hd_sm *sm);
const struct hd_sm_stats *hd_sm_stats(const struct hd_sm *sm);

/* Skips `cycles` cycles in which nothing happens in the SM. */
void hd_sm_skip(struct hd_sm *sm, uint64_t cycles);

#endif
