/* The environment of `apb_regs`: an APB4 requester that knows the registers (apb_requester.h), and an SM with random events. */
#include <inttypes.h>
#include <string.h>

#include "arch/config/enables.h"
#include "verif/apb/apb_requester.h"

enum { OF_EVENTS = HD_APB_issues }; /* the first counter that counts events at `ev` */

struct regs_env {
  struct hd_env_base p;
  struct hd_apb_requester r;
  unsigned events, picks, flush; /* the mood */
};

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct regs_env *e = (struct regs_env *)env;
  struct hd_env_base *p = &e->p;
  struct apb_regs_in *in = in_;
  uint64_t ev[sizeof in->ev / sizeof(uint64_t)];
  (void)out;
  if (hd_new_mood(p)) {
    hd_apb_mood(&e->r);
    e->events = hd_density(p, false);
    e->picks = hd_density(p, false);
    e->flush = hd_below(p, 2) ? 16 : hd_density(p, false);
  }
  hd_apb_drive(&e->r, HD_APB_INPUTS(in));
  in->flush = p->c->d.RESTS && hd_chance(p, e->flush);
  for (unsigned i = 0; i < p->c->d.SCHEDS; i++)
    in->pick_valid[i] = hd_chance(p, e->picks);
  for (unsigned i = 0; i < sizeof ev / sizeof *ev; i++)
    ev[i] = e->r.counters >> (i + OF_EVENTS) & 1 && hd_chance(p, e->events);
  memcpy(&in->ev, ev, sizeof ev);
}

static uint64_t shown(const struct apb_regs_out *out) {
  uint64_t bits = 0;
  unsigned i = 0;
#define ROW(name, when, key, changes, of) bits |= out->name << i++;
  HD_ENABLES(ROW)
#undef ROW
  return bits;
}

static bool check_thresholds(struct regs_env *e, const struct apb_regs_out *out) {
  unsigned i = 0;
#define ROW(name, width, reset, from, to, of)                                                                \
  if (e->r.threshold[i].most && out->name != e->r.threshold[i].now)                                          \
    return hd_fail(&e->p.env, #name " is %" PRIu64 ", it is to be %" PRIu64, out->name,                      \
                   e->r.threshold[i].now);                                                                   \
  i++;
  HD_THRESHOLDS(ROW)
#undef ROW
  return true;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct regs_env *e = (struct regs_env *)env;
  const struct apb_regs_in *in = in_;
  const struct apb_regs_out *out = out_;
  struct hd_apb_cycle cycle = {.flush = in->flush};
  uint64_t ev[sizeof in->ev / sizeof(uint64_t)];
  bool moved;
  if ((shown(out) & e->r.there) != e->r.active)
    return hd_fail(env, "the enables are %" PRIx64 ", they are to be %" PRIx64, shown(out) & e->r.there,
                   e->r.active);
  if (!check_thresholds(e, out))
    return false;
  memcpy(ev, &in->ev, sizeof ev);
  for (unsigned i = 0; i < sizeof ev / sizeof *ev; i++)
    cycle.events |= ev[i] << (i + OF_EVENTS);
  for (unsigned i = 0; i < e->p.c->d.SCHEDS; i++)
    cycle.instructions += in->pick_valid[i] != 0;
  if (!hd_apb_clock(&e->r, HD_APB_OUTPUTS(out), &cycle, &moved))
    return false;
  if (!hd_cycle_over(&e->p, !hd_apb_is_idle(&e->r), moved))
    return hd_fail(env, "a transfer does not end");
  return true;
}

static bool done(const struct hd_env *env) {
  return env->stop && hd_apb_is_idle(&((const struct regs_env *)env)->r);
}

struct hd_env *apb_regs_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct regs_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  hd_apb_open(&e->r, &e->p);
  return &e->p.env;
}
