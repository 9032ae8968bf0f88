/* One SM around the golden sm_mem and the simple memory, run cycle by cycle, for the tests of the SM. Records which warp issued in
 * which cycle. */
#include "tests/unit/script.h"

#include <string.h>

#include "cmodel/memory/memory.h"
#include "cmodel/model/models.h"
#include "cmodel/sm/grid.h"
#include "cmodel/sm/sm.h"

enum { PATIENCE = 200000, MOST = 8192 };

static struct sm_rig {
  struct hd_config c;
  struct hd_design *design;
  const struct hd_decl *decl;
  struct sm_mem *m;
  struct sm_mem_in in;
  struct sm_mem_out out;
  struct hd_sm *sm;
  struct hd_memory *memory;
  struct hd_grid *grid;
  uint64_t now;
  unsigned n; /* instructions issued, in order: */
  struct {
    uint64_t at;
    unsigned wid;
  } issue[MOST];
  unsigned residents, most_residents, started;
  unsigned in_flight, most_in_flight; /* memory instructions of warp 0 */
} b;

static inline struct hd_config defaults(void) {
  struct hd_config c;
  hd_config_default(&c);
  return c;
}

static void on_start(void *ctx, unsigned slot, uint32_t cta) {
  (void)ctx;
  assert_true(slot < b.c.sm.ctas);
  assert_int_equal(cta, b.started++ % script.ctas);
  if (++b.residents > b.most_residents)
    b.most_residents = b.residents;
}

static void on_end(void *ctx, unsigned slot) {
  (void)ctx;
  (void)slot;
  b.residents--;
}

static void on_launch(void *ctx, const struct wl_launch *launch, unsigned n) {
  (void)ctx;
  assert_string_equal(launch->name, "script");
  assert_int_equal(n + 1, script.begun);
  assert_int_equal(b.residents, 0);
  assert_true(hd_memory_idle(b.memory));
}

static void on_issue(void *ctx, const struct hd_sm_mem_inst *mi) {
  (void)ctx;
  if (mi->wid == 0 && ++b.in_flight > b.most_in_flight)
    b.most_in_flight = b.in_flight;
}

static void on_done(void *ctx, unsigned wid, unsigned slot) {
  (void)ctx;
  (void)slot;
  b.in_flight -= wid == 0;
}

static inline enum hd_rc begin(struct hd_config c, struct wl_source *source, struct hd_why *why) {
  memset(&b, 0, sizeof b);
  b.c = c;
  assert_int_equal(hd_config_check(&b.c, NULL, NULL, stderr), 0);
  b.design = hd_design_new(&b.c);
  b.decl = hd_design_find(b.design, "sm_mem");
  assert_true(hd_alloc_in(b.decl, &b.in) && hd_alloc_out(b.decl, &b.out));
  b.m = hd_model_new(b.design, "sm_mem", false, NULL);
  b.memory = hd_memory_new(&b.c, &(struct hd_memory_options){0});
  static const struct hd_sm_watch watch = {
      .launch = on_launch, .issue = on_issue, .done = on_done, .cta_start = on_start, .cta_end = on_end};
  const enum hd_rc rc = hd_grid_new(&b.c, source, &b.grid, why);
  if (rc == HD_OK)
    b.sm = hd_sm_new(&b.c, b.grid, &(struct hd_sm_options){0}, &watch);
  return rc;
}

static inline void end(void) {
  hd_sm_free(b.sm);
  hd_grid_free(b.grid);
  hd_memory_free(b.memory);
  hd_model_free(b.m);
  hd_free_in(b.decl, &b.in);
  hd_free_out(b.decl, &b.out);
  hd_design_free(b.design);
}

/* Runs one cycle. b.in and b.out keep the values at the ports. */
static inline void cycle(void) {
  struct hd_port *port = hd_memory_port(b.memory);
  assert_true(b.now < PATIENCE);
  sm_mem_moore(b.m, &b.out);
  hd_sm_drive(b.sm, &b.out, &b.in);
  port->ops->drive(port, &b.in);
  sm_mem_mealy(b.m, &b.in, &b.out);
  for (unsigned s = 0; s < b.c.sm.schedulers; s++)
    if (b.out.pick_valid[s]) {
      assert_true(b.n < MOST);
      b.issue[b.n].at = b.now;
      b.issue[b.n++].wid = (unsigned)b.out.pick_wid[s];
    }
  hd_sm_clock(b.sm, &b.in, &b.out);
  port->ops->clock(port, &b.in, &b.out);
  sm_mem_tick(b.m, &b.in);
  b.now++;
}

/* Runs a workload to its end. */
static inline void run(struct hd_config c, struct wl_source *source) {
  assert_int_equal(begin(c, source, NULL), HD_OK);
  while (!hd_sm_done(b.sm))
    cycle();
  assert_int_equal(hd_sm_stats(b.sm)->cycles, b.now);
  assert_int_equal(hd_sm_stats(b.sm)->instructions, b.n);
}

/* Returns the cycles from the first instruction to instruction i. */
static inline uint64_t after(unsigned i) {
  return b.issue[i].at - b.issue[0].at;
}
