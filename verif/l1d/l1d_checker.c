/* What comes out of `l1d`, judged; see l1d_checker.h. */
#include "verif/l1d/l1d_checker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct record *hd_l1d_record(const struct l1d_env *e, uint64_t wid, uint64_t slot, uint64_t num) {
  const struct hd_config *c = e->p.c;
  if (wid >= c->d.WARPS || slot >= c->sm.loads || num >= c->d.LANES)
    return NULL;
  return &e->records[(wid * c->sm.loads + slot) * c->d.LANES + num];
}

/* Bit b of a hashed program counter is in bit b mod RFT_W of the number of its entry. */
static unsigned entry_of(const struct hd_derived *d, uint64_t hpc) {
  unsigned entry = 0;
  for (unsigned b = 0; b < d->HPC_W; b++)
    entry ^= (hpc >> b & 1) << b % d->RFT_W;
  return entry;
}

/* A load is inside (n = 1), or was not after all (n = -1). */
static void count_load(struct l1d_env *e, const struct req *r, struct line *line, int n) {
  line->loads += (unsigned)n;
  line->of_entry[r->pe] += (uint16_t)n;
  line->cached += r->byp ? 0 : (unsigned)n;
  e->bringers[r->hpc] += r->byp ? 0 : (uint64_t)n;
  e->references += (uint64_t)n;
  e->inside += (unsigned)n;
}

static void take_request(struct l1d_env *e) {
  const struct hd_derived *d = &e->p.c->d;
  const struct req *r = &e->next.r;
  struct record *rec = hd_l1d_record(e, r->wid, r->slot, r->num);
  const size_t bytes = d->WORDS * sizeof *rec->data;
  rec->state = r->write ? WRITE : LOAD;
  rec->last = r->last;
  rec->bypassed = false;
  rec->undecided = d->VERDICT && !r->write && (r->num == 0 || d->SLD);
  rec->untried = (d->MEMSCHED || d->APCM) && !r->write;
  rec->byp = rec->forced = r->byp;
  rec->cacheable = !r->byp;
  rec->missed = rec->may_go = false;
  rec->loc = r->loc;
  rec->hpc = r->hpc;
  rec->pe = r->pe;
  rec->taken = e->p.cycle;
  rec->line = e->next_line;
  if (r->write) {
    rec->turn = e->stores++;
    rec->line->stores++;
    memcpy(rec->data, e->next.data, bytes);
    memcpy(rec->mask, e->next.mask, bytes);
    hd_merge(rec->line->now, rec->data, rec->mask, d->WORDS);
    e->inside++;
  } else {
    count_load(e, r, rec->line, 1);
    memcpy(rec->data, rec->line->now, bytes);
  }
  if (rec->undecided && e->n_trials < UNDECIDED)
    e->trial[e->n_trials++] = (struct trial){*r, rec, rec->line->stores};
  if (rec->untried && e->n_attempts < UNDECIDED)
    e->attempt[e->n_attempts++] = (struct attempt){
        .r = *r, .line = rec->line, .stores = rec->line->stores, .must_bypass = true, .must_keep = true};
  e->offering = false;
}

/* A verdict: NULL, or what is wrong with it. */
static const char *judge_verdict(struct l1d_env *e, const struct verdict *v) {
  const struct hd_derived *d = &e->p.c->d;
  const struct trial t = e->trial[0];
  if (e->n_trials == 0)
    return "is of no load inside";
  if (v->gid != t.r.gid || (d->STRIDE && v->wid != t.r.wid) || v->pc != t.r.pc || v->low != t.r.low ||
      (d->PREF && v->line != t.r.line))
    return "is not of the oldest load that has none";
  if (d->V_HIT && v->hit && t.record->line->filled < t.stores)
    return "calls a hit what can't be there";
  t.record->undecided = false;
  memmove(&e->trial[0], &e->trial[1], --e->n_trials * sizeof *e->trial);
  e->p.env.checked++;
  return NULL;
}

/* The load is to come again: as if it had never come. */
static void give_back(struct l1d_env *e, const struct attempt *a, struct record *rec) {
  if (rec->undecided)
    memmove(&e->trial[0], &e->trial[1], --e->n_trials * sizeof *e->trial);
  rec->state = AGAIN;
  count_load(e, &a->r, a->line, -1);
  if (e->n_again == e->again_room) {
    e->again_room = 2 * e->again_room + 16;
    e->again = realloc(e->again, e->again_room * sizeof *e->again);
    if (!e->again)
      abort();
  }
  e->again[e->n_again++] = *a;
}

/* What became of a load, after its verdict: NULL, or what is wrong with it. */
static const char *judge_back(struct l1d_env *e, const struct l1d_out *out) {
  const struct attempt a = e->attempt[0];
  if (e->n_attempts == 0 || out->back_wid != a.r.wid)
    return "is not of the oldest load of which that is not known";
  struct record *rec = hd_l1d_record(e, a.r.wid, a.r.slot, a.r.num);
  if (out->back_ok && rec->undecided)
    return "comes without its verdict";
  if (!out->back_ok && e->p.c->d.VERDICT && out->verdict_valid)
    return "comes with a verdict";
  memmove(&e->attempt[0], &e->attempt[1], --e->n_attempts * sizeof *e->attempt);
  rec->untried = false;
  if (!out->back_ok)
    give_back(e, &a, rec);
  e->p.env.checked++;
  return NULL;
}

/* A line is said to be replaced: NULL, or what is wrong with that. */
static const char *judge_evict(struct l1d_env *e, uint64_t hpc, uint64_t count) {
  const struct hd_derived *d = &e->p.c->d;
  e->counted += 1 + count;
  if (++e->evictions > e->fills || e->evictions > e->fetches + d->MQ + 1)
    return "for which no line was there, or none comes";
  if (++e->replaced[hpc] > e->bringers[hpc])
    return "that no load with that hash can have brought";
  if (e->counted > e->references)
    return "with more hits than there were loads";
  if (d->LOC) {
    e->sum[hpc] += count;
    if (++e->count[hpc] >> d->SAMPLE_W) {
      e->sum[hpc] /= 2;
      e->count[hpc] /= 2;
    }
  }
  e->p.env.checked++;
  return NULL;
}

/* What the probes of two cycles ago may be told, and what those of this cycle may be. A line can be there in
 * the next cycle if a fetch was answered before this one, behind which no store has gone to the memory. */
static bool judge_probes(struct l1d_env *e, const struct l1d_out *out) {
  for (unsigned u = 0; u < e->p.c->d.PROBES; u++) {
    const struct probe *may = &e->probe[1][u];
    const bool hit = out->pr_hit >> u & 1, can = out->pr_can >> u & 1;
    if ((hit && !may->hit) || (can && !may->can))
      return hd_fail(&e->p.env, "probe unit %u is told that its line %s, which can't be", u,
                     hit && !may->hit ? "is there" : "could be sent as a miss");
    e->p.env.checked += hit;
  }
  memcpy(e->probe[1], e->probe[0], sizeof e->probe[0]);
  return true;
}

static struct line *line_at(const struct l1d_env *e, uint64_t addr) {
  struct line *line;
  HASH_FIND(hh, e->by_addr, &addr, sizeof addr, line);
  return line;
}

static void note_probes(struct l1d_env *e, const struct l1d_in *in, const int64_t *filled) {
  const unsigned mshrs = e->p.c->d.MSHRS;
  for (unsigned u = 0; u < e->p.c->d.PROBES; u++) {
    const struct line *line = line_at(e, in->pr_line[u]);
    e->probe[0][u] = (struct probe){.hit = line && !in->flush && filled[u] >= line->sent,
                                    .can = e->mshrs != UINT64_MAX >> (64 - mshrs) || (line && line->fetched)};
  }
}

/* Nothing that was there may be seen again: other SMs have written. */
static void flush(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  for (unsigned i = 0; i < e->n_lines; i++) {
    struct line *line = &e->pool[i];
    line->filled = NEVER;
    line->asked = NEVER;
    line->counts = 0;
    line->owner = NOBODY;
    const unsigned w = hd_below(p, 4 * p->c->d.WORDS);
    if (w < p->c->d.WORDS)
      line->now[w] = line->memory[w] = hd_bits(p, 64);
  }
  memset(e->count, 0, sizeof e->count);
  memset(e->sum, 0, sizeof e->sum);
}

bool hd_l1d_hinted(const struct l1d_env *e, const struct record *rec) {
  const struct hd_derived *d = &e->p.c->d;
  return d->RFT && e->said[entry_of(d, rec->hpc)] > rec->taken;
}

/* Whether something lets the load go on uncached. */
static bool may_bypass(const struct l1d_env *e, const struct record *rec) {
  const struct hd_config *c = e->p.c;
  if (c->d.APCM)
    return rec->may_go;
  return c->request_buffer.bypass != HD_BYPASS_OFF || rec->byp || rec->loc || hd_l1d_hinted(e, rec);
}

/* A request goes to the memory: NULL, or what is wrong with it. */
static const char *judge_send(struct l1d_env *e, const struct l1d_out *out, struct pending *new) {
  const struct mreq *r = &out->mreq;
  const size_t bytes = e->p.c->d.WORDS * sizeof *out->mreq_wdata;
  struct line *line = line_at(e, r->line);
  if (!line)
    return "is to a line that nobody asked for";
  *new = (struct pending){*r, line, NULL};
  if (r->kind == HD_FILL) {
    if (r->id >= e->p.c->d.MSHRS || e->mshrs >> r->id & 1)
      return "is of an MSHR that is not there or not free";
    if (line->fetched)
      return "fetches a line that is being fetched";
    if (line->cached == 0 && line->prefetches == 0)
      return line->loads ? "fetches a line for loads that are all to bypass"
                         : "fetches a line that no load waits for, and no prefetch is of";
    if (line->cached == 0)
      line->prefetches--;
    if (r->wid || r->slot || r->num || r->last)
      return "is a fill with fields that are not 0";
    e->mshrs |= UINT64_C(1) << r->id;
    line->fetched = true;
    line->asked = line->sent;
    hd_l1d_fetched(line);
    e->fetches++;
    return NULL;
  }
  struct record *rec = hd_l1d_record(e, r->wid, r->slot, r->num);
  if (!rec || r->kind > HD_STORE || rec->state != (r->kind == HD_STORE ? WRITE : LOAD) || rec->bypassed)
    return "is of no request inside, or was sent before";
  if (rec->line != line || rec->last != r->last || rec->pe != r->pe || r->id)
    return "differs from its request";
  if (r->kind == HD_BYPASSED) {
    if (rec->untried || !may_bypass(e, rec))
      return rec->untried ? "is a load that is not said to be served" : "is a load that nothing lets bypass";
    rec->bypassed = true;
    e->away++;
    return NULL;
  }
  if (rec->turn != e->sent++)
    return "is a store out of turn";
  if (memcmp(out->mreq_wdata, rec->data, bytes) || memcmp(out->mreq_wmask, rec->mask, bytes))
    return "is a store with other bytes than it brought";
  rec->state = BEYOND;
  line->sent++;
  new->store = rec;
  return NULL;
}

static bool send(struct l1d_env *e, const struct l1d_out *out) {
  const struct mreq *r = &out->mreq;
  struct pending new;
  const char *wrong = judge_send(e, out, &new);
  if (wrong)
    return hd_fail(&e->p.env,
                   "the request at the memory port (kind %" PRIu64 ", line 0x%" PRIx64 ", MSHR %" PRIu64
                   ", warp %" PRIu64 " slot %" PRIu64 " number %" PRIu64 ") %s",
                   r->kind, r->line, r->id, r->wid, r->slot, r->num, wrong);
  if (e->n_pending == e->room) {
    e->room = 2 * e->room + 64;
    e->pending = realloc(e->pending, e->room * sizeof *e->pending);
    if (!e->pending)
      abort();
  }
  e->pending[e->n_pending++] = new;
  e->p.env.checked++;
  return true;
}

static void answered(struct l1d_env *e) {
  struct pending *a = &e->answer;
  if (a->r.kind == HD_FILL) {
    e->mshrs &= ~(UINT64_C(1) << a->r.id);
    a->line->fetched = false;
    a->line->filled = a->line->asked;
    a->line->told = e->p.cycle;
    e->fills++;
  } else if (a->r.kind == HD_STORE) {
    a->store->state = ACKED;
  }
  e->answering = false;
}

/* An answer goes to the SM: NULL, or what is wrong with it. */
static const char *judge_response(struct l1d_env *e, const struct l1d_out *out) {
  const struct resp *r = &out->resp;
  struct record *rec = hd_l1d_record(e, r->wid, r->slot, r->num);
  if (!rec || rec->state == FREE || rec->state == AGAIN)
    return "is of no request inside, or a second one";
  if (r->write != (rec->state != LOAD) || r->last != rec->last)
    return "differs from its request";
  if (rec->undecided || rec->untried)
    return rec->undecided ? "comes before its verdict" : "comes before it is said to be served";
  if (r->write && rec->state != ACKED)
    return "acknowledges a store that the memory has not acknowledged";
  if (!r->write && memcmp(out->resp_data, rec->data, e->p.c->d.WORDS * sizeof *rec->data))
    return "has other data than the stores to its line before it left there";
  const bool unfetched = rec->line->told < rec->taken; /* it can't have brought the line */
  if (e->p.c->d.FORWARD && rec->state == LOAD && rec->forced && !rec->bypassed && unfetched)
    return "is of a load that was to go to the memory, and did not";
  if (rec->state == LOAD && rec->missed && !rec->bypassed && (!rec->cacheable || unfetched))
    return "is of a load that is said not to have found its line, and nothing was fetched for it";
  if (rec->state == LOAD) {
    if (rec->bypassed || unfetched)
      e->bringers[rec->hpc] -= rec->cacheable;
    rec->line->loads--;
    rec->line->of_entry[rec->pe]--;
    rec->line->cached -= rec->cacheable;
    e->away -= rec->bypassed;
  }
  rec->state = FREE;
  e->inside--;
  e->p.env.checked++;
  return NULL;
}

/* A fetch is newly offered: its entry. */
static bool judge_entry(struct l1d_env *e, const struct mreq *r) {
  const struct line *line = line_at(e, r->line);
  if (r->kind != HD_FILL || !line || (r->pe <= e->p.c->d.LPT && line->of_entry[r->pe]) ||
      (!r->pe && line->prefetches))
    return true;
  return hd_fail(&e->p.env,
                 "line 0x%" PRIx64 " is fetched with entry %" PRIu64 " - 1, and no load that waits has that",
                 r->line, r->pe);
}

static bool held_ok(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const size_t bytes = e->p.c->d.WORDS * sizeof(uint64_t);
  uint64_t hash = hd_hash(0, &out->resp, sizeof out->resp);
  if (!out->resp.write)
    hash = hd_hash(hash, out->resp_data, bytes);
  if (!hd_held_ok(&e->resp, out->resp_valid, in->resp_ready, hash))
    return hd_fail(&e->p.env, "an answer at resp went away or changed before it was taken");
  if (e->p.c->d.LOS && out->mreq_valid && !e->mreq.held && !judge_entry(e, &out->mreq))
    return false;
  hash = hd_hash(0, &out->mreq, sizeof out->mreq);
  if (out->mreq.kind == HD_STORE)
    hash = hd_hash(hd_hash(hash, out->mreq_wdata, bytes), out->mreq_wmask, bytes);
  if (!hd_held_ok(&e->mreq, out->mreq_valid, in->mreq_ready, hash))
    return hd_fail(&e->p.env, "a request at mreq went away or changed before it was taken");
  return true;
}

/* What is told to those around the cache, before anything of it can be answered or sent. */
static bool judge_told(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct verdict *v = &out->verdict;
  const char *wrong = d->VERDICT && out->verdict_valid ? judge_verdict(e, v) : NULL;
  if (wrong)
    return hd_fail(&e->p.env,
                   "the verdict (warp %" PRIu64 " group %" PRIu64 " pc %" PRIx64 " line 0x%" PRIx64
                   " offset %" PRIu64 ", hit %" PRIu64 ") %s",
                   v->wid, v->gid, v->pc, v->line, v->low, v->hit, wrong);
  wrong = d->APCM ? hd_l1d_judge_access(e, out) : NULL;
  if (wrong)
    return hd_fail(&e->p.env,
                   "what is said of a load (warp %" PRIu64 ", load %" PRIu64 ", line 0x%" PRIx64
                   ", access %" PRIu64 ") %s",
                   out->acc.wid, out->acc.lid, out->acc.line, out->acc.count, wrong);
  wrong = d->MEMSCHED && out->back_valid ? judge_back(e, out) : NULL;
  if (wrong)
    return hd_fail(&e->p.env, "that a load of warp %" PRIu64 " is %s %s", out->back_wid,
                   out->back_ok ? "served" : "to come again", wrong);
  wrong = d->REUSE && out->evict_valid ? judge_evict(e, out->evict_hpc, out->evict_count) : NULL;
  if (wrong)
    return hd_fail(&e->p.env,
                   "a line of hash %" PRIx64 " with counter %" PRIu64 " is said to be replaced, %s",
                   out->evict_hpc, out->evict_count, wrong);
  return judge_probes(e, out);
}

/* What the cache sees of the tables in this cycle, and asks them. */
static void note_hints(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  for (unsigned i = 0; i < e->p.c->d.RFT; i++)
    if (in->rft_en && in->rft_bypass >> i & 1)
      e->said[i] = e->p.cycle + 1;
  e->lk_hpc = out->lk_hpc;
}

bool hd_l1d_judge(struct hd_env *env, const void *in_, const void *out_) {
  struct l1d_env *e = (struct l1d_env *)env;
  const struct l1d_in *in = in_;
  const struct l1d_out *out = out_;
  const bool take = in->req_valid && out->req_ready, give = out->resp_valid && in->resp_ready;
  const bool ask = out->mreq_valid && in->mreq_ready, tell = in->mrsp_valid && out->mrsp_ready;
  const bool prefetch = e->p.c->d.PREF && in->pf_valid && out->pf_ready;
  if (!held_ok(e, in, out))
    return false;
  const bool served = !e->p.c->d.MEMSCHED ? take : out->back_valid && out->back_ok;
  int64_t filled[MAX_PROBES];
  if (!judge_told(e, out))
    return false;
  for (unsigned u = 0; u < e->p.c->d.PROBES; u++) {
    const struct line *line = line_at(e, in->pr_line[u]);
    filled[u] = line ? line->filled : NEVER;
  }
  const char *wrong = give ? judge_response(e, out) : NULL;
  if (wrong) {
    const struct resp *r = &out->resp;
    return hd_fail(env, "the answer (%s, warp %" PRIu64 " slot %" PRIu64 " number %" PRIu64 ") %s",
                   r->write ? "store" : "load", r->wid, r->slot, r->num, wrong);
  }
  if (tell)
    answered(e);
  if (ask && !send(e, out))
    return false;
  if (e->p.c->d.APCM) {
    wrong = hd_l1d_judge_wait(e, in, out);
    if (wrong)
      return hd_fail(env, "the oldest load %s", wrong);
    hd_l1d_note_patterns(e, in, out);
  }
  if (take)
    take_request(e);
  if (prefetch) {
    e->prefetch->prefetches++;
    e->prefetching = false;
  }
  note_probes(e, in, filled);
  note_hints(e, in, out);
  if (in->flush)
    flush(e);
  e->silent = e->inside || take || tell || prefetch || out->mreq_valid ? 0 : e->silent + 1;
  for (unsigned i = 0; i < e->n_lines && e->silent == SILENCE; i++)
    e->pool[i].prefetches = 0;
  if (!hd_cycle_over(&e->p, e->inside > 0 || e->offering || e->n_again, served || give || ask || tell))
    return hd_fail(env, "nothing moves any more; %u requests are without an answer", e->inside + e->n_again);
  return true;
}
