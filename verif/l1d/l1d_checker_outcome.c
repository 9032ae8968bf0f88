/* Checks OUTCOME; see l1d_checker.h.
 *
 * A load that is reported was decided in the last cycle, so the cycle of its hooks' answers is known. Its pins are those of the cycle in
 * which it moved from c to d. That is the cycle in which the load before it was decided, if LOOK showed it then. Otherwise it is the first
 * cycle in which LOOK shows it; behind a store, any cycle in which LOOK shows it.
 */
#include "verif/l1d/l1d_checker_load.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool has_fields(const struct hd_derived *d, const struct req *r, const struct outcome *t) {
  return (!d->OUTCOME_LINE || t->line == r->line) && (!d->OUTCOME_WID || t->wid == r->wid) &&
         (!d->OUTCOME_FIRST || t->first == (r->num == 0)) && (!d->OUTCOME_TWO || t->two == (r->num < 2)) &&
         (!d->OUTCOME_LAST || t->last == r->last) && (!d->OUTCOME_GID || t->gid == r->gid) &&
         (!d->OUTCOME_PC || (t->pc == r->pc && t->low == r->low)) && (!d->OUTCOME_HPC || t->hpc == r->hpc) &&
         (!d->OUTCOME_LID || (t->trk == r->trk && t->lid == r->lid)) &&
         (!d->OUTCOME_SLOT || t->slot == r->slot) && (!d->OUTCOME_NUM || t->num == r->num) &&
         (!d->OUTCOME_PE || t->pe == r->pe) && (!d->OUTCOME_BYP || t->byp == r->byp) &&
         (!d->OUTCOME_LOC || t->loc == r->loc) && (!d->OUTCOME_SECTORS || t->sectors == r->sectors);
}

static bool is_decided(const struct hd_derived *d, const struct trial *t, const struct moment *m) {
  const struct decide *r = &m->decide;
  return (!d->DECIDE_SET || m->decide_set == t->line->set) && (!d->DECIDE_WID || r->wid == t->r.wid) &&
         (!d->DECIDE_HPC || r->hpc == t->r.hpc) && (!d->DECIDE_LOC || r->loc == t->r.loc);
}

bool hd_l1d_is_looked_at(const struct hd_derived *d, const struct trial *t, const struct moment *m) {
  const struct look *r = &m->look;
  return (!d->LOOK_SET || m->look_set == t->line->set) && (!d->LOOK_WRITE || r->write == t->r.write) &&
         (!d->LOOK_WID || r->wid == t->r.wid) && (!d->LOOK_HPC || r->hpc == t->r.hpc) &&
         (!d->LOOK_LID || (r->trk == t->r.trk && r->lid == t->r.lid));
}

/* Notes that the request may have left c in a cycle with these pins. */
void hd_l1d_look(struct trial *t, uint64_t pins) {
  t->all = t->looked ? t->all & pins : pins;
  t->some = t->looked ? t->some | pins : pins;
  t->looked = true;
}

/* The load is given back: all counts are as if it had never come. */
static void give_back(struct l1d_env *e, const struct trial *t) {
  struct record *rec = hd_l1d_record(e, t->r.wid, t->r.slot, t->r.num);
  rec->state = AGAIN;
  hd_l1d_settle(rec, true, false);
  hd_l1d_count(e, &t->r, t->line, -1);
  if (e->n_back == e->back_room) {
    e->back_room = 2 * e->back_room + 16;
    e->back = hd_resized(e->back, e->back_room, sizeof *e->back);
  }
  e->back[e->n_back++] = *t;
}

/* The next request moved to d in the cycle in which a load was decided; or it finds d empty later. */
static void follow(struct l1d_env *e) {
  const struct moment *m = &e->before;
  struct trial *next = &e->trial[0];
  if (e->n_trials == 0 || next->alone)
    return;
  next->looked = false;
  if (m->look_valid && hd_l1d_is_looked_at(&e->p.c->d, next, m))
    hd_l1d_look(next, m->pins);
  next->alone = !e->p.c->d.PREF;
}

/* Ways were taken. For a request that moved to d in that cycle they are pinned if `pins`; a prefetch does not pin. */
static void repin(struct l1d_env *e, uint64_t set, uint64_t ways, bool pins) {
  for (struct trial *t = e->trial; t < e->trial + e->n_trials; t++) {
    const bool sure = t == e->trial && t->alone; /* it surely moved in that cycle */
    if (!t->looked || t->line->set != set)
      continue;
    t->all = pins && sure ? t->all | ways : t->all & ~ways;
    t->some = pins ? t->some | ways : sure ? t->some & ~ways : t->some;
  }
}

/* Returns true if a fill asked or entered the cache in the last cycle; then no request was decided. */
static bool fill_blocks(const struct l1d_env *e) {
  if (!e->filling)
    return false;
  const uint64_t since = e->p.cycle - e->filling->flight.when;
  return since >= 2 && since <= hd_l1d_fill_cycles(&e->p.c->d);
}

/* OUTCOME reports the oldest load; so all requests before it are decided. Returns false if the report is wrong. */
static bool check_oldest(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  unsigned at = 0;
  while (at < e->n_trials && e->trial[at].r.write)
    at++;
  if (at == e->n_trials)
    return hd_fail(&e->p.env, "a load is reported, and none is inside of which nothing was reported");
  const struct trial *t = &e->trial[at];
  const char *wrong = !has_fields(d, &t->r, &out->outcome) ? "is reported with other fields than it has"
                      : d->OUTCOME_AT && out->outcome_set != t->line->set
                          ? "is reported with another set than its own"
                      : !is_decided(d, t, &e->before) ? "is decided with other fields than it has"
                      : d->LOOK_VALID && !t->looked   ? "was never looked at"
                      : fill_blocks(e)                ? "is decided as a fill enters the cache, or asks"
                      : e->outcome_all                ? NULL
                                                      : hd_l1d_check_some(e, t, out);
  if (wrong)
    return hd_fail(&e->p.env, "the oldest load of which nothing was reported, %s, %s",
                   hd_req_words(&t->r).text, wrong);
  if (e->outcome_all && !hd_l1d_check_decided(e, at, out))
    return false;
  const unsigned set = t->line->set;
  hd_l1d_record(e, t->r.wid, t->r.slot, t->r.num)->unreported = false;
  if (!out->outcome_load)
    give_back(e, t);
  e->n_trials -= at + 1;
  memmove(&e->trial[0], t + 1, e->n_trials * sizeof *t);
  follow(e);
  if (e->outcome_all && out->outcome_take)
    repin(e, set, out->outcome_at, e->before.pin_new);
  e->waited = 0;
  e->p.env.checked++;
  return true;
}

/* Checks OUTCOME in a cycle without a load: a prefetch may miss, or a fill may enter. Returns NULL, or the error. */
static const char *check_quiet(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const bool take = d->OUTCOME_TAKE && out->outcome_take;
  if ((d->OUTCOME_HIT && out->outcome_hit) || (d->OUTCOME_MERGE && out->outcome_merge) ||
      (d->OUTCOME_PAST && out->outcome_past))
    return "what became of a load is told, and none is";
  if (d->ON_MISS && take)
    return "that a load took a line is told, and none is";
  const bool write = d->OUTCOME_WRITE ? out->outcome_write : take || (d->OUTCOME_EVICT && out->outcome_evict);
  if (write && d->ON_MISS && !d->PREF)
    return "that a tag was written is told, and no load is";
  const char *wrong = !e->outcome_all ? NULL : write ? hd_l1d_check_write(e, out) : hd_l1d_check_no_write(e);
  if (!wrong && e->outcome_all && write && d->ON_MISS)
    repin(e, out->outcome_set, out->outcome_at, false);
  return wrong;
}

/* Checks relations between the bits of OUTCOME that always hold. Returns NULL, or the error. */
static const char *check_bits(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  if (d->OUTCOME_TRIED && out->outcome_load && !out->outcome_tried)
    return "a load was done, and was not tried";
  const bool write = (d->OUTCOME_WRITE && out->outcome_write) || (d->OUTCOME_EVICT && out->outcome_evict);
  const bool one = out->outcome_at && !(out->outcome_at & (out->outcome_at - 1));
  if (d->OUTCOME_AT && (write || (d->OUTCOME_TAKE && out->outcome_take)) && !one)
    return "a tag was written, or a line taken, and not in one way";
  if (d->OUTCOME_EVICT && out->outcome_evict && ++e->evictions > e->fills)
    return "a line was replaced more often than one came";
  if (d->OUTCOME_EVICT && d->OUTCOME_WRITE && out->outcome_evict && !out->outcome_write)
    return "a line was replaced, and no tag was written";
  return NULL;
}

bool hd_l1d_check_outcome(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  if (!d->OUTCOME_LOAD)
    return true;
  const bool load = d->OUTCOME_TRIED ? out->outcome_tried : out->outcome_load;
  const char *wrong = check_bits(e, out);
  if (!wrong && !load)
    wrong = check_quiet(e, out);
  if (wrong)
    return hd_fail(&e->p.env, "told: %s", wrong);
  return !load || check_oldest(e, out);
}
