/* One cycle of the golden model of CCWS's lost-locality scores. Spec: docs/mechanisms/ccws.md.
 *
 * Invariant: between two passes `list` holds every warp once (from the first pass on). A quotient is at most K_THROTTLE
 * times the cutoff.
 *
 * Inlined: with calls instead, heddle sim executes 2.3 % more instructions: 2 headers refer here (ccws on
 * gemm:ni=128,nj=128,nk=64). */
#ifndef HEDDLE_CMODEL_CCWS_CCWS_SCORE_CYCLE_H
#define HEDDLE_CMODEL_CCWS_CCWS_SCORE_CYCLE_H

#include "cmodel/ccws/lazy.h"
#include "cmodel/ccws/pass.h"

enum { SCORE_IDLE, SCORE_MULTIPLY, SCORE_DIVIDE, SCORE_GIVE };

static inline void ccws_score_say(struct ccws_score *m, const struct ccws_score_in *in,
                                  struct ccws_score_out *out) {
  out->withhold = in->next_load & ~m->s.allowed;
}

/* ---- Counts ---- */

static inline void score_tally(struct ccws_score *m, bool halves, bool hit) {
  struct ccws_score_st *s = &m->s;
  if (halves)
    HD_EV(m, ccws_score_halve, s->hits, s->issued, 0, 0);
  const uint64_t tally = hd_ones(m->base.c->d.TALLY_W);
  s->issued = ((s->issued + s->picked) & tally) >> halves;
  s->hits = ((s->hits + hit) & tally) >> halves;
}

static inline bool score_is_full(const struct ccws_score *m) {
  return (m->s.issued | m->s.hits) >> (m->base.c->d.TALLY_W - 1);
}

/* Returns the cutoff: the sum of the scores of the present warps if none had lost locality. */
static inline uint64_t score_cutoff(const struct ccws_score *m) {
  return (m->s.there_low + m->s.there_high) * m->base.c->d.LLS_BASE;
}

/* ---- Divide ---- */

/* Moves `served` on to the next warp. If a wrong bit makes it no warp's number, it counts on to the end of its bits. */
static inline void score_look_on(struct ccws_score *m) {
  const struct hd_derived *d = &m->base.c->d;
  m->s.served = hd_next(m->s.served, d->WARPS, d->WID_W);
}

/* Starts the quotient of warp `served` if the warp waits; else moves on. */
static inline void score_begin(struct ccws_score *m) {
  struct ccws_score_st *s = &m->s;
  if (!hd_has(s->waits, s->served)) {
    score_look_on(m);
    return;
  }
  s->waits &= ~hd_bit(s->served);
  s->bit = 0;
  s->phase = SCORE_MULTIPLY;
}

static inline void score_multiply(struct ccws_score *m) {
  struct ccws_score_st *s = &m->s;
  const uint64_t sum = s->high + (s->low & 1 ? s->by : 0);
  s->low = s->low >> 1 | (sum & 1) << (m->base.c->d.LLS_W - 1);
  s->high = sum >> 1;
}

static inline void score_divide(struct ccws_score *m) {
  struct ccws_score_st *s = &m->s;
  const unsigned bits = m->base.c->d.LLS_W;
  const uint64_t rest = s->high << 1 | s->low >> (bits - 1);
  const bool fits = rest >= s->by;
  s->high = (fits ? rest - s->by : rest) & hd_ones(m->base.c->d.TALLY_W);
  s->low = (s->low << 1 & hd_ones(bits)) | fits;
}

/* Does the work of `phase`, the phase at the start of the cycle. SCORE_GIVE ends when a pass starts. */
static inline void score_work(struct ccws_score *m, uint64_t phase, bool halves) {
  struct ccws_score_st *s = &m->s;
  const unsigned last = m->base.c->d.LLS_W - 1;
  if (phase == SCORE_IDLE) {
    if (halves)
      return;
    s->by = s->hits < s->issued ? s->hits : s->issued;
    s->high = 0;
    s->low = score_cutoff(m) * m->base.c->d.LLS_K;
    if (s->waits)
      score_begin(m);
    return;
  }
  if (phase == SCORE_GIVE)
    return;
  if (phase == SCORE_MULTIPLY)
    score_multiply(m);
  else
    score_divide(m);
  if (s->bit != last) {
    s->bit = (s->bit + 1) & hd_ones(m->base.c->d.LLS_BIT_W);
    return;
  }
  if (s->phase++ == SCORE_MULTIPLY) {
    s->by = s->issued ? s->issued : 1;
    s->bit = 0;
  }
}

/* ---- Pass ---- */

struct rank {
  uint64_t wid, score;
};

/* Returns the rank in the row that was read last. Before the list is made: the warp with the row's number, at the
 * base score. */
static inline struct rank score_rank_of(const struct ccws_score *m, uint64_t row, uint64_t read) {
  const struct hd_derived *d = &m->base.c->d;
  return m->s.made ? (struct rank){read >> d->LLS_W, read & hd_ones(d->LLS_W)}
                   : (struct rank){row, m->base.c->d.LLS_BASE};
}
static inline void score_take_row(struct ccws_score *m) {
  const struct rank x = score_rank_of(m, m->s.row, *m->s.list_q);
  m->s.x_wid = x.wid;
  m->s.x_score = x.score;
}

static inline void score_hold(struct ccws_score *m, struct rank x) {
  m->s.hold_valid = 1;
  m->s.hold_wid = x.wid;
  m->s.hold_score = x.score;
}

static inline void score_give_place(struct ccws_score *m, struct rank x) {
  m->s.y_valid = 1;
  m->s.y_wid = x.wid;
  m->s.y_score = x.score;
}

static inline void score_start(struct ccws_score *m) {
  struct ccws_score_st *s = &m->s;
  const uint64_t base = m->base.c->d.LLS_BASE;
  s->move = s->phase == SCORE_GIVE;
  s->hold_valid = 0;
  if (s->move) {
    s->moved = s->served;
    score_hold(m, (struct rank){s->served, s->low > base ? s->low : base});
    HD_EV(m, ccws_score_score, s->hold_wid, s->hold_score, 0, 0);
    s->phase = SCORE_IDLE;
    score_look_on(m);
  }
  s->left = score_cutoff(m);
  s->first = 1;
  s->beyond = s->again = s->at = 0;
  score_take_row(m);
  *s->list_q = s->list[1];
  HD_COUNT(s->list_n.reads, 1);
  s->row = 1;
}

/* Compares the next warp of the list with the one in hold. One of the two gets its place. */
static inline void score_place(struct ccws_score *m, struct rank x) {
  struct ccws_score_st *s = &m->s;
  const struct rank held = {s->hold_wid, s->hold_score};
  s->y_valid = 0;
  if (s->move && x.wid == s->moved)
    return;
  if (!s->hold_valid)
    score_hold(m, x);
  else if (x.score > held.score)
    score_give_place(m, x);
  else {
    score_give_place(m, held);
    score_hold(m, x);
  }
}

/* Settles the warp that has its place: decides if it may load, and writes its new score. `free`: the warps that may
 * load in any case. */
static inline void score_settle(struct ccws_score *m, uint64_t free) {
  struct ccws_score_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t w = s->y_wid, score = s->y_score;
  struct rest rest = {s->left, s->first, s->beyond};
  const bool here = hd_has(s->present, w), was = hd_has(s->allowed, w);
  const bool allow = pass_may_load(&rest, here, score, hd_ones(d->CUTOFF_W));
  s->left = rest.left;
  s->first = rest.first;
  s->beyond = rest.beyond;
  s->allowed = (hd_with(s->allowed, w, allow) | free) & hd_ones(d->WARPS);
  const bool is = hd_has(s->allowed, w);
  if (here && was && !is)
    HD_EV(m, ccws_score_deny, w, score, 0, 0);
  else if (here && is && !was)
    HD_EV(m, ccws_score_allow, w, score, 0, 0);
  const uint64_t left = pass_fallen(here, score, m->base.c->d.LLS_BASE, d->PASS);
  s->list_wr = pass_put(m, s->at, w << d->LLS_W | left);
  HD_COUNT(s->list_n.writes, 1);
  s->at = (s->at + 1) & hd_ones(d->WID_W);
  s->again |= pass_follows(here, allow, left, m->base.c->d.LLS_BASE);
}

static inline void score_pass(struct ccws_score *m, uint64_t free) {
  struct ccws_score_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (s->row == 0) {
    if (s->again || s->phase == SCORE_GIVE)
      score_start(m);
    return;
  }
  if (s->y_valid)
    score_settle(m, free);
  if (s->row <= d->WARPS)
    score_place(m, (struct rank){s->x_wid, s->x_score});
  else if (s->row == d->WARPS + 1)
    score_give_place(m, (struct rank){s->hold_wid, s->hold_score});
  else
    s->y_valid = 0;
  if (s->row < d->WARPS)
    score_take_row(m);
  const bool ends = s->row == d->PASS - 1;
  s->row = ends ? 0 : (s->row + 1) & hd_ones(d->PASS_W);
  s->made |= ends;
  if (s->row < d->WARPS) {
    *s->list_q = s->list[s->row];
    HD_COUNT(s->list_n.reads, 1);
  }
}

/* ---- Alone ---- */

/* memo[SCORE_COUNTED]: the present warps at the last count. memo[SCORE_STAYS]: the row of the running pass up to
 * which `allowed` stays the same if no warp starts or ends; or the row in which the pass is over. */
enum { SCORE_STAYS, SCORE_COUNTED };

/* Returns the number of cycles for which `allowed` stays the same without new inputs. UINT64_MAX: forever. */
static inline uint64_t score_quiet(const struct ccws_score *m) {
  const struct ccws_score_st *s = &m->s;
  const uint64_t steps = m->base.c->d.LLS_W;
  if (s->row)
    return m->base.memo[SCORE_STAYS] - s->row;
  if (s->again || s->phase == SCORE_GIVE)
    return 0;
  if (s->phase == SCORE_IDLE)
    return s->waits ? 2 * steps + 1 : UINT64_MAX;
  return (s->phase == SCORE_MULTIPLY ? steps : 0) + steps - s->bit;
}

/* Runs the internal work of a cycle. In this order each step reads its registers as they were before the edge. */
static inline void score_go_on(struct ccws_score *m, uint64_t free, bool hit) {
  struct ccws_score_st *s = &m->s;
  const uint64_t phase = s->phase;
  const bool halves = phase == SCORE_IDLE && score_is_full(m);
  s->list_wr = -1;
  score_pass(m, free);
  score_work(m, phase, halves);
  score_tally(m, halves, hit);
  s->picked = 0;
}

/* Counts the present warps. */
static inline void score_count_present(struct ccws_score *m) {
  struct ccws_score_st *s = &m->s;
  if (!HD_WATCHED && m->base.memo[SCORE_COUNTED] == s->present)
    return;
  m->base.memo[SCORE_COUNTED] = s->present;
  s->there_low = (uint64_t)__builtin_popcountll(s->present & hd_ones(m->base.c->d.WARPS / 2));
  s->there_high = (uint64_t)__builtin_popcountll(s->present) - s->there_low;
}

/* Returns the number of cycles of the search for the next waiting warp. The last cycle finds it. */
static inline uint64_t score_search(const struct ccws_score *m) {
  const struct ccws_score_st *s = &m->s;
  const uint64_t behind = s->waits >> s->served;
  return 1 + (behind ? hd_lowest(behind) : m->base.c->d.WARPS - s->served + hd_lowest(s->waits));
}

/* Returns how many of the next `cycles` cycles are alike: steps of a pass, of a search, of a multiplication or
 * division, or of one of these and a pass. Returns 0 if the next cycle differs from the one after. */
static inline uint64_t score_alike(const struct ccws_score *m, uint64_t cycles) {
  const struct ccws_score_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if ((!s->row && (s->again | (s->phase == SCORE_GIVE))) || (s->row && !s->made) || s->row >= d->PASS ||
      s->served >= d->WARPS || score_is_full(m))
    return 0;
  const uint64_t works = s->phase == SCORE_GIVE ? UINT64_MAX
                         : s->phase             ? d->LLS_W - s->bit
                         : s->waits             ? score_search(m)
                                                : UINT64_MAX;
  const uint64_t passes = s->row ? d->PASS - s->row : UINT64_MAX, most = works < passes ? works : passes;
  return most < cycles ? most : cycles;
}

/* Runs `cycles` cycles that are alike. */
static inline void score_go_on_alike(struct ccws_score *m, uint64_t cycles) {
  struct ccws_score_st *s = &m->s;
  const uint64_t phase = s->phase;
  if (s->row)
    ccws_pass_on(m, (unsigned)cycles);
  if (phase == SCORE_MULTIPLY || phase == SCORE_DIVIDE)
    for (uint64_t n = 0; n < cycles; n++)
      score_work(m, phase, false);
  else if (phase == SCORE_IDLE && s->waits) {
    s->served = (s->served + cycles - 1) % m->base.c->d.WARPS;
    score_work(m, SCORE_IDLE, false);
  }
}

static inline void ccws_score_pass(struct ccws_score *m, const struct ccws_score_in *in, uint64_t cycles) {
  const struct ccws_score_st *s = &m->s;
  const uint64_t free = in->ccws_en ? 0 : hd_ones(m->base.c->d.WARPS);
  for (uint64_t n = 0; n < cycles && (n == 0 || s->waits | s->phase | s->row | s->again);) {
    const uint64_t many = n ? score_alike(m, cycles - n) : 0;
    if (many)
      score_go_on_alike(m, many);
    else
      score_go_on(m, free, false);
    if (n == 0)
      score_count_present(m);
    n += many ? many : 1;
  }
}

/* ---- The tick ---- */

static inline uint64_t ccws_score_cycle(struct ccws_score *m, const struct ccws_score_in *in) {
  struct ccws_score_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t launched = in->launch_valid ? in->launch_warps : 0;
  const uint64_t free = in->ccws_en ? launched : hd_ones(d->WARPS);
  const uint64_t present = (s->present & ~in->exit) | launched;
  score_go_on(m, free, in->hit_valid);
  score_count_present(m);
  for (unsigned k = 0; k < HD_IS(m, SCHEDS); k++)
    s->picked += in->pick_valid[k];
  if (in->hit_valid)
    s->waits |= hd_bit(in->hit_wid);
  s->allowed |= free;
  const bool others = present != s->present;
  s->present = present;
  if (s->row && (others || s->row == 1 || m->base.memo[SCORE_STAYS] < s->row))
    m->base.memo[SCORE_STAYS] = ccws_pass_stays(m);
  const uint64_t cycles = score_quiet(m);
  return HD_ALONE_FOR(cycles);
}

#endif
