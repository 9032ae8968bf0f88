/* Memory requests as the caches decide them, for observers of a performance run.
 *
 * Invariant: the accesses of one cache come in the order of their cycles. Those of different caches do not, because
 * SMs and banks run separately. */
#ifndef HEDDLE_CMODEL_MEMORY_ACCESS_H
#define HEDDLE_CMODEL_MEMORY_ACCESS_H

#include <stdint.h>

enum hd_access_kind { HD_ACCESS_LOAD, HD_ACCESS_STORE, HD_ACCESS_PREFETCH };
/* PAST: the request goes on uncached (at an L1D every store does). */
enum hd_access_outcome { HD_ACCESS_HIT, HD_ACCESS_MERGE, HD_ACCESS_MISS, HD_ACCESS_PAST };

struct hd_access {
  uint64_t cycle, line; /* core cycle; line address */
  unsigned level, sm;   /* 1: the L1D of the SM; 2: the L2, for the SM */
  unsigned warp;        /* slot, of loads and stores at level 1; else 0 */
  uint32_t pc;          /* of the load or store, in its kernel; else 0 */
  const char *kernel;   /* level 1: the running kernel's name, valid during the call; else NULL */
  enum hd_access_kind kind;
  enum hd_access_outcome outcome;
};

struct hd_access_watch {
  void (*access)(void *user, const struct hd_access *access);
  void *user;
};

#endif
