/* An AXI4 subordinate that passes requests on; see axi_bridge.h. */
#include "verif/axi4/axi_bridge.h"

#include <inttypes.h>
#include <string.h>

enum { SETTLED = 6 /* after so many cycles without the end of a transaction, the counts have followed */ };

static struct hd_axi_transaction *of(struct hd_axi_bridge *b, bool write, uint64_t id) {
  return write ? &b->wrote[id] : &b->read[id];
}

/* Returns true if another transaction of the line is in flight, and one of the two writes. */
static bool meets(struct hd_axi_bridge *b, const struct hd_axi_transaction *t) {
  for (unsigned i = 0; i < HD_AXI_IDS; i++) {
    const struct hd_axi_transaction *const both[] = {&b->read[i], &b->wrote[i]};
    for (unsigned k = 0; k < 2; k++)
      if (both[k] != t && both[k]->state != HD_AXI_FREE && both[k]->line == t->line &&
          (both[k]->write || t->write))
        return true;
  }
  return false;
}

/* ---- From the manager ---- */

static bool begin(struct hd_axi_bridge *b, bool write, uint64_t id, uint64_t line, uint64_t user) {
  struct hd_axi_transaction *t = of(b, write, id);
  *t = (struct hd_axi_transaction){HD_AXI_COMES, write, id, line, user, .burst = t->burst};
  return !meets(b, t) ||
         hd_fail(&b->p->env, "%s: line %" PRIx64 " is in flight already", write ? "AW" : "AR", line);
}

static void comes(struct hd_axi_bridge *b, struct hd_axi_transaction *t) {
  t->state = HD_AXI_ASKED;
  b->queue[b->came++ % (2 * HD_AXI_IDS)] = t;
}

static bool hears_read(void *ctx, uint64_t id, uint64_t line, uint64_t user) {
  struct hd_axi_bridge *b = ctx;
  if (!begin(b, false, id, line, user))
    return false;
  comes(b, &b->read[id]);
  return true;
}

/* Write number `nth`: becomes a request if its address and all its beats have come. */
static void pair(struct hd_axi_bridge *b, uint64_t nth) {
  if (nth >= b->addresses || nth >= b->bursts)
    return;
  struct hd_axi_transaction *t = &b->wrote[b->address[nth % HD_AXI_IDS]];
  t->burst = b->early[nth % HD_AXI_IDS];
  comes(b, t);
}

static bool hears_write(void *ctx, uint64_t id, uint64_t line, uint64_t user) {
  struct hd_axi_bridge *b = ctx;
  if (!begin(b, true, id, line, user))
    return false;
  b->address[b->addresses % HD_AXI_IDS] = id;
  pair(b, b->addresses++);
  return true;
}

static bool hears_bytes(void *ctx, uint64_t nth, const struct hd_axi_burst *burst) {
  struct hd_axi_bridge *b = ctx;
  b->early[nth % HD_AXI_IDS] = *burst;
  b->bursts++;
  pair(b, nth);
  return true;
}

/* ---- To the manager ---- */

static bool is_due(void *ctx, bool write, uint64_t id) {
  return of(ctx, write, id)->state == HD_AXI_DUE;
}

/* Returns the response. If a read fails, one beat or several have an error. */
static uint64_t response(void *ctx, bool write, uint64_t id) {
  struct hd_axi_bridge *b = ctx;
  const struct hd_axi_transaction *t = of(b, write, id);
  const bool must = write || (t->beats == b->p->c->d.BEATS - 1 && !t->code);
  if (t->error && (must || hd_below(b->p, 2)))
    return hd_below(b->p, 2) ? HD_AXI_SLVERR : HD_AXI_DECERR;
  return hd_below(b->p, 16) ? HD_AXI_GOOD : 1;
}

static const uint64_t *line_of(void *ctx, uint64_t id) {
  return of(ctx, false, id)->burst.data;
}

static void ends(struct hd_axi_bridge *b, struct hd_axi_transaction *t) {
  b->errors += t->error;
  b->failed[t->write][t->code]++;
  b->settled = 0;
  t->state = HD_AXI_FREE;
}

/* The errors of several beats are one error: the OR of their bits. */
static void hears_code(struct hd_axi_transaction *t, uint64_t resp) {
  t->code |= resp >= HD_AXI_SLVERR ? resp : 0;
}

static void gives_beat(void *ctx, uint64_t id, uint64_t resp, bool last, enum hd_axi_fault fault) {
  struct hd_axi_transaction *t = of(ctx, false, id);
  (void)fault;
  t->beats++;
  hears_code(t, resp);
  if (last)
    ends(ctx, t);
}

static void gives_answer(void *ctx, uint64_t id, uint64_t resp, enum hd_axi_fault fault) {
  struct hd_axi_transaction *t = of(ctx, true, id);
  (void)fault;
  hears_code(t, resp);
  ends(ctx, t);
}

/* ---- The environment's side ---- */

void hd_axi_bridge_open(struct hd_axi_bridge *b, struct hd_env_base *p) {
  const struct hd_axi_watch watch = {.ctx = b,
                                     .read = hears_read,
                                     .write = hears_write,
                                     .bytes = hears_bytes,
                                     .line = line_of,
                                     .beat = gives_beat,
                                     .answer = gives_answer,
                                     .due = is_due,
                                     .resp = response};
  b->p = p;
  hd_axi_open(&b->bus, p, &watch);
}

void hd_axi_bridge_mood(struct hd_axi_bridge *b) {
  hd_axi_mood(&b->bus);
}

void hd_axi_bridge_drive(struct hd_axi_bridge *b, const struct hd_axi_inputs *in, uint64_t *clear) {
  hd_axi_drive(&b->bus, in);
  *clear = b->settled >= SETTLED && !*in->rvalid && !*in->bvalid && hd_below(b->p, 256) == 0;
}

bool hd_axi_bridge_clock(struct hd_axi_bridge *b, const struct hd_axi_outputs *out, uint64_t clear,
                         uint64_t errors, uint64_t fault) {
  bool moved;
  const uint64_t due = b->errors < 255 ? b->errors : 255;
  if (fault)
    return hd_fail(&b->p->env, "fault is 1, and the bus has kept its rules");
  if (b->settled >= SETTLED && errors != due)
    return hd_fail(&b->p->env, "errors is %" PRIu64 ", there were %" PRIu64, errors, due);
  if (clear)
    b->errors = 0;
  b->settled++;
  if (!hd_axi_clock(&b->bus, out, &moved))
    return false;
  b->quiet = moved || hd_axi_bridge_idle(b) ? 0 : b->quiet + 1;
  return b->quiet < HD_PATIENCE || hd_fail(&b->p->env, "nothing moves any more on the bus");
}

const struct hd_axi_transaction *hd_axi_bridge_request(const struct hd_axi_bridge *b) {
  return b->taken < b->came ? b->queue[b->taken % (2 * HD_AXI_IDS)] : NULL;
}

void hd_axi_bridge_take(struct hd_axi_bridge *b) {
  b->taken++;
}

void hd_axi_bridge_answer(struct hd_axi_bridge *b, bool write, uint64_t id, bool error,
                          const uint64_t *line) {
  struct hd_axi_transaction *t = of(b, write, id);
  t->state = HD_AXI_DUE;
  t->error = error;
  if (!write)
    memcpy(t->burst.data, line, b->p->c->d.WORDS * sizeof *line);
}

bool hd_axi_bridge_idle(const struct hd_axi_bridge *b) {
  return b->taken == b->came && hd_axi_idle(&b->bus);
}
