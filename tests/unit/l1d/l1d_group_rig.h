/* An L1D with its attachments on the bench. `rig` holds the L1D; its hooks are wired to the attachments in `hung` as in sm_mem. The
 * test sets the inputs of the attachments that do not come from the L1D, and the run-time enables in of_sm. */
#ifndef HEDDLE_TESTS_UNIT_L1D_GROUP_RIG_H
#define HEDDLE_TESTS_UNIT_L1D_GROUP_RIG_H

#include "cmodel/model/bits.h"
#include "cmodel/step/lazy_names.h"

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
static struct sm_mem_in of_sm; /* run-time enables */
static struct l1d *l1d_alone;  /* the model that rig.h made */

/* The instances of sm_mem that are absent while the attachments run. The test drives their outputs instead. */
static struct { void **at, *inst; } away[16];
static unsigned n_away;
static uint64_t there, heard; /* as in a lazy run */

#define EVENTS_OF(inst, module, name) (hung->inst->base.ev[EV_##module##_##name])

static inline void take_away(void) {
  const struct hd_decl *d = hung->base.decl;
  n_away = 0;
  for (size_t i = 0; i < d->n_insts; i++) {
    static const char *const stay[] = {
        "l1d", "line_uses", "locality_degree", "rft_line", "apcm_line", "tag_probe", "pcal", "pd"};
    bool stays = false;
    for (size_t k = 0; k < sizeof stay / sizeof *stay; k++)
      stays = stays || !strcmp(d->insts[i].decl->module, stay[k]);
    if (stays)
      continue;
    assert_true(n_away < sizeof away / sizeof *away);
    away[n_away].at = (void **)(void *)((char *)hung + d->insts[i].offset);
    away[n_away].inst = *away[n_away].at;
    *away[n_away++].at = NULL;
  }
}

static inline void wreck(void) {
  for (unsigned i = 0; i < n_away; i++)
    *away[i].at = away[i].inst;
  hd_model_free(hung);
  rig.m = l1d_alone;
  wreck_alone();
}

static inline void build(struct hd_config c) {
  build_alone(c);
  hung = hd_model_new(rig.design, "sm_mem", true, NULL);
  assert_non_null(hung);
  of_sm = (struct sm_mem_in){0};
  l1d_alone = rig.m;
  rig.m = hung->u_l1d;
  take_away();
  there = all_beside(hung);
  begin_beside(hung, &of_sm);
}

/* Drives the probe units as sm_mem does. The lazy run does not wire them. */
static inline void tick_probe(void) {
  struct tag_probe_in *in = &hung->u_probe_in;
  in->late_tag_we = rig.m->late.late_tag_we;
  in->late_tag_set = rig.m->late.late_tag_set;
  in->late_tag = rig.m->late.late_tag;
  tag_probe_tick(hung->u_probe, in);
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
    in->outcome_write = rig.out.outcome_write;
    in->outcome_set = rig.out.outcome_set;
    in->outcome_at = rig.out.outcome_at;
    tag_probe_moore(hung->u_probe, &hung->u_probe_out);
  }
  struct hd_lazy_busy all = {.moves = UINT64_MAX}; /* all attachments hear and tick in every cycle */
  heard = hear_L1D(hung, &of_sm, 0, there, &all);
  wire_u_l1d_more(hung, &of_sm, 0);
  wire_u_l1d_beside(hung, &of_sm, 0);
  const struct l1d_in *said = &hung->u_l1d_in;
  rig.in.advice_bypass = said->advice_bypass;
  rig.in.advice_keep = said->advice_keep;
  rig.in.pins = said->pins;
  rig.in.pin_new = said->pin_new;
  rig.in.hold = said->hold;
  rig.in.hold_refuse = said->hold_refuse;
  rig.in.hold_among = said->hold_among;
  rig.in.hold_fill = said->hold_fill;
  rig.in.fill_pins = said->fill_pins;
  rig.in.fill_among = said->fill_among;
  rig.in.lack_line = said->lack_line;
}

static inline void edge(void) {
  struct hd_lazy_busy all = {.moves = UINT64_MAX};
  edge_alone();
  tick_beside_L1D(hung, &of_sm, 0, there, heard, &all);
  if (hung->u_probe)
    tick_probe();
}

static inline void step(void) {
  look();
  edge();
}

#include "tests/unit/l1d/l1d_rig.h"

#endif
