/* A cycle of the golden model of the coalescer. Spec: docs/mechanisms/coalescer.md.
 *
 * Invariant: the requests of an instruction are made in the order of their lowest lanes. Their lane sets are disjoint and together make up
 * its mask. While place p holds an instruction, memo[p] is 0, or, if its lines ascend, the set of lanes whose line differs from that of
 * the lane before, and lane LANES. If each sector is a request, "line" in this file means line and sector together.
 *
 * Inlined: measured in cmodel/sm/sm_cycle.h. */
#ifndef HEDDLE_CMODEL_SM_COALESCER_CYCLE_H
#define HEDDLE_CMODEL_SM_COALESCER_CYCLE_H

#include "cmodel/sm/ports.h"

/* True if no lane's line is below that of the lane before. This is nearly always so. A line has fewer than 64 bits. */
static inline bool coalescer_ascend(const uint64_t *line, unsigned lanes) {
  uint64_t falls = 0;
#pragma GCC unroll 8
  for (unsigned l = 1; l < lanes; l++)
    falls |= line[l] - line[l - 1];
  return !(falls >> 63);
}

/* Returns the lanes, except lane 0, whose line differs from that of the lane before. A line has fewer than 64 bits. */
static inline uint64_t coalescer_changes(const uint64_t *line, unsigned lanes) {
  uint64_t set = 0;
#pragma GCC unroll 8
  for (unsigned l = lanes - 1; l > 0; l--) {
    const uint64_t other = line[l] ^ line[l - 1];
    set = 2 * set + (-other >> 63);
  }
  return 2 * set;
}

/* The same for lines that ascend. These are few as a rule: a binary search finds the end of each. */
static inline uint64_t coalescer_steps(const uint64_t *line, unsigned lanes) {
  enum { FEW = 3 };
  const uint64_t end = line[lanes - 1];
  uint64_t set = 0;
  if (end - line[0] > FEW)
    return coalescer_changes(line, lanes);
  for (unsigned at = 0; line[at] != end;) {
    unsigned last = at, first = lanes - 1; /* last: a lane of this line; first: a lane of another line */
    while (first - last > 1) {
      const unsigned l = (last + first) / 2;
      *(line[l] == line[at] ? &last : &first) = l;
    }
    set |= hd_bit(first);
    at = first;
  }
  return set;
}

/* Returns the lanes of `mask` with the leader's line. The leader is the lowest of them. */
static inline uint64_t coalescer_lanes_of_leader(const struct coalescer *m, uint64_t t, uint64_t mask) {
  const unsigned leader = hd_lowest(m->s.lead), lanes = HD_IS(m, LANES);
  const uint64_t *line = m->s.p_line + t * lanes, of = m->s.lead_line;
  if (m->base.memo[t]) /* lanes with one line are neighbours: up to where the line changes */
    return mask & hd_ones(hd_lowest(m->base.memo[t] & ~hd_ones(leader + 1)));
  const uint64_t *sector = m->s.p_sector + t * lanes;
  const bool split = HD_IS(m, SPLIT);
  uint64_t same = 0;
  for (unsigned l = lanes; l-- > leader;)
    same = 2 * same + (line[l] == of && (!split || sector[l] == m->s.lead_sector));
  return same << leader & mask;
}

/* The lowest lane of `among` becomes the leader. `among` must not be empty. `line`, `sector`: those of all lanes. */
static inline void coalescer_lead(struct coalescer *m, uint64_t among, const uint64_t *line,
                                  const uint64_t *sector) {
  m->s.lead = among & -among;
  m->s.lead_line = line[hd_lowest(among)];
  if (HD_IS(m, SPLIT))
    m->s.lead_sector = sector[hd_lowest(among)];
  m->s.lead_valid = 1;
}

/* Chooses the next leader. Call it before anything else changes. `emit`: the lanes `same` are sent in this cycle. */
static inline void coalescer_choose(struct coalescer *m, const struct coalescer_in *in, bool emit,
                                    uint64_t same, bool take) {
  struct coalescer_st *s = &m->s;
  const uint64_t t = s->turn, lanes = HD_IS(m, LANES);
  uint64_t heads = hd_has(s->p_valid, t) ? s->mask & s->p_head[t] : 0;
  if (emit)
    heads &= ~s->lead;
  if (heads) {
    coalescer_lead(m, heads, s->p_line + t * lanes, s->p_sector + t * lanes);
    if (emit && (s->lead & same)) {
      s->lead_valid = 0;
      if (same != s->mask)
        HD_EV(m, coalescer_again, s->lead_line, s->p_wid[t], s->p_slot[t], 0);
    }
  } else if (hd_has(s->p_valid, 1 - t))
    coalescer_lead(m, s->n_mask, s->p_line + (1 - t) * lanes, s->p_sector + (1 - t) * lanes);
  else if (take)
    coalescer_lead(m, in->issue_mask, in->issue_line, in->issue_sector);
  else
    s->lead_valid = 0;
}

/* Returns the sectors that the lanes `lanes` want. */
static inline uint64_t coalescer_sectors_of(const struct coalescer *m, uint64_t t, uint64_t lanes) {
  const uint64_t *sector = m->s.p_sector + t * HD_IS(m, LANES);
  uint64_t set = 0;
  for (; lanes; lanes &= lanes - 1)
    set |= hd_bit(sector[hd_lowest(lanes)]);
  return set;
}

/* Makes the next request of the instruction that is being split: for the lanes `same`, of `line`. Returns true if it is the last one.
 * `issue_mask`: as at the port. */
static inline bool coalescer_send(struct coalescer *m, uint64_t same, uint64_t line, uint64_t issue_mask) {
  struct coalescer_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t t = s->turn, wid = s->p_wid[t], slot = s->p_slot[t], num = s->num;
  const bool last = same == s->mask;
  HD_EV(m, coalescer_request, wid, slot, num, line);
  if (last && num == 0)
    HD_EV(m, coalescer_coalesced, wid, slot, 0, 0);
  if (last && num == HD_IS(m, LANES) - 1)
    HD_EV(m, coalescer_diverged, wid, slot, HD_IS(m, LANES), 0);
  s->o = (struct coalesced){
      .line = line, .write = hd_has(s->p_write, t), .wid = wid, .slot = slot, .num = num, .last = last};
  if (HD_IS(m, KINDS))
    s->o.op = s->p_op[t];
  if (HD_IS(m, SECTORED))
    s->o.sectors = coalescer_sectors_of(m, t, same);
  if (HD_SOME(m->base.c, GID_W))
    s->o.gid = s->p_gid[t];
  if (HD_SOME(m->base.c, REQ_PC_W)) { /* and LOW_W */
    s->o.pc = s->p_pc[t];
    s->o.low = s->p_low[t];
  }
  if (HD_SOME(m->base.c, HPC_W))
    s->o.hpc = s->p_hpc[t];
  if (HD_SOME(m->base.c, APCM)) {
    s->o.trk = hd_has(s->p_trk, t);
    s->o.lid = s->p_lid[t];
  }
  if (HD_SOME(m->base.c, LOS))
    s->o.pe = s->p_pe[t];
  if (HD_SOME(m->base.c, CASC))
    s->o_many = (unsigned)__builtin_popcountll(s->p_head[t]) > d->WAYS;
  if (HD_SOME(m->base.c, SIG_W))
    s->o_sig = s->p_sig[t];
  s->o_lanes = same;
  s->o_valid = 1;
  s->mask &= ~same;
  s->num = last ? 0 : (num + 1) & hd_ones(d->LANE_W);
  if (last) {
    s->p_valid &= ~hd_bit(t);
    s->turn = 1 - t;
    s->mask = s->p_valid ? s->n_mask : issue_mask;
  }
  return last;
}

/* Stores the lines of the lanes `heads` alone. */
static inline void coalescer_put_heads(struct coalescer *m, uint64_t place, const uint64_t *line,
                                       uint64_t heads) {
  for (; heads; heads &= heads - 1)
    m->s.p_line[place * HD_IS(m, LANES) + hd_lowest(heads)] = line[hd_lowest(heads)];
}

/* Stores the lines of all lanes, and finds where they change. */
static inline void coalescer_put_lines(struct coalescer *m, uint64_t place, const struct coalescer_in *in) {
  struct coalescer_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const unsigned lanes = HD_IS(m, LANES);
  hd_copy(s->p_line + place * lanes, in->issue_line, lanes);
  if (HD_IS(m, SECTORED))
    hd_copy(s->p_sector + place * lanes, in->issue_sector, lanes);
  uint64_t unit[HD_MOST(sm, lanes)];
  const uint64_t *of = in->issue_line;
  if (HD_IS(m, SPLIT)) {
    for (unsigned l = 0; l < lanes; l++)
      unit[l] = in->issue_line[l] << d->SECTOR_W | in->issue_sector[l];
    of = unit;
  }
  const bool rising = coalescer_ascend(of, lanes);
  const uint64_t change = (rising ? coalescer_steps : coalescer_changes)(of, lanes);
  s->p_head[place] = in->issue_mask & (change | ~(in->issue_mask << 1));
  m->base.memo[place] = rising ? change | hd_bit(lanes) : 0;
}

static inline void coalescer_put(struct coalescer *m, uint64_t place, const struct coalescer_in *in,
                                 uint64_t changes) {
  struct coalescer_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->p_valid |= hd_bit(place);
  s->p_write = hd_with(s->p_write, place, in->issue_write);
  if (HD_IS(m, KINDS))
    s->p_op[place] = in->issue_op;
  s->p_wid[place] = in->issue_wid;
  s->p_slot[place] = in->issue_slot;
  if (HD_SOME(m->base.c, SIG_W))
    s->p_sig[place] = in->issue_sig;
  if (HD_SOME(m->base.c, GID_W))
    s->p_gid[place] = in->issue_gid;
  if (HD_SOME(m->base.c, REQ_PC_W)) {
    s->p_pc[place] = in->issue_pc;
    s->p_low[place] = in->issue_low;
  }
  if (HD_SOME(m->base.c, HPC_W)) /* programs are word-aligned */
    s->p_hpc[place] = hd_xor_fold(in->issue_pc >> 2, d->HPC_W);
  if (HD_SOME(m->base.c, APCM)) {
    s->p_trk = hd_with(s->p_trk, place, in->issue_trk);
    s->p_lid[place] = in->issue_lid;
  }
  if (HD_SOME(m->base.c, LOS))
    s->p_pe[place] = in->issue_pe;
  s->n_mask = in->issue_mask;
  if (!changes) {
    coalescer_put_lines(m, place, in);
    return;
  }
  s->p_head[place] = in->issue_mask & (changes | 1);
  if (s->p_head[place] == in->issue_mask)
    hd_copy(s->p_line + place * HD_IS(m, LANES), in->issue_line, HD_IS(m, LANES));
  else
    coalescer_put_heads(m, place, in->issue_line, s->p_head[place]);
  m->base.memo[place] = changes;
}

/* As coalescer_tick. `changes` is 0, or the memo of the instruction that is taken. It may be not 0 only if all lanes of that instruction
 * are active and their lines ascend. Then only lane 0 and the lanes in `changes` need a line in issue_line.
 *
 * Always inlined: otherwise the compiler decides by what else is in the lazy run. The difference is 1.9 % of the instructions of
 * gpu/gtx480 on Accel-Sim's trace of gemm. */
static inline uint64_t coalescer_cycle(struct coalescer *m, const struct coalescer_in *in, uint64_t changes)
    __attribute__((always_inline));
static inline uint64_t coalescer_cycle(struct coalescer *m, const struct coalescer_in *in, uint64_t changes) {
  struct coalescer_st *s = &m->s;
  const bool take = in->issue_valid && coalescer_issue_ready(m), o_free = !s->o_valid || in->req_ready;
  const bool emit = s->lead_valid && o_free;
  bool splits = hd_has(s->p_valid, s->turn); /* after coalescer_send: it still splits in the next cycle */
  const uint64_t place = splits ? 1 - s->turn : s->turn, line = s->lead_line;
  const uint64_t same = emit ? coalescer_lanes_of_leader(m, s->turn, s->mask) : 0;

  if (emit || !s->lead_valid)
    coalescer_choose(m, in, emit, same, take);
  if (!splits)
    s->mask = in->issue_mask;
  if (!o_free)
    HD_EV(m, coalescer_stall, s->o.line, 0, 0, 0);
  else if (emit)
    splits = !coalescer_send(m, same, line, in->issue_mask);
  else
    s->o_valid = 0;

  if (take) {
    HD_EV(m, coalescer_take, in->issue_wid, in->issue_slot, in->issue_write, in->issue_mask);
    if (splits)
      HD_EV(m, coalescer_wait, in->issue_wid, 0, 0, 0);
    coalescer_put(m, place, in, changes);
  }
  if (s->p_valid && !(s->o_valid && s->lead_valid))
    return HD_MOVES;
  return s->o_valid ? hd_bit(EV_coalescer_stall) : 0;
}

#endif
