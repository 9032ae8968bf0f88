/* D-MIX-2: with its run-time enable low from reset on, a mechanism is as if it had been left out: what the SM and the
 * memory see is the same in every cycle. Two machines run side by side, each around its own SM on the same workload. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmodel/grid.h"
#include "cmodel/memory.h"
#include "cmodel/models.h"
#include "cmodel/sm.h"
#include "workloads/workloads.h"

struct machine {
  struct hd_config c;
  struct hd_design *design;
  const struct hd_decl *decl;
  struct wl_source *source;
  struct hd_grid *grid;
  struct hd_memory *memory;
  struct hd_port *port;
  struct hd_sm *sm;
  struct sm_mem *m;
  struct sm_mem_in in;
  struct sm_mem_out out;
};

static void open_machine(struct machine *k, const char *workload) {
  char err[256];
  struct hd_why why;
  assert_int_equal(hd_config_check(&k->c, NULL, NULL, stderr), 0);
  k->design = hd_design_new(&k->c);
  k->decl = hd_design_find(k->design, "sm_mem");
  k->source = wl_open(workload, err, sizeof err);
  assert_non_null(k->source);
  assert_int_equal(hd_grid_new(&k->c, k->source, &k->grid, &why), HD_OK);
  k->memory = hd_memory_new(&k->c, &(struct hd_memory_options){0});
  k->port = hd_memory_port(k->memory);
  k->m = hd_model_new(k->design, "sm_mem", false, NULL);
  assert_true(hd_alloc_in(k->decl, &k->in) && hd_alloc_out(k->decl, &k->out));
  k->sm = hd_sm_new(&k->c, k->grid, &(struct hd_sm_options){0}, NULL);
  assert_non_null(k->sm);
}

static void close_machine(struct machine *k) {
  hd_sm_free(k->sm);
  hd_grid_free(k->grid);
  k->port->ops->free(k->port);
  k->source->ops->close(k->source);
  hd_model_free(k->m);
  hd_free_in(k->decl, &k->in);
  hd_free_out(k->decl, &k->out);
  hd_design_free(k->design);
}

static void cycle(struct machine *k) {
  sm_mem_moore(k->m, &k->out);
  hd_sm_drive(k->sm, &k->out, &k->in);
  k->port->ops->drive(k->port, &k->in);
  sm_mem_mealy(k->m, &k->in, &k->out);
  hd_sm_clock(k->sm, &k->in, &k->out);
  k->port->ops->clock(k->port, &k->in, &k->out);
  sm_mem_tick(k->m, &k->in);
}

static void assert_ports_equal(const struct machine *a, const struct machine *b) {
  const struct sm_mem_out *x = &a->out, *y = &b->out;
  for (unsigned s = 0; s < a->c.sm.schedulers; s++) {
    assert_int_equal(x->pick_valid[s], y->pick_valid[s]);
    assert_int_equal(x->pick_wid[s], y->pick_wid[s]);
  }
  assert_int_equal(x->issue_ready, y->issue_ready);
  assert_int_equal(x->busy, y->busy);
  assert_int_equal(x->st_valid, y->st_valid);
  assert_int_equal(x->mrsp_ready, y->mrsp_ready);
  assert_int_equal(x->resp_valid, y->resp_valid);
  if (x->resp_valid)
    assert_memory_equal(&x->resp, &y->resp, sizeof x->resp);
  assert_int_equal(x->mreq_valid, y->mreq_valid);
  if (x->mreq_valid)
    assert_memory_equal(&x->mreq, &y->mreq, sizeof x->mreq);
}

/* Answers the L1D's loads, so that a test can tell that there was something to compare. */
static uint64_t run_both(struct machine *a, struct machine *b, const char *workload) {
  open_machine(a, workload);
  open_machine(b, workload);
  for (uint64_t now = 0; !hd_sm_done(a->sm); now++) {
    assert_true(now < 3000000);
    cycle(a);
    cycle(b);
    assert_ports_equal(a, b);
  }
  assert_true(hd_sm_done(b->sm));
  const uint64_t loads = hd_sm_stats(a->sm)->load_requests;
  close_machine(a);
  close_machine(b);
  return loads;
}

static struct hd_config config(const char *path) {
  struct hd_config c;
  assert_int_equal(hd_config_load(&c, path, stderr), 0);
  return c;
}

static const char *const workloads[] = {"random:seed=7,ctas=12,warps=4,insts=400", "bfs:tiny", "srad2:tiny"};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

static void disabled_is_absent(void **state) {
  (void)state;
  static const struct {
    const char *without, *with;
    bool laws, prefetch; /* enabled */
    enum hd_prefetch kind;
  } cases[] = {
      {"configs/apres_32k.yaml", "configs/apres.yaml", false, false, HD_PF_SAP},
      {"configs/apres_32k.yaml", "configs/apres.yaml", false, true, HD_PF_SAP}, /* no group, no prefetch */
      {"configs/apres_32k.yaml", "configs/apres.yaml", false, false, HD_PF_OFF},
      {"configs/apres_32k.yaml", "configs/apres.yaml", false, false, HD_PF_STR},
      {"configs/apres.yaml", "configs/apres.yaml", true, false, HD_PF_SAP}, /* against LAWS alone */
      {"configs/apres.yaml", "configs/apres.yaml", true, false, HD_PF_STR},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned w = 0; w < WORKLOADS; w++) {
      struct machine a = {.c = config(cases[i].without)}, b = {.c = config(cases[i].with)};
      if (a.c.scheduler.policy == HD_LAWS)
        a.c.prefetch.kind = HD_PF_OFF;
      b.c.prefetch.kind = cases[i].kind;
      b.c.laws.enable = cases[i].laws;
      b.c.prefetch.enable = cases[i].prefetch;
      assert_true(run_both(&a, &b, workloads[w]) > 1000);
    }
}

static const char *const selective[] = {"random:seed=7,ctas=6,warps=4,insts=100", "bfs:tiny", "nw:tiny"};

/* CASC, the reuse-frequency table and MemSched, each alone and with another that stays on. */
static void choo_disabled_is_absent(void **state) {
  (void)state;
  static const struct {
    const char *without, *with;
    bool casc, rft, memsched; /* enabled */
  } cases[] = {
      {"configs/fermi_16k_gto.yaml", "configs/casc_per_set.yaml", false, false, false},
      {"configs/fermi_16k_gto.yaml", "configs/casc.yaml", false, false, false},
      {"configs/fermi_16k_gto.yaml", "configs/lasc.yaml", false, false, false},
      {"configs/fermi_16k_gto.yaml", "configs/lasc_casc.yaml", false, false, false},
      {"configs/casc.yaml", "configs/lasc_casc.yaml", true, false, false},
      {"configs/lasc.yaml", "configs/lasc_casc.yaml", false, true, false},
      {"configs/fermi_16k_gto.yaml", "configs/memsched.yaml", false, false, false},
      {"configs/casc.yaml", "configs/memsched_casc.yaml", true, false, false},
      {"configs/fermi_16k_gto.yaml", "configs/memsched_casc.yaml", false, false, false},
      {"configs/memsched.yaml", "configs/memsched_casc.yaml", false, false, true},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned w = 0; w < sizeof selective / sizeof *selective; w++) {
      struct machine a = {.c = config(cases[i].without)}, b = {.c = config(cases[i].with)};
      b.c.casc.enable = cases[i].casc;
      b.c.rft.enable = cases[i].rft;
      b.c.request_buffer.enable = cases[i].memsched;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* APCM on machines with and without what else chooses what is cached, and with a limit on the warps; against the same
 * machine without it. */
static void apcm_disabled_is_absent(void **state) {
  (void)state;
  static const struct {
    const char *path;
    enum hd_apcm manage;
    unsigned limit;
  } cases[] = {
      {"configs/apcm.yaml", HD_APCM_BYPASS, 0},
      {"configs/apcm.yaml", HD_APCM_PROTECT, 0},
      {"configs/apcm.yaml", HD_APCM_BOTH, 0},
      {"configs/apcm_kepler.yaml", HD_APCM_BOTH, 0},
      {"configs/fermi_16k_gto.yaml", HD_APCM_BOTH, 2},
      {"configs/mrpb.yaml", HD_APCM_BOTH, 0},
      {"configs/apres.yaml", HD_APCM_BOTH, 0},
      {"configs/lasc_casc.yaml", HD_APCM_BOTH, 0},
      {"configs/memsched_casc.yaml", HD_APCM_PROTECT, 0},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned w = 0; w < sizeof selective / sizeof *selective; w++) {
      struct machine a = {.c = config(cases[i].path)}, b = {.c = a.c};
      a.c.prefetch.kind = b.c.prefetch.kind = HD_PF_OFF;
      a.c.apcm.manage = HD_APCM_OFF;
      b.c.apcm.manage = cases[i].manage;
      a.c.scheduler.limit = b.c.scheduler.limit = cases[i].limit;
      b.c.apcm.enable = false;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* Both forms of the tags that MemSched's probe units read. */
static void tag_copies_are_flip_flops(void **state) {
  (void)state;
  for (unsigned w = 0; w < sizeof selective / sizeof *selective; w++) {
    struct machine a = {.c = config("configs/memsched.yaml")}, b = {.c = a.c};
    b.c.request_buffer.tags = HD_PTAGS_FF;
    assert_true(run_both(&a, &b, selective[w]) > 1000);
  }
}

/* Both forms of the scheduling queue show the same at all ports of the SM's memory path. */
static void list_is_matrix(void **state) {
  (void)state;
  for (unsigned w = 0; w < WORKLOADS; w++) {
    struct machine a = {.c = config("configs/apres.yaml")}, b = {.c = a.c};
    b.c.laws.queue = HD_LIST;
    assert_true(run_both(&a, &b, workloads[w]) > 1000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(disabled_is_absent),        cmocka_unit_test(choo_disabled_is_absent),
      cmocka_unit_test(apcm_disabled_is_absent),   cmocka_unit_test(list_is_matrix),
      cmocka_unit_test(tag_copies_are_flip_flops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
