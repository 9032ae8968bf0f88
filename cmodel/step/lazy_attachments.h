/* The L1D's attachments when they run lazily: what they say in a cycle, and whether they tick (cmodel/step/lazy_wires.h and
 * tests include this). Spec: docs/mechanisms/hooks.md, docs/mechanisms/sm_mem.md.
 *
 * A cycle: hd_attachments_hear, which reads the L1D's registers in place; hd_attachments_answer; l1d_tick;
 * hd_attachments_tick. What they hear of others than the L1D is wired before hd_attachments_hear, or
 * before their ticks.
 *
 * Invariant: none of their answers depends on another's of the same cycle, so their order is free. */
#ifndef HEDDLE_CMODEL_STEP_LAZY_ATTACHMENTS_H
#define HEDDLE_CMODEL_STEP_LAZY_ATTACHMENTS_H

#include "cmodel/model/bits.h"
#include "cmodel/step/lazy_names.h"

/* ---- LOOK, DECIDE, TOLD; and what they say at once ---- */

/* If no load was done, and no tag written, in the last cycle, TOLD says nothing to it. */
static inline void hd_line_uses_hears(struct sm_mem *m, const struct sm_mem_in *in, unsigned meet) {
  const struct l1d_st *s = &m->u_l1d->s;
  struct line_uses_out *out = &m->u_line_uses_out;
  wire_u_line_uses(m, in, meet);
  out->evict_valid = out->uses = 0;
  if (!(s->told_load | s->told_write))
    return;
  line_uses_moore(m->u_line_uses, out);
  line_uses_mealy(m->u_line_uses, &m->u_line_uses_in, out);
}

static inline void hd_degree_says(struct sm_mem *m, const struct sm_mem_in *in, unsigned meet) {
  locality_degree_mealy(m->u_degree, &m->u_degree_in, &m->u_degree_out);
  wire_u_l1d_from_u_degree(m, in, meet);
}

/* Of all loads that do not ask it says the same. */
static inline void hd_degree_hears(struct sm_mem *m, const struct sm_mem_in *in, unsigned meet) {
  const struct l1d_st *s = &m->u_l1d->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!(s->d.loc | m->u_degree_in.decide_loc))
    return;
  wire_u_degree(m, in, meet);
  if (s->d.loc)
    hd_copy(m->u_degree_in.decide_counters, m->u_line_uses->s.rr + s->d_set * d->WAYS, d->WAYS);
  hd_degree_says(m, in, meet);
}

/* What it says of lines counts while a request is in c, or something is told. */
static inline void hd_apcm_line_hears(struct sm_mem *m, const struct sm_mem_in *in, unsigned meet) {
  const struct l1d_st *s = &m->u_l1d->s;
  wire_u_apcm_line(m, in, meet);
  m->u_apcm_line_out.ps_valid = 0;
  if (m->base.c->d.APCM_P && (s->c_valid | s->told_take))
    apcm_line_mealy(m->u_apcm_line, &m->u_apcm_line_in, &m->u_apcm_line_out);
}

static inline void hd_pd_hears(struct sm_mem *m, const struct sm_mem_in *in, unsigned meet) {
  wire_u_pd(m, in, meet);
  pd_moore(m->u_pd, &m->u_pd_out);
  pd_mealy(m->u_pd, &m->u_pd_in, &m->u_pd_out);
}

static inline void hd_attachments_hear(struct sm_mem *m, const struct sm_mem_in *in, unsigned meet) {
  if (m->u_line_uses)
    hd_line_uses_hears(m, in, meet);
  if (m->u_degree)
    hd_degree_hears(m, in, meet);
  if (m->u_rft_line)
    wire_u_rft_line(m, in, meet);
  if (m->u_apcm_line)
    hd_apcm_line_hears(m, in, meet);
  if (m->u_probe)
    wire_u_probe(m, in, meet);
  if (m->u_ccws_vta)
    wire_u_ccws_vta(m, in, meet);
  if (m->u_pcal)
    wire_u_pcal(m, in, meet);
  if (m->u_pd)
    hd_pd_hears(m, in, meet);
}

/* ---- ADVICE, PINS, HOLD, LACK ---- */

static inline void hd_attachments_answer(struct sm_mem *m, const struct sm_mem_in *in, unsigned meet) {
  wire_u_l1d_more(m, in, meet);
  if (m->u_apcm_line)
    wire_u_l1d_from_u_apcm_line(m, in, meet);
}

/* Before the first cycle. */
static inline void hd_attachments_start(struct sm_mem *m, const struct sm_mem_in *in) {
  if (m->u_degree)
    hd_degree_says(m, in, 0);
}

/* ---- LATE, and the clock edge ---- */

static inline uint64_t hd_ccws_vta_ticks(struct sm_mem *m, const struct sm_mem_in *in, unsigned meet) {
  const struct ccws_vta_in *to = &m->u_ccws_vta_in;
  const struct ccws_vta_st *s = &m->u_ccws_vta->s;
  wire_u_ccws_vta_late(m, in, meet);
  if (!(to->told_take | to->told_evict | to->late_evict | to->clear | s->step | s->count | s->h_valid |
        s->last_take))
    return 0;
  return ccws_vta_tick(m->u_ccws_vta, to);
}

/* After l1d_tick; HD_MOVES, as a tick answers. An attachment that hears of nothing does not tick. */
static inline uint64_t hd_attachments_tick(struct sm_mem *m, const struct sm_mem_in *in, unsigned meet) {
  const struct l1d_late *late = &m->u_l1d->late;
  uint64_t ahead = 0;
  if (m->u_line_uses) {
    const struct line_uses_in *to = &m->u_line_uses_in;
    wire_u_line_uses_late(m, in, meet);
    if (to->told_load | to->told_take | to->told_evict | late->late_evict | m->u_line_uses->s.last_take)
      line_uses_tick(m->u_line_uses, to);
  }
  if (m->u_degree && (late->late_held | m->u_degree->s.l_step)) {
    wire_u_degree_late(m, in, meet);
    ahead |= locality_degree_tick(m->u_degree, &m->u_degree_in);
  }
  if (m->u_rft_line && (late->late_advance | m->base.c->d.RESAMPLED)) {
    wire_u_rft_line_late(m, in, meet);
    rft_line_tick(m->u_rft_line, &m->u_rft_line_in);
  }
  if (m->u_apcm_line && (late->late_advance | m->u_apcm_line_in.told_write | m->u_apcm_line_in.told_take)) {
    wire_u_apcm_line_late(m, in, meet);
    apcm_line_tick(m->u_apcm_line, &m->u_apcm_line_in);
  }
  if (m->u_probe) {
    wire_u_probe_late(m, in, meet);
    ahead |= tag_probe_tick(m->u_probe, &m->u_probe_in);
  }
  if (m->u_ccws_vta)
    ahead |= hd_ccws_vta_ticks(m, in, meet);
  if (m->u_pcal) {
    wire_u_pcal_late(m, in, meet);
    pcal_tick(m->u_pcal, &m->u_pcal_in);
  }
  if (m->u_pd)
    pd_tick(m->u_pd, &m->u_pd_in);
  return ahead;
}

#endif
