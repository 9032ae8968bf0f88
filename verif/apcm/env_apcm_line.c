/* The environment of `apcm_line`: requests pass c and d, and are reported. It plays the L1D around the module, the patterns of loads, and
 * the board of protecting warps. The board obeys the module and releases warps at random; in some moods it changes at random.
 *
 * It checks at the ports. The advice to bypass or to keep a load follows from the patterns of the load and its warp when it moved into d.
 * For each way the environment knows which warp took it last, and whether to protect it. So it knows in every cycle the pinned ways of the
 * set in c: those whose warp is on the board, or asks for the board in this cycle. A request to the board is about the reported load, with
 * its patterns of the cycle in which it moved into d. A line is a load's own if the last load that took the way was of the same warp. With
 * on_fill fills take lines, for loads of any warps.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

enum { NOBODY = -1 };

/* A request, or a prefetch, in c or d. */
struct request {
  bool there, write, prefetch, trk;
  uint64_t set, wid, lid;
};
/* The advice about a load, by the patterns when it moves into d. */
struct advice {
  bool bypass, keep, full; /* full: it bypasses if all ways are reserved */
  uint64_t final;
};

struct apcm_line_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned come, stores, prefetches, go, take, sets, first, warps, tracked, ids, change, release, managed,
        fills;
    bool obeys;
  } m;
  struct { /* the patterns of loads, and the board */
    uint64_t bypass, protect, last[HD_MOST(apcm, loads)], on, loop, until[HD_MOST(sm, warps)];
  } known;
  struct request c, d, next; /* next: the request that comes into c when d leaves */
  struct advice advice;      /* of the request in d */
  bool advised;              /* something has moved into d since the reset */
  bool advances;
  struct decision { /* now: of this cycle; reported: of the last one */
    struct request r;
    struct advice advice;
    bool done, take, write;
    uint64_t at;
    bool hit, past, pin; /* on_fill only, like the next two */
    uint64_t nth, taker;
  } now, reported;
  enum { NO_FILL, ASKS, ENTERS } fill; /* on_fill: the state of the fill in this cycle */
  bool starts;                         /* a fill asks in the next cycle */
  uint64_t fill_set, next_fill_set;
  int taker
      [HD_RTL_L1D_LINES]; /* the warp whose load took the way last, by OUTCOME before this cycle; NOBODY: none since the reset */
  int owner[HD_RTL_L1D_LINES]; /* the warp that protects the way, by OUTCOME up to this cycle; or NOBODY */
};

/* Draws the patterns: few loads with ids, so that they come again. Bypassed and protected loads are none, all, some, or as before. */
static void new_patterns(struct apcm_line_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const uint64_t all = hd_ones(d->LAT), loads[] = {0, all, hd_bits(p, d->LAT), hd_bits(p, d->LAT)};
  const unsigned ids = 1U << hd_below(p, d->LID_W + 1), bypass = hd_below(p, 6), protect = hd_below(p, 6);
  e->m.tracked = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
  e->m.ids = ids < d->LAT ? ids : d->LAT;
  e->m.change = hd_below(p, 2) ? 0 : hd_density(p, false) / 4;
  e->m.release = hd_below(p, 2) ? hd_below(p, 2) : hd_density(p, false);
  e->m.managed = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
  e->m.obeys = hd_below(p, 4);
  if (bypass < 4)
    e->known.bypass = loads[bypass];
  if (protect < 4)
    e->known.protect = loads[protect];
  if (hd_below(p, 4) == 0)
    e->known.on = hd_below(p, 2) ? hd_bits(p, d->WARPS) : 0;
  for (unsigned i = 0; i < d->LAT && hd_below(p, 8); i++)
    e->known.last[i] = hd_below(p, 4) ? hd_below(p, e->m.ids) : hd_bits(p, d->LID_W);
}

static void new_mood(struct apcm_line_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  e->m.come = hd_density(p, true);
  e->m.stores = hd_below(p, 2) ? 32 : hd_density(p, false);
  e->m.prefetches = d->PREF ? hd_density(p, false) / 2 : 0;
  e->m.go = hd_density(p, true);
  e->m.take = hd_density(p, false);
  e->m.sets = hd_below(p, 2) ? 1 + hd_below(p, 2) : d->SETS;
  e->m.first = hd_below(p, d->SETS);
  e->m.warps = hd_below(p, 2) ? 1 + hd_below(p, 4) : d->WARPS;
  e->m.fills = d->ON_MISS ? 0 : hd_density(p, true);
  new_patterns(e);
}

/* Changes the pattern of one load. */
static void change_pattern(struct apcm_line_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned load = hd_below(p, e->m.ids), what = hd_below(p, 4);
  if (what == 0)
    e->known.bypass ^= UINT64_C(1) << load;
  else if (what < 3)
    e->known.protect ^= UINT64_C(1) << load;
  else
    e->known.last[load] = hd_bits(p, p->c->d.LID_W);
}

/* Removes a warp from the board, now and then all warps; if the board does not obey, it changes one warp at random. */
static void change_board(struct apcm_line_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned wid = hd_below(p, p->c->d.WARPS), load = hd_below(p, e->m.ids);
  if (hd_below(p, 32) == 0) {
    e->known.on = 0;
  } else if (e->m.obeys) {
    e->known.on &= ~(UINT64_C(1) << wid);
  } else {
    const bool itself = hd_below(p, 2);
    e->known.on ^= UINT64_C(1) << wid;
    e->known.until[wid] = itself ? load : e->known.last[load];
    e->known.loop = (e->known.loop & ~(UINT64_C(1) << wid)) | (uint64_t)itself << wid;
  }
}

/* Draws the next request, sometimes with an id or warp that does not exist. Fields are random even if there is no request. */
static struct request draw_request(struct apcm_line_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const bool odd = hd_below(p, 64) == 0;
  return (struct request){.there = !p->env.stop && hd_chance(p, e->m.come),
                          .write = hd_chance(p, e->m.stores),
                          .prefetch = hd_chance(p, e->m.prefetches),
                          .trk = hd_chance(p, e->m.tracked),
                          .set = (e->m.first + hd_below(p, e->m.sets)) % d->SETS,
                          .wid = odd ? hd_bits(p, d->WID_W) : hd_below(p, e->m.warps),
                          .lid = odd ? hd_bits(p, d->LID_W) : hd_below(p, e->m.ids)};
}

/* Moves the fill on; the next one may start in any cycle. */
static void next_fill(struct apcm_line_env *e) {
  struct hd_env_base *p = &e->p;
  e->fill = e->starts ? ASKS : e->fill == ASKS ? ENTERS : NO_FILL;
  if (e->starts)
    e->fill_set = e->next_fill_set;
  e->starts = e->fill != ASKS && !p->env.stop && hd_chance(p, e->m.fills);
  e->next_fill_set = (e->m.first + hd_below(p, e->m.sets)) % p->c->d.SETS;
}

/* A fill enters: it stays or not, for a load of some warp or for a prefetch. */
static void enter(struct apcm_line_env *e, uint64_t way) {
  struct hd_env_base *p = &e->p;
  e->now.r.set = e->fill_set;
  e->now.write = hd_below(p, 4) != 0;
  e->now.take = e->now.write && !hd_chance(p, e->m.prefetches);
  e->now.at = e->now.write ? way : 0;
  e->now.pin = hd_below(p, 2);
  e->now.taker = hd_below(p, e->m.warps);
}

/* On_fill: the load in d hits, and may adopt; or it merges, misses, or bypasses. */
static void decide_load(struct apcm_line_env *e, uint64_t way) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned how = hd_below(p, 4);
  e->now.past = how == 0;
  e->now.hit = how == 1 || (how == 0 && hd_below(p, 2));
  e->now.at = e->now.hit ? way : 0;
  e->now.take = how == 1 && d->PREF && hd_chance(p, e->m.take);
  e->now.pin = e->advice.keep;
  e->now.taker = e->d.wid;
  e->now.nth = how == 2 ? hd_below(p, d->MERGE) : 0;
}

/* Draws the decision on the request in d, if it leaves in this cycle: a load takes a way, or uses one, or none; a prefetch takes one or
 * none. */
static void decide(struct apcm_line_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const bool goes = p->env.stop || hd_chance(p, e->m.go);
  const uint64_t way = UINT64_C(1) << hd_below(p, d->WAYS);
  const bool takes = hd_chance(p, e->m.take);
  const bool fills = e->fill != NO_FILL;
  e->advances = !e->d.there || (goes && !fills);
  e->now = (struct decision){.r = e->d, .advice = e->advice, .done = e->d.there && goes && !fills};
  if (e->fill == ENTERS)
    enter(e, way);
  if (!e->now.done || e->d.write)
    return;
  if (!d->ON_MISS) {
    if (!e->d.prefetch)
      decide_load(e, way);
    return;
  }
  e->now.at = takes || hd_below(p, 2) ? way : 0;
  e->now.take = takes && !e->d.prefetch;
  e->now.write = takes && (e->d.prefetch || !d->PREF || hd_below(p, 4)); /* or it adopts */
}

/* Returns true if the reported load asks the board for protection: it took a line; on_fill also: it is the first load of its line. */
static bool protects(const struct hd_derived *d, const struct decision *t) {
  if (!t->advice.keep || !t->done || t->r.write || t->r.prefetch)
    return false;
  return d->ON_MISS || t->hit ? t->take : !t->past && t->nth == 0;
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct apcm_line_env *e = (struct apcm_line_env *)env;
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct apcm_line_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  if (hd_chance(p, e->m.change))
    change_pattern(e);
  if (hd_chance(p, e->m.release))
    change_board(e);
  if (!d->ON_MISS)
    next_fill(e);
  decide(e);
  if (e->advances)
    e->next = draw_request(e);
  const struct request *c = e->advances ? &e->next : &e->c;
  in->apcm_en = hd_chance(p, e->m.managed);
  in->m_bypass = d->APCM_B ? e->known.bypass : 0;
  in->look_valid = e->c.there;
  in->look_write = e->c.write;
  in->look_trk = e->c.trk;
  in->look_lid = e->c.lid;
  in->late_advance = e->advances;
  if (!d->APCM_P)
    return;
  in->m_protect = e->known.protect;
  memcpy(in->m_last, e->known.last, d->LAT * sizeof *in->m_last);
  in->psb_on = e->known.on;
  in->psb_loop = e->known.loop;
  memcpy(in->psb_last, e->known.until, d->WARPS * sizeof *in->psb_last);
  in->look_set = e->c.set;
  in->look_wid = e->c.wid;
  in->late_read = c->there;
  in->late_set = c->set;
  in->late_take = d->ON_MISS && e->now.take ? e->now.at : 0;
  in->decide_set = e->d.set;
  in->decide_wid = e->d.wid;
  in->outcome_write = e->reported.write;
  in->outcome_take = e->reported.take;
  in->outcome_set = e->reported.r.set;
  in->outcome_at = e->reported.at;
  in->outcome_wid = e->reported.r.wid;
  in->outcome_lid = e->reported.r.lid;
  if (d->ON_MISS)
    return;
  in->late_fill = e->starts;
  in->late_fill_set = e->starts ? e->next_fill_set : e->fill_set;
  in->fill_set = e->fill_set;
  in->outcome_load = e->reported.done && !e->reported.r.write && !e->reported.r.prefetch;
  in->outcome_hit = e->reported.hit;
  in->outcome_past = e->reported.past;
  in->outcome_nth = e->reported.nth;
  in->took_wid = e->reported.taker;
  in->took_pin = e->reported.pin;
}

/* Returns the advice about the request in c. */
static struct advice advice_of(const struct hd_derived *d, const struct apcm_line_in *in) {
  const uint64_t lid = in->look_lid, wid = in->look_wid;
  struct advice a = {.final = d->APCM_P && lid < d->LAT ? in->m_last[lid] : 0, .full = in->apcm_en};
  if (!in->apcm_en || !in->look_valid || in->look_write || !in->look_trk || lid >= d->LAT)
    return a;
  a.bypass = d->APCM_B && in->m_bypass >> lid & 1;
  a.keep = d->APCM_P && in->m_protect >> lid & 1;
  if (a.keep && wid < d->WARPS && in->psb_on >> wid & 1) /* the warp must protect for the same load */
    a.keep = in->psb_last[wid] == a.final && (in->psb_loop >> wid & 1) == (a.final == lid);
  return a;
}

static bool check_advice(struct apcm_line_env *e, const struct apcm_line_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  if (!e->advised)
    return true;
  if (d->APCM_B && out->advice_bypass != e->advice.bypass)
    return hd_fail(&e->p.env, "advice_bypass is %" PRIu64 " for load %" PRIu64 " of warp %" PRIu64,
                   out->advice_bypass, e->d.lid, e->d.wid);
  if (d->APCM_F && out->lack_line != e->advice.full)
    return hd_fail(&e->p.env, "lack_line is %" PRIu64 " for load %" PRIu64 " of warp %" PRIu64,
                   out->lack_line, e->d.lid, e->d.wid);
  if (d->APCM_P && (out->advice_keep != e->advice.keep || out->pin_new != e->advice.keep))
    return hd_fail(&e->p.env,
                   "advice_keep is %" PRIu64 ", pin_new is %" PRIu64 ", for load %" PRIu64
                   " of warp %" PRIu64,
                   out->advice_keep, out->pin_new, e->d.lid, e->d.wid);
  e->p.env.checked += e->d.there;
  return true;
}

static bool check_board(struct apcm_line_env *e, const struct apcm_line_out *out) {
  const struct decision *t = &e->reported;
  const bool asks = protects(&e->p.c->d, t);
  if (out->ps_valid != asks)
    return hd_fail(&e->p.env, "ps_valid is %" PRIu64 ", a load %s a line to protect it", out->ps_valid,
                   asks ? "took" : "did not take");
  if (asks && (out->ps_wid != t->r.wid || out->ps_last != t->advice.final ||
               out->ps_loop != (t->advice.final == t->r.lid)))
    return hd_fail(&e->p.env,
                   "load %" PRIu64 " of warp %" PRIu64 " protects until load %" PRIu64
                   ", and said is warp %" PRIu64 ", load %" PRIu64 ", loop %" PRIu64,
                   t->r.lid, t->r.wid, t->advice.final, out->ps_wid, out->ps_last, out->ps_loop);
  e->p.env.checked += asks;
  return true;
}

/* Checks the pinned ways of a set, with this cycle's OUTCOME included. */
static bool check_pins(struct apcm_line_env *e, const struct apcm_line_in *in, const char *port,
                       uint64_t said, uint64_t set) {
  const struct hd_derived *d = &e->p.c->d;
  uint64_t pins = 0;
  for (unsigned w = 0; w < d->WAYS; w++) {
    const int who = e->owner[set * d->WAYS + w];
    const bool asks = who != NOBODY && protects(d, &e->reported) && e->reported.r.wid == (uint64_t)who;
    const bool on = who != NOBODY && (unsigned)who < d->WARPS && in->psb_on >> who & 1;
    if (asks || on)
      pins |= UINT64_C(1) << w;
  }
  e->p.env.checked += pins != 0;
  return said == pins || hd_fail(&e->p.env, "%s is %" PRIx64 " for set %" PRIu64 ", pinned are %" PRIx64,
                                 port, said, set, pins);
}

static bool check_own(struct apcm_line_env *e, const struct apcm_line_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct decision *t = &e->reported;
  const int who = t->at ? e->taker[t->r.set * d->WAYS + (unsigned)__builtin_ctzll(t->at)] : NOBODY;
  if (!d->APCM_O || !t->done || t->r.write || t->r.prefetch || (t->at && who == NOBODY))
    return true;
  const bool own = t->at && t->r.wid == (uint64_t)who;
  if (out->own != own)
    return hd_fail(&e->p.env,
                   "own is %" PRIu64 " for warp %" PRIu64 " in set %" PRIu64 ", warp %d took the way",
                   out->own, t->r.wid, t->r.set, who);
  e->p.env.checked += own;
  return true;
}

static void learn(struct apcm_line_env *e) {
  const struct hd_derived *d = &e->p.c->d;
  const struct decision *t = &e->reported;
  const bool pin = d->ON_MISS ? t->advice.keep : t->pin;
  const int taker = (int)(d->ON_MISS ? t->r.wid : t->taker);
  for (unsigned w = 0; w < d->WAYS; w++)
    if (t->at >> w & 1 && (t->take || t->write))
      e->owner[t->r.set * d->WAYS + w] = t->take && pin ? taker : NOBODY;
  if (t->take)
    e->taker[t->r.set * d->WAYS + (unsigned)__builtin_ctzll(t->at)] = taker;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct apcm_line_env *e = (struct apcm_line_env *)env;
  const struct hd_derived *d = &e->p.c->d;
  const struct apcm_line_in *in = in_;
  const struct apcm_line_out *out = out_;
  if (!check_own(e, out))
    return false;
  learn(e);
  if (!check_advice(e, out) || (d->APCM_P && !check_board(e, out)))
    return false;
  if (d->APCM_P && e->c.there && !check_pins(e, in, "pins", out->pins, e->c.set))
    return false;
  if (e->fill == ASKS && !check_pins(e, in, "fill_pins", out->fill_pins, e->fill_set))
    return false;
  const uint64_t who = out->ps_wid;
  if (d->APCM_P && out->ps_valid && e->m.obeys && who < d->WARPS && !(e->known.on >> who & 1)) {
    e->known.on |= UINT64_C(1) << who;
    e->known.until[who] = out->ps_last;
    e->known.loop = (e->known.loop & ~(UINT64_C(1) << who)) | out->ps_loop << who;
  }
  e->reported = e->now;
  if (e->advances) {
    e->advice = advice_of(d, in);
    e->advised = true;
    e->d = e->c;
    e->c = e->next;
  }
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct apcm_line_env *e = (const struct apcm_line_env *)env;
  return env->stop && !e->c.there && !e->d.there && !e->reported.done && !e->starts && e->fill == NO_FILL;
}

struct hd_env *apcm_line_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct apcm_line_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  for (unsigned i = 0; i < HD_RTL_L1D_LINES; i++)
    e->owner[i] = e->taker[i] = NOBODY;
  return &e->p.env;
}
