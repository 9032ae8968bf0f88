/* Traces: any workload written and read in both forms, the coding of instructions, damaged files of our own form. test_trace_accel.c
 * reads Accel-Sim's form. */
#include "tests/unit/trace/trace_rig.h"

#include "workloads/accelsim/accel_write.h"
#include "workloads/rng.h"
#include "workloads/trace/trace_layout.h"
#include "workloads/trace/trace_statics.h"
#include "workloads/trace_open.h"

#include <lzma.h>
#include <sys/stat.h>

static const char *const specs[] = {"atax:tiny", "2dconv:n=64", "gramschmidt:n=32", "random:tiny",
                                    "random:seed=7,launches=2,ctas=3,warps=5,insts=3000"};
enum { SPECS = sizeof specs / sizeof *specs };

static void htrace_is_exact(void **state) {
  (void)state;
  for (int i = 0; i < SPECS; i++) {
    const char *path = rig_path("a.htrace");
    rig_htrace(specs[i], path);
    rig_same(rig_open(specs[i]), rig_open_path(path), NULL);
  }
}

static void a_trace_of_a_trace_is_the_same_file(void **state) {
  (void)state;
  const char *a = rig_path("a.htrace"), *b = rig_path("b.htrace");
  char *spec = hd_format("trace:%s", a);
  rig_htrace("random:tiny", a);
  rig_htrace(spec, b);
  free(spec);
  const char *const argv[] = {"cmp", a, b, NULL};
  assert_int_equal(hd_run(argv, NULL, "/dev/null", 60), 0);
}

/* The parts of an instruction that Accel-Sim's form does not carry, by docs/trace.md. */
static void accel_carries(const struct wl_launch *launch, uint32_t warp, struct wl_inst *inst) {
  const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2] - warp * WL_LANES;
  if (inst->op == WL_EXIT)
    inst->active = threads >= WL_LANES ? UINT32_MAX : (UINT32_C(1) << threads) - 1;
  if (inst->op != WL_EXIT && !inst->active)
    inst->op = WL_ALU;
  while (__builtin_popcountll(inst->src) > 4)
    inst->src &= ~(UINT64_C(1) << (63 - __builtin_clzll(inst->src)));
  if (inst->op != WL_SHARED || inst->size)
    return;
  inst->size = 4;
  for (uint64_t l = 0; l < WL_LANES; l++)
    inst->addr[l] = 4 * l;
}

static void accel_there_and_back(void **state) {
  (void)state;
  for (unsigned version = 35; version <= 70; version += 35)
    for (int i = 0; i < SPECS; i++) {
      char name[32], err[512];
      snprintf(name, sizeof name, "accel-%u-%d", version, i);
      const char *dir = rig_path(name);
      const struct wl_trace_how how = {.version = version, .xz = i % 2};
      struct wl_trace_summary summary;
      struct wl_source *source = rig_open(specs[i]);
      assert_int_equal(mkdir(dir, 0700), 0);
      if (!wl_trace_to_accel(source, dir, &how, &summary, err, sizeof err))
        fail_msg("%s", err);
      source->ops->close(source);
      rig_same(rig_open(specs[i]), rig_open_path(dir), accel_carries);
    }
}

/* --- coding --------------------------------------------------------------------------------------------- */

/* Returns true if the decoder gives a stride. The stride must agree with the lanes. */
static bool expect_stride(const struct wl_trace_decoder *d, const struct wl_inst *located) {
  uint64_t first, stride;
  if (!wl_trace_stride(d, located, &first, &stride))
    return false;
  assert_int_equal(located->active, UINT32_MAX);
  for (uint64_t l = 0; l < WL_LANES; l++)
    assert_int_equal(located->addr[l], first + l * stride);
  return true;
}

/* If the encoder is given the stride and only the first address, it writes the same as when it finds the stride itself. */
static void a_stride_that_is_told_is_the_one_found(void **state) {
  (void)state;
  static struct wl_trace_encoder found, told;
  struct wl_rng rng = {7};
  uint64_t blocks = 0;
  wl_trace_encode_begin(&found);
  wl_trace_encode_begin(&told);
  for (int n = 0; n < 20000; n++) {
    struct wl_inst inst;
    any_inst(&rng, &inst);
    if (!wl_trace_has_addresses(inst.op, inst.size, inst.active))
      continue;
    const unsigned first = (unsigned)__builtin_ctz(inst.active);
    const uint64_t stride = (wl_rng_next(&rng) >> wl_rng_below(&rng, 64)) * (n % 2 ? 1 : UINT64_MAX);
    for (unsigned l = 0; l < WL_LANES; l++)
      inst.addr[l] = inst.addr[first] + (l - first) * stride;
    struct wl_inst bare = inst;
    for (unsigned l = 0; l < WL_LANES; l++)
      bare.addr[l] = l == first ? inst.addr[l] : 0x5a5a;
    const bool good = wl_trace_encode(&found, &inst, NULL);
    assert_int_equal(good, wl_trace_encode(&told, &bare, &stride));
    assert_int_equal(found.used, told.used);
    assert_memory_equal(found.bytes, told.bytes, found.used);
    if (good)
      continue;
    blocks++;
    wl_trace_encode_begin(&found);
    wl_trace_encode_begin(&told);
  }
  assert_true(blocks > 3);
}

/* Every instruction that stream.h allows comes back, in any block. */
static void coding_is_exact(void **state) {
  (void)state;
  enum { INSTS = 5000 };
  static struct wl_trace_encoder e;
  static struct wl_trace_statics common = {.mutex = PTHREAD_MUTEX_INITIALIZER};
  struct wl_trace_decoder d = {0};
  struct wl_rng in = {1}, out = {1};
  uint64_t blocks = 0, strides = 0;
  wl_trace_encode_begin(&e);
  for (int n = 0; n <= INSTS; n++) {
    struct wl_inst inst, back;
    struct wl_rng before = in;
    any_inst(&in, &inst);
    if (n < INSTS && wl_trace_encode(&e, &inst, NULL))
      continue;
    assert_true(e.used > 0 && e.used <= WL_TRACE_BLOCK);
    wl_trace_decode_begin(&d, e.bytes, e.used, &common);
    while (d.at < d.end) {
      any_inst(&out, &inst);
      assert_true(wl_trace_decode(&d, &back));
      wl_trace_locate(&d, &back);
      rig_same_inst(&inst, &back);
      strides += expect_stride(&d, &back);
    }
    assert_true(out.state == before.state);
    blocks++;
    wl_trace_encode_begin(&e);
    in = before;
    n -= n < INSTS;
  }
  assert_true(blocks > 10 && strides > 50);
  wl_trace_decode_end(&d);
}

static void decode_both(struct wl_trace_decoder *d, unsigned *plain, unsigned *others) {
  struct wl_trace_decoder soon = *d;
  struct wl_inst quick = {0}, back = {0};
  if (!wl_trace_decode_plain(&soon, &quick)) {
    assert_ptr_equal(soon.at, d->at);
    assert_true(wl_trace_decode(d, &back));
    ++*others;
    return;
  }
  assert_true(wl_trace_decode(d, &back));
  assert_true(back.op != WL_EXIT && !wl_trace_has_addresses(back.op, back.size, back.active));
  rig_same_inst(&quick, &back);
  assert_ptr_equal(soon.at, d->at);
  ++*plain;
}

/* The short way of decoding gives the same as the long way. The last instruction of a block, EXIT, new instructions, and
 * instructions with other lanes or with addresses take the long way. */
static void plain_instructions_are_decoded_alike(void **state) {
  (void)state;
  enum { KINDS = 100, INSTS = 4000, MOST = 63 /* whose number is one byte */ };
  static struct wl_trace_encoder e;
  static struct wl_trace_statics common = {.mutex = PTHREAD_MUTEX_INITIALIZER};
  struct wl_trace_decoder d = {0};
  struct wl_rng rng = {5};
  struct wl_inst kind[KINDS];
  unsigned plain = 0, others = 0, blocks = 0;
  for (int k = 0; k < KINDS; k++)
    do
      any_inst(&rng, &kind[k]);
    while (kind[k].active == UINT32_MAX); /* no instruction has the lanes that a block begins with */
  wl_trace_encode_begin(&e);
  for (int n = 0; n <= INSTS; n++) {
    struct wl_inst inst = kind[wl_rng_below(&rng, wl_rng_below(&rng, 8) ? MOST : KINDS)];
    inst.active = wl_rng_below(&rng, 4) ? kind[0].active : inst.active;
    if (n < INSTS && wl_trace_encode(&e, &inst, NULL))
      continue;
    wl_trace_decode_begin(&d, e.bytes, e.used, &common);
    while (d.at < d.end)
      decode_both(&d, &plain, &others);
    blocks++;
    wl_trace_encode_begin(&e);
  }
  assert_true(blocks > 2 && plain > INSTS / 8 && others > INSTS / 8);
  struct wl_inst exit = {.op = WL_EXIT, .active = UINT32_MAX, .dst = WL_NO_REG};
  wl_trace_encode_begin(&e);
  for (int n = 0; n < 3; n++)
    assert_true(wl_trace_encode(&e, &exit, NULL));
  wl_trace_decode_begin(&d, e.bytes, e.used, &common);
  plain = 0;
  for (int n = 0; n < 3; n++)
    decode_both(&d, &plain, &others);
  assert_int_equal(plain, 0);
  wl_trace_decode_end(&d);
}

/* A long warp takes many blocks, and no more memory than another. */
static void a_long_warp_is_read_in_blocks(void **state) {
  (void)state;
  const char *path = rig_path("long.htrace");
  const char *spec = "random:launches=1,ctas=1,warps=1,insts=60000";
  struct wl_launch launch;
  rig_htrace(spec, path);
  struct wl_source *source = rig_open_path(path);
  assert_true(source->ops->next_launch(source, &launch));
  assert_true(wl_trace_launch_of(source)->coded > 30 * WL_TRACE_BLOCK);
  source->ops->close(source);
  rig_same(rig_open(spec), rig_open_path(path), NULL);
}

/* --- damage --------------------------------------------------------------------------------------------- */

/* Returns the complaint of reading the file to its end. The caller frees it. */
static char *complaint(const char *path) {
  char err[512];
  struct wl_launch launch;
  struct wl_source *source = wl_trace_open(path, err, sizeof err);
  if (!source)
    return strdup(err);
  while (source->ops->next_launch(source, &launch))
    for (uint32_t cta = 0; cta < launch.ctas; cta++)
      for (uint32_t warp = 0; warp < launch.warps_per_cta; warp++) {
        void *stream = source->ops->open_warp(source, cta, warp);
        struct wl_inst inst = {.op = stream ? WL_ALU : WL_EXIT};
        while (inst.op != WL_EXIT)
          wl_next(source, stream, &inst);
        if (stream)
          source->ops->close_warp(stream);
      }
  const char *error = source->ops->error(source);
  char *text = strdup(error ? error : "");
  source->ops->close(source);
  return text;
}

static void expect(const char *bytes, size_t n, const char *text) {
  const char *path = rig_path("bad.htrace");
  rig_write(path, bytes, n);
  char *got = complaint(path);
  if (!strstr(got, text) || strncmp(got, path, strlen(path)) != 0)
    fail_msg("found: %s\nexpected: %s", got, text);
  free(got);
}

static void damage_is_reported_with_its_place(void **state) {
  (void)state;
  const char *path = rig_path("good.htrace");
  rig_htrace("atax:tiny", path);
  char *bytes = hd_slurp(path), *copy;
  struct stat file;
  assert_true(bytes && stat(path, &file) == 0);
  const size_t n = (size_t)file.st_size;
  copy = malloc(n);
  const struct {
    size_t at;
    const char *text;
  } flips[] = {
      {0, "offset 0: found no HEDTRACE"},
      {9, "offset 0: the checksum of the header is wrong"},
      {40, "offset 32: the header of launch 1 is wrong"},
      {WL_TRACE_FILE_HEADER + WL_TRACE_LAUNCH_HEADER + 1, "launch 1, warp 0"},
      {WL_TRACE_FILE_HEADER + WL_TRACE_LAUNCH_HEADER + 8 * 8 + 20,
       "launch 1, pattern, block 0: its checksum is wrong"},
      {n - 1, "launch 2, warp 7, block 0: its checksum is wrong"},
  };
  for (size_t i = 0; i < sizeof flips / sizeof *flips; i++) {
    memcpy(copy, bytes, n);
    copy[flips[i].at] ^= 4;
    expect(copy, n, flips[i].text);
  }
  expect(bytes, 20, "offset 20: the file ends in its header");
  expect(bytes, n - 1, "its header says");
  memset(copy, 0, n); /* the header comes last */
  memcpy(copy + 32, bytes + 32, n - 32);
  expect(copy, n, "its writing was cut short");
  memcpy(copy, bytes, n);
  copy[8] = 2;
  const uint32_t check = lzma_crc32((uint8_t *)copy, 28, 0);
  for (int i = 0; i < 4; i++)
    copy[28 + i] = (char)(check >> 8 * i);
  expect(copy, n, "offset 8: found version 2; this program reads version 1");
  free(bytes);
  free(copy);
}

static void put_check(char *bytes, size_t n) {
  const uint32_t check = lzma_crc32((uint8_t *)bytes, n, 0);
  for (int i = 0; i < 4; i++)
    bytes[n + (size_t)i] = (char)(check >> 8 * i);
}

/* A launch header with a correct checksum and wrong contents. */
static void a_signed_header_is_not_believed(void **state) {
  (void)state;
  enum { AT_NEXT = 8, AT_REGS = 92, FIRST = WL_TRACE_FILE_HEADER };
  const char *path = rig_path("good.htrace");
  rig_htrace("atax:tiny", path);
  char *bytes = hd_slurp(path), text[128];
  struct stat file;
  assert_true(bytes && stat(path, &file) == 0);
  const size_t n = (size_t)file.st_size, last = wl_trace_get64((uint8_t *)bytes + FIRST + AT_NEXT);
  const uint64_t nexts[] = {last, last + 8, n, n + 4096, FIRST, UINT64_MAX};
  assert_true(last > FIRST && !wl_trace_get64((uint8_t *)bytes + last + AT_NEXT));
  for (int i = 0; i < 6; i++) {
    wl_trace_put64((uint8_t *)bytes + last + AT_NEXT, nexts[i]);
    put_check(bytes + last, WL_TRACE_LAUNCH_HEADER - 4);
    snprintf(text, sizeof text, "offset %zu: launch 2 is the last, but says that the next is at offset %llu",
             last, (unsigned long long)nexts[i]);
    expect(bytes, n, text);
  }
  for (int i = 0; i < 6; i++) { /* not the last: it must give the place of the next */
    wl_trace_put64((uint8_t *)bytes + FIRST + AT_NEXT, i == 0 ? 0 : i == 1 ? FIRST : nexts[i]);
    put_check(bytes + FIRST, WL_TRACE_LAUNCH_HEADER - 4);
    expect(bytes, n, i < 2 || i > 3 ? "launch 2 would be at offset" : "outside of the file");
  }
  wl_trace_put64((uint8_t *)bytes + FIRST + AT_NEXT, last);
  bytes[FIRST + AT_REGS] = 0;
  bytes[FIRST + AT_REGS + 1] = 1; /* 256 */
  put_check(bytes + FIRST, WL_TRACE_LAUNCH_HEADER - 4);
  expect(bytes, n, "offset 32: the header of launch 1 is wrong");
  bytes[FIRST + AT_REGS] = (char)255;
  bytes[FIRST + AT_REGS + 1] = 0;
  put_check(bytes + FIRST, WL_TRACE_LAUNCH_HEADER - 4);
  wl_trace_put64((uint8_t *)bytes + last + AT_NEXT, 0);
  put_check(bytes + last, WL_TRACE_LAUNCH_HEADER - 4);
  rig_write(path, bytes, n);
  char *got = complaint(path);
  assert_string_equal(got, "");
  free(got);
  free(bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(htrace_is_exact),
      cmocka_unit_test(a_trace_of_a_trace_is_the_same_file),
      cmocka_unit_test(accel_there_and_back),
      cmocka_unit_test(coding_is_exact),
      cmocka_unit_test(plain_instructions_are_decoded_alike),
      cmocka_unit_test(a_stride_that_is_told_is_the_one_found),
      cmocka_unit_test(a_long_warp_is_read_in_blocks),
      cmocka_unit_test(damage_is_reported_with_its_place),
      cmocka_unit_test(a_signed_header_is_not_believed),
  };
  return cmocka_run_group_tests(tests, rig_begin, rig_end);
}
