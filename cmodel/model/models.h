/* The golden models. All have the same functions.
 *
 * A cycle of module X:
 *   X_moore(m, out)      sets the outputs that depend on registers alone
 *   (the environment sets the inputs, from the outputs seen so far)
 *   X_mealy(m, in, out)  sets the MEALY outputs. It exists only where arch/declaration/modules.def says MODULE_MEALY.
 *   X_tick(m, in)        the clock edge: next state and events. It returns what the next cycle would do if no port
 *                        met (valid and ready). HD_MOVES: the cycle may change something. Otherwise the set of the
 *                        cycle's events (bit i: event i); all later cycles would then have the same events.
 * X_tick sets the LATE outputs: it writes m->late, and ticks of other modules read that later in the same cycle. X_tick gets the `in`
 * that X_mealy saw last. The exception is a module whose SEES rows name what each MEALY output depends on. There X_mealy leaves no notes
 * for X_tick, and it may have seen only those inputs, or not have been called. An input with an ASKED row is correct only in cycles in
 * which the register of that row is 1. X_moore and X_mealy change only `out`, notes for X_tick (`memo`) and, in a module with instances,
 * the wires between them (<inst>_in, <inst>_out). X_mealy and X_tick may rely on these.
 *
 * The models are written from docs/mechanisms/X.md, never from the Verilog. Invariant: no allocation and no global after hd_model_new;
 * every RAM's <name>_wr is -1 after a tick that did not write that RAM. */
#ifndef HEDDLE_CMODEL_MODEL_MODELS_H
#define HEDDLE_CMODEL_MODEL_MODELS_H

#include "arch/declaration/modules.h"
#include "cmodel/model/specialized.h"

#define HD_MOVES (UINT64_C(1) << 63)

/* The answer of X_tick in a module with an ALONE row (docs/connections.md). HD_ALONE_FOR(n): if the module is told nothing, it changes
 * only state that no other module sees in the next n cycles. Then it moves, unless n is UINT64_MAX. X_alone(m, in, cycles) runs up to
 * `cycles` of these cycles. It reads only the enable in `in`. */
#define HD_ALONE (UINT64_C(1) << 62)
#define HD_ALONE_FOR(n) ((n) == 0 ? HD_MOVES : (n) == UINT64_MAX ? 0 : HD_ALONE | (n))

#define MODULE_MOORE(X, room)                                                                                \
  void X##_moore(struct X *m, struct X##_out *out);                                                          \
  uint64_t X##_tick(struct X *m, const struct X##_in *in);
#define MODULE_MEALY(X, room)                                                                                \
  MODULE_MOORE(X, room)                                                                                      \
  void X##_mealy(struct X *m, const struct X##_in *in, struct X##_out *out);
#define MODEL_MOORE(X, room) MODULE_MOORE(X, room)
#define MODEL_MEALY(X, room) MODULE_MEALY(X, room)
#include "arch/declaration/modules.def"

/* The same functions as pointers, for code that walks over modules. `mealy` is NULL if the module has no MEALY outputs. */
struct hd_model_ops {
  const char *module;
  void (*moore)(void *m, void *out);
  void (*mealy)(void *m, const void *in, void *out);
  void (*tick)(void *m, const void *in);
};
const struct hd_model_ops *hd_model_ops(const char *module); /* Returns NULL if there is no such module. */

/* Returns a model (a struct X *) of a module of the design, with the models inside it. It is reset, and everything without a reset value
 * is 0. `data`: the model carries line bytes. `log` may be NULL. The models inside share it. Returns NULL if memory has run out or if
 * there is no such module. */
void *hd_model_new(const struct hd_design *design, const char *module, bool data, struct hd_log *log);
void hd_model_free(void *m);

/* A reset edge, also of the models inside: registers with a reset value take it, everything else keeps its value. The _wr of RAMs become
 * -1. */
void hd_model_reset(void *m);

#endif
