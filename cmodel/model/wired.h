/* The golden model of a module that is nothing but instances, by its wiring as it is at run time: for drop-ins, of which no C is
 * made when the program is built.
 *
 * Invariant: a wire has the value that its expression has in this cycle.
 */
#ifndef HEDDLE_CMODEL_MODEL_WIRED_H
#define HEDDLE_CMODEL_MODEL_WIRED_H

#include "arch/wires/wires.h"
#include "cmodel/model/models.h"

/* Element e of an expression, in a model with the wiring that the expression is of, and its inputs. */
uint64_t hd_wired_value(const struct hd_model *m, const void *in, const struct hd_wire_expr *x, unsigned e);

/* Of any declaration: of a module by its name, of a drop-in by its wiring. */
const struct hd_model_ops *hd_model_ops_of(const struct hd_decl *decl);

#endif
