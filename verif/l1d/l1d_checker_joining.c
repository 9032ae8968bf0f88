/* The joining rule; see l1d_checker_joining.h. */
#include "verif/l1d/l1d_checker_joining.h"

bool hd_l1d_is_early(const struct l1d_env *e, const struct req *r, const struct moment *m) {
  return (m->bypass || r->byp || e->p.c->d.BYP_ALL) && !m->keep;
}

/* Returns the possible outcomes of a load that lacks a line, an MSHR, or a place to merge. */
static unsigned lacking(const struct l1d_env *e, bool line, const struct moment *m) {
  const bool stalls = m->stalls && (line || e->p.c->request_buffer.bypass == HD_BYPASS_ALL);
  const bool past = stalls || (line && m->lack_line && !m->keep);
  return (past ? PASSED : 0U) | (m->again ? LEFT : 0U);
}

/* The cases come in the order of the joining rule in docs/mechanisms/hooks.md. */
unsigned hd_l1d_may_become(const struct l1d_env *e, const struct trial *t, const struct view *v,
                           const struct moment *m, uint64_t pins) {
  const struct hd_derived *d = &e->p.c->d;
  const unsigned left = m->again ? LEFT : 0;
  const bool early = hd_l1d_is_early(e, &t->r, m), there = v->own != NO_WAY && v->valid >> v->own & 1;
  const unsigned waiting = e->waiting + m->filled; /* the MSHR of a fill in this cycle waits to its end */
  const bool full = waiting + m->answering >= d->MSHRS || (d->PREF && !d->ON_MISS); /* may be full */
  if (there)
    return d->FORWARD && early ? FORWARDED | left : SERVED;
  if (v->perhaps) {
    const struct view not = {v->valid, v->reserved, v->unknown, NO_WAY, false, false, false};
    return MERGED | (early ? PASSED | left : lacking(e, false, m)) |
           (v->flies ? 0 : hd_l1d_may_become(e, t, &not, m, pins));
  }
  if (v->joins)
    return MERGED;
  if (early)
    return PASSED | left;
  if (v->flies)
    return lacking(e, false, m);
  if (pins && (v->reserved | (v->valid & pins)) == hd_l1d_all_ways(d))
    return PASSED | left;
  if (v->reserved == hd_l1d_all_ways(d))
    return lacking(e, true, m);
  if (m->hold && !m->keep)
    return 0;
  if (m->refuse && !m->keep)
    return PASSED | left;
  unsigned may = full ? lacking(e, false, m) : 0;
  if (waiting < d->MSHRS)
    may |= MISSED | left;
  return may;
}

const char *hd_l1d_check_victim(const struct l1d_env *e, unsigned set, const struct view *v, uint64_t at,
                                uint64_t free, uint64_t some, uint64_t all) {
  const struct hd_derived *d = &e->p.c->d;
  const uint64_t empty = hd_l1d_all_ways(d) & ~v->valid & ~v->reserved;
  if (empty)
    return at == (empty & (~empty + 1)) ? NULL : "takes a way that is not the lowest empty one";
  if (!(at & v->valid & free & ~all))
    return at & v->reserved ? "takes a way that is reserved"
           : at & ~free     ? "takes a way that is not one of those among which it may"
                            : "takes a way that is pinned";
  for (unsigned w = 0; w < d->WAYS; w++)
    if ((v->valid & free & ~some) >> w & 1 &&
        hd_l1d_place_at(e, set, w)->used < hd_l1d_place_at(e, set, hd_l1d_lowest(at))->used)
      return "takes a way that was used after another that it may take";
  return NULL;
}

const char *hd_l1d_check_evict(const struct l1d_env *e, unsigned set, const struct view *v,
                               const struct l1d_out *out) {
  const bool evicts =
      v->valid & out->outcome_at && !hd_l1d_place_at(e, set, hd_l1d_lowest(out->outcome_at))->fresh;
  if (!e->p.c->d.OUTCOME_EVICT || out->outcome_evict == evicts)
    return NULL;
  return evicts ? "is not said to replace a load's line, and one was there"
                : "is said to replace a load's line, and none was there";
}
