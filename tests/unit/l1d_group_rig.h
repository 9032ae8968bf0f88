/* An L1D with its attachments on the bench: `rig` is the L1D's, its hooks are wired to the attachments in `hung` as in sm_mem. What
 * these hear of others than the L1D, the test sets in their inputs. */
#ifndef HEDDLE_TESTS_UNIT_L1D_GROUP_RIG_H
#define HEDDLE_TESTS_UNIT_L1D_GROUP_RIG_H

#include "cmodel/step/lazy_attachments.h"

#define RIG l1d
#define build build_alone
#define wreck wreck_alone
#define look look_alone
#define edge edge_alone
#define step step_alone
#include "tests/unit/rig.h"
#undef build
#undef wreck
#undef look
#undef edge
#undef step

static struct sm_mem *hung;
static struct l1d *l1d_alone; /* what rig.h made */

#define EVENTS_OF(inst, module, name) (hung->inst->base.ev[EV_##module##_##name])

static inline void wreck(void) {
  hd_model_free(hung);
  rig.m = l1d_alone;
  wreck_alone();
}

static inline void build(struct hd_config c) {
  build_alone(c);
  hung = hd_model_new(rig.design, "sm_mem", true, NULL);
  assert_non_null(hung);
  l1d_alone = rig.m;
  rig.m = hung->u_l1d;
  hd_attachments_start(hung);
}

static inline void look(void) {
  const struct hd_derived *d = &rig.c.d;
  look_alone();
  l1d_moore(rig.m, &hung->u_l1d_out);
  if (hung->u_probe) {
    struct tag_probe_in *in = &hung->u_probe_in;
    hd_copy(in->lines_valid, rig.out.lines_valid, d->SETS);
    if (d->ON_MISS)
      hd_copy(in->lines_reserved, rig.out.lines_reserved, d->SETS);
    in->lines_free = rig.out.lines_free;
    in->lines_room = rig.out.lines_room;
    tag_probe_moore(hung->u_probe, &hung->u_probe_out);
  }
  hd_attachments_hear(hung);
  hd_attachments_answer(hung);
  const struct l1d_in *said = &hung->u_l1d_in;
  rig.in.advice_bypass = said->advice_bypass;
  rig.in.advice_keep = said->advice_keep;
  rig.in.pins = said->pins;
  rig.in.pin_new = said->pin_new;
  rig.in.hold = said->hold;
  rig.in.hold_refuse = said->hold_refuse;
  rig.in.hold_among = said->hold_among;
  rig.in.lack_line = said->lack_line;
}

static inline void edge(void) {
  edge_alone();
  hd_attachments_tick(hung);
}

static inline void step(void) {
  look();
  edge();
}

#include "tests/unit/l1d_rig.h"

#endif
