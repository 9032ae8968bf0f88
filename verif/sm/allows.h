/* Tells the scoreboard what a mechanism allows sm_mem to do. A room that allows something defines hd_allows_<room> in
 * verif/<room>/allows.c.
 *
 * Invariant: an answer depends only on the configuration and on the arguments. */
#ifndef HEDDLE_VERIF_SM_ALLOWS_H
#define HEDDLE_VERIF_SM_ALLOWS_H

#include "arch/declaration/modules.h"

/* A question about request k of a load of n lines; the lines are in lane order. */
typedef bool hd_of_load(const struct hd_config *c, const uint64_t *line, unsigned n, unsigned k);

struct hd_allows {
  bool (*there)(const struct hd_config *c); /* this machine has the mechanism */
  bool (*enabled)(const struct sm_mem_in *in);
  /* NULL means never. From the first cycle on in which the mechanism is enabled: */
  hd_of_load *bypasses; /* the request may bypass the L1D */
  bool (*fetches)(const struct hd_config *c,
                  uint64_t line); /* the line may be fetched although no load waits for it */
  /* While the mechanism is enabled: */
  hd_of_load *excludes;                        /* the request always bypasses the L1D */
  bool (*protects)(const struct hd_config *c); /* exception to `excludes`: the lines that it keeps */
};

#endif
