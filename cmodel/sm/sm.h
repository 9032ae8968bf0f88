/* The SM around its memory path: warps that run instruction streams, scoreboard, barriers, CTA dispatch, LSU.
 *
 * It drives the SM side of sm_mem (ready, launch, issue, st_*, resp) and knows nothing of who answers: the
 * golden sm_mem, or RTL. Usage, every cycle, as cmodel/model/models.h: sm_mem_moore, hd_sm_drive, `drive` of
 * the memory (hd_port_ops), sm_mem_mealy, hd_sm_clock, the memory's `clock`, sm_mem_tick.
 *
 * Invariant: the instruction streams (workloads/stream.h) are consumed in program order per warp, and an
 * instruction issues only when no register it reads or writes is awaited (true dependences, and one writer at
 * a time).
 */
#ifndef HEDDLE_CMODEL_SM_SM_H
#define HEDDLE_CMODEL_SM_SM_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "workloads/stream.h"

struct hd_grid; /* cmodel/sm/grid.h */
struct hd_sm;
struct hd_store_bytes; /* cmodel/memory/memsys.h */

struct hd_sm_options {
  bool data;     /* stores bring bytes (st_data, st_mask), loads are handed to `loaded` */
  bool hesitate; /* resp_ready is dropped at random (verification); false: always ready */
  uint64_t seed; /* of that and of the stored bytes */
};

/* One memory instruction, for who watches (verif/sm/scoreboard.c). Valid during the call. */
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
  void (*issue)(void *ctx, const struct hd_sm_mem_inst *mi); /* picked by its scheduler */
  void (*done)(void *ctx, unsigned wid, unsigned slot);      /* all its requests are answered */
  void (*barrier)(void *ctx, unsigned cta_slot);             /* a CTA passes a barrier */
  void (*cta_start)(void *ctx, unsigned cta_slot, uint32_t cta);
  void (*cta_end)(void *ctx, unsigned cta_slot);
};

struct hd_sm_stats {
  uint64_t cycles, instructions; /* warp instructions issued, WL_EXIT not counted */
  uint64_t thread_instructions;  /* their active lanes */
  uint64_t loads, stores, barriers, ctas, launches;
  uint64_t warp_cycles; /* each warp from its CTA's start to its own end, up to the last of either */
  uint64_t load_latency_sum,
      load_requests;         /* issue to answer, per load request: mean latency = sum / requests */
  uint64_t store_requests;   /* answered */
  uint64_t shared_conflicts; /* cycles that shared-memory accesses took because lanes met in a bank */
  uint64_t ready_in_fails;   /* hd_sm_count_ready: ready warps, added up over cycles in which the L1D fails */
};

/* The next SM of the grid, which must outlive it. `watch` may be NULL, and so may each of its functions. NULL: out of
 * memory, or the grid has all its SMs. */
struct hd_sm *hd_sm_new(const struct hd_config *c, struct hd_grid *grid, const struct hd_sm_options *options,
                        const struct hd_sm_watch *watch);
void hd_sm_free(struct hd_sm *sm);
/* Where it is to say of each request of its stores, as hd_memsys_stores numbers them, what its lanes write. NULL: nowhere. */
void hd_sm_tell_stores(struct hd_sm *sm, struct hd_store_bytes *stores);

/* From now on it says where the lines of a memory instruction change, if they are one stride apart, and not each of them, to who asks
 * for that (sm_changes). Where each request carries sectors it does not. */
void hd_sm_tell_changes(struct hd_sm *sm);

/* The cycle in which the next CTA it was given takes a slot; UINT64_MAX: there is none. */
uint64_t hd_sm_next_cta(const struct hd_sm *sm);

/* `in` is the same struct in every cycle: what is unchanged or not valid is not written again. */
void hd_sm_drive(struct hd_sm *sm, const struct sm_mem_out *out, struct sm_mem_in *in);
void hd_sm_clock(struct hd_sm *sm, const struct sm_mem_in *in, const struct sm_mem_out *out);

/* After the clock of a cycle: in `fails` cycles up to then, itself included, a request failed in the L1D (l1d_fails). Of those since the
 * last call, between which and this clock it was not clocked, it counts the warps that were ready: that wait for no register and no
 * instruction, at most for a unit. */
void hd_sm_count_ready(struct hd_sm *sm, uint64_t fails);

/* The pc of the memory instruction that is in flight in this slot of a warp. */
uint32_t hd_sm_pc(const struct hd_sm *sm, unsigned wid, unsigned slot);

/* All launches are over, no instruction is in flight. */
bool hd_sm_done(const struct hd_sm *sm);
/* NULL, or what is wrong with the workload: a launch does not fit (hd_grid_error), lanes are wider than the SM's, or
 * addresses wider than sm.addr_bits (then hd_sm_done is true). */
const char *hd_sm_error(const struct hd_sm *sm);
/* Memory has run out: the run is not what it should be. */
bool hd_sm_no_memory(const struct hd_sm *sm);
const struct hd_sm_stats *hd_sm_stats(const struct hd_sm *sm);

/* So many cycles pass in which nothing happens here. */
void hd_sm_skip(struct hd_sm *sm, uint64_t cycles);

#endif
