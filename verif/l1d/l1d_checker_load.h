/* What became of a load, a prefetch or a fill, by OUTCOME; see l1d_checker.h. */
#ifndef HEDDLE_VERIF_L1D_L1D_CHECKER_LOAD_H
#define HEDDLE_VERIF_L1D_L1D_CHECKER_LOAD_H

#include "verif/l1d/l1d_checker_joining.h"

/* Whether the load may bring its line, and whether it goes on uncached. */
void hd_l1d_settle(struct record *rec, bool cacheable, bool past);

/* Told all: what became of a load of those that are not known to be decided; false: it is wrong. */
bool hd_l1d_check_decided(struct l1d_env *e, unsigned number, const struct l1d_out *out);
/* Told less: what is known of the load; NULL, or what is wrong with it. */
const char *hd_l1d_check_some(struct l1d_env *e, const struct trial *t, const struct l1d_out *out);

/* Told all, and no load is decided: a tag is written, or none; NULL, or what is wrong with it. */
const char *hd_l1d_check_write(struct l1d_env *e, const struct l1d_out *out);
const char *hd_l1d_check_no_write(const struct l1d_env *e);

#endif
