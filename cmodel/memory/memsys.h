/* Everything behind the memory ports of the SMs of a GPU (memory.kind: l2): interconnect, L2 banks, DRAM channels.
 * Environment, not hardware. docs/gpu.md says what it does; it is written from that page.
 *
 * Times are core cycles. SMs and this are run apart: what an SM hands over in cycle t is seen here from t + icnt.latency on, and
 * what leaves here in cycle t is seen by the SM from t + icnt.latency on. Between two calls of hd_memsys_exchange neither knows what
 * the other has done since the first, and they may be run by several threads at a time, each SM by one. So, with all SMs
 * run up to cycle T (not included) at an exchange, this may be run up to T + icnt.latency after it; and with this run up to T, each
 * SM.
 *
 * Invariant: what happens does not depend on how often and how far it is run at a time, nor on what runs first.
 */
#ifndef HEDDLE_CMODEL_MEMORY_MEMSYS_H
#define HEDDLE_CMODEL_MEMORY_MEMSYS_H

#include "cmodel/memory/bank.h"
#include "workloads/stream.h"

struct hd_memsys;

/* For gpu.sms SMs. `no_skip`: every cycle is run, for tests; the same happens. NULL: out of memory. */
struct hd_memsys *hd_memsys_new(const struct hd_design *design, bool no_skip);
void hd_memsys_free(struct hd_memsys *ms);

/* What SMs and memory system have done is known to the other side from now on. While none of them runs. */
void hd_memsys_exchange(struct hd_memsys *ms);
/* SM `sm` is about to be run; there is about to be an exchange: what other cores of the host have had is fetched from there, all at the
 * same time. Changes nothing. */
void hd_memsys_expect(const struct hd_memsys *ms, unsigned sm);
void hd_memsys_expect_all(const struct hd_memsys *ms);
/* Where they say if they have told SM `sm` something, until that is cleared. */
bool *hd_memsys_news(const struct hd_memsys *ms, unsigned sm);

/* The first cycle in which SM `sm` may hand over its next request; UINT64_MAX: not known yet, and not before what is
 * known (see above). */
uint64_t hd_memsys_ready(const struct hd_memsys *ms, unsigned sm);
/* SM `sm` hands over a request in cycle `at`, at or after hd_memsys_ready. */
void hd_memsys_send(struct hd_memsys *ms, unsigned sm, uint64_t at, const struct sreq *q);

/* The oldest answer that SM `sm` has not taken: the first cycle in which it is at its port, and the answer. NULL: none is
 * known yet. Valid until the next hd_memsys_take. */
struct hd_memsys_answer {
  uint64_t at;
  struct srsp rsp;
};
const struct hd_memsys_answer *hd_memsys_answer(const struct hd_memsys *ms, unsigned sm);
/* SM `sm` takes it in cycle `at`. */
void hd_memsys_take(struct hd_memsys *ms, unsigned sm, uint64_t at);

/* Of a request of a store, what its byte mask would say. */
struct hd_store_bytes {
  uint16_t
      segment;  /* bytes: 32, or the smallest power of two times as many, that hold aligned what it writes */
  uint8_t full; /* 1: every byte of the line is written; else 0 */
};
/* Where the SM says it of each store in flight: element (warp * HD_MOST(sm, loads) + memory slot) * WL_LANES + number of the
 * request. NULL: nothing asks (no LoSCache, and packets with whole lines). */
struct hd_store_bytes *hd_memsys_stores(struct hd_memsys *ms, unsigned sm);

/* Before anything is run: an observer of a bank (cmodel/memory/bank.h). False: out of memory. */
bool hd_memsys_watch(struct hd_memsys *ms, unsigned bank, const struct hd_bank_watch *watch);

/* Before anything is run: `accesses`, which must stay, hears of the requests that banks decide. */
void hd_memsys_set_accesses(struct hd_memsys *ms, const struct hd_access_watch *accesses);

/* Without time: the line, or this sector of it (0 where L2 lines come whole), is in its L2 bank from now on, as if it had been accessed,
 * unless it is in flight. Nothing is counted, and nothing is written back. Only where lines of the L2 do not sleep. */
void hd_memsys_warm(struct hd_memsys *ms, uint64_t line, unsigned sector, bool store);

/* Runs everything before cycle `until`. */
void hd_memsys_run(struct hd_memsys *ms, uint64_t until);

/* Nothing happens here before this cycle if no SM has done anything since the last run; UINT64_MAX: nothing is in flight. */
uint64_t hd_memsys_next(const struct hd_memsys *ms);
bool hd_memsys_idle(
    const struct hd_memsys *ms); /* no request is without its answer, nothing is being written back */

struct hd_memsys_stats {
  uint64_t up_packets, up_flits, down_packets, down_flits; /* interconnect, to and from L2 */
  uint64_t up_waits, down_waits;    /* icnt cycles in which a packet at the head of a queue did not move */
  struct hd_bank_stats l2;          /* of all banks */
  uint64_t dram_reads, dram_writes; /* lines, or with l2.fill: sectors sectors */
  uint64_t dram_row_hits, dram_activates;
  uint64_t dram_busy, dram_cycles;  /* command cycles: the data bus is in use; in all, of all channels */
  uint64_t read_bytes, write_bytes; /* line bytes to SMs, from SMs */
  uint64_t reads, writes;           /* requests of SMs answered, without queries */
};
/* Up to date after hd_memsys_run. */
const struct hd_memsys_stats *hd_memsys_stats(struct hd_memsys *ms);

#endif
