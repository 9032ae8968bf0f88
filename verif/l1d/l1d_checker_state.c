/* Keeps the known state of requests, lines and ways; see l1d_checker_state.h. */
#include "verif/l1d/l1d_checker_state.h"

uint64_t hd_l1d_all_ways(const struct hd_derived *d) {
  return hd_ones(d->WAYS);
}

unsigned hd_l1d_lowest(uint64_t ways) {
  return (unsigned)__builtin_ctzll(ways);
}

bool hd_l1d_brings(const struct hd_derived *d, const struct line *line, unsigned w) {
  return !d->SECTOR_FILL || line->sectors >> w / d->SECTOR_WORDS & 1;
}

bool hd_l1d_same(const struct hd_derived *d, const struct line *line, const uint64_t *a, const uint64_t *b) {
  bool same = true;
  for (unsigned w = 0; w < d->WORDS; w++)
    same = same && (a[w] == b[w] || !hd_l1d_brings(d, line, w));
  return same;
}

struct record *hd_l1d_record(const struct l1d_env *e, uint64_t wid, uint64_t slot, uint64_t num) {
  const struct hd_config *c = e->p.c;
  if (wid >= c->d.WARPS || slot >= c->sm.loads || num >= c->d.LANES)
    return NULL;
  return &e->records[(wid * c->sm.loads + slot) * c->d.LANES + num];
}

bool hd_l1d_aside(const struct l1d_env *e, const struct mreq *r) {
  const struct record *rec = r->kind == HD_BYPASSED ? hd_l1d_record(e, r->wid, r->slot, r->num) : NULL;
  return rec && rec->state != FREE && rec->op;
}

void hd_l1d_count(struct l1d_env *e, const struct req *r, struct line *line, int n) {
  line->loads += (unsigned)n;
  line->of_entry[r->pe] += (uint16_t)n;
  line->cached += (unsigned)n;
  if (n < 0)
    hd_l1d_loads_end(e, line, NULL);
  e->inside += (unsigned)n;
}

struct place *hd_l1d_place_at(const struct l1d_env *e, unsigned set, unsigned way) {
  return &e->places[set * e->p.c->d.WAYS + way];
}

int64_t hd_l1d_stores_before(const struct l1d_env *e, const struct line *line, unsigned from) {
  int64_t n = line->stores;
  for (unsigned i = from; i < e->n_trials; i++)
    n -= e->trial[i].r.write && e->trial[i].line == line;
  return n;
}

unsigned hd_l1d_fill_cycles(const struct hd_derived *d) {
  return 2 + d->FILL;
}

/* A fill that is answered in one cycle enters the cache in the next cycle; one cycle later if it asks first. It counts from the cycle after
 * that. */
bool hd_l1d_in_flight(const struct hd_derived *d, const struct line *line, uint64_t cycle) {
  return line->flight.there &&
         (!line->flight.filled || cycle + 2 <= line->flight.when + hd_l1d_fill_cycles(d));
}

struct view hd_l1d_set_view(const struct l1d_env *e, unsigned set, unsigned from, uint64_t cycle) {
  const struct hd_derived *d = &e->p.c->d;
  struct view v = {.own = NO_WAY};
  for (unsigned w = 0; w < d->WAYS; w++) {
    const struct place *p = hd_l1d_place_at(e, set, w);
    const uint64_t bit = UINT64_C(1) << w;
    if (p->unknown) {
      v.reserved |= bit;
      v.unknown |= bit;
    } else if (p->line && d->ON_MISS && hd_l1d_in_flight(d, p->line, cycle)) {
      v.reserved |= bit;
    } else if (p->line && !p->dead && hd_l1d_stores_before(e, p->line, from) == p->stores) {
      v.valid |= bit;
    }
  }
  return v;
}

struct view hd_l1d_view_of(const struct l1d_env *e, unsigned at, uint64_t cycle) {
  const struct hd_derived *d = &e->p.c->d;
  const struct line *line = e->trial[at].line;
  struct view v = hd_l1d_set_view(e, line->set, at + 1, cycle);
  for (unsigned w = 0; w < d->WAYS; w++)
    if ((v.valid | (v.reserved & ~v.unknown)) >> w & 1 && hd_l1d_place_at(e, line->set, w)->line == line)
      v.own = (int)w;
  v.flies = hd_l1d_in_flight(d, line, cycle);
  v.joins = v.flies && !line->flight.dead && line->flight.stores == hd_l1d_stores_before(e, line, at + 1) &&
            line->flight.merged < d->MERGE;
  v.perhaps =
      v.flies ? line->flight.unsure : line->prefetches && v.own == NO_WAY && (!d->ON_MISS || v.unknown);
  return v;
}

void hd_l1d_put(struct l1d_env *e, struct place *p, struct line *line, int64_t stores, bool fresh) {
  if (p->line)
    p->line->place = NULL;
  if (line && line->place)
    *line->place = (struct place){.line = NULL};
  *p = (struct place){.line = line, .unknown = !line, .fresh = fresh, .stores = stores, .used = ++e->stamp};
  if (line)
    line->place = p;
}

void hd_l1d_identify(struct place *p, struct line *line, int64_t stores) {
  if (line->place)
    *line->place = (struct place){.line = NULL};
  p->line = line;
  p->unknown = false;
  p->stores = stores;
  line->place = p;
  line->flight.dead = p->dead;
}

void hd_l1d_fly(struct l1d_env *e, struct line *line, int64_t stores, const struct req *first) {
  line->flight.there = true;
  line->flight.filled = line->flight.dead = line->flight.unsure = false;
  line->flight.fresh = !first;
  line->flight.stores = stores;
  line->flight.merged = first != NULL;
  line->flight.hpc = first ? first->hpc : 0;
  line->flight.wid = first ? first->wid : 0;
  line->flight.among = line->flight.pin = false;
  e->waiting++;
}
