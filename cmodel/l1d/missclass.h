/* Why loads miss: compulsory, capacity or conflict, and by whose doing.
 *
 * Told of every L1D access in order, it keeps for each line ever loaded or prefetched who is to blame for its next miss,
 * and a fully associative LRU cache of as many lines as the L1D has (the shadow). The shadow sees what the
 * L1D sees: every load allocates in it, bypassed ones too; a store to a line throws the line out.
 */
#ifndef HEDDLE_CMODEL_L1D_MISSCLASS_H
#define HEDDLE_CMODEL_L1D_MISSCLASS_H

#include <stdbool.h>
#include <stdint.h>

/* Of lines that are replaced: how many loads had used them, with the one that brought them. */
enum hd_uses { HD_USED_ONCE, HD_USED_TWICE, HD_USED_TO_4, HD_USED_TO_8, HD_USED_MORE, HD_USES };

/* Loads that missed (allocated, or bypassed), by why and by who took the line away (Choo §3.2.1); the classes
 * are defined in docs/sm.md. compulsory + capacity + conflict = misses + bypasses, and intra_warp + cross_warp
 * + cross_block + write_evict + prefetch = capacity + conflict. */
struct hd_miss_classes {
  uint64_t compulsory, capacity, conflict;
  uint64_t intra_warp, cross_warp, cross_block, write_evict, prefetch;
  uint64_t prefetch_early; /* loads that asked for a line which had been prefetched and evicted unused */
};

struct hd_missclass;

struct hd_missclass *hd_missclass_new(unsigned lines); /* in the shadow; NULL: no memory */
void hd_missclass_free(struct hd_missclass *mc);

/* A warp of the whole run, as one number. */
uint64_t hd_missclass_warp(uint32_t launch, uint32_t cta, uint32_t warp_in_cta);

/* A load was decided (a merge into a miss in flight is no miss). A miss is classified, and its warp is to blame for the next one until the
 * line is gone by another's doing: a bypassed line never enters the cache, and one in flight may lack a merge place. */
void hd_missclass_load(struct hd_missclass *mc, uint64_t line, uint64_t warp, bool miss);
/* A store to the line was decided. */
void hd_missclass_store(struct hd_missclass *mc, uint64_t line);
/* The line left the cache: replaced by a line of `warp`, or by a prefetched one (warp HD_PREFETCHED); or thrown out, now
 * or when its fill comes, by a store. */
#define HD_PREFETCHED (UINT64_MAX - 2)
void hd_missclass_replaced(struct hd_missclass *mc, uint64_t line, uint64_t warp);
void hd_missclass_written(struct hd_missclass *mc, uint64_t line);
/* A prefetched line left the cache before any load hit it: the next load of it finds it evicted early. */
void hd_missclass_lost(struct hd_missclass *mc, uint64_t line);

const struct hd_miss_classes *hd_missclass_counts(struct hd_missclass *mc);
/* Memory has run out: the counts are not whole. */
bool hd_missclass_no_memory(struct hd_missclass *mc);

#endif
