/* Free sizes of a proof's machine: smaller than its keys can say.
 *
 * Invariant: only a size that the module's declaration calls free is changed, for which its text is the same (docs/architecture.md).
 */
#ifndef HEDDLE_VERIF_PROVE_SIZES_H
#define HEDDLE_VERIF_PROVE_SIZES_H

#include "arch/declaration/declaration.h"
#include "base/run.h"

/* "NAME=VALUE", n of them, for a module of the design: *c is its configuration with them, and what follows from them. The first
 * `own` are the words of the module's properties, which are for any machine: one that is not free in this keeps its value, as
 * WORDS does in an L1D with sectors in its lines. HD_INPUT: no such free size, or a value below its least. */
enum hd_rc hd_proof_sizes(const struct hd_design *design, const char *module, const char *const *given,
                          size_t n, size_t own, struct hd_config *c, struct hd_why *why);

#endif
