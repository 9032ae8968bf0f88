/* The golden models, all with one shape.
 *
 * A cycle of module X:
 *   X_moore(m, out)      outputs that follow from the registers alone
 *   (inputs are set, from outputs seen so far)
 *   X_mealy(m, in, out)  the MEALY outputs; only where arch/declaration/modules.def says MODULE_MEALY
 *   X_tick(m, in)        the clock edge: next state; events. Answers what the next cycle would do if no port
 *                        met (valid and ready): HD_MOVES, it may change something; else the set of its events
 *                        (bit i: event i), which would be those of all that follow as well
 * LATE outputs are X_tick's: it writes m->late, and ticks of other modules read that later in the same cycle.
 * What X_tick sees in `in` is what X_mealy saw last; but where SEES rows name what each MEALY output depends on, X_mealy leaves
 * X_tick nothing, and may have seen those inputs alone, or not have been called. An input with an ASKED row is right only in
 * cycles in which its register is 1. X_moore and X_mealy change nothing but `out`, notes for X_tick
 * (`memo`) and, in a module with instances, the wires between them (<inst>_in, <inst>_out); X_mealy and X_tick may
 * rely on them.
 *
 * Written from docs/mechanisms/X.md, never from the Verilog. Invariant: no allocation and no global after
 * hd_model_new; every RAM's <name>_wr is -1 after a tick that did not write it.
 */
#ifndef HEDDLE_CMODEL_MODEL_MODELS_H
#define HEDDLE_CMODEL_MODEL_MODELS_H

#include "arch/declaration/modules.h"
#include "cmodel/model/specialized.h"

#define HD_MOVES (UINT64_C(1) << 63)

/* Of a module with an ALONE row (docs/connections.md) X_tick may answer HD_ALONE_FOR(n): in the n cycles that come it changes only what
 * nobody sees, if nobody tells it anything; then it moves, unless n is UINT64_MAX. X_alone(m, in, cycles) runs up to so many of these
 * cycles; of `in` it looks at the enable alone. */
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

/* The same, for who walks over modules. `mealy` is NULL where there is none. */
struct hd_model_ops {
  const char *module;
  void (*moore)(void *m, void *out);
  void (*mealy)(void *m, const void *in, void *out);
  void (*tick)(void *m, const void *in);
};
const struct hd_model_ops *hd_model_ops(const char *module); /* NULL: no such module */

/* A model (a struct X *) of a module of the design with the models inside it, reset, everything without a
 * reset value 0. `data`: line bytes are carried. `log` may be NULL, and is shared with the models inside.
 * NULL: out of memory or no such module. */
void *hd_model_new(const struct hd_design *design, const char *module, bool data, struct hd_log *log);
void hd_model_free(void *m);

/* What a reset edge does, inside as well: registers with a reset value take it, everything else keeps what it
 * holds; the _wr of RAMs become -1. */
void hd_model_reset(void *m);

#endif
