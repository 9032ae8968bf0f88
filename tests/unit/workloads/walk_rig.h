/* Walks a workload access by access. For tests that deduce from the addresses which data a kernel read. */
#ifndef HEDDLE_TESTS_UNIT_WALK_RIG_H
#define HEDDLE_TESTS_UNIT_WALK_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "workloads/plan/plan.h"
#include "workloads/workloads.h"

#include <string.h>

/* A memory instruction of a workload, for one lane. */
struct access {
  const char *kernel, *array;
  uint32_t launch, cta, thread; /* thread: in the CTA */
  enum wl_op op;
  uint64_t element;
};

/* Walks the whole workload and calls `see` for each lane of each memory instruction. Returns the number of launches. */
static inline uint32_t walk(const char *spec, void (*see)(const struct access *a, void *context),
                            void *context) {
  char err[512];
  struct wl_source *source = wl_open(spec, err, sizeof err);
  struct wl_launch launch;
  uint32_t launches = 0;
  if (!source)
    fail_msg("%s: %s", spec, err);
  for (; source->ops->next_launch(source, &launch); launches++)
    for (uint32_t id = 0; id < launch.ctas * launch.warps_per_cta; id++) {
      const uint32_t cta = id / launch.warps_per_cta, warp = id % launch.warps_per_cta;
      void *stream = source->ops->open_warp(source, cta, warp);
      struct wl_inst inst;
      for (wl_next(source, stream, &inst); inst.op != WL_EXIT; wl_next(source, stream, &inst)) {
        if (!wl_is_memory(inst.op))
          continue;
        const char *array = wl_array_name(source, inst.addr[__builtin_ctz(inst.active)]);
        uint64_t base = inst.addr[__builtin_ctz(inst.active)];
        assert_non_null(array);
        /* the array's first byte: each array begins at a multiple of WL_ALIGN and has one name */
        for (const char *name;
             base > WL_BASE && (name = wl_array_name(source, (base - 1) / WL_ALIGN * WL_ALIGN)) == array;)
          base = (base - 1) / WL_ALIGN * WL_ALIGN;
        for (uint32_t l = 0; l < WL_LANES; l++)
          if (inst.active >> l & 1)
            see(&(struct access){launch.name, array, launches, cta, warp * WL_LANES + l, inst.op,
                                 (inst.addr[l] - base) / inst.size},
                context);
      }
      source->ops->close_warp(stream);
    }
  source->ops->close(source);
  return launches;
}

static inline bool is(const struct access *a, const char *array, enum wl_op op) {
  return a->op == op && strcmp(a->array, array) == 0;
}

#endif
