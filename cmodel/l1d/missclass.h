/* Why loads miss: compulsory, capacity or conflict, and which warp, store or prefetch caused the miss.
 *
 * The classifier is told of every L1D access in order. For each line that was ever loaded or prefetched it keeps the
 * warp, store or prefetch that is to blame for the line's next miss. It also keeps a fully associative LRU cache of
 * as many lines as the L1D has (the shadow). The shadow sees the same accesses as the L1D: every load allocates in
 * it, bypassed loads too, and a store to a line evicts the line. */
#ifndef HEDDLE_CMODEL_L1D_MISSCLASS_H
#define HEDDLE_CMODEL_L1D_MISSCLASS_H

#include <stdbool.h>
#include <stdint.h>

/* How many loads had used a replaced line, including the load that brought it. */
enum hd_uses { HD_USED_ONCE, HD_USED_TWICE, HD_USED_TO_4, HD_USED_TO_8, HD_USED_MORE, HD_USES };

/* Loads that missed (allocated, or bypassed), by reason and by who took the line away (Choo §3.2.1). docs/sm.md
 * defines the classes. compulsory + capacity + conflict = misses + bypasses, and intra_warp + cross_warp +
 * cross_block + write_evict + prefetch = capacity + conflict. */
struct hd_miss_classes {
  uint64_t compulsory, capacity, conflict;
  uint64_t intra_warp, cross_warp, cross_block, write_evict, prefetch;
  uint64_t prefetch_early; /* loads of a line that had been prefetched and evicted unused */
};

struct hd_missclass;

struct hd_missclass *hd_missclass_new(unsigned lines); /* `lines`: those of the shadow. NULL: no memory */
void hd_missclass_free(struct hd_missclass *mc);

/* Returns one number that identifies a warp in the whole run. */
uint64_t hd_missclass_warp(uint32_t launch, uint32_t cta, uint32_t warp_in_cta);

/* A load was decided (a merge into a miss in flight is no miss). A miss is classified. Then its warp is to blame for
 * the line's next miss, until another warp, a store or a prefetch takes the line away: a bypassed line never enters
 * the cache, and a line in flight may have no merge slot left. */
void hd_missclass_load(struct hd_missclass *mc, uint64_t line, uint64_t warp, bool miss);
/* A store to the line was decided. */
void hd_missclass_store(struct hd_missclass *mc, uint64_t line);
/* The line left the cache. hd_missclass_replaced: a line of `warp`, or a prefetched line (warp HD_PREFETCHED),
 * replaced it. hd_missclass_written: a store evicted it, now or when its fill comes. */
#define HD_PREFETCHED (UINT64_MAX - 2)
void hd_missclass_replaced(struct hd_missclass *mc, uint64_t line, uint64_t warp);
void hd_missclass_written(struct hd_missclass *mc, uint64_t line);
/* A prefetched line left the cache before any load hit it. The next load of the line counts as prefetch_early. */
void hd_missclass_lost(struct hd_missclass *mc, uint64_t line);

const struct hd_miss_classes *hd_missclass_counts(struct hd_missclass *mc);
/* True if memory has run out: the counts are incomplete. */
bool hd_missclass_no_memory(struct hd_missclass *mc);

#endif
