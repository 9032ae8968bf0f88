/* The stride prefetchers with random events against a reference that does each event at once with C's own division, and with random
 * bits flipped. Not checked here: cycles (verif/apres/env_sap.c checks them); which matches find no row (the reference asks the
 * model); CTAs that start and kernels that begin between events (test_model_sap_reach.c). */
#include "tests/unit/apres/sap_rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

enum { KEPT = 256 };
static struct {
  struct {
    bool valid, known;
    uint64_t pc, wid, cta, addr, time;
    int64_t stride;
  } entry[32];
  uint64_t time;
  struct {
    uint64_t line, wid;
  } expected[KEPT * 64];
  unsigned n, taken;
  unsigned cta[64];
  struct load_event inside[64]; /* events that have not left the divider, oldest first */
  unsigned events;
} ref;

static unsigned ref_victim(void) {
  unsigned victim = 0;
  for (unsigned i = 0; i < rig.c.prefetch.table; i++) {
    if (!ref.entry[i].valid)
      return i;
    if (ref.entry[i].time < ref.entry[victim].time)
      victim = i;
  }
  return victim;
}

static bool ref_far(uint64_t cta, unsigned v) {
  return rig.c.d.CUT && cta != ref.cta[v];
}

static bool ref_member(const struct load_event *ev, unsigned v) {
  if (ref_far(ref.cta[ev->wid], v))
    return false;
  if (rig.c.prefetch.kind == HD_PF_STR)
    return v > ev->wid && v <= ev->wid + rig.c.prefetch.degree;
  return v != ev->wid && (!rig.c.d.GROUPED || hd_has(ev->group, v));
}

static void ref_prefetch(const struct load_event *ev, int64_t stride) {
  for (unsigned v = 0; v < rig.c.sm.warps; v++) {
    const int64_t g = (int64_t)ev->addr + ((int64_t)v - (int64_t)ev->wid) * stride;
    if (ref_member(ev, v) && g >= 0 && g < INT64_C(1) << rig.c.sm.addr_bits &&
        g / 65536 >= rig.c.prefetch.first_page && g / 65536 <= rig.c.prefetch.last_page) {
      assert_true(ref.n < KEPT * 64);
      ref.expected[ref.n].line = (uint64_t)g / rig.c.l1d.line_bytes;
      ref.expected[ref.n++].wid = rig.c.d.GROUPED ? v : 0;
    }
  }
}

/* Learns from the event and adds its prefetches, unless they are lost. */
static void ref_event(const struct load_event *ev, bool lost) {
  unsigned i = 0;
  while (i < rig.c.prefetch.table && !(ref.entry[i].valid && ref.entry[i].pc == ev->pc))
    i++;
  const bool known_pc = i < rig.c.prefetch.table;
  if (!known_pc)
    i = ref_victim();
  const int64_t d = (int64_t)ev->addr - (int64_t)ref.entry[i].addr;
  const bool far = known_pc && ref_far(ref.entry[i].cta, (unsigned)ev->wid);
  const int64_t n = far ? 0 : (int64_t)ev->wid - (int64_t)ref.entry[i].wid;
  ref.entry[i].cta = ref.cta[ev->wid];
  ref.entry[i].valid = true;
  ref.entry[i].pc = ev->pc;
  ref.entry[i].wid = ev->wid;
  ref.entry[i].addr = ev->addr;
  ref.entry[i].time = ++ref.time;
  if (!known_pc)
    ref.entry[i].known = false;
  else if (n && ref.entry[i].known && ref.entry[i].stride * n == d) {
    if (!lost)
      ref_prefetch(ev, ref.entry[i].stride);
  } else if (n) {
    ref.entry[i].known = d % n == 0;
    if (ref.entry[i].known)
      ref.entry[i].stride = d / n;
  }
}

/* Loads of a few program counters. Most have strides. */
static void random_event(void) {
  const uint64_t pc = draw_below(rig.c.prefetch.table + 2), wid = draw_below(rig.c.sm.warps);
  const uint64_t stride = draw_below(8) ? pc * 12340 : draw();
  const uint64_t base =
      draw_below(2) ? pc << 10 : hd_ones(rig.c.sm.addr_bits) - (wid * stride) * draw_below(2);
  rig.in.ev_valid = draw_below(4) == 0;
  rig.in.ev = (struct load_event){.wid = wid,
                                  .pc = pc,
                                  .addr = (base + wid * stride) & hd_ones(rig.c.sm.addr_bits),
                                  .group = rig.c.d.GROUPED ? draw() & hd_ones(rig.c.sm.warps) : 0};
  rig.in.en = draw_below(10) != 0;
}

static void ref_cycle(bool events) {
  rig.in.ev_valid = 0;
  if (events)
    random_event();
  rig.in.pf_ready = draw_below(3) != 0;
  look();
  if (rig.out.pf_valid) {
    assert_true(ref.taken < ref.n);
    assert_int_equal(rig.out.pf_line, ref.expected[ref.taken].line);
    assert_int_equal(rig.out.pf_wid, ref.expected[ref.taken].wid);
    ref.taken += (unsigned)rig.in.pf_ready;
  }
  const uint64_t taken = EVENTS(take), lost = EVENTS(drop_full);
  const bool leaves = hd_has(rig.m->s.x_v, rig.c.d.DIV_N);
  edge();
  if (leaves) {
    ref_event(&ref.inside[0], EVENTS(drop_full) > lost);
    ref.events--;
    memmove(ref.inside, ref.inside + 1, ref.events * sizeof ref.inside[0]);
  }
  if (EVENTS(take) > taken)
    ref.inside[ref.events++] = rig.in.ev;
  if (ref.taken == ref.n)
    ref.taken = ref.n = 0;
}

static void build_random(void) {
  static const unsigned bits[] = {20, 21, 22, 23, 24, 32, 40, 48}, warps[] = {5, 8, 9, 32, 47, 48, 64};
  static const unsigned tables[] = {1, 2, 3, 10, 12, 31, 32};
  struct hd_config c = machine(draw_below(3) ? HD_PF_SAP : HD_PF_STR, draw_below(2));
  c.sm.addr_bits = bits[draw_below(8)];
  c.sm.warps = warps[draw_below(7)];
  if (c.sm.ctas > c.sm.warps)
    c.sm.ctas = c.sm.warps;
  c.prefetch.table = tables[draw_below(7)];
  c.prefetch.queue = 2 + (unsigned)draw_below(9);
  c.prefetch.degree = 1 + (unsigned)draw_below(63);
  if (draw_below(3) == 0)
    c.prefetch.reach = HD_REACH_SM;
  if (draw_below(3) == 0) {
    c.prefetch.first_page = 1;
    c.prefetch.last_page = 5;
  }
  if (c.prefetch.kind == HD_PF_SAP)
    c.prefetch.degree = defaults().prefetch.degree;
  build(c);
}

/* Launches CTAs that all have the same number of warps. */
static void ref_launch(void) {
  const unsigned warps = 2 + (unsigned)draw_below(30);
  memset(&ref, 0, sizeof ref);
  for (unsigned slot = 0; rig.c.d.CUT && slot < rig.c.d.CTAS && slot * warps < rig.c.sm.warps; slot++) {
    rig.in.launch_valid = 1;
    rig.in.launch_cta = slot;
    rig.in.launch_warps = hd_ones(warps) << slot * warps & hd_ones(rig.c.sm.warps);
    for (unsigned v = slot * warps; v < (slot + 1) * warps && v < rig.c.sm.warps; v++)
      ref.cta[v] = slot;
    step();
  }
  rig.in.launch_valid = 0;
}

static void ref_table(void) {
  for (unsigned i = 0; i < rig.c.prefetch.table; i++) {
    assert_int_equal(hd_has(rig.m->s.pt_valid, i), ref.entry[i].valid);
    if (!ref.entry[i].valid)
      continue;
    assert_int_equal(rig.m->s.pt_pc[i], ref.entry[i].pc);
    assert_int_equal(rig.m->s.pt_wid[i], ref.entry[i].wid);
    assert_int_equal(rig.m->s.pt_addr[i], ref.entry[i].addr);
    assert_int_equal(hd_has(rig.m->s.pt_known, i), ref.entry[i].known);
    if (ref.entry[i].known)
      assert_int_equal(rig.m->s.pt_stride[i], (uint64_t)ref.entry[i].stride & hd_ones(rig.c.d.STRIDE_W));
  }
}

static void as_the_reference(void **state) {
  (void)state;
  uint64_t prefetches = 0, strides = 0, out = 0, inexact = 0, replaced = 0;
  for (unsigned machines = 0; machines < 60; machines++) {
    build_random();
    ref_launch();
    for (unsigned i = 0; i < 5000; i++)
      ref_cycle(true);
    while (busy())
      ref_cycle(false);
    assert_int_equal(ref.n, 0);
    ref_table();
    state_fits();
    prefetches += EVENTS(prefetch);
    strides += EVENTS(stride);
    out += EVENTS(out_of_range);
    inexact += EVENTS(inexact);
    replaced += EVENTS(replace);
    wreck();
  }
  assert_true(prefetches > 2000 && strides > 1000 && out > 1000 && inexact > 1000 && replaced > 1000);
}

/* D-MIX-3: with any bits, the model accesses only state that exists. */
static void wrong_bits_prefetch_otherwise(void **state) {
  (void)state;
  for (unsigned machines = 0; machines < 40; machines++) {
    build_random();
    for (unsigned i = 0; i < 2000; i++) {
      random_event();
      rig.in.pf_ready = draw_below(2);
      flip_a_bit();
      step();
      state_fits();
      assert_true(rig.m->s.drq_wr >= -1 && rig.m->s.drq_wr < (int64_t)rig.c.d.DRQ);
      assert_true(rig.m->s.drq_s_wr >= -1 && rig.m->s.drq_s_wr < (int64_t)rig.c.d.DRQ);
    }
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_the_reference),
      cmocka_unit_test(wrong_bits_prefetch_otherwise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
