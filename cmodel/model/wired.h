/* The golden model of a module that consists of instances alone, interpreted from its wiring at run time. It serves drop-ins, for which
 * the build makes no C.
 *
 * Invariant: a wire has the value that its expression has in this cycle. */
#ifndef HEDDLE_CMODEL_MODEL_WIRED_H
#define HEDDLE_CMODEL_MODEL_WIRED_H

#include "arch/wires/wires.h"
#include "cmodel/model/models.h"

/* Returns element e of the expression `x` of m's wiring. `in`: the inputs of m. */
uint64_t hd_wired_value(const struct hd_model *m, const void *in, const struct hd_wire_expr *x, unsigned e);

/* Returns the functions of any declaration: a module's by its name, a drop-in's by its wiring. */
const struct hd_model_ops *hd_model_ops_of(const struct hd_decl *decl);

#endif
