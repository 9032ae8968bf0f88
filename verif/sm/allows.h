/* What a mechanism allows sm_mem to do, for the scoreboard: of each room that says something, hd_allows_<room> in
 * verif/<room>/allows.c.
 *
 * Invariant: an answer depends on the configuration and on its arguments alone. */
#ifndef HEDDLE_VERIF_SM_ALLOWS_H
#define HEDDLE_VERIF_SM_ALLOWS_H

#include "arch/declaration/modules.h"

/* Asked of request k of a load of n lines, in lane order. */
typedef bool hd_of_load(const struct hd_config *c, const uint64_t *line, unsigned n, unsigned k);

struct hd_allows {
  bool (*there)(const struct hd_config *c); /* in this machine */
  bool (*enabled)(const struct sm_mem_in *in);
  /* NULL: never. From the first cycle on in which it is enabled: */
  hd_of_load *bypasses; /* the request may bypass the L1D */
  bool (*fetches)(const struct hd_config *c,
                  uint64_t line); /* a line may be fetched that no load waits for */
  /* While it is enabled: */
  hd_of_load *excludes;                        /* the request surely bypasses the L1D */
  bool (*protects)(const struct hd_config *c); /* but for what this one keeps there */
};

#endif
