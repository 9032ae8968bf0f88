/* The L1 data cache with line_uses and rft_line: what lines know of their loads, and loads that the reuse-frequency table makes
 * bypass. */
#include "tests/unit/l1d/l1d_group_rig.h"

static struct hd_config with_table(enum hd_rft form) {
  struct hd_config c = small(1);
  c.rft.form = form;
  c.rft.entries = 4;
  c.l1d.count_bits = 2;
  return c;
}

static void build_table(struct hd_config c, uint64_t bypass) {
  build(c);
  of_sm.rft_en = 1;
  of_sm.rft_bypass = bypass;
}

static void load_of(unsigned hpc, uint64_t line, unsigned num) {
  offer((struct req){.line = line, .num = num, .hpc = hpc});
}

/* A load of that program counter that misses, until its line is filled. */
static void brings_for(unsigned hpc, uint64_t line) {
  load_of(hpc, line, 1);
  memory_answers(HD_FILL, memory_gets(HD_FILL, line, 1), 0, line);
  sm_gets(false, 1, line);
}

static void hits_for(unsigned hpc, uint64_t line) {
  const uint64_t before = EVENTS(load_hit);
  load_of(hpc, line, 2);
  sm_gets(false, 2, line);
  assert_int_equal(EVENTS(load_hit), before + 1);
}

/* A load of that program counter that bypasses, until it is answered. */
static void passes_for(unsigned hpc, uint64_t line) {
  load_of(hpc, line, 3);
  memory_gets(HD_BYPASSED, line, 3);
  memory_answers(HD_BYPASSED, 0, 3, line);
  sm_gets(false, 3, line);
}

/* Checks the report of the line that the last load replaced, in one cycle: the program counter that brought it, and the count of its
 * re-references. */
static void reports(unsigned hpc, unsigned count) {
  look();
  for (unsigned i = 0; !hung->u_line_uses_out.evict_valid; i++, look()) {
    assert_true(i < PATIENCE);
    edge();
  }
  assert_int_equal(hung->u_line_uses_out.evict_hpc, hpc);
  assert_int_equal(hung->u_line_uses_out.evict_count, count);
  edge();
  look();
  assert_int_equal(hung->u_line_uses_out.evict_valid, 0);
}

/* A load of program counter `hpc` replaces a line. Checks the report of the old line. */
static void replaces(unsigned hpc, uint64_t line, unsigned of, unsigned count) {
  load_of(hpc, line, 1);
  reports(of, count);
  memory_answers(HD_FILL, memory_gets(HD_FILL, line, 1), 0, line);
  sm_gets(false, 1, line);
}

/* A store empties the line's way. */
static void frees(uint64_t line) {
  store(line, 4);
  memory_gets(HD_STORE, line, 4);
  memory_answers(HD_STORE, 0, 4, 0);
  sm_gets(true, 4, 0);
}

/* Choo's Figure 5.4 at the L1D, in a set of one line. */
static void figure_5_4(void **state) {
  (void)state;
  build_table(with_table(HD_RFT_BIT), 0);
  brings_for(1, 0);
  assert_int_equal(hung->u_line_uses_out.evict_valid, 0); /* the way was empty */
  replaces(2, 2, 1, 0);                                   /* no load re-used line 0 */
  assert_int_equal(EVENTS_OF(u_line_uses, line_uses, evict_unused), 1);
  of_sm.rft_bypass = 1 << 1; /* the table closes its entry */
  passes_for(1, 0);
  hits_for(2, 2);
  hits_for(1, 2); /* a load that is to bypass hits, is served, and re-references the line */
  assert_int_equal(EVENTS(early_hit), 1);
  of_sm.rft_bypass = 0;
  replaces(1, 4, 2, 1); /* one bit: reused */
  assert_int_equal(EVENTS_OF(u_line_uses, line_uses, evict_used), 1);
  of_sm.rft_bypass = 1 << 1;
  hits_for(1, 4);
  of_sm.rft_bypass = 0;
  replaces(3, 6, 1, 1); /* the old program counter is reported */
  assert_int_equal(EVENTS_OF(u_line_uses, line_uses, evict_used), 2);
  wreck();
}

static void forwarded_by_the_table(void **state) {
  (void)state;
  struct hd_config c = with_table(HD_RFT_BIT);
  c.l1d.bypass_hit = HD_BYPASS_FORWARD;
  build_table(c, 0);
  brings_for(1, 0);
  of_sm.rft_bypass = 1 << 1;
  passes_for(1, 0);
  assert_int_equal(EVENTS(early_hit), 1);
  assert_int_equal(EVENTS(early), 1);
  replaces(2, 2, 1, 1); /* it re-references the line all the same */
  wreck();
}

static void the_counter(void **state) {
  (void)state;
  build_table(with_table(HD_RFT_AVERAGE), 0);
  for (unsigned count = 0; count < 6; count++) {
    const uint64_t line = 2 * count;
    brings_for(1, line);
    for (unsigned i = 0; i < count; i++)
      hits_for(i % 4, line);
    replaces(2, 100, 1, count < 3 ? count : 3); /* two bits, and the hash of the load that brought it */
    frees(100);                                 /* that is no eviction (D-RFT-6) */
  }
  assert_int_equal(
      EVENTS_OF(u_line_uses, line_uses, evict_unused) + EVENTS_OF(u_line_uses, line_uses, evict_used), 6);
  wreck();
}

/* D-CASC-4: a merge counts before the line has arrived. */
static void a_merge_re_references(void **state) {
  (void)state;
  build_table(with_table(HD_RFT_AVERAGE), 0);
  load_of(3, 0, 1);
  load_of(2, 0, 2);
  memory_answers(HD_FILL, memory_gets(HD_FILL, 0, 1), 0, 0);
  sm_gets(false, 1, 0);
  sm_gets(false, 2, 0);
  replaces(1, 2, 3, 1);
  wreck();
}

/* A line is replaced in the cycle after another line came to its way in another set. Both hashes are right. */
static void close_together(void **state) {
  (void)state;
  build_table(with_table(HD_RFT_BIT), 0);
  brings_for(1, 0);
  brings_for(2, 1);
  load_of(3, 2, 1); /* drives out 0 */
  load_of(0, 3, 1); /* and, a cycle later, line 1 */
  look();
  while (!hung->u_line_uses_out.evict_valid)
    step(), look();
  assert_int_equal(hung->u_line_uses_out.evict_hpc, 1);
  edge();
  look();
  assert_int_equal(hung->u_line_uses_out.evict_valid, 1);
  assert_int_equal(hung->u_line_uses_out.evict_hpc, 2);
  edge();
  look();
  assert_int_equal(hung->u_line_uses_out.evict_valid, 0);
  assert_int_equal(hung->u_line_uses->s.line_hpc[0], 3);
  assert_int_equal(hung->u_line_uses->s.line_hpc[1], 0);
  wreck();
}

/* D-MIX-2, and the hash of a store. */
static void not_by_the_table(void **state) {
  (void)state;
  build_table(with_table(HD_RFT_BIT), 0xf);
  of_sm.rft_en = 0;
  brings_for(1, 0);
  of_sm.rft_en = 1;
  offer((struct req){.line = 2, .write = 1, .num = 2, .hpc = 1});
  idle(2);
  assert_int_equal(rig.m->s.d_valid, 1);
  assert_int_equal(hung->u_rft_line->s.d_rft, 0);
  memory_gets(HD_STORE, 2, 2);
  assert_int_equal(EVENTS(early) + EVENTS(bypass) + EVENTS(early_hit), 0);
  wreck();
}

/* With the longer hashes of the re-reference table, the entry here is the XOR of their pieces: 7 is 11 xor 01. */
static void folded_hashes(void **state) {
  (void)state;
  struct hd_config c = with_table(HD_RFT_BIT);
  c.casc.scheme = HD_CASC_LOCALITY;
  c.casc.pc_bits = 3;
  build_table(c, 1 << 2);
  passes_for(7, 0);
  passes_for(2, 0);
  brings_for(3, 0);
  wreck();
}

/* D-RFT-3: two loads bypass and the third is cached. Each entry counts for itself. Hits do not count. */
static void resampling(void **state) {
  (void)state;
  struct hd_config c = with_table(HD_RFT_BIT);
  c.rft.resample = 3;
  build_table(c, 1 << 1 | 1 << 2);
  passes_for(2, 101);
  for (unsigned round = 1; round < 4; round++) {
    passes_for(1, 0);
    passes_for(1, 2);
    brings_for(1, 0);
    assert_int_equal(EVENTS_OF(u_rft_line, rft_line, resample), round);
    hits_for(1, 0);
    frees(0);
  }
  passes_for(2, 101);
  brings_for(2, 101);
  wreck();
}

/* The two loads behind another see the count before that load is reported (D-RFT-8), the third sees the count after. A load that
 * resamples and hits has resampled. */
static void resampling_close_together(void **state) {
  (void)state;
  struct hd_config c = with_table(HD_RFT_BIT);
  c.rft.resample = 2;
  build_table(c, 1 << 1);
  load_of(1, 0, 1);
  load_of(1, 2, 2);
  load_of(1, 6, 4);
  load_of(1, 4, 3);
  memory_gets(HD_BYPASSED, 0, 1);
  memory_gets(HD_BYPASSED, 2, 2);
  memory_gets(HD_BYPASSED, 6, 4);
  memory_answers(HD_FILL, memory_gets(HD_FILL, 4, 3), 0, 4);
  sm_gets(false, 3, 4);
  assert_int_equal(EVENTS_OF(u_rft_line, rft_line, resample), 1);
  passes_for(1, 0);
  hits_for(1, 4);
  assert_int_equal(EVENTS_OF(u_rft_line, rft_line, resample), 2);
  load_of(1, 0, 1);
  load_of(1, 2, 2); /* counts no further */
  memory_gets(HD_BYPASSED, 0, 1);
  memory_gets(HD_BYPASSED, 2, 2);
  hits_for(1, 4);
  assert_int_equal(EVENTS_OF(u_rft_line, rft_line, resample), 3);
  wreck();
}

/* A load that bypasses only because of CASC does not count. */
static void resampling_beside_casc(void **state) {
  (void)state;
  struct hd_config c = with_table(HD_RFT_BIT);
  c.rft.resample = 2;
  c.casc.scheme = HD_CASC_ALL;
  build_table(c, 0);
  load_to_bypass(0, 3);
  memory_gets(HD_BYPASSED, 0, 3);
  of_sm.rft_bypass = 1;
  passes_for(0, 0);
  brings_for(0, 0);
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_5_4),
      cmocka_unit_test(forwarded_by_the_table),
      cmocka_unit_test(the_counter),
      cmocka_unit_test(a_merge_re_references),
      cmocka_unit_test(close_together),
      cmocka_unit_test(not_by_the_table),
      cmocka_unit_test(folded_hashes),
      cmocka_unit_test(resampling),
      cmocka_unit_test(resampling_close_together),
      cmocka_unit_test(resampling_beside_casc),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
