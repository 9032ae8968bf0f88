/* What travels between the memory ports of SMs and the L2 banks: the formats of arch/bundles.def, the same for SM,
 * interconnect and bank. Whether a line travels with it is a matter of its length: no bytes are carried.
 *
 * Invariant: the fields that a bank sends back are those of the request, whatever they mean to the SM.
 */
#ifndef HEDDLE_CMODEL_PACKET_H
#define HEDDLE_CMODEL_PACKET_H

#include "arch/modules.h"

/* One of the two, by its direction. `up.line` is the line's number within the bank (cmodel/memmap.h). */
union hd_packet {
  struct l2req up;
  struct l2rsp down;
};

#define FIELD(bundle, field, width, meaning) .field = bundle->field,

static inline struct l2req hd_l2req_of(const struct sreq *q, unsigned sm) {
  return (struct l2req){.sm = sm, L2_REQUEST(q)};
}
/* A bank's answer, but for what gating adds to it. */
static inline struct l2rsp hd_l2rsp_of(const struct l2req *q) {
  return (struct l2rsp){.sm = q->sm, .kind = q->kind, L2_ECHO(q)};
}
static inline struct srsp hd_srsp_of(const struct l2rsp *a) {
  return (struct srsp){L2_REPLY(a)};
}

#undef FIELD

#endif
