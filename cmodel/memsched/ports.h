/* The outputs of memsched and tag_probe (cmodel/sm/ports.h). Spec: docs/mechanisms/memsched.md.
 *
 * Invariant: no function here changes the model. memo[MEMSCHED_FILLED] has the queues with `count` > 0, so that a
 * cycle costs the same for any number of queues. memo[MEMSCHED_G0] to [MEMSCHED_G2] are the queues of g0 to g2, and
 * memo[MEMSCHED_INPUT] is the value of memsched_input. In the lazy run (cmodel/memsched/lazy.h) memo[MEMSCHED_NEW]
 * has the queues whose head has come since it was cleared. memo[MEMSCHED_VAIN] is 1 if all heads probe in vain, so
 * that the cycles are made up later.
 *
 * Inlined: measured in cmodel/sm/ports.h. */
#ifndef HEDDLE_CMODEL_MEMSCHED_PORTS_H
#define HEDDLE_CMODEL_MEMSCHED_PORTS_H

#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { MEMSCHED_FILLED, MEMSCHED_G0, MEMSCHED_G1, MEMSCHED_G2, MEMSCHED_INPUT, MEMSCHED_NEW, MEMSCHED_VAIN };

/* Returns the warps w whose queue is not `empty[w]`. */
static inline uint64_t memsched_occupied(const struct memsched *m) {
  return m->s.h_valid | m->base.memo[MEMSCHED_FILLED] | m->s.r_valid << m->s.r_wid;
}
/* Returns the heads that may be chosen. */
static inline uint64_t memsched_may(const struct memsched *m) {
  return m->s.h_valid & ~m->s.tried;
}
/* What becomes of the request in the input register, by the spec's conditions: none; `enters`; `full`; a read that is
 * `second`; `w_wait`; or a write that is `second`. */
enum memsched_input {
  MEMSCHED_NONE,
  MEMSCHED_ENTERS,
  MEMSCHED_FULL,
  MEMSCHED_SECOND,
  MEMSCHED_W_WAIT,
  MEMSCHED_W_SECOND
};
static inline enum memsched_input memsched_input(const struct memsched *m) {
  return (enum memsched_input)m->base.memo[MEMSCHED_INPUT];
}

/* Returns the queue of unit u in its row `row[u]`. */
static inline uint64_t memsched_queue(const struct memsched *m, const uint64_t *row, unsigned u) {
  return row[u] * HD_IS(m, UNITS) + u;
}
/* Element n: the queues of unit 0 of n units. Those of unit u are u places above. */
static const uint64_t memsched_every[] = {0, UINT64_MAX, 0x5555555555555555, 0x9249249249249249,
                                          0x1111111111111111};
/* memsched_last_line: the line that probes for unit u; with PROBE_EARLY, for a unit that chooses no queue.
 * memsched_early_line: the line of the queue that unit u chooses, else memsched_last_line. */
static inline uint64_t memsched_last_line(const struct memsched *m, unsigned u) {
  return m->s.h_line[memsched_queue(m, m->s.g0_row, u)];
}
static inline uint64_t memsched_early_line(const struct memsched *m, unsigned u) {
  const uint64_t may = memsched_may(m) & memsched_every[HD_IS(m, UNITS)] << u;
  return may ? m->s.h_line[hd_after(may, memsched_queue(m, m->s.g0_row, u))] : memsched_last_line(m, u);
}

static inline bool memsched_offers(const struct memsched *m, enum memsched_input input) {
  return m->s.o_valid || input == MEMSCHED_W_WAIT;
}
static inline bool memsched_deq_valid(const struct memsched *m) {
  return memsched_offers(m, memsched_input(m));
}
static inline struct req memsched_deq(const struct memsched *m) {
  const struct memsched_st *s = &m->s;
  const struct hd_config *c = m->base.c;
  const uint64_t w = s->o_wid;
  if (!s->o_valid)
    return s->in;
  return (struct req){.line = s->o.line,
                      .wid = w,
                      .slot = s->l_slot[w],
                      .num = s->o.num,
                      .last = s->o.last,
                      .sectors = s->o.sectors,
                      .gid = HD_SOME(c, GID_W) ? s->l_gid[w] : 0,
                      .pc = HD_SOME(c, REQ_PC_W) ? s->l_pc[w] : 0,
                      .low = HD_SOME(c, REQ_PC_W) ? s->l_low[w] : 0,
                      .hpc = HD_SOME(c, HPC_W) ? s->l_hpc[w] : 0,
                      .trk = HD_SOME(c, APCM) ? hd_has(s->l_trk, w) : 0,
                      .lid = HD_SOME(c, APCM) ? s->l_lid[w] : 0,
                      .pe = s->o.pe,
                      .byp = s->o.byp,
                      .loc = s->o.loc};
}
/* True if a write goes straight to the output. */
static inline bool memsched_w_leaves(const struct memsched *m, enum memsched_input input, bool deq_ready) {
  return input == MEMSCHED_W_WAIT && !m->s.o_valid && deq_ready;
}
static inline bool memsched_takes(const struct memsched *m, enum memsched_input input, bool deq_ready) {
  return input <= MEMSCHED_ENTERS || memsched_w_leaves(m, input, deq_ready);
}
static inline bool memsched_enq_ready(const struct memsched *m, bool deq_ready) {
  return memsched_takes(m, memsched_input(m), deq_ready);
}
static inline uint64_t memsched_drained(const struct memsched *m) {
  return hd_ones(m->base.c->d.QUEUES) & ~(memsched_occupied(m) | m->s.in_valid << m->s.in.wid);
}

/* memo[TAG_PROBE_HIT], memo[TAG_PROBE_CAN]: with PROBE_EARLY, the values of tag_probe_hit and tag_probe_can. The
 * others are used only in the lazy run (cmodel/memsched/lazy.h). TAG_PROBE_NEXT: both values, a cycle ahead.
 * TAG_PROBE_ROW: for each unit, the row of the tags that holds its line. */
enum {
  TAG_PROBE_HIT,
  TAG_PROBE_CAN,
  TAG_PROBE_NEXT,
  TAG_PROBE_ROW = TAG_PROBE_NEXT + 2,
  TAG_PROBE_ABSENT = TAG_PROBE_ROW + 4,
  TAG_PROBE_TAGS,
  TAG_PROBE_FILLS,
  TAG_PROBE_ROOM
};

/* Bit u is about the line that unit u gave two cycles ago (with PROBE_EARLY: in the last cycle). tag_probe_hit: the
 * line is there. tag_probe_can: it could be sent. */
static inline uint64_t tag_probe_hit(const struct tag_probe *m) {
  return HD_IS(m, PROBE_EARLY) ? m->base.memo[TAG_PROBE_HIT] : m->s.pr_h;
}
static inline uint64_t tag_probe_can(const struct tag_probe *m) {
  const uint64_t can = HD_IS(m, PROBE_EARLY) ? m->base.memo[TAG_PROBE_CAN] : m->s.pr_c;
  return HD_IS(m, ON_MISS) ? can : can * hd_ones(m->base.c->d.PROBES);
}

#endif
