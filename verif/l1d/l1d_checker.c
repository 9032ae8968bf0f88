/* Checks the ports of `l1d`; see l1d_checker.h. */
#include "verif/l1d/l1d_checker.h"

#include "base/alloc.h"
#include "cmodel/memory/atomics.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void hd_l1d_perform(const struct record *rec, uint64_t *line, unsigned words) {
  if (rec->op)
    hd_atomic(rec->op, line, rec->data, rec->mask, words);
  else
    hd_merge(line, rec->data, rec->mask, words);
}

static void take_request(struct l1d_env *e) {
  const struct hd_derived *d = &e->p.c->d;
  const struct req *r = &e->next.r;
  struct record *rec = hd_l1d_record(e, r->wid, r->slot, r->num);
  const size_t bytes = d->WORDS * sizeof *rec->data;
  rec->state = r->write ? WRITE : LOAD;
  rec->last = r->last;
  rec->bypassed = rec->may_go = false;
  rec->unreported = d->OUTCOME_LOAD && !r->write;
  rec->byp = r->byp;
  rec->sure = false;
  rec->cacheable = true;
  rec->must_go = !d->OUTCOME_LOAD && d->FORWARD && (r->byp || d->BYP_ALL);
  rec->may_fail = rec->failed = false;
  rec->op = r->op;
  rec->pe = r->pe;
  rec->sectors = r->sectors;
  rec->taken = e->p.cycle;
  rec->line = e->next_line;
  if (r->write) {
    rec->turn = e->stores++;
    rec->line->stores++;
    memcpy(rec->data, e->next.data, bytes);
    memcpy(rec->mask, e->next.mask, bytes);
    memcpy(rec->old, rec->line->now, bytes);
    hd_l1d_perform(rec, rec->line->now, d->WORDS);
    e->inside++;
  } else {
    hd_l1d_count(e, r, rec->line, 1);
    memcpy(rec->data, rec->line->now, bytes);
    if (!d->OUTCOME_LOAD && (r->byp || d->BYP_ALL)) {
      rec->line->cached--;
      rec->cacheable = false;
    }
  }
  hd_l1d_hooks_take(e, r, rec->line);
  e->offering = false;
}

static struct line *line_at(const struct l1d_env *e, const struct mreq *r) {
  const uint64_t unit = hd_unit(&e->p.c->d, r->line, r->sectors);
  struct line *line;
  HASH_FIND(hh, e->by_unit, &unit, sizeof unit, line);
  return line;
}

/* A flush: no load may see an old line again. Here other SMs write to the memory at random. */
static void flush(struct l1d_env *e) {
  struct hd_env_base *p = &e->p;
  for (unsigned i = 0; i < e->n_lines; i++) {
    struct line *line = &e->pool[i];
    line->filled = NEVER;
    line->asked = NEVER;
    const unsigned w = hd_below(p, 4 * p->c->d.WORDS);
    if (w < p->c->d.WORDS)
      line->now[w] = line->memory[w] = hd_bits(p, 64);
  }
  hd_l1d_hooks_flush(e);
}

/* Returns true if something lets the load bypass. */
static bool may_bypass(const struct l1d_env *e, const struct record *rec) {
  const struct hd_config *c = e->p.c;
  if (c->d.OUTCOME_LOAD)
    return rec->may_go;
  return c->d.BYP_ALL || rec->byp || e->advised > rec->taken;
}

/* Returns true if a request to the memory has the right sectors: those of its request if it bypasses, or if it is a store and each sector
 * is a request of its own; else all sectors of the line, or one if a miss fetches a sector. */
static bool wants(const struct l1d_env *e, const struct mreq *r, const struct record *rec) {
  const struct hd_derived *d = &e->p.c->d;
  const uint64_t all = hd_ones(d->SECTORS);
  const bool own = r->kind == HD_BYPASSED || (r->kind == HD_STORE && d->SPLIT);
  if (!rec && d->SECTOR_FILL)
    return !(r->sectors & (r->sectors - 1)); /* line_at has found this sector in the pool */
  return r->sectors == (own && d->SECTORED ? rec->sectors : all);
}

/* Checks a request to the memory. Returns NULL, or the error. */
static const char *check_send(struct l1d_env *e, const struct l1d_out *out, struct pending *new) {
  const struct mreq *r = &out->mreq;
  const size_t bytes = e->p.c->d.WORDS * sizeof *out->mreq_wdata;
  struct line *line = line_at(e, r);
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
    const char *wrong = hd_l1d_check_kept(e, line, r);
    if (!wrong && e->outcome_all)
      wrong = hd_l1d_hooks_fetch(e, line);
    if (wrong)
      return wrong;
    if (e->outcome_all ? line->owed == 0 : line->cached == 0)
      line->prefetches -= line->prefetches > 0;
    line->owed -= line->owed > 0;
    if (r->wid || r->slot || r->num || r->last)
      return "is a fill with fields that are not 0";
    if (!wants(e, r, NULL))
      return "is a fill of other sectors than a miss fetches";
    e->mshrs |= UINT64_C(1) << r->id;
    e->asked_once = true;
    line->fetched = true;
    line->asked = line->sent;
    return NULL;
  }
  struct record *rec = hd_l1d_record(e, r->wid, r->slot, r->num);
  const bool aside = hd_l1d_aside(e, r);
  if (!rec || r->kind > HD_STORE || rec->state != (r->kind == HD_STORE || aside ? WRITE : LOAD) ||
      rec->bypassed || (r->kind == HD_STORE && rec->op))
    return "is of no request inside, or was sent before";
  if (rec->line != line || rec->last != r->last || rec->pe != r->pe || r->id)
    return "differs from its request";
  if (!wants(e, r, rec))
    return "asks for other sectors than its request";
  if (r->op != (e->p.c->d.ATOMICS ? rec->op : 0))
    return "is of another operation than its request";
  if (r->kind == HD_BYPASSED && !aside) {
    if (rec->unreported || !may_bypass(e, rec))
      return rec->unreported ? "is a load of which nothing was reported"
                             : "is a load that nothing lets bypass";
    const char *wrong = hd_l1d_check_away(e, rec);
    if (wrong)
      return wrong;
    rec->bypassed = true;
    e->away++;
    e->queued -= e->outcome_all && e->p.c->d.ON_MISS;
    return NULL;
  }
  if (rec->turn != e->sent++)
    return "is a store out of turn";
  if (rec->op != HD_UNCACHED &&
      (memcmp(out->mreq_wdata, rec->data, bytes) || memcmp(out->mreq_wmask, rec->mask, bytes)))
    return "is a store with other bytes than it brought";
  rec->state = BEYOND;
  e->away += aside;
  line->sent++;
  new->store = rec;
  return NULL;
}

static bool send(struct l1d_env *e, const struct l1d_out *out) {
  const struct mreq *r = &out->mreq;
  struct pending new;
  const char *wrong = check_send(e, out, &new);
  if (wrong)
    return hd_fail(&e->p.env,
                   "the request at the memory port (kind %" PRIu64 ", line 0x%" PRIx64 ", MSHR %" PRIu64
                   ", warp %" PRIu64 " slot %" PRIu64 " number %" PRIu64 ") %s",
                   r->kind, r->line, r->id, r->wid, r->slot, r->num, wrong);
  if (e->n_pending == e->room) {
    e->room = 2 * e->room + 64;
    e->pending = hd_resized(e->pending, e->room, sizeof *e->pending);
  }
  e->pending[e->n_pending++] = new;
  e->p.env.checked++;
  return true;
}

/* A fill is the next to enter the cache. If it is an error, loads of its line that are inside may get the error, and the line does not
 * stay. */
static void fills(struct l1d_env *e, const struct pending *a, bool failing) {
  const struct hd_config *c = e->p.c;
  for (struct record *rec = e->records;
       failing && rec < e->records + (size_t)c->d.WARPS * c->sm.loads * c->d.LANES; rec++)
    rec->may_fail |= rec->state == LOAD && rec->line == a->line;
  if (failing)
    e->failed = a->line;
  e->mshrs &= ~(UINT64_C(1) << a->r.id);
  a->line->fetched = false;
  a->line->filled = a->line->asked;
  a->line->stays = !failing;
  a->line->reported = e->p.cycle;
  e->fills++;
  e->entering = true;
  hd_l1d_hooks_fill(e, a->line);
}

/* The answer of a bypassed load, an uncached load or an atomic has gone to the SM. A fill may have waited behind it (D-L1-17). */
static void left(struct l1d_env *e) {
  if (--e->ahead == 0 && e->behind) {
    fills(e, &e->later, e->later_failing);
    e->behind = false;
  }
}

static void answered(struct l1d_env *e) {
  struct pending *a = &e->answer;
  const bool fill = a->r.kind == HD_FILL;
  if (fill && e->ahead) {
    e->behind = true;
    e->later = *a;
    e->later_failing = e->failing;
  } else if (fill) {
    fills(e, a, e->failing);
  } else {
    if (e->failing)
      hd_l1d_record(e, a->r.wid, a->r.slot, a->r.num)->failed = true;
    if (a->store)
      a->store->state = ACKED;
    e->ahead += a->r.kind == HD_BYPASSED;
  }
  e->answering = false;
}

/* Checks an answer to the SM. Returns NULL, or the error. */
static const char *check_response(struct l1d_env *e, const struct l1d_out *out) {
  const struct resp *r = &out->resp;
  struct record *rec = hd_l1d_record(e, r->wid, r->slot, r->num);
  if (!rec || rec->state == FREE || rec->state == AGAIN)
    return "is of no request inside, or a second one";
  if (r->write != (rec->state != LOAD && !rec->op) || r->last != rec->last)
    return "differs from its request";
  if (rec->unreported)
    return "comes before it is reported";
  if (rec->state != LOAD && rec->state != ACKED)
    return "acknowledges a store that the memory has not acknowledged";
  if (rec->state == LOAD && !rec->bypassed ? r->error && !rec->may_fail : r->error != rec->failed)
    return "is or is not an error, other than the memory's";
  if (out->resp_poison)
    return "is poisoned, and no bit has flipped";
  if (rec->op && !r->error && !hd_l1d_same(&e->p.c->d, rec->line, out->resp_data, rec->old))
    return "has other data than the line had when it left there";
  if (rec->state == LOAD && !r->error && !hd_l1d_same(&e->p.c->d, rec->line, out->resp_data, rec->data))
    return "has other data than the stores to its line before it left there";
  const bool merged = !rec->sure && rec->line->reported >= rec->taken; /* it may have merged */
  if (rec->state == LOAD && rec->must_go && !rec->bypassed && !merged)
    return "is of a load that was to go to the memory, and did not";
  if (rec->state == LOAD) {
    rec->line->loads--;
    hd_l1d_loads_end(e, rec->line, rec->bypassed || r->error ? NULL : rec);
    rec->line->of_entry[rec->pe]--;
    rec->line->cached -= rec->cacheable;
    e->away -= rec->bypassed;
  }
  e->away -= rec->op != 0;
  if (rec->bypassed || rec->op)
    left(e);
  rec->state = FREE;
  e->inside--;
  e->p.env.checked++;
  return NULL;
}

/* Checks the prediction entry of a fetch when it is first offered. */
static bool check_entry(struct l1d_env *e, const struct mreq *r) {
  const struct line *line = line_at(e, r);
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
  if (e->p.c->d.PE_W && out->mreq_valid && !e->mreq.held && !check_entry(e, &out->mreq))
    return false;
  hash = hd_hash(0, &out->mreq, sizeof out->mreq);
  if (out->mreq.kind == HD_STORE || out->mreq.op >= HD_ATOM_ADD)
    hash = hd_hash(hd_hash(hash, out->mreq_wdata, bytes), out->mreq_wmask, bytes);
  if (!hd_held_ok(&e->mreq, out->mreq_valid, in->mreq_ready, hash))
    return hd_fail(&e->p.env, "a request at mreq went away or changed before it was taken");
  return true;
}

bool hd_l1d_check(struct hd_env *env, const void *in_, const void *out_) {
  struct l1d_env *e = (struct l1d_env *)env;
  const struct l1d_in *in = in_;
  const struct l1d_out *out = out_;
  const bool take = in->req_valid && out->req_ready, give = out->resp_valid && in->resp_ready;
  const bool ask = out->mreq_valid && in->mreq_ready, tell = in->mrsp_valid && out->mrsp_ready;
  const bool prefetch = e->p.c->d.PREF && in->pf_valid && out->pf_ready;
  if (!held_ok(e, in, out))
    return false;
  if (!hd_l1d_check_outcome(e, out))
    return false;
  if (e->failed)
    hd_l1d_hooks_failed(e->failed);
  e->failed = NULL;
  e->entering = false;
  const bool served = e->p.c->d.AGAIN ? out->outcome_tried && out->outcome_load : take;
  const char *wrong = give ? check_response(e, out) : NULL;
  if (wrong) {
    const struct resp *r = &out->resp;
    return hd_fail(env, "the answer (%s, warp %" PRIu64 " slot %" PRIu64 " number %" PRIu64 ") %s",
                   r->write ? "store" : "load", r->wid, r->slot, r->num, wrong);
  }
  if (tell)
    answered(e);
  if (ask && !send(e, out))
    return false;
  if (!hd_l1d_check_hooks(e, in, out) || !hd_l1d_check_still(e, in, out))
    return false;
  if (take)
    take_request(e);
  if (prefetch) {
    if (e->prefetch->prefetches++ == 0)
      e->prefetch->first = e->p.cycle;
    e->prefetch->last = e->p.cycle;
    e->prefetching = false;
  }
  if (in->flush)
    flush(e);
  e->silent = e->inside || take || tell || prefetch || out->mreq_valid ? 0 : e->silent + 1;
  for (unsigned i = 0; i < e->n_lines && e->silent == SILENCE; i++)
    e->pool[i].prefetches = 0;
  if (!hd_cycle_over(&e->p, e->inside > 0 || e->offering || e->n_back, served || give || ask || tell))
    return hd_fail(env, "nothing moves any more; %u requests are without an answer", e->inside + e->n_back);
  return true;
}
