/* Reuse-frequency tables that several SMs share (rft.sharers > 1), in runs of the whole GPU: SM s uses table s / sharers.
 * An eviction is at the table rft.latency cycles after it is at the SM's port; what the table then shows, all of its SMs
 * see at once.
 *
 * Invariant: since the way takes so long, SMs may be run rft.latency cycles beyond where the tables have been run, apart
 * and in any order, and see what they would see in step.
 */
#ifndef HEDDLE_CMODEL_LASC_SHARED_RFT_H
#define HEDDLE_CMODEL_LASC_SHARED_RFT_H

#include "cmodel/step/lazy.h"

struct hd_shared_rft;
struct hd_rft_port; /* an SM's end of it */

/* NULL: out of memory. */
struct hd_shared_rft *hd_shared_rft_new(const struct hd_design *design);
void hd_shared_rft_free(struct hd_shared_rft *s);
struct hd_rft_port *hd_shared_rft_port(struct hd_shared_rft *s, unsigned sm);

/* Runs the tables up to cycle `until`, at most rft.latency cycles beyond where all SMs are. */
void hd_shared_rft_run(struct hd_shared_rft *s, uint64_t until);

/* What rft_bypass is in this cycle, one up to which the tables have been run. */
uint64_t hd_rft_port_bypass(const struct hd_rft_port *p, uint64_t cycle);
/* evict_valid, with hash and counter, or a flush, in this cycle; an SM's cycles never decrease. */
void hd_rft_port_evicted(struct hd_rft_port *p, uint64_t cycle, uint64_t hpc, uint64_t count);
void hd_rft_port_flushed(struct hd_rft_port *p, uint64_t cycle);

/* An SM's end, as what stands outside of sm_mem in a lazy run (cmodel/step/lazy.h). */
extern const struct hd_outside hd_rft_port_outside;

/* Memory has run out: messages are missing. */
bool hd_shared_rft_no_memory(const struct hd_shared_rft *s);

/* The tables' event counts added up, EV_rft_count_ of them. */
void hd_shared_rft_events(const struct hd_shared_rft *s, uint64_t *ev);

#endif
