/* Requests, prefetches and a memory for `l1d`.
 *
 * The lines come from a pool of a few sets with many lines each; a mood picks a part of it: one set, one
 * line, few lines, all. The memory answers after random times, in the order in which requests to one line
 * came and else in any. (warp, slot, number) names a request: it is used once at a time, as in the SM. A
 * flush comes when no request is inside, whatever the prefetches do; then somebody else writes to the memory.
 * Hints (the tables' answers, patterns of loads and who protects, lines that probe) are anything, or what they would
 * be in the machine. A load that is given back comes again, sooner or later, among others.
 *
 * What is judged, and how, is in l1d_checker.h.
 */
#include "verif/l1d/l1d_checker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_SETS = 32 };

/* A line address that falls into the set, by the definition of the index (docs/mechanisms/l1d.md). */
static uint64_t line_in(const struct hd_config *c, unsigned set, uint64_t upper) {
  const uint64_t low = c->d.SETS - 1, line = upper & ~low;
  if (c->l1d.set_index == HD_INDEX_LINEAR)
    return line | set;
  if (c->l1d.set_index == HD_INDEX_XOR)
    return line | (set ^ (line >> c->d.SET_W & low));
  const uint64_t upset = line | set; /* bits above the low five, bit 5 too if it is the set's */
  const uint64_t fold =
      (upset >> 6 & 3) | (upset >> 8 & 1) << 2 | (upset >> 10 & 1) << 3 | (upset >> 12 & 1) << 4;
  return upset ^ fold;
}

static bool make_pool(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned want = d->MSHRS + 4 < MIN_SETS ? MIN_SETS : d->MSHRS + 4;
  const unsigned sets = d->SETS < want ? d->SETS : want, some = hd_below(p, d->SETS);
  e->of_set = 4 * d->WAYS + d->MSHRS / sets + 4;
  e->pool = calloc((size_t)sets * e->of_set, sizeof *e->pool);
  for (unsigned i = 0; e->pool && i < sets * e->of_set; i++) {
    const unsigned set = (some + i / e->of_set) % d->SETS;
    struct line *line = &e->pool[e->n_lines], *same;
    uint64_t upper = hd_bits(p, d->LINE_W); /* or one bit beside another line's */
    if (e->n_lines && hd_below(p, 2))
      upper = hd_neighbour(p, e->pool[e->n_lines - 1].addr, d->LINE_W);
    line->addr = line_in(p->c, set, upper);
    HASH_FIND(hh, e->by_addr, &line->addr, sizeof line->addr, same);
    if (same) /* few upper bits: the pool stays smaller */
      continue;
    for (unsigned w = 0; w < d->WORDS; w++)
      line->now[w] = line->memory[w] = hd_bits(p, 64);
    line->filled = NEVER;
    line->set = set;
    line->owner = NOBODY;
    HASH_ADD(hh, e->by_addr, addr, sizeof line->addr, line);
    e->n_lines++;
  }
  return e->pool;
}

/* Few loads with ids, so that they meet again; bypassed and protected are none, all, some, or as before. */
static void new_patterns(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const uint64_t all = UINT64_MAX >> (64 - d->LAT), some = hd_bits(p, d->LAT), others = hd_bits(p, d->LAT),
                 loads[] = {0, all, some, others};
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
  if (!d->APCM_P || hd_below(p, 8))
    return;
  /* Everything pinned, and loads of ever other lines of that set. */
  e->known.protect = all;
  e->m.tracked = e->m.managed = HD_ALWAYS;
  e->m.obeys = true;
  e->m.change = e->m.release = 0;
  e->m.stores = 0;
  e->m.first -= e->m.first % e->of_set;
  e->m.lines = e->of_set;
  e->m.send = HD_ALWAYS;
}

static void new_mood(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  const unsigned lines[] = {1, 2, p->c->d.WAYS + 1, 2 * p->c->d.WAYS, e->of_set, e->n_lines, e->n_lines};
  e->flushing = hd_below(p, 4) == 0;
  e->m.offer = hd_density(p, true);
  e->m.stores = hd_below(p, 2) ? 32 : hd_density(p, false);
  e->m.accept = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.send = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.answer = hd_density(p, false);
  e->m.newest = hd_below(p, 4) == 0;
  e->m.first = hd_below(p, e->n_lines);
  if (hd_below(p, 2))
    e->m.first -= e->m.first % e->of_set;
  e->m.sweep = hd_below(p, 4) == 0;
  e->m.step = hd_below(p, 2) ? e->of_set : 1;
  e->m.lines = lines[hd_below(p, sizeof lines / sizeof lines[0])];
  e->m.warps = hd_below(p, 4) ? p->c->d.WARPS : 1 + hd_below(p, 4);
  if (p->c->d.PREF)
    e->m.prefetch = hd_density(p, false);
  if (p->c->d.CASC) {
    e->m.byp = hd_density(p, false);
    e->m.loc = hd_density(p, false);
    e->m.known = hd_density(p, false);
    e->m.learned = hd_below(p, 2);
  }
  if (p->c->d.REUSE) {
    e->m.hashes = hd_below(p, 2);
    e->m.hashes <<= hd_below(p, p->c->d.HPC_W);
  }
  if (p->c->d.RFT) {
    const uint64_t all = UINT64_MAX >> (64 - p->c->d.RFT),
                   hints[] = {0, all, hd_bits(p, p->c->d.RFT), e->hints};
    e->hints = hints[hd_below(p, 4)];
    e->m.flip = hd_density(p, false);
    e->m.enable = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  }
  if (p->c->d.MEMSCHED)
    e->m.again = hd_density(p, true);
  if (p->c->d.APCM)
    new_patterns(e);
}

/* A line of the mood. */
static struct line *some_line(struct l1d_env *e) {
  const unsigned at = e->m.sweep ? ++e->swept * e->m.step : hd_below(&e->p, e->m.lines);
  return &e->pool[(e->m.first + at) % e->n_lines];
}

/* A load that was given back is offered again. */
static void offer_again(struct l1d_env *e) {
  const unsigned at = hd_below(&e->p, 2) ? 0 : hd_below(&e->p, e->n_again);
  e->next.r = e->again[at].r;
  e->next_line = e->again[at].line;
  memmove(&e->again[at], &e->again[at + 1], (--e->n_again - at) * sizeof *e->again);
  e->offering = true;
}

/* The next request, offered or not, under a free name. */
static void draw_request(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  if (e->n_again && !e->flushing && hd_chance(p, p->env.stop ? HD_ALWAYS / 2 : e->m.again)) {
    offer_again(e);
    return;
  }
  hd_request_draw(p, e->m.stores, &e->next);
  e->next.r.wid = (e->m.first + hd_below(p, e->m.warps)) % p->c->d.WARPS;
  if (p->c->d.VERDICT && hd_below(p, 2))
    e->next.r.num = 0;
  if (p->c->d.CASC) {
    e->next.r.byp = hd_chance(p, e->m.byp);
    e->next.r.loc = p->c->d.LOC && hd_chance(p, e->m.loc);
  }
  if (e->m.hashes) /* half of them, so that one that is none of these shows */
    e->next.r.hpc = 2 * hd_below(p, e->m.hashes);
  if (p->c->d.APCM) {
    e->next.r.trk = hd_chance(p, e->m.tracked);
    const bool any = e->next.r.write || hd_below(p, 64) == 0; /* one that no load has, too */
    e->next.r.lid = any ? hd_bits(p, p->c->d.LID_W) : e->next.r.trk ? hd_below(p, e->m.ids) : 0;
  }
  e->next_line = some_line(e);
  e->next.r.line = e->next_line->addr;
  e->offering = !p->env.stop && !e->flushing && hd_chance(p, e->m.offer) && e->n_again < p->c->d.WARPS &&
                hd_l1d_record(e, e->next.r.wid, e->next.r.slot, e->next.r.num)->state == FREE;
}

/* The next prefetch: sometimes of a line that is far from the mood. */
static void draw_prefetch(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  e->prefetching = !p->env.stop && hd_chance(p, e->m.prefetch);
  if (e->prefetching)
    e->prefetch = hd_below(p, 8) ? some_line(e) : &e->pool[hd_below(p, e->n_lines)];
}

/* The next answer of the memory: of a request before which no request to its line waits. */
static void draw_answer(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  if (!e->n_pending || !hd_chance(p, p->env.stop ? HD_ALWAYS / 2 : e->m.answer))
    return;
  unsigned at = e->m.newest ? e->n_pending - 1 : hd_below(p, e->n_pending);
  for (unsigned i = 0; i < at; i++)
    if (e->pending[i].line == e->pending[at].line)
      at = i;
  e->answer = e->pending[at];
  memmove(&e->pending[at], &e->pending[at + 1], (--e->n_pending - at) * sizeof *e->pending);
  e->answering = true;
  if (e->answer.r.kind == HD_STORE)
    hd_merge(e->answer.line->memory, e->answer.store->data, e->answer.store->mask, p->c->d.WORDS);
  else
    memcpy(e->rdata, e->answer.line->memory, sizeof e->rdata);
}

/* What the tables say: as if they had learned, or anything; sums near those that decide. */
static void drive_hints(struct l1d_env *e, struct l1d_in *in) {
  struct hd_parts *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  in->memsched_en = p->c->request_buffer.enable;
  if (d->RFT) {
    if (hd_chance(p, e->m.flip))
      e->hints = hd_neighbour(p, e->hints, d->RFT);
    in->rft_en = hd_chance(p, e->m.enable);
    in->rft_bypass = e->hints;
  }
  if (d->LOC && e->m.learned) {
    in->lk_count = e->count[e->lk_hpc];
    in->lk_sum = e->sum[e->lk_hpc];
    in->lk_known = in->lk_count > 0;
  } else if (d->LOC) {
    const unsigned count = 1 + hd_below(p, (1U << d->SAMPLE_W) - 1), most = (1U << d->RR_W) - 1;
    const unsigned mean = hd_below(p, most + 1), sum = count * mean + hd_below(p, 3);
    in->lk_count = count;
    in->lk_sum = sum < count * most ? sum : count * most;
    in->lk_known = hd_chance(p, e->m.known);
  }
}

/* Something else becomes known of a load. */
static void change_pattern(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  const unsigned load = hd_below(p, e->m.ids), what = hd_below(p, 4);
  if (what == 0)
    e->known.bypass ^= UINT64_C(1) << load;
  else if (what < 3)
    e->known.protect ^= UINT64_C(1) << load;
  else
    e->known.last[load] = hd_bits(p, p->c->d.LID_W);
}

/* A warp, or now and then every one, protects no more; or, if the board is to be anything, one does for any load. */
static void change_board(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
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

static void drive_patterns(struct l1d_env *e, struct l1d_in *in) {
  struct hd_parts *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  if (hd_chance(p, e->m.change))
    change_pattern(e);
  if (hd_chance(p, e->m.release))
    change_board(e);
  in->apcm_en = hd_chance(p, e->m.managed);
  in->m_bypass = d->APCM_B ? e->known.bypass : 0;
  if (!d->APCM_P)
    return;
  in->m_protect = e->known.protect;
  memcpy(in->m_last, e->known.last, d->LAT * sizeof *in->m_last);
  in->psb_on = e->known.on;
  in->psb_loop = e->known.loop;
  memcpy(in->psb_last, e->known.until, d->WARPS * sizeof *in->psb_last);
}

/* Lines that probe: of the mood, of the requests under way, and some a bit beside. */
static void drive_probes(struct l1d_env *e, struct l1d_in *in) {
  struct hd_parts *p = &e->p;
  for (unsigned u = 0; u < p->c->d.PROBES; u++) {
    const unsigned how = hd_below(p, 8);
    in->pr_line[u] = how < 2 && e->n_again ? e->again[hd_below(p, e->n_again)].r.line : some_line(e)->addr;
    if (how == 7)
      in->pr_line[u] = hd_neighbour(p, in->pr_line[u], p->c->d.LINE_W);
  }
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct l1d_env *e = (struct l1d_env *)env;
  struct hd_parts *p = &e->p;
  struct l1d_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  if (!e->offering)
    draw_request(e);
  if (!e->answering)
    draw_answer(e);
  in->flush = e->flushing && !e->offering && e->inside == 0;
  if (in->flush)
    e->flushing = false;
  if (p->c->d.PREF) {
    if (!e->prefetching)
      draw_prefetch(e);
    in->pf_valid = e->prefetching;
    in->pf_line = e->prefetching ? e->prefetch->addr : hd_bits(p, p->c->d.LINE_W);
  }
  drive_hints(e, in);
  if (p->c->d.APCM)
    drive_patterns(e, in);
  drive_probes(e, in);
  in->req_valid = e->offering;
  hd_request_put(p, &e->next, &in->req, in->req_wdata, in->req_wmask);
  in->resp_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.accept);
  in->mreq_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.send);
  const struct mreq *a = &e->answer.r;
  in->mrsp_valid = e->answering;
  in->mrsp = (struct mrsp){a->kind, a->id, a->wid, a->slot, a->num, a->last};
  memcpy(in->mrsp_data, e->rdata, p->c->d.WORDS * sizeof *in->mrsp_data);
}

static bool done(const struct hd_env *env) {
  const struct l1d_env *e = (const struct l1d_env *)env;
  return env->stop && !e->offering && !e->prefetching && e->inside == 0 && e->n_pending == 0 &&
         !e->answering && e->n_again == 0 && (!e->p.c->d.PREF || e->silent >= SILENCE);
}

static bool finish(struct hd_env *env) {
  const struct l1d_env *e = (const struct l1d_env *)env;
  for (unsigned i = 0; i < e->n_lines; i++)
    if (memcmp(e->pool[i].now, e->pool[i].memory, e->p.c->d.WORDS * sizeof e->pool[i].now[0]))
      return hd_fail(env, "line 0x%" PRIx64 " in the memory is not what the stores made of it",
                     e->pool[i].addr);
  return true;
}

static void close(struct hd_env *env) {
  struct l1d_env *e = (struct l1d_env *)env;
  HASH_CLEAR(hh, e->by_addr);
  free(e->pool);
  free(e->records);
  free(e->again);
  free(e->pending);
  free(e);
}

struct hd_env *l1d_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, hd_l1d_judge, done, finish, close};
  const struct hd_config *c = job->design->c;
  struct l1d_env *e = hd_parts_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  for (unsigned u = 0; u < MAX_PROBES; u++) /* what was to be probed before the reset is not known */
    e->probe[0][u].can = e->probe[1][u].can = true;
  e->records = calloc((size_t)c->d.WARPS * c->sm.loads * c->d.LANES, sizeof *e->records);
  if (e->records && make_pool(e))
    return &e->p.env;
  close(&e->p.env);
  hd_because(why, HD_TOOL, "out of memory");
  return NULL;
}
