/* The L1 data cache with tag_probe: the probes of MemSched's units, with both kinds of copies. */
#include "tests/unit/l1d/l1d_group_rig.h"

static bool early; /* D-MSCH-10 */

static struct hd_config with_probes(unsigned ways, enum hd_ptags tags) {
  struct hd_config c = small(ways);
  c.request_buffer.kind = HD_MEMSCHED;
  c.request_buffer.drain = HD_DRAIN_GRR;
  c.request_buffer.probes = 3;
  c.request_buffer.tags = tags;
  c.request_buffer.probe_early = early;
  return c;
}

static void for_both(void (*test)(enum hd_ptags)) {
  test(HD_PTAGS_RAM);
  test(HD_PTAGS_FF);
}
static void for_all(void (*test)(enum hd_ptags)) {
  for_both(test);
  early = true;
  for_both(test);
  early = false;
}

/* Probes these lines and checks the answers: two cycles later, or with `early` in the next cycle. Each unit gets its own. */
static void probes(uint64_t a, uint64_t b, uint64_t c, unsigned hit, unsigned can) {
  const uint64_t lines[] = {a, b, c};
  memcpy(hung->u_probe_in.pr_line, lines, sizeof lines);
  step();
  memset(hung->u_probe_in.pr_line, 0, sizeof lines);
  if (!early)
    step();
  look();
  assert_int_equal(hung->u_probe_out.pr_hit, hit);
  assert_int_equal(hung->u_probe_out.pr_can, can);
}

static void hit(enum hd_ptags tags) {
  build(with_probes(2, tags));
  probes(5, 4, 5, 0, 7);
  brings(5);
  brings(7);
  brings(4);
  probes(5, 2, 7, 5, 7);
  probes(9, 4, 0, 2, 7);
  store(5, 4);
  memory_gets(HD_STORE, 5, 4);
  probes(5, 4, 7, 6, 7);
  rig.in.flush = 1;
  step();
  rig.in.flush = 0;
  probes(5, 4, 7, 0, 7);
  wreck();
}
static void hits_(void **state) {
  (void)state;
  for_all(hit);
}

/* Lines 1 and 3 fill set 1 until they arrive. A load of either could merge; another line could not be sent. */
static void full(enum hd_ptags tags) {
  build(with_probes(2, tags));
  load(1, 1);
  load(3, 2);
  const unsigned id = memory_gets(HD_FILL, 1, 1);
  memory_gets(HD_FILL, 3, 2);
  probes(1, 5, 0, 0, 5);
  probes(7, 3, 2, 0, 6);
  memory_answers(HD_FILL, id, 0, 1);
  sm_gets(false, 1, 1);
  probes(1, 5, 3, 1, 7);
  wreck();
}
static void a_full_set(void **state) {
  (void)state;
  for_all(full);
}

/* A load that could merge could be sent all the same. */
static void no_room_to_miss(enum hd_ptags tags) {
  struct hd_config c = with_probes(2, tags);
  c.l1d.mshrs = 1;
  build(c);
  brings(4);
  load(1, 1);
  const unsigned id = memory_gets(HD_FILL, 1, 1);
  probes(1, 3, 4, 4, 1); /* no MSHR */
  memory_answers(HD_FILL, id, 0, 1);
  sm_gets(false, 1, 1);
  probes(1, 3, 4, 5, 7);
  for (unsigned n = 0; n < 3; n++)
    store(0, n);
  idle(5);
  probes(1, 3, 4, 5, 0); /* no place in the miss queue */
  wreck();
}
static void no_mshr_or_queue_place(void **state) {
  (void)state;
  for_all(no_room_to_miss);
}

/* A load of line 5 takes the only way. Probes 0 and 1 ask for line 5, probe 2 for the line of the other set. */
static void takes_the_only_way(enum hd_ptags tags) {
  build(with_probes(1, tags));
  brings(4);
  load(5, 1);
  hung->u_probe_in.pr_line[0] = hung->u_probe_in.pr_line[1] = 5;
  hung->u_probe_in.pr_line[2] = 4;
}

/* The only way of the set gets its tag in cycle 3 after the load was taken. A probe given in 3 reads the tags then: it finds the
 * line neither in the cache nor in flight. A probe given in 4 finds it. The same way of the other set holds line 4. */
static void just_written(enum hd_ptags tags) {
  takes_the_only_way(tags);
  for (unsigned cycle = 1; cycle < 9; cycle++) {
    look();
    assert_int_equal(rig.m->s.outcome_write, cycle == 4);
    if (cycle > 2)
      assert_int_equal(hung->u_probe_out.pr_can, cycle == 5 ? 4 : 7);
    assert_int_equal(hung->u_probe_out.pr_hit, cycle > 2 ? 4 : 0);
    edge();
  }
  wreck();
  build(with_probes(2, tags)); /* the other way of the set answers as always */
  brings(7);
  hung->u_probe_in.pr_line[1] = 7;
  load(5, 1);
  for (unsigned cycle = 1; cycle < 9; cycle++) {
    look();
    assert_int_equal(rig.m->s.outcome_write, cycle == 4);
    assert_int_equal(hung->u_probe_out.pr_hit, cycle > 1 ? 2 : 0);
    edge();
  }
  wreck();
}
static void a_tag_just_written(void **state) {
  (void)state;
  for_both(just_written);
}

/* The same with `early`: for a probe given in 3, as the tag is written, only that way is unknown. */
static void just_written_early(enum hd_ptags tags) {
  takes_the_only_way(tags);
  for (unsigned cycle = 1; cycle < 9; cycle++) {
    look();
    assert_int_equal(rig.m->s.outcome_write, cycle == 4);
    if (cycle > 1) /* in 4 a miss could be sent as the set was when asked; later it could merge */
      assert_int_equal(hung->u_probe_out.pr_can, 7);
    assert_int_equal(hung->u_probe_out.pr_hit, cycle > 1 ? 4 : 0);
    edge();
  }
  memory_answers(HD_FILL, memory_gets(HD_FILL, 5, 1), 0, 5); /* enters a cycle after it is taken */
  for (unsigned cycle = 1; cycle < 4; cycle++) {
    look();
    assert_int_equal(hung->u_probe_out.pr_hit, cycle < 3 ? 4 : 7);
    edge();
  }
  wreck();
  build(with_probes(1, tags));
  brings(5); /* 7 takes its way in cycle 3: a probe of 2 hits, a probe of 3 does not */
  hung->u_probe_in.pr_line[1] = 5;
  load(7, 1);
  for (unsigned cycle = 1; cycle < 9; cycle++) {
    look();
    assert_int_equal(hung->u_probe_out.pr_hit, cycle < 4 ? 2 : 0);
    edge();
  }
  wreck();
}
static void a_tag_just_written_early(void **state) {
  (void)state;
  early = true;
  for_both(just_written_early);
  early = false;
}

/* With on_fill a tag is written when its line is already valid. No way is ever reserved. */
static void on_fill(enum hd_ptags tags) {
  struct hd_config c = with_probes(1, tags);
  c.l1d.allocate = HD_ON_FILL;
  c.l1d.mshrs = 1;
  build(c);
  load(5, 1);
  hung->u_probe_in.pr_line[1] = 5;
  const unsigned id = memory_gets(HD_FILL, 5, 1);
  idle(3);
  look();
  assert_int_equal(hung->u_probe_out.pr_can, 0); /* no MSHR, and lines in flight do not count */
  memory_answers(HD_FILL, id, 0, 5);
  for (unsigned cycle = 1; cycle < 6; cycle++) { /* the fill enters in 1 */
    look();
    assert_int_equal(rig.m->s.outcome_write, cycle == 2);
    assert_int_equal(hung->u_probe_out.pr_hit, cycle < 4 ? 0 : 2);
    edge();
  }
  sm_gets(false, 1, 5);
  probes(7, 5, 5, 6, 7);
  wreck();
}
static void probes_on_fill(void **state) {
  (void)state;
  for_both(on_fill);
}

/* The units' copies hold the same as the tags. */
static void copies(void **state) {
  (void)state;
  build(with_probes(2, HD_PTAGS_RAM));
  brings(5);
  brings(4);
  const struct l1d_st *s = &rig.m->s;
  const struct tag_probe_st *p = &hung->u_probe->s;
  const uint64_t *const copy[] = {p->tags_0, p->tags_1, p->tags_2};
  for (unsigned u = 0; u < 3; u++)
    assert_memory_equal(copy[u], s->tags, 4 * sizeof *s->tags);
  load(9, 1);
  idle(3);
  assert_int_equal(s->tags_wr, 1);
  assert_int_equal(p->tags_0_wr, 1);
  assert_int_equal(p->tags_2_wr, 1);
  assert_int_equal(p->tags_3_wr, -1);
  step();
  assert_int_equal(p->tags_0_wr, -1);
  wreck();
  build(with_probes(2, HD_PTAGS_FF));
  brings(5);
  brings(4);
  assert_memory_equal(hung->u_probe->s.ptag, rig.m->s.tags, 4 * sizeof *rig.m->s.tags);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hits_),
      cmocka_unit_test(a_full_set),
      cmocka_unit_test(no_mshr_or_queue_place),
      cmocka_unit_test(a_tag_just_written),
      cmocka_unit_test(a_tag_just_written_early),
      cmocka_unit_test(probes_on_fill),
      cmocka_unit_test(copies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
