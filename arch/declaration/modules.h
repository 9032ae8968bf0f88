/* The C structs of every module, from its declaration. A new module: three lines here, one in modules.def. */
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

#define HD_M sched
#define HD_DEF "arch/sm/sched.def"
#include "arch/declaration/gen_structs.h"
#define HD_M laws
#define HD_DEF "arch/apres/laws.def"
#include "arch/declaration/gen_structs.h"
#define HD_M two_level
#define HD_DEF "arch/rivals/two_level.def"
#include "arch/declaration/gen_structs.h"
#define HD_M coalescer
#define HD_DEF "arch/sm/coalescer.def"
#include "arch/declaration/gen_structs.h"
#define HD_M request_slot
#define HD_DEF "arch/sm/request_slot.def"
#include "arch/declaration/gen_structs.h"
#define HD_M mrpb
#define HD_DEF "arch/mrpb/mrpb.def"
#include "arch/declaration/gen_structs.h"
#define HD_M memsched
#define HD_DEF "arch/memsched/memsched.def"
#include "arch/declaration/gen_structs.h"
#define HD_M casc
#define HD_DEF "arch/casc/casc.def"
#include "arch/declaration/gen_structs.h"
#define HD_M rrt
#define HD_DEF "arch/casc/rrt.def"
#include "arch/declaration/gen_structs.h"
#define HD_M rft
#define HD_DEF "arch/lasc/rft.def"
#include "arch/declaration/gen_structs.h"
#define HD_M lat
#define HD_DEF "arch/apcm/lat.def"
#include "arch/declaration/gen_structs.h"
#define HD_M mta
#define HD_DEF "arch/apcm/mta.def"
#include "arch/declaration/gen_structs.h"
#define HD_M cait
#define HD_DEF "arch/apcm/cait.def"
#include "arch/declaration/gen_structs.h"
#define HD_M psb
#define HD_DEF "arch/apcm/psb.def"
#include "arch/declaration/gen_structs.h"
#define HD_M l1d
#define HD_DEF "arch/l1d/l1d.def"
#include "arch/declaration/gen_structs.h"
#define HD_M rft_line
#define HD_DEF "arch/lasc/rft_line.def"
#include "arch/declaration/gen_structs.h"
#define HD_M line_uses
#define HD_DEF "arch/reuse/line_uses.def"
#include "arch/declaration/gen_structs.h"
#define HD_M locality_degree
#define HD_DEF "arch/casc/locality_degree.def"
#include "arch/declaration/gen_structs.h"
#define HD_M apcm_line
#define HD_DEF "arch/apcm/apcm_line.def"
#include "arch/declaration/gen_structs.h"
#define HD_M tag_probe
#define HD_DEF "arch/memsched/tag_probe.def"
#include "arch/declaration/gen_structs.h"
#define HD_M pcal
#define HD_DEF "arch/rivals/pcal.def"
#include "arch/declaration/gen_structs.h"
#define HD_M pd
#define HD_DEF "arch/rivals/pd.def"
#include "arch/declaration/gen_structs.h"
#define HD_M sap
#define HD_DEF "arch/apres/sap.def"
#include "arch/declaration/gen_structs.h"
#define HD_M sld
#define HD_DEF "arch/rivals/sld.def"
#include "arch/declaration/gen_structs.h"
#define HD_M pred_table
#define HD_DEF "arch/loscache/pred_table.def"
#include "arch/declaration/gen_structs.h"
#define HD_M sm_mem
#define HD_DEF "arch/sm/sm_mem.def"
#include "arch/declaration/gen_structs.h"
#define HD_M gate_ctrl
#define HD_DEF "arch/loscache/gate_ctrl.def"
#include "arch/declaration/gen_structs.h"
#define HD_M l2_slice
#define HD_DEF "arch/l2/l2_slice.def"
#include "arch/declaration/gen_structs.h"
#define HD_M l2_top
#define HD_DEF "arch/l2/l2_top.def"
#include "arch/declaration/gen_structs.h"

/* What a request of the L1D or of an SM is, or what an answer is to: `kind` of mreq and sreq, mrsp and srsp, l2req and
 * l2rsp. */
enum hd_kind { HD_FILL, HD_BYPASSED, HD_STORE, HD_QUERY };
/* The answer brings a line. */
static inline bool hd_is_load(uint64_t kind) {
  return kind == HD_FILL || kind == HD_BYPASSED;
}

/* What an L2 slice has gate_ctrl do to a line: `act` of both. From HD_ACT_KEEP on the line sleeps after it. */
enum hd_act { HD_ACT_NONE, HD_ACT_COUNT, HD_ACT_WAKE, HD_ACT_KEEP, HD_ACT_COUNT_SLEEP, HD_ACT_SLEEP };

/* ---- What travels, from what it is of: most of its fields are the same ---- */

#define FIELD(bundle, field, width, meaning) .field = bundle->field,

/* A request as the coalescer makes it, on its way to the L1D: nothing has been decided of it. */
static inline struct req hd_request_of(const struct coalesced *r) {
  return (struct req){COALESCED(r)};
}
/* The L1D's request and answer as they travel; the prediction is the prediction table's. */
static inline struct sreq hd_sreq_of(const struct mreq *q, uint64_t pred) {
  return (struct sreq){.kind = q->kind, .line = q->line, .pred = pred, L2_ECHO(q)};
}
static inline struct mrsp hd_mrsp_of(const struct srsp *a) {
  return (struct mrsp){
      .kind = a->kind, .id = a->id, .wid = a->wid, .slot = a->slot, .num = a->num, .last = a->last};
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
  return (struct l2rsp){.sm = q->sm, .kind = q->kind, L2_ECHO(q)};
}

#undef FIELD

#endif
