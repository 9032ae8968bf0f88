/* Reuse-frequency tables that several SMs share (rft.sharers > 1), in runs of the whole GPU: SM s uses table s /
 * sharers. An eviction reaches the table rft.latency cycles after it is at the SM's port. All SMs of the table see
 * its new output at once.
 *
 * Invariant: because of this latency SMs may run rft.latency cycles ahead of the tables, one by one and in any order.
 * They see what they would see if all ran in step. */
#ifndef HEDDLE_CMODEL_LASC_SHARED_RFT_H
#define HEDDLE_CMODEL_LASC_SHARED_RFT_H

#include "cmodel/step/lazy.h"

struct hd_shared_rft;
struct hd_rft_port; /* an SM's port to its table */

/* Returns NULL if memory runs out. */
struct hd_shared_rft *hd_shared_rft_new(const struct hd_design *design);
void hd_shared_rft_free(struct hd_shared_rft *s);
struct hd_rft_port *hd_shared_rft_port(struct hd_shared_rft *s, unsigned sm);

/* Runs the tables up to cycle `until`, which is at most rft.latency cycles ahead of all SMs. */
void hd_shared_rft_run(struct hd_shared_rft *s, uint64_t until);

/* Returns rft_bypass in this cycle. The tables must have been run up to it. */
uint64_t hd_rft_port_bypass(const struct hd_rft_port *p, uint64_t cycle);
/* Send an eviction (evict_valid, with hash and counter), or a flush, of this cycle. An SM's cycles never decrease. */
void hd_rft_port_evicted(struct hd_rft_port *p, uint64_t cycle, uint64_t hpc, uint64_t count);
void hd_rft_port_flushed(struct hd_rft_port *p, uint64_t cycle);

/* The port of an SM, as a model outside of sm_mem in a lazy run (cmodel/step/lazy.h). */
extern const struct hd_outside hd_rft_port_outside;

/* True if memory has run out: messages are lost. */
bool hd_shared_rft_no_memory(const struct hd_shared_rft *s);

/* Adds the tables' event counts to `ev`, which has EV_rft_count_ elements. */
void hd_shared_rft_events(const struct hd_shared_rft *s, uint64_t *ev);

#endif
