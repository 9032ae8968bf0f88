/* The environment of `gate_ctrl`: lookups and `act` of one set or a few, of one way or all, at full speed or now and then. It keeps the
 * slice's contract: acts that count, wake or keep a line are in the set looked up in the cycle before. A line is counted only after its
 * first wake or kept tag, and goes to sleep only if it is powered.
 *
 * It checks at the ports, with the table of docs/mechanisms/loscache.md applied to arrays: the answers about the set looked up in the cycle
 * before and about its prediction; `on` of the set looked up last, in every cycle; all of `sleep`; and `awake`. The count of a line means
 * nothing before its first wake or kept tag. If rows need time to wake: each takes the same number of cycles, they finish in the order in
 * which they began, and no more wake at once than the limit allows. A waking line is in flight, so no other act is done to it, and its MSHR
 * asks for no other row.
 */
#include "verif/harness/env_common.h"
#include "verif/l2/line_power.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HD_MAX_WAKE = HD_MOST(loscache, wake_cycles) + 1 }; /* most cycles in which a row wakes */

struct gate_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned look, act, sleep, same, first, sets, way, ways, like, weight[HD_ACT_SLEEP];
  } m;
  struct hd_line_power line_power;
  uint64_t *counted;        /* for each set: bit w = the count of way w has been set */
  bool looked;              /* a set was looked up in the cycle before */
  uint64_t set, pred, next; /* looked up last, or 0; next: the prediction of this cycle's lookup */
  struct waking {
    uint64_t mshr, set, at, since; /* since: cycles it has been waking; the first is 1 */
  } waking[HD_MAX_WAKE];           /* the oldest first */
  unsigned n_waking;
  bool room; /* wake_room in this cycle: a row may begin */
};

static void new_mood(struct gate_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  e->m.look = hd_density(p, true);
  e->m.act = hd_density(p, false);
  e->m.sleep = hd_below(p, 2) ? 16 : hd_density(p, false);
  e->m.same = hd_density(p, false);
  e->m.first = hd_below(p, d->L2_SETS);
  e->m.sets = hd_below(p, 2) ? d->L2_SETS : 1 + hd_below(p, 2);
  e->m.way = hd_below(p, d->L2_WAYS);
  e->m.ways = hd_below(p, 2) ? d->L2_WAYS : 1 + hd_below(p, 2);
  e->m.like = hd_density(p, false);
  for (unsigned a = HD_ACT_COUNT; a < HD_ACT_SLEEP; a++) {
    e->m.weight[a] = hd_below(p, 3);
    e->m.weight[a] *= hd_below(p, 16);
  }
  if (hd_below(p, 4) == 0) /* only count, so that counts saturate */
    e->m.weight[HD_ACT_WAKE] = e->m.weight[HD_ACT_KEEP] = e->m.weight[HD_ACT_COUNT_SLEEP] = 0;
}

static unsigned some_set(struct gate_env *e) {
  return (e->m.first + hd_below(&e->p, e->m.sets)) % e->p.c->d.L2_SETS;
}

static unsigned some_way(struct gate_env *e) {
  return (e->m.way + hd_below(&e->p, e->m.ways)) % e->p.c->d.L2_WAYS;
}

/* Draws a lookup, and for the next cycle a prediction near the counts of the set, or any. */
static void draw_look(struct gate_env *e, struct gate_ctrl_in *in) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  in->look_valid = !p->env.stop && hd_chance(p, e->m.look);
  in->look_set = hd_chance(p, e->m.same) ? e->set : some_set(e);
  const unsigned way = some_way(e), more = hd_below(p, 4);
  const uint64_t near = hd_line_power_counts(&e->line_power, in->look_set)[way] + more;
  e->next = hd_chance(p, e->m.like) ? near & hd_ones(d->CNT_W) : hd_bits(p, d->CNT_W);
}

static bool is_waking(const struct gate_env *e, uint64_t set, unsigned way) {
  for (unsigned i = 0; i < e->n_waking; i++)
    if (e->waking[i].set == set && e->waking[i].at == UINT64_C(1) << way)
      return true;
  return false;
}

/* Finds an MSHR whose row is not waking, from a random one on. Returns false if there is none. */
static bool free_mshr(struct gate_env *e, uint64_t *mshr) {
  const unsigned n = e->p.c->d.L2_MSHRS, first = hd_below(&e->p, n);
  for (unsigned k = 0; k < n; k++) {
    bool free = true;
    *mshr = (first + k) % n;
    for (unsigned i = 0; i < e->n_waking; i++)
      free &= e->waking[i].mshr != *mshr;
    if (free)
      return true;
  }
  return false;
}

/* Returns true if the slice may do the act. */
static bool fits(const struct gate_env *e, enum hd_act act, uint64_t set, unsigned way) {
  if (is_waking(e, set, way) || (act == HD_ACT_WAKE && !e->room))
    return act == HD_ACT_NONE || (act == HD_ACT_COUNT && is_waking(e, set, way));
  const bool on = e->line_power.power[set] >> way & 1, counted = e->counted[set] >> way & 1;
  switch (act) {
  case HD_ACT_COUNT:
    return counted;
  case HD_ACT_COUNT_SLEEP:
  case HD_ACT_SLEEP:
    return on;
  default:
    return true;
  }
}

static enum hd_act draw_act(struct gate_env *e) {
  struct hd_env_base *p = &e->p;
  unsigned sum = 1;
  for (unsigned a = HD_ACT_COUNT; a < HD_ACT_SLEEP; a++)
    sum += e->m.weight[a];
  unsigned at = hd_below(p, sum), a = HD_ACT_COUNT;
  while (a < HD_ACT_COUNT_SLEEP && at >= e->m.weight[a])
    at -= e->m.weight[a++];
  return a;
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct gate_env *e = (struct gate_env *)env;
  struct hd_env_base *p = &e->p;
  struct gate_ctrl_in *in = in_;
  const struct gate_ctrl_out *said = out;
  if (hd_new_mood(p))
    new_mood(e);
  e->room = !p->c->d.WAKE_LIMITED || said->wake_room;
  in->looked_set = e->set;
  in->looked_pred = e->pred;
  draw_look(e, in);
  enum hd_act act = HD_ACT_NONE;
  uint64_t set = some_set(e);
  unsigned way = some_way(e);
  if (e->looked && hd_chance(p, e->m.act)) {
    act = draw_act(e);
    set = e->set;
  } else if (hd_chance(p, e->m.sleep))
    act = HD_ACT_SLEEP;
  if (!fits(e, act, set, way))
    act = HD_ACT_NONE;
  if (p->c->d.WAKES && !free_mshr(e, &in->act_mshr) && act == HD_ACT_WAKE)
    act = HD_ACT_NONE;
  in->act = act;
  in->act_set = set;
  in->act_at = act ? UINT64_C(1) << way : 0;
}

/* Checks the answers about the set looked up. Returns NULL, or the error. */
static const char *check_set(struct gate_env *e, const struct gate_ctrl_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  if (out->on != e->line_power.power[e->set])
    return "on is not what was woken and put to sleep there";
  if (out->predicted != (e->pred != 0))
    return "predicted is not whether there is a prediction";
  if (out->once != (e->pred == 1))
    return "once is not whether one access is predicted";
  if (!e->looked)
    return NULL;
  for (unsigned w = 0; w < d->L2_WAYS; w++) {
    const uint64_t count = hd_line_power_counts(&e->line_power, e->set)[w];
    const bool last = out->last >> w & 1;
    if (!(e->counted[e->set] >> w & 1))
      continue;
    if (out->count[w] != count)
      return "a count is not that of the accesses";
    if (last != (e->pred && count + 1 >= e->pred))
      return "last is not what count and prediction say";
    e->p.env.checked++;
  }
  return NULL;
}

static bool check_power(struct gate_env *e, const struct gate_ctrl_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  for (unsigned s = 0; s < d->L2_SETS; s++)
    if ((~out->sleep[s] & hd_ones(d->L2_WAYS)) != e->line_power.power[s])
      return hd_fail(&e->p.env, "sleep of set %u is %" PRIx64 ", powered are %" PRIx64, s, out->sleep[s],
                     e->line_power.power[s]);
  if (out->awake != e->line_power.awake)
    return hd_fail(&e->p.env, "awake is %" PRIu64 ", %" PRIu64 " lines are powered", out->awake,
                   e->line_power.awake);
  return true;
}

/* Checks the outputs about waking rows. Returns NULL, or the error. */
static const char *check_wakes(struct gate_env *e, const struct gate_ctrl_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const bool woken = e->n_waking && e->waking[0].since == d->WAKE;
  if (out->woken != woken)
    return woken ? "a row is awake, and woken is 0" : "woken is 1, and no row is awake";
  if (woken && out->woken_mshr != e->waking[0].mshr)
    return "woken is for another MSHR";
  if (d->WAKE_LIMITED && e->n_waking > d->WAKE_MOST)
    return "more rows wake than may";
  if (d->WAKE_LIMITED && out->wake_room != (e->n_waking - woken < d->WAKE_MOST))
    return "wake_room is not whether a row may begin";
  e->p.env.checked += woken;
  return NULL;
}

/* Updates the waking rows for the next cycle. */
static void wake_on(struct gate_env *e, const struct gate_ctrl_in *in) {
  const unsigned cycles = e->p.c->d.WAKE;
  if (e->n_waking && e->waking[0].since == cycles)
    memmove(e->waking, e->waking + 1, --e->n_waking * sizeof e->waking[0]);
  for (unsigned i = 0; i < e->n_waking; i++)
    e->waking[i].since++;
  if (cycles && in->act == HD_ACT_WAKE && !(e->line_power.power[in->act_set] & in->act_at))
    e->waking[e->n_waking++] = (struct waking){in->act_mshr, in->act_set, in->act_at, 1};
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct gate_env *e = (struct gate_env *)env;
  const struct gate_ctrl_in *in = in_;
  const char *wrong = check_set(e, out_);
  if (wrong)
    return hd_fail(env, "set %" PRIu64 ", prediction %" PRIu64 ": %s", e->set, e->pred, wrong);
  if (!check_power(e, out_))
    return false;
  wrong = e->p.c->d.WAKES ? check_wakes(e, out_) : NULL;
  if (wrong)
    return hd_fail(env, "%s", wrong);
  wake_on(e, in);
  hd_line_power_act(&e->line_power, in->act, in->act_set, in->act_at);
  if (in->act == HD_ACT_WAKE || in->act == HD_ACT_KEEP)
    e->counted[in->act_set] |= in->act_at;
  e->looked = in->look_valid;
  if (e->looked) {
    e->set = in->look_set;
    e->pred = e->next;
  }
  hd_cycle_over(&e->p, false, true);
  return true;
}

static void close(struct hd_env *env) {
  struct gate_env *e = (struct gate_env *)env;
  hd_line_power_free(&e->line_power);
  free(e->counted);
  free(e);
}

struct hd_env *gate_ctrl_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, hd_env_stopped, hd_nothing_to_check, close};
  struct gate_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  const struct hd_derived *d = &e->p.c->d;
  e->counted = calloc(d->L2_SETS, sizeof *e->counted);
  if (hd_line_power_init(&e->line_power, d) && e->counted)
    return &e->p.env;
  close(&e->p.env);
  hd_because(why, HD_TOOL, "out of memory");
  return NULL;
}
