/* What LoSCache adds to sm_mem's memory port: the predictions half of the scoreboard. The rule: predictions.c. */
#ifndef HEDDLE_VERIF_LOSCACHE_PREDICTIONS_H
#define HEDDLE_VERIF_LOSCACHE_PREDICTIONS_H

#include "arch/declaration/modules.h"

struct hd_predictions;
/* `storm`: of struct hd_env_job. NULL: out of memory. */
struct hd_predictions *hd_predictions_new(const struct hd_config *c, bool storm);
void hd_predictions_free(struct hd_predictions *p);

/* What follows gives NULL, or what is wrong (valid until the next call).
 * The memory port takes a request that is not a query, of an instruction at `pc`, if that is known (else NULL). */
const char *hd_predictions_sent(struct hd_predictions *p, const struct sreq *q, const uint64_t *pc);
/* The memory's answer to a query is taken. */
const char *hd_predictions_answered(struct hd_predictions *p, const struct srsp *a);
/* At the end of every cycle, after these. */
const char *hd_predictions_clock(struct hd_predictions *p, const struct sm_mem_in *in,
                                 const struct sm_mem_out *out);

unsigned hd_predictions_inside(const struct hd_predictions *p); /* queries that are not answered */
uint64_t hd_predictions_checked(const struct hd_predictions *p);

#endif
