/* The L1D's attachments when they run lazily: how they are wired to its hooks, in what order they run (cmodel/step/lazy_wires.h
 * alone includes this). Spec: docs/mechanisms/hooks.md, docs/mechanisms/sm_mem.md.
 *
 * A cycle: the L1D's hooks are shown in u_l1d_out; hd_attachments_hear; hd_attachments_answer; l1d_tick;
 * hd_attachments_tick. What they hear of others than the L1D is wired before hd_attachments_hear, or
 * before their ticks.
 *
 * Invariant: none of their answers depends on another's of the same cycle, so their order is free. */
#ifndef HEDDLE_CMODEL_STEP_LAZY_ATTACHMENTS_H
#define HEDDLE_CMODEL_STEP_LAZY_ATTACHMENTS_H

#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

/* ---- LOOK, DECIDE, TOLD; and what they say at once ---- */

static inline void hd_line_uses_hears(struct sm_mem *m) {
  const struct l1d_out *lo = &m->u_l1d_out;
  struct line_uses_in *in = &m->u_line_uses_in;
  in->told_load = lo->told_load;
  in->told_hit = lo->told_hit;
  in->told_merge = lo->told_merge;
  in->told_take = lo->told_take;
  in->told_evict = lo->told_evict;
  in->told_set = lo->told_set;
  in->told_at = lo->told_at;
  in->told_nth = lo->told_nth;
  in->took_hpc = lo->took.hpc;
  in->decide_set = lo->decide_set;
  line_uses_mealy(m->u_line_uses, in, &m->u_line_uses_out);
}

/* After line_uses. */
static inline void hd_degree_hears(struct sm_mem *m) {
  const struct l1d_out *lo = &m->u_l1d_out;
  struct locality_degree_in *in = &m->u_degree_in;
  in->decide_loc = lo->decide.loc;
  in->decide_hpc = lo->decide.hpc;
  in->decide_lines = lo->decide_lines;
  in->decide_reserved = lo->decide_reserved;
  in->decide_pins = lo->decide_pins;
  hd_copy(in->decide_counters, m->u_line_uses_out.decide_counters, m->base.c->d.WAYS);
  locality_degree_mealy(m->u_degree, in, &m->u_degree_out);
}

static inline void hd_rft_line_hears(struct sm_mem *m) {
  const struct l1d_out *lo = &m->u_l1d_out;
  struct rft_line_in *in = &m->u_rft_line_in;
  in->look_valid = lo->look_valid;
  in->look_write = lo->look.write;
  in->look_hpc = lo->look.hpc;
  in->told_load = lo->told_load;
  in->told_past = lo->told_past;
  in->told_hpc = lo->told.hpc;
  rft_line_moore(m->u_rft_line, &m->u_rft_line_out);
}

static inline void hd_apcm_line_hears(struct sm_mem *m) {
  const struct l1d_out *lo = &m->u_l1d_out;
  struct apcm_line_in *in = &m->u_apcm_line_in;
  in->look_valid = lo->look_valid;
  in->look_set = lo->look_set;
  in->look_write = lo->look.write;
  in->look_wid = lo->look.wid;
  in->look_trk = lo->look.trk;
  in->look_lid = lo->look.lid;
  in->decide_set = lo->decide_set;
  in->decide_wid = lo->decide.wid;
  in->told_write = lo->told_write;
  in->told_take = lo->told_take;
  in->told_set = lo->told_set;
  in->told_at = lo->told_at;
  in->told_wid = lo->told.wid;
  in->told_lid = lo->told.lid;
  apcm_line_moore(m->u_apcm_line, &m->u_apcm_line_out);
  apcm_line_mealy(m->u_apcm_line, in, &m->u_apcm_line_out);
}

/* But for the lines and what it is asked. */
static inline void hd_probe_hears(struct sm_mem *m) {
  const struct l1d_out *lo = &m->u_l1d_out;
  struct tag_probe_in *in = &m->u_probe_in;
  in->told_write = lo->told_write;
  in->told_set = lo->told_set;
  in->told_at = lo->told_at;
  tag_probe_moore(m->u_probe, &m->u_probe_out);
}

static inline void hd_pcal_hears(struct sm_mem *m) {
  const struct l1d_out *lo = &m->u_l1d_out;
  m->u_pcal_in.look_valid = lo->look_valid;
  m->u_pcal_in.look_write = lo->look.write;
  m->u_pcal_in.look_wid = lo->look.wid;
  pcal_moore(m->u_pcal, &m->u_pcal_out);
}

static inline void hd_pd_hears(struct sm_mem *m) {
  const struct l1d_out *lo = &m->u_l1d_out;
  m->u_pd_in = (struct pd_in){.look_valid = lo->look_valid,
                              .look_set = lo->look_set,
                              .told_load = lo->told_load,
                              .told_write = lo->told_write,
                              .told_set = lo->told_set,
                              .told_at = lo->told_at};
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

/* What they say is joined; who is not there says 0. */
static inline void hd_attachments_answer(struct sm_mem *m) {
  const struct apcm_line_out *ao = &m->u_apcm_line_out;
  const struct locality_degree_out *go = &m->u_degree_out;
  struct l1d_in *li = &m->u_l1d_in;
  li->advice_bypass = m->u_rft_line_out.advice_bypass | ao->advice_bypass | m->u_pcal_out.advice_bypass;
  li->advice_keep = ao->advice_keep;
  li->pins = ao->pins | m->u_pd_out.pins;
  li->pin_new = ao->pin_new | m->u_pd_out.pin_new;
  li->hold = go->hold;
  li->hold_refuse = go->hold_refuse;
  li->hold_among = go->hold_among;
  li->lack_line = go->lack_line;
}

/* ---- LATE, and the clock edge ---- */

/* After l1d_tick; HD_MOVES, as a tick answers. */
static inline uint64_t hd_attachments_tick(struct sm_mem *m) {
  const struct l1d_late *late = &m->u_l1d->late;
  uint64_t ahead = 0;
  if (m->u_line_uses) {
    m->u_line_uses_in.late_evict = late->late_evict;
    m->u_line_uses_in.late_row = late->late_row;
    ahead |= line_uses_tick(m->u_line_uses, &m->u_line_uses_in);
  }
  if (m->u_degree) {
    m->u_degree_in.late_advance = late->late_advance;
    m->u_degree_in.late_held = late->late_held;
    ahead |= locality_degree_tick(m->u_degree, &m->u_degree_in);
  }
  if (m->u_rft_line) {
    m->u_rft_line_in.late_advance = late->late_advance;
    ahead |= rft_line_tick(m->u_rft_line, &m->u_rft_line_in);
  }
  if (m->u_apcm_line) {
    m->u_apcm_line_in.late_advance = late->late_advance;
    m->u_apcm_line_in.late_read = late->late_read;
    m->u_apcm_line_in.late_set = late->late_set;
    m->u_apcm_line_in.late_take = late->late_take;
    ahead |= apcm_line_tick(m->u_apcm_line, &m->u_apcm_line_in);
  }
  if (m->u_probe) {
    m->u_probe_in.late_tag_we = late->late_tag_we;
    m->u_probe_in.late_tag_set = late->late_tag_set;
    m->u_probe_in.late_tag = late->late_tag;
    ahead |= tag_probe_tick(m->u_probe, &m->u_probe_in);
  }
  if (m->u_pcal) {
    m->u_pcal_in.late_advance = late->late_advance;
    ahead |= pcal_tick(m->u_pcal, &m->u_pcal_in);
  }
  if (m->u_pd)
    ahead |= pd_tick(m->u_pd, &m->u_pd_in);
  return ahead;
}

#endif
