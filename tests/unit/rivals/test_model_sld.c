/* Spatial locality detection: two lines of a macro block of four fetch the other two. By hand from docs/mechanisms/rivals.md. */
#define RIG sld
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

static void build_with(unsigned table) {
  struct hd_config c = defaults();
  c.prefetch.kind = HD_PF_SLD;
  c.prefetch.table = table;
  build(c);
  rig.in.en = 1;
}

static void see(uint64_t line) {
  rig.in.ev_valid = 1;
  rig.in.ev_line = line;
  step();
  rig.in.ev_valid = 0;
}

static void offers(uint64_t line) {
  look();
  assert_int_equal(rig.out.pf_valid, 1);
  assert_int_equal(rig.out.pf_line, line);
}

static void offers_nothing(void) {
  look();
  assert_int_equal(rig.out.pf_valid, 0);
}

/* The L1D takes the offered line. */
static void take(uint64_t line) {
  offers(line);
  rig.in.pf_ready = 1;
  edge();
  rig.in.pf_ready = 0;
}

static void two_lines_fetch_the_others(void **state) {
  (void)state;
  build_with(4);
  see(0x41);
  see(0x81); /* of another block */
  see(0x41); /* again */
  offers_nothing();
  see(0x43);
  for (unsigned i = 0; i < 3; i++) {
    offers(0x40);
    edge();
  }
  take(0x40);
  take(0x42);
  offers_nothing();
  for (uint64_t line = 0x40; line < 0x44; line++) /* already detected */
    see(line);
  offers_nothing();
  see(0x80);
  take(0x82);
  take(0x83);
  offers_nothing();
  assert_int_equal(EVENTS(take), 9);
  assert_int_equal(EVENTS(detect), 2);
  assert_int_equal(EVENTS(busy), 0);
  wreck();
}

static void lines_that_wait_lose_a_detection(void **state) {
  (void)state;
  build_with(4);
  see(0x10);
  see(0x20);
  see(0x30);
  see(0x11);
  see(0x21); /* 0x12 and 0x13 wait */
  assert_int_equal(EVENTS(busy), 1);
  take(0x12);
  rig.in.pf_ready = 1; /* the last line leaves as block 0x30 is detected */
  see(0x31);
  rig.in.pf_ready = 0;
  take(0x32);
  take(0x33);
  see(0x22); /* block 0x20 was done */
  see(0x23);
  offers_nothing();
  assert_int_equal(EVENTS(detect), 2);
  assert_int_equal(EVENTS(busy), 1);
  wreck();
}

/* One of the two lines still waits when the other is taken: no room. */
static void one_line_that_waits_is_enough(void **state) {
  (void)state;
  build_with(4);
  see(0x10);
  see(0x20);
  see(0x11);
  rig.in.pf_ready = 1;
  see(0x21);
  rig.in.pf_ready = 0;
  assert_int_equal(EVENTS(busy), 1);
  take(0x13);
  offers_nothing();
  wreck();
}

static void the_least_recently_used_gives_way(void **state) {
  (void)state;
  build_with(2);
  see(0x10);
  see(0x20);
  see(0x10); /* counts as a use */
  see(0x30); /* replaces 0x20 */
  see(0x21);
  offers_nothing(); /* replaces 0x10 */
  see(0x31);
  take(0x32);
  take(0x33);
  see(0x20);
  take(0x22);
  take(0x23);
  see(0x40); /* replaces 0x30, which may be detected again */
  see(0x30);
  see(0x33);
  take(0x31);
  take(0x32);
  assert_int_equal(EVENTS(detect), 3);
  wreck();
}

/* D-MIX-2. */
static void en_low_sees_nothing(void **state) {
  (void)state;
  build_with(2);
  see(0x10);
  see(0x13);
  rig.in.en = 0;
  see(0x20);
  see(0x21);
  assert_int_equal(EVENTS(take), 2);
  take(0x11); /* prefetches in progress go on */
  take(0x12);
  offers_nothing();
  assert_int_equal(sld_tick(rig.m, &rig.in), 0);
  wreck();
}

static void a_kernel_forgets(void **state) {
  (void)state;
  build_with(2);
  see(0x10);
  rig.in.clear = 1;
  see(0x20); /* a request of this very cycle is lost, too */
  rig.in.clear = 0;
  see(0x11);
  see(0x21);
  assert_int_equal(EVENTS(clear), 1);
  assert_int_equal(EVENTS(detect), 0);
  offers_nothing();
  see(0x12);
  take(0x10);
  take(0x13);
  wreck();
}

static void wrong_bits_prefetch_otherwise(void **state) {
  (void)state;
  static const unsigned tables[] = {1, 2, 10, 32};
  for (unsigned i = 0; i < 4; i++) {
    build_with(tables[i]);
    for (unsigned n = 0; n < 4000; n++) {
      rig.in.pf_ready = draw_below(2);
      rig.in.ev_valid = draw_below(2);
      rig.in.ev_line = draw_below(0x80);
      flip_a_bit();
      step();
      state_fits();
    }
    assert_true(EVENTS(detect) > 0);
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_lines_fetch_the_others),
      cmocka_unit_test(lines_that_wait_lose_a_detection),
      cmocka_unit_test(one_line_that_waits_is_enough),
      cmocka_unit_test(the_least_recently_used_gives_way),
      cmocka_unit_test(a_kernel_forgets),
      cmocka_unit_test(en_low_sees_nothing),
      cmocka_unit_test(wrong_bits_prefetch_otherwise),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
