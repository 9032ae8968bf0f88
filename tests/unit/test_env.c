/* The environments: golden models pass in many configurations with every event seen, the same seed gives the
 * same run, and a module that does one thing wrong, once, is caught.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cmodel/models.h"
#include "verif/env.h"
#include "workloads/workloads.h"

/* A saboteur changes what the model gets (`in`; `out` is NULL) or what the environment gets (`out`). */
typedef void (*saboteur)(void *in, void *out);

struct play {
  struct hd_config c;
  const char *module;
  uint64_t seed, cycles;
  saboteur saboteur;
  bool want_all; /* events */
  struct wl_source *source;
  /* results */
  char text[1024]; /* "" = passed */
  uint64_t checked, trace;
  unsigned unseen;
};

static unsigned unseen(const struct hd_model *m) {
  unsigned n = 0;
  for (size_t i = 0; i < m->decl->n_events; i++)
    if (m->decl->events[i].when && !m->ev[i]) {
      print_message("unseen: %s.%s\n", m->decl->module, m->decl->events[i].name);
      n++;
    }
  for (size_t i = 0; i < m->decl->n_insts; i++)
    n += unseen(*(struct hd_model *const *)((const char *)m + m->decl->insts[i].offset));
  return n;
}

static void cycle(struct play *p, const struct hd_model_ops *ops, struct hd_model *m, struct hd_env *env,
                  void *in, void *out) {
  const size_t size = m->decl->in_size;
  void *seen = malloc(size); /* by the model */
  ops->moore(m, out);
  env->ops->drive(env, out, in);
  memcpy(seen, in, size);
  p->trace = p->trace * 31 + *(const uint64_t *)in;
  if (p->saboteur)
    p->saboteur(seen, NULL);
  if (ops->mealy)
    ops->mealy(m, seen, out);
  if (p->saboteur)
    p->saboteur(in, out);
  if (!env->ops->clock(env, in, out))
    strcpy(p->text, *env->text ? env->text : "no reason given");
  ops->tick(m, seen);
  free(seen);
}

static void run(struct play *p) {
  struct hd_why why;
  struct hd_env *env;
  assert_int_equal(hd_config_check(&p->c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&p->c);
  const struct hd_decl *decl = hd_design_find(design, p->module);
  const struct hd_model_ops *ops = hd_model_ops(p->module);
  struct hd_model *m = hd_model_new(design, p->module, true, NULL);
  void *in = calloc(1, decl->in_size), *out = calloc(1, decl->out_size);
  assert_true(m && hd_alloc_in(decl, in) && hd_alloc_out(decl, out));
  const struct hd_env_job job = {.design = design, .module = p->module, .seed = p->seed, .source = p->source};
  if (hd_env_new(&job, &env, &why) != HD_OK)
    fail_msg("%s", why.text);
  uint64_t t = 0;
  for (; !*p->text && !env->ops->done(env); t++) {
    assert_true(t < p->cycles + 200000);
    env->stop = t >= p->cycles;
    cycle(p, ops, m, env, in, out);
  }
  if (!*p->text && !env->ops->finish(env))
    strcpy(p->text, env->text);
  p->checked = env->checked;
  p->unseen = p->want_all ? unseen(m) : 0;
  env->ops->close(env);
  hd_free_in(decl, in);
  hd_free_out(decl, out);
  free(in);
  free(out);
  hd_model_free(m);
  hd_design_free(design);
}

static struct play of(const char *module) {
  struct play p = {.module = module, .seed = 1, .cycles = 20000};
  hd_config_default(&p.c);
  if (strcmp(module, "mrpb") == 0)
    p.c.request_buffer.kind = HD_MRPB;
  return p;
}

/* Runs it: must pass. */
static void passes(struct play *p) {
  run(p);
  if (*p->text)
    fail_msg("%s: %s", p->module, p->text);
  assert_true(p->checked > 0);
}

static void sees_all(struct play p) {
  p.cycles = 300000;
  p.want_all = true;
  passes(&p);
  assert_int_equal(p.unseen, 0);
}

static void test_simple_modules(void **state) {
  (void)state;
  sees_all(of("request_slot"));
  sees_all(of("coalescer"));
  sees_all(of("sched"));
  struct play p = of("sched");
  p.c.scheduler.policy = HD_GTO;
  sees_all(p);
}

static void test_mrpb(void **state) {
  (void)state;
  static const unsigned latency[] = {5, 3, 18};
  for (int drain = HD_DRAIN_FIXED; drain <= HD_DRAIN_RR; drain++)
    for (int how = 0; how < 4; how++) {
      struct play p = of("mrpb");
      p.c.request_buffer.drain = (enum hd_drain)drain;
      p.c.request_buffer.signature = (enum hd_signature)((drain + how) % 3);
      p.c.request_buffer.greedy = how & 1;
      p.c.request_buffer.flush = how & 2;
      p.c.request_buffer.depth = drain == HD_DRAIN_FIXED ? 4 : 8;
      p.c.request_buffer.latency = latency[(drain + how) % 3];
      sees_all(p);
    }
}

static void test_l1d(void **state) {
  (void)state;
  for (int how = 0; how < 6; how++) {
    struct play p = of("l1d");
    p.c.l1d.allocate = how & 1 ? HD_ON_FILL : HD_ON_MISS;
    p.c.request_buffer.bypass = how < 2 ? HD_BYPASS_OFF : how == 2 ? HD_BYPASS_ASSOC : HD_BYPASS_ALL;
    if (how == 1) {
      p.c.l1d.ways = 6;
      p.c.l1d.sets = 64;
      p.c.l1d.set_index = HD_INDEX_FERMI;
    } else if (how == 4) {
      p.c.l1d.ways = 1;
      p.c.l1d.mshrs = 4;
      p.c.l1d.mshr_merge = p.c.l1d.miss_queue = 2;
      p.c.l1d.set_index = HD_INDEX_XOR;
    }
    sees_all(p);
  }
}

static void test_sm_mem(void **state) {
  (void)state;
  sees_all(of("sm_mem"));
  struct play p = of("sm_mem");
  p.c.request_buffer.kind = HD_MRPB;
  p.c.request_buffer.bypass = HD_BYPASS_ALL;
  sees_all(p);
  p = of("sm_mem"); /* few lanes, short addresses: the work is fitted to them */
  p.c.sm.warps = 8;
  p.c.sm.lanes = 4;
  p.c.sm.addr_bits = 20;
  p.c.l1d.line_bytes = 32;
  passes(&p);
}

static void test_workload(void **state) {
  (void)state;
  char err[256];
  struct play p = of("sm_mem");
  p.c.request_buffer.kind = HD_MRPB;
  p.cycles = 1000000; /* more than it needs */
  p.source = wl_open("random:tiny,launches=1", err, sizeof err);
  assert_non_null(p.source);
  passes(&p);
  p.source->ops->close(p.source);
}

static void test_same_seed_same_run(void **state) {
  (void)state;
  static const char *const modules[] = {"sched", "coalescer", "request_slot", "mrpb", "l1d", "sm_mem"};
  for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
    struct play a = of(modules[i]), b = of(modules[i]), other = of(modules[i]);
    other.seed = 2;
    passes(&a);
    passes(&b);
    passes(&other);
    assert_true(a.trace == b.trace);
    assert_true(a.trace != other.trace);
  }
}

/* A saboteur acts at one chance in so many; not every time does it matter. */
enum { CHANCES = 200 };
static unsigned chances;
static bool now(bool possible) {
  chances += possible;
  return possible && chances % CHANCES == 0;
}

/* Runs it with a saboteur: must be caught, in these words. */
static void caught(const char *module, saboteur how, const char *words) {
  struct play p = of(module);
  p.saboteur = how;
  chances = 0;
  run(&p);
  if (!*p.text || !strstr(p.text, words))
    fail_msg("%s: found \"%s\", expected \"%s\"", p.module, p.text, words);
}

/* Saboteurs. SEEN: on what the model gets. SHOWN: on what the environment gets. */
#define SEEN(name, module, possible, what)                                                                   \
  static void name(void *in_, void *out_) {                                                                  \
    struct module##_in *in = in_;                                                                            \
    if (!out_ && now(possible))                                                                              \
      what;                                                                                                  \
  }
#define SHOWN(name, module, possible, what)                                                                  \
  static void name(void *in_, void *out_) {                                                                  \
    const struct module##_in *in = in_;                                                                      \
    struct module##_out *out = out_;                                                                         \
    if (out_ && in && now(possible))                                                                         \
      what;                                                                                                  \
  }

SEEN(slot_loses, request_slot, in->enq_valid, in->enq_valid = 0)
SEEN(slot_repeats, request_slot, in->deq_ready, in->deq_ready = 0)
SEEN(slot_wrong_byte, request_slot, in->enq_valid && in->enq.write, in->enq_wdata[3] ^= 1 << 9)
SHOWN(slot_wavers, request_slot, out->deq_valid && !in->deq_ready, out->deq.num ^= 1)

static void test_wrong_request_slot(void **state) {
  (void)state;
  caught("request_slot", slot_loses, "while one is inside");
  caught("request_slot", slot_repeats, "none is inside");
  caught("request_slot", slot_wrong_byte, "bytes differ");
  caught("request_slot", slot_wavers, "changed before it was taken");
}

SEEN(mrpb_loses, mrpb, in->enq_valid, in->enq_valid = 0)
SEEN(mrpb_repeats, mrpb, in->deq_ready, in->deq_ready = 0)
SEEN(mrpb_wrong_queue, mrpb, in->enq_valid, in->enq.wid ^= 1)
SHOWN(mrpb_not_drained, mrpb, true, out->drained ^= 4)
SHOWN(mrpb_wrong_line, mrpb, out->deq_valid && in->deq_ready, out->deq.line ^= 1)
SHOWN(mrpb_too_early, mrpb, !out->deq_valid && out->drained != UINT64_MAX >> 16, out->deq_valid = 1)

static void test_wrong_mrpb(void **state) {
  (void)state;
  caught("mrpb", mrpb_loses, "queue");
  caught("mrpb", mrpb_repeats, "drained says 0 of queue");
  caught("mrpb", mrpb_wrong_queue, "queue");
  caught("mrpb", mrpb_not_drained, "of queue 2");
  caught("mrpb", mrpb_wrong_line, "deq");
  caught("mrpb", mrpb_too_early, "less than");
}

SHOWN(coalescer_lanes, coalescer, out->req_valid && in->req_ready, out->req_lanes ^= 16)
SHOWN(coalescer_last, coalescer, out->req_valid && in->req_ready, out->req.last ^= 1)
SHOWN(coalescer_busy, coalescer, true, out->busy ^= 1)
SEEN(coalescer_line, coalescer, in->issue_valid && in->issue_mask & 8, in->issue_line[3] ^= 1)
SEEN(coalescer_loses, coalescer, in->issue_valid, in->issue_valid = 0)

static void test_wrong_coalescer(void **state) {
  (void)state;
  caught("coalescer", coalescer_lanes, "request");
  caught("coalescer", coalescer_last, "request");
  caught("coalescer", coalescer_busy, "busy is");
  caught("coalescer", coalescer_line, "the request (");
  caught("coalescer", coalescer_loses, "busy is");
}

SEEN(sched_not_ready, sched, !in->ready, in->ready = 1)
SHOWN(sched_idles, sched, out->pick_valid[0], out->pick_valid[0] = out->pick_wid[0] = 0)
static void sched_starves(void *in, void *out) {
  if (!out)
    ((struct sched_in *)in)->ready &= ~UINT64_C(32);
}

static void test_wrong_sched(void **state) {
  (void)state;
  caught("sched", sched_not_ready, "not its own or not ready");
  caught("sched", sched_idles, "picks nothing, but");
  struct play p = of("sched");
  p.saboteur = sched_starves;
  run(&p);
  assert_non_null(strstr(p.text, "warp 5 has been ready") ? p.text : strstr(p.text, "picks nothing, but"));
  p = of("sched");
  p.c.scheduler.policy = HD_GTO;
  p.saboteur = sched_starves;
  run(&p);
  assert_non_null(strstr(p.text, "the last or oldest ready one is 5"));
}

SEEN(l1d_loses, l1d, in->req_valid, in->req_valid = 0)
SEEN(l1d_repeats, l1d, in->resp_ready, in->resp_ready = 0)
SEEN(l1d_wrong_line, l1d, in->req_valid, in->req.line ^= 1)
SEEN(l1d_forgets_store, l1d, in->req_valid && in->req.write, in->req.write = 0)
SEEN(l1d_sends_twice, l1d, in->mreq_ready, in->mreq_ready = 0)
SHOWN(l1d_wrong_byte, l1d, out->resp_valid && !out->resp.write && in->resp_ready, out->resp_data[1] ^= 1)
SHOWN(l1d_wrong_store, l1d, out->mreq_valid && out->mreq.kind == 2 && in->mreq_ready, out->mreq_wmask[1] ^= 1)

static void test_wrong_l1d(void **state) {
  (void)state;
  caught("l1d", l1d_loses, "");
  caught("l1d", l1d_repeats, "second one");
  caught("l1d", l1d_wrong_line, "");
  caught("l1d", l1d_forgets_store, "");
  caught("l1d", l1d_sends_twice, "memory port");
  caught("l1d", l1d_wrong_byte, "other data");
  caught("l1d", l1d_wrong_store, "other bytes");
}

SEEN(sm_repeats, sm_mem, in->resp_ready, in->resp_ready = 0)
SEEN(sm_loses, sm_mem, in->mrsp_valid, in->mrsp_valid = 0)
SHOWN(sm_wrong_byte, sm_mem, out->resp_valid && !out->resp.write && in->resp_ready, out->resp_data[1] ^= 1)

static void test_wrong_sm_mem(void **state) {
  (void)state;
  caught("sm_mem", sm_repeats, "answered");
  caught("sm_mem", sm_loses, "");
  caught("sm_mem", sm_wrong_byte, "wrong byte");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simple_modules),
      cmocka_unit_test(test_mrpb),
      cmocka_unit_test(test_l1d),
      cmocka_unit_test(test_sm_mem),
      cmocka_unit_test(test_workload),
      cmocka_unit_test(test_same_seed_same_run),
      cmocka_unit_test(test_wrong_request_slot),
      cmocka_unit_test(test_wrong_mrpb),
      cmocka_unit_test(test_wrong_coalescer),
      cmocka_unit_test(test_wrong_sched),
      cmocka_unit_test(test_wrong_l1d),
      cmocka_unit_test(test_wrong_sm_mem),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
