/* An L1D whose loads have patterns. The ports take every output, the memory answers only when the test asks for it, and `seen`
 * records the outcomes that are reported. The tests use several warps and choose slot and number of a request freely. */
#ifndef HEDDLE_TESTS_UNIT_L1D_APCM_RIG_H
#define HEDDLE_TESTS_UNIT_L1D_APCM_RIG_H

#include "tests/unit/l1d/l1d_group_rig.h"

#include "cmodel/model/bits.h"

/* Warps and loads. */
enum { A = 3, B = 5, C = 7 };
enum { STREAM = 1, INTRA = 2, AFTER = 4, LOADS = 5 };
enum { MANY = 64 };

static struct {
  struct mreq asked[MANY]; /* requests of the L1D that have no answer yet */
  unsigned n_asked, reported, protects;
  struct outcome last; /* the last outcome reported */
  uint64_t count;      /* uses of its line */
} seen;

/* The inputs of apcm_line that do not come from the L1D. */
#define says (&hung->u_apcm_line_in)
#define line_st (&hung->u_apcm_line->s)
#define APCM_EVENTS(name) EVENTS_OF(u_apcm_line, apcm_line, name)

static inline struct hd_config managed(unsigned ways, enum hd_apcm manage) {
  struct hd_config c = small(ways);
  c.l1d.miss_queue = 8;
  c.l1d.count_bits = 2;
  c.apcm.manage = manage;
  c.apcm.loads = LOADS;
  c.apcm.threshold = 2;
  return c;
}

/* Load STREAM bypasses; load INTRA protects until AFTER is done. */
static inline void build_managed(struct hd_config c) {
  build(c);
  memset(&seen, 0, sizeof seen);
  rig.in.resp_ready = rig.in.mreq_ready = rig.in.lack_again = of_sm.apcm_en = 1;
  if (rig.c.d.APCM_B)
    says->m_bypass = hd_bit(STREAM);
  if (rig.c.d.APCM_P) {
    says->m_protect = hd_bit(INTRA);
    says->m_last[INTRA] = AFTER;
  }
}

static inline void cycle(void) {
  look();
  if (rig.out.mreq_valid && rig.in.mreq_ready) {
    assert_true(seen.n_asked < MANY);
    seen.asked[seen.n_asked++] = rig.out.mreq;
  }
  if (rig.out.outcome_load) {
    seen.reported++;
    seen.last = rig.out.outcome;
    seen.count = hung->u_line_uses_out.uses;
  }
  seen.protects += hung->u_apcm_line_out.ps_valid;
  edge();
  rig.in.req_valid = rig.in.mrsp_valid = 0;
}

static inline void cycles(unsigned n) {
  while (n--)
    cycle();
}

/* Offers a request, which the L1D must take in this cycle. */
static inline void comes(struct req r) {
  look();
  assert_int_equal(rig.out.req_ready, 1);
  rig.in.req_valid = 1;
  rig.in.req = r;
  cycle();
}

static inline struct req of(unsigned wid, unsigned lid, uint64_t line) {
  return (struct req){.line = line, .wid = wid, .trk = 1, .lid = lid};
}
static inline struct req plain(unsigned wid, uint64_t line) {
  return (struct req){.line = line, .wid = wid};
}
static inline struct req store_of(unsigned wid, uint64_t line) {
  return (struct req){.line = line, .wid = wid, .write = 1};
}

/* Answers the oldest open request to the memory. */
static inline void answer(void) {
  const struct mreq q = seen.asked[0];
  assert_true(seen.n_asked > 0);
  memmove(seen.asked, seen.asked + 1, --seen.n_asked * sizeof q);
  for (look(); !rig.out.mrsp_ready; look())
    cycle();
  rig.in.mrsp_valid = 1;
  rig.in.mrsp =
      (struct mrsp){.kind = q.kind, .id = q.id, .wid = q.wid, .slot = q.slot, .num = q.num, .last = q.last};
  cycle();
}

/* Offers a request and waits until the L1D has decided it and sent its request, if any. The memory does not answer. */
static inline void asks(struct req r) {
  comes(r);
  cycles(8);
}

/* Answers all open requests to the memory. */
static inline void answers(void) {
  while (seen.n_asked)
    answer();
  cycles(8);
}

static inline void ends(struct req r) {
  asks(r);
  answers();
}

/* Returns the way that holds the line, valid or in flight, or -1 if no way of its set does. */
static inline int way_of(uint64_t line) {
  const struct hd_derived *d = &rig.c.d;
  const uint64_t set = line % d->SETS;
  for (unsigned w = 0; w < d->WAYS; w++)
    if (hd_has(rig.m->s.valid[set] | rig.m->s.reserved[set], w) &&
        rig.m->s.tags[set * d->WAYS + w] == line / d->SETS)
      return (int)w;
  return -1;
}

static inline bool holds(uint64_t line) {
  return way_of(line) >= 0;
}

static inline void is_reported(struct req r, unsigned count) {
  assert_int_equal(seen.last.wid, r.wid);
  assert_int_equal(seen.last.trk, r.trk);
  assert_int_equal(seen.last.lid, r.lid);
  assert_int_equal(seen.last.two, r.num < 2);
  if (rig.c.d.APCM_P)
    assert_int_equal(seen.last.last, r.last);
  assert_int_equal(seen.last.line, r.line);
  assert_int_equal(seen.count, count);
}

#endif
