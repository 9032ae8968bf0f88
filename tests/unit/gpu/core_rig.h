/* One SM on random loads and stores, for tests that change something in it while it runs. Two of them, one lazy and one that runs
 * every cycle, must stay equal. */
#ifndef HEDDLE_TESTS_UNIT_CORE_RIG_H
#define HEDDLE_TESTS_UNIT_CORE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmodel/gpu/core.h"
#include "cmodel/memory/memory.h"
#include "workloads/workloads.h"

struct run {
  struct hd_config c;
  struct hd_design *design;
  struct hd_grid *grid;
  struct wl_source *source;
  struct hd_core core;
};

static void begin(struct run *r, const struct hd_config *c) {
  char err[256];
  r->c = *c;
  assert_int_equal(hd_config_check(&r->c, NULL, NULL, stderr), 0);
  r->design = hd_design_new(&r->c);
  r->source = wl_open("random:seed=5,ctas=3,warps=4,insts=40,lines=96,sets=4", err, sizeof err);
  assert_non_null(r->source);
  assert_int_equal(hd_grid_new(&r->c, r->source, &r->grid, NULL), HD_OK);
  struct hd_port *port = hd_memory_port(hd_memory_new(&r->c, &(struct hd_memory_options){0}));
  assert_true(hd_core_open(&r->core, r->design, r->grid, port, NULL, NULL));
}

static void end(struct run *r) {
  hd_core_close(&r->core);
  hd_grid_free(r->grid);
  r->source->ops->close(r->source);
  hd_design_free(r->design);
}

static void assert_events_equal(const struct hd_model *a, const struct hd_model *b) {
  for (size_t i = 0; i < a->decl->n_events; i++)
    if (a->ev[i] != b->ev[i])
      fail_msg("%s: %llu and %llu", a->decl->events[i].name, (unsigned long long)a->ev[i],
               (unsigned long long)b->ev[i]);
}

/* The code for any machine. A run uses the code for its machine. */
extern const struct hd_lazy_code hd_lazy_code_any;

#endif
