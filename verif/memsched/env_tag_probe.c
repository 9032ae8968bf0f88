/* The environment of `tag_probe`: probes of lines of a few sets. The lines are valid or in flight, were so before, are just coming, or
 * differ in one bit from such a line. The environment plays the L1D's tags: lines come, are filled, and are freed by a store, by a fill
 * that does not stay, or by a flush.
 *
 * It checks at the ports: the environment keeps the address of the line in each way. So it knows for every probed line whether it was
 * valid or in flight in the cycle that counts. That is the cycle after the probe, and the answer comes one cycle later. With PROBE_EARLY
 * it is the cycle of the probe, and the answer comes in the next cycle. A way written in the cycle of the probe does not count yet. After
 * a reset no line is valid, and none can be sent.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct place {
  uint64_t line;
  bool valid, reserved;
};
/* A probed line, and its expected answer. */
struct probe {
  uint64_t line;
  bool hit, can;
};

struct probe_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned come, fill, dead, store, flush, free, room, sets, first, like;
  } m;
  struct place *place; /* way w of set s: s * WAYS + w */
  struct probe asked[HD_MOST(request_buffer, probes)],
      due[HD_MOST(request_buffer, probes)]; /* asked: in the last cycle; due: expected at the ports */
  unsigned known;                           /* cycles since the reset, up to the cycles of an answer */
  bool writes;                              /* a tag is written in this cycle */
  unsigned at;                              /* its place */
  uint64_t line;                            /* its line */
  bool wrote;                               /* a tag was written in the last cycle */
  unsigned wrote_at;
};

/* Returns the set of a line (docs/mechanisms/l1d.md). */
static unsigned set_of(const struct hd_config *c, uint64_t line) {
  const unsigned low = (unsigned)line & (c->d.SETS - 1);
  static const unsigned taps[5] = {6, 7, 8, 10, 12};
  unsigned fold = 0;
  if (c->l1d.set_index == HD_INDEX_LINEAR)
    return low;
  if (c->l1d.set_index == HD_INDEX_XOR)
    return low ^ ((unsigned)(line >> c->d.SET_W) & (c->d.SETS - 1));
  for (unsigned i = 0; i < 5; i++)
    fold |= (line >> taps[i] & 1U) << i;
  return low ^ fold;
}

static void new_mood(struct probe_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned sets = p->c->d.SETS;
  e->m.come = hd_density(p, false);
  e->m.fill = hd_density(p, false);
  e->m.dead = hd_density(p, false) / 4;
  e->m.store = hd_below(p, 2) ? 0 : hd_density(p, false) / 2;
  e->m.flush = hd_below(p, 8) ? 0 : 4;
  e->m.free = hd_density(p, false);
  e->m.room = hd_density(p, false);
  e->m.sets = hd_below(p, 4) ? 1 + hd_below(p, 2) : sets;
  e->m.first = hd_below(p, sets);
  e->m.like = hd_density(p, true);
}

static unsigned some_place(struct probe_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned set = (e->m.first + hd_below(p, e->m.sets)) % p->c->d.SETS;
  return set * p->c->d.WAYS + hd_below(p, p->c->d.WAYS);
}

/* Returns a line that a way holds or held, one that differs from it in one bit, or any line. */
static uint64_t some_line(struct probe_env *e) {
  struct hd_env_base *p = &e->p;
  const uint64_t line = e->place[some_place(e)].line;
  if (!hd_chance(p, e->m.like))
    return hd_bits(p, p->c->d.LINE_W);
  return hd_below(p, 4) ? line : line ^ UINT64_C(1) << hd_below(p, p->c->d.LINE_W);
}

static bool is_in(const struct probe_env *e, uint64_t line) {
  const struct hd_config *c = e->p.c;
  const struct place *set = &e->place[set_of(c, line) * c->d.WAYS];
  for (unsigned w = 0; w < c->d.WAYS; w++)
    if ((set[w].valid || set[w].reserved) && set[w].line == line)
      return true;
  return false;
}

/* Draws a line that comes into a way of its set that is not reserved. */
static void draw_write(struct probe_env *e) {
  struct hd_env_base *p = &e->p;
  e->line = some_line(e);
  e->at = set_of(p->c, e->line) * p->c->d.WAYS + hd_below(p, p->c->d.WAYS);
  e->writes = !p->env.stop && hd_chance(p, e->m.come) && !e->place[e->at].reserved && !is_in(e, e->line);
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct probe_env *e = (struct probe_env *)env;
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct tag_probe_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  draw_write(e);
  for (unsigned u = 0; u < d->PROBES; u++)
    in->pr_line[u] = hd_below(p, 8) ? some_line(e) : e->line;
  in->lines_free = hd_chance(p, e->m.free);
  in->lines_room = hd_chance(p, e->m.room);
  in->late_tag_we = e->writes ? UINT64_C(1) << e->at % d->WAYS : 0;
  in->late_tag_set = e->at / d->WAYS;
  in->late_tag = p->c->l1d.set_index == HD_INDEX_LINEAR ? e->line >> d->SET_W : e->line;
  in->outcome_write = e->wrote;
  in->outcome_set = e->wrote_at / d->WAYS;
  in->outcome_at = e->wrote || hd_below(p, 2) ? UINT64_C(1) << e->wrote_at % d->WAYS : 0;
  for (unsigned s = 0; s < d->SETS; s++) {
    uint64_t valid = 0, reserved = 0;
    for (unsigned w = 0; w < d->WAYS; w++) {
      valid |= (uint64_t)e->place[s * d->WAYS + w].valid << w;
      reserved |= (uint64_t)e->place[s * d->WAYS + w].reserved << w;
    }
    in->lines_valid[s] = valid;
    if (d->ON_MISS)
      in->lines_reserved[s] = reserved;
  }
}

/* Returns the cycles from a probe to its answer. */
static unsigned cycles_of(const struct probe_env *e) {
  return e->p.c->d.PROBE_EARLY ? 1 : 2;
}

/* Returns true if place i was written in the cycle of the probe that counts in this cycle. */
static bool is_new(const struct probe_env *e, unsigned i) {
  return e->p.c->d.PROBE_EARLY ? e->writes && e->at == i : e->wrote && e->wrote_at == i;
}

/* Returns the expected answer for a line whose probe counts in this cycle. */
static struct probe answer(const struct probe_env *e, uint64_t line, const struct tag_probe_in *in) {
  const struct hd_derived *d = &e->p.c->d;
  const unsigned first = set_of(e->p.c, line) * d->WAYS;
  struct probe a = {.line = line};
  bool in_flight = false, loose = !d->ON_MISS;
  for (unsigned i = first; i < first + d->WAYS; i++) {
    const struct place *p = &e->place[i];
    const bool is = p->line == line && !is_new(e, i);
    a.hit |= is && p->valid;
    in_flight |= is && p->reserved;
    loose |= !p->reserved;
  }
  a.can = in_flight || (loose && in->lines_free && in->lines_room);
  return a;
}

/* The clock edge for the tags. */
static void move(struct probe_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned at = some_place(e), other = some_place(e);
  struct place *fill = &e->place[at], *freed = &e->place[other];
  if (hd_chance(p, e->m.fill) && fill->reserved) {
    fill->reserved = false;
    fill->valid = !hd_chance(p, e->m.dead);
  } else if (hd_chance(p, e->m.store)) {
    freed->valid = false;
  }
  if (e->writes)
    e->place[e->at] = (struct place){e->line, !d->ON_MISS, d->ON_MISS};
  const bool flush = hd_chance(p, e->m.flush);
  for (unsigned i = 0; flush && i < d->SETS * d->WAYS; i++)
    e->place[i].valid = false;
  e->wrote = e->writes;
  e->wrote_at = e->at;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct probe_env *e = (struct probe_env *)env;
  const struct tag_probe_in *in = in_;
  const struct tag_probe_out *out = out_;
  for (unsigned u = 0; u < e->p.c->d.PROBES; u++) {
    const struct probe *due = &e->due[u];
    const bool hit = out->pr_hit >> u & 1, can = out->pr_can >> u & 1;
    if (e->known == cycles_of(e) && (hit != due->hit || can != due->can))
      return hd_fail(env,
                     "unit %u is told of line 0x%" PRIx64
                     " that it is there: %d, could be sent as a miss: %d; it should be %d, %d",
                     u, due->line, hit, can, due->hit, due->can);
    if (e->known == 0 && (hit || can))
      return hd_fail(env,
                     "unit %u is told after a reset, before it has asked, of a line that is there: %d, could "
                     "be sent: %d",
                     u, hit, can);
    env->checked += e->known == cycles_of(e) && hit;
    e->due[u] = answer(e, e->p.c->d.PROBE_EARLY ? in->pr_line[u] : e->asked[u].line, in);
    e->asked[u].line = in->pr_line[u];
  }
  e->known += e->known < cycles_of(e);
  move(e);
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  return env->stop && !((const struct probe_env *)env)->wrote;
}

static void close(struct hd_env *env) {
  free(((struct probe_env *)env)->place);
  free(env);
}

struct hd_env *tag_probe_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, close};
  struct probe_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->place = calloc((size_t)e->p.c->d.SETS * e->p.c->d.WAYS, sizeof *e->place);
  if (e->place)
    return &e->p.env;
  close(&e->p.env);
  hd_because(why, HD_TOOL, "out of memory");
  return NULL;
}
