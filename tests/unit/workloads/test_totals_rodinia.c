/* Rodinia's kernels whose addresses do not depend on data: their totals against an access log of the original sources, their
 * barriers and launches, and that the unshared variants do the same work.
 *
 * The sources were run on a CPU under a shim that logged every global access of one CTA. The vectors are its counts. If a statement
 * repeats a load, the log counts it every time, but the streams count it once, as a compiler does. Those vectors have a comment. */
#include "tests/unit/workloads/totals.h"

static const struct vector vectors[] = {
    {"backprop:paper", 0, 0, 77, 1, "input", WL_LOAD, 1, 2, 1.12, 2},
    {"backprop:paper", 0, 0, 77, 1, "partial", WL_STORE, 1, 2, 1, 1},
    {"backprop:paper", 0, 0, 77, 1, "w", WL_LOAD, 1, 32, 2, 9},
    {"backprop:paper", 0, 0, 77, 1, "w", WL_STORE, 1, 32, 2, 9},
    {"backprop:paper", 1, 0, 77, 1, "delta", WL_LOAD, 2, 32, 1, 1},
    {"backprop:paper", 1, 0, 77, 1, "input", WL_LOAD, 2, 32, 1.12, 2},
    {"backprop:paper", 1, 0, 77, 1, "oldw", WL_LOAD, 2, 32, 2, 9},
    {"backprop:paper", 1, 0, 77, 1, "oldw", WL_STORE, 1, 32, 2, 9},
    {"backprop:paper", 1, 0, 77, 1, "w", WL_LOAD, 1, 32, 2, 9},
    {"backprop:paper", 1, 0, 77, 1, "w", WL_STORE, 1, 32, 2, 9},
    /* t = 10 */
    {"gaussian:paper", 20, 0, 0, 1, "a", WL_LOAD, 0.88, 28.14, 14.57, 198},
    {"gaussian:paper", 20, 0, 0, 1, "m", WL_STORE, 0.44, 28.14, 28.14, 197},
    {"gaussian:paper", 21, 3, 5, 52, "a", WL_LOAD, 2, 16, 4, 8},
    {"gaussian:paper", 21, 3, 5, 52, "a", WL_STORE, 1, 16, 6, 8},
    {"gaussian:paper", 21, 3, 5, 52, "m", WL_LOAD, 1, 16, 4, 4},
    {"gaussian:paper", 21, 3, 0, 52, "a", WL_LOAD, 2, 16, 2.5, 5},
    {"gaussian:paper", 21, 3, 0, 52, "a", WL_STORE, 1, 16, 4, 5},
    {"gaussian:paper", 21, 3, 0, 52, "b", WL_LOAD, 2, 4, 1, 1},
    {"gaussian:paper", 21, 3, 0, 52, "b", WL_STORE, 1, 4, 1, 1},
    {"gaussian:paper", 21, 3, 0, 52, "m", WL_LOAD, 2, 10, 4, 4},
    {"hotspot:paper", 0, 3, 5, 43, "temp0", WL_LOAD, 1, 32, 2, 16},
    {"hotspot:paper", 0, 3, 5, 43, "power", WL_LOAD, 1, 32, 2, 16},
    {"hotspot:paper", 0, 3, 5, 43, "temp1", WL_STORE, 0.75, 24, 2, 12},
    {"hotspot:paper", 0, 0, 0, 43, "temp0", WL_LOAD, 0.88, 28, 2, 14},
    {"hotspot:paper", 0, 0, 0, 43, "power", WL_LOAD, 0.88, 28, 2, 14},
    {"hotspot:paper", 0, 0, 0, 43, "temp1", WL_STORE, 0.75, 24, 2, 12},
    {"kmeans:paper", 0, 10, 0, 841, "in", WL_LOAD, 34, 32, 32, 272},
    {"kmeans:paper", 0, 10, 0, 841, "out", WL_STORE, 34, 32, 1, 272},
    {"kmeans:paper", 1, 3, 5, 29, "membership", WL_STORE, 1, 32, 1, 8},
    {"kmn:paper", 0, 3, 5, 29, "clusters", WL_LOAD, 170, 32, 1, 6},
    {"kmn:paper", 0, 3, 5, 29, "features", WL_LOAD, 170, 32, 32, 272},
    {"kmn:paper", 0, 3, 5, 29, "membership", WL_STORE, 1, 32, 1, 8},
    /* o = 32 */
    {"lud:paper", 6, 0, 0, 1, "m", WL_LOAD, 16, 16, 1, 16},
    {"lud:paper", 6, 0, 0, 1, "m", WL_STORE, 15, 16, 1, 16},
    {"lud:paper", 7, 3, 0, 29, "m", WL_LOAD, 48, 16, 1, 48},
    {"lud:paper", 7, 3, 0, 29, "m", WL_STORE, 31, 16, 1, 48},
    {"lud:paper", 8, 3, 5, 29, "m", WL_LOAD, 3, 32, 2, 48},
    {"lud:paper", 8, 3, 5, 29, "m", WL_STORE, 1, 32, 2, 48},
    /* i = 64 */
    {"nw:paper", 63, 10, 0, 64, "matrix", WL_LOAD, 3, 11, 6.33, 33},
    {"nw:paper", 63, 10, 0, 64, "matrix", WL_STORE, 16, 16, 1.88, 33},
    {"nw:paper", 63, 10, 0, 64, "ref", WL_LOAD, 16, 16, 1.88, 30},
    {"nw:paper", 191, 10, 0, 64, "matrix", WL_LOAD, 3, 11, 6.33, 33},
    {"nw:paper", 191, 10, 0, 64, "matrix", WL_STORE, 16, 16, 1.88, 33},
    {"nw:paper", 191, 10, 0, 64, "ref", WL_LOAD, 16, 16, 1.88, 30},
    {"pathfinder:paper", 0, 10, 0, 463, "result0", WL_LOAD, 1, 32, 2, 9},
    {"pathfinder:paper", 0, 10, 0, 463, "result1", WL_STORE, 1, 27, 1.88, 8},
    {"pathfinder:paper", 0, 10, 0, 463, "wall", WL_LOAD, 20, 29.38, 1.89, 163},
    /* prepare: the log has three loads, one value twice. */
    {"srad1:paper", 1, 10, 0, 450, "I", WL_LOAD, 2, 32, 1, 16},
    {"srad1:paper", 1, 10, 0, 450, "sums", WL_STORE, 1, 32, 1, 16},
    {"srad1:paper", 1, 10, 0, 450, "sums2", WL_STORE, 1, 32, 1, 16},
    {"srad1:paper", 2, 10, 0, 450, "sums", WL_LOAD, 1, 32, 1, 16},
    {"srad1:paper", 2, 10, 0, 450, "sums", WL_STORE, 0.06, 1, 1, 16},
    {"srad1:paper", 2, 10, 0, 450, "sums2", WL_LOAD, 1, 32, 1, 16},
    {"srad1:paper", 2, 10, 0, 450, "sums2", WL_STORE, 0.06, 1, 1, 16},
    {"srad1:paper", 2, 449, 0, 450, "sums", WL_LOAD, 0.81, 3.08, 1, 1},
    {"srad1:paper", 2, 449, 0, 450, "sums", WL_STORE, 0.06, 1, 1, 1},
    {"srad1:paper", 2, 449, 0, 450, "sums2", WL_LOAD, 0.81, 3.08, 1, 1},
    {"srad1:paper", 2, 449, 0, 450, "sums2", WL_STORE, 0.06, 1, 1, 1},
    {"srad1:paper", 4, 10, 0, 450, "I", WL_LOAD, 5, 32, 1.8, 48},
    {"srad1:paper", 4, 10, 0, 450, "c", WL_STORE, 1, 32, 1, 16},
    {"srad1:paper", 4, 10, 0, 450, "dE", WL_STORE, 1, 32, 1, 16},
    {"srad1:paper", 4, 10, 0, 450, "dN", WL_STORE, 1, 32, 1, 16},
    {"srad1:paper", 4, 10, 0, 450, "dS", WL_STORE, 1, 32, 1, 16},
    {"srad1:paper", 4, 10, 0, 450, "dW", WL_STORE, 1, 32, 1, 16},
    {"srad1:paper", 4, 10, 0, 450, "iN", WL_LOAD, 1, 32, 2, 16},
    {"srad1:paper", 4, 10, 0, 450, "iS", WL_LOAD, 1, 32, 2, 16},
    {"srad1:paper", 4, 10, 0, 450, "jE", WL_LOAD, 1, 32, 1, 1},
    {"srad1:paper", 4, 10, 0, 450, "jW", WL_LOAD, 1, 32, 1, 1},
    {"srad1:paper", 5, 10, 0, 450, "I", WL_LOAD, 1, 32, 1, 16},
    {"srad1:paper", 5, 10, 0, 450, "I", WL_STORE, 1, 32, 1, 16},
    /* srad2: the log has four loads of 1.5 lines: the point's own load, of one line, appears twice. */
    {"srad1:paper", 5, 10, 0, 450, "c", WL_LOAD, 3, 32, 1.67, 32},
    {"srad1:paper", 5, 10, 0, 450, "dE", WL_LOAD, 1, 32, 1, 16},
    {"srad1:paper", 5, 10, 0, 450, "dN", WL_LOAD, 1, 32, 1, 16},
    {"srad1:paper", 5, 10, 0, 450, "dS", WL_LOAD, 1, 32, 1, 16},
    {"srad1:paper", 5, 10, 0, 450, "dW", WL_LOAD, 1, 32, 1, 16},
    {"srad1:paper", 5, 10, 0, 450, "iS", WL_LOAD, 1, 32, 2, 16},
    {"srad1:paper", 5, 10, 0, 450, "jE", WL_LOAD, 1, 32, 1, 1},
    {"srad2:paper", 0, 3, 5, 64, "C", WL_STORE, 1, 32, 2, 16},
    {"srad2:paper", 0, 3, 5, 64, "E", WL_STORE, 1, 32, 2, 16},
    {"srad2:paper", 0, 3, 5, 64, "J", WL_LOAD, 5, 32, 1.6, 34},
    {"srad2:paper", 0, 3, 5, 64, "N", WL_STORE, 1, 32, 2, 16},
    {"srad2:paper", 0, 3, 5, 64, "S", WL_STORE, 1, 32, 2, 16},
    {"srad2:paper", 0, 3, 5, 64, "W", WL_STORE, 1, 32, 2, 16},
    {"srad2:paper", 0, 0, 0, 64, "C", WL_STORE, 1, 32, 2, 16},
    {"srad2:paper", 0, 0, 0, 64, "E", WL_STORE, 1, 32, 2, 16},
    {"srad2:paper", 0, 0, 0, 64, "J", WL_LOAD, 7, 32, 1.57, 34},
    {"srad2:paper", 0, 0, 0, 64, "N", WL_STORE, 1, 32, 2, 16},
    {"srad2:paper", 0, 0, 0, 64, "S", WL_STORE, 1, 32, 2, 16},
    {"srad2:paper", 0, 0, 0, 64, "W", WL_STORE, 1, 32, 2, 16},
    {"srad2:paper", 1, 3, 5, 64, "C", WL_LOAD, 3, 32, 1.67, 33},
    {"srad2:paper", 1, 3, 5, 64, "E", WL_LOAD, 1, 32, 2, 16},
    {"srad2:paper", 1, 3, 5, 64, "J", WL_LOAD, 1, 32, 2, 16},
    {"srad2:paper", 1, 3, 5, 64, "J", WL_STORE, 1, 32, 2, 16},
    {"srad2:paper", 1, 3, 5, 64, "N", WL_LOAD, 1, 32, 2, 16},
    {"srad2:paper", 1, 3, 5, 64, "S", WL_LOAD, 1, 32, 2, 16},
    {"srad2:paper", 1, 3, 5, 64, "W", WL_LOAD, 1, 32, 2, 16},
};

static void totals_of_the_log(void **state) {
  (void)state;
  check_totals(vectors, sizeof vectors / sizeof *vectors);
}

/* Calls `each` for every instruction of every warp of a launch, or of all launches (-1). */
typedef void (*each_fn)(struct wl_source *, const struct wl_launch *, const struct wl_inst *, void *);

static void walk(const char *spec, int only, each_fn each, void *to) {
  struct wl_source *source = open_ok(spec);
  struct wl_launch launch;
  for (int number = 0; source->ops->next_launch(source, &launch); number++)
    for (uint32_t id = 0; (only < 0 || number == only) && id < launch.ctas * launch.warps_per_cta; id++) {
      void *stream = source->ops->open_warp(source, id / launch.warps_per_cta, id % launch.warps_per_cta);
      struct wl_inst inst;
      do {
        wl_next(source, stream, &inst);
        each(source, &launch, &inst, to);
      } while (inst.op != WL_EXIT);
      source->ops->close_warp(stream);
    }
  source->ops->close(source);
}

struct counts {
  uint64_t of[WL_EXIT + 1];
};

static void count(struct wl_source *source, const struct wl_launch *launch, const struct wl_inst *inst,
                  void *to) {
  (void)source;
  (void)launch;
  ((struct counts *)to)->of[inst->op]++;
}

/* By the sources: the barriers that a warp meets, launch by launch. */
static void barriers_of_a_warp(void **state) {
  (void)state;
  static const struct {
    const char *spec;
    int launch;
    uint64_t barriers;
  } want[] = {
      {"backprop:tiny", 0, 8},
      {"backprop:tiny", 1, 1},
      {"hotspot:tiny", 0, 1 + 2 + 1},
      {"hotspot:tiny,height=3,steps=3", 0, 1 + 2 + 2 + 1},
      {"hotspot:tiny,height=3,steps=4", 1, 2}, /* one step is left */
      {"pathfinder:tiny", 0, 2 * 20},
      {"pathfinder:tiny", 1, 2 * 19},
      {"lud:tiny", 0, 1 + 2 * 15},
      {"lud:tiny", 1, 2},
      {"lud:tiny", 2, 1},
      {"nw:tiny", 0, 34},
      {"nw:tiny", 14, 34},
      {"srad1:tiny", 3, 1 + 3}, /* over 8 sums, three steps of the tree */
      {"srad2:tiny", 0, 4},
      {"srad2:tiny", 1, 5},
  };
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    struct counts n = {0};
    walk(want[i].spec, want[i].launch, count, &n);
    if (n.of[WL_BARRIER] != want[i].barriers * n.of[WL_EXIT])
      fail_msg("%s launch %d: %g barriers a warp", want[i].spec, want[i].launch,
               (double)n.of[WL_BARRIER] / (double)n.of[WL_EXIT]);
  }
}

static void launches_of_the_host(void **state) {
  (void)state;
  assert_int_equal(count_launches("backprop:paper"), 2);
  assert_int_equal(count_launches("gaussian:paper"), 2 * 207);
  assert_int_equal(count_launches("hotspot:paper"), 1);
  assert_int_equal(count_launches("hotspot:paper,steps=5"), 3);
  assert_int_equal(count_launches("lud:paper"), 31 * 3 + 1);
  assert_int_equal(count_launches("lud:n=16"), 1);
  assert_int_equal(count_launches("nw:paper"), 255);
  assert_int_equal(count_launches("nw:n=16"), 1);
  assert_int_equal(count_launches("pathfinder:paper"), 5);
  assert_int_equal(count_launches("srad1:paper"), 1 + 100 * 5 + 1);
  assert_int_equal(count_launches("srad1:rows=16,cols=32,iters=2"), 1 + 2 * 4 + 1); /* 512 points */
  assert_int_equal(count_launches("srad1:rows=513,cols=512,iters=1"), 1 + 6 + 1);
  assert_int_equal(count_launches("srad2:paper"), 2 * 2);
}

static void in_bounds(struct wl_source *source, const struct wl_launch *launch, const struct wl_inst *inst,
                      void *to) {
  (void)to;
  for (uint32_t rest = inst->active; rest; rest &= rest - 1) {
    const uint64_t addr = inst->addr[__builtin_ctz(rest)];
    if (wl_is_memory(inst->op))
      assert_non_null(wl_array_name(source, addr));
    else if (inst->op == WL_SHARED)
      assert_true(addr % 4 == 0 && addr + inst->size <= launch->shared_bytes);
  }
}

/* Sizes that fill no tile: every access stays inside an array, or inside the shared memory of the CTA. */
static void accesses_are_in_bounds(void **state) {
  (void)state;
  static const char *const spec[] = {
      "backprop:n=40",
      "backprop_u:n=40",
      "gaussian:n=33",
      "hotspot:n=33,height=3,steps=7",
      "hotspot_u:n=17,height=7,steps=8",
      "kmeans:points=300,features=3,clusters=2,iters=3",
      "kmn:points=700,features=3,clusters=2",
      "lud:n=50",
      "lud_u:n=20",
      "nw:n=50",
      "nw_u:n=20",
      "pathfinder:cols=333,rows=9,height=5",
      "pathfinder_u:cols=100,rows=9,height=5",
      "srad1:rows=33,cols=35,iters=1",
      "srad1:rows=19,cols=27,iters=1", /* 513 points: the last CTA has one sum */
      "srad2:rows=20,cols=40,iters=1",
      "srad_u:rows=16,cols=16,iters=2",
  };
  for (size_t i = 0; i < sizeof spec / sizeof *spec; i++)
    walk(spec[i], -1, in_bounds, NULL);
}

/* Runs a CTA's warps from barrier to barrier and counts how often each word of shared memory is written. A word may only be read if
 * an earlier phase or the warp itself has written it. */
static void run_phases(struct wl_source *source, const struct wl_launch *launch, uint32_t cta,
                       uint8_t *writes) {
  enum { WARPS = 32, WORDS = 1536 };
  uint8_t writer[WORDS] = {0}; /* 0: no warp; 1 + warp; WARPS + 1: an earlier phase */
  void *stream[WARPS];
  uint32_t running = launch->warps_per_cta;
  for (uint32_t w = 0; w < launch->warps_per_cta; w++)
    stream[w] = source->ops->open_warp(source, cta, w);
  while (running) {
    for (uint32_t w = 0; w < launch->warps_per_cta; w++) {
      struct wl_inst inst = {.op = WL_ALU};
      while (stream[w] && inst.op != WL_BARRIER && inst.op != WL_EXIT) {
        wl_next(source, stream[w], &inst);
        for (uint32_t rest = inst.op == WL_SHARED ? inst.active : 0; rest; rest &= rest - 1) {
          const uint64_t word = inst.addr[__builtin_ctz(rest)] / 4;
          assert_in_range(word, 0, WORDS - 1);
          if (inst.dst == WL_NO_REG) {
            writer[word] = (uint8_t)(1 + w);
            writes[word]++;
          } else if (writer[word] != 1 + w && writer[word] != WARPS + 1) {
            fail_msg("%s CTA %u warp %u reads word %u, which %s", launch->name, cta, w, (unsigned)word,
                     writer[word] ? "another warp has just written" : "nobody has written");
          }
        }
      }
      if (inst.op == WL_EXIT) {
        source->ops->close_warp(stream[w]);
        stream[w] = NULL;
        running--;
      }
    }
    for (int i = 0; i < WORDS; i++)
      writer[i] = writer[i] ? WARPS + 1 : 0;
  }
}

static void shared_words_are_written_before_they_are_read(void **state) {
  (void)state;
  static const char *const spec[] = {"backprop:n=64",
                                     "hotspot:n=33,height=3,steps=7",
                                     "lud:n=48",
                                     "nw:n=48",
                                     "pathfinder:cols=700,rows=9,height=5",
                                     "srad1:tiny",
                                     "srad2:rows=48,cols=48,iters=1"};
  for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
    struct wl_source *source = open_ok(spec[i]);
    struct wl_launch launch;
    while (source->ops->next_launch(source, &launch))
      for (uint32_t cta = 0; cta < launch.ctas; cta++) {
        uint8_t writes[1536] = {0};
        run_phases(source, &launch, cta, writes);
        if (strcmp(spec[i], "nw:n=48") == 0) /* the tiles, the row and the column: each word once */
          for (int word = 0; word < 17 * 17 + 16 * 16; word++)
            assert_int_equal(writes[word], 1);
      }
    source->ops->close(source);
  }
}

/* Two streams in step: where one accesses shared memory, the other accesses its CTA's area. */
static void same_work(const char *spec, const char *unshared_spec, uint32_t area) {
  struct wl_source *a = open_ok(spec), *b = open_ok(unshared_spec);
  struct wl_launch launch, other;
  uint64_t shared = 0;
  while (a->ops->next_launch(a, &launch)) {
    assert_true(b->ops->next_launch(b, &other));
    assert_string_equal(launch.name, other.name);
    assert_int_equal(launch.ctas, other.ctas);
    assert_int_equal(other.shared_bytes, 0);
    for (uint32_t id = 0; id < launch.ctas * launch.warps_per_cta; id++) {
      const uint32_t cta = id / launch.warps_per_cta, warp = id % launch.warps_per_cta;
      void *in_a = a->ops->open_warp(a, cta, warp), *in_b = b->ops->open_warp(b, cta, warp);
      struct wl_inst x, y;
      do {
        wl_next(a, in_a, &x);
        wl_next(b, in_b, &y);
        assert_true(x.pc == y.pc && x.active == y.active && x.dst == y.dst && x.src == y.src);
        assert_int_equal(y.op, x.op != WL_SHARED ? x.op : x.dst == WL_NO_REG ? WL_STORE : WL_LOAD);
        shared += x.op == WL_SHARED;
        for (uint32_t rest = wl_is_memory(y.op) ? x.active : 0; rest; rest &= rest - 1) {
          const int l = __builtin_ctz(rest);
          const char *name = wl_array_name(b, y.addr[l]);
          assert_non_null(name);
          assert_int_equal(x.op == WL_SHARED, strcmp(name, "unshared") == 0);
          if (x.op != WL_SHARED)
            assert_true(x.addr[l] == y.addr[l]);
          else
            assert_true((y.addr[l] - x.addr[l]) % 128 == 0 && x.addr[l] < area);
        }
      } while (x.op != WL_EXIT);
      a->ops->close_warp(in_a);
      b->ops->close_warp(in_b);
    }
  }
  assert_false(b->ops->next_launch(b, &other));
  assert_true(shared > 0);
  a->ops->close(a);
  b->ops->close(b);
}

static void unshared_variants_do_the_same(void **state) {
  (void)state;
  same_work("backprop:n=512", "backprop_u:n=512", 272 * 4);
  same_work("hotspot:tiny", "hotspot_u:tiny", 768 * 4);
  same_work("lud:n=64", "lud_u:n=64", 768 * 4);
  same_work("nw:n=64", "nw_u:n=64", 545 * 4);
  same_work("pathfinder:tiny", "pathfinder_u:tiny,rows=40", 512 * 4);
  same_work("srad2:tiny", "srad_u:tiny,rows=64", 1536 * 4);
}

/* The areas of two CTAs do not overlap. */
static void areas_are_apart(void **state) {
  (void)state;
  struct wl_source *source = open_ok("nw_u:n=64");
  struct wl_launch launch;
  uint64_t top = 0;
  for (int i = 0; i < 4; i++)
    assert_true(source->ops->next_launch(source, &launch));
  assert_int_equal(launch.ctas, 4);
  for (uint32_t cta = 0; cta < launch.ctas; cta++) {
    uint64_t low = UINT64_MAX, high = 0;
    void *stream = source->ops->open_warp(source, cta, 0);
    struct wl_inst inst;
    do {
      wl_next(source, stream, &inst);
      for (uint32_t rest = wl_is_memory(inst.op) ? inst.active : 0; rest; rest &= rest - 1) {
        const uint64_t addr = inst.addr[__builtin_ctz(rest)];
        if (strcmp(wl_array_name(source, addr), "unshared") != 0)
          continue;
        low = addr < low ? addr : low;
        high = addr > high ? addr : high;
      }
    } while (inst.op != WL_EXIT);
    source->ops->close_warp(stream);
    assert_true(low % 128 == 0 && low >= top);
    assert_int_equal(high - low, 544 * 4);
    top = high + 4;
  }
  source->ops->close(source);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(totals_of_the_log),
      cmocka_unit_test(barriers_of_a_warp),
      cmocka_unit_test(launches_of_the_host),
      cmocka_unit_test(accesses_are_in_bounds),
      cmocka_unit_test(shared_words_are_written_before_they_are_read),
      cmocka_unit_test(unshared_variants_do_the_same),
      cmocka_unit_test(areas_are_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
