/* Checks LoSCache's part of sm_mem's memory port; see predictions.h.
 *
 * Requests have entries only after LoSCache has been enabled. Only requests with an entry have predictions. Within a kernel an entry
 * belongs to one instruction. A query carries only its line and its entry. Its line is that of the first request of the kernel that left
 * with this entry. It stays until it is taken, and is answered once.
 *
 * The table is only a hint (D-MIX-3). A flipped bit may give an entry to a second instruction, and may make one query ask for any line.
 * That much is allowed; a systematic error does it again, and is found. In a storm of flips neither is checked, nor the cycle in which a
 * query is offered. Then two entries may belong to one instruction, and a request has the OR of their numbers, which may be no entry's
 * number.
 */
#include "verif/loscache/predictions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { OWNERS = 2, STRAYS = 1 };

/* An entry, in the current kernel. */
struct entry {
  bool sent; /* a request with it has left */
  uint64_t line;
  unsigned owners;
  uint64_t pc[OWNERS];
};

struct hd_predictions {
  const struct hd_config *c;
  struct entry entry[HD_MOST(loscache, table) + 1]; /* index: entry + 1 */
  unsigned asked[HD_MOST(loscache, table) + 1];     /* queries for the entry that are not answered */
  unsigned inside, strays;
  bool storm;
  bool enabled, held; /* LoSCache has been enabled; a query was offered and not taken */
  bool waits;         /* a request of the L1D was offered and not taken */
  uint64_t line, pe;  /* of the last request at the port */
  uint64_t checked;
  char text[160];
};

static const char *wrong(struct hd_predictions *p, uint64_t line, uint64_t pe, const char *what) {
  snprintf(p->text, sizeof p->text, "line 0x%" PRIx64 ", entry %" PRIu64 " - 1: %s", line, pe, what);
  return p->text;
}

/* Returns true if the instruction may have the entry. */
static bool owns(struct entry *e, uint64_t pc) {
  for (unsigned i = 0; i < e->owners; i++)
    if (e->pc[i] == pc)
      return true;
  if (e->owners == OWNERS)
    return false;
  e->pc[e->owners++] = pc;
  return true;
}

const char *hd_predictions_sent(struct hd_predictions *p, const struct sreq *q, const uint64_t *pc) {
  if ((q->pe > p->c->d.LPT && !p->storm) || q->pred >> p->c->d.CNT_W)
    return wrong(p, q->line, q->pe, "there is no such entry or prediction");
  if (!q->pe)
    return q->pred ? wrong(p, q->line, q->pe, "a request without an entry has a prediction") : NULL;
  if (!p->enabled)
    return wrong(p, q->line, q->pe, "a request has an entry, and LoSCache has never been enabled");
  struct entry *e = &p->entry[q->pe];
  if (pc && !p->storm && !owns(e, *pc))
    return wrong(p, q->line, q->pe, "in one kernel requests of ever other instructions have this entry");
  if (!e->sent)
    e->line = q->line;
  e->sent = true;
  p->checked++;
  return NULL;
}

/* Checks a query when it is first offered. Returns NULL, or the error. */
static const char *offered(struct hd_predictions *p, const struct sreq *q) {
  if (!q->pe || q->pe > p->c->d.LPT || q->id || q->wid || q->slot || q->num || q->last || q->pred)
    return wrong(p, q->line, q->pe, "a query has no entry, or fields that are not 0");
  const struct entry *e = &p->entry[q->pe];
  if (!p->storm && !(e->sent && e->line == q->line) && ++p->strays > STRAYS)
    return wrong(p, q->line, q->pe, "a query is not of the first line that was asked for with its entry");
  p->checked++;
  return NULL;
}

const char *hd_predictions_answered(struct hd_predictions *p, const struct srsp *a) {
  if (a->pe > p->c->d.LPT || !p->asked[a->pe])
    return wrong(p, 0, a->pe, "the memory answers a query that was not asked");
  p->asked[a->pe]--;
  p->inside--;
  return NULL;
}

const char *hd_predictions_clock(struct hd_predictions *p, const struct sm_mem_in *in,
                                 const struct sm_mem_out *out) {
  const struct sreq *q = &out->mreq;
  const bool query = out->mreq_valid && q->kind == HD_QUERY;
  if (!p->storm && p->held && (!query || q->line != p->line || q->pe != p->pe))
    return wrong(p, p->line, p->pe, "a query went away or changed before it was taken");
  if (!p->storm && p->waits && query)
    return wrong(p, q->line, q->pe, "a query comes before a request that was offered and not taken");
  const char *what = query && !p->held ? offered(p, q) : NULL;
  if (what)
    return what;
  p->held = query && !in->mreq_ready;
  p->waits = out->mreq_valid && !query && !in->mreq_ready;
  p->line = q->line;
  p->pe = q->pe;
  if (query && in->mreq_ready) {
    p->asked[q->pe]++;
    p->inside++;
  }
  p->enabled = p->enabled || in->los_en;
  for (unsigned e = 0; in->kernel && e <= p->c->d.LPT; e++)
    p->entry[e] = (struct entry){0};
  return NULL;
}

unsigned hd_predictions_inside(const struct hd_predictions *p) {
  return p->inside + p->held;
}

uint64_t hd_predictions_checked(const struct hd_predictions *p) {
  return p->checked;
}

struct hd_predictions *hd_predictions_new(const struct hd_config *c, bool storm) {
  struct hd_predictions *p = calloc(1, sizeof *p);
  if (p)
    *p = (struct hd_predictions){.c = c, .storm = storm};
  return p;
}

void hd_predictions_free(struct hd_predictions *p) {
  free(p);
}
