/* Whole GPUs: CTAs go to SMs, SMs and memory run in separate windows, idle stretches are skipped. Rules: docs/gpu.md. */
#include "tests/unit/sm/sm_rig.h"

#include "cmodel/gpu/sim.h"
#include "workloads/workloads.h"

/* ---- The dispatcher ---- */

enum { SMS = 3, CTAS = 14 };

/* Where each CTA ran: recorded by a watch on the cores, while an SM runs without memory instructions. */
static struct {
  struct hd_grid *grid;
  struct hd_sm *sm[SMS];
  unsigned n;
  struct {
    unsigned sm, cta;
  } start[CTAS];
} g;

static void on_cta_of(unsigned sm, uint32_t cta) {
  assert_true(g.n < CTAS);
  g.start[g.n].sm = sm;
  g.start[g.n++].cta = cta;
}
static void start0(void *ctx, unsigned slot, uint32_t cta) {
  (void)ctx, (void)slot;
  on_cta_of(0, cta);
}
static void start1(void *ctx, unsigned slot, uint32_t cta) {
  (void)ctx, (void)slot;
  on_cta_of(1, cta);
}
static void start2(void *ctx, unsigned slot, uint32_t cta) {
  (void)ctx, (void)slot;
  on_cta_of(2, cta);
}

/* CTA c computes for 10 * (c + 1) cycles. */
static struct wl_inst longer(uint32_t cta, uint32_t warp, uint32_t n) {
  (void)warp;
  return n <= cta ? plain(WL_ALU, 0, R0) : leave();
}

/* Does the part of the schedulers, which is all that these SMs need: picks the lowest ready warp. */
static void run_alone(struct hd_sm *sm, struct sm_mem_in *in, struct sm_mem_out *out, uint64_t cycles) {
  for (; cycles && !hd_sm_done(sm); cycles--) {
    hd_sm_drive(sm, out, in);
    out->pick_valid[0] = in->ready != 0;
    out->pick_wid[0] = in->ready ? (uint64_t)__builtin_ctzll(in->ready) : 0;
    hd_sm_clock(sm, in, out);
  }
}

/* This many SMs join. They do nothing. */
static void begin_nothing(struct hd_sm *sm) {
  (void)sm;
}
static void give_nothing(struct hd_sm *sm, uint32_t cta, uint64_t at) {
  (void)sm;
  (void)cta;
  (void)at;
}
static void grid_of_none(struct hd_grid *grid, unsigned sms) {
  for (unsigned i = 0; i < sms; i++)
    hd_grid_join(grid, &(struct hd_grid_sm){NULL, begin_nothing, give_nothing});
}

static void ctas_go_round(void **state) {
  (void)state;
  struct hd_config c = defaults();
  c.gpu.sms = SMS;
  c.gpu.dispatch_latency = 9;
  c.sm.schedulers = 1;
  c.sm.ctas = 2;
  c.sm.alu_latency = 10;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  const struct hd_decl *decl = hd_design_find(design, "sm_mem");
  struct sm_mem_in in[SMS] = {0};
  struct sm_mem_out out[SMS] = {0};
  static const struct hd_sm_watch watch[SMS] = {
      {.cta_start = start0}, {.cta_start = start1}, {.cta_start = start2}};
  struct wl_source *source = new_script(1, CTAS, 1, longer);
  memset(&g, 0, sizeof g);
  assert_int_equal(hd_grid_new(&c, source, &g.grid, NULL), HD_OK);
  for (unsigned i = 0; i < SMS; i++) {
    assert_true(hd_alloc_in(decl, &in[i]) && hd_alloc_out(decl, &out[i]));
    g.sm[i] = hd_sm_new(&c, g.grid, &(struct hd_sm_options){0}, &watch[i]);
  }
  for (uint64_t cycles = 0; !hd_grid_done(g.grid); cycles += 8) { /* in windows that the latency allows */
    assert_true(cycles < PATIENCE);
    for (unsigned i = 0; i < SMS; i++)
      run_alone(g.sm[i], &in[i], &out[i], 8);
    hd_grid_settle(g.grid);
  }
  assert_int_equal(g.n, CTAS);
  unsigned of[CTAS], sum = 0;
  for (unsigned i = 0; i < CTAS; i++) {
    of[g.start[i].cta] = g.start[i].sm;
    sum += g.start[i].cta;
  }
  assert_int_equal(sum, CTAS * (CTAS - 1) / 2);
  for (unsigned i = 0; i < CTAS; i++) /* they end in the order of their beginning */
    assert_int_equal(of[i], i % SMS);
  /* An SM runs two CTAs at a time. CTA 13 comes to SM 1 after 1, 7 (10 + 80 cycles...), or 4, 10: it is the last to end. */
  const uint64_t own = 14 * 10;
  assert_true(hd_grid_cycles(g.grid) > own + 80 && hd_grid_cycles(g.grid) < PATIENCE);
  for (unsigned i = 0; i < SMS; i++) {
    hd_sm_free(g.sm[i]);
    hd_free_in(decl, &in[i]);
    hd_free_out(decl, &out[i]);
  }
  hd_grid_free(g.grid);
  hd_design_free(design);
}

/* An SM beyond gpu.sms is refused, and nothing is written past the dispatcher's table. */
static void one_too_many(void **state) {
  (void)state;
  const struct hd_config c = defaults();
  struct hd_grid *grid;
  assert_int_equal(hd_grid_new(&c, new_script(1, 1, 1, longer), &grid, NULL), HD_OK);
  grid_of_none(grid, c.gpu.sms);
  assert_null(hd_sm_new(&c, grid, &(struct hd_sm_options){0}, NULL));
  hd_grid_free(grid);
}

/* ---- The whole ---- */

static struct hd_config gpu(unsigned sms, enum hd_policy policy, unsigned core_mhz) {
  struct hd_config c = defaults();
  c.gpu.sms = sms;
  c.gpu.dispatch_latency = 17;
  c.memory.kind = HD_MEM_L2;
  c.scheduler.policy = policy;
  c.sm.clock_mhz = core_mhz;
  return c;
}

static struct hd_sim_result run_gpu(struct hd_config c, const char *workload, bool no_skip,
                                    struct hd_why *why) {
  char err[256];
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  struct wl_source *source = wl_open(workload, err, sizeof err);
  assert_non_null(source);
  struct hd_sim_result r;
  const struct hd_sim_job job = {
      .design = design, .source = source, .no_skip = no_skip, .max_cycles = 3000000};
  if (hd_sim_run(&job, &r, why) != HD_OK)
    fail_msg("%s: %s", workload, why->text);
  source->ops->close(source);
  hd_design_free(design);
  r.seconds = 0;
  return r;
}

static const char *const workloads[] = {"atax:n=64", "syrk:tiny", "2dconv:tiny", "gemm:tiny",
                                        "random:tiny,launches=3,ctas=10,insts=60,barriers=20"};
enum { WORKLOADS = sizeof workloads / sizeof *workloads };

static void skipping_changes_nothing(void **state) {
  (void)state;
  struct hd_config narrow = gpu(2, HD_GTO, 1000);
  narrow.icnt.queue = narrow.l2.queue = narrow.dram.queue = 2;
  narrow.l2.mshrs = 4;
  narrow.l2.banks = narrow.dram.channels = 2;
  narrow.l2.sets = 8;
  narrow.sm.fetch = 2;
  narrow.sm.lsu_queue = 3;
  narrow.sm.return_latency = 12;
  narrow.sm.simd_width = 16;
  struct hd_config many = gpu(15, HD_LRR, 1400);
  many.request_buffer.kind = HD_MRPB;
  many.request_buffer.bypass = HD_BYPASS_ASSOC;
  struct hd_config links = gpu(4, HD_LRR, 1150);
  links.memory.kind = HD_MEM_LINK;
  const struct hd_config machines[] = {narrow, many, links, gpu(1, HD_LRR, 700)};
  for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++)
    for (unsigned w = 0; w < WORKLOADS; w++) {
      struct hd_why why;
      const struct hd_sim_result a = run_gpu(machines[m], workloads[w], false, &why);
      const struct hd_sim_result b = run_gpu(machines[m], workloads[w], true, &why);
      assert_true(a.sm.cycles > 1000 && a.accesses > 100);
      assert_memory_equal(&a, &b, sizeof a);
    }
}

/* The work is the same for any number of SMs, and more SMs are faster. */
static void work_is_divided(void **state) {
  (void)state;
  struct hd_why why;
  const struct hd_sim_result one = run_gpu(gpu(1, HD_LRR, 1400), "gemm:ni=128,nj=128,nk=32", false, &why);
  const struct hd_sim_result many = run_gpu(gpu(15, HD_LRR, 1400), "gemm:ni=128,nj=128,nk=32", false, &why);
  assert_int_equal(one.sm.instructions, many.sm.instructions);
  assert_int_equal(one.accesses, many.accesses);
  assert_int_equal(one.sm.ctas, 64);
  assert_int_equal(many.sm.ctas, 64);
  assert_int_equal(many.sms, 15);
  assert_true(many.sm.cycles * 4 < one.sm.cycles);
}

static void requests_add_up(void **state) {
  (void)state;
  struct hd_why why;
  for (unsigned w = 0; w < WORKLOADS; w++) {
    const struct hd_sim_result r = run_gpu(gpu(15, HD_GTO, 1400), workloads[w], false, &why);
    const struct hd_memsys_stats *s = &r.memsys;
    assert_int_equal(s->l2.reads, r.misses + r.bypasses);
    assert_int_equal(s->l2.writes, r.stores);
    assert_int_equal(s->l2.reads + s->l2.writes,
                     s->l2.read_hits + s->l2.write_hits + s->l2.merges + s->l2.misses);
    assert_int_equal(s->up_packets, s->l2.reads + s->l2.writes);
    assert_int_equal(s->down_packets, s->up_packets);
    assert_int_equal(s->dram_reads, s->l2.misses);
    assert_int_equal(r.loads, r.sm.load_requests);
  }
}

/* D-ICNT-4: with sectors, replies leave out the bytes that scattered lanes do not want. */
static void bypassed_loads_bring_sectors(void **state) {
  (void)state;
  struct hd_config c = gpu(2, HD_LRR, 1400);
  struct hd_why why;
  c.l1d.loads = HD_LOADS_BYPASSED;
  const struct hd_sim_result lines = run_gpu(c, "gesummv:n=64", false, &why);
  c.l1d.sector_bytes = 32;
  const struct hd_sim_result sectors = run_gpu(c, "gesummv:n=64", false, &why);
  const struct hd_sim_result slow = run_gpu(c, "gesummv:n=64", true, &why);
  assert_int_equal(slow.sm.cycles, sectors.sm.cycles);
  assert_true(sectors.bypasses > 1000);
  assert_true(sectors.sm.cycles < lines.sm.cycles);
  assert_true(sectors.memory.read_bytes >= 32 * sectors.bypasses);
  assert_true(sectors.memory.read_bytes < lines.memory.read_bytes / 2);
}

/* D-L2-19: if few sectors of a line are asked for, the DRAM moves only those. If whole lines are asked for, it moves as many bytes
 * as before. */
static void the_dram_moves_sectors(void **state) {
  (void)state;
  struct hd_config c = gpu(2, HD_LRR, 1400);
  struct hd_why why;
  c.l1d.sector_bytes = 32;
  c.l1d.fill = HD_L1D_FILL_SECTOR;
  c.sm.coalesce = HD_COALESCE_SECTORS;
  static const char *const of[] = {"2dconv:n=64", "bfs:tiny"};
  for (unsigned w = 0; w < 2; w++) {
    c.l2.fill = HD_L2_FILL_LINE;
    const struct hd_sim_result lines = run_gpu(c, of[w], false, &why);
    c.l2.fill = HD_L2_FILL_SECTOR;
    const struct hd_sim_result sectors = run_gpu(c, of[w], false, &why);
    const struct hd_sim_result slow = run_gpu(c, of[w], true, &why);
    const struct hd_memsys_stats *s = &sectors.memsys;
    assert_int_equal(slow.sm.cycles, sectors.sm.cycles);
    assert_int_equal(s->l2.reads, sectors.misses);
    assert_int_equal(s->dram_reads, s->l2.misses);
    assert_int_equal(s->dram_writes, s->l2.writebacks);
    assert_true(s->l2.sector_misses > 0 && s->l2.sector_misses < s->l2.misses);
    assert_int_equal(lines.memsys.l2.sector_misses, 0);
    assert_int_equal(sectors.figures.l2_sectors.sector_misses, s->l2.sector_misses);
    assert_true(s->dram_reads <= 4 * lines.memsys.dram_reads);
    const unsigned burst = (32 + c.dram.bytes_per_cycle - 1) / c.dram.bytes_per_cycle;
    assert_int_equal(s->dram_busy, burst * (s->dram_reads + s->dram_writes));
  }
}

/* D-COAL-3: a bypassed load sends one request per 32 bytes. It brings the same bytes in more packets. D-L2-15 costs cycles. */
static void a_request_a_sector(void **state) {
  (void)state;
  struct hd_config c = gpu(2, HD_LRR, 1400);
  struct hd_why why;
  c.l1d.loads = HD_LOADS_BYPASSED;
  c.l1d.sector_bytes = 32;
  c.l2.ways = 1; /* so that lines come from DRAM again and again */
  c.l2.sets = 2;
  const struct hd_sim_result lines = run_gpu(c, "2dconv:n=64", false, &why);
  c.sm.coalesce = HD_COALESCE_SECTORS;
  const struct hd_sim_result split = run_gpu(c, "2dconv:n=64", false, &why);
  assert_int_equal(split.memory.read_bytes, 32 * split.bypasses);
  assert_int_equal(split.memory.write_bytes, 32 * split.stores);
  assert_int_equal(split.memory.read_bytes, lines.memory.read_bytes);
  assert_int_equal(lines.memory.write_bytes, 128 * lines.stores);
  assert_int_equal(split.memsys.up_packets, split.bypasses + split.stores);
  assert_true(split.bypasses > 3 * lines.bypasses);
  const struct hd_sim_result wide = run_gpu(c, "gesummv:n=64", false, &why);
  c.l2.fill_cycles = 16;
  const struct hd_sim_result narrow = run_gpu(c, "gesummv:n=64", false, &why);
  const struct hd_sim_result slow = run_gpu(c, "gesummv:n=64", true, &why);
  assert_int_equal(narrow.memsys.l2.reads, wide.memsys.l2.reads);
  assert_true(narrow.sm.cycles > wide.sm.cycles);
  assert_int_equal(slow.sm.cycles, narrow.sm.cycles);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ctas_go_round),
      cmocka_unit_test(one_too_many),
      cmocka_unit_test(skipping_changes_nothing),
      cmocka_unit_test(work_is_divided),
      cmocka_unit_test(requests_add_up),
      cmocka_unit_test(bypassed_loads_bring_sectors),
      cmocka_unit_test(the_dram_moves_sectors),
      cmocka_unit_test(a_request_a_sector),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
