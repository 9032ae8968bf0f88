/* What the tests of memory systems share: SMs at the ports. Random traffic decides each thing by a hash of SM and cycle. So it does
 * not depend on the length of the windows in which SMs and memory system run. */
#ifndef HEDDLE_TESTS_UNIT_MEMSYS_RIG_H
#define HEDDLE_TESTS_UNIT_MEMSYS_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cmodel/memory/memsys.h"
#include "cmodel/model/bits.h"
#include "workloads/rng.h"

/* A request and its answer. */
struct rig_request {
  uint64_t line, sent, came; /* line; cycle of the request; cycle of the answer, 0: not yet */
  unsigned kind, nth;        /* nth: answers that the SM got before it */
};

struct rig {
  struct hd_config c;
  struct hd_design *design;
  struct hd_memsys *ms;
  struct rig_request *q; /* of all SMs, per_sm each */
  unsigned per_sm, *sent, *answered;
  uint64_t sectors; /* sectors of bypassed loads and of stores */
  unsigned segment; /* bytes that stores claim to write */
};

static inline void rig_config(struct rig *r) {
  memset(r, 0, sizeof *r);
  hd_config_default(&r->c);
  r->c.memory.kind = HD_MEM_L2;
  r->c.gpu.dispatch_latency = 2; /* needed by several SMs */
}

static inline void rig_begin(struct rig *r, unsigned per_sm, bool no_skip) {
  assert_int_equal(hd_config_check(&r->c, NULL, NULL, stderr), 0);
  r->per_sm = per_sm;
  r->q = calloc((size_t)per_sm * r->c.gpu.sms, sizeof *r->q);
  r->sent = calloc(r->c.gpu.sms, sizeof *r->sent);
  r->answered = calloc(r->c.gpu.sms, sizeof *r->answered);
  r->design = hd_design_new(&r->c);
  assert_non_null(r->design);
  r->ms = hd_memsys_new(r->design, no_skip);
  assert_true(r->q && r->sent && r->answered && r->ms);
}

/* Returns true if all requests have their answers. */
static inline bool rig_answered(const struct rig *r) {
  for (unsigned sm = 0; sm < r->c.gpu.sms; sm++)
    if (r->answered[sm] < r->per_sm)
      return false;
  return true;
}

/* Runs the memory system. It takes the news of the SMs first and gives its own news at the end. */
static inline void rig_run(struct hd_memsys *ms, uint64_t until) {
  hd_memsys_exchange(ms);
  hd_memsys_run(ms, until);
  hd_memsys_exchange(ms);
}

static inline void rig_end(struct rig *r) {
  hd_memsys_free(r->ms);
  hd_design_free(r->design);
  free(r->q);
  free(r->sent);
  free(r->answered);
}

static inline struct rig_request *rig_request(const struct rig *r, unsigned sm, unsigned n) {
  return &r->q[(size_t)sm * r->per_sm + n];
}

/* Sends the n-th request of an SM; n travels in its fields. With LoSCache it predicts `pred` accesses. Every other store writes its
 * whole line. */
static inline void rig_predict(struct rig *r, unsigned sm, uint64_t at, uint64_t line, unsigned kind,
                               unsigned pred) {
  const unsigned n = r->sent[sm]++;
  assert_true(n < r->per_sm && at >= hd_memsys_ready(r->ms, sm));
  *rig_request(r, sm, n) = (struct rig_request){line, at, 0, kind, 0};
  const struct sreq q = {.kind = kind,
                         .line = line,
                         .id = n % 32,
                         .wid = n / 32 % 32,
                         .slot = n / 1024 % 4,
                         .num = n / 4096 % 32,
                         .last = n % 3 == 0,
                         .pe = pred ? n % (r->c.loscache.table + 1) : 0,
                         .sectors = kind == HD_FILL ? hd_ones(r->c.d.SECTORS) : r->sectors,
                         .pred = pred};
  if (kind == HD_STORE && hd_memsys_stores(r->ms, sm))
    hd_memsys_stores(r->ms, sm)[(q.wid * HD_MOST(sm, loads) + q.slot) * WL_LANES + q.num] =
        (struct hd_store_bytes){.segment = (uint16_t)r->segment, .full = n % 2};
  hd_memsys_send(r->ms, sm, at, &q);
}

static inline void rig_send(struct rig *r, unsigned sm, uint64_t at, uint64_t line, unsigned kind) {
  rig_predict(r, sm, at, line, kind, 0);
}

/* Takes the answer that SM `sm` has in cycle `at`, if any. Fails if no open request matches. Returns whether there was one. */
static inline bool rig_take(struct rig *r, unsigned sm, uint64_t at) {
  const struct hd_memsys_answer *a = hd_memsys_answer(r->ms, sm);
  if (!a || a->at > at)
    return false;
  const struct srsp *s = &a->rsp;
  const unsigned n = (unsigned)(s->id + 32 * s->wid + 1024 * s->slot + 4096 * s->num);
  assert_true(n < r->sent[sm]);
  struct rig_request *q = rig_request(r, sm, n);
  assert_int_equal(q->came, 0);
  assert_int_equal(s->kind, q->kind);
  assert_int_equal(s->last, n % 3 == 0);
  q->came = a->at;
  q->nth = r->answered[sm]++;
  hd_memsys_take(r->ms, sm, at);
  return true;
}

/* Sends a request as soon as it may and runs until the answer. Returns the cycles between the two. For requests of one SM, one at a
 * time. */
static inline uint64_t rig_alone(struct rig *r, unsigned sm, uint64_t *now, uint64_t line, unsigned kind) {
  const unsigned n = r->sent[sm];
  rig_run(r->ms, *now);
  rig_send(r, sm, *now, line, kind);
  const uint64_t sent = *now;
  while (!rig_take(r, sm, *now))
    rig_run(r->ms, ++*now);
  assert_int_equal(rig_request(r, sm, n)->came, *now);
  while (!hd_memsys_idle(r->ms))
    rig_run(r->ms, ++*now);
  return rig_request(r, sm, n)->came - sent;
}

#endif
