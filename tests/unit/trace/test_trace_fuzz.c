/* Hostile traces: seeded mutations of small traces of every form, and of the layers below, must end in instructions that
 * keep the promises of stream.h, or in an error with the file's name; never in a crash, a hang or a large allocation.
 */
#include "tests/unit/trace/trace_rig.h"

#include "workloads/rng.h"
#include "workloads/trace/trace_layout.h"
#include "workloads/walk.h"

#include <lzma.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* Rounds of a form; each is a file. */
enum { ROUNDS = 600, MOST_INSTS = 20000 };

struct checker {
  struct wl_walker walker;
  uint32_t left; /* instructions until it is enough */
};

static bool check_launch(struct wl_walker *self, const struct wl_source *source, const struct wl_launch *l) {
  (void)self;
  (void)source;
  assert_true((uint64_t)l->grid[0] * l->grid[1] * l->grid[2] == l->ctas && l->ctas > 0);
  assert_true(l->warps_per_cta >= 1 && l->warps_per_cta <= 32);
  assert_true(memchr(l->name, 0, sizeof l->name));
  return true;
}

static bool check_inst(struct wl_walker *self, const struct wl_inst *i) {
  struct checker *c = (struct checker *)self;
  assert_true(i->op <= WL_EXIT);
  assert_true(i->dst >= WL_NO_REG && i->dst < 64);
  if (wl_is_memory(i->op))
    assert_true(i->active && i->size && i->size <= 16 && (i->size & (i->size - 1)) == 0);
  if (wl_trace_has_addresses(i->op, i->size, i->active))
    for (int l = 0; l < WL_LANES; l++)
      assert_true(!(i->active >> l & 1) || i->addr[l] % i->size == 0);
  return c->left-- > 0;
}

/* Reads the file to its end, or enough of it. True: it has no fault. */
static bool survives(const char *path) {
  char err[512] = "";
  struct checker c = {{check_launch, NULL, check_inst, NULL}, MOST_INSTS};
  struct wl_source *source = wl_trace_open(path, err, sizeof err);
  bool good = false;
  if (source) {
    good = wl_walk(source, &c.walker, err, sizeof err);
    if (!good && c.left < MOST_INSTS + 1 && !*err) /* it was enough */
      good = true;
    source->ops->close(source);
  }
  assert_true(good || strstr(err, rig_dir));
  return good;
}

/* Changes some of the n bytes, in one of a few ways; gives how many there are then, at most `room`. */
static size_t mutate(struct wl_rng *rng, uint8_t *bytes, size_t n, size_t room) {
  const size_t at = wl_rng_below(rng, n), to = wl_rng_below(rng, n);
  size_t size = 1 + wl_rng_below(rng, 40);
  switch (wl_rng_below(rng, 6)) {
  case 0:
    return at; /* cut short */
  case 1:      /* a piece in another place */
    size = size < n - at ? size : n - at;
    size = size < n - to ? size : n - to;
    memmove(bytes + to, bytes + at, size);
    return n;
  case 2: /* a piece twice */
    size = size < n - at ? size : n - at;
    size = size < room - n ? size : room - n;
    memmove(bytes + at + size, bytes + at, n - at);
    return n + size;
  case 3: /* a piece less */
    size = size < n - at ? size : n - at;
    memmove(bytes + at, bytes + at + size, n - at - size);
    return n - size;
  case 4: /* other bytes */
    for (; size && at + size <= n; size--)
      bytes[at + size - 1] = (uint8_t)wl_rng_next(rng);
    return n;
  default: /* single bits */
    for (size = 1 + size % 3; size; size--)
      bytes[wl_rng_below(rng, n)] ^= (uint8_t)(1U << wl_rng_below(rng, 8));
    return n;
  }
}

/* Mutates the file, ROUNDS times; `mend` (may be NULL) makes what is found first right again. */
static void hammer(const char *from, const char *as, uint64_t seed, void (*mend)(uint8_t *bytes, size_t n)) {
  struct stat file;
  uint8_t *bytes = (uint8_t *)hd_slurp(from);
  assert_true(bytes && stat(from, &file) == 0);
  const size_t n = (size_t)file.st_size, room = n + 64;
  uint8_t *copy = malloc(room);
  int bad = 0;
  assert_true(survives(from));
  for (int round = 0; round < ROUNDS; round++) {
    struct wl_rng rng = {wl_rng_mix(seed, (uint64_t)round)};
    memcpy(copy, bytes, n);
    const size_t size = mutate(&rng, copy, n, room);
    if (mend)
      mend(copy, size);
    rig_write(as, copy, size);
    bad += !survives(as);
  }
  assert_true(bad > ROUNDS / 4); /* else nothing was hit */
  free(bytes);
  free(copy);
}

static const char small[] = "random:seed=3,launches=2,ctas=2,warps=2,insts=40,lines=64,sets=8";

static const char *accel(bool xz) {
  char err[512];
  const struct wl_trace_how how = {.version = 35, .xz = xz};
  struct wl_trace_summary summary;
  const char *dir = rig_path(xz ? "xz" : "plain");
  struct wl_source *source = rig_open(small);
  assert_int_equal(mkdir(dir, 0700), 0);
  assert_true(wl_trace_to_accel(source, dir, &how, &summary, err, sizeof err));
  source->ops->close(source);
  return rig_path(xz ? "xz/kernel-1.traceg.xz" : "plain/kernel-1.traceg");
}

static void text(void **state) {
  (void)state;
  hammer(accel(false), rig_path("m.traceg"), 1, NULL);
}

static void xz(void **state) {
  (void)state;
  hammer(accel(true), rig_path("m.xz"), 2, NULL);
}

static void list(void **state) {
  (void)state;
  hammer(rig_path("plain/kernelslist.g"), rig_path("plain/m.g"), 3, NULL);
}

static void htrace(void **state) {
  (void)state;
  const char *path = rig_path("small.htrace");
  rig_htrace(small, path);
  hammer(path, rig_path("m.htrace"), 4, NULL);
}

static void sign(uint8_t *bytes, size_t n) {
  const uint32_t check = lzma_crc32(bytes, n, 0);
  for (int i = 0; i < 4; i++)
    bytes[n + (size_t)i] = (uint8_t)(check >> 8 * i);
}

/* Headers that are wrong under a right checksum: the file's, the first launch's, its first blocks'. */
static void mend(uint8_t *bytes, size_t n) {
  if (n < WL_TRACE_FILE_HEADER + WL_TRACE_LAUNCH_HEADER)
    return;
  wl_trace_put_file(bytes, n, 2);
  uint8_t *launch = bytes + WL_TRACE_FILE_HEADER;
  sign(launch, WL_TRACE_LAUNCH_HEADER - 4);
  struct wl_trace_launch l;
  uint64_t next;
  if (!wl_trace_get_launch(launch, &l, &next))
    return;
  const uint64_t warps = (uint64_t)l.launch.ctas * l.launch.warps_per_cta;
  uint64_t at = WL_TRACE_FILE_HEADER + WL_TRACE_LAUNCH_HEADER + 8 * warps;
  for (uint64_t i = 0; warps < 100 && i <= warps && at + WL_TRACE_BLOCK_HEADER < n; i++) {
    struct wl_trace_block block = wl_trace_get_block(bytes + at);
    if (block.packed > n - at - WL_TRACE_BLOCK_HEADER)
      return;
    block.check =
        wl_trace_check(0, i ? i - 1 : WL_TRACE_PATTERN, 0, &block, bytes + at + WL_TRACE_BLOCK_HEADER);
    wl_trace_put_block(bytes + at, &block);
    at += WL_TRACE_BLOCK_HEADER + block.packed;
  }
}

static void htrace_that_is_signed(void **state) {
  (void)state;
  hammer(rig_path("small.htrace"), rig_path("m.htrace"), 5, mend);
}

/* The decoder of a block, on anything. */
static void blocks(void **state) {
  (void)state;
  struct wl_trace_decoder d = {0};
  struct checker c = {{NULL, NULL, NULL, NULL}, 0};
  uint64_t good = 0;
  for (uint64_t round = 0; round < 20000; round++) {
    struct wl_rng rng = {wl_rng_mix(6, round)};
    uint8_t bytes[512];
    const size_t n = 1 + wl_rng_below(&rng, sizeof bytes);
    for (size_t i = 0; i < n;
         i++) /* small ones more often: they are numbers of instructions and operations */
      bytes[i] = (uint8_t)(wl_rng_next(&rng) >> (round % 2 ? 61 : 56));
    wl_trace_decode_begin(&d, bytes, n);
    struct wl_inst inst;
    while (d.at < d.end && wl_trace_decode(&d, &inst)) {
      c.left = 1;
      check_inst(&c.walker, &inst);
      good++;
    }
    assert_true(d.at <= d.end);
  }
  assert_true(good > 1000);
  free(d.known);
}

/* Nothing above was allowed to allocate by what a header says. */
static void memory(void **state) {
  (void)state;
  struct rusage use;
  assert_int_equal(getrusage(RUSAGE_SELF, &use), 0);
  assert_true(use.ru_maxrss < 512 * 1024);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text),
      cmocka_unit_test(xz),
      cmocka_unit_test(list),
      cmocka_unit_test(htrace),
      cmocka_unit_test(htrace_that_is_signed),
      cmocka_unit_test(blocks),
      cmocka_unit_test(memory),
  };
  return cmocka_run_group_tests(tests, rig_begin, rig_end);
}
