/* Memory request scheduling on random traffic: no request is lost, doubled or changed, every queue keeps its order, and `drained`
 * shows which queues hold nothing. docs/mechanisms/memsched.md. */
#define RIG memsched
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"

#include "tests/unit/chance.h"

enum { MOST = 32, ALL_WARPS = 64 };

/* The reference for a warp: requests taken and not yet served (writes: not yet gone), in order. The first may be with the L1D. */
static struct {
  struct req r[2 * MOST];
  unsigned first, n;
  bool tried;
} known[ALL_WARPS];

static struct {
  struct req next;   /* the request to be offered */
  unsigned left;     /* requests left of its instruction, this one included */
  unsigned with_l1d; /* heads */
  uint64_t taken, done;
} at;

static void new_instruction(bool any_warp) {
  const struct hd_derived *d = &rig.c.d;
  const uint64_t wid = draw_below(d->WARPS);
  if (known[wid].n && !any_warp)
    return;
  at.left = 1 + (unsigned)draw_below(draw_below(2) ? 4 : MOST);
  at.next = (struct req){.write = draw_below(4) == 0,
                         .wid = wid,
                         .slot = draw_below(4),
                         .gid = draw() & hd_ones(d->GID_W),
                         .pc = draw() & hd_ones(d->REQ_PC_W),
                         .low = draw() & hd_ones(d->LOW_W),
                         .hpc = draw() & hd_ones(d->HPC_W)};
}

static void drive(bool more) {
  const struct hd_derived *d = &rig.c.d;
  if (!at.left && more && draw_below(3))
    new_instruction(draw_below(8) == 0);
  rig.in.enq_valid = at.left && (rig.in.enq_valid || draw_below(8));
  if (rig.in.enq_valid && !at.next.line) { /* a new one */
    at.next.line = 1 + draw_below(hd_ones(d->LINE_W));
    at.next.last = at.left == 1;
    at.next.byp = d->CASC && !at.next.write && draw_below(2);
    at.next.loc = d->LOC && !at.next.write && draw_below(2);
    rig.in.enq = at.next;
    rig.in.enq_wdata[0] = at.next.line;
  }
  rig.in.deq_ready = draw_below(4) != 0;
  rig.in.pr_hit = draw() & draw() & hd_ones(d->PROBES);
  rig.in.pr_can = draw() & hd_ones(d->PROBES);
  rig.in.back_valid = at.with_l1d && draw_below(2);
  rig.in.back_ok = draw_below(2);
  for (rig.in.back_wid = draw_below(d->WARPS); rig.in.back_valid && !known[rig.in.back_wid].tried;)
    rig.in.back_wid = hd_next(rig.in.back_wid, d->WARPS, d->WID_W);
}

static void take_first(uint64_t wid) {
  known[wid].first = (known[wid].first + 1) % (2 * MOST);
  known[wid].n--;
  at.done++;
}

/* Checks and records the handshakes of this cycle. */
static void check(void) {
  uint64_t inside = 0;
  for (unsigned w = 0; w < rig.c.d.WARPS; w++)
    inside |= (uint64_t)(known[w].n != 0) << w;
  assert_int_equal(rig.out.drained, hd_ones(rig.c.d.WARPS) & ~inside);
  if (rig.in.back_valid) {
    known[rig.in.back_wid].tried = false;
    at.with_l1d--;
  }
  if (rig.out.deq_valid) {
    const struct req *r = &rig.out.deq;
    const unsigned first = known[r->wid].first;
    assert_true(known[r->wid].n && !known[r->wid].tried);
    assert_memory_equal(r, &known[r->wid].r[first], sizeof *r);
    if (r->write)
      assert_int_equal(rig.out.deq_wdata[0], r->line);
  }
  if (rig.in.back_valid && rig.in.back_ok)
    take_first(rig.in.back_wid);
  if (rig.out.deq_valid && rig.in.deq_ready) {
    if (rig.out.deq.write)
      take_first(rig.out.deq.wid);
    else {
      known[rig.out.deq.wid].tried = true;
      at.with_l1d++;
    }
  }
  if (rig.in.enq_valid && rig.out.enq_ready) {
    const uint64_t w = at.next.wid;
    assert_true(known[w].n < 2 * MOST);
    known[w].r[(known[w].first + known[w].n++) % (2 * MOST)] = at.next;
    at.taken++;
    at.next.line = 0;
    at.next.num++;
    at.left--;
    rig.in.enq_valid = 0;
  }
}

static uint64_t seconds; /* instructions that the SM should have held back */

static void at_random(struct hd_config c, unsigned cycles) {
  build(c);
  rig.in.en = 1;
  rig.in.en = 1;
  memset(known, 0, sizeof known);
  memset(&at, 0, sizeof at);
  for (unsigned n = 0; n < cycles + 20000 && (n < cycles || at.left || at.taken != at.done); n++) {
    drive(n < cycles);
    look();
    const struct memsched_in in = rig.in;
    check();
    rig.ops->tick(rig.m, &in);
    if (n % 512 == 0)
      state_fits();
  }
  assert_int_equal(at.taken, at.done);
  assert_true(at.done > cycles / 20);
  assert_true(EVENTS(again) > 0 && EVENTS(enqueue) > 0);
  seconds += EVENTS(second);
  wreck();
}

static void random_traffic(void **state) {
  (void)state;
  static const unsigned depths[] = {2, 3, 8, 32}, warps[] = {8, 13, 48, 64};
  for (unsigned i = 0; i < 4; i++)
    for (unsigned probes = 0; probes <= 4; probes++) { /* 0: fixed or longest; 1: as rr */
      struct hd_config c = defaults();
      c.request_buffer.kind = HD_MEMSCHED;
      c.request_buffer.drain = probes ? HD_DRAIN_GRR : i & 1 ? HD_DRAIN_LONGEST : HD_DRAIN_FIXED;
      c.request_buffer.probe_early = probes > 1 && i >= 2;
      c.request_buffer.probes = probes ? probes : 1;
      c.request_buffer.depth = depths[(i + probes) % 4];
      c.sm.warps = warps[i];
      at_random(c, 6000);
      c.scheduler.policy = HD_LAWS;
      c.prefetch.kind = HD_PF_SAP;
      at_random(c, 3000);
      c.scheduler.policy = HD_LRR;
      c.prefetch.kind = HD_PF_OFF;
      c.casc.scheme = HD_CASC_LOCALITY;
      at_random(c, 3000);
    }
  assert_true(seconds > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_traffic)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
