/* D-MIX-2: with its run-time enable low from reset on, a mechanism behaves as if it were absent: the SM and the memory see the same
 * in every cycle. Two machines run side by side, each with its own SM. L2 slices: test_enable_slice.c. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/memory/memory.h"
#include "cmodel/model/models.h"
#include "cmodel/sm/grid.h"
#include "cmodel/sm/sm.h"
#include "workloads/workloads.h"

enum { SHOWN = 128 };
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
  unsigned n_shown;
  struct {
    const uint64_t *out, *reg;
  } shown[SHOWN];
};

/* ---- SHOW rows: an output, and the register that it shows ---- */

/* Returns the row of a register or of a memory's column. An output may have the same name. */
static const struct hd_row *row_named(const struct hd_decl *d, const char *name) {
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls >= HD_REG && !strcmp(d->rows[i].name, name))
      return &d->rows[i];
  return NULL;
}

/* Returns the model's value of what a row shows: a register, a field of one, or the data that a memory returned. */
static const uint64_t *shown_by(const struct hd_decl *d, const struct hd_row *row, char *inner) {
  const char *const dot = row->bundle ? strchr(row->name, '.') : "";
  char *const st = inner + d->st_offset, name[100];
  snprintf(name, sizeof name, "%s%s", row->shows, dot);
  const struct hd_row *reg = row_named(d, name);
  if (reg)
    return hd_elem(d, reg, st, 0, 0);
  for (size_t i = 0; i < d->n_mems; i++) {
    const struct hd_mem *mem = &d->mems[i];
    snprintf(name, sizeof name, "%s_q", mem->name);
    if (strncmp(row->shows, name, strlen(name)) != 0)
      continue;
    if (!mem->bundle)
      return *(uint64_t **)(void *)(st + mem->q_offset);
    snprintf(name, sizeof name, "%s%s", mem->name, dot);
    return (uint64_t *)(void *)(st + mem->q_offset + row_named(d, name)->field);
  }
  /* A register that this machine's Verilog lacks. The model always has it. */
  static const struct hd_config none;
  static struct hd_design *every;
  if (!every)
    every = hd_design_all(&none);
  const struct hd_decl *whole = hd_design_find(every, d->module);
  reg = row_named(whole, row->shows);
  if (!reg)
    fail_msg("%s.%s shows %s, which is no register", d->module, row->name, row->shows);
  return hd_elem(whole, reg, st, 0, 0);
}

static void find_shown(struct machine *k) {
  k->n_shown = 0;
  for (size_t i = 0; i < k->decl->n_insts; i++) {
    const struct hd_inst *inst = &k->decl->insts[i];
    char *const m = (char *)k->m, *inner = *(char **)(void *)(m + inst->offset);
    for (size_t r = 0; r < inst->decl->n_rows; r++) {
      const struct hd_row *row = &inst->decl->rows[r];
      if (!row->shows || strchr(row->shows, '(')) /* a function of the golden model */
        continue;
      assert_true(k->n_shown < SHOWN && row->cls == HD_OUT);
      k->shown[k->n_shown].out = hd_elem(inst->decl, row, m + inst->out_offset, 0, 0);
      k->shown[k->n_shown++].reg = shown_by(inst->decl, row, inner);
    }
  }
  assert_true(k->n_shown >= 15);
}

static void assert_shown(const struct machine *k) {
  for (unsigned i = 0; i < k->n_shown; i++)
    if (*k->shown[i].out != *k->shown[i].reg) /* an assert per row would take a third of the time */
      fail_msg("output %u of those that show: %" PRIu64 ", its register %" PRIu64, i, *k->shown[i].out,
               *k->shown[i].reg);
}

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
  find_shown(k);
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
  assert_shown(k);
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

/* Returns the number of loads that the L1D answered, so that a test can check that the compare was meaningful. */
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

static const char *const workloads[] = {"random:seed=7,ctas=12,warps=4,insts=8", "bfs:tiny", "srad2:tiny",
                                        "random:seed=7,ctas=12,warps=4,insts=30"};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

/* The workload after w: the first runs, then one of the next two in turn; with EVERY=1, as in tests/every/long, all run. */
static unsigned next(unsigned i, unsigned w) {
  return getenv("EVERY") ? w + 1 : w ? WORKLOADS : 1 + i % 2;
}

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
    for (unsigned w = 0; w < WORKLOADS; w = next(i, w)) {
      struct machine a = {.c = config(cases[i].without)}, b = {.c = config(cases[i].with)};
      if (a.c.scheduler.policy == HD_LAWS)
        a.c.prefetch.kind = HD_PF_OFF;
      b.c.prefetch.kind = cases[i].kind;
      b.c.laws.enable = cases[i].laws;
      b.c.prefetch.enable = cases[i].prefetch;
      assert_true(run_both(&a, &b, workloads[w]) > 1000);
    }
}

static const char *const selective[WORKLOADS] = {"random:seed=7,ctas=6,warps=4,insts=12", "bfs:tiny",
                                                 "nw:tiny", "random:seed=7,ctas=6,warps=4,insts=50"};

/* CASC, the reuse-frequency table and MemSched, each alone and beside another one that stays on. */
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
    for (unsigned w = 0; w < WORKLOADS; w = next(i, w)) {
      struct machine a = {.c = config(cases[i].without)}, b = {.c = config(cases[i].with)};
      b.c.casc.enable = cases[i].casc;
      b.c.rft.enable = cases[i].rft;
      b.c.request_buffer.enable = cases[i].memsched;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* APCM on machines with and without other mechanisms that choose what is cached, and with a warp limit. Compared with the same
 * machine without APCM. */
static void apcm_disabled_is_absent(void **state) {
  (void)state;
  static const struct {
    const char *path;
    enum hd_apcm manage;
    unsigned limit;
    enum hd_seen seen;
    enum hd_full_set full_set;
  } cases[] = {
      {.path = "configs/apcm.yaml", .manage = HD_APCM_BYPASS},
      {.path = "configs/apcm.yaml", .manage = HD_APCM_PROTECT},
      {.path = "configs/apcm.yaml", .manage = HD_APCM_BOTH},
      {.path = "configs/apcm_kepler.yaml", .manage = HD_APCM_BOTH},
      {.path = "configs/fermi_16k_gto.yaml", .manage = HD_APCM_BOTH, .limit = 2},
      {.path = "configs/mrpb.yaml", .manage = HD_APCM_BOTH},
      {.path = "configs/apres.yaml", .manage = HD_APCM_BOTH},
      {.path = "configs/lasc_casc.yaml", .manage = HD_APCM_BOTH},
      {.path = "configs/memsched_casc.yaml", .manage = HD_APCM_PROTECT},
      {.path = "configs/apcm.yaml", .manage = HD_APCM_BOTH, .seen = HD_SEEN_OTHERS},
      {.path = "configs/apcm.yaml", .manage = HD_APCM_BOTH, .full_set = HD_FULL_ANY},
      {.path = "configs/lasc_casc.yaml",
       .manage = HD_APCM_BOTH,
       .seen = HD_SEEN_OTHERS,
       .full_set = HD_FULL_ANY},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned w = 0; w < WORKLOADS; w = next(i, w)) {
      struct machine a = {.c = config(cases[i].path)}, b = {.c = a.c};
      a.c.prefetch.kind = b.c.prefetch.kind = HD_PF_OFF;
      a.c.apcm.manage = HD_APCM_OFF;
      b.c.apcm.manage = cases[i].manage;
      b.c.apcm.seen = cases[i].seen;
      b.c.apcm.full_set = cases[i].full_set;
      a.c.scheduler.limit = b.c.scheduler.limit = cases[i].limit;
      b.c.apcm.enable = false;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* CCWS beside each scheduler and buffer, and beside the other mechanisms that hear of loads. */
static void ccws_disabled_is_absent(void **state) {
  (void)state;
  static const char *const paths[] = {
      "configs/ccws.yaml", "configs/fermi_16k.yaml", "configs/mrpb.yaml",    "configs/apres.yaml",
      "configs/apcm.yaml", "configs/lasc_casc.yaml", "configs/memsched.yaml"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    for (unsigned w = 0; w < WORKLOADS; w = next(i, w)) {
      struct machine a = {.c = config(paths[i])}, b = {.c = a.c};
      a.c.ccws.throttle = HD_CCWS_OFF;
      b.c.ccws.throttle = HD_CCWS_ON;
      b.c.ccws.enable = false;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* MASCAR, whole and each part alone, beside each scheduler. The queue is compared with the single slot. */
static void mascar_disabled_is_absent(void **state) {
  (void)state;
  static const char *const paths[] = {"configs/fermi_16k_gto.yaml", "configs/apres.yaml", "configs/apcm.yaml",
                                      "configs/lasc_casc.yaml", "configs/ccws.yaml"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    for (unsigned w = 0; w < WORKLOADS; w = next(i, w)) {
      struct machine a = {.c = config(paths[i])}, b = {.c = a.c};
      if (i != 1)
        b.c.mascar.priority = HD_MASCAR_ON;
      if (i != 2)
        b.c.request_buffer.kind = HD_REEXEC;
      b.c.mascar.enable = b.c.request_buffer.enable = false;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* MRPB's queues and stall bypass, compared with the single slot and loads that wait. With each signature, with and without flush,
 * and beside the other mechanisms that buffers see. */
static void mrpb_disabled_is_absent(void **state) {
  (void)state;
  static const struct {
    const char *path;
    enum hd_signature signature;
    bool keeps_stores;
    enum hd_bypass bypass;
  } cases[] = {{"configs/mrpb.yaml", HD_SIG_WARP, false, HD_BYPASS_ASSOC},
               {"configs/mrpb.yaml", HD_SIG_BLOCK, false, HD_BYPASS_ALL},
               {"configs/mrpb.yaml", HD_SIG_IN_BLOCK, false, HD_BYPASS_OFF},
               {"configs/mrpb.yaml", HD_SIG_WARP, true, HD_BYPASS_ALL},
               {"configs/fermi_16k_hash.yaml", HD_SIG_WARP, false, HD_BYPASS_ASSOC},
               {"configs/lasc_casc.yaml", HD_SIG_WARP, false, HD_BYPASS_ALL},
               {"configs/apcm.yaml", HD_SIG_WARP, false, HD_BYPASS_ASSOC},
               {"configs/apres.yaml", HD_SIG_BLOCK, false, HD_BYPASS_ASSOC}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned w = 0; w < WORKLOADS; w = next(i, w)) {
      struct machine a = {.c = config(cases[i].path)}, b = {.c = a.c};
      a.c.request_buffer.kind = HD_SLOT;
      a.c.request_buffer.bypass = HD_BYPASS_OFF;
      b.c.request_buffer.kind = HD_MRPB;
      b.c.request_buffer.bypass = cases[i].bypass;
      b.c.request_buffer.signature = cases[i].signature;
      b.c.request_buffer.flush = !cases[i].keeps_stores;
      b.c.request_buffer.enable = false;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* LoSCache beside each buffer and scheduler, and beside the other mechanisms that use program counters and exits. */
static void los_disabled_is_absent(void **state) {
  (void)state;
  static const char *const paths[] = {
      "configs/fermi_16k.yaml", "configs/loscache.yaml",  "configs/mrpb.yaml",    "configs/apres.yaml",
      "configs/apcm.yaml",      "configs/lasc_casc.yaml", "configs/memsched.yaml"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    for (unsigned w = 0; w < WORKLOADS; w = next(i, w)) {
      struct machine a = {.c = config(paths[i])}, b = {.c = a.c};
      a.c.memory.kind = b.c.memory.kind = HD_MEM_L2;
      a.c.loscache.gate = HD_GATE_OFF;
      b.c.loscache.gate = w % 2 ? HD_GATE_NAIVE : HD_GATE_ADAPTIVE;
      b.c.loscache.enable = false;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* Both forms of the tags that MemSched's probe units read. */
static void tag_copies_are_flip_flops(void **state) {
  (void)state;
  for (unsigned w = 0; w < WORKLOADS; w = next(0, w)) {
    struct machine a = {.c = config("configs/memsched.yaml")}, b = {.c = a.c};
    b.c.request_buffer.tags = HD_PTAGS_FF;
    assert_true(run_both(&a, &b, selective[w]) > 1000);
  }
}

/* Both forms of the scheduling queue give the same at all ports of the SM's memory path. */
static void list_is_matrix(void **state) {
  (void)state;
  for (unsigned w = 0; w < WORKLOADS; w = next(0, w)) {
    struct machine a = {.c = config("configs/apres.yaml")}, b = {.c = a.c};
    b.c.laws.queue = HD_LIST;
    assert_true(run_both(&a, &b, workloads[w]) > 1000);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(disabled_is_absent),        cmocka_unit_test(choo_disabled_is_absent),
      cmocka_unit_test(apcm_disabled_is_absent),   cmocka_unit_test(list_is_matrix),
      cmocka_unit_test(tag_copies_are_flip_flops), cmocka_unit_test(ccws_disabled_is_absent),
      cmocka_unit_test(mascar_disabled_is_absent), cmocka_unit_test(los_disabled_is_absent),
      cmocka_unit_test(mrpb_disabled_is_absent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
