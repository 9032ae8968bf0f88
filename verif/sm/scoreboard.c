/* The end-to-end scoreboard of sm_mem; see scoreboard.h. It knows the ports, the SM's program (hd_sm_watch) and the memory's initial
 * contents, but nothing inside sm_mem. A mechanism's allows.c says what the mechanism allows. predictions.c checks LoSCache's requests.
 *
 * Conservation. The distinct lines of an instruction, in lane order, are its requests 0, 1, ... Each is answered exactly once, with
 * `last` on the highest number. A store is sent to the memory exactly once, with its bytes, and acknowledged after the memory has
 * acknowledged it. A load is sent under its own name (bypassed) at most once, and only if something lets it bypass: a stall; the
 * reuse-frequency table or APCM, once enabled; or CASC, once enabled, for the requests that its scheme names. A line is fetched by a free
 * MSHR, and only in two cases. Either a load waits for the line, and CASC does not surely make it bypass (APCM may protect lines that CASC
 * names). Or the prefetcher has been enabled and may prefetch the line. At the end nothing is in flight.
 *
 * Data. The stores to a line have one order: that in which the memory port takes them. Version v of the line contains its first v stores.
 * A load must return, in all bytes, one version v of its line for which these hold. (a) v includes every store sent before the load entered
 * the coalescer (issue taken). (b) v includes every store ordered before the load, and such a store is sent before the answer. (c) v
 * includes no store ordered after the load. (d) v includes no store that is not sent before the answer. Of two stores to a line, the one
 * ordered before the other is sent first. A is *ordered before* B in two cases:
 *   - Both pass the same queue of the request buffer, and A entered the coalescer first. With a single slot all requests have the same
 *     queue. With MemSched the same warp has the same queue. Otherwise it is the same warp, CTA or place in the CTA, by the signature.
 *     (A warp always uses one queue, so this includes program order.)
 *   - Both belong to one CTA, and A belongs to an earlier barrier epoch.
 *
 * Errors. A request sent under its own name is answered with an error exactly if the memory's answer was an error. Another load may get an
 * error only if a fetch of its line failed while the load was inside; behind a bus, also if the load entered before that MSHR fetched
 * again. The data of an error always differ from the line, so the scoreboard notices if the L1D keeps them.
 *
 * Uncached loads and atomics are performed when the memory port takes them. They return the whole line with all stores sent before, and
 * are ordered as stores are. The result of an atomic is the line's next version. So an atomic performed twice, or not at all, is noticed.
 *
 * Why the hardware keeps these rules. The coalescer and each queue are FIFOs. A store passes no earlier request of its queue. A warp
 * arrives at a barrier only when its requests have left the buffer (D-MRPB-1). So A before B means that the L1D gets A before B. (With
 * MemSched the L1D may give a request back. But another instruction of the warp waits until the warp's queue is empty, and `drained` means
 * that nothing will be given back. So the L1D decides A before B.) The L1D decides in the order in which it gets requests, and sends in the
 * order in which it decides. A load takes no data older than a store decided before it: a store frees its line, and marks an MSHR in
 * flight, so that no later load merges and the line does not stay (D-L1-1, D-L1-2). A load takes no data younger than a store decided after
 * it: its line was requested before the store was sent, and the memory keeps the order within a line. (a) holds because a store that was
 * sent was decided before.
 */
#include "verif/sm/scoreboard.h"

#include "verif/loscache/predictions.h"
#include "verif/sm/allows.h"
#include "verif/sm/in_flight.h"
#include "verif/sm/line_versions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROOM(room) extern const struct hd_allows hd_allows_##room;
#include "verif/rooms.h"
#undef ROOM
static const struct hd_allows *const allows[] = {
#define ROOM(room) &hd_allows_##room,
#include "verif/rooms.h"
#undef ROOM
};
enum { ALLOWS = sizeof allows / sizeof *allows };

struct hd_scoreboard {
  const struct hd_config *c;
  uint64_t stamp, checked;
  struct hd_in_flight flight;
  struct hd_versions *versions;
  struct hd_predictions *predictions;
  bool behind_bus, storm;
  uint64_t fetching, failed; /* a bit for each MSHR: it fetches; its last fetch failed, behind a bus */
  uint64_t fetched[HD_MOST(l1d, mshrs)]; /* the unit (hd_unit) of each MSHR's last fetch */
  unsigned been;                         /* bit i: allows[i] is in this machine, and has been enabled */
  uint64_t since; /* the stamp since which all mechanisms that exclude are enabled and none protects */
};

/* ---- What mechanisms allow ---- */

static void note_enables(struct hd_scoreboard *sb, const struct sm_mem_in *in) {
  bool excludes = false, not_surely = false;
  for (unsigned i = 0; i < ALLOWS; i++) {
    const struct hd_allows *a = allows[i];
    if (!a->there(sb->c))
      continue;
    const bool on = a->enabled(in);
    sb->been |= (unsigned)on << i;
    excludes |= a->excludes && on;
    not_surely |= (a->excludes && !on) || (a->protects && on && a->protects(sb->c));
  }
  if (!excludes || not_surely)
    sb->since = sb->stamp;
}

/* Notes for each request of a load which mechanisms, once enabled, let it bypass, and whether one makes it bypass. */
static void note_allowed(const struct hd_scoreboard *sb, struct hd_flight_inst *load) {
  uint64_t line[WL_LANES];
  for (unsigned k = 0; k < load->n; k++)
    line[k] = load->request[k].line;
  for (unsigned i = 0; i < ALLOWS; i++) {
    const struct hd_allows *a = allows[i];
    for (unsigned k = 0; k < load->n && a->there(sb->c); k++) {
      struct hd_flight_request *r = &load->request[k];
      r->access.excluded |= a->excludes && a->excludes(sb->c, line, load->n, k);
      r->may_bypass |= (unsigned)(a->bypasses && a->bypasses(sb->c, line, load->n, k)) << i;
    }
  }
}

/* Returns true if the line may be fetched although no load waits for it. */
static bool may_fetch(const struct hd_scoreboard *sb, uint64_t line) {
  bool may = false;
  for (unsigned i = 0; i < ALLOWS; i++)
    may |= sb->been >> i & 1 && allows[i]->fetches && allows[i]->fetches(sb->c, line);
  return may;
}

/* Returns true if a mechanism that may fetch such lines has been enabled. */
static bool something_fetches(const struct hd_scoreboard *sb) {
  bool some = false;
  for (unsigned i = 0; i < ALLOWS; i++)
    some |= sb->been >> i & 1 && allows[i]->fetches;
  return some;
}

/* Returns true if the load may bypass: the L1D bypasses by itself, or a mechanism allows it. */
static bool may_bypass(const struct hd_scoreboard *sb, const struct hd_flight_request *r) {
  const bool stalls = sb->c->request_buffer.bypass != HD_BYPASS_OFF && !sb->c->d.LACK_BYPASS;
  return stalls || sb->c->d.BYP_ALL || r->may_bypass & sb->been;
}

/* ---- The ports ---- */

static void on_issue(void *ctx, const struct hd_sm_mem_inst *mi) {
  struct hd_scoreboard *sb = ctx;
  hd_flight_issue(&sb->flight, mi);
}

static void on_done(void *ctx, unsigned wid, unsigned slot) {
  struct hd_scoreboard *sb = ctx;
  hd_flight_done(&sb->flight, wid, slot);
}

/* An instruction enters the coalescer. */
static bool enter(struct hd_scoreboard *sb, const struct sm_mem_in *in) {
  struct hd_flight_inst *i = hd_flight_enter(&sb->flight, in);
  if (!i)
    return false;
  i->who.stamp = sb->stamp++;
  if (!in->issue_write)
    note_allowed(sb, i);
  for (unsigned k = 0; k < i->n; k++)
    if (!hd_versions_enter(sb->versions, &i->request[k].access,
                           hd_flight_unit_of(&sb->flight, i, &i->request[k]), in->issue_write))
      return hd_flight_wrong_request(&sb->flight, i, k, "is not followed: out of memory");
  for (uint64_t left = sb->failed; left; left &= left - 1)
    hd_versions_failed(sb->versions, sb->fetched[__builtin_ctzll(left)]);
  return true;
}

/* Returns the kinds of requests that are answered with an acknowledgement, or with data. */
static unsigned answered_with(bool acknowledgement) {
  return acknowledgement ? HD_FLIGHT_STORE : HD_FLIGHT_LOAD | HD_FLIGHT_ASIDE;
}

/* A store or an atomic asks the SM for its bytes. */
static bool bytes(struct hd_scoreboard *sb, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  struct hd_flight_inst *i;
  struct hd_flight_request *r = hd_flight_named(&sb->flight, "st", HD_FLIGHT_STORE | HD_FLIGHT_ASIDE,
                                                out->st_wid, out->st_slot, out->st_num, &i);
  if (!r)
    return false;
  if (r->state != WAITS || out->st_lanes != r->lanes)
    return hd_flight_wrong_request(&sb->flight, i, (unsigned)out->st_num,
                                   r->state == WAITS
                                       ? "asks for the bytes of other lanes than fall into its line"
                                       : "asks for its bytes after it was sent");
  memcpy(r->access.data, in->st_data, sb->c->d.WORDS * sizeof *in->st_data);
  memcpy(r->access.mask, in->st_mask, sb->c->d.WORDS * sizeof *in->st_mask);
  return true;
}

/* An answer goes to the SM. */
static bool answer(struct hd_scoreboard *sb, const struct sm_mem_out *out) {
  const struct resp *a = &out->resp;
  const unsigned num = (unsigned)a->num;
  struct hd_flight_inst *i;
  struct hd_flight_request *r =
      hd_flight_named(&sb->flight, "resp", answered_with(a->write), a->wid, a->slot, a->num, &i);
  if (!r)
    return false;
  if (r->state == ANSWERED)
    return hd_flight_wrong_request(&sb->flight, i, num, "is answered a second time");
  if (a->last != (num + 1 == i->n))
    return hd_flight_wrong_request(&sb->flight, i, num, "is answered with a wrong `last`");
  if (i->what != HD_FLIGHT_LOAD ? r->state != RETURNED : r->state == SENT)
    return hd_flight_wrong_request(&sb->flight, i, num, "is answered before the memory has answered it");
  if (r->state == RETURNED ? a->error != r->failed : a->error && !r->access.may_fail)
    return hd_flight_wrong_request(&sb->flight, i, num,
                                   a->error ? "is answered with an error that the memory did not give"
                                            : "is answered without the error that the memory gave");
  if (out->resp_poison && (!sb->storm || i->what != HD_FLIGHT_LOAD))
    return hd_flight_wrong_request(&sb->flight, i, num, "is poisoned, and no bit has flipped");
  const bool without = a->error || out->resp_poison; /* the answer has no valid data */
  if (without && i->what == HD_FLIGHT_LOAD)
    hd_versions_dropped(sb->versions, &r->access);
  const size_t bytes = sb->c->d.WORDS * sizeof *out->resp_data;
  uint64_t line[HD_MAX_WORDS], brought[HD_MAX_WORDS];
  hd_flight_brought(&sb->flight, i, r, brought);
  if (i->what == HD_FLIGHT_ASIDE && !a->error) {
    memcpy(line, r->access.data, bytes);
    hd_merge(line, out->resp_data, brought, sb->c->d.WORDS);
    if (memcmp(line, r->access.data, bytes))
      return hd_flight_wrong_request(&sb->flight, i, num,
                                     "returns other data than the line had when it was sent");
  }
  if (i->what == HD_FLIGHT_LOAD && !without) {
    memcpy(r->access.mask, brought, bytes);
    const char *wrong = hd_versions_answered(sb->versions, &r->access, out->resp_data);
    if (wrong)
      return hd_flight_wrong_request(&sb->flight, i, num, wrong);
  }
  sb->checked++;
  hd_flight_answer(&sb->flight, i, r);
  return true;
}

/* Checks LoSCache's part of a request that the memory port takes. */
static bool predicted(struct hd_scoreboard *sb, const struct sreq *q, const struct hd_flight_inst *i) {
  const uint64_t pc = i ? hd_flight_pc(&sb->flight, i) : 0;
  const char *wrong = sb->c->d.LOS ? hd_predictions_sent(sb->predictions, q, i ? &pc : NULL) : NULL;
  return !wrong || hd_flight_wrong(&sb->flight, "%s", wrong);
}

/* The memory port takes a line's fetch. */
static bool fetch(struct hd_scoreboard *sb, const struct sreq *q) {
  if (q->id >= sb->c->d.MSHRS || sb->fetching >> q->id & 1)
    return hd_flight_wrong(
        &sb->flight, "line 0x%" PRIx64 " is fetched by MSHR %" PRIu64 ", which is not there or not free",
        q->line, q->id);
  const uint64_t unit = hd_unit(&sb->flight.c->d, q->line, q->sectors);
  if (!hd_flight_fetches(&sb->flight, q))
    return false;
  if (!hd_versions_awaited(sb->versions, unit, sb->since) && !may_fetch(sb, q->line))
    return hd_flight_wrong(
        &sb->flight, "line 0x%" PRIx64 " is fetched, and no load %s it%s", q->line,
        hd_versions_awaited(sb->versions, unit, UINT64_MAX) ? "that is to be cached waits for" : "waits for",
        something_fetches(sb) ? ", nor may it be prefetched" : "");
  sb->checked++;
  sb->fetching |= UINT64_C(1) << q->id;
  sb->failed &= ~(UINT64_C(1) << q->id);
  sb->fetched[q->id] = unit;
  return predicted(sb, q, NULL);
}

/* The memory port takes a store, a bypassed or an uncached load, or an atomic. */
static bool send(struct hd_scoreboard *sb, const struct sm_mem_out *out) {
  const struct sreq *q = &out->mreq;
  const unsigned num = (unsigned)q->num;
  struct hd_flight_inst *i;
  if (q->kind > HD_STORE)
    return hd_flight_wrong(&sb->flight, "a request of kind %" PRIu64 " is sent to the memory", q->kind);
  struct hd_flight_request *r =
      hd_flight_named(&sb->flight, "mreq", answered_with(q->kind == HD_STORE), q->wid, q->slot, q->num, &i);
  if (!r)
    return false;
  if (r->state != WAITS || q->line != r->line || q->last != (num + 1 == i->n))
    return hd_flight_wrong_request(&sb->flight, i, num,
                                   r->state != WAITS
                                       ? "is sent to the memory a second time, or after its answer"
                                       : "is sent to the memory with another line or a wrong `last`");
  r->state = SENT;
  sb->checked++;
  if (!predicted(sb, q, i) || !hd_flight_wants(&sb->flight, i, num, q))
    return false;
  if (q->op != (sb->c->d.ATOMICS ? i->op : 0))
    return hd_flight_wrong_request(&sb->flight, i, num, "is sent to the memory as another operation");
  if (i->what == HD_FLIGHT_LOAD)
    return may_bypass(sb, r) ||
           hd_flight_wrong_request(&sb->flight, i, num, "bypasses the L1D, and nothing lets it");
  if (i->op != HD_UNCACHED && !hd_flight_brings(&sb->flight, i, num, out->mreq_wdata, out->mreq_wmask))
    return false;
  const char *wrong = i->op ? hd_versions_performed(sb->versions, &r->access, i->op)
                            : hd_versions_sent(sb->versions, &r->access);
  return !wrong || hd_flight_wrong_request(&sb->flight, i, num, wrong);
}

/* The memory's answer is taken. */
static bool returned(struct hd_scoreboard *sb, const struct srsp *a) {
  if (sb->c->d.LOS && a->kind == HD_QUERY) {
    const char *wrong = hd_predictions_answered(sb->predictions, a);
    return !wrong || hd_flight_wrong(&sb->flight, "%s", wrong);
  }
  if (a->kind == HD_FILL) {
    if (a->id >= sb->c->d.MSHRS || !(sb->fetching >> a->id & 1))
      return hd_flight_wrong(&sb->flight, "the memory answers MSHR %" PRIu64 ", which waits for nothing",
                             a->id);
    sb->fetching &= ~(UINT64_C(1) << a->id);
    if (a->error)
      hd_versions_failed(sb->versions, sb->fetched[a->id]);
    sb->failed |= (uint64_t)(a->error && sb->behind_bus) << a->id;
    return true;
  }
  struct hd_flight_inst *i;
  struct hd_flight_request *r =
      hd_flight_named(&sb->flight, "mrsp", answered_with(a->kind == HD_STORE), a->wid, a->slot, a->num, &i);
  if (!r)
    return false;
  if (r->state != SENT)
    return hd_flight_wrong_request(&sb->flight, i, (unsigned)a->num,
                                   "is answered by the memory, which was not asked");
  r->state = RETURNED;
  r->failed = a->error;
  return true;
}

/* Answers are checked first: they cannot depend on requests sent in this cycle. */
bool hd_scoreboard_clock(struct hd_scoreboard *sb, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  bool ok = !sb->flight.text[0];
  ok = ok && (!out->resp_valid || !in->resp_ready || answer(sb, out));
  ok = ok && (!in->mrsp_valid || !out->mrsp_ready || returned(sb, &in->mrsp));
  ok = ok && (!out->st_valid || bytes(sb, in, out));
  const bool query = sb->c->d.LOS && out->mreq.kind == HD_QUERY;
  if (ok && out->mreq_valid && in->mreq_ready && !query)
    ok = out->mreq.kind == HD_FILL ? fetch(sb, &out->mreq) : send(sb, out);
  const char *wrong = ok && sb->c->d.LOS ? hd_predictions_clock(sb->predictions, in, out) : NULL;
  ok = ok && (!wrong || hd_flight_wrong(&sb->flight, "%s", wrong));
  ok = ok && (!in->issue_valid || !out->issue_ready || enter(sb, in));
  note_enables(sb, in);
  sb->flight.cycle++;
  return ok;
}

bool hd_scoreboard_finish(struct hd_scoreboard *sb) {
  if (!hd_flight_finish(&sb->flight))
    return false;
  if (sb->fetching)
    return hd_flight_wrong(&sb->flight, "MSHR %d was never answered", __builtin_ctzll(sb->fetching));
  if (hd_predictions_inside(sb->predictions))
    return hd_flight_wrong(&sb->flight, "a query was never answered");
  return !sb->flight.text[0];
}

struct hd_sm_watch hd_scoreboard_watch(struct hd_scoreboard *sb) {
  return (struct hd_sm_watch){.ctx = sb, .issue = on_issue, .done = on_done};
}

const char *hd_scoreboard_text(const struct hd_scoreboard *sb) {
  return sb->flight.text;
}

bool hd_scoreboard_no_memory(const struct hd_scoreboard *sb) {
  return hd_versions_no_memory(sb->versions);
}

uint64_t hd_scoreboard_checked(const struct hd_scoreboard *sb) {
  return sb->checked + hd_predictions_checked(sb->predictions);
}

unsigned hd_scoreboard_inside(const struct hd_scoreboard *sb) {
  return sb->flight.inside + (unsigned)__builtin_popcountll(sb->fetching) +
         hd_predictions_inside(sb->predictions);
}

bool hd_scoreboard_busy(const struct hd_scoreboard *sb, unsigned wid) {
  return hd_flight_busy(&sb->flight, wid);
}

void hd_scoreboard_free(struct hd_scoreboard *sb) {
  if (!sb)
    return;
  if (sb->versions)
    hd_versions_free(sb->versions);
  hd_predictions_free(sb->predictions);
  hd_flight_free(&sb->flight);
  free(sb);
}

struct hd_scoreboard *hd_scoreboard_new(const struct hd_config *c, bool behind_bus, bool storm) {
  struct hd_scoreboard *sb = calloc(1, sizeof *sb);
  if (!sb)
    return NULL;
  *sb = (struct hd_scoreboard){.c = c, .behind_bus = behind_bus, .storm = storm};
  const bool flies = hd_flight_init(&sb->flight, c);
  sb->versions = hd_versions_new(c);
  sb->predictions = hd_predictions_new(c, storm);
  if (flies && sb->versions && sb->predictions)
    return sb;
  hd_scoreboard_free(sb);
  return NULL;
}

bool hd_scoreboard_reset(struct hd_scoreboard *sb) {
  sb->checked = hd_scoreboard_checked(sb);
  hd_predictions_free(sb->predictions);
  sb->predictions = hd_predictions_new(sb->c, sb->storm);
  hd_versions_reset(sb->versions);
  hd_flight_reset(&sb->flight);
  sb->fetching = sb->failed = 0;
  sb->been = 0;
  return sb->predictions != NULL;
}
