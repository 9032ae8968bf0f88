/* The environment of `l2_slice`; l2_checker.h has the checks. If lines sleep, the environment also replaces the attachment: it counts, and
 * powers lines, as `act` says. Its answers are right for the set looked up in the cycle before, and random for other sets. Now and then an
 * access is the last one, or the only one, although the counts do not say so.
 *
 * More checks: a lookup belongs to a request that can be the next. Accesses count only in the set looked up. Only powered lines go to
 * sleep. An access is the last one only if the environment said so. Rows that need time to wake do so in any order. No wake begins while
 * `wake_room` is 0, and an MSHR is not used again before its row is awake.
 */
#include "verif/l2/l2_checker.h"
#include "verif/l2/line_power.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
  DROWSY = 8
}; /* after so many cycles without a `woken`, one row wakes in each cycle, so that the slice moves in time */

struct slice_env {
  struct l2_env l2;                /* first */
  unsigned closing;                /* the mood: how often an access is the last one whatever the count */
  struct hd_line_power line_power; /* counts are random at first */
  bool looked;                     /* a set was looked up in the cycle before */
  uint64_t set, last;
  struct lookup {
    uint64_t set, pred;
  } * taken; /* the lookups of the latest requests, a ring with as many as can wait */
  uint64_t n_taken, acts;
  unsigned wake,
      wake_room;   /* the mood: how often a waking row gets awake; how often another one may begin to wake */
  uint64_t waking; /* bit m = the row of MSHR m is waking */
  uint64_t woken;  /* the bit in `waking` of the row that is awake from the next cycle on */
  unsigned drowsy; /* cycles in which rows were waking and none got awake */
  bool begins;     /* a row may begin to wake */
};

/* Drives the attachment's answers. `said`: the slice's outputs. */
static void drive_power(struct slice_env *e, const struct l2_slice_out *said, struct l2_slice_in *in) {
  const uint64_t pred = said->looked_pred;
  struct hd_env_base *p = &e->l2.p;
  const struct hd_derived *d = &p->c->d;
  for (unsigned s = 0; s < d->L2_SETS; s++)
    in->sleep[s] = ~e->line_power.power[s] & hd_ones(d->L2_WAYS);
  in->on = e->looked || e->l2.command.going ? e->line_power.power[said->looked_set] : hd_bits(p, d->L2_WAYS);
  in->last = e->looked ? 0 : hd_bits(p, d->L2_WAYS);
  in->predicted = e->looked ? pred != 0 : hd_bits(p, 1);
  in->once = e->looked ? pred == 1 || (pred && hd_chance(p, e->closing)) : hd_bits(p, 1);
  for (unsigned w = 0; w < d->L2_WAYS; w++) {
    in->count[w] = e->looked ? hd_line_power_counts(&e->line_power, e->set)[w] : hd_bits(p, d->CNT_W);
    if (e->looked && pred && (in->count[w] + 1 >= pred || hd_chance(p, e->closing)))
      in->last |= UINT64_C(1) << w;
  }
  e->last = in->last;
}

/* Draws whether one of the waking rows is awake, and whether another may begin. */
static void drive_wakes(struct slice_env *e, struct l2_slice_in *in) {
  struct hd_env_base *p = &e->l2.p;
  const struct hd_derived *d = &p->c->d;
  const bool may = hd_chance(p, e->wake);
  in->woken = e->waking && (may || e->drowsy >= DROWSY);
  e->drowsy = !e->waking ? 0 : in->woken && e->drowsy < DROWSY ? 0 : e->drowsy + 1;
  in->woken_mshr = hd_bits(p, d->L2_MSHR_W);
  while (in->woken && !(e->waking >> in->woken_mshr & 1))
    in->woken_mshr = hd_bits(p, d->L2_MSHR_W);
  e->woken = in->woken ? UINT64_C(1) << in->woken_mshr : 0;
  e->begins = !d->L2_WAKE_LIMITED || !(e->waking & ~e->woken) || hd_chance(p, e->wake_room);
  in->wake_room = e->begins;
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct slice_env *e = (struct slice_env *)env;
  struct l2_slice_in *in = in_;
  const bool begins = hd_slice_drive(&e->l2, HD_L2_INPUTS(in));
  if (!e->l2.p.c->d.L2_SLEEPS)
    return;
  if (begins)
    e->closing = e->l2.strict || hd_below(&e->l2.p, 2) ? 0 : hd_density(&e->l2.p, false);
  drive_power(e, out, in);
  if (!e->l2.p.c->d.L2_WAKES)
    return;
  if (begins) {
    e->wake = hd_density(&e->l2.p, true);
    e->wake_room = hd_density(&e->l2.p, false);
  }
  drive_wakes(e, in);
}

/* Checks that the lookup of the cycle before belongs to one of the requests that can wait. */
static bool check_look(struct slice_env *e, const struct l2_slice_out *out) {
  const unsigned most = e->l2.p.c->d.L2_IQ;
  for (unsigned i = 0; i < most && i < e->n_taken; i++) {
    const struct lookup *look = &e->taken[(e->n_taken - 1 - i) % most];
    if (look->set == e->set && look->set == out->looked_set && look->pred == out->looked_pred)
      return true;
  }
  return hd_fail(&e->l2.p.env,
                 "set %" PRIu64 " has been looked up, for set %" PRIu64 " with prediction %" PRIu64
                 ", of which none of the latest requests is",
                 e->set, out->looked_set, out->looked_pred);
}

/* Checks `act`. Returns NULL, or the error. */
static const char *check_act(struct slice_env *e, const struct l2_slice_out *out) {
  const struct hd_derived *d = &e->l2.p.c->d;
  if (out->act > HD_ACT_SLEEP)
    return "is nothing that can be done";
  if (out->act == HD_ACT_NONE)
    return out->act_at ? "names a line" : NULL;
  if (out->act_at >> d->L2_WAYS || __builtin_popcountll(out->act_at) != 1)
    return "is not of one line";
  const bool on = e->line_power.power[out->act_set] & out->act_at;
  if (out->act != HD_ACT_SLEEP && !(e->looked && out->act_set == e->set))
    return "is not of the set looked up";
  if (out->act != HD_ACT_SLEEP && ++e->acts > e->l2.watch.accesses)
    return "counts more accesses than there were";
  if (out->act >= HD_ACT_COUNT_SLEEP && !on)
    return "is of a line that sleeps";
  if (out->act == HD_ACT_COUNT_SLEEP && !(e->last & out->act_at))
    return "is not the last access";
  if (out->act == HD_ACT_WAKE && d->L2_WAKES && !e->begins)
    return "is of a line, and no row may begin to wake";
  if (out->act == HD_ACT_WAKE && d->L2_WAKES && e->waking >> out->act_mshr & 1)
    return "is for an MSHR whose row wakes";
  return NULL;
}

/* Notes that a row begins to wake, or is awake. */
static void note_wakes(struct slice_env *e, const struct l2_slice_out *out) {
  const bool off = !(e->line_power.power[out->act_set] & out->act_at);
  e->waking &= ~e->woken;
  if (out->act == HD_ACT_WAKE && off)
    e->waking |= UINT64_C(1) << out->act_mshr;
}

static bool check_power(struct slice_env *e, const struct l2_slice_in *in, const struct l2_slice_out *out) {
  const struct hd_derived *d = &e->l2.p.c->d;
  if (!hd_slice_check_power(&e->l2, in->sleep, e->line_power.awake))
    return false;
  const char *wrong = check_act(e, out);
  if (wrong)
    return hd_fail(&e->l2.p.env, "act %" PRIu64 " (set %" PRIu64 " ways %" PRIx64 ") %s", out->act,
                   out->act_set, out->act_at, wrong);
  if (e->looked && !check_look(e, out))
    return false;
  if (d->L2_WAKES)
    note_wakes(e, out);
  hd_line_power_act(&e->line_power, out->act, out->act_set, out->act_at);
  e->l2.p.env.checked += out->act != HD_ACT_NONE;
  e->looked = out->look_valid;
  e->set = out->look_set;
  if (in->req_valid && out->req_ready)
    e->taken[e->n_taken++ % d->L2_IQ] = (struct lookup){in->req.line & (d->L2_SETS - 1), in->req.pred};
  return true;
}

static bool clock(struct hd_env *env, const void *in, const void *out_) {
  struct slice_env *e = (struct slice_env *)env;
  const struct l2_slice_out *out = out_;
  if (e->l2.p.c->d.L2_SLEEPS && !check_power(e, in, out))
    return false;
  return hd_slice_check(&e->l2, HD_L2_OUTPUTS(out));
}

static bool finish(struct hd_env *env) {
  const struct slice_env *e = (const struct slice_env *)env;
  if (e->l2.watch.wakes > e->l2.asked)
    return hd_fail(env, "more lines have been powered than were read");
  return hd_slice_finish(env);
}

static void close(struct hd_env *env) {
  struct slice_env *e = (struct slice_env *)env;
  hd_line_power_free(&e->line_power);
  free(e->taken);
  hd_slice_close(env);
}

struct hd_env *l2_slice_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, hd_slice_done, finish, close};
  struct slice_env *e = hd_slice_new(sizeof *e, false, job, &ops, why);
  if (!e)
    return NULL;
  const struct hd_derived *d = &e->l2.p.c->d;
  e->taken = calloc(d->L2_IQ, sizeof *e->taken);
  if (!hd_line_power_init(&e->line_power, d) || !e->taken) {
    close(&e->l2.p.env);
    hd_because(why, HD_TOOL, "out of memory");
    return NULL;
  }
  for (unsigned i = 0; i < d->L2_LINES; i++)
    e->line_power.count[i] = hd_bits(&e->l2.p, d->CNT_W);
  return &e->l2.p.env;
}
