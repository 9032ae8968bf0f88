/* Every configuration key changes something, in the RTL or in a run. The keys that the check calls idle change nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "arch/declaration/declaration.h"
#include "base/run.h"
#include "cmodel/gpu/sim.h"
#include "rtl_gen/rtl.h"
#include "tests/unit/config/key_changes.h"
#include "workloads/rng.h"
#include "workloads/stream.h"

static const struct hd_key *key_of(const char *section, const char *key) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  for (size_t i = 0; i < n; i++)
    if (!strcmp(keys[i].section, section) && !strcmp(keys[i].key, key))
      return &keys[i];
  fail_msg("no key %s.%s", section, key);
  return NULL;
}

static void put(struct hd_config *c, const struct hd_key *k, long value) {
  if (k->type == HD_KEY_BOOL)
    *(bool *)((char *)c + k->offset) = value;
  else
    *(unsigned *)((char *)c + k->offset) = (unsigned)value;
}

static void load(struct hd_config *c, const char *path) {
  if (hd_config_load(c, path, stderr))
    fail_msg("%s does not load", path);
}

/* All Verilog of a machine, as one text. */
static char *rtl_of(const struct hd_config *c) {
  struct hd_design *d = hd_design_new(c);
  char *all = hd_format("%s", "");
  for (size_t i = 0; i < d->n; i++) {
    struct hd_why why;
    char *text = hd_rtl_module_text(d, d->decls[i]->module, &why), *more;
    if (!text)
      fail_msg("%s: %s", d->decls[i]->module, why.text);
    /* the banner names the configuration's keys; only the text after it counts */
    more = hd_format("%s%s", all, strstr(text, "\nmodule"));
    free(text);
    free(all);
    all = more;
  }
  hd_design_free(d);
  return all;
}

/* A workload of one warp: ALU, SFU, shared memory, a load of 32 lines, ALU. Each instruction waits for the one before. */
static bool one_launch(struct wl_source *src, struct wl_launch *launch) {
  static bool given;
  (void)src;
  *launch = (struct wl_launch){.name = "chain", .ctas = 1, .warps_per_cta = 1};
  return given = !given;
}
static unsigned at; /* the next instruction */
static void *open_chain(struct wl_source *src, uint32_t cta, uint32_t warp) {
  (void)src, (void)cta, (void)warp;
  at = 0;
  return &at;
}
static void next(void *stream, struct wl_inst *inst) {
  static const enum wl_op ops[] = {WL_ALU, WL_SFU, WL_SHARED, WL_LOAD, WL_ALU, WL_EXIT};
  (void)stream;
  inst->op = ops[at];
  inst->pc = 8 * at;
  inst->active = UINT32_MAX;
  inst->dst = (int8_t)(at + 1);
  inst->kind = 0;
  inst->size = 4;
  inst->src = UINT64_C(1) << at++;
  if (inst->op == WL_EXIT)
    inst->dst = WL_NO_REG;
}
static void locate(void *stream, struct wl_inst *inst) {
  (void)stream;
  for (uint64_t l = 0; l < WL_LANES; l++)
    inst->addr[l] = 4096 * l;
}
static void close_chain(void *stream) {
  (void)stream;
}
static void close_source(struct wl_source *src) {
  (void)src;
}

static struct hd_sim_result result_of(const struct hd_config *c, struct wl_source *source) {
  struct hd_design *d = hd_design_new(c);
  const struct hd_sim_job job = {.design = d, .source = source, .max_cycles = 3000000};
  struct hd_sim_result r;
  struct hd_why why;
  if (hd_sim_run(&job, &r, &why) != HD_OK)
    fail_msg("%s", why.text);
  hd_design_free(d);
  r.seconds = 0;
  return r;
}

static uint64_t cycles_of(const struct hd_config *c) {
  static const struct wl_source_ops ops = {.next_launch = one_launch,
                                           .open_warp = open_chain,
                                           .next = next,
                                           .locate = locate,
                                           .close_warp = close_chain,
                                           .close = close_source};
  struct wl_source source = {&ops};
  return result_of(c, &source).sm.cycles;
}

/* A GPU so small, with work so mixed, that every part of it matters. */
static struct hd_config small_gpu(void) {
  struct hd_config c;
  load(&c, "configs/gpu/choo.yaml");
  c.gpu.sms = 2;
  c.gpu.dispatch_latency = 9;
  c.icnt.queue = 4;
  c.l2.banks = c.dram.channels = 2;
  c.l2.sets = 4;
  c.l2.ways = 4;
  c.l2.mshrs = 8;
  c.l2.queue = 2;
  c.dram.queue = 8;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  return c;
}

static uint32_t drawn; /* launches */
static bool mixed_launch(struct wl_source *src, struct wl_launch *launch) {
  (void)src;
  *launch =
      (struct wl_launch){.name = "mixed", .ctas = 12, .warps_per_cta = 4, .regs = 20, .shared_bytes = 4096};
  return drawn++ < 2;
}
struct mixed {
  struct wl_rng rng;
  uint32_t n;
  struct wl_inst inst;
};
static void *open_mixed(struct wl_source *src, uint32_t cta, uint32_t warp) {
  (void)src;
  struct mixed *m = calloc(1, sizeof *m);
  m->rng.state = wl_rng_mix(cta, warp);
  return m;
}
static void next_mixed(void *stream, struct wl_inst *given) {
  static const enum wl_op ops[] = {WL_ALU,    WL_ALU,    WL_SFU,   WL_SFU,    WL_CONST, WL_TEX,
                                   WL_SHARED, WL_SHARED, WL_LOAD,  WL_ATOMIC, WL_LOAD,  WL_STORE,
                                   WL_STORE,  WL_LOAD,   WL_FENCE, WL_BARRIER};
  struct mixed *m = stream;
  struct wl_inst *i = &m->inst;
  const uint32_t kinds = sizeof ops / sizeof *ops;
  *i = (struct wl_inst){
      .op = m->n == 3 * kinds ? WL_EXIT : ops[m->n % kinds], .pc = 8 * m->n, .active = 0xff, .size = 4};
  i->dst = i->op == WL_STORE || i->op >= WL_FENCE ? WL_NO_REG : (int8_t)(m->n % 5);
  i->src = i->op == WL_LOAD ? 0 : UINT64_C(1) << (m->n + 2) % 5;
  const uint64_t base = wl_rng_below(&m->rng, 4096);
  for (uint64_t l = 0; l < WL_LANES; l++)
    i->addr[l] = i->op == WL_SHARED ? 64 * l : 128 * ((base + l * l) % 4096);
  m->n++;
  wl_give(given, i);
}
static void locate_mixed(void *stream, struct wl_inst *given) {
  wl_give_addresses(given, &((struct mixed *)stream)->inst);
}

static struct hd_sim_result gpu_run(const struct hd_config *c) {
  static const struct wl_source_ops ops = {.next_launch = mixed_launch,
                                           .open_warp = open_mixed,
                                           .next = next_mixed,
                                           .locate = locate_mixed,
                                           .close_warp = free,
                                           .close = close_source};
  struct wl_source source = {&ops};
  drawn = 0;
  return result_of(c, &source);
}

/* A key that changes no output is a bug. tests/cli checks sm.clock_mhz and energy.node_nm: the clock that `synth` asks for and that
 * `sim` counts time by, and the node at which `sim` prices energy. */
static void every_key_changes_something(void **state) {
  (void)state;
  size_t n;
  hd_keys(&n);
  assert_int_equal(n, sizeof change / sizeof *change); /* a new key needs a line here */

  struct hd_config base;
  load(&base, "configs/mrpb/gto.yaml"); /* a machine in which every key matters */
  char *rtl = rtl_of(&base);
  const uint64_t cycles = cycles_of(&base);
  const struct hd_config whole = small_gpu();
  const struct hd_sim_result gpu = gpu_run(&whole);
  struct hd_config with[GATED_GPU + 1]; /* for each kind of key, the machine in which it shows */
  for (int kind = 0; kind <= GATED_GPU; kind++)
    with[kind] = kind == GPU || kind >= PF_GPU ? whole : base;
  load(&with[APRES], "configs/apres.yaml");
  with[STR] = with[LIMITED] = with[APRES];
  with[STR].prefetch.kind = HD_PF_STR;
  with[LIMITED].sm.addr_bits = 24;
  with[PF_GPU].scheduler.policy = HD_LAWS;
  with[PF_GPU].prefetch.kind = HD_PF_SAP;
  with[TWO_GPU].scheduler.policy = HD_TWO_LEVEL;
  load(&with[CHOO], "configs/lasc_casc.yaml");
  with[AVERAGE] = with[CHOO];
  with[AVERAGE].rft.form = HD_RFT_AVERAGE;
  load(&with[QUEUES], "configs/memsched.yaml");
  load(&with[PATTERNS], "configs/apcm.yaml");
  with[PATTERNS_GPU].apcm.manage = HD_APCM_BOTH;
  load(&with[THROTTLE], "configs/ccws.yaml");
  load(&with[OWNER], "configs/mascar.yaml");
  load(&with[BUS], "configs/axi4.yaml");
  load(&with[CONTROL], "configs/apb.yaml");
  with[SECTORS].l1d.sector_bytes = 32;
  load(&with[SECTORED], "configs/lockstep/l1d/sectored.yaml");
  load(&with[SECTORED_SLICE], "configs/lockstep/l2/l2_sectored.yaml");
  load(&with[SLICE], "configs/lockstep/l2/l2_plain.yaml");
  with[OWNER_GPU].mascar.priority = HD_MASCAR_ON;
  with[THROTTLE_GPU].ccws.throttle = HD_CCWS_ON;
  with[THROTTLE_GPU].ccws.entries = with[THROTTLE_GPU].ccws.k = 64; /* so that a few lines come again */
  with[LIMIT_GPU].scheduler.limit = 2;
  load(&with[GATED], "configs/loscache.yaml");
  with[PROGRAM] = with[GATED];
  with[GATED].loscache.wake_cycles = 5;
  with[GATED_GPU].loscache.gate = HD_GATE_ADAPTIVE;
  with[GATED_GPU].loscache.phase = 20;
  with[GATED_GPU].l2.sets = 64; /* so that lines live until they are accessed */
  with[CHOO_GPU].rft.form = HD_RFT_BIT;
  with[CHOO_GPU].rft.sharers = 2;
  with[QUEUES_GPU].casc.scheme = HD_CASC_PER_SET;
  with[QUEUES_GPU].request_buffer.kind = HD_MEMSCHED;
  with[QUEUES_GPU].request_buffer.drain = HD_DRAIN_GRR;
  for (int kind = STR; kind <= GATED_GPU; kind++)
    assert_int_equal(hd_config_check(&with[kind], NULL, NULL, stderr), 0);
  for (size_t i = 0; i < n; i++) {
    const struct hd_key *k = key_of(change[i].section, change[i].key);
    const struct hd_config *from = &with[change[i].shows];
    assert_null(hd_config_idle(from, k));
    assert_true(hd_config_get(from, k) != change[i].value);
    struct hd_config c = *from;
    put(&c, k, change[i].value);
    if (k == key_of("l1d", "allocate"))
      c.request_buffer.bypass = HD_BYPASS_ALL; /* assoc needs on_miss */
    assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
    if (change[i].shows == RTL || (change[i].shows >= APRES && change[i].shows <= GATED)) {
      char *one = change[i].shows == RTL ? NULL : rtl_of(from), *other = rtl_of(&c);
      if (!strcmp(one ? one : rtl, other))
        fail_msg("%s.%s changes nothing in the RTL", change[i].section, change[i].key);
      free(one);
      free(other);
    } else if (change[i].shows == CYCLES && cycles_of(&c) == cycles) {
      fail_msg("%s.%s changes nothing in a run", change[i].section, change[i].key);
    } else if (change[i].shows >= GPU) {
      const struct hd_sim_result one = change[i].shows == GPU ? gpu : gpu_run(from), other = gpu_run(&c);
      if (!memcmp(&one, &other, sizeof one))
        fail_msg("%s.%s changes nothing in a run of a GPU", change[i].section, change[i].key);
    }
  }
  free(rtl);
}

/* The keys that the check calls idle change nothing. */
static void idle_keys_change_nothing(void **state) {
  (void)state;
  struct hd_config base;
  load(&base, "configs/fermi_16k.yaml");
  char *rtl = rtl_of(&base);
  size_t n, idle = 0;
  const struct hd_key *keys = hd_keys(&n);
  for (size_t i = 0; i < n; i++) {
    if (!hd_config_idle(&base, &keys[i]))
      continue;
    idle++;
    for (int end = 0; end < 2; end++) {
      struct hd_config c = base;
      put(&c, &keys[i], end ? keys[i].max : keys[i].min);
      assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
      char *other = rtl_of(&c);
      assert_string_equal(rtl, other);
      free(other);
    }
  }
  /* sm, scheduler, laws, prefetch, casc, rft, apcm, ccws, mascar, request_buffer, l1d, bus, icnt, l2, loscache, dram, energy, storage */
  assert_int_equal(idle, 2 + 2 + 4 + 7 + 3 + 8 + 7 + 7 + 3 + 11 + 3 + 4 + 8 + 13 + 9 + 18 + 1 + 18);
  free(rtl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key_changes_something),
      cmocka_unit_test(idle_keys_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
