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

/* The `kind` of a request of the L1D or of an SM, and of its answer: in mreq and sreq, mrsp and srsp, l2req
 * and l2rsp. */
enum hd_kind { HD_FILL, HD_BYPASSED, HD_STORE, HD_QUERY };
/* The `op` of a request: HD_PLAIN for a load or store. From HD_ATOM_ADD on it is an atomic
 * (docs/mechanisms/l1d.md). */
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

/* True if the answer brings a line. */
static inline bool hd_is_load(uint64_t kind) {
  return kind == HD_FILL || kind == HD_BYPASSED;
}

/* `act`: the message of an L2 slice to the gating about a line (docs/mechanisms/hooks.md, SLEEP). From
 * HD_ACT_KEEP on the line sleeps afterwards. */
enum hd_act { HD_ACT_NONE, HD_ACT_COUNT, HD_ACT_WAKE, HD_ACT_KEEP, HD_ACT_COUNT_SLEEP, HD_ACT_SLEEP };

/* ---- Bundles made from bundles that share most of their fields ---- */

#define FIELD(bundle, field, width, meaning) .field = bundle->field,

/* A request as the coalescer makes it, on its way to the L1D. All decisions about it are still 0. */
static inline struct req hd_request_of(const struct coalesced *r) {
  return (struct req){COALESCED(r)};
}
/* The L1D's request and answer as the interconnect carries them; `pred` comes from the prediction table. */
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
/* The answer to a request, of an SM and of a slice, without the fields that gating adds. */
static inline struct srsp hd_srsp_to(const struct sreq *q) {
  return (struct srsp){.kind = q->kind, L2_ECHO(q)};
}
static inline struct l2rsp hd_l2rsp_to(const struct l2req *q) {
  return (struct l2rsp){.sm = q->sm, .kind = q->kind, .sectors = q->sectors, L2_ECHO(q)};
}

#undef FIELD

#endif
