/* The C structs of every module of arch/declaration/modules.def, from its declaration.
 *
 * Inlined: with calls instead, heddle sim executes 0.3 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_ARCH_DECLARATION_MODULES_H
#define HEDDLE_ARCH_DECLARATION_MODULES_H

#include "arch/declaration/declaration.h"

#define FIELD(bundle, field, width, meaning) uint64_t field;
#define BUNDLE(name, meaning, fields)                                                                        \
  struct name {                                                                                              \
    fields                                                                                                   \
  };
#include "arch/declaration/bundles.def"
#undef FIELD
#undef BUNDLE

#define HD_EACH "arch/declaration/gen_structs.h"
#include "arch/each_module.h"

/* What a request of the L1D or of an SM is, or what an answer is to: `kind` of mreq and sreq, mrsp and srsp, l2req and
 * l2rsp. */
enum hd_kind { HD_FILL, HD_BYPASSED, HD_STORE, HD_QUERY };
/* A request's `op`: what it is if it is no load or store; from HD_ATOM_ADD on, what an atomic does (docs/mechanisms/l1d.md). */
enum hd_op {
  HD_PLAIN,
  HD_UNCACHED,
  HD_ATOM_ADD,
  HD_ATOM_EXCH,
  HD_ATOM_CAS,
  HD_ATOM_MIN,
  HD_ATOM_MAX,
  HD_ATOM_UMIN,
  HD_ATOM_UMAX,
  HD_ATOM_AND,
  HD_ATOM_OR,
  HD_ATOM_XOR,
  HD_ATOM_INC,
  HD_ATOM_DEC,
  HD_OPS
};

/* The answer brings a line. */
static inline bool hd_is_load(uint64_t kind) {
  return kind == HD_FILL || kind == HD_BYPASSED;
}

/* What an L2 slice tells of a line: `act` (docs/mechanisms/hooks.md, SLEEP). From HD_ACT_KEEP on the line sleeps after it. */
enum hd_act { HD_ACT_NONE, HD_ACT_COUNT, HD_ACT_WAKE, HD_ACT_KEEP, HD_ACT_COUNT_SLEEP, HD_ACT_SLEEP };

/* ---- What travels, from what it is of: most of its fields are the same ---- */

#define FIELD(bundle, field, width, meaning) .field = bundle->field,

/* A request as the coalescer makes it, on its way to the L1D: nothing has been decided of it. */
static inline struct req hd_request_of(const struct coalesced *r) {
  return (struct req){COALESCED(r)};
}
/* The L1D's request and answer as they travel; the prediction is the prediction table's. */
static inline struct sreq hd_sreq_of(const struct mreq *q, uint64_t pred) {
  return (struct sreq){.kind = q->kind, .line = q->line, .sectors = q->sectors, .pred = pred, L2_ECHO(q)};
}
static inline struct mrsp hd_mrsp_of(const struct srsp *a) {
  return (struct mrsp){.kind = a->kind,
                       .id = a->id,
                       .wid = a->wid,
                       .slot = a->slot,
                       .num = a->num,
                       .last = a->last,
                       .error = a->error};
}
/* The same at an L2 slice. */
static inline struct l2req hd_l2req_of(const struct sreq *q, unsigned sm) {
  return (struct l2req){.sm = sm, L2_REQUEST(q)};
}
static inline struct srsp hd_srsp_of(const struct l2rsp *a) {
  return (struct srsp){L2_REPLY(a)};
}
/* The answer to a request, but for what gating adds to it: an SM's, a slice's. */
static inline struct srsp hd_srsp_to(const struct sreq *q) {
  return (struct srsp){.kind = q->kind, L2_ECHO(q)};
}
static inline struct l2rsp hd_l2rsp_to(const struct l2req *q) {
  return (struct l2rsp){.sm = q->sm, .kind = q->kind, .sectors = q->sectors, L2_ECHO(q)};
}

#undef FIELD

#endif
