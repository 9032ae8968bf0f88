/* What comes out of `l1d`, judged; see l1d_judge.h. */
#include "verif/l1d_judge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct record *hd_l1d_record(const struct l1d_env *e, uint64_t wid, uint64_t slot, uint64_t num) {
  const struct hd_config *c = e->p.c;
  if (wid >= c->d.WARPS || slot >= c->sm.loads || num >= c->d.LANES)
    return NULL;
  return &e->records[(wid * c->sm.loads + slot) * c->d.LANES + num];
}

static void take_request(struct l1d_env *e) {
  const struct req *r = &e->next.r;
  struct record *rec = hd_l1d_record(e, r->wid, r->slot, r->num);
  const size_t bytes = e->p.c->d.WORDS * sizeof *rec->data;
  rec->state = r->write ? WRITE : LOAD;
  rec->last = r->last;
  rec->bypassed = false;
  rec->undecided = e->p.c->d.VERDICT && !r->write && (r->num == 0 || e->p.c->d.SLD);
  rec->line = e->next_line;
  if (r->write) {
    rec->turn = e->stores++;
    rec->line->stores++;
    memcpy(rec->data, e->next.data, bytes);
    memcpy(rec->mask, e->next.mask, bytes);
    hd_merge(rec->line->now, rec->data, rec->mask, e->p.c->d.WORDS);
  } else {
    rec->line->loads++;
    memcpy(rec->data, rec->line->now, bytes);
  }
  if (rec->undecided && e->n_trials < UNDECIDED)
    e->trial[e->n_trials++] = (struct trial){*r, rec, rec->line->stores};
  e->inside++;
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

/* Nothing that was there may be seen again: other SMs have written. */
static void flush(struct l1d_env *e) {
  struct hd_parts *p = &e->p;
  for (unsigned i = 0; i < e->n_lines; i++) {
    struct line *line = &e->pool[i];
    line->filled = NEVER;
    line->asked = NEVER;
    const unsigned w = hd_below(p, 4 * p->c->d.WORDS);
    if (w < p->c->d.WORDS)
      line->now[w] = line->memory[w] = hd_bits(p, 64);
  }
}

/* A request goes to the memory: NULL, or what is wrong with it. */
static const char *judge_send(struct l1d_env *e, const struct l1d_out *out, struct pending *new) {
  const struct mreq *r = &out->mreq;
  const size_t bytes = e->p.c->d.WORDS * sizeof *out->mreq_wdata;
  struct line *line;
  HASH_FIND(hh, e->by_addr, &r->line, sizeof r->line, line);
  if (!line)
    return "is to a line that nobody asked for";
  *new = (struct pending){*r, line, NULL};
  if (r->kind == FILL) {
    if (r->id >= e->p.c->d.MSHRS || e->mshrs >> r->id & 1)
      return "is of an MSHR that is not there or not free";
    if (line->fetched)
      return "fetches a line that is being fetched";
    if (line->loads == 0 && line->prefetches == 0)
      return "fetches a line that no load waits for, and no prefetch is of";
    if (line->loads == 0)
      line->prefetches--;
    if (r->wid || r->slot || r->num || r->last)
      return "is a fill with fields that are not 0";
    e->mshrs |= UINT64_C(1) << r->id;
    line->fetched = true;
    line->asked = line->sent;
    return NULL;
  }
  struct record *rec = hd_l1d_record(e, r->wid, r->slot, r->num);
  if (!rec || r->kind > STORE || rec->state != (r->kind == STORE ? WRITE : LOAD) || rec->bypassed)
    return "is of no request inside, or was sent before";
  if (rec->line != line || rec->last != r->last || r->id)
    return "differs from its request";
  if (r->kind == BYPASSED) {
    rec->bypassed = true;
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
  if (a->r.kind == FILL) {
    e->mshrs &= ~(UINT64_C(1) << a->r.id);
    a->line->fetched = false;
    a->line->filled = a->line->asked;
  } else if (a->r.kind == STORE) {
    a->store->state = ACKED;
  }
  e->answering = false;
}

/* An answer goes to the SM: NULL, or what is wrong with it. */
static const char *judge_response(struct l1d_env *e, const struct l1d_out *out) {
  const struct resp *r = &out->resp;
  struct record *rec = hd_l1d_record(e, r->wid, r->slot, r->num);
  if (!rec || rec->state == FREE)
    return "is of no request inside, or a second one";
  if (r->write != (rec->state != LOAD) || r->last != rec->last)
    return "differs from its request";
  if (rec->undecided)
    return "comes before its verdict";
  if (r->write && rec->state != ACKED)
    return "acknowledges a store that the memory has not acknowledged";
  if (!r->write && memcmp(out->resp_data, rec->data, e->p.c->d.WORDS * sizeof *rec->data))
    return "has other data than the stores to its line before it left there";
  if (rec->state == LOAD)
    rec->line->loads--;
  rec->state = FREE;
  e->inside--;
  e->p.env.checked++;
  return NULL;
}

static bool held_ok(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const size_t bytes = e->p.c->d.WORDS * sizeof(uint64_t);
  uint64_t hash = hd_hash(0, &out->resp, sizeof out->resp);
  if (!out->resp.write)
    hash = hd_hash(hash, out->resp_data, bytes);
  if (!hd_held_ok(&e->resp, out->resp_valid, in->resp_ready, hash))
    return hd_fail(&e->p.env, "an answer at resp went away or changed before it was taken");
  hash = hd_hash(0, &out->mreq, sizeof out->mreq);
  if (out->mreq.kind == STORE)
    hash = hd_hash(hd_hash(hash, out->mreq_wdata, bytes), out->mreq_wmask, bytes);
  if (!hd_held_ok(&e->mreq, out->mreq_valid, in->mreq_ready, hash))
    return hd_fail(&e->p.env, "a request at mreq went away or changed before it was taken");
  return true;
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
  const struct verdict *v = &out->verdict;
  const char *wrong = e->p.c->d.VERDICT && out->verdict_valid ? judge_verdict(e, v) : NULL;
  if (wrong)
    return hd_fail(env,
                   "the verdict (warp %" PRIu64 " group %" PRIu64 " pc %" PRIx64 " line 0x%" PRIx64
                   " offset %" PRIu64 ", hit %" PRIu64 ") %s",
                   v->wid, v->gid, v->pc, v->line, v->low, v->hit, wrong);
  wrong = give ? judge_response(e, out) : NULL;
  if (wrong) {
    const struct resp *r = &out->resp;
    return hd_fail(env, "the answer (%s, warp %" PRIu64 " slot %" PRIu64 " number %" PRIu64 ") %s",
                   r->write ? "store" : "load", r->wid, r->slot, r->num, wrong);
  }
  if (tell)
    answered(e);
  if (ask && !send(e, out))
    return false;
  if (take)
    take_request(e);
  if (prefetch) {
    e->prefetch->prefetches++;
    e->prefetching = false;
  }
  if (in->flush)
    flush(e);
  e->silent = e->inside || take || tell || prefetch || out->mreq_valid ? 0 : e->silent + 1;
  for (unsigned i = 0; i < e->n_lines && e->silent == SILENCE; i++)
    e->pool[i].prefetches = 0;
  if (!hd_cycle_over(&e->p, e->inside > 0 || e->offering, take || give || ask || tell))
    return hd_fail(env, "nothing moves any more; %u requests are without an answer", e->inside);
  return true;
}
