/* That every configuration key changes something, in the RTL or in a run, and that those which the check calls idle
 * change nothing. Over 400 lines: a line or two for each key. */
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
    /* the banner names the configuration's keys; what counts is what follows */
    more = hd_format("%s%s", all, strstr(text, "\nmodule"));
    free(text);
    free(all);
    all = more;
  }
  hd_design_free(d);
  return all;
}

/* A workload of one warp: ALU, SFU, shared memory, a load of 32 lines, ALU, each waits for the one before. */
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
  *inst =
      (struct wl_inst){.op = ops[at], .pc = 8 * at, .active = UINT32_MAX, .dst = (int8_t)(at + 1), .size = 4};
  inst->src = UINT64_C(1) << at++;
  for (uint64_t l = 0; l < WL_LANES; l++)
    inst->addr[l] = 4096 * l;
  if (inst->op == WL_EXIT)
    inst->dst = WL_NO_REG;
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
                                           .close_warp = close_chain,
                                           .close = close_source};
  struct wl_source source = {&ops};
  return result_of(c, &source).sm.cycles;
}

/* A GPU so small, and work so mixed, that everything in it matters. */
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
};
static void *open_mixed(struct wl_source *src, uint32_t cta, uint32_t warp) {
  (void)src;
  struct mixed *m = calloc(1, sizeof *m);
  m->rng.state = wl_rng_mix(cta, warp);
  return m;
}
static void next_mixed(void *stream, struct wl_inst *i) {
  static const enum wl_op ops[] = {WL_ALU,    WL_ALU,    WL_SFU,   WL_SFU,    WL_CONST, WL_TEX,
                                   WL_SHARED, WL_SHARED, WL_LOAD,  WL_ATOMIC, WL_LOAD,  WL_STORE,
                                   WL_STORE,  WL_LOAD,   WL_FENCE, WL_BARRIER};
  struct mixed *m = stream;
  const uint32_t kinds = sizeof ops / sizeof *ops;
  *i = (struct wl_inst){
      .op = m->n == 3 * kinds ? WL_EXIT : ops[m->n % kinds], .pc = 8 * m->n, .active = 0xff, .size = 4};
  i->dst = i->op == WL_STORE || i->op >= WL_FENCE ? WL_NO_REG : (int8_t)(m->n % 5);
  i->src = i->op == WL_LOAD ? 0 : UINT64_C(1) << (m->n + 2) % 5;
  const uint64_t base = wl_rng_below(&m->rng, 4096);
  for (uint64_t l = 0; l < WL_LANES; l++)
    i->addr[l] = i->op == WL_SHARED ? 64 * l : 128 * ((base + l * l) % 4096);
  m->n++;
}

static struct hd_sim_result gpu_run(const struct hd_config *c) {
  static const struct wl_source_ops ops = {.next_launch = mixed_launch,
                                           .open_warp = open_mixed,
                                           .next = next_mixed,
                                           .close_warp = free,
                                           .close = close_source};
  struct wl_source source = {&ops};
  drawn = 0;
  return result_of(c, &source);
}

/* A key that changes nothing in any output is a bug. sm.clock_mhz and energy.node_nm are checked by tests/cli:
 * the clock that `synth` asks for and `sim` counts time by, the node that `sim` prices energy at. */
static void every_key_changes_something(void **state) {
  (void)state;
  static const struct {
    const char *section, *key;
    long value;
    enum {
      RTL,
      CYCLES,
      PROGRAM,
      GPU,
      APRES,
      STR,
      LIMITED,
      CHOO,
      AVERAGE,
      QUEUES,
      PATTERNS,
      THROTTLE,
      OWNER,
      BUS,
      CONTROL,
      SLICE,
      SECTORS,
      GATED,
      PF_GPU,
      TWO_GPU,
      CHOO_GPU,
      QUEUES_GPU,
      PATTERNS_GPU,
      THROTTLE_GPU,
      OWNER_GPU,
      LIMIT_GPU,
      GATED_GPU
    } shows;
  } change[] = {
      {"gpu", "sms", 3, GPU},
      {"gpu", "dispatch_latency", 60, GPU},
      {"gpu", "flush", false, GPU},
      {"sm", "warps", 24, RTL},
      {"sm", "ctas", 5, RTL},
      {"sm", "lanes", 16, RTL},
      {"sm", "coalesce", HD_COALESCE_SECTORS, SECTORS},
      {"sm", "schedulers", 4, RTL},
      {"sm", "addr_bits", 40, RTL},
      {"sm", "pc_bits", 24, APRES},
      {"sm", "loads", 2, RTL},
      {"sm", "lsu_queue", 5, GPU},
      {"sm", "fetch", 1, GPU},
      {"sm", "alu_latency", 9, CYCLES},
      {"sm", "sfu_latency", 200, CYCLES},
      {"sm", "shared_latency", 200, CYCLES},
      {"sm", "const_latency", 100, GPU},
      {"sm", "tex_latency", 300, GPU},
      {"sm", "simd_width", 8, GPU},
      {"sm", "sfu_interval", 16, GPU},
      {"sm", "shared_banks", 16, GPU},
      {"sm", "return_latency", 40, GPU},
      {"sm", "threads", 128, GPU},
      {"sm", "registers", 4096, GPU},
      {"sm", "shared_bytes", 4096, GPU},
      {"sm", "clock_mhz", 500, PROGRAM},
      {"scheduler", "policy", HD_LRR, RTL},
      {"scheduler", "group", 2, TWO_GPU},
      {"scheduler", "limit", 3, RTL},
      {"scheduler", "tokens", 1, LIMIT_GPU},
      {"laws", "groups", 2, APRES},
      {"laws", "queue", HD_LIST, APRES},
      {"laws", "on_miss", HD_MISS_OTHERS, APRES},
      {"laws", "enable", false, PF_GPU},
      {"prefetch", "kind", HD_PF_OFF, APRES},
      {"prefetch", "table", 5, APRES},
      {"prefetch", "queue", 7, APRES},
      {"prefetch", "reach", HD_REACH_SM, APRES},
      {"prefetch", "degree", 2, STR},
      {"prefetch", "first_page", 3, APRES},
      {"prefetch", "last_page", 60, APRES},
      {"prefetch", "enable", false, PF_GPU},
      {"ccws", "throttle", HD_CCWS_OFF, THROTTLE},
      {"ccws", "entries", 32, THROTTLE},
      {"ccws", "ways", 4, THROTTLE},
      {"ccws", "base", 50, THROTTLE},
      {"ccws", "k", 5, THROTTLE},
      {"ccws", "queue", 8, THROTTLE},
      {"ccws", "count_bits", 16, THROTTLE},
      {"ccws", "enable", false, THROTTLE_GPU},
      {"mascar", "priority", HD_MASCAR_OFF, OWNER},
      {"mascar", "mshrs", 5, OWNER},
      {"mascar", "places", 3, OWNER},
      {"mascar", "enable", false, OWNER_GPU},
      {"casc", "scheme", HD_CASC_PER_SET, CHOO},
      {"casc", "pc_bits", 6, CHOO},
      {"casc", "sample_bits", 6, CHOO},
      {"casc", "enable", false, QUEUES_GPU},
      {"rft", "form", HD_RFT_AVERAGE, CHOO},
      {"rft", "entries", 32, CHOO},
      {"rft", "threshold", 24, AVERAGE},
      {"rft", "forget", 3, AVERAGE},
      {"rft", "sharers", 1, CHOO_GPU},
      {"rft", "queue", 2, CHOO},
      {"rft", "latency", 4000, CHOO_GPU},
      {"rft", "resample", 4, CHOO},
      {"rft", "enable", false, CHOO_GPU},
      {"apcm", "manage", HD_APCM_BYPASS, PATTERNS},
      {"apcm", "seen", HD_SEEN_OTHERS, PATTERNS},
      {"apcm", "full_set", HD_FULL_ANY, PATTERNS},
      {"apcm", "loads", 8, PATTERNS},
      {"apcm", "entries", 64, PATTERNS},
      {"apcm", "ways", 2, PATTERNS},
      {"apcm", "threshold", 4, PATTERNS},
      {"apcm", "enable", false, PATTERNS_GPU},
      {"request_buffer", "kind", HD_SLOT, RTL},
      {"request_buffer", "signature", HD_SIG_BLOCK, RTL},
      {"request_buffer", "drain", HD_DRAIN_LONGEST, RTL},
      {"request_buffer", "greedy", true, RTL},
      {"request_buffer", "flush", false, RTL},
      {"request_buffer", "depth", 16, RTL},
      {"request_buffer", "latency", 9, RTL},
      {"request_buffer", "probes", 2, QUEUES},
      {"request_buffer", "tags", HD_PTAGS_FF, QUEUES},
      {"request_buffer", "enable", false, QUEUES_GPU},
      {"request_buffer", "bypass", HD_BYPASS_ALL, RTL},
      {"l1d", "sets", 64, RTL},
      {"l1d", "ways", 3, RTL},
      {"l1d", "line_bytes", 64, RTL},
      {"l1d", "mshrs", 24, RTL},
      {"l1d", "mshr_merge", 4, RTL},
      {"l1d", "miss_queue", 5, RTL},
      {"l1d", "set_index", HD_INDEX_XOR, RTL},
      {"l1d", "allocate", HD_ON_FILL, RTL},
      {"l1d", "bypass_slots", 7, RTL},
      {"l1d", "sector_bytes", 32, RTL},
      {"l1d", "loads", HD_LOADS_BYPASSED, GPU},
      {"l1d", "bypass_hit", HD_BYPASS_FORWARD, CHOO},
      {"l1d", "count_bits", 3, CHOO},
      {"l1d", "errors", true, RTL},
      {"l1d", "protect", HD_PROTECT_PARITY, RTL},
      {"l1d", "request_kinds", HD_KINDS_UNCACHED, RTL},
      {"l1d", "distance", 8, GPU},
      {"bus", "control", HD_CONTROL_OFF, CONTROL},
      {"bus", "counter_bits", 32, CONTROL},
      {"bus", "kind", HD_BUS_OFF, BUS},
      {"bus", "data_bits", 512, BUS},
      {"bus", "writes", 5, BUS},
      {"bus", "bypassed", 3, BUS},
      {"memory", "kind", HD_MEM_LINK, GPU},
      {"memory", "latency", 500, CYCLES},
      {"memory", "bytes_per_cycle", 4, CYCLES},
      {"icnt", "clock_mhz", 500, GPU},
      {"icnt", "latency", 40, GPU},
      {"icnt", "flit_bytes", 16, GPU},
      {"icnt", "far_latency", 40, GPU},
      {"icnt", "header_bytes", 40, GPU},
      {"icnt", "stores", HD_STORES_SEGMENT, GPU},
      {"icnt", "queue", 1, GPU},
      {"l2", "fill_cycles", 4, GPU},
      {"l2", "banks", 4, GPU},
      {"l2", "sets", 8, GPU},
      {"l2", "ways", 1, GPU},
      {"l2", "mshrs", 4, GPU},
      {"l2", "mshr_merge", 1, GPU},
      {"l2", "queue", 3, GPU},
      {"l2", "replies", 2, GATED},
      {"l2", "fills", 2, GATED},
      {"l2", "latency", 20, GPU},
      {"l2", "clock_mhz", 200, GPU},
      {"l2", "maintenance", true, SLICE},
      {"loscache", "gate", HD_GATE_NAIVE, GATED_GPU},
      {"loscache", "table", 5, GATED},
      {"loscache", "count_bits", 4, GATED},
      {"loscache", "phase", 7, GATED},
      {"loscache", "extra", 1, GATED},
      {"loscache", "gone", HD_GONE_UNKNOWN, GATED},
      {"loscache", "wake_cycles", 9, GATED},
      {"loscache", "wake_limit", 2, GATED},
      {"loscache", "seed", 99, GATED_GPU},
      {"loscache", "enable", false, GATED_GPU},
      {"dram", "channels", 1, GPU},
      {"dram", "clock_mhz", 500, GPU},
      {"dram", "latency", 20, GPU},
      {"dram", "queue", 1, GPU},
      {"dram", "banks", 2, GPU},
      {"dram", "row_bytes", 512, GPU},
      {"dram", "interleave", 1024, GPU},
      {"dram", "bytes_per_cycle", 8, GPU},
      {"dram", "tCL", 30, GPU},
      {"dram", "tWL", 30, GPU},
      {"dram", "tRP", 30, GPU},
      {"dram", "tRC", 90, GPU},
      {"dram", "tRAS", 70, GPU},
      {"dram", "tRCD", 30, GPU},
      {"dram", "tRRD", 30, GPU},
      {"dram", "tCCD", 20, GPU},
      {"dram", "tWR", 60, GPU},
      {"dram", "tCDLR", 60, GPU},
      {"energy", "node_nm", 22, PROGRAM},
      {"storage", "l1d_mshr_line", HD_TABLE_LATCH, RTL},
      {"storage", "l1d_mq", HD_CELLS_LATCH, RTL},
      {"storage", "l1d_sdata", HD_CELLS_FF, RTL},
      {"storage", "l1d_smask", HD_CELLS_LATCH, RTL},
      {"storage", "l2_slice_mshr_line", HD_TABLE_LATCH, SLICE},
      {"storage", "l2_slice_iq", HD_CELLS_LATCH, SLICE},
      {"storage", "l2_slice_iq_wdata", HD_CELLS_LATCH, SLICE},
      {"storage", "l2_slice_iq_wmask", HD_CELLS_LATCH, SLICE},
      {"storage", "l2_slice_fq_id", HD_CELLS_LATCH, SLICE},
      {"storage", "l2_slice_fq_data", HD_CELLS_LATCH, SLICE},
      {"storage", "l2_slice_rq", HD_CELLS_LATCH, SLICE},
      {"storage", "l2_slice_rq_data", HD_CELLS_LATCH, SLICE},
      {"storage", "l2_slice_oq", HD_CELLS_LATCH, SLICE},
      {"storage", "l2_slice_oq_data", HD_CELLS_FF, SLICE},
      {"storage", "lat_pc", HD_TABLE_LATCH, PATTERNS},
      {"storage", "mta_entry", HD_CELLS_LATCH, PATTERNS},
      {"storage", "psb_last", HD_TABLE_LATCH, PATTERNS},
      {"storage", "laws_llt", HD_TABLE_LATCH, APRES},
      {"storage", "pred_table_pc", HD_TABLE_LATCH, GATED},
      {"storage", "pred_table_block", HD_TABLE_LATCH, GATED},
      {"storage", "casc_lines", HD_CELLS_LATCH, CHOO},
      {"storage", "mrpb_fifo", HD_CELLS_LATCH, RTL},
  };
  size_t n;
  hd_keys(&n);
  assert_int_equal(n, sizeof change / sizeof *change); /* a new key needs a line here */

  struct hd_config base;
  load(&base, "configs/mrpb/gto.yaml"); /* a machine in which every key matters */
  char *rtl = rtl_of(&base);
  const uint64_t cycles = cycles_of(&base);
  const struct hd_config whole = small_gpu();
  const struct hd_sim_result gpu = gpu_run(&whole);
  struct hd_config with[GATED_GPU + 1]; /* the machine in which a key of this kind shows */
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
  load(&with[SLICE], "configs/lockstep/l2/l2_plain.yaml");
  with[OWNER_GPU].mascar.priority = HD_MASCAR_ON;
  with[THROTTLE_GPU].ccws.throttle = HD_CCWS_ON;
  with[THROTTLE_GPU].ccws.entries = with[THROTTLE_GPU].ccws.k = 64; /* of few lines that come again */
  with[LIMIT_GPU].scheduler.limit = 2;
  load(&with[GATED], "configs/loscache.yaml");
  with[PROGRAM] = with[GATED];
  with[GATED].loscache.wake_cycles = 5;
  with[GATED_GPU].loscache.gate = HD_GATE_ADAPTIVE;
  with[GATED_GPU].loscache.phase = 20;
  with[GATED_GPU].l2.sets = 64; /* lines live till they are asked for */
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

/* The other way round: what the check calls idle does change nothing. */
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
  assert_int_equal(idle, 2 + 2 + 4 + 7 + 3 + 8 + 7 + 7 + 3 + 9 + 3 + 4 + 8 + 12 + 9 + 18 + 1 + 18);
  free(rtl);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key_changes_something),
      cmocka_unit_test(idle_keys_change_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
