/* The environment of `axi4_manager`: requests of an L1D or of an L2 slice, and an AXI4 subordinate (axi_subordinate.c).
 *
 * The lines come from a small pool, so that several requests of one line are in flight (manager_traffic.c).
 *
 * It checks at the ports, byte by byte. An image of all lines takes the writes in the order in which they are taken at req. A read returns
 * its line as the image was when the read was taken. The bus's memory takes a write when it answers it, and gives each beat of a read from
 * its present content. So a request that overtakes another of its line is noticed. Addresses leave in the order of the requests, with their
 * ids; a write has its own bytes. Each request is answered once, with its fields and with the errors of its beats; a slice's writes are not
 * answered. B does not wait for ever, whatever else moves. When nothing is inside, `errors` and `fault` match the subordinate's actions.
 */
#include "verif/axi4/manager_env.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- On the bus ---- */

/* Returns the next read or write taken, from place *at on, and moves *at behind it. Returns NULL if there is none. */
static struct txn *next_of(struct manager_env *e, bool write, uint64_t *at) {
  while (*at < e->n_txn && e->txn[*at % INSIDE].write != write)
    ++*at;
  return *at < e->n_txn ? &e->txn[(*at)++ % INSIDE] : NULL;
}

static uint64_t user_of(const struct manager_env *e, const struct busreq *r) {
  const struct hd_derived *d = &e->p.c->d;
  const unsigned num = 1, slot = num + d->LANE_W, wid = slot + d->SLOT_W;
  return d->BUS_SM ? r->wid << wid | r->slot << slot | r->num << num | r->last : 0;
}

static bool addressed(struct manager_env *e, struct txn *t, const char *channel, uint64_t id, uint64_t line,
                      uint64_t user) {
  if (!t)
    return hd_fail(&e->p.env, "%s: line %" PRIx64 ", and no request is due", channel, line);
  if (t->r.line != line || t->id != id || user_of(e, &t->r) != user)
    return hd_fail(&e->p.env,
                   "%s: id %" PRIu64 ", line %" PRIx64 ", user %" PRIx64 "; due are id %" PRIu64
                   ", line %" PRIx64 ", user %" PRIx64,
                   channel, id, line, user, t->id, t->r.line, user_of(e, &t->r));
  t->state = t->state == TAKEN ? ADDRESSED : t->state;
  return true;
}

static bool hears_read(void *ctx, uint64_t id, uint64_t line, uint64_t user) {
  struct manager_env *e = ctx;
  struct txn *t = next_of(e, false, &e->reads);
  e->read[id] = t;
  return addressed(e, t, "AR", id, line, user);
}

static bool hears_write(void *ctx, uint64_t id, uint64_t line, uint64_t user) {
  struct manager_env *e = ctx;
  struct txn *t = next_of(e, true, &e->writes);
  e->wrote[id] = t;
  return addressed(e, t, "AW", id, line, user);
}

static bool hears_bytes(void *ctx, uint64_t nth, const struct hd_axi_burst *burst) {
  struct manager_env *e = ctx;
  const struct txn *t = next_of(e, true, &e->bytes);
  if (!t)
    return hd_fail(&e->p.env, "W: burst %" PRIu64 ", and no write is due", nth);
  for (unsigned b = 0; b < e->p.c->d.LINE_BYTES; b++) {
    const bool due = t->mask[b / 8] >> b % 8 & 1, is = burst->strobe[b / 8] >> b % 8 & 1;
    const unsigned shift = 8 * (b % 8);
    if (due != is || (due && (uint8_t)(t->data[b / 8] >> shift) != (uint8_t)(burst->data[b / 8] >> shift)))
      return hd_fail(&e->p.env, "W: byte %u of line %" PRIx64 " is not the write's, or its strobe", b,
                     t->r.line);
  }
  e->p.env.checked++;
  return true;
}

static const uint64_t *line_of(void *ctx, uint64_t id) {
  return ((struct manager_env *)ctx)->read[id]->line->memory;
}

/* The bus has answered the transaction. */
static void ends(struct manager_env *e, struct txn *t) {
  t->state = WHOLE;
  e->errors += t->error != 0;
  if (t->error & EITHER)
    e->exact = false;
  if (e->p.c->d.BUS_L2 && t->write) {
    t->state = FREE;
    e->due[t->error & 3]++;
    e->perhaps += t->error == EITHER;
  }
}

static void gets_beat(void *ctx, uint64_t id, uint64_t resp, bool last, enum hd_axi_fault fault) {
  struct manager_env *e = ctx;
  struct txn *t = e->read[id];
  if (fault != HD_AXI_NO_FAULT)
    e->fault = true;
  if (fault == HD_AXI_STRAY)
    return;
  t->error |= resp & 2 ? resp : 0;
  if (fault != HD_AXI_NO_FAULT)
    t->error |= HD_AXI_SLVERR;
  if (last)
    ends(e, t);
}

/* The memory takes the write now. */
static void gets_answer(void *ctx, uint64_t id, uint64_t resp, enum hd_axi_fault fault) {
  struct manager_env *e = ctx;
  struct txn *t = e->wrote[id];
  if (fault == HD_AXI_STRAY) {
    e->fault = true;
    return;
  }
  t->error = resp & 2 ? resp : 0;
  if (fault == HD_AXI_EARLY) {
    t->error |= EITHER;
    e->exact = false;
  }
  hd_merge(t->line->memory, t->data, t->mask, e->p.c->d.WORDS);
  ends(e, t);
}

/* Returns true if no request has the id that the bus has not answered, nor will the offered request get it. */
static bool may_stray(void *ctx, bool write, uint64_t id) {
  const struct manager_env *e = ctx;
  const struct hd_derived *d = &e->p.c->d;
  if (write ? id == e->n_written % d->BUS_WRITES
            : id == e->next.r.id || (d->BUS_BYPS && id == d->BUS_MSHRS + e->n_bypassed % d->BUS_BYPS))
    return false;
  for (uint64_t i = e->oldest; i < e->n_txn; i++) {
    const struct txn *t = &e->txn[i % INSIDE];
    if (t->state != FREE && t->state != WHOLE && t->write == write && t->id == id)
      return false;
  }
  return true;
}

/* ---- Answers ---- */

static bool answers(const struct manager_env *e, const struct txn *t, const struct axi4_manager_out *out) {
  const struct busrsp *a = &out->rsp;
  if (t->state != WHOLE)
    return false;
  if (e->p.c->d.BUS_L2)
    return t->r.id == a->id;
  return t->r.kind == a->kind && t->r.id == a->id && t->r.wid == a->wid && t->r.slot == a->slot &&
         t->r.num == a->num && t->r.last == a->last;
}

static bool check_answer(struct manager_env *e, const struct axi4_manager_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  struct txn *t = NULL;
  for (uint64_t i = e->oldest; i < e->n_txn && !t; i++)
    if (answers(e, &e->txn[i % INSIDE], out))
      t = &e->txn[i % INSIDE];
  if (!t)
    return hd_fail(&e->p.env,
                   "rsp: kind %" PRIu64 ", id %" PRIu64 ", warp %" PRIu64
                   " is the answer to no request that the bus has answered",
                   out->rsp.kind, out->rsp.id, out->rsp.wid);
  const bool either = t->error & EITHER && out->rsp_error == ((t->error & 3) | HD_AXI_SLVERR);
  if (out->rsp_error != (t->error & 3) && !either)
    return hd_fail(&e->p.env, "rsp: the error of line %" PRIx64 " is %" PRIu64 ", the bus said %" PRIu64,
                   t->r.line, out->rsp_error, t->error & 3);
  if (!t->write && !t->error && memcmp(out->rsp_data, t->data, d->WORDS * sizeof *t->data) != 0)
    return hd_fail(&e->p.env, "rsp: line %" PRIx64 " is not as the writes before its read made it",
                   t->r.line);
  e->p.env.checked++;
  t->state = FREE;
  if (!t->write && t->id < d->BUS_MSHRS)
    e->mshrs &= ~(UINT64_C(1) << t->id);
  else if (!t->write)
    e->bypasses--;
  return true;
}

static bool check_counts(struct manager_env *e, const struct axi4_manager_out *out) {
  const uint64_t most = 255, errors = e->errors < most ? e->errors : most;
  if (e->settled < SETTLED || !e->exact)
    return true;
  return (out->errors == errors && out->fault == e->fault) ||
         hd_fail(&e->p.env, "errors is %" PRIu64 ", fault %" PRIu64 "; there were %" PRIu64 " errors, and %s",
                 out->errors, out->fault, e->errors, e->fault ? "faults" : "no fault");
}

/* A slice's writes are not answered; write_error reports their errors. */
static bool check_reported(struct manager_env *e, const struct axi4_manager_out *out) {
  if (!e->p.c->d.BUS_L2)
    return true;
  e->reported[out->write_error]++;
  for (uint64_t code = 1; code < 4; code++) {
    const uint64_t least = e->settled < SETTLED ? 0 : e->due[code],
                   most = e->due[code] + (code == HD_AXI_SLVERR ? e->perhaps : 0);
    if (e->reported[code] < least || e->reported[code] > most)
      return hd_fail(&e->p.env,
                     "write_error was %" PRIu64 " for %" PRIu64 " writes, the bus said so of %" PRIu64, code,
                     e->reported[code], e->due[code]);
  }
  if (e->settled < SETTLED)
    return true;
  memset(e->reported, 0, sizeof e->reported);
  memset(e->due, 0, sizeof e->due);
  e->perhaps = 0;
  return true;
}

/* Checks the attributes of each transaction: not exclusive; bufferable, not cacheable; data, non-secure, unprivileged. */
static bool check_attributes(struct manager_env *e, const struct axi4_manager_out *out) {
  const uint64_t lock = out->m_axi_arlock | out->m_axi_awlock;
  if (!lock && out->m_axi_arcache == 3 && out->m_axi_awcache == 3 && out->m_axi_arprot == 2 &&
      out->m_axi_awprot == 2)
    return true;
  return hd_fail(&e->p.env,
                 "AxLOCK %" PRIu64 ", AxCACHE %" PRIu64 " and %" PRIu64 ", AxPROT %" PRIu64 " and %" PRIu64
                 "; they are to be 0, 3, 2",
                 lock, out->m_axi_arcache, out->m_axi_awcache, out->m_axi_arprot, out->m_axi_awprot);
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct manager_env *e = (struct manager_env *)env;
  const struct hd_derived *d = &e->p.c->d;
  const struct axi4_manager_in *in = in_;
  const struct axi4_manager_out *out = out_;
  bool moved;
  const bool took = in->req_valid && out->req_ready, answered = out->rsp_valid && in->rsp_ready;
  uint64_t held = hd_hash(out->rsp_error, &out->rsp, sizeof out->rsp);
  if (d->BUS_L2 || out->rsp.kind != HD_STORE)
    held = hd_hash(held, out->rsp_data, d->WORDS * sizeof *out->rsp_data);
  if (!hd_held_ok(&e->rsp, out->rsp_valid, in->rsp_ready, held))
    return hd_fail(env, "rsp changes before it is taken");
  if (!check_attributes(e, out) || !check_counts(e, out) || !check_reported(e, out) ||
      (answered && !check_answer(e, out)))
    return false;
  e->unheard = in->m_axi_bvalid && !out->m_axi_bready ? e->unheard + 1 : 0;
  if (e->unheard > HD_PATIENCE / 10)
    return hd_fail(env, "B is not taken for %u cycles", e->unheard);
  if (!hd_axi_clock(&e->bus, HD_AXI_OUTPUTS(out), &moved))
    return false;
  if (took)
    hd_manager_take(e);
  while (e->oldest < e->n_txn && e->txn[e->oldest % INSIDE].state == FREE)
    e->oldest++;
  const bool inside = e->oldest < e->n_txn || !hd_axi_idle(&e->bus);
  if (in->clear) { /* the counts are known again if nothing is in flight */
    e->exact = e->settled >= SETTLED && !moved && !e->bus.strayed;
    e->errors = 0;
    e->fault = false;
  }
  e->settled = inside || moved || e->bus.strayed ? 0 : e->settled + 1;
  if (!hd_cycle_over(&e->p, inside || e->offering, moved || took || answered))
    return hd_fail(env, "nothing moves any more; %" PRIu64 " requests are inside", e->n_txn - e->oldest);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct manager_env *e = (const struct manager_env *)env;
  return env->stop && !e->offering && e->settled > SETTLED;
}

static void close(struct hd_env *env) {
  free(env);
}

struct hd_env *axi4_manager_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {hd_manager_drive, clock, done, hd_nothing_to_check, close};
  struct manager_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  const struct hd_axi_watch watch = {.ctx = e,
                                     .read = hears_read,
                                     .write = hears_write,
                                     .bytes = hears_bytes,
                                     .line = line_of,
                                     .beat = gets_beat,
                                     .answer = gets_answer,
                                     .stray = may_stray};
  hd_axi_open(&e->bus, &e->p, &watch);
  e->exact = true;
  hd_manager_pool(e);
  return &e->p.env;
}
