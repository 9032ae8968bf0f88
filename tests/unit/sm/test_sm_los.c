/* The SM's outputs to LoSCache (docs/sm.md, docs/mechanisms/loscache.md): kernels, ends of warps, the places of stores. And a
 * machine with LoSCache gives the same lazily and cycle by cycle. */
#include "tests/unit/sm/sm_rig.h"

#include "cmodel/gpu/core.h"
#include "workloads/rng.h"

static struct hd_config gated(void) {
  struct hd_config c = defaults();
  c.memory.kind = HD_MEM_L2;
  c.loscache.gate = HD_GATE_ADAPTIVE;
  c.loscache.phase = 40;
  c.loscache.table = 6;
  return c;
}

/* ---- Kernels and warps ---- */

static struct wl_inst a_little(uint32_t cta, uint32_t warp, uint32_t n) {
  struct wl_inst i = access_line(n % 2 ? WL_STORE : WL_LOAD, n % 2 ? WL_NO_REG : 0, NOTHING, 32 * cta + n);
  i.pc = 0xab00 + 8 * n;
  return n < 3 + (cta + warp) % 4 ? i : leave();
}

static void kernels_and_ends_are_reported_once(void **state) {
  (void)state;
  static const struct {
    unsigned ctas, warps, at_first; /* of a launch; of a CTA; 48 warps, 8 CTAs */
  } t[] = {{20, 6, 8}, {20, 12, 4}, {3, 6, 3}, {1, 32, 1}};
  for (unsigned i = 0; i < 2 * sizeof t / sizeof *t; i++) {
    struct hd_config c = gated();
    c.gpu.flush = i % 2;
    c.memory.bytes_per_cycle = 64;
    c.loscache.enable = false; /* otherwise queries would be in flight when a kernel begins */
    assert_int_equal(begin(c, new_script(3, t[i / 2].ctas, t[i / 2].warps, a_little), NULL), HD_OK);
    unsigned kernels = 0, launched = 0, ended = 0;
    uint64_t there = 0; /* warps */
    while (!hd_sm_done(b.sm)) {
      cycle();
      assert_int_equal(b.in.exit & ~there, 0);
      ended += (unsigned)__builtin_popcountll(b.in.exit);
      there &= ~b.in.exit;
      assert_int_equal(b.in.flush, b.in.kernel && c.gpu.flush);
      if (b.in.kernel) {
        kernels++;
        assert_int_equal(b.in.launch_valid, 1);
        assert_int_equal(b.in.kernel_ctas, t[i / 2].at_first);
        assert_int_equal(there, 0);
      }
      if (b.in.launch_valid) {
        assert_int_equal(kernels, launched / t[i / 2].ctas + 1);
        assert_int_equal(there & b.in.launch_warps, 0);
        there |= b.in.launch_warps;
        launched++;
      }
    }
    cycle(); /* the last end */
    ended += (unsigned)__builtin_popcountll(b.in.exit);
    assert_int_equal(kernels, 3);
    assert_int_equal(launched, 3 * t[i / 2].ctas);
    assert_int_equal(ended, 3 * t[i / 2].ctas * t[i / 2].warps);
    end();
  }
}

static void stores_say_where_they_are(void **state) {
  (void)state;
  struct hd_config c = gated();
  c.sm.pc_bits = 12;
  assert_int_equal(begin(c, new_script(1, 1, 1, a_little), NULL), HD_OK);
  unsigned seen = 0;
  while (!hd_sm_done(b.sm)) {
    cycle();
    assert_int_equal(b.in.los_en, 1);
    if (!b.in.issue_valid)
      continue;
    assert_int_equal(b.in.issue_pc, 0xb00 + 8 * seen);
    assert_int_equal(b.in.issue_write, seen % 2);
    seen += b.out.issue_ready;
  }
  assert_int_equal(seen, 3);
  end();
}

/* ---- Seeds ---- */

static void every_sm_has_a_seed_of_its_own(void **state) {
  (void)state;
  enum { SMS = 64 };
  static struct hd_sm *sm[SMS];
  static bool taken[1 << 16];
  struct hd_config c = gated();
  c.gpu.sms = SMS;
  c.gpu.dispatch_latency = 2;
  uint64_t was = 0;
  for (unsigned seed = 0; seed < 3; seed++) {
    struct hd_grid *grid;
    struct sm_mem_in in = {0};
    c.loscache.seed = seed;
    assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
    memset(taken, 0, sizeof taken);
    assert_int_equal(hd_grid_new(&c, new_script(1, 1, 1, a_little), &grid, NULL), HD_OK);
    for (unsigned i = 0; i < SMS; i++) {
      sm[i] = hd_sm_new(&c, grid, &(struct hd_sm_options){0}, NULL);
      hd_sm_drive(sm[i], &(struct sm_mem_out){0}, &in);
      assert_true(in.los_seed < sizeof taken && !taken[in.los_seed]);
      taken[in.los_seed] = true;
    }
    assert_true(in.los_seed != was);
    was = in.los_seed;
    for (unsigned i = 0; i < SMS; i++)
      hd_sm_free(sm[i]);
    hd_grid_free(grid);
  }
}

/* ---- Run lazily ---- */

/* The simple memory. Counts and early gating are functions of the requests. */
struct moody {
  struct hd_port port;
  struct hd_memory *memory;
};

static void think(struct sm_mem_in *in) {
  struct srsp *r = &in->mrsp;
  const uint64_t hash = wl_rng_mix(r->pe, r->kind << 16 | r->wid << 8 | r->num);
  r->count = r->kind == HD_QUERY ? (const uint64_t[]){4, 63, 2, 0, 1}[r->pe % 5]
             : hash % 4          ? 0
                                 : 1 + hash / 4 % 8;
}

static struct hd_port *inside(struct hd_port *port) {
  return hd_memory_port(((struct moody *)port)->memory);
}

static void moody_drive(struct hd_port *port, struct sm_mem_in *in) {
  inside(port)->ops->drive(inside(port), in);
  think(in);
}

static void moody_clock(struct hd_port *port, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  inside(port)->ops->clock(inside(port), in, out);
}

static uint64_t moody_wake(struct hd_port *port, uint64_t now, struct sm_mem_in *in) {
  const uint64_t next = inside(port)->ops->wake(inside(port), now, in);
  think(in);
  return next;
}

static uint64_t moody_take(struct hd_port *port, uint64_t now, struct sm_mem_in *in,
                           const struct sm_mem_out *out) {
  const uint64_t next = inside(port)->ops->take(inside(port), now, in, out);
  think(in);
  return next;
}

static void moody_free(struct hd_port *port) {
  hd_memory_free(((struct moody *)port)->memory);
  free(port);
}

static struct hd_port *moody(const struct hd_config *c) {
  static const struct hd_port_ops ops = {moody_drive, moody_clock, moody_wake, moody_take, moody_free};
  struct moody *p = malloc(sizeof *p);
  *p = (struct moody){{&ops}, hd_memory_new(c, &(struct hd_memory_options){0})};
  return &p->port;
}

/* Loads and stores of all shapes, some ALU work, and a barrier now and then. */
static struct wl_inst busy(uint32_t cta, uint32_t warp, uint32_t n) {
  const uint64_t hash = wl_rng_mix(cta * 64 + warp, n), what = hash % 16;
  if (n == 30)
    return leave();
  if (n % 10 == 9)
    return plain(WL_BARRIER, WL_NO_REG, NOTHING);
  if (what < 6)
    return plain(what ? WL_ALU : WL_SFU, (int8_t)(n % 4), hash >> 8 & 7);
  struct wl_inst i = {.op = what < 12 ? WL_LOAD : WL_STORE,
                      .pc = 8 * n,
                      .active = UINT32_MAX,
                      .dst = what < 12 ? (int8_t)(n % 4) : WL_NO_REG,
                      .size = 4};
  for (unsigned l = 0; l < WL_LANES; l++)
    i.addr[l] = (hash >> 16) % 64 * 128 + (what % 3 ? 4 * l : (hash >> 24) % 64 * 4 * l);
  return i;
}

static struct hd_core core[2];                  /* run lazily; run cycle by cycle */
static uint64_t happened[EV_pred_table_count_]; /* of the prediction table */

static void same_events(const struct hd_decl *d, const void *a, const void *also) {
  const struct hd_model *x = a, *y = also;
  for (size_t e = 0; e < d->n_events; e++)
    if (x->ev[e] != y->ev[e])
      fail_msg("%s.%s: %llu lazily, %llu", d->module, d->events[e].name, (unsigned long long)x->ev[e],
               (unsigned long long)y->ev[e]);
  for (size_t i = 0; i < d->n_insts; i++) {
    const size_t at = d->insts[i].offset;
    same_events(d->insts[i].decl, *(void *const *)((const char *)a + at),
                *(void *const *)((const char *)also + at));
  }
}

/* Runs the workload both ways and compares. */
static void same(struct hd_config c) {
  enum { LONG = 1000000 };
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&c);
  struct hd_grid *grid[2];
  for (unsigned i = 0; i < 2; i++) {
    assert_int_equal(hd_grid_new(&c, new_script(3, 20, 5, busy), &grid[i], NULL), HD_OK);
    assert_true(hd_core_open(&core[i], design, grid[i], moody(&c), NULL, NULL));
    for (uint64_t until = 0; !hd_sm_done(core[i].sm); until += 777, assert_true(until < LONG))
      hd_core_run(&core[i], until, i == 1);
    if (i == 0)
      hd_lazy_settle(&core[i].lazy);
  }
  const struct hd_sm_stats *x = hd_sm_stats(core[0].sm), *y = hd_sm_stats(core[1].sm);
  assert_int_equal(x->cycles, y->cycles);
  assert_memory_equal(x, y, sizeof *x);
  same_events(core[0].m->base.decl, core[0].m, core[1].m);
  for (unsigned e = 0; e < sizeof happened / sizeof *happened; e++)
    happened[e] += core[0].m->u_pred->base.ev[e];
  for (unsigned i = 0; i < 2; i++) {
    hd_core_close(&core[i]);
    hd_grid_free(grid[i]);
  }
  hd_design_free(design);
}

static void lazily_it_is_the_same(void **state) {
  (void)state;
  for (unsigned n = 0; n < 12; n++) {
    struct hd_config c = gated();
    c.scheduler.policy = (const enum hd_policy[]){HD_LRR, HD_GTO, HD_LAWS}[n % 3];
    c.request_buffer.kind = (const enum hd_buffer[]){HD_SLOT, HD_MRPB, HD_MEMSCHED, HD_SLOT}[n / 3];
    c.memory.bytes_per_cycle = n % 2 ? 16 : 64;
    c.loscache.gate = n % 5 ? HD_GATE_ADAPTIVE : HD_GATE_NAIVE;
    c.loscache.phase = (const unsigned[]){6, 100, 2000, 4000}[n % 4];
    if (n == 3)
      c.scheduler.policy = HD_TWO_LEVEL;
    if (n == 9)
      c.casc.scheme = HD_CASC_LOCALITY;
    if (n == 10)
      c.apcm.manage = HD_APCM_BOTH;
    if (n == 11)
      c.prefetch.kind = HD_PF_SAP;
    same(c);
    c.loscache.enable = false;
    same(c);
  }
  for (unsigned e = 0; e < sizeof happened / sizeof *happened; e++)
    assert_true(happened[e] >= 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_and_ends_are_reported_once),
      cmocka_unit_test(stores_say_where_they_are),
      cmocka_unit_test(every_sm_has_a_seed_of_its_own),
      cmocka_unit_test(lazily_it_is_the_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
