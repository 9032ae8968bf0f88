/* What comes out of an `l1d` with APCM, judged; see l1d_checker.h.
 *
 * Each load's request is reported once, in turn, before its answer, with its fields. What it says of the line's
 * earlier accesses is what the reports themselves add up to: a line that a store or a flush took away starts anew,
 * and one that was not found was fetched or passed by. From what the patterns and the board said in the cycles
 * between a load's coming and its report follows whether it may, or must, bypass or protect: one that must bypass is
 * not what its line is fetched for; one that must protect and does not say so goes on uncached, because there was
 * no victim. A line that is protected stays while its warp is on the board; and no load waits for a victim where
 * there is none.
 */
#include "verif/l1d/l1d_checker.h"

#include <string.h>

/* Cycles in which any load gets through to the response or memory port if nothing but a victim is missing: all
 * earlier answers and requests leave. */
static unsigned patience(const struct hd_derived *d) {
  return 16 + d->MQ + d->MERGE;
}

/* Whether the line has been pinned ever since it was said to be protected, and nothing took it away before access
 * number `stores` of the order in which stores came. */
static bool pinned(const struct l1d_env *e, const struct line *line, int64_t stores) {
  return line->owner != NOBODY && e->low[line->owner] <= line->kept + 1 && stores == line->kept_stores;
}

/* Whether the line may have been pinned since a load was taken. */
static bool maybe_pinned(const struct l1d_env *e, const struct line *line, const struct record *rec) {
  return line->owner != NOBODY && e->high[line->owner] > rec->taken;
}

/* Whether every way of the load's set may have been pinned or reserved, one of them pinned. */
static bool maybe_stuck(const struct l1d_env *e, const struct record *rec) {
  unsigned pins = 0, others = 0;
  for (const struct line *l = e->pool; l < e->pool + e->n_lines; l++)
    if (l != rec->line && l->set == rec->line->set) {
      const bool pin = maybe_pinned(e, l, rec);
      pins += pin;
      others += !pin && (l->loads || l->fetched);
    }
  return pins > 0 && pins + others >= e->p.c->d.WAYS;
}

/* Whether every way of the load's set surely is pinned or reserved, one of them pinned. */
static bool surely_stuck(const struct l1d_env *e, const struct line *line) {
  unsigned pins = 0, others = 0;
  for (const struct line *l = e->pool; l < e->pool + e->n_lines; l++)
    if (l != line && l->set == line->set) {
      const bool pin = pinned(e, l, l->stores);
      pins += pin;
      others += !pin && l->fetched;
    }
  return pins > 0 && pins + others >= e->p.c->d.WAYS;
}

/* The counters that a line may have after one more access. */
static uint64_t counted_once_more(const struct hd_derived *d, uint64_t counts) {
  const unsigned most = (1U << d->RR_W) - 1;
  return ((counts << 1) | (counts & UINT64_C(1) << most)) & (UINT64_MAX >> (63 - most));
}

/* What the report says of protection: NULL, or what is wrong with it. */
static const char *judge_protect(struct l1d_env *e, const struct attempt *a, const struct l1d_out *out) {
  if (out->acc.count || !a->may_keep)
    return out->acc.count ? "protects a line that it found" : "protects, and was not to";
  if (out->ps_wid != a->r.wid || !(a->finals >> out->ps_last & 1) ||
      out->ps_loop != (out->ps_last == a->r.lid))
    return "protects for another warp, or until another load is done";
  a->line->owner = (unsigned)a->r.wid;
  a->line->asking = true;
  a->line->kept = e->p.cycle;
  a->line->kept_stores = a->stores;
  e->high[a->r.wid] = e->p.cycle + 1;
  return NULL;
}

static void settle(struct l1d_env *e, struct record *rec, bool cacheable) {
  rec->line->cached += (unsigned)cacheable - rec->cacheable;
  e->bringers[rec->hpc] += (uint64_t)cacheable - rec->cacheable;
  rec->cacheable = cacheable;
}

/* The load's line was there, or in flight. */
static const char *found(struct l1d_env *e, const struct attempt *a, struct record *rec, uint64_t count,
                         bool early) {
  struct line *line = a->line;
  if (!(counted_once_more(&e->p.c->d, line->counts) >> count & 1))
    return "can't be that access of its line";
  line->counts = UINT64_C(1) << count;
  settle(e, rec, false);
  rec->may_go = e->p.c->d.FORWARD && early;
  return NULL;
}

/* It was neither: a miss, or a bypass. */
static const char *not_found(struct l1d_env *e, const struct attempt *a, struct record *rec, bool protects,
                             bool early) {
  struct line *line = a->line;
  const bool there = !line->fetched && line->told > line->kept && e->p.cycle > line->told + 1;
  if (!protects && pinned(e, line, a->stores) && there)
    return "finds a line replaced that was pinned";
  settle(e, rec, protects || (!rec->forced && !a->must_keep));
  rec->missed = true;
  rec->may_go = !protects && (e->p.c->request_buffer.bypass != HD_BYPASS_OFF || early ||
                              (rec->loc && !a->must_keep) || (e->p.c->d.PIN && maybe_stuck(e, rec)));
  if (!rec->cacheable && !rec->may_go)
    return "is to be protected, is not, and finds a victim";
  if (!rec->may_go)
    line->counts = 1;
  else if (rec->cacheable)
    line->counts |= 1;
  return NULL;
}

/* Of the oldest load. */
static const char *judge_oldest(struct l1d_env *e, const struct attempt *a, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct access *acc = &out->acc;
  struct record *rec = hd_l1d_record(e, a->r.wid, a->r.slot, a->r.num);
  if (acc->wid != a->r.wid || acc->trk != a->r.trk || acc->lid != a->r.lid || acc->two != (a->r.num < 2) ||
      (d->APCM_P && out->acc_last != a->r.last) || acc->line != a->line->addr)
    return "is not of the oldest load of which nothing was said";
  const bool protects = d->APCM_P && out->ps_valid;
  const char *wrong = protects ? judge_protect(e, a, out) : NULL;
  if (wrong)
    return wrong;
  const bool early = !a->must_keep && (rec->byp || a->may_bypass || hd_l1d_hinted(e, rec));
  rec->forced = !a->may_keep && (rec->byp || a->must_bypass);
  if (a->line->counted != a->stores) { /* a store took it away */
    a->line->counts = 0;
    a->line->counted = a->stores;
  }
  e->p.env.checked++;
  return acc->count ? found(e, a, rec, acc->count, early) : not_found(e, a, rec, protects, early);
}

const char *hd_l1d_judge_access(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  if (d->MEMSCHED && out->acc_valid != (out->back_valid && out->back_ok))
    return out->acc_valid ? "comes, and it is not said to be served" : "does not come, and it is served";
  if (!out->acc_valid)
    return d->APCM_P && out->ps_valid ? "does not come, and a line is protected" : NULL;
  if (e->n_attempts == 0)
    return "is of no load inside";
  const struct attempt a = e->attempt[0];
  const char *wrong = judge_oldest(e, &a, out);
  e->waited = 0;
  if (d->MEMSCHED) /* which says that it is served, and is judged next */
    return wrong;
  memmove(&e->attempt[0], &e->attempt[1], --e->n_attempts * sizeof *e->attempt);
  hd_l1d_record(e, a.r.wid, a.r.slot, a.r.num)->untried = false;
  return wrong;
}

const char *hd_l1d_judge_wait(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const bool free = e->n_attempts && in->resp_ready && in->mreq_ready && !in->mrsp_valid && e->away < d->BYPS;
  e->waited = free && !(d->MEMSCHED && out->back_valid) ? e->waited + 1 : 0;
  if (!d->APCM_P || e->waited < patience(d))
    return NULL;
  e->waited = 0;
  const struct line *line = e->attempt[0].line;
  return line->loads == 1 && surely_stuck(e, line)
             ? "waits, and every way of its set is pinned or reserved for a line that is to come"
             : NULL;
}

void hd_l1d_fetched(struct line *line) {
  if (!line->asking) /* for a load that does not protect it */
    line->owner = NOBODY;
  line->asking = false;
}

static void note_pattern(struct attempt *a, const struct hd_derived *d, const struct l1d_in *in) {
  const uint64_t lid = a->r.lid, wid = a->r.wid;
  const bool known = in->apcm_en && a->r.trk && lid < d->LAT;
  const bool bypass = d->APCM_B && known && in->m_bypass >> lid & 1;
  bool keep = d->APCM_P && known && in->m_protect >> lid & 1;
  if (keep && in->psb_on >> wid & 1) /* for another load? */
    keep = in->psb_last[wid] == in->m_last[lid] && (in->psb_loop >> wid & 1) == (in->m_last[lid] == lid);
  a->may_bypass |= bypass;
  a->must_bypass &= bypass;
  a->may_keep |= keep;
  a->must_keep &= keep;
  if (keep)
    a->finals |= UINT64_C(1) << in->m_last[lid];
}

void hd_l1d_note_patterns(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  for (unsigned i = 0; i < e->n_attempts; i++)
    note_pattern(&e->attempt[i], d, in);
  for (unsigned w = 0; w < d->WARPS && d->APCM_P; w++)
    *(in->psb_on >> w & 1 ? &e->high[w] : &e->low[w]) = e->p.cycle + 1;
  const uint64_t who = out->ps_wid;
  if (d->APCM_P && out->ps_valid && e->m.obeys && !(e->known.on >> who & 1)) {
    e->known.on |= UINT64_C(1) << who;
    e->known.until[who] = out->ps_last;
    e->known.loop = (e->known.loop & ~(UINT64_C(1) << who)) | out->ps_loop << who;
  }
}
