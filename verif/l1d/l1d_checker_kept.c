/* Checks which lines the cache keeps and replaces, as far as the ports show it; see l1d_checker.h.
 *
 * Invariant: a statement about a line holds whatever the cycles in which the requests inside are decided.
 */
#include "verif/l1d/l1d_checker.h"

enum {
  SETTLED = 8,
  CHANCES = 3 /* cycles without a move: until the pipeline is at rest; that a load may wait then */
};

void hd_l1d_loads_end(struct l1d_env *e, struct line *line, const struct record *used) {
  line->idle = e->p.cycle;
  if (used && used->taken > line->used)
    line->used = used->taken;
}

/* Returns true if a load of the line was inside in that cycle or later: the line may have been used, or in flight. */
static bool is_busy_since(const struct line *line, uint64_t cycle) {
  return line->loads || line->idle >= cycle;
}

/* Returns true if an earlier entry of the pool with the same address was busy: both are sectors of one line, which counts once. */
static bool is_counted(const struct l1d_env *e, const struct line *line, uint64_t cycle) {
  bool counted = false;
  for (const struct line *o = e->pool; o < line && !counted; o++)
    counted = o->addr == line->addr && is_busy_since(o, cycle);
  return counted;
}

/* Returns true if as many other lines of its set as there are ways were busy since that cycle. */
static bool are_busy_since(const struct l1d_env *e, const struct line *line, uint64_t cycle) {
  const unsigned ways = e->p.c->d.WAYS;
  unsigned others = 0;
  for (const struct line *o = e->pool; o < e->pool + e->n_lines && others < ways; o++)
    others += o->addr != line->addr && o->set == line->set && is_busy_since(o, cycle) &&
              !(e->p.c->d.SECTOR_FILL && is_counted(e, o, cycle));
  return others == ways;
}

/* Returns true if the line must still be in the cache. It is replaced only if each other way is in flight or was used later, and one more
 * line needs a way. */
static bool must_be_there(const struct l1d_env *e, const struct line *line) {
  return line->filled != NEVER && line->filled == line->stores && line->stays && line->used &&
         !are_busy_since(e, line, line->used);
}

/* Returns true if only recency chooses ways, and ways are reserved only for loads. */
static bool is_plain(const struct hd_derived *d) {
  return d->ON_MISS && !d->PREF && !d->PINS && !d->HOLD;
}

const char *hd_l1d_check_kept(const struct l1d_env *e, const struct line *line, const struct mreq *r) {
  if (!e->asked_once && r->id)
    return "is the first after a reset, and not of MSHR 0";
  return is_plain(&e->p.c->d) && must_be_there(e, line) ? "fetches a line that must still be there" : NULL;
}

const char *hd_l1d_check_away(const struct l1d_env *e, const struct record *rec) {
  const struct hd_config *c = e->p.c;
  const bool by_stall = c->request_buffer.bypass == HD_BYPASS_ASSOC && !rec->byp && !c->d.BYP_ALL &&
                        !c->d.ADVISED && !c->d.LACK_LINE;
  if (e->away >= c->d.BYPS)
    return "is of a load that bypasses, and no slot is free";
  return by_stall && is_plain(&c->d) && !are_busy_since(e, rec->line, rec->taken)
             ? "is of a load that bypasses, and its set has a way for it"
             : NULL;
}

/* Returns true if a load may wait for an MSHR, or for room in the MSHR of its line. */
static bool mshrs_may_lack(const struct l1d_env *e) {
  const struct hd_derived *d = &e->p.c->d;
  bool lack = (unsigned)__builtin_popcountll(e->mshrs) == d->MSHRS;
  for (const struct line *o = e->pool; o < e->pool + e->n_lines && !lack; o++)
    lack = o->fetched && (o->loads > d->MERGE || o->asked != o->stores);
  return lack;
}

bool hd_l1d_check_still(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const bool moves = !in->req_valid || out->req_ready || out->mreq_valid || out->resp_valid || in->mrsp_valid;
  e->still = moves ? 0 : e->still + 1;
  e->kept = moves ? 0 : e->kept;
  if (e->still < SETTLED || !e->now.stalls || e->away == d->BYPS || d->PREF || d->PINS || d->HOLD ||
      d->AGAIN || mshrs_may_lack(e))
    return true;
  return ++e->kept <= CHANCES ||
         hd_fail(&e->p.env, "nothing moves, and the next load is not kept from going on uncached");
}
