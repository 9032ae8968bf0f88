/* A workload made by hand, for the tests of the SM: launches of CTAs whose warps run the instructions that `program` returns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "workloads/stream.h"

enum { R0 = 1, R1 = 2, R2 = 4, NOTHING = 0 }; /* registers read */

static struct script {
  struct wl_source source;
  uint32_t launches, ctas, warps; /* of the workload; of a launch; of a CTA */
  uint32_t begun;                 /* launches */
  /* Returns instruction number n of a warp of launch `begun`. */
  struct wl_inst (*program)(uint32_t cta, uint32_t warp, uint32_t n);
} script;

struct script_warp {
  uint32_t cta, warp, n;
  struct wl_inst inst; /* the last instruction returned */
};

static bool script_launch(struct wl_source *src, struct wl_launch *launch) {
  (void)src;
  *launch = (struct wl_launch){.name = "script",
                               .grid = {script.ctas, 1, 1},
                               .block = {WL_LANES * script.warps, 1, 1},
                               .ctas = script.ctas,
                               .warps_per_cta = script.warps};
  return script.begun++ < script.launches;
}

static void *script_open(struct wl_source *src, uint32_t cta, uint32_t warp) {
  (void)src;
  struct script_warp *w = malloc(sizeof *w);
  *w = (struct script_warp){.cta = cta, .warp = warp};
  return w;
}

static void script_next(void *stream, struct wl_inst *inst) {
  struct script_warp *w = stream;
  w->inst = script.program(w->cta, w->warp, w->n++);
  wl_give(inst, &w->inst);
}

static void script_locate(void *stream, struct wl_inst *inst) {
  const struct script_warp *w = stream;
  wl_give_addresses(inst, &w->inst);
}

static struct wl_source *new_script(uint32_t launches, uint32_t ctas, uint32_t warps,
                                    struct wl_inst (*program)(uint32_t, uint32_t, uint32_t)) {
  static const struct wl_source_ops ops = {.next_launch = script_launch,
                                           .open_warp = script_open,
                                           .next = script_next,
                                           .locate = script_locate,
                                           .close_warp = free};
  script = (struct script){{&ops}, launches, ctas, warps, 0, program};
  return &script.source;
}

static inline struct wl_inst plain(enum wl_op op, int8_t dst, uint64_t src) {
  return (struct wl_inst){.op = op, .active = UINT32_MAX, .dst = dst, .src = src};
}

/* A memory instruction with one active lane. */
static inline struct wl_inst access_line(enum wl_op op, int8_t dst, uint64_t src, uint64_t line) {
  return (struct wl_inst){.op = op, .active = 1, .dst = dst, .src = src, .size = 4, .addr = {line * 128}};
}

static inline struct wl_inst leave(void) {
  return plain(WL_EXIT, WL_NO_REG, NOTHING);
}
