/* Checks the outcome of a load, a prefetch or a fill, as OUTCOME reports it; see l1d_checker.h. */
#ifndef HEDDLE_VERIF_L1D_L1D_CHECKER_LOAD_H
#define HEDDLE_VERIF_L1D_L1D_CHECKER_LOAD_H

#include "verif/l1d/l1d_checker_joining.h"

/* Records whether the load may bring its line, and whether it bypasses. */
void hd_l1d_settle(struct record *rec, bool cacheable, bool past);

/* Told all: checks the outcome of load `number` of e->trial. Returns false if it is wrong. */
bool hd_l1d_check_decided(struct l1d_env *e, unsigned number, const struct l1d_out *out);
/* Not told all: checks what is known of the load. Returns NULL, or the error. */
const char *hd_l1d_check_some(struct l1d_env *e, const struct trial *t, const struct l1d_out *out);

/* Told all, in a cycle without a decided load: a tag is written; no tag is written. Return NULL, or the error. */
const char *hd_l1d_check_write(struct l1d_env *e, const struct l1d_out *out);
const char *hd_l1d_check_no_write(const struct l1d_env *e);

#endif
