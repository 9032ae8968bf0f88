/* What the tests of traces share: a directory for files, streams as arrays, and a compare of two workloads.
 *
 * Invariant: the compare covers exactly what stream.h promises about an instruction. */
#ifndef HEDDLE_TESTS_UNIT_TRACE_RIG_H
#define HEDDLE_TESTS_UNIT_TRACE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/run.h"
#include "workloads/rng.h"
#include "workloads/trace/trace_code.h"
#include "workloads/trace/trace_convert.h"
#include "workloads/trace/trace_file.h"
#include "workloads/workloads.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char rig_dir[64];

static inline int rig_begin(void **state) {
  (void)state;
  strcpy(rig_dir, "/tmp/heddle-trace-XXXXXX");
  return mkdtemp(rig_dir) ? 0 : -1;
}

static inline int rig_end(void **state) {
  (void)state;
  const char *const argv[] = {"rm", "-rf", rig_dir, NULL};
  return hd_run(argv, NULL, "/dev/null", 60);
}

/* Returns the path of a file of the tests. It stays valid until the fourth next call. */
static inline const char *rig_path(const char *name) {
  static char path[4][128];
  static int turn;
  turn = (turn + 1) % 4;
  snprintf(path[turn], sizeof path[turn], "%s/%s", rig_dir, name);
  return path[turn];
}

static inline void rig_write(const char *path, const void *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  assert_int_equal(fclose(file), 0);
}

static inline struct wl_source *rig_open(const char *spec) {
  char err[512];
  struct wl_source *source = wl_open(spec, err, sizeof err);
  if (!source)
    fail_msg("%s: %s", spec, err);
  return source;
}

static inline struct wl_source *rig_open_path(const char *path) {
  char *spec = hd_format("trace:%s", path);
  struct wl_source *source = rig_open(spec);
  free(spec);
  return source;
}

/* Writes the workload as .htrace. */
static inline void rig_htrace(const char *spec, const char *path) {
  struct wl_source *source = rig_open(spec);
  const struct wl_trace_how how = {0};
  struct wl_trace_summary summary;
  char err[512];
  const int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (!wl_trace_to_htrace(source, fd, &how, &summary, err, sizeof err))
    fail_msg("%s: %s", spec, err);
  close(fd);
  source->ops->close(source);
}

/* Changes an instruction as Accel-Sim's format does. NULL: the format loses nothing. */
typedef void rig_change(const struct wl_launch *launch, uint32_t warp, struct wl_inst *inst);

static inline void rig_same_inst(const struct wl_inst *a, const struct wl_inst *b) {
  assert_int_equal(a->op, b->op);
  assert_int_equal(a->pc, b->pc);
  assert_int_equal(a->active, b->active);
  assert_int_equal(a->dst, b->dst);
  assert_int_equal(a->size, b->size);
  assert_true(a->src == b->src);
  if (wl_trace_has_addresses(a->op, a->size, a->active))
    for (int l = 0; l < WL_LANES; l++)
      if (a->active >> l & 1)
        assert_true(a->addr[l] == b->addr[l]);
}

/* Compares all warps of two launches, a few at a time, so that the streams are interleaved. Returns the number of instructions. */
static inline uint64_t rig_same_launch(struct wl_source *a, struct wl_source *b,
                                       const struct wl_launch *launch, rig_change *change) {
  enum { TOGETHER = 7 };
  const uint32_t warps = launch->ctas * launch->warps_per_cta;
  uint64_t count = 0;
  for (uint32_t first = 0; first < warps; first += TOGETHER) {
    void *sa[TOGETHER] = {NULL}, *sb[TOGETHER] = {NULL};
    uint32_t open = 0;
    for (uint32_t i = 0; i < TOGETHER && first + i < warps; i++, open++) {
      sa[i] = a->ops->open_warp(a, (first + i) / launch->warps_per_cta, (first + i) % launch->warps_per_cta);
      sb[i] = b->ops->open_warp(b, (first + i) / launch->warps_per_cta, (first + i) % launch->warps_per_cta);
      assert_true(sa[i] && sb[i]);
    }
    while (open)
      for (uint32_t i = 0; i < TOGETHER; i++) {
        struct wl_inst ia, ib;
        if (!sa[i])
          continue;
        wl_next(a, sa[i], &ia);
        wl_next(b, sb[i], &ib);
        if (change)
          change(launch, (first + i) % launch->warps_per_cta, &ia);
        if (b->ops->error && b->ops->error(b))
          fail_msg("%s", b->ops->error(b));
        rig_same_inst(&ia, &ib);
        count++;
        if (ia.op != WL_EXIT)
          continue;
        a->ops->close_warp(sa[i]);
        b->ops->close_warp(sb[i]);
        sa[i] = NULL;
        open--;
      }
  }
  return count;
}

/* Fails unless the two workloads are the same after `change` is applied to the first. Closes both. */
static inline void rig_same(struct wl_source *a, struct wl_source *b, rig_change *change) {
  struct wl_launch la, lb;
  uint64_t count = 0;
  while (a->ops->next_launch(a, &la)) {
    if (!b->ops->next_launch(b, &lb))
      fail_msg("%s", b->ops->error(b) ? b->ops->error(b) : "a launch is missing");
    assert_string_equal(la.name, lb.name);
    assert_memory_equal(la.grid, lb.grid, sizeof la.grid);
    assert_memory_equal(la.block, lb.block, sizeof la.block);
    assert_int_equal(la.ctas, lb.ctas);
    assert_int_equal(la.warps_per_cta, lb.warps_per_cta);
    assert_int_equal(la.shared_bytes, lb.shared_bytes);
    assert_int_equal(la.regs, lb.regs);
    count += rig_same_launch(a, b, &la, change);
  }
  assert_false(b->ops->next_launch(b, &lb));
  assert_true(count > 0);
  a->ops->close(a);
  b->ops->close(b);
}

/* Makes any instruction that stream.h allows, except EXIT. */
static inline void any_inst(struct wl_rng *rng, struct wl_inst *i) {
  memset(i, 0, sizeof *i);
  i->op = (enum wl_op)wl_rng_below(rng, WL_EXIT);
  i->pc = (uint32_t)wl_rng_next(rng);
  i->active = wl_rng_below(rng, 4)   ? (uint32_t)wl_rng_next(rng)
              : wl_rng_below(rng, 2) ? 1U << wl_rng_below(rng, 32)
                                     : UINT32_MAX;
  i->dst = (int8_t)((int)wl_rng_below(rng, 65) - 1);
  i->src = wl_rng_next(rng);
  i->size = (uint8_t)(1 << wl_rng_below(rng, 5));
  if (!wl_is_memory(i->op) && i->op != WL_SHARED)
    i->size = 0;
  const uint64_t stride = (wl_rng_next(rng) >> wl_rng_below(rng, 60)) & ~UINT64_C(15);
  const uint64_t base = wl_rng_next(rng) & ~UINT64_C(15);
  const bool even = wl_rng_below(rng, 2);
  for (uint64_t l = 0; l < WL_LANES; l++)
    i->addr[l] = even ? base + l * stride : wl_rng_next(rng) & ~UINT64_C(15);
}

#endif
