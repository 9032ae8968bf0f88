/* SMs at the ports of a memory system: what its tests share. Random traffic decides each thing by a hash of SM and
 * cycle, so that it does not depend on how far SMs and memory system are run in turns. */
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

/* One request and what became of it. */
struct rig_request {
  uint64_t line, sent, came; /* cycles; came 0: not yet */
  unsigned kind, nth;        /* nth: answers of the SM before it */
};

struct rig {
  struct hd_config c;
  struct hd_design *design;
  struct hd_memsys *ms;
  struct rig_request *q; /* of all SMs, per_sm each */
  unsigned per_sm, *sent, *answered;
  uint64_t sectors; /* that bypassed loads ask for, and stores bring */
  unsigned segment; /* bytes that stores are said to write */
};

static inline void rig_config(struct rig *r) {
  memset(r, 0, sizeof *r);
  hd_config_default(&r->c);
  r->c.memory.kind = HD_MEM_L2;
  r->c.gpu.dispatch_latency = 2; /* what several SMs need */
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

/* All requests are. */
static inline bool rig_answered(const struct rig *r) {
  for (unsigned sm = 0; sm < r->c.gpu.sms; sm++)
    if (r->answered[sm] < r->per_sm)
      return false;
  return true;
}

/* What SMs have done is known to it, and then what it has done to them. */
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

/* The n-th request of an SM; n travels in its fields. With LoSCache it predicts `pred` accesses; of stores, every other one
 * writes its whole line. */
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

/* Takes the answer of an SM that is there in cycle `at`, if any; it must be of a request that has none. */
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

/* Sends when it may, and runs until the answer; returns the cycles from one to the other. For one SM's lone requests. */
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
