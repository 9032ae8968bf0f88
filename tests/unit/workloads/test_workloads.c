/* Workloads: the form of the streams, the engine's corner cases, the random workload, specs and their errors. test_workload_totals.c
 * checks the kernels' access totals. Over 400 lines: streams are written out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workloads/plan/plan.h"
#include "workloads/rng.h"
#include "workloads/workloads.h"

#include <stdlib.h>
#include <string.h>

static struct wl_source *open_ok(const char *spec) {
  char err[512];
  struct wl_source *source = wl_open(spec, err, sizeof err);
  if (!source)
    fail_msg("%s: %s", spec, err);
  return source;
}

static bool is_access(const struct wl_inst *inst) {
  return inst->op == WL_LOAD || inst->op == WL_STORE;
}

static bool has_reload(const struct wl_workload *w) {
  for (const struct wl_key *key = w->key; key->name; key++)
    if (strcmp(key->name, "reload") == 0)
      return true;
  return false;
}

/* Walks all of a workload's streams and checks the rules for every stream. Returns a hash of everything in them. */
static uint64_t check_streams(const char *spec, bool fixed_registers) {
  enum { PCS = 1024 };
  struct wl_source *source = open_ok(spec);
  struct wl_launch launch;
  uint64_t hash = 0;
  while (source->ops->next_launch(source, &launch)) {
    struct wl_inst at_pc[PCS]; /* the instruction first seen at each pc; size 255: none yet */
    for (int i = 0; i < PCS; i++)
      at_pc[i].size = UINT8_MAX;
    assert_true(launch.ctas > 0 && launch.warps_per_cta > 0 && launch.warps_per_cta <= 32);
    for (uint32_t id = 0, barriers_of_cta = 0; id < launch.ctas * launch.warps_per_cta; id++) {
      const uint32_t cta = id / launch.warps_per_cta, warp = id % launch.warps_per_cta;
      void *stream = source->ops->open_warp(source, cta, warp);
      uint64_t written = 0;
      uint32_t barriers = 0, count = 0;
      struct wl_inst inst;
      do {
        inst.kind = UINT8_MAX; /* each instruction must set it */
        wl_next(source, stream, &inst);
        assert_true(inst.kind == 0 || inst.op == WL_ATOMIC || (inst.op == WL_LOAD && inst.kind == 1));
        assert_true(++count < 10000000);
        assert_int_equal(inst.src & ~written, 0);
        if (inst.dst != WL_NO_REG)
          written |= WL_R(inst.dst);
        assert_int_equal(inst.pc % 8, 0);
        assert_in_range(inst.pc / 8, 0, PCS - 1);
        struct wl_inst *first = &at_pc[inst.pc / 8];
        if (first->size == UINT8_MAX)
          *first = inst;
        assert_true(first->op == inst.op && first->size == inst.size);
        if (fixed_registers)
          assert_true(first->dst == inst.dst && first->src == inst.src);
        assert_true(inst.active != 0);
        barriers += inst.op == WL_BARRIER;
        hash =
            wl_rng_mix(hash, inst.op ^ inst.pc ^ inst.src ^ (uint64_t)inst.active << 32 ^ (uint64_t)inst.dst);
        for (int l = 0; l < WL_LANES && is_access(&inst); l++)
          if (inst.active >> l & 1) {
            assert_int_equal(inst.addr[l] % inst.size, 0);
            assert_non_null(wl_array_name(source, inst.addr[l]));
            assert_true(inst.addr[l] + inst.size <= UINT64_C(1) << 32);
            hash = wl_rng_mix(hash, inst.addr[l]);
          }
      } while (inst.op != WL_EXIT);
      source->ops->close_warp(stream);
      if (warp == 0)
        barriers_of_cta = barriers;
      assert_int_equal(barriers, barriers_of_cta);
    }
  }
  assert_false(source->ops->next_launch(source, &launch));
  source->ops->close(source);
  return hash;
}

static void streams_are_well_formed_and_repeat(void **state) {
  (void)state;
  const struct wl_workload *w;
  for (size_t i = 0; (w = wl_workload(i)); i++) {
    char spec[64];
    snprintf(spec, sizeof spec, "%s:tiny", w->name);
    const bool fixed = strcmp(w->name, "random") != 0;
    assert_int_equal(check_streams(spec, fixed), check_streams(spec, fixed));
    if (has_reload(w)) {
      snprintf(spec, sizeof spec, "%s:tiny,reload=1", w->name);
      check_streams(spec, true);
    }
  }
  check_streams("atax:n=100", true); /* no multiple of a warp or of a CTA */
  check_streams("syrk:n=33,m=35", true);
  check_streams("2dconv:n=33", true);
  check_streams("3mm:n=33", true);
  check_streams("3dconv:n=35", true);
  check_streams("fdtd:n=33,tmax=2", true);
  check_streams("correlation:n=33", true);
  check_streams("covariance:n=33", true);
  check_streams("gramschmidt:n=33", true);
  check_streams("bfs:n=100,graph=2", true);
  check_streams("gc:tiny,variant=1", true);
  check_streams("sssp:tiny,csr=0", true);
  check_streams("ccl:n=100,graph=3", true);
  check_streams("apsp:n=32,blocked=1", true);
  for (int variant = 0; variant < 3; variant++) {
    char spec[64];
    snprintf(spec, sizeof spec, "stencil:nx=70,ny=7,nz=4,steps=2,variant=%d", variant);
    check_streams(spec, true);
    snprintf(spec, sizeof spec, "spmv:rows=1000,mean=5,variant=%d", variant);
    check_streams(spec, true);
  }
  check_streams("sgemm:tiny,base=1", true);
  check_streams("lbm:x=40,y=8,z=8,steps=1,aos=1", true);
  check_streams("histo:tiny,width=77,height=17", true);
  check_streams("blackscholes:n=1001,sdk4=1", true);
  check_streams("fwt:log2n=9", true); /* no pass; an even number of levels in shared memory */
  check_streams("fwt:log2n=14", true);
  check_streams("ss:n=24,features=2,group=1", true);
  check_streams("wc:kib=4,record=100,group=1", true);
  check_streams("ii:kib=16,record=100,group=1", true);
}

/* atax k1 by hand: which instruction depends on which, and which PCs repeat. */
static void atax_instruction_by_instruction(void **state) {
  (void)state;
  enum { POS, PRED = 2, INDEX = 4, ACC, A, B };
  static const struct {
    enum wl_op op;
    uint32_t pc;
    int dst;
    uint64_t src;
    const char *array;
  } want[] = {
      {WL_ALU, 0, POS, 0, NULL},
      {WL_ALU, 8, PRED, WL_R(POS), NULL},
      {WL_ALU, 16, WL_NO_REG, WL_R(PRED), NULL},
      {WL_ALU, 24, INDEX, WL_R(POS), NULL},
      {WL_LOAD, 32, ACC, WL_R(POS), "tmp"},
      {WL_LOAD, 40, A, WL_R(INDEX), "A"},
      {WL_LOAD, 48, B, WL_R(INDEX), "x"},
      {WL_ALU, 56, ACC, WL_R(A) | WL_R(B) | WL_R(ACC), NULL},
      {WL_STORE, 64, WL_NO_REG, WL_R(ACC) | WL_R(POS), "tmp"},
      {WL_ALU, 72, INDEX, WL_R(INDEX), NULL},
      {WL_LOAD, 40, A, WL_R(INDEX), "A"},
  };
  struct wl_source *source = open_ok("atax:n=256");
  struct wl_launch launch;
  struct wl_inst inst;
  assert_true(source->ops->next_launch(source, &launch));
  assert_string_equal(launch.name, "atax.k1");
  assert_int_equal(launch.ctas, 1);
  assert_int_equal(launch.warps_per_cta, 8);
  void *stream = source->ops->open_warp(source, 0, 1);
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    wl_next(source, stream, &inst);
    assert_int_equal(inst.op, want[i].op);
    assert_int_equal(inst.pc, want[i].pc);
    assert_int_equal(inst.dst, want[i].dst);
    assert_int_equal(inst.src, want[i].src);
    if (want[i].array)
      assert_string_equal(wl_array_name(source, inst.addr[0]), want[i].array);
  }
  /* The last one is A[x][1], x = 32 + lane. */
  for (uint64_t l = 0; l < WL_LANES; l++)
    assert_int_equal(inst.addr[l], WL_BASE + ((32 + l) * 256 + 1) * 4);
  assert_int_equal(inst.size, 4);
  source->ops->close_warp(stream);
  source->ops->close(source);
}

static void arrays_follow_one_another(void **state) {
  (void)state;
  struct wl_source *source = open_ok("atax:n=33");
  struct wl_launch launch;
  const uint64_t bytes = 33 * 33 * 4, x = WL_BASE + (bytes + 511) / 512 * 512;
  assert_null(wl_array_name(source, WL_BASE)); /* no launch yet */
  assert_true(source->ops->next_launch(source, &launch));
  assert_null(wl_array_name(source, WL_BASE - 1));
  assert_string_equal(wl_array_name(source, WL_BASE), "A");
  assert_string_equal(wl_array_name(source, WL_BASE + bytes - 1), "A");
  assert_null(wl_array_name(source, WL_BASE + bytes));
  assert_string_equal(wl_array_name(source, x), "x");
  assert_string_equal(wl_array_name(source, x + 512), "y");
  source->ops->close(source);
}

/* Engine cases that no kernel reaches so far: a 6 x 6 CTA (lanes that wrap to the next row, a warp of four lanes), a loop in a loop,
 * lanes that leave a loop one by one, an `if` in it, given addresses. */
static uint32_t lanes_below_x(const struct wl_warp *w) {
  uint32_t lanes = 0;
  for (int l = 0; l < WL_LANES; l++)
    lanes |= (uint32_t)(w->k[1] < w->x[l]) << l;
  return lanes;
}

static uint32_t odd_trips(const struct wl_warp *w) {
  return w->k[1] % 2 ? UINT32_MAX : 0;
}

static void mirrored(const struct wl_warp *w, uint64_t addr[WL_LANES]) {
  for (uint32_t l = 0; l < WL_LANES; l++)
    addr[l] = w->plan->array[0].base + 8 * (UINT64_C(1000) - w->x[l]);
}

static bool build_odd(struct wl_plan *p, uint32_t launch) {
  const int a = wl_array(p, "a", 2000, 8);
  wl_grid(p, "odd", 6, 6, 6, 6);
  wl_loop(p, 2);
  wl_loop_while(p, lanes_below_x);
  wl_load(p, 0, 1, a, (struct wl_at){.c = 7, .x = 1, .y = 10, .k = {100, 200}});
  wl_if(p, odd_trips);
  wl_scatter(p, WL_STORE, WL_NO_REG, WL_R(0), 8, mirrored);
  wl_end(p);
  wl_end(p);
  wl_end(p);
  return launch < 1;
}

static void engine_handles_divergence(void **state) {
  (void)state;
  static const struct wl_input_values nothing;
  char err[64];
  const struct wl_workload odd = {.name = "odd", .open = wl_open_plan, .build = build_odd};
  struct wl_source *source = odd.open(&odd, &nothing, err, sizeof err);
  struct wl_launch launch;
  assert_true(source->ops->next_launch(source, &launch));
  assert_int_equal(launch.warps_per_cta, 2);
  for (uint32_t warp = 0; warp < 2; warp++) {
    const uint32_t live = warp ? 0xf : UINT32_MAX; /* threads 32..35 */
    void *stream = source->ops->open_warp(source, 0, warp);
    struct wl_inst inst;
    for (uint32_t outer = 0; outer < 2; outer++)
      for (uint32_t k = 0; k < 5; k++) {
        uint32_t lanes = 0;
        for (uint32_t l = 0; l < WL_LANES; l++)
          lanes |= (uint32_t)(k < (warp * 32 + l) % 6) << l;
        wl_next(source, stream, &inst);
        assert_int_equal(inst.op, WL_LOAD);
        assert_int_equal(inst.active, lanes & live);
        for (uint32_t rest = lanes & live; rest; rest &= rest - 1) {
          const uint32_t l = (uint32_t)__builtin_ctz(rest), thread = warp * 32 + l;
          assert_int_equal(inst.addr[l],
                           WL_BASE + 8 * (7 + thread % 6 + 10 * (thread / 6) + 100 * outer + 200 * k));
        }
        if (k % 2 == 0)
          continue;
        wl_next(source, stream, &inst);
        assert_int_equal(inst.op, WL_STORE);
        assert_int_equal(inst.active, lanes & live);
        assert_int_equal(inst.addr[1], WL_BASE + 8 * (1000 - (warp * 32 + 1) % 6));
      }
    wl_next(source, stream, &inst);
    assert_int_equal(inst.op, WL_EXIT);
    assert_int_equal(inst.active, live);
    source->ops->close_warp(stream);
  }
  source->ops->close(source);
}

/* Counts the instructions of each op in a workload. */
static void count_ops(const char *spec, uint64_t count[WL_EXIT + 1]) {
  struct wl_source *source = open_ok(spec);
  struct wl_launch launch;
  memset(count, 0, (WL_EXIT + 1) * sizeof *count);
  while (source->ops->next_launch(source, &launch))
    for (uint32_t id = 0; id < launch.ctas * launch.warps_per_cta; id++) {
      void *stream = source->ops->open_warp(source, id / launch.warps_per_cta, id % launch.warps_per_cta);
      struct wl_inst inst;
      do {
        wl_next(source, stream, &inst);
        count[inst.op]++;
      } while (inst.op != WL_EXIT);
      source->ops->close_warp(stream);
    }
  source->ops->close(source);
}

static void random_obeys_its_keys(void **state) {
  (void)state;
  uint64_t n[WL_EXIT + 1];
  count_ops("random:launches=3,ctas=2,warps=4,insts=10000,mem=40,stores=25,barriers=50", n);
  assert_int_equal(n[WL_EXIT], 3 * 2 * 4);
  assert_int_equal(n[WL_ALU] + n[WL_SFU] + n[WL_SHARED] + n[WL_LOAD] + n[WL_STORE] + n[WL_BARRIER],
                   24 * 10000);
  assert_in_range(n[WL_SHARED], 24 * 9500 * 60 / 100 * 5 / 100, 24 * 9500 * 60 / 100 * 8 / 100);
  assert_in_range(n[WL_BARRIER], 24 * 10000 * 4 / 100, 24 * 10000 * 6 / 100);
  assert_in_range(n[WL_LOAD], 24 * 9500 * 29 / 100, 24 * 9500 * 31 / 100);
  assert_in_range(n[WL_STORE], 24 * 9500 * 9 / 100, 24 * 9500 * 11 / 100);
  count_ops("random:tiny,barriers=0,mem=100,stores=0", n);
  assert_int_equal(n[WL_BARRIER] + n[WL_STORE] + n[WL_ALU] + n[WL_SFU] + n[WL_SHARED], 0);
  assert_true(check_streams("random:tiny,seed=1", false) != check_streams("random:tiny,seed=2", false));
  check_streams("random:tiny,seed=18446744073709551615,lines=1", false);
  check_streams("random:tiny,insts=3000,lines=1000,barriers=1000", false);
}

/* SplitMix64's published outputs for seed 1234567. */
static void rng_is_splitmix64(void **state) {
  (void)state;
  struct wl_rng rng = {1234567};
  assert_true(wl_rng_next(&rng) == UINT64_C(6457827717110365317));
  assert_true(wl_rng_next(&rng) == UINT64_C(3203168211198807973));
  assert_true(wl_rng_next(&rng) == UINT64_C(9817491932198370423));
  for (int i = 0; i < 1000; i++)
    assert_in_range(wl_rng_below(&rng, 7), 0, 6);
}

static void errors_say_what_is_allowed(void **state) {
  (void)state;
  static const struct {
    const char *spec, *text;
  } want[] = {
      {"atax:", "atax: input '' is not known; allowed: tiny, small, paper, or key=value"},
      {"syr2k:big", "syr2k: input 'big' is not known; allowed: tiny, small, paper, area, or key=value"},
      {"atax:m=64", "atax: key 'm' is not known; allowed: n=32..16384, reload=0..1"},
      {"2dconv:reload=1", "2dconv: key 'reload' is not known; allowed: n=32..16384"},
      {"atax:n=31", "atax: n=31 is not allowed; allowed: n=32..16384 (rows and columns of the matrices)"},
      {"atax:n=16385",
       "atax: n=16385 is not allowed; allowed: n=32..16384 (rows and columns of the matrices)"},
      {"atax:n=", "atax: n= is not allowed; allowed: n=32..16384 (rows and columns of the matrices)"},
      {"atax:n=0x40", "atax: n=0x40 is not allowed; allowed: n=32..16384 (rows and columns of the matrices)"},
      {"atax:n=18446744073709551680", "atax: n=18446744073709551680 is not allowed; allowed: n=32..16384 "
                                      "(rows and columns of the matrices)"},
      {"random:seed=18446744073709551616", "random: seed=18446744073709551616 is not allowed; allowed: "
                                           "seed=0..18446744073709551615 (another seed, another stream)"},
      {"atax:n=64,n=64", "atax: key 'n' is given twice; allowed: once"},
      {"atax:n=64,tiny", "atax: 'tiny' is not key=value; an input must come first, and once"},
      {"atax:tiny,", "atax: '' is not key=value; an input must come first, and once"},
      {"atax:tiny,small", "atax: 'small' is not key=value; an input must come first, and once"},
  };
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    char err[512];
    assert_null(wl_open(want[i].spec, err, sizeof err));
    assert_string_equal(err, want[i].text);
  }
  char want_known[4096], err_known[4096];
  const struct wl_workload *w;
  int used =
      snprintf(want_known, sizeof want_known, "workload 'atx' is not known; did you mean atax? allowed:");
  for (size_t i = 0; (w = wl_workload(i)); i++)
    used += snprintf(want_known + used, sizeof want_known - (size_t)used, "%s %s", i ? "," : "", w->name);
  snprintf(want_known + used, sizeof want_known - (size_t)used, ", trace:PATH");
  assert_null(wl_open("atx:n=64", err_known, sizeof err_known));
  assert_string_equal(err_known, want_known);
  assert_null(wl_open("", err_known, sizeof err_known));
  assert_non_null(strstr(err_known, "workload '' is not known; allowed: atax, bicg,"));
  char err[8] = "unset";
  assert_null(wl_open("nothing", err, sizeof err));
  assert_string_equal(err, "workloa");
  assert_null(wl_open("nothing", NULL, 0));
}

/* Every input, and the largest value of every key at once, opens and lays out its arrays. The listing names them. Without EVERY=1
 * only the inputs that are quick to make are opened. */
static void table_is_sound(void **state) {
  (void)state;
  const struct wl_workload *w;
  char *text = NULL;
  size_t size = 0;
  FILE *out = tmpfile();
  assert_non_null(out);
  wl_list(out);
  size = (size_t)ftell(out);
  text = calloc(size + 1, 1);
  assert_non_null(text);
  rewind(out);
  assert_int_equal(fread(text, 1, size, out), size);
  fclose(out);
  for (size_t i = 0; (w = wl_workload(i)); i++) {
    char spec[256], line[256];
    struct wl_launch launch;
    for (const struct wl_input *in = w->input; in->name; in++) {
      snprintf(spec, sizeof spec, "%s:%s", w->name, in->name);
      struct wl_source *source = getenv("EVERY") || strcmp(in->name, "paper") ? open_ok(spec) : NULL;
      if (source) {
        assert_true(source->ops->next_launch(source, &launch));
        source->ops->close(source);
      }
      for (const struct wl_key *key = w->key; key->name; key++)
        assert_true(in->value[key - w->key] >= key->min && in->value[key - w->key] <= key->max);
      snprintf(line, sizeof line, "  input:    %-6s", in->name);
      assert_non_null(strstr(text, line));
    }
    int used = snprintf(spec, sizeof spec, "%s:", w->name);
    for (const struct wl_key *key = w->key; key->name; key++) {
      used += snprintf(spec + used, sizeof spec - (size_t)used, "%s%s=%llu", key > w->key ? "," : "",
                       key->name, (unsigned long long)key->max);
      snprintf(line, sizeof line, "  key:      %s=", key->name);
      assert_non_null(strstr(text, line));
    }
    if (!getenv("EVERY"))
      continue;
    struct wl_source *source = open_ok(spec);
    assert_true(source->ops->next_launch(source, &launch));
    source->ops->close(source);
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(streams_are_well_formed_and_repeat),
      cmocka_unit_test(atax_instruction_by_instruction),
      cmocka_unit_test(arrays_follow_one_another),
      cmocka_unit_test(engine_handles_divergence),
      cmocka_unit_test(random_obeys_its_keys),
      cmocka_unit_test(rng_is_splitmix64),
      cmocka_unit_test(errors_say_what_is_allowed),
      cmocka_unit_test(table_is_sound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
