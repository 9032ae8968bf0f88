/* Load figures of `trace stats`: worked out by hand, the rows of APRES' Table I, and the table of lines behind them. */
#include "tests/unit/trace/trace_rig.h"

#include "workloads/plan/line_table.h"
#include "workloads/rng.h"
#include "workloads/trace/trace_stats.h"

#include <math.h>

static struct wl_stats stats_of(struct wl_source *source, uint32_t sms) {
  char err[512];
  const struct wl_stats_how how = {.sms = sms, .line_bytes = 128};
  struct wl_stats s;
  if (!wl_stats_run(source, &how, &s, err, sizeof err))
    fail_msg("%s", err);
  source->ops->close(source);
  return s;
}

static struct wl_stats stats_of_text(const char *text, uint32_t sms) {
  const char *path = rig_path("stats.traceg");
  rig_write(path, text, strlen(text));
  return stats_of(rig_open_path(path), sms);
}

/* 2 CTAs of one warp on one SM. Each loads line A, a line of its own twice, and a line that no other warp loads. */
static const char tiny[] =
    "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-binary version = 35\n"
    "-accelsim tracer version = 5\n#\n"
    "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 5\n"
    "0000 ffffffff 1 R0 LD.E 0 4 1 0x1000 0 0\n0008 ffffffff 1 R1 LD.E 0 4 1 0x2000 4 0\n"
    "0008 ffffffff 1 R1 LD.E 0 4 1 0x2000 4 0\n0010 ffffffff 1 R2 LD.E 0 4 1 0x8000 8 0\n"
    "0018 ffffffff 0 EXIT 0 0 0\n#END_TB\n"
    "#BEGIN_TB\nthread block = 1,0,0\nwarp = 0\ninsts = 5\n"
    "0000 ffffffff 1 R0 LD.E 0 4 1 0x1000 0 0\n0008 ffffffff 1 R1 LD.E 0 4 1 0x2400 4 0\n"
    "0008 ffffffff 1 R1 LD.E 0 4 1 0x2400 4 0\n0010 ffffffff 1 R2 LD.E 0 4 1 0x9000 8 0\n"
    "0018 ffffffff 0 EXIT 0 0 0\n#END_TB\n";

static void stats_by_hand(void **state) {
  (void)state;
  struct wl_stats s = stats_of_text(tiny, 1);
  assert_int_equal(s.kernels, 1);
  assert_int_equal(s.loads, 3);
  const struct {
    uint32_t pc;
    uint64_t execs, refs, lines, pairs, strides;
    int64_t stride;
    uint64_t brought[WL_LOCALITIES];
  } want[] = {
      {8, 4, 4, 2, 3, 3, 1024, {0, 0, 2, 0}},  /* each warp loads its own line twice, in turn */
      {16, 2, 4, 4, 1, 1, 4096, {4, 0, 0, 0}}, /* two lines an execution */
      {0, 2, 2, 1, 1, 1, 0, {0, 1, 0, 0}},     /* one line for both */
  };
  for (int i = 0; i < 3; i++) {
    const struct wl_load *l = &s.load[i];
    assert_int_equal(l->pc, want[i].pc);
    assert_int_equal(l->execs, want[i].execs);
    assert_int_equal(l->refs, want[i].refs);
    assert_int_equal(l->lines, want[i].lines);
    assert_int_equal(l->pairs, want[i].pairs);
    assert_int_equal(l->strides, want[i].strides);
    assert_int_equal(l->stride, want[i].stride);
    assert_memory_equal(l->brought, want[i].brought, sizeof l->brought);
  }
  /* The warps load in turn: A A, B C, B C, then two lines each (D E, F G). A is used again by another warp, next; B and C by the
   * same warp, after two. */
  const uint64_t uses[WL_STATS_USES] = {4, 3}, by_same[WL_STATS_DISTANCES] = {2},
                 by_another[WL_STATS_DISTANCES] = {1};
  assert_memory_equal(s.kernel->uses, uses, sizeof uses);
  assert_memory_equal(s.kernel->again[WL_BY_SAME_WARP], by_same, sizeof by_same);
  assert_memory_equal(s.kernel->again[WL_BY_ANOTHER], by_another, sizeof by_another);
  assert_int_equal(s.kernel->threads, 8 * 32);
  assert_true(wl_similarity(&s, 0) == 1); /* each load's lines are of one type */
  s.load[0].brought[WL_STREAMING] = 1; /* one of its three lines now is not, and one has two kinds of inter */
  s.load[2].brought[WL_INTER_OTHER] = 1;
  assert_true(fabs(wl_similarity(&s, s.kernels) - 8. / 9) < 1e-12);
  memset(s.load, 0, s.loads * sizeof *s.load);
  assert_true(wl_similarity(&s, 0) < 0);
  wl_stats_free(&s);
}

#define KERNEL(ctas, threads)                                                                                \
  "-kernel name = k\n-grid dim = (" #ctas ",1,1)\n-block dim = (" #threads                                   \
  ",1,1)\n-binary version = 35\n-accelsim tracer version = 5\n#\n"
#define END "0100 ffffffff 0 EXIT 0 0 0\n"
#define STRIDED(warp, address)                                                                               \
  "warp = " #warp "\ninsts = 2\n0000 ffffffff 1 R0 LD.E 0 4 1 0x" #address " 0 0\n" END

/* Strides use the warp's number on the SM, and lines. Two SMs with two CTAs of two warps each, numbers 0 to 3. Addresses are 0x400
 * apart except for the place in the line. */
static void strides_are_by_the_number_on_the_sm(void **state) {
  (void)state;
  static const char text[] = KERNEL(4, 64) "#BEGIN_TB\nthread block = 0,0,0\n" STRIDED(0, 10000)
      STRIDED(1, 10404) "#END_TB\n"
                        "#BEGIN_TB\nthread block = 1,0,0\n" STRIDED(0, 50008) STRIDED(
                            1, 50400) "#END_TB\n"
                                      "#BEGIN_TB\nthread block = 2,0,0\n" STRIDED(0, 10810) STRIDED(
                                          1, 10c7c) "#END_TB\n"
                                                    "#BEGIN_TB\nthread block = 3,0,0\n" STRIDED(0, 50800)
                                                        STRIDED(1, 50c04) "#END_TB\n";
  struct wl_stats s = stats_of_text(text, 2);
  assert_int_equal(s.loads, 1);
  assert_int_equal(s.load->pairs, 6);
  assert_int_equal(s.load->strides, 6);
  assert_int_equal(s.load->stride, 0x400);
  wl_stats_free(&s);
}

/* A warp that reuses the number of a warp that has ended counts as the same warp for strides: 9 CTAs, of which 8 fit. */
static void numbers_are_used_again(void **state) {
  (void)state;
  char text[2048] = KERNEL(9, 32);
  for (int cta = 0; cta < 9; cta++)
    snprintf(
        text + strlen(text), sizeof text - strlen(text),
        "#BEGIN_TB\nthread block = %d,0,0\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R0 LD.E 0 4 1 0x%x 0 0\n" END
        "#END_TB\n",
        cta, 0x10000 + 0x80 * cta);
  struct wl_stats s = stats_of_text(text, 1);
  assert_int_equal(s.load->pairs, 8);
  assert_int_equal(s.load->strides, 7); /* from number 7 back to 0 it differs and is not whole */
  assert_int_equal(s.load->stride, 0x80);
  wl_stats_free(&s);
}

/* The largest possible distance, backwards by one number. */
static void half_of_the_address_space_is_a_stride(void **state) {
  (void)state;
  static const char text[] =
      KERNEL(1, 64) "#BEGIN_TB\nthread block = 0,0,0\n"
                    "warp = 0\ninsts = 3\n0000 1 1 R0 LD.E 0 4 0 0x0 0\n"
                    "0000 1 1 R0 LD.E 0 4 0 0x8000000000000000 0\n" END STRIDED(1, 0) "#END_TB\n";
  struct wl_stats s = stats_of_text(text, 1);
  assert_int_equal(s.load->pairs, 2);
  assert_int_equal(s.load->strides, 1);
  wl_stats_free(&s);
}

/* Lines A, B, C, E come with one load. Later the other warp loads A, both load B, the same warp loads C, all with other loads. No
 * warp loads E. Both load D with one load. */
static void inter_is_by_the_same_load(void **state) {
  (void)state;
  static const char text[] =
      KERNEL(1, 64) "#BEGIN_TB\nthread block = 0,0,0\n"
                    "warp = 0\ninsts = 5\n"
                    "0000 0000000f 1 R0 LD.E 0 4 0 0xa000 0xb000 0xc000 0xe000 0\n"
                    "0010 00000001 1 R0 LD.E 0 4 0 0xb000 0\n0008 00000001 1 R0 LD.E 0 4 0 0xc000 0\n"
                    "0018 00000001 1 R0 LD.E 0 4 0 0xd000 0\n" END "warp = 1\ninsts = 4\n"
                    "0008 00000001 1 R0 LD.E 0 4 0 0xa000 0\n0010 00000001 1 R0 LD.E 0 4 0 0xb000 0\n"
                    "0018 00000001 1 R0 LD.E 0 4 0 0xd000 0\n" END "#END_TB\n";
  static const uint64_t first[WL_LOCALITIES] = {1, 0, 1, 1, 1}, fourth[WL_LOCALITIES] = {[WL_INTER] = 1};
  struct wl_stats s = stats_of_text(text, 1);
  int found = 0;
  for (uint32_t i = 0; i < s.loads; i++)
    if (s.load[i].pc == 0 || s.load[i].pc == 0x18) {
      assert_memory_equal(s.load[i].brought, s.load[i].pc ? fourth : first, sizeof first);
      found++;
    }
  assert_int_equal(found, 2);
  wl_stats_free(&s);
}

/* APRES, Table I, as far as our kernels are its kernels. docs/trace.md lists the differences. */
static void rows_of_apres(void **state) {
  (void)state;
  static const struct {
    const char *spec, *kernel; /* the kernel's load with the most references */
    int64_t stride;
    double least, most; /* #L/#R of the paper, plus or minus two hundredths */
  } rows[] = {
      {"nw:paper", "nw.needle1", -1966080, 0.96, 1},
      {"nw:paper", "nw.needle2", -1966080, 0.96, 1},
      {"backprop:paper", "backprop.adjust", 128, 0.57, 0.61},
      {"kmeans", "kmeans.invert", 4352, 0.01, 0.05},
      {"srad2:rows=256,cols=2048,iters=1", "srad2.k1", 16384, 0.97, 1},
      {"lud:n=256", "lud.internal", 2048, 0.4, 0.6}, /* the paper has 0.58; its other two loads do not fit */
  };
  struct wl_stats s = {.loads = 0};
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
    if (!n || strcmp(rows[n].spec, rows[n - 1].spec) != 0) {
      wl_stats_free(&s);
      s = stats_of(rig_open(rows[n].spec), 15);
    }
    const struct wl_load *l = s.load;
    while (l < s.load + s.loads && strcmp(s.kernel[l->kernel].name, rows[n].kernel) != 0)
      l++;
    assert_true(l < s.load + s.loads);
    const double ratio = (double)l->lines / (double)l->refs;
    if (l->stride != rows[n].stride || l->strides * 2 < l->pairs || ratio < rows[n].least ||
        ratio > rows[n].most)
      fail_msg("%s: stride %lld, %llu of %llu pairs, #L/#R %.3f", rows[n].kernel, (long long)l->stride,
               (unsigned long long)l->strides, (unsigned long long)l->pairs, ratio);
  }
  wl_stats_free(&s);
}

static void count_dropped(void *user, const struct wl_line *line) {
  assert_true(line->load == 7);
  ++*(uint64_t *)user;
}

/* A table that may not grow keeps a sample, from which the number of lines is estimated. */
static void line_table_samples_beyond_its_bound(void **state) {
  (void)state;
  enum { LINES = 20000 };
  struct wl_line_table t;
  uint64_t dropped = 0, added = 0;
  bool fresh, failed = false;
  assert_true(wl_lines_begin(&t, 4096));
  t.dropped = count_dropped;
  t.user = &dropped;
  for (int turn = 0; turn < 2; turn++) {
    for (uint64_t i = 0; i < LINES; i++) {
      struct wl_line *line = wl_lines_find(&t, wl_rng_mix(1, i), &fresh, &failed);
      assert_true(!line || fresh == !turn);
      if (line)
        line->load = 7;
      added += fresh;
    }
    assert_int_equal(t.every, 16);
    assert_true(t.used == added - dropped && t.used <= 2048);
    assert_in_range(t.used * t.every, LINES * 9 / 10, LINES * 11 / 10);
  }
  wl_lines_clear(&t);
  assert_non_null(wl_lines_find(&t, 3, &fresh, &failed));
  assert_true(fresh && !failed && t.used == 1);
  wl_lines_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stats_by_hand),
      cmocka_unit_test(strides_are_by_the_number_on_the_sm),
      cmocka_unit_test(numbers_are_used_again),
      cmocka_unit_test(half_of_the_address_space_is_a_stride),
      cmocka_unit_test(inter_is_by_the_same_load),
      cmocka_unit_test(rows_of_apres),
      cmocka_unit_test(line_table_samples_beyond_its_bound),
  };
  return cmocka_run_group_tests(tests, rig_begin, rig_end);
}
