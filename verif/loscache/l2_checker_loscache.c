/* Checks LoSCache's part of an L2 slice: counts, sleep and power; see verif/l2/l2_checker.h. */
#include "verif/l2/l2_checker.h"

#include <inttypes.h>

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Strict: returns line->had for a request that was taken after `drops` drops; 0 if the line was dropped since. */
static uint64_t had(const struct l2_line *line, uint64_t drops) {
  return line->drops == drops ? line->had : 0;
}

void hd_slice_note_taken(struct l2_env *e, struct l2_record *rec, uint64_t pred) {
  const struct hd_derived *d = &e->p.c->d;
  struct l2_line *line = rec->line;
  if (rec->name.kind == HD_QUERY) {
    /* A line with prediction 1 is not stored; its count includes requests that merge after its tag is kept alone. */
    rec->exact = e->strict && rec->alone && line->pred != 1;
    rec->most = rec->exact ? had(line, e->command.drops) : line->accesses - line->base;
    rec->most = least(rec->most, d->LOS ? hd_ones(d->CNT_W) : 0);
    return;
  }
  const bool predicted = d->LOS && e->enabled && pred;
  rec->drops = e->command.drops;
  rec->serial = ++line->accesses;
  rec->closer = line->closer;
  rec->most = line->accesses - line->base;
  if (predicted &&
      (!e->enable || pred <= line->accesses - line->base)) /* in l2_slice alone any access may be the last */
    line->closer = rec->serial;
  e->watch.accesses++;
  e->watch.predicted += predicted;
}

const char *hd_slice_check_early(struct l2_env *e, const struct l2_record *rec, const struct l2rsp *rsp) {
  struct l2_line *line = rec->line;
  if (rsp->kind == HD_QUERY) {
    if (rsp->count > rec->most || (rec->exact && rsp->count != rec->most))
      return "counts what the accesses of its line were not";
    return NULL;
  }
  const bool early = rsp->count != 0;
  if (rec->drops != line->drops) { /* this is the first answer to a request taken after a drop */
    line->drops = rec->drops;
    line->had = line->woken = 0;
  }
  if (early && rsp->count > rec->most)
    return "is early, and says more accesses than its line has had";
  if (e->strict && early && (!line->pred || line->had < line->pred))
    return "is early, and its line has not had the accesses predicted";
  if (e->strict && !early && rec->alone && line->pred && line->had >= line->pred)
    return "is not early, and its line should have slept";
  if (e->strict && early && line->pred != 1 && rsp->count != least(line->had + 1, hd_ones(e->p.c->d.CNT_W)))
    return "is early, and says another number of accesses than its line has had";
  if (early && (!rec->closer || rec->closer < line->woken))
    return "is early, and nothing can have put its line to sleep";
  if (early && rec->alone) /* otherwise it may have merged, and the line still sleeps */
    line->woken = rec->serial;
  line->had = early ? 1 : line->had + 1;
  return NULL;
}

const char *hd_slice_note_dropped(struct l2_env *e) {
  e->command.drops++;
  for (unsigned set = 0; set < e->p.c->d.L2_SETS; set++)
    if (e->watch.power[set])
      return "is done, and a line is powered";
  for (unsigned i = 0; i < e->n_lines; i++) {
    struct l2_line *line = &e->pool[i];
    line->base = line->dropped = line->accesses;
    line->closer = 0;
  }
  return NULL;
}

/* Returns the number of powered lines of the set, in a strict or low run. */
static unsigned powered(const struct l2_env *e, unsigned set) {
  unsigned n = 0;
  for (unsigned i = 0; i < e->n_lines; i++) {
    const struct l2_line *line = &e->pool[i];
    const uint64_t so_far = had(line, e->command.drops);
    if (line->set == set)
      n += e->strict ? so_far && (!line->pred || so_far < line->pred) : line->accesses > line->dropped;
  }
  return (unsigned)least(n, e->p.c->d.L2_WAYS);
}

/* Checks the power of all sets when nothing has been inside for some cycles. Returns false if it is wrong. */
static bool check_rest(struct l2_env *e) {
  for (unsigned i = 0; i < e->n_lines; i++) {
    const unsigned set = e->pool[i].set, n = (unsigned)__builtin_popcountll(e->watch.power[set]);
    if ((i == 0 || e->pool[i - 1].set != set) && n != powered(e, set))
      return hd_fail(&e->p.env, "%u lines of set %u are powered, it should be %u", n, set, powered(e, set));
  }
  e->p.env.checked++;
  return true;
}

bool hd_slice_check_power(struct l2_env *e, const uint64_t *sleep, uint64_t awake) {
  enum { SETTLED = 4 };
  struct hd_env *env = &e->p.env;
  const struct hd_derived *d = &e->p.c->d;
  uint64_t n = 0;
  unsigned changed = 0;
  const uint64_t wakes = e->watch.wakes;
  for (unsigned s = 0; s < d->L2_SETS; s++) {
    const uint64_t power = ~sleep[s] & hd_ones(d->L2_WAYS), was = e->watch.power[s];
    n += (unsigned)__builtin_popcountll(power);
    if (power == was)
      continue;
    e->watch.wakes += (unsigned)__builtin_popcountll(power & ~was);
    if (!(e->command.going && e->command.taken_op & HD_MT_INVALIDATE))
      e->watch.sleeps += (unsigned)__builtin_popcountll(was & ~power);
    changed += (unsigned)__builtin_popcountll(power ^ was);
    e->watch.power[s] = power;
  }
  if (n != awake)
    return hd_fail(env, "awake is %" PRIu64 ", %" PRIu64 " lines are powered", awake, n);
  if (changed > 1)
    return hd_fail(env, "the power of %u lines changes in a cycle", changed);
  e->watch.begun = e->watch.begun << 1 | (e->watch.wakes > wakes);
  const unsigned waking =
      d->WAKE_LIMITED ? (unsigned)__builtin_popcountll(e->watch.begun & hd_ones(d->WAKE)) : 0;
  if (e->enable && waking > d->WAKE_MOST) /* in l2_slice alone any number of rows may wake */
    return hd_fail(env, "%u rows wake in one cycle, %u may", waking, d->WAKE_MOST);
  if (e->watch.sleeps > e->watch.predicted)
    return hd_fail(env, "more lines have gone to sleep than there were accesses with a prediction");
  if (e->watch.wakes > e->watch.accesses)
    return hd_fail(env, "more lines have been powered than there were accesses");
  e->watch.settled = e->records || e->command.going ? 0 : e->watch.settled + 1;
  env->checked += changed;
  if (e->watch.settled != SETTLED)
    return true;
  if (e->watch.wakes > e->asked + d->L2_IQ)
    return hd_fail(env, "more lines have been powered than were read");
  return e->strict || e->low ? check_rest(e) : true;
}
