/* Everything behind the memory ports of the SMs of a GPU (memory.kind: l2): interconnect, L2 banks, DRAM channels.
 * Environment, not hardware. Spec: docs/gpu.md.
 *
 * Times are core cycles. SMs and memory system run separately. What an SM hands over in cycle t, the memory system
 * sees from t + icnt.latency on. What leaves the memory system in cycle t, the SM sees from t + icnt.latency on.
 * Between two calls of hd_memsys_exchange neither side knows what the other has done since the first call. So several
 * threads may run them at the same time, each SM by one thread. If all SMs have run up to cycle T (not included) at
 * an exchange, the memory system may then run up to T + icnt.latency. If the memory system has run up to T, so may
 * each SM.
 *
 * Invariant: the results do not depend on how often and how far the memory system is run at a time, nor on which side
 * runs first. */
#ifndef HEDDLE_CMODEL_MEMORY_MEMSYS_H
#define HEDDLE_CMODEL_MEMORY_MEMSYS_H

#include "cmodel/memory/bank.h"
#include "workloads/stream.h"

struct hd_memsys;

/* Makes the memory system for gpu.sms SMs. `no_skip`: every cycle is run, for tests; the results are the same. NULL:
 * no memory. */
struct hd_memsys *hd_memsys_new(const struct hd_design *design, bool no_skip);
void hd_memsys_free(struct hd_memsys *ms);

/* Tells each side what the other has done. Call it while neither side runs. */
void hd_memsys_exchange(struct hd_memsys *ms);
/* Call these before SM `sm` runs, and before an exchange. The host prefetches the data that other cores have written,
 * all at the same time. They change no state. */
void hd_memsys_expect(const struct hd_memsys *ms, unsigned sm);
void hd_memsys_expect_all(const struct hd_memsys *ms);
/* Returns the flag that hd_memsys_exchange sets when the memory system has news for SM `sm`. The SM's side clears it. */
bool *hd_memsys_news(const struct hd_memsys *ms, unsigned sm);

/* Returns the first cycle in which SM `sm` may hand over its next request. UINT64_MAX: not known before the next
 * exchange. */
uint64_t hd_memsys_ready(const struct hd_memsys *ms, unsigned sm);
/* SM `sm` hands over a request in cycle `at`, which must be at or after hd_memsys_ready. */
void hd_memsys_send(struct hd_memsys *ms, unsigned sm, uint64_t at, const struct sreq *q);

/* Returns the oldest answer that SM `sm` has not taken, with the first cycle in which it is at the SM's port. NULL:
 * no answer is known yet. Valid until the next hd_memsys_take. */
struct hd_memsys_answer {
  uint64_t at;
  struct srsp rsp;
};
const struct hd_memsys_answer *hd_memsys_answer(const struct hd_memsys *ms, unsigned sm);
/* SM `sm` takes that answer in cycle `at`. */
void hd_memsys_take(struct hd_memsys *ms, unsigned sm, uint64_t at);

/* The facts that the byte mask of a store's request would show. */
struct hd_store_bytes {
  /* bytes: the smallest of 32, 64, 128, ... such that an aligned block of that size holds all that the store writes */
  uint16_t segment;
  uint8_t full; /* 1: every byte of the line is written; else 0 */
};
/* Returns the table in which the SM describes each store in flight: element (warp * HD_MOST(sm, loads) + memory slot)
 * * WL_LANES + number of the request. NULL: not needed (no LoSCache, and packets with whole lines). */
struct hd_store_bytes *hd_memsys_stores(struct hd_memsys *ms, unsigned sm);

/* Sets an observer of a bank (cmodel/memory/bank.h). Call it before anything is run. Returns false if memory runs out. */
bool hd_memsys_watch(struct hd_memsys *ms, unsigned bank, const struct hd_bank_watch *watch);

/* Sets the observer of the requests that banks decide. Call it before anything is run. `accesses` must outlive the
 * memory system. */
void hd_memsys_set_accesses(struct hd_memsys *ms, const struct hd_access_watch *accesses);

/* Puts the line, or this sector of it (0 if L2 lines come whole), into its L2 bank as if it had been accessed,
 * without simulating time. A line in flight stays in flight. Nothing is counted or written back. Lines of the L2 must
 * not sleep. */
void hd_memsys_warm(struct hd_memsys *ms, uint64_t line, unsigned sector, bool store);

/* Runs everything before cycle `until`. */
void hd_memsys_run(struct hd_memsys *ms, uint64_t until);

/* Returns the cycle before which nothing happens in the memory system if no SM has done anything since the last run.
 * UINT64_MAX: nothing is in flight. */
uint64_t hd_memsys_next(const struct hd_memsys *ms);
bool hd_memsys_idle(
    const struct hd_memsys *ms); /* true: every request is answered, nothing is being written back */

struct hd_memsys_stats {
  uint64_t up_packets, up_flits, down_packets, down_flits; /* interconnect, to and from L2 */
  uint64_t up_waits, down_waits;    /* icnt cycles that packets waited in the crossbar before they moved */
  struct hd_bank_stats l2;          /* sums of all banks */
  uint64_t dram_reads, dram_writes; /* lines; or sectors, with `l2.fill: sectors` */
  uint64_t dram_row_hits, dram_activates;
  uint64_t dram_busy, dram_cycles;  /* command cycles, of all channels: with the data bus in use; in all */
  uint64_t read_bytes, write_bytes; /* line bytes to SMs; from SMs */
  uint64_t reads, writes;           /* requests of SMs answered, without queries */
};
/* Up to date after hd_memsys_run. */
const struct hd_memsys_stats *hd_memsys_stats(struct hd_memsys *ms);

#endif
