/* What the cache keeps and gives back, as far as the ports show it; see l1d_checker.h.
 *
 * Invariant: what is said of a line holds whenever the requests inside are decided, and in whatever cycle.
 */
#include "verif/l1d/l1d_checker.h"

enum {
  SETTLED = 8,
  CHANCES = 3 /* cycles in which nothing moves, for the pipeline; in which something should */
};

void hd_l1d_loads_end(struct l1d_env *e, struct line *line, const struct record *used) {
  line->idle = e->p.cycle;
  if (used && used->taken > line->used)
    line->used = used->taken;
}

/* A load of it was inside in that cycle or later: so it may have been used, or in flight. */
static bool is_busy_since(const struct line *line, uint64_t cycle) {
  return line->loads || line->idle >= cycle;
}

/* A line of the pool before it, of the same address, was busy: they are sectors of one line. */
static bool is_counted(const struct l1d_env *e, const struct line *line, uint64_t cycle) {
  bool counted = false;
  for (const struct line *o = e->pool; o < line && !counted; o++)
    counted = o->addr == line->addr && is_busy_since(o, cycle);
  return counted;
}

/* As many other lines of its set as there are ways. */
static bool are_busy_since(const struct l1d_env *e, const struct line *line, uint64_t cycle) {
  const unsigned ways = e->p.c->d.WAYS;
  unsigned others = 0;
  for (const struct line *o = e->pool; o < e->pool + e->n_lines && others < ways; o++)
    others += o->addr != line->addr && o->set == line->set && is_busy_since(o, cycle) &&
              !(e->p.c->d.SECTOR_FILL && is_counted(e, o, cycle));
  return others == ways;
}

/* A way is taken from the line only when each other way is in flight or has been used later, and for one line more. */
static bool must_be_there(const struct l1d_env *e, const struct line *line) {
  return line->filled != NEVER && line->filled == line->stores && line->stays && line->used &&
         !are_busy_since(e, line, line->used);
}

/* Only recency chooses ways, and they are reserved for loads alone. */
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

/* A load may wait for an MSHR, or for room in that of its line. */
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
