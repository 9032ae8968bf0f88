/* The L1D's attachments when they run lazily: how they are wired to its hooks, in what order they run (cmodel/step/lazy_wires.h
 * alone includes this). Spec: docs/mechanisms/hooks.md, docs/mechanisms/sm_mem.md.
 *
 * A cycle: hd_attachments_hear, which reads the L1D's registers in place; hd_attachments_answer; l1d_tick;
 * hd_attachments_tick. What they hear of others than the L1D is wired before hd_attachments_hear, or
 * before their ticks.
 *
 * Invariant: none of their answers depends on another's of the same cycle, so their order is free. */
#ifndef HEDDLE_CMODEL_STEP_LAZY_ATTACHMENTS_H
#define HEDDLE_CMODEL_STEP_LAZY_ATTACHMENTS_H

#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* ---- LOOK, DECIDE, TOLD; and what they say at once ---- */

/* Some load was done, or some tag written, in the last cycle: otherwise TOLD says nothing to them. */
static inline bool hd_tells(const struct l1d_st *s) {
  return s->told_load | s->told_write;
}

static inline void hd_line_uses_hears(struct sm_mem *m) {
  const struct l1d_st *s = &m->u_l1d->s;
  struct line_uses_in *in = &m->u_line_uses_in;
  struct line_uses_out *out = &m->u_line_uses_out;
  in->told_load = in->told_take = in->told_evict = out->evict_valid = out->uses = 0;
  if (!hd_tells(s))
    return;
  in->told_load = s->told_load;
  in->told_hit = s->told_hit;
  in->told_merge = s->told_merge;
  in->told_take = s->told_take;
  in->told_evict = s->told_evict;
  in->told_set = s->told_set;
  in->told_at = s->told_at;
  in->told_nth = s->told_nth;
  in->took_hpc = s->took_fill ? s->merged_q.hpc : s->took.hpc;
  in->decide_set = s->d_set;
  line_uses_moore(m->u_line_uses, out);
  line_uses_mealy(m->u_line_uses, in, out);
}

/* Of all loads that do not ask it says the same. */
static inline void hd_degree_hears(struct sm_mem *m) {
  const struct l1d_st *s = &m->u_l1d->s;
  const struct hd_derived *d = &m->base.c->d;
  struct locality_degree_in *in = &m->u_degree_in;
  if (!(s->d.loc | in->decide_loc))
    return;
  in->decide_loc = s->d.loc;
  in->decide_hpc = s->d.hpc;
  if (s->d.loc) {
    in->decide_lines = s->valid[s->d_set];
    in->decide_reserved = l1d_reserved(m->u_l1d, s->d_set);
    in->decide_pins = s->d_pin;
    hd_copy(in->decide_counters, m->u_line_uses->s.rr + s->d_set * d->WAYS, d->WAYS);
  }
  struct locality_degree_out *out = &m->u_degree_out;
  locality_degree_mealy(m->u_degree, in, out);
  m->u_l1d_in.hold = out->hold; /* nobody else says so */
  m->u_l1d_in.hold_refuse = out->hold_refuse;
  m->u_l1d_in.hold_among = out->hold_among;
  m->u_l1d_in.lack_line = out->lack_line;
}

static inline void hd_rft_line_hears(struct sm_mem *m) {
  const struct l1d_st *s = &m->u_l1d->s;
  struct rft_line_in *in = &m->u_rft_line_in;
  in->look_valid = s->c_valid;
  if (s->c_valid) {
    in->look_write = s->c.write;
    in->look_hpc = s->c.hpc;
  }
  in->told_load = s->told_load;
  in->told_past = s->told_past;
  in->told_hpc = s->told.hpc;
}

/* What it says of lines counts while a request is in c, or something is told. */
static inline void hd_apcm_line_hears(struct sm_mem *m) {
  const struct l1d_st *s = &m->u_l1d->s;
  struct apcm_line_in *in = &m->u_apcm_line_in;
  in->look_valid = s->c_valid;
  in->told_write = s->told_write;
  in->told_take = s->told_take;
  m->u_apcm_line_out.ps_valid = 0;
  if (s->c_valid) {
    in->look_set = s->c_set;
    in->look_write = s->c.write;
    in->look_wid = s->c.wid;
    in->look_trk = s->c.trk;
    in->look_lid = s->c.lid;
  }
  if (!m->base.c->d.APCM_P)
    return;
  in->decide_set = s->d_set;
  in->decide_wid = s->d.wid;
  if (hd_tells(s)) {
    apcm_line_moore(m->u_apcm_line, &m->u_apcm_line_out);
    in->told_set = s->told_set;
    in->told_at = s->told_at;
    in->told_wid = s->told.wid;
    in->told_lid = s->told.lid;
  }
  if (s->c_valid | s->told_take)
    apcm_line_mealy(m->u_apcm_line, in, &m->u_apcm_line_out);
}

/* But for the lines and what it is asked. */
static inline void hd_probe_hears(struct sm_mem *m) {
  const struct l1d_st *s = &m->u_l1d->s;
  m->u_probe_in.told_write = s->told_write;
  m->u_probe_in.told_set = s->told_set;
  m->u_probe_in.told_at = s->told_at;
}

static inline void hd_pcal_hears(struct sm_mem *m) {
  const struct l1d_st *s = &m->u_l1d->s;
  m->u_pcal_in.look_valid = s->c_valid;
  m->u_pcal_in.look_write = s->c.write;
  m->u_pcal_in.look_wid = s->c.wid;
}

static inline void hd_pd_hears(struct sm_mem *m) {
  const struct l1d_st *s = &m->u_l1d->s;
  m->u_pd_in = (struct pd_in){.look_valid = s->c_valid,
                              .look_set = s->c_set,
                              .told_load = s->told_load,
                              .told_write = s->told_write,
                              .told_set = s->told_set,
                              .told_at = s->told_at};
  pd_moore(m->u_pd, &m->u_pd_out);
  pd_mealy(m->u_pd, &m->u_pd_in, &m->u_pd_out);
}

static inline void hd_attachments_hear(struct sm_mem *m) {
  if (m->u_line_uses)
    hd_line_uses_hears(m);
  if (m->u_degree)
    hd_degree_hears(m);
  if (m->u_rft_line)
    hd_rft_line_hears(m);
  if (m->u_apcm_line)
    hd_apcm_line_hears(m);
  if (m->u_probe)
    hd_probe_hears(m);
  if (m->u_pcal)
    hd_pcal_hears(m);
  if (m->u_pd)
    hd_pd_hears(m);
}

/* ---- ADVICE, PINS, HOLD, LACK ---- */

/* What they say is joined. */
static inline void hd_attachments_answer(struct sm_mem *m) {
  struct l1d_in *li = &m->u_l1d_in;
  li->advice_bypass = m->u_rft_line ? m->u_rft_line->s.d_rft : 0;
  li->pins = m->u_apcm_line_out.pins | m->u_pd_out.pins; /* who is not there says 0 */
  li->pin_new = m->u_pd_out.pin_new;
  if (m->u_apcm_line) {
    li->advice_bypass |= m->u_apcm_line->s.d_apb;
    li->advice_keep = m->u_apcm_line->s.d_keep;
    li->pin_new |= m->u_apcm_line->s.d_keep;
  }
  if (m->u_pcal)
    li->advice_bypass |= m->u_pcal->s.d_poor;
}

/* Before the first cycle. */
static inline void hd_attachments_start(struct sm_mem *m) {
  m->u_l1d_in.hold_among = hd_below(m->base.c->d.WAYS);
}

/* ---- LATE, and the clock edge ---- */

/* After l1d_tick; HD_MOVES, as a tick answers. Who has nothing to hear of does not tick. */
static inline uint64_t hd_attachments_tick(struct sm_mem *m) {
  const struct l1d_late *late = &m->u_l1d->late;
  const struct hd_derived *d = &m->base.c->d;
  uint64_t ahead = 0;
  if (m->u_line_uses) {
    struct line_uses_in *in = &m->u_line_uses_in;
    in->late_evict = late->late_evict;
    in->late_row = late->late_row;
    if (in->told_load | in->told_take | in->told_evict | late->late_evict | m->u_line_uses->s.last_take)
      line_uses_tick(m->u_line_uses, in);
  }
  if (m->u_degree) {
    m->u_degree_in.late_advance = late->late_advance;
    m->u_degree_in.late_held = late->late_held;
    if (late->late_held | m->u_degree->s.l_step)
      ahead |= locality_degree_tick(m->u_degree, &m->u_degree_in);
  }
  if (m->u_rft_line) {
    m->u_rft_line_in.late_advance = late->late_advance;
    if (late->late_advance | d->RESAMPLED)
      rft_line_tick(m->u_rft_line, &m->u_rft_line_in);
  }
  if (m->u_apcm_line) {
    m->u_apcm_line_in.late_advance = late->late_advance;
    m->u_apcm_line_in.late_read = late->late_read;
    m->u_apcm_line_in.late_set = late->late_set;
    m->u_apcm_line_in.late_take = late->late_take;
    if (late->late_advance | m->u_apcm_line_in.told_write | m->u_apcm_line_in.told_take)
      apcm_line_tick(m->u_apcm_line, &m->u_apcm_line_in);
  }
  if (m->u_probe) {
    m->u_probe_in.late_tag_we = late->late_tag_we;
    m->u_probe_in.late_tag_set = late->late_tag_set;
    m->u_probe_in.late_tag = late->late_tag;
    ahead |= tag_probe_tick(m->u_probe, &m->u_probe_in);
  }
  if (m->u_pcal) {
    m->u_pcal_in.late_advance = late->late_advance;
    pcal_tick(m->u_pcal, &m->u_pcal_in);
  }
  if (m->u_pd)
    pd_tick(m->u_pd, &m->u_pd_in);
  return ahead;
}

#endif
