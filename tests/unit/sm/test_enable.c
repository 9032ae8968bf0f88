/* D-MIX-2: with its run-time enable low from reset on, a mechanism is as if it had been left out: what the SM and the
 * memory see is the same in every cycle. Two machines run side by side, each around its own SM on the same workload; two
 * L2 slices with the same inputs. Over 400 lines: all mechanisms go through the same pair of machines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/memory/memory.h"
#include "cmodel/model/models.h"
#include "cmodel/sm/grid.h"
#include "cmodel/sm/sm.h"
#include "workloads/rng.h"
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

/* ---- What SHOW rows say: an output, and the register that it shows ---- */

/* A register, or a column of a memory; an output may have the same name. */
static const struct hd_row *row_named(const struct hd_decl *d, const char *name) {
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls >= HD_REG && !strcmp(d->rows[i].name, name))
      return &d->rows[i];
  return NULL;
}

/* The value in a model of what a row shows: a register, a field of one, or what a memory gave. */
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
  /* One that this machine's Verilog does without: the model has it in any case. */
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
      if (!row->shows || strchr(row->shows, '(')) /* a function of the golden model's own */
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
    assert_int_equal(*k->shown[i].out, *k->shown[i].reg);
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

static const char *const workloads[] = {"random:seed=7,ctas=12,warps=4,insts=150", "bfs:tiny", "srad2:tiny"};
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

static const char *const selective[] = {"random:seed=7,ctas=6,warps=4,insts=50", "bfs:tiny", "nw:tiny"};

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
    for (unsigned w = 0; w < sizeof selective / sizeof *selective; w++) {
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

/* CCWS beside each scheduler and buffer, and beside what else is told of loads. */
static void ccws_disabled_is_absent(void **state) {
  (void)state;
  static const char *const paths[] = {
      "configs/ccws.yaml", "configs/fermi_16k.yaml", "configs/mrpb.yaml",    "configs/apres.yaml",
      "configs/apcm.yaml", "configs/lasc_casc.yaml", "configs/memsched.yaml"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    for (unsigned w = 0; w < sizeof selective / sizeof *selective; w++) {
      struct machine a = {.c = config(paths[i])}, b = {.c = a.c};
      a.c.ccws.throttle = HD_CCWS_OFF;
      b.c.ccws.throttle = HD_CCWS_ON;
      b.c.ccws.enable = false;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* MASCAR, both of it and each alone, beside each scheduler; the queue against the one slot. */
static void mascar_disabled_is_absent(void **state) {
  (void)state;
  static const char *const paths[] = {"configs/fermi_16k_gto.yaml", "configs/apres.yaml", "configs/apcm.yaml",
                                      "configs/lasc_casc.yaml", "configs/ccws.yaml"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    for (unsigned w = 0; w < sizeof selective / sizeof *selective; w++) {
      struct machine a = {.c = config(paths[i])}, b = {.c = a.c};
      if (i != 1)
        b.c.mascar.priority = HD_MASCAR_ON;
      if (i != 2)
        b.c.request_buffer.kind = HD_REEXEC;
      b.c.mascar.enable = b.c.request_buffer.enable = false;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* MRPB's queues against the one slot, with each signature, with and without flush, and beside what else buffers see. The stall
 * bypass, a key of its own, is in both (D-MRPB-9). */
static void mrpb_disabled_is_absent(void **state) {
  (void)state;
  static const struct {
    const char *path;
    enum hd_signature signature;
    bool keeps_stores;
  } cases[] = {
      {"configs/mrpb.yaml", HD_SIG_WARP, false},           {"configs/mrpb.yaml", HD_SIG_BLOCK, false},
      {"configs/mrpb.yaml", HD_SIG_IN_BLOCK, false},       {"configs/mrpb.yaml", HD_SIG_WARP, true},
      {"configs/fermi_16k_hash.yaml", HD_SIG_WARP, false}, {"configs/lasc_casc.yaml", HD_SIG_WARP, false},
      {"configs/apres.yaml", HD_SIG_BLOCK, false}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned w = 0; w < sizeof selective / sizeof *selective; w++) {
      struct machine a = {.c = config(cases[i].path)}, b = {.c = a.c};
      a.c.request_buffer.kind = HD_SLOT;
      b.c.request_buffer.kind = HD_MRPB;
      b.c.request_buffer.signature = cases[i].signature;
      b.c.request_buffer.flush = !cases[i].keeps_stores;
      b.c.request_buffer.enable = false;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* LoSCache beside each buffer and scheduler, and beside what else goes by program counters and exits. */
static void los_disabled_is_absent(void **state) {
  (void)state;
  static const char *const paths[] = {
      "configs/fermi_16k.yaml", "configs/loscache.yaml",  "configs/mrpb.yaml",    "configs/apres.yaml",
      "configs/apcm.yaml",      "configs/lasc_casc.yaml", "configs/memsched.yaml"};
  for (unsigned i = 0; i < sizeof paths / sizeof *paths; i++)
    for (unsigned w = 0; w < sizeof selective / sizeof *selective; w++) {
      struct machine a = {.c = config(paths[i])}, b = {.c = a.c};
      a.c.memory.kind = b.c.memory.kind = HD_MEM_L2;
      a.c.loscache.gate = HD_GATE_OFF;
      b.c.loscache.gate = w % 2 ? HD_GATE_NAIVE : HD_GATE_ADAPTIVE;
      b.c.loscache.enable = false;
      assert_true(run_both(&a, &b, selective[w]) > 1000);
    }
}

/* An L2 slice. */
struct slice {
  struct hd_config c;
  struct hd_design *design;
  const struct hd_decl *decl;
  struct l2_top *m;
  struct l2_top_in in;
  struct l2_top_out out;
};

static void open_slice(struct slice *s) {
  assert_int_equal(hd_config_check(&s->c, NULL, NULL, stderr), 0);
  s->design = hd_design_new(&s->c);
  s->decl = hd_design_find(s->design, "l2_top");
  s->m = hd_model_new(s->design, "l2_top", true, NULL);
  assert_true(s->m && hd_alloc_in(s->decl, &s->in) && hd_alloc_out(s->decl, &s->out));
}

static void close_slice(struct slice *s) {
  hd_model_free(s->m);
  hd_free_in(s->decl, &s->in);
  hd_free_out(s->decl, &s->out);
  hd_design_free(s->design);
}

static void assert_slices_equal(const struct slice *a, const struct slice *b) {
  const struct l2_top_out *x = &a->out, *y = &b->out;
  const size_t line = a->c.d.WORDS * sizeof *x->rsp_data;
  assert_int_equal(x->req_ready, y->req_ready);
  assert_int_equal(x->fill_ready, y->fill_ready);
  assert_int_equal(x->rsp_valid, y->rsp_valid);
  if (x->rsp_valid) {
    assert_memory_equal(&x->rsp, &y->rsp, sizeof x->rsp);
    assert_memory_equal(x->rsp_data, y->rsp_data, line);
  }
  assert_int_equal(x->out_valid, y->out_valid);
  if (x->out_valid) {
    assert_memory_equal(&x->out, &y->out, sizeof x->out);
    if (x->out.write)
      assert_memory_equal(x->out_data, y->out_data, line);
  }
}

enum { IN_FLIGHT = 64, SLICE_CYCLES = 60000 };

/* Who asks both slices, and the memory behind them. */
struct traffic {
  struct wl_rng rng;
  uint64_t read[IN_FLIGHT];    /* MSHRs whose lines are to come */
  unsigned n, ask, take, fill; /* in eighths */
  bool asking, filling;
};

static bool eighths(struct traffic *t, unsigned n) {
  return wl_rng_below(&t->rng, 8) < n;
}

static void draw_words(struct traffic *t, uint64_t *word, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    word[i] = wl_rng_next(&t->rng);
}

/* Few lines of few sets, with predictions that would end most of them soon. */
static void draw_request(struct traffic *t, struct slice *s) {
  const struct hd_derived *d = &s->c.d;
  struct l2req *q = &s->in.req;
  *q = (struct l2req){.sm = d->SM_W ? wl_rng_below(&t->rng, d->SMS) : 0,
                      .kind = wl_rng_below(&t->rng, 3),
                      .line = wl_rng_below(&t->rng, 3 * d->L2_WAYS) << d->L2_SET_W | wl_rng_below(&t->rng, 2),
                      .wid = wl_rng_below(&t->rng, d->WARPS)};
  if (d->LOS) {
    q->pe = wl_rng_below(&t->rng, d->LPT + 1);
    q->pred = q->pe ? wl_rng_below(&t->rng, 4) : 0;
  }
  draw_words(t, s->in.req_wdata, d->WORDS);
  const bool full = wl_rng_below(&t->rng, 2);
  for (unsigned i = 0; i < d->WORDS; i++)
    s->in.req_wmask[i] = full ? 0xff : wl_rng_next(&t->rng) & 0xff;
  q->full = d->LOS && q->kind == HD_STORE && full;
}

/* The inputs of the slice that takes predictions. */
static void drive_slice(struct traffic *t, struct slice *s) {
  if (!wl_rng_below(&t->rng, 256)) {
    t->ask = 1 + wl_rng_below(&t->rng, 8);
    t->take = 1 + wl_rng_below(&t->rng, 8);
    t->fill = 1 + wl_rng_below(&t->rng, 8);
  }
  if (!t->asking && (t->asking = eighths(t, t->ask)))
    draw_request(t, s);
  if (!t->filling && t->n && (t->filling = eighths(t, t->fill))) {
    const unsigned some = wl_rng_below(&t->rng, t->n);
    s->in.fill_id = t->read[some];
    t->read[some] = t->read[--t->n];
    draw_words(t, s->in.fill_data, s->c.d.WORDS);
  }
  s->in.req_valid = t->asking;
  s->in.fill_valid = t->filling;
  s->in.rsp_ready = eighths(t, t->take);
  s->in.out_ready = eighths(t, t->take);
}

/* The same for the plain one, which has no predictions. */
static void drive_plain(const struct slice *from, struct slice *to) {
  const size_t line = to->c.d.WORDS * sizeof *to->in.req_wdata;
  to->in.req_valid = from->in.req_valid;
  to->in.req = from->in.req;
  to->in.req.pe = to->in.req.pred = to->in.req.full = 0;
  memcpy(to->in.req_wdata, from->in.req_wdata, line);
  memcpy(to->in.req_wmask, from->in.req_wmask, line);
  to->in.fill_valid = from->in.fill_valid;
  to->in.fill_id = from->in.fill_id;
  memcpy(to->in.fill_data, from->in.fill_data, line);
  to->in.rsp_ready = from->in.rsp_ready;
  to->in.out_ready = from->in.out_ready;
}

/* Returns the answers that were taken. LoSCache's slice says the entry of the request besides. */
static unsigned run_slices(struct slice *plain, struct slice *los, uint64_t seed) {
  struct traffic t = {.rng.state = seed, .ask = 4, .take = 4, .fill = 4};
  unsigned answers = 0;
  open_slice(plain);
  open_slice(los);
  for (unsigned now = 0; now < SLICE_CYCLES; now++) {
    l2_top_moore(plain->m, &plain->out);
    l2_top_moore(los->m, &los->out);
    los->out.rsp.pe = 0;
    assert_slices_equal(plain, los);
    drive_slice(&t, los);
    drive_plain(los, plain);
    if (los->in.out_ready && los->out.out_valid && !los->out.out.write) {
      assert_true(t.n < IN_FLIGHT);
      t.read[t.n++] = los->out.out.id;
    }
    t.asking = t.asking && !los->out.req_ready;
    t.filling = t.filling && !los->out.fill_ready;
    answers += los->out.rsp_valid && los->in.rsp_ready;
    l2_top_mealy(plain->m, &plain->in, &plain->out);
    l2_top_mealy(los->m, &los->in, &los->out);
    l2_top_tick(plain->m, &plain->in);
    l2_top_tick(los->m, &los->in);
  }
  close_slice(plain);
  close_slice(los);
  return answers;
}

static void los_disabled_slice_is_plain(void **state) {
  (void)state;
  static const struct {
    unsigned sets, ways, mshrs, merge, queue, sms;
  } cases[] = {{64, 16, 32, 4, 8, 1}, {2, 1, 2, 1, 2, 1}, {4, 3, 5, 2, 3, 3}, {16, 32, 64, 8, 16, 15}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned naive = 0; naive < 2; naive++) {
      struct slice a = {.c = config("configs/loscache.yaml")};
      a.c.gpu.sms = cases[i].sms;
      a.c.gpu.dispatch_latency = 2;
      a.c.l2.sets = cases[i].sets;
      a.c.l2.ways = cases[i].ways;
      a.c.l2.mshrs = cases[i].mshrs;
      a.c.l2.mshr_merge = cases[i].merge;
      a.c.l2.queue = cases[i].queue;
      struct slice b = {.c = a.c};
      a.c.loscache.gate = HD_GATE_OFF;
      b.c.loscache.gate = naive ? HD_GATE_NAIVE : HD_GATE_ADAPTIVE;
      assert_in_range(run_slices(&a, &b, 1 + i), 1000, SLICE_CYCLES);
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
      cmocka_unit_test(disabled_is_absent),          cmocka_unit_test(choo_disabled_is_absent),
      cmocka_unit_test(apcm_disabled_is_absent),     cmocka_unit_test(list_is_matrix),
      cmocka_unit_test(tag_copies_are_flip_flops),   cmocka_unit_test(ccws_disabled_is_absent),
      cmocka_unit_test(mascar_disabled_is_absent),   cmocka_unit_test(los_disabled_is_absent),
      cmocka_unit_test(los_disabled_slice_is_plain), cmocka_unit_test(mrpb_disabled_is_absent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
