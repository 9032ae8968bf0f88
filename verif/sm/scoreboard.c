/* The end-to-end scoreboard of sm_mem; see scoreboard.h. It knows the ports, the SM's program (hd_sm_watch)
 * and the memory's initial contents, nothing of what is inside. What LoSCache sends: predictions.c.
 * Over 400 lines: what it promises, and why the hardware keeps it, stands with the checks.
 *
 * Conservation. The distinct lines of an instruction, in lane order, are its requests 0, 1, ...; each is
 * answered exactly once, with `last` on the highest number; a store is sent to the memory exactly once, with
 * its bytes, and acknowledged after the memory has; a load is sent at most once under its own name
 * (bypassed), and only where something lets it bypass: a stall, the reuse-frequency table or APCM once it has been
 * enabled, or CASC once it has been, for the requests that its scheme names; a line is fetched only while a load waits
 * for it that CASC does not surely make bypass (APCM may protect what CASC names), or when the prefetcher has been
 * enabled and may prefetch the line, by an MSHR that is free. At the end nothing is in flight.
 *
 * Data. The stores to a line have one order, that in which the memory port takes them; version v of the line
 * is its first v stores. A load must return, in all bytes, one version v of its line with (a) v counts every
 * store sent before the load entered the coalescer (issue taken), (b) v counts every store ordered before the
 * load, and such a store has been sent by the time of the answer, (c) v counts no store ordered after the
 * load, (d) v counts no store that has not been sent before the answer; and of two stores to a line the one
 * ordered before the other is sent first. A is *ordered before* B if
 *   - both pass the same queue of the request buffer and A entered the coalescer first. Same queue: with a
 *     single slot always; with MemSched same warp; else same warp, same CTA or same place in the CTA, by the
 *     signature. (A warp is in one queue always, so this contains program order.) Or
 *   - both are of one CTA and A is of an earlier barrier epoch.
 *
 * Why the hardware promises it. The coalescer and each queue are FIFOs, a store passes no earlier request of
 * its queue, and a warp arrives at a barrier only when its requests have left the buffer (D-MRPB-1): so A
 * before B means that the L1D gets A before B. (With MemSched it may give back what it gets; but another
 * instruction of the warp waits before a queue that is not empty, and `drained` means that nothing is to come
 * back, so it decides A before B.) The L1D decides in the order in which it gets, sends in the order in which it
 * decides, and a load never takes data older than a store decided before it: a store frees its line, and marks
 * an MSHR in flight so that no later load merges and the line does not stay (D-L1-1, D-L1-2); nor younger than
 * a store decided after it, as its line was asked for ahead of the store and the memory keeps the order within
 * a line. (a): what was sent was decided.
 */
#include "verif/sm/scoreboard.h"

#include "verif/loscache/predictions.h"
#include "verif/sm/line_versions.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_MSHRS = 64 };

struct request {
  enum {
    WAITS,
    SENT,
    RETURNED,
    ANSWERED
  } state; /* a load that hits or is filled goes from WAITS to ANSWERED */
  uint64_t line, lanes;
  struct hd_access access;
};

struct instruction {
  bool live, entered; /* entered: into the coalescer */
  unsigned wid, slot, n, answered;
  uint64_t issued; /* cycle */
  struct hd_who who;
  struct wl_inst inst;
  struct request request[WL_LANES];
};

struct hd_scoreboard {
  const struct hd_config *c;
  uint64_t cycle, stamp, checked;
  struct instruction *table; /* of (warp, slot) */
  unsigned inside;           /* live ones */
  struct hd_versions *versions;
  struct hd_predictions *predictions;
  bool fetching[MAX_MSHRS];
  unsigned fetches;
  bool prefetches;      /* the prefetcher has been enabled */
  bool casc, rft, apcm; /* these have been */
  uint64_t since; /* the stamp from which on CASC has been enabled all the time, and nothing protected */
  char text[1024];
};

/* The first failure counts. */
static bool fail(struct hd_scoreboard *sb, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct hd_scoreboard *sb, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!sb->text[0])
    vsnprintf(sb->text, sizeof sb->text, format, args);
  va_end(args);
  return false;
}

static bool fail_request(struct hd_scoreboard *sb, const struct instruction *i, unsigned num,
                         const char *wrong) {
  return fail(sb, "%s line 0x%" PRIx64 " (warp %u slot %u number %u, issued in cycle %" PRIu64 ") %s",
              i->inst.op != WL_LOAD ? "store to" : "load of", i->request[num].line, i->wid, i->slot, num,
              i->issued, wrong);
}

static struct instruction *find(const struct hd_scoreboard *sb, uint64_t wid, uint64_t slot) {
  const bool there = wid < sb->c->d.WARPS && slot < sb->c->sm.loads;
  return there ? &sb->table[wid * sb->c->sm.loads + slot] : NULL;
}

/* The request that a port names; NULL, and the failure is noted, if there is none of that kind. */
static struct request *named(struct hd_scoreboard *sb, const char *port, bool write, uint64_t wid,
                             uint64_t slot, uint64_t num, struct instruction **of) {
  struct instruction *i = *of = find(sb, wid, slot);
  if (i && i->live && i->entered && num < i->n && (i->inst.op != WL_LOAD) == write)
    return &i->request[num];
  fail(sb,
       "%s names a %s of warp %" PRIu64 " slot %" PRIu64 " number %" PRIu64
       ", and no such request is in flight",
       port, write ? "store" : "load", wid, slot, num);
  return NULL;
}

/* The bytes of its line that a store request writes. */
static void written(const struct hd_scoreboard *sb, const struct instruction *i, const struct request *r,
                    uint64_t *mask) {
  memset(mask, 0, sb->c->d.WORDS * sizeof *mask);
  for (uint64_t rest = r->lanes; rest; rest &= rest - 1) {
    const uint64_t at = i->inst.addr[__builtin_ctzll(rest)] & (sb->c->d.LINE_BYTES - 1);
    for (uint64_t b = at; b < at + i->inst.size; b++)
      mask[b / 8] |= UINT64_C(1) << b % 8;
  }
}

static void on_issue(void *ctx, const struct hd_sm_mem_inst *mi) {
  struct hd_scoreboard *sb = ctx;
  struct instruction *i = find(sb, mi->wid, mi->slot);
  if (!i || i->live) {
    fail(sb, "the SM issues an instruction to warp %u slot %u, which is not free", mi->wid, mi->slot);
    return;
  }
  i->live = true;
  i->entered = false;
  i->wid = mi->wid;
  i->slot = mi->slot;
  i->n = i->answered = 0;
  i->issued = sb->cycle;
  i->who = (struct hd_who){.cta = mi->cta, .place = mi->warp_in_cta, .epoch = mi->epoch};
  i->inst = *mi->inst;
  for (uint32_t rest = mi->inst->active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    const uint64_t line = mi->inst->addr[lane] >> sb->c->d.OFFSET_W;
    unsigned k = 0;
    while (k < i->n && i->request[k].line != line)
      k++;
    struct request *r = &i->request[k];
    if (k == i->n) {
      i->n++;
      r->state = WAITS;
      r->line = line;
      r->lanes = 0;
      r->access.who = &i->who;
    }
    r->lanes |= UINT64_C(1) << lane;
  }
  sb->inside++;
}

static void on_done(void *ctx, unsigned wid, unsigned slot) {
  struct hd_scoreboard *sb = ctx;
  const struct instruction *i = find(sb, wid, slot);
  if (!i || i->live)
    fail(sb,
         "the SM takes the instruction of warp %u slot %u for done, and %u of its %u requests are answered",
         wid, slot, i ? i->answered : 0, i ? i->n : 0);
}

static uint64_t set_of(const struct hd_config *c, uint64_t line) {
  const uint64_t low = line & (c->d.SETS - 1);
  if (c->l1d.set_index == HD_INDEX_LINEAR)
    return low;
  if (c->l1d.set_index == HD_INDEX_XOR)
    return low ^ (line >> c->d.SET_W & (c->d.SETS - 1));
  return low ^ (line >> 6 & 3) ^ (line >> 8 & 1) << 2 ^ (line >> 10 & 1) << 3 ^ (line >> 12 & 1) << 4;
}

/* Whether CASC, enabled, has request k of a load bypass whatever is in the cache. */
static bool excluded(const struct hd_config *c, const struct instruction *i, unsigned k) {
  if (i->inst.op != WL_LOAD || i->n <= c->d.WAYS)
    return false;
  unsigned later = 0;
  for (unsigned j = k + 1; j < i->n; j++)
    later += set_of(c, i->request[j].line) == set_of(c, i->request[k].line);
  switch (c->casc.scheme) {
  case HD_CASC_OFF:
    return false;
  case HD_CASC_ALL:
    return true;
  case HD_CASC_FIRST:
    return k >= c->d.WAYS;
  case HD_CASC_LAST:
    return k + c->d.WAYS < i->n;
  default:
    return later >= c->d.WAYS;
  }
}

static uint64_t low_bits(unsigned n) {
  return (UINT64_C(1) << n) - 1;
}

/* An instruction enters the coalescer: its lanes, and what prefetchers learn from. */
static bool enter(struct hd_scoreboard *sb, const struct sm_mem_in *in) {
  struct instruction *i = find(sb, in->issue_wid, in->issue_slot);
  bool same = i && i->live && !i->entered && in->issue_mask == i->inst.active &&
              in->issue_write == (i->inst.op != WL_LOAD);
  for (uint64_t rest = same ? in->issue_mask : 0; rest; rest &= rest - 1) {
    const int lane = __builtin_ctzll(rest);
    same = same && in->issue_line[lane] == i->inst.addr[lane] >> sb->c->d.OFFSET_W;
  }
  const int first = same ? __builtin_ctzll(in->issue_mask) : 0;
  if (same && (!in->issue_write || sb->c->d.LOS))
    same = in->issue_pc == (i->inst.pc & low_bits(sb->c->d.PC_W)) &&
           (in->issue_write || !sb->c->d.STRIDE ||
            in->issue_low == (i->inst.addr[first] & low_bits(sb->c->d.LOW_W)));
  if (!same)
    return fail(
        sb, "the SM offers an instruction of warp %" PRIu64 " slot %" PRIu64 " that is not the one it issued",
        in->issue_wid, in->issue_slot);
  i->entered = true;
  i->who.stamp = sb->stamp++;
  for (unsigned k = 0; k < i->n; k++) {
    i->request[k].access.excluded = excluded(sb->c, i, k);
    hd_versions_enter(sb->versions, &i->request[k].access, i->request[k].line, in->issue_write);
  }
  return true;
}

/* A store asks the SM for its bytes. */
static bool bytes(struct hd_scoreboard *sb, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  struct instruction *i;
  struct request *r = named(sb, "st", true, out->st_wid, out->st_slot, out->st_num, &i);
  if (!r)
    return false;
  if (r->state != WAITS || out->st_lanes != r->lanes)
    return fail_request(sb, i, (unsigned)out->st_num,
                        r->state == WAITS ? "asks for the bytes of other lanes than fall into its line"
                                          : "asks for its bytes after it was sent");
  memcpy(r->access.data, in->st_data, sb->c->d.WORDS * sizeof *in->st_data);
  memcpy(r->access.mask, in->st_mask, sb->c->d.WORDS * sizeof *in->st_mask);
  return true;
}

/* An answer goes to the SM. */
static bool answer(struct hd_scoreboard *sb, const struct sm_mem_out *out) {
  const struct resp *a = &out->resp;
  const unsigned num = (unsigned)a->num;
  struct instruction *i;
  struct request *r = named(sb, "resp", a->write, a->wid, a->slot, a->num, &i);
  if (!r)
    return false;
  if (r->state == ANSWERED)
    return fail_request(sb, i, num, "is answered a second time");
  if (a->last != (num + 1 == i->n))
    return fail_request(sb, i, num, "is answered with a wrong `last`");
  if (a->write ? r->state != RETURNED : r->state == SENT)
    return fail_request(sb, i, num, "is answered before the memory has answered it");
  if (!a->write) {
    const char *wrong = hd_versions_answered(sb->versions, &r->access, out->resp_data);
    if (wrong)
      return fail_request(sb, i, num, wrong);
  }
  r->state = ANSWERED;
  sb->checked++;
  if (++i->answered == i->n) {
    i->live = false;
    sb->inside--;
  }
  return true;
}

/* Whether a line may be fetched that no load waits for (D-SAP-6). */
static bool prefetchable(const struct hd_scoreboard *sb, uint64_t line) {
  const uint64_t page = line << sb->c->d.OFFSET_W >> 16;
  const bool legal = page >= sb->c->prefetch.first_page && page <= sb->c->prefetch.last_page;
  return sb->prefetches && (legal || !sb->c->d.STRIDE);
}

/* What LoSCache makes of a request that the memory port takes. */
static bool predicted(struct hd_scoreboard *sb, const struct sreq *q, const struct instruction *i) {
  const uint64_t pc = i ? i->inst.pc & low_bits(sb->c->d.PC_W) : 0;
  const char *wrong = sb->c->d.LOS ? hd_predictions_sent(sb->predictions, q, i ? &pc : NULL) : NULL;
  return !wrong || fail(sb, "%s", wrong);
}

/* The memory port takes a line's fetch. */
static bool fetch(struct hd_scoreboard *sb, const struct sreq *q) {
  if (q->id >= sb->c->d.MSHRS || sb->fetching[q->id])
    return fail(sb, "line 0x%" PRIx64 " is fetched by MSHR %" PRIu64 ", which is not there or not free",
                q->line, q->id);
  if (!hd_versions_awaited(sb->versions, q->line, sb->since) && !prefetchable(sb, q->line))
    return fail(sb, "line 0x%" PRIx64 " is fetched, and no load %s it%s", q->line,
                hd_versions_awaited(sb->versions, q->line, UINT64_MAX) ? "that is to be cached waits for"
                                                                       : "waits for",
                sb->prefetches ? ", nor may it be prefetched" : "");
  sb->checked++;
  sb->fetches++;
  sb->fetching[q->id] = true;
  return predicted(sb, q, NULL);
}

/* Whether something may have request `num` of a load go on uncached. */
static bool may_bypass(const struct hd_scoreboard *sb, const struct instruction *i, unsigned num) {
  const bool degree = sb->c->d.LOC && i->n > sb->c->d.WAYS;
  return sb->c->request_buffer.bypass != HD_BYPASS_OFF || sb->rft || sb->apcm || sb->c->d.BYP_ALL ||
         (sb->casc && (degree || i->request[num].access.excluded));
}

/* The memory port takes a store or a bypassed load. */
static bool send(struct hd_scoreboard *sb, const struct sm_mem_out *out) {
  const struct sreq *q = &out->mreq;
  const unsigned num = (unsigned)q->num;
  struct instruction *i;
  if (q->kind > HD_STORE)
    return fail(sb, "a request of kind %" PRIu64 " is sent to the memory", q->kind);
  struct request *r = named(sb, "mreq", q->kind == HD_STORE, q->wid, q->slot, q->num, &i);
  if (!r)
    return false;
  if (r->state != WAITS || q->line != r->line || q->last != (num + 1 == i->n))
    return fail_request(sb, i, num,
                        r->state != WAITS ? "is sent to the memory a second time, or after its answer"
                                          : "is sent to the memory with another line or a wrong `last`");
  r->state = SENT;
  sb->checked++;
  if (!predicted(sb, q, i))
    return false;
  if (q->kind != HD_STORE)
    return may_bypass(sb, i, num) || fail_request(sb, i, num, "bypasses the L1D, and nothing lets it");
  uint64_t mask[HD_MAX_WORDS];
  written(sb, i, r, mask);
  const size_t n = sb->c->d.WORDS * sizeof *mask;
  if (memcmp(out->mreq_wmask, mask, n) || memcmp(out->mreq_wmask, r->access.mask, n))
    return fail_request(sb, i, num, "is sent with a byte mask that is not that of its lanes");
  if (memcmp(out->mreq_wdata, r->access.data, n))
    return fail_request(sb, i, num, "is sent with other bytes than the SM gave");
  const char *wrong = hd_versions_sent(sb->versions, &r->access);
  return !wrong || fail_request(sb, i, num, wrong);
}

/* The memory's answer is taken. */
static bool returned(struct hd_scoreboard *sb, const struct srsp *a) {
  if (sb->c->d.LOS && a->kind == HD_QUERY) {
    const char *wrong = hd_predictions_answered(sb->predictions, a);
    return !wrong || fail(sb, "%s", wrong);
  }
  if (a->kind == HD_FILL) {
    if (a->id >= sb->c->d.MSHRS || !sb->fetching[a->id])
      return fail(sb, "the memory answers MSHR %" PRIu64 ", which waits for nothing", a->id);
    sb->fetching[a->id] = false;
    sb->fetches--;
    return true;
  }
  struct instruction *i;
  struct request *r = named(sb, "mrsp", a->kind == HD_STORE, a->wid, a->slot, a->num, &i);
  if (!r)
    return false;
  if (r->state != SENT)
    return fail_request(sb, i, (unsigned)a->num, "is answered by the memory, which was not asked");
  r->state = RETURNED;
  return true;
}

/* Answers first: what is sent in this cycle they can't have seen. */
bool hd_scoreboard_clock(struct hd_scoreboard *sb, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  bool ok = !sb->text[0];
  ok = ok && (!out->resp_valid || !in->resp_ready || answer(sb, out));
  ok = ok && (!in->mrsp_valid || !out->mrsp_ready || returned(sb, &in->mrsp));
  ok = ok && (!out->st_valid || bytes(sb, in, out));
  const bool query = sb->c->d.LOS && out->mreq.kind == HD_QUERY;
  if (ok && out->mreq_valid && in->mreq_ready && !query)
    ok = out->mreq.kind == HD_FILL ? fetch(sb, &out->mreq) : send(sb, out);
  const char *wrong = ok && sb->c->d.LOS ? hd_predictions_clock(sb->predictions, in, out) : NULL;
  ok = ok && (!wrong || fail(sb, "%s", wrong));
  ok = ok && (!in->issue_valid || !out->issue_ready || enter(sb, in));
  sb->prefetches = sb->prefetches || (sb->c->d.PREF && in->pf_en);
  sb->casc = sb->casc || (sb->c->d.CASC && in->casc_en);
  sb->rft = sb->rft || (sb->c->d.RFT && in->rft_en);
  sb->apcm = sb->apcm || (sb->c->d.APCM && in->apcm_en);
  if (!sb->c->d.CASC || !in->casc_en || (sb->c->d.APCM_P && in->apcm_en))
    sb->since = sb->stamp;
  sb->cycle++;
  return ok;
}

bool hd_scoreboard_finish(struct hd_scoreboard *sb) {
  for (unsigned i = 0; i < sb->c->d.WARPS * sb->c->sm.loads; i++)
    for (unsigned k = 0; k < sb->table[i].n && sb->table[i].live; k++)
      if (sb->table[i].request[k].state != ANSWERED)
        return fail_request(sb, &sb->table[i], k, "was never answered");
  for (unsigned m = 0; m < MAX_MSHRS; m++)
    if (sb->fetching[m])
      return fail(sb, "MSHR %u was never answered", m);
  if (hd_predictions_inside(sb->predictions))
    return fail(sb, "a query was never answered");
  return !sb->text[0];
}

struct hd_sm_watch hd_scoreboard_watch(struct hd_scoreboard *sb) {
  return (struct hd_sm_watch){.ctx = sb, .issue = on_issue, .done = on_done};
}

const char *hd_scoreboard_text(const struct hd_scoreboard *sb) {
  return sb->text;
}

uint64_t hd_scoreboard_checked(const struct hd_scoreboard *sb) {
  return sb->checked + hd_predictions_checked(sb->predictions);
}

unsigned hd_scoreboard_inside(const struct hd_scoreboard *sb) {
  return sb->inside + sb->fetches + hd_predictions_inside(sb->predictions);
}

bool hd_scoreboard_busy(const struct hd_scoreboard *sb, unsigned wid) {
  bool busy = false;
  for (unsigned slot = 0; slot < sb->c->sm.loads; slot++)
    busy = busy || sb->table[wid * sb->c->sm.loads + slot].live;
  return busy;
}

void hd_scoreboard_free(struct hd_scoreboard *sb) {
  if (!sb)
    return;
  if (sb->versions)
    hd_versions_free(sb->versions);
  hd_predictions_free(sb->predictions);
  free(sb->table);
  free(sb);
}

struct hd_scoreboard *hd_scoreboard_new(const struct hd_config *c) {
  struct hd_scoreboard *sb = calloc(1, sizeof *sb);
  if (!sb)
    return NULL;
  sb->c = c;
  sb->table = calloc((size_t)c->d.WARPS * c->sm.loads, sizeof *sb->table);
  sb->versions = hd_versions_new(c);
  sb->predictions = hd_predictions_new(c);
  if (sb->table && sb->versions && sb->predictions)
    return sb;
  hd_scoreboard_free(sb);
  return NULL;
}
