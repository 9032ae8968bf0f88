/* Configuration: the table of keys, derived sizes against hand counts, loading, inheritance, --set, round trip. tests/errors checks
 * the messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/declaration/declaration.h"
#include "base/run.h"
#include "workloads/rng.h"

static void put(struct hd_config *c, const struct hd_key *k, long value) {
  if (k->type == HD_KEY_BOOL)
    *(bool *)((char *)c + k->offset) = value;
  else
    *(unsigned *)((char *)c + k->offset) = (unsigned)value;
}

static char dir[] = P_tmpdir "/heddle-config-XXXXXX"; /* for the files of these tests */

static int make_dir(void **state) {
  (void)state;
  return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state) {
  (void)state;
  char *all = hd_format("%s/*", dir);
  glob_t files = {0};
  glob(all, 0, NULL, &files);
  for (size_t i = 0; i < files.gl_pathc; i++)
    unlink(files.gl_pathv[i]);
  globfree(&files);
  free(all);
  return rmdir(dir);
}

/* Writes a file and returns its path. The path is valid until the next call. */
static const char *file(const char *name, const char *text) {
  static char path[128];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  return path;
}

static void load(struct hd_config *c, const char *path) {
  if (hd_config_load(c, path, stderr))
    fail_msg("%s does not load", path);
}

/* Fails unless every key that matters has the same value. */
static void assert_same(const struct hd_config *a, const struct hd_config *b) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  for (size_t i = 0; i < n; i++)
    if (!hd_config_idle(a, &keys[i]) && hd_config_get(a, &keys[i]) != hd_config_get(b, &keys[i]))
      fail_msg("%s.%s: %ld and %ld", keys[i].section, keys[i].key, hd_config_get(a, &keys[i]),
               hd_config_get(b, &keys[i]));
}

static void clog2_counts_bits(void **state) {
  (void)state;
  static const unsigned of[][2] = {{1, 1},  {2, 1},  {3, 2},  {4, 2},        {5, 3},
                                   {48, 6}, {64, 6}, {65, 7}, {1u << 31, 31}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    assert_int_equal(hd_clog2(of[i][0]), of[i][1]);
}

static void defaults_are_the_table(void **state) {
  (void)state;
  struct hd_config c;
  hd_config_default(&c);
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  assert_true(n > 20);
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(hd_config_get(&c, &keys[i]), keys[i].dflt);
    assert_in_range(keys[i].dflt, keys[i].min, keys[i].max);
    for (size_t w = 0; w < keys[i].n_words; w++)
      assert_int_equal(keys[i].words[w].value, w);
  }
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  assert_string_equal(hd_config_word(&c, "request_buffer", "kind"), "slot");
  assert_string_equal(hd_config_word(&c, "request_buffer", "flush"), "true");
  assert_null(hd_config_word(&c, "sm", "warps"));
}

static void derived_sizes(void **state) {
  (void)state;
  struct hd_config c;
  hd_config_default(&c);
  /* 48 warps, 32 lanes, 4 loads; 2^32 bytes in lines of 128; 32 sets of 4; 32 MSHRs */
  assert_int_equal(c.d.WID_W, 6);
  assert_int_equal(c.d.LANE_W, 5);
  assert_int_equal(c.d.SLOT_W, 2);
  assert_int_equal(c.d.LINE_W, 25);
  assert_int_equal(c.d.TAG_W, 20);
  assert_int_equal(c.d.WORDS, 16);
  assert_int_equal(c.d.LRU_W, 6);
  assert_int_equal(c.d.MSHR_W, 5);
  assert_int_equal(c.d.QUEUES, 1);
  assert_int_equal(c.d.BYPS, 0);
  load(&c, "configs/mrpb.yaml");
  assert_int_equal(c.d.QUEUES, 48);
  assert_int_equal(c.d.DEPTH_W, 3);
  assert_int_equal(c.d.COUNT_W, 4);
  assert_int_equal(c.d.DELAY, 2);
  assert_int_equal(c.d.BYPS, 64);
  assert_int_equal(c.d.SIG_W, 0);
  assert_int_equal(c.d.WIDE, 0);
  c.request_buffer.signature = HD_SIG_IN_BLOCK;
  c.request_buffer.flush = false;
  c.l1d.set_index = HD_INDEX_XOR;
  c.l1d.ways = 13;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  assert_int_equal(c.d.QUEUES, 32);
  assert_int_equal(c.d.SIG_W, 5);
  assert_int_equal(c.d.WIDE, 1);
  assert_int_equal(c.d.TAG_W, 25);
  assert_int_equal(c.d.LRU_W, 78);
  assert_int_equal(c.d.LRU_N * c.d.LRU_C, 78);
}

static void a_file_overrides_its_base_key_by_key(void **state) {
  (void)state;
  file("root.yaml", "name: the-root\nsm: {warps: 32, lanes: 16}\nl1d: {ways: 2}\n");
  file("middle.yaml", "base: root\nsm: {warps: 40}\nrequest_buffer: {kind: mrpb, depth: 16}\n");
  const char *leaf = file("leaf.yaml", "base: middle.yaml\nrequest_buffer:\n  kind: slot\n");
  struct hd_config c;
  load(&c, leaf);
  assert_int_equal(c.sm.warps, 40);
  assert_int_equal(c.sm.lanes, 16);
  assert_int_equal(c.sm.ctas, 8);
  assert_int_equal(c.l1d.ways, 2);
  assert_int_equal(c.request_buffer.kind, HD_SLOT); /* the base's depth is idle now, which is no error */
  assert_int_equal(c.d.WARPS, 40);
  assert_string_equal(c.name, "leaf"); /* a name is not inherited */
  assert_string_equal(c.path, leaf);
  load(&c, file("two words.yaml", "base: root\n"));
  assert_string_equal(c.name, "two_words");
}

static void set_comes_last(void **state) {
  (void)state;
  static const char *const sets[] = {"sm.warps=40", "request_buffer.kind=mrpb", "request_buffer.greedy=true",
                                     "sm.warps=24"};
  struct hd_config c;
  assert_int_equal(hd_config_load_set(&c, "configs/fermi_16k.yaml", NULL, sets, 4, stderr), 0);
  assert_int_equal(c.sm.warps, 24);
  assert_int_equal(c.d.QUEUES, 24);
  assert_true(c.request_buffer.greedy);
  assert_string_equal(c.name, "fermi_16k");
}

/* A text without a file. Bases and overrides work as in a file; problems use the name that the caller gave. */
static void text_without_file(void **state) {
  (void)state;
  static const char *const sets[] = {"sm.warps=24"};
  struct hd_config c;
  assert_int_equal(
      hd_config_load_text(&c, "base: fermi_16k\nl1d: {mshrs: 16}\n", "configs/mine", NULL, sets, 1, stderr),
      0);
  assert_int_equal(c.sm.warps, 24);
  assert_int_equal(c.l1d.mshrs, 16);
  assert_int_equal(c.l1d.ways, 4);
  assert_string_equal(c.name, "mine");
  char *said = NULL;
  size_t size;
  FILE *f = open_memstream(&said, &size);
  assert_int_equal(hd_config_load_text(&c, "sm:\n  warps: many\n", "mine", NULL, NULL, 0, f), 1);
  fclose(f);
  assert_int_equal(strncmp(said, "mine:2: sm.warps: found many", 28), 0);
  free(said);
}

static void yaml_forms(void **state) {
  (void)state;
  struct hd_config a, b;
  load(&a,
       file("block.yaml", "# comment\n---\nsm:\n  warps: &w 32\n  lanes: *w\n'l1d':\n  \"ways\": 2 # two\n"));
  load(&b, file("flow.yaml", "{sm: {warps: 32, lanes: 32}, l1d: {ways: 2}}"));
  assert_same(&a, &b);
  load(&a, file("empty.yaml", "{}"));
  hd_config_default(&b);
  assert_same(&a, &b);
}

/* The variety that all configurations together must have, so that lockstep over them is meaningful. */
static unsigned seen_signature, seen_drain, seen_tries, seen_scheme, seen_form, seen_manage, seen_array,
    seen_limit, seen_flush, seen_bypass, seen_allocate, seen_index, seen_policy, seen_prefetch,
    seen_schedulers, seen_kind;

static void shipped_configurations(void **state) {
  (void)state;
  glob_t found = {0};
  assert_int_equal(glob("configs/*.yaml", 0, NULL, &found), 0);
  assert_int_equal(glob("configs/gpu/*.yaml", GLOB_APPEND, NULL, &found), 0);
  assert_int_equal(glob("configs/mrpb/*.yaml", GLOB_APPEND, NULL, &found), 0);
  assert_int_equal(glob("configs/lockstep/*/*.yaml", GLOB_APPEND, NULL, &found), 0);
  assert_true(found.gl_pathc >= 15);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    struct hd_config c, again;
    load(&c, found.gl_pathv[i]);
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    hd_config_print(&c, f);
    fclose(f);
    assert_int_equal(hd_config_load_text(&again, text, "printed", NULL, NULL, 0, stderr), 0);
    free(text);
    assert_same(&c, &again);
    assert_string_equal(c.name, again.name);
    seen_kind |= 1u << c.request_buffer.kind;
    seen_bypass |= 1u << c.request_buffer.bypass;
    seen_allocate |= 1u << c.l1d.allocate;
    seen_index |= 1u << c.l1d.set_index;
    seen_policy |= 1u << c.scheduler.policy;
    seen_prefetch |= 1u << c.prefetch.kind;
    seen_schedulers |= c.sm.schedulers;
    seen_scheme |= 1u << c.casc.scheme;
    seen_form |= 1u << c.rft.form;
    seen_manage |= 1u << c.apcm.manage;
    seen_limit |= 1u << (c.scheduler.limit != 0);
    if (c.d.APCM)
      seen_array |= 1u << (c.d.MTA_FA ? 2 : c.apcm.ways > 1 ? 1 : 0);
    if (c.request_buffer.kind == HD_MEMSCHED)
      seen_tries |= 1u << (c.request_buffer.drain == HD_DRAIN_GRR ? c.request_buffer.probes
                                                                  : 5 + c.request_buffer.drain);
    if (c.request_buffer.kind == HD_MRPB) {
      seen_signature |= 1u << c.request_buffer.signature;
      seen_drain |= 1u << (2 * c.request_buffer.drain + c.request_buffer.greedy);
      seen_flush |= 1u << c.request_buffer.flush;
    }
  }
  globfree(&found);
  assert_int_equal(seen_kind, 15);
  assert_int_equal(seen_scheme, 63);
  assert_int_equal(seen_form, 1 << HD_RFT_OFF | 1 << HD_RFT_BIT | 1 << HD_RFT_AVERAGE);
  assert_int_equal(seen_manage, 15);
  assert_int_equal(seen_array, 7); /* direct-mapped, associative, fully */
  assert_int_equal(seen_limit, 3);
  assert_int_equal(seen_tries, 15 << 1 | 7 << 5); /* groups of 1 to 4; fixed, longest, rr */
  assert_int_equal(seen_signature, 7);
  assert_int_equal(seen_drain, 63);
  assert_int_equal(seen_flush, 3);
  assert_int_equal(seen_bypass, 7);
  assert_int_equal(seen_allocate, 3);
  assert_int_equal(seen_index, 7);
  assert_int_equal(seen_policy, 1 << HD_LRR | 1 << HD_GTO | 1 << HD_LAWS);
  assert_int_equal(seen_prefetch, 1 << HD_PF_OFF | 1 << HD_PF_SAP | 1 << HD_PF_STR);
  assert_int_equal(seen_schedulers, 7); /* 1, 2 and 4 */
}

/* Every configuration that passes the check can be declared: no row is wider than 64 bits (the declaration would abort), no size is
 * absurd. */
static void what_passes_the_check_can_be_declared(void **state) {
  (void)state;
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  FILE *quiet = fopen("/dev/null", "w");
  struct wl_rng rng = {20140215};
  enum { LEGAL = 300 };
  unsigned good = 0;
  for (unsigned run = 0; run < 60000 && good < LEGAL; run++) {
    struct hd_config c;
    hd_config_default(&c);
    for (size_t i = 0; i < n; i++) {
      const uint64_t span = (uint64_t)(keys[i].max - keys[i].min + 1);
      const uint32_t pick =
          wl_rng_below(&rng, 8); /* half of the keys keep their values: few random machines are legal */
      if (pick < 4)
        put(&c, &keys[i],
            pick == 0   ? keys[i].min
            : pick == 1 ? keys[i].max
                        : keys[i].min + (long)wl_rng_below(&rng, span));
    }
    c.l1d.sets = 1u << (1 + wl_rng_below(&rng, 8));
    c.l1d.line_bytes = 1u << (5 + wl_rng_below(&rng, 4));
    c.bus.data_bits = 64u << wl_rng_below(&rng, 4);
    c.rft.entries = 1u << (2 + wl_rng_below(&rng, 5));
    c.apcm.entries = 8u << wl_rng_below(&rng, 5);
    c.apcm.ways = 1u << wl_rng_below(&rng, 8);
    c.apcm.threshold = 2 + wl_rng_below(&rng, 2);
    if (wl_rng_below(&rng, 4))
      c.mascar.priority = HD_MASCAR_OFF;
    if (wl_rng_below(&rng, 4))
      c.l1d.distance = 0;
    if (wl_rng_below(&rng, 2))
      c.apcm.manage = HD_APCM_OFF;
    if (wl_rng_below(&rng, 2))
      c.l1d.request_kinds = HD_KINDS_PLAIN;
    c.scheduler.limit = wl_rng_below(&rng, 3);
    c.scheduler.tokens = wl_rng_below(&rng, 2);
    c.gpu.sms = c.rft.sharers * (1 + wl_rng_below(&rng, 4)); /* values that few draws would produce */
    if (hd_config_check(&c, NULL, NULL, quiet))
      continue;
    good++;
    struct hd_design *d = hd_design_new(&c);
    assert_non_null(d);
    for (size_t i = 0; i < d->n; i++)
      for (size_t m = 0; m < d->decls[i]->n_mems; m++)
        assert_true(d->decls[i]->mems[m].depth < 1u << 20 && d->decls[i]->mems[m].width < 1u << 14);
    hd_design_free(d);
  }
  fclose(quiet);
  assert_int_equal(good, LEGAL);
}

/* The description of a machine's mechanisms, in the order of the rooms. A mechanism that does nothing adds no text. */
static void mechanisms_describe_themselves(void **state) {
  (void)state;
  struct hd_config c;
  char text[400];
  for (unsigned many = 0; many < 2; many++) {
    hd_config_default(&c);
    if (many) {
      c.request_buffer.kind = HD_MRPB;
      c.request_buffer.bypass = HD_BYPASS_ALL;
      c.casc.scheme = HD_CASC_PER_SET;
      c.rft.form = HD_RFT_BIT;
      c.l1d.distance = 5;
    }
    assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
    FILE *f = fmemopen(text, sizeof text, "w");
    hd_config_describe(&c, "<", ">", f);
    fputc(0, f);
    fclose(f);
    assert_string_equal(text,
                        many ? "<mrpb by warp, fixed, 8 deep, flush on, bypass all><casc per_set><rft bit>"
                               "<lines protected for 5 accesses of their set>"
                             : "");
  }
  assert_string_equal(hd_config_model_only(&c), "l1d.distance");
  hd_config_default(&c);
  assert_null(hd_config_model_only(&c));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mechanisms_describe_themselves),
      cmocka_unit_test(clog2_counts_bits),
      cmocka_unit_test(defaults_are_the_table),
      cmocka_unit_test(derived_sizes),
      cmocka_unit_test(a_file_overrides_its_base_key_by_key),
      cmocka_unit_test(set_comes_last),
      cmocka_unit_test(text_without_file),
      cmocka_unit_test(yaml_forms),
      cmocka_unit_test(shipped_configurations),
      cmocka_unit_test(what_passes_the_check_can_be_declared),
  };
  return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
