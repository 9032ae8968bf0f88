/* Free sizes of a proof's machine: they can be smaller than the configuration keys allow.
 *
 * Invariant: only sizes that the module's declaration calls free are changed. The module's text does not depend on them
 * (docs/architecture.md).
 */
#ifndef HEDDLE_VERIF_PROVE_SIZES_H
#define HEDDLE_VERIF_PROVE_SIZES_H

#include "arch/declaration/declaration.h"
#include "base/run.h"

/* Sets *c to the design's configuration with `n` sizes "NAME=VALUE", and with the sizes that follow from them. The first `own` come from
 * the module's properties, which are for any machine: one that is not free in this machine keeps its value, such as WORDS in an L1D with
 * sectors in its lines. Returns HD_INPUT if another name is no free size, or a value is below the least. */
enum hd_rc hd_proof_sizes(const struct hd_design *design, const char *module, const char *const *given,
                          size_t n, size_t own, struct hd_config *c, struct hd_why *why);

#endif
