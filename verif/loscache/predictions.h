/* LoSCache's part of sm_mem's memory port: the predictions part of the scoreboard. predictions.c has the rule. */
#ifndef HEDDLE_VERIF_LOSCACHE_PREDICTIONS_H
#define HEDDLE_VERIF_LOSCACHE_PREDICTIONS_H

#include "arch/declaration/modules.h"

struct hd_predictions;
/* `storm`: as in struct hd_env_job. Returns NULL if out of memory. */
struct hd_predictions *hd_predictions_new(const struct hd_config *c, bool storm);
void hd_predictions_free(struct hd_predictions *p);

/* The next three functions return NULL, or the error (valid until the next call).
 * The memory port takes a request that is not a query. `pc`: the program counter of its instruction; NULL if it is not known. */
const char *hd_predictions_sent(struct hd_predictions *p, const struct sreq *q, const uint64_t *pc);
/* The memory's answer to a query is taken. */
const char *hd_predictions_answered(struct hd_predictions *p, const struct srsp *a);
/* Call it at the end of every cycle, after the others. */
const char *hd_predictions_clock(struct hd_predictions *p, const struct sm_mem_in *in,
                                 const struct sm_mem_out *out);

unsigned hd_predictions_inside(const struct hd_predictions *p); /* queries that are not answered */
uint64_t hd_predictions_checked(const struct hd_predictions *p);

#endif
