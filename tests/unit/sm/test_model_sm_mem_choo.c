/* The memory path with CASC, LASC's table and MemSched: the wires between modules (docs/mechanisms/sm_mem.md), and cycles summed by
 * hand from the modules' pages. */
#include "tests/unit/sm/sm_mem_rig.h"

/* Two lines and one way. The requests leave the coalescer in 2 and 3, are gathered in 4, leave CASC in 5 and 6, are in the L1D's
 * queue in 7 and at the memory in 11. Both bypass. With the MRPB they are in the queue of their CTA slot, five cycles longer. */
static void a_divergent_load_is_gathered(void **state) {
  (void)state;
  static const unsigned first[] = {[HD_SLOT] = 11, [HD_MRPB] = 16, [HD_MEMSCHED] = 14};
  for (enum hd_buffer kind = HD_SLOT; kind <= HD_MEMSCHED; kind++)
    for (int enabled = 0; enabled < 2; enabled++) {
      struct hd_config c = with_buffer(kind);
      c.casc.scheme = HD_CASC_ALL;
      c.l1d.ways = 1;
      start(c);
      rig.in.memsched_en = rig.in.mrpb_en = 1;
      rig.in.resp_ready = rig.in.mreq_ready = 1;
      rig.in.casc_en = (unsigned)enabled;
      issue(false, 100, 201);
      uint64_t inside = 0;
      for (unsigned n = 0; n < 3; n++) { /* the coalescer is empty in 4 */
        step();
        inside = rig.out.busy;
        assert_int_equal(inside, 1 << 10);
      }
      look();
      assert_int_equal(rig.out.busy, enabled ? 1 << 10 : 0);
      assert_int_equal(until_memory(), first[kind] - (enabled ? 4 : 7));
      for (unsigned k = 0; k < 2; k++) {
        until_memory();
        assert_int_equal(rig.out.mreq.kind, enabled);
        assert_int_equal(rig.out.mreq.line, k ? 201 : 100);
        edge();
      }
      if (kind == HD_MRPB)
        assert_int_equal(rig.m->u_mrpb->s.in_at, 1 << 6); /* the signature came along */
      wreck();
    }
}

/* Runs a load of a line to the memory, which answers. Returns the request to the memory. */
static struct sreq load_of(unsigned pc, uint64_t line) {
  issue_one(false, 4, pc, line * 128);
  until_memory();
  const struct sreq asked_for = rig.out.mreq;
  edge();
  answer((struct srsp){.kind = asked_for.kind, .id = asked_for.id, .wid = 4, .num = 0, .last = 1}, 0);
  for (unsigned n = 0; n < PATIENCE; n++)
    step();
  return asked_for;
}

/* Lines 0, 2, 4, 6 share the only way of set 0. The first eviction closes the entry of its load. */
static void evictions_reach_the_reuse_frequency_table(void **state) {
  (void)state;
  enum { PC = 0x40, ENTRY = PC >> 2 };
  for (unsigned sharers = 1; sharers < 3; sharers++)
    for (int enabled = 0; enabled < 2; enabled++) {
      struct hd_config c = with_buffer(HD_SLOT);
      c.l1d.sets = 2;
      c.l1d.ways = 1;
      c.rft.form = HD_RFT_BIT;
      c.rft.sharers = c.gpu.sms = c.gpu.dispatch_latency = sharers;
      start(c);
      rig.in.memsched_en = rig.in.mrpb_en = 1;
      rig.in.resp_ready = rig.in.mreq_ready = 1;
      rig.in.rft_en = (unsigned)enabled;
      assert_int_equal(load_of(PC, 0).kind, 0);
      issue_one(false, 4, PC, 2 * 128);
      unsigned evictions = 0;
      for (unsigned n = 0; n < PATIENCE; n++) { /* the memory does not answer yet */
        step();
        evictions += rig.out.evict_valid == 1 && rig.out.evict_hpc == ENTRY && rig.out.evict_count == 0;
      }
      answer((struct srsp){.id = rig.out.mreq.id}, 0);
      for (unsigned n = 0; n < PATIENCE; n++)
        step();
      assert_int_equal(evictions, 1);
      if (sharers == 1)
        assert_int_equal(rig.m->u_rft_out.bypass, UINT64_C(1) << ENTRY);
      else
        rig.in.rft_bypass = UINT64_C(1) << ENTRY;
      assert_int_equal(load_of(PC + 4, 1).kind, 0);
      assert_int_equal(load_of(PC, 4).kind, enabled);
      rig.in.flush = 1; /* and the table inside gets empty */
      rig.in.rft_bypass = 0;
      step();
      rig.in.flush = 0;
      step();
      assert_int_equal(load_of(PC, 6).kind, 0);
      wreck();
    }
}

static void evictions_reach_the_re_reference_table(void **state) {
  (void)state;
  enum { PC = 0x40, ENTRY = PC >> 2 };
  struct hd_config c = with_buffer(HD_SLOT);
  c.l1d.sets = 2;
  c.l1d.ways = 1;
  c.casc.scheme = HD_CASC_LOCALITY;
  start(c);
  rig.in.memsched_en = rig.in.mrpb_en = 1;
  rig.in.resp_ready = rig.in.mreq_ready = rig.in.casc_en = 1;
  load_of(PC, 0);
  issue_one(false, 4, PC, 0); /* a re-reference */
  for (unsigned n = 0; n < PATIENCE; n++)
    step();
  load_of(PC, 2);
  assert_int_equal(rig.m->u_rrt->s.known[ENTRY], 1);
  look(); /* the request decided last is looked up */
  assert_int_equal(rig.m->u_degree_in.lk_known, 1);
  assert_int_equal(rig.m->u_degree_in.lk_sum, 1);
  assert_int_equal(rig.m->u_degree_in.lk_count, 1);
  rig.in.flush = 1;
  step();
  assert_int_equal(rig.m->u_rrt->s.known[ENTRY], 0);
  wreck();
}

/* A line in the cache is sent before a line that is not, even if the latter came first. */
static void probes_ask_the_tags(void **state) {
  (void)state;
  struct hd_config c = with_buffer(HD_MEMSCHED);
  c.request_buffer.drain = HD_DRAIN_GRR;
  c.request_buffer.probes = 2;
  start(c);
  rig.in.memsched_en = rig.in.mrpb_en = 1;
  rig.in.resp_ready = rig.in.mreq_ready = 1;
  issue_one(false, 3, 0, 5 * 128);
  until_memory();
  edge();
  answer((struct srsp){.id = rig.out.mreq.id}, 0);
  for (unsigned n = 0; n < PATIENCE; n++)
    step();
  assert_int_equal(rig.out.drained, UINT64_MAX >> (64 - 48));
  rig.m->u_memsched->s.tried = UINT64_MAX >> (64 - 48); /* until both are there */
  rig.m->u_memsched->s.turn = 0;
  issue_one(false, 6, 0, 9 * 128);
  issue_one(false, 3, 0, 5 * 128);
  for (unsigned n = 0; n < 6; n++)
    step();
  rig.m->u_memsched->s.tried = 0;
  for (unsigned n = 0; n < PATIENCE; n++)
    step();
  const uint64_t *ev = rig.m->u_memsched->base.ev;
  assert_int_equal(ev[EV_memsched_overtake], 1);
  assert_int_equal(ev[EV_memsched_probe_hit], 1);
  assert_int_equal(ev[EV_memsched_probe_can], 2);
  assert_int_equal(ev[EV_memsched_served], 3);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_divergent_load_is_gathered),
      cmocka_unit_test(evictions_reach_the_reuse_frequency_table),
      cmocka_unit_test(evictions_reach_the_re_reference_table),
      cmocka_unit_test(probes_ask_the_tags),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
