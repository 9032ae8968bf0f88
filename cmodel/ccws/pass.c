/* Many steps of a pass of CCWS at a time; see pass.h. First the order of the warps is found, then the effects on
 * them. That costs half of what the single steps cost. */
#include "cmodel/ccws/pass.h"

/* A warp and its score, as a row of `list`; or NOBODY. */
enum { MOST_STEPS = HD_MOST(sm, warps) + 3 };
#define NOBODY UINT64_MAX

/* Fills placed[n] with the warp that has its place after n more steps (placed[0]: now), or NOBODY. Returns the warp
 * in hold after `steps` steps, or NOBODY. Rows that the pass has not read yet hold what the pass before left. */
static uint64_t foresee_places(const struct ccws_score *m, unsigned steps, uint64_t *placed) {
  const struct ccws_score_st *s = &m->s;
  const unsigned warps = m->base.c->d.WARPS, bits = m->base.c->d.LLS_W;
  const uint64_t score = hd_ones(bits), moved = s->move ? s->moved : NOBODY, *const list = s->list;
  const uint64_t row = s->row, end = row + steps, come = end <= warps ? end : warps + 1;
  uint64_t hold = s->hold_valid ? s->hold_wid << bits | s->hold_score : NOBODY;
  uint64_t x = s->x_wid << bits | s->x_score, r = row;
  *placed++ = s->y_valid ? s->y_wid << bits | s->y_score : NOBODY;
  if (hold == NOBODY && r < come) { /* the first warp of a pass that moves no warp */
    hold = x;
    *placed++ = NOBODY;
    x = r < warps ? list[r] : 0;
    r++;
  }
  for (; r < come; r++) {
    const uint64_t y = hold;
    const bool before = (x & score) > (y & score);
    if (x >> bits == moved)
      *placed++ = NOBODY;
    else {
      *placed++ = before ? x : y;
      hold = before ? y : x;
    }
    x = r < warps ? list[r] : 0;
  }
  for (; r < end; r++)
    *placed++ = r == warps + 1 ? hold : NOBODY;
  return hold;
}

uint64_t ccws_pass_stays(const struct ccws_score *m) {
  const struct ccws_score_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (!s->made || s->row >= d->PASS)
    return s->row;
  const unsigned bits = d->LLS_W, steps = (unsigned)(d->PASS - s->row);
  const uint64_t present = s->present, allowed = s->allowed, within = hd_ones(d->CUTOFF_W);
  uint64_t placed[MOST_STEPS + 1] = {NOBODY};
  struct rest rest = {s->left, s->first, s->beyond};
  foresee_places(m, steps, placed);
  unsigned step = 0;
  for (; step < steps; step++) {
    const uint64_t y = placed[step], wid = y >> bits;
    if (y != NOBODY &&
        pass_may_load(&rest, hd_has(present, wid), y & hd_ones(bits), within) != hd_has(allowed, wid))
      break;
  }
  return s->row + step;
}

/* Settles the warps of `placed` one after the other: writes their new scores. `allowed` stays. */
static void settle_all(struct ccws_score *m, const uint64_t *placed, uint64_t steps) {
  struct ccws_score_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const unsigned bits = d->LLS_W;
  const uint64_t present = s->present, within = hd_ones(d->CUTOFF_W), places = hd_ones(d->WID_W),
                 base = d->LLS_BASE, pass = d->PASS;
  uint64_t at = s->at, writes = 0;
  int64_t wr = -1;
  struct rest rest = {s->left, s->first, s->beyond};
  bool again = s->again;
  for (uint64_t step = 0; step < steps; step++) {
    const uint64_t y = placed[step], wid = y >> bits, score = y & hd_ones(bits);
    if (y == NOBODY)
      continue;
    const bool here = hd_has(present, wid), allow = pass_may_load(&rest, here, score, within);
    const uint64_t left = pass_fallen(here, score, base, pass);
    again |= pass_follows(here, allow, left, base);
    wr = pass_put(m, at, wid << bits | left);
    at = (at + 1) & places;
    writes++;
  }
  s->left = rest.left;
  s->first = rest.first;
  s->beyond = rest.beyond;
  s->again = again;
  s->list_wr = placed[steps - 1] == NOBODY ? -1 : wr;
  s->list_n.writes += writes;
  s->at = at;
}

void ccws_pass_on(struct ccws_score *m, unsigned steps) {
  struct ccws_score_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const unsigned bits = d->LLS_W;
  const uint64_t row = s->row, end = row + steps, last = d->WARPS - 1;
  uint64_t placed[MOST_STEPS + 1] = {NOBODY};
  const uint64_t hold = foresee_places(m, steps, placed);
  const bool over = end == d->PASS;
  if (row <= last) {
    const uint64_t x = end - 1 < last ? end - 1 : last, q = end < last ? end : last;
    s->x_wid = s->list[x] >> bits;
    s->x_score = s->list[x] & hd_ones(bits);
    s->list_n.reads += q - row;
    *s->list_q = s->list[q];
  }
  settle_all(m, placed, steps);
  unsigned y = steps;
  while (y && placed[y] == NOBODY)
    y--;
  s->y_valid = placed[steps] != NOBODY;
  if (placed[y] != NOBODY) {
    s->y_wid = placed[y] >> bits;
    s->y_score = placed[y] & hd_ones(bits);
  }
  s->hold_valid = hold != NOBODY;
  if (hold != NOBODY) {
    s->hold_wid = hold >> bits;
    s->hold_score = hold & hd_ones(bits);
  }
  s->row = over ? 0 : end;
  if (over) {
    *s->list_q = *s->list;
    s->list_n.reads++;
  }
}
