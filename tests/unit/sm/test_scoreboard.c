/* The scoreboard of sm_mem: conservation and bytes. Correct traffic passes. Each planted error is caught, in its own words. */
#include "tests/unit/sm/scoreboard_rig.h"

static void test_right(void **state) {
  (void)state;
  slot(); /* a miss, a hit, a store, and a load after it */
  issue(1, LOAD, 7);
  ask(HD_FILL, 0, 7);
  back(HD_FILL, 0);
  data(1, 7, INITIAL);
  done(1);
  issue(2, LOAD, 7);
  data(2, 7, INITIAL);
  done(2);
  store(3, 7, 0x33);
  issue(1, LOAD, 7);
  ask(HD_BYPASSED, 1, 7);
  back(HD_BYPASSED, 1);
  data(1, 7, 0x33);
  done(1);
  good();
}

static void test_conservation(void **state) {
  (void)state;
  slot();
  issue(1, LOAD, 7);
  bad("was never answered");

  slot();
  issue(1, LOAD, 7);
  ask(HD_FILL, 0, 7);
  back(HD_FILL, 0);
  data(1, 7, INITIAL);
  data(1, 7, INITIAL);
  bad("no such request is in flight");

  slot(); /* one request of two is answered twice, the other never */
  issue_lines(1, LOAD, 7, 2);
  b.out.resp.num = 0;
  for (int i = 0; i < 2; i++) {
    for (unsigned w = 0; w < b.c.d.WORDS; w++)
      b.out.resp_data[w] = hd_memory_initial(7, w);
    b.out.resp = (struct resp){.wid = 1};
    b.out.resp_valid = 1;
    tick();
  }
  bad("is answered a second time");

  slot();
  issue_lines(1, LOAD, 7, 2);
  data(1, 7, INITIAL);
  bad("wrong `last`");

  slot();
  issue(1, LOAD, 7);
  done(1);
  tick();
  bad("takes the instruction of warp 1 slot 0 for done");

  slot();
  ask(HD_FILL, 0, 9);
  bad("no load waits for it");

  slot();
  issue(1, LOAD, 7);
  issue(2, LOAD, 8);
  ask(HD_FILL, 0, 7);
  ask(HD_FILL, 0, 8);
  bad("not there or not free");

  slot(); /* acknowledged on its own */
  issue(1, STORE, 7);
  give(1, 0x11);
  ask(HD_STORE, 1, 7);
  answer(1, true);
  bad("before the memory has answered it");

  slot();
  issue(1, STORE, 7);
  give(1, 0x11);
  ask(HD_STORE, 1, 7);
  ask(HD_STORE, 1, 7);
  bad("a second time");
}

static void test_prefetch(void **state) {
  (void)state;
  prefetcher(1); /* two prefetches, and a load that hits one */
  tick();
  ask(HD_FILL, 0, 7);
  back(HD_FILL, 0);
  ask(HD_FILL, 0, 1023);
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  done(1);
  back(HD_FILL, 0);
  good();

  prefetcher(1); /* enabling it once is enough: requests inside go on */
  tick();
  b.in.pf_en = 0;
  tick();
  ask(HD_FILL, 0, 7);
  back(HD_FILL, 0);
  good();

  prefetcher(0);
  tick();
  ask(HD_FILL, 0, 7);
  bad("no load waits for it");

  prefetcher(1);
  tick();
  ask(HD_FILL, 0, 1024);
  bad("nor may it be prefetched");

  prefetcher(1);
  tick();
  ask(HD_FILL, 0, 7);
  assert_int_equal(hd_scoreboard_inside(b.board), 1);
  bad("MSHR 0 was never answered");

  prefetcher(1); /* stale: a store came in between */
  tick();
  ask(HD_FILL, 0, 7);
  issue(2, LOAD, 7);
  store(1, 7, 0x11);
  back(HD_FILL, 0);
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  bad("stale data");
}

static void may(void) {
  assert_string_equal(hd_scoreboard_text(b.board), "");
  end();
}

/* Eight lines for two ways in two sets: which CASC keeps, and which it makes bypass. */
static void test_bypass(void **state) {
  (void)state;
  static const struct {
    enum hd_casc scheme;
    unsigned bypasses, cached; /* numbers */
  } cases[] = {{HD_CASC_FIRST, 2, 1}, {HD_CASC_LAST, 5, 6}, {HD_CASC_PER_SET, 3, 4}};
  for (unsigned i = 0; i < 3; i++) {
    const unsigned yes = cases[i].bypasses, no = cases[i].cached;
    chooser(cases[i].scheme, 1);
    issue_lines(1, LOAD, 8, 8);
    ask_number(1, 8 + yes, yes);
    ask(HD_FILL, 0, 8 + no);
    may();

    chooser(cases[i].scheme, 1);
    issue_lines(1, LOAD, 8, 8);
    ask_number(1, 8 + no, no);
    bad("nothing lets it");

    chooser(cases[i].scheme, 1);
    issue_lines(1, LOAD, 8, 8);
    ask(HD_FILL, 0, 8 + yes);
    bad("no load that is to be cached waits for it");

    chooser(cases[i].scheme, 1); /* of another load, with one line */
    issue_lines(1, LOAD, 8, 8);
    issue(2, LOAD, 8 + yes);
    ask(HD_FILL, 0, 8 + yes);
    may();

    chooser(cases[i].scheme, 1); /* perhaps begun before the enable */
    b.in.casc_en = 0;
    issue_lines(1, LOAD, 8, 8);
    b.in.casc_en = 1;
    ask(HD_FILL, 0, 8 + yes);
    may();

    chooser(cases[i].scheme, 0);
    issue_lines(1, LOAD, 8, 8);
    ask_number(1, 8 + yes, yes);
    bad("nothing lets it");
  }
  chooser(HD_CASC_ALL, 1); /* no more requests than ways */
  issue_lines(1, LOAD, 8, 2);
  ask_number(1, 8, 0);
  bad("nothing lets it");

  chooser(HD_CASC_LOCALITY, 1); /* kept by number, not by degree */
  issue_lines(1, LOAD, 8, 8);
  ask_number(1, 14, 6);
  may();

  begin(HD_MRPB, HD_SIG_WARP); /* the stall bypass, before the enable and after */
  b.in.mrpb_en = 0;
  issue(1, LOAD, 7);
  ask(HD_BYPASSED, 1, 7);
  bad("nothing lets it");
  begin(HD_MRPB, HD_SIG_WARP);
  tick();
  b.in.mrpb_en = 0;
  issue(1, LOAD, 7);
  ask(HD_BYPASSED, 1, 7);
  may();

  chooser(HD_CASC_OFF, 1); /* with the table */
  tick();
  b.in.rft_en = 0;
  issue(1, LOAD, 7);
  ask(HD_BYPASSED, 1, 7);
  may();

  chooser(HD_CASC_OFF, 0);
  issue(1, LOAD, 7);
  ask(HD_BYPASSED, 1, 7);
  bad("nothing lets it");
}

/* With APCM, and with CASC that keeps the first two of eight. */
static void patterns(enum hd_apcm manage, uint64_t enabled) {
  memset(&b, 0, sizeof b);
  hd_config_default(&b.c);
  b.c.casc.scheme = HD_CASC_FIRST;
  b.c.apcm.manage = manage;
  b.c.l1d.sets = b.c.l1d.ways = 2;
  make();
  b.in.casc_en = 1;
  b.in.apcm_en = enabled;
}

static void test_patterns(void **state) {
  (void)state;
  for (int manage = HD_APCM_BYPASS; manage <= HD_APCM_BOTH; manage++) {
    patterns((enum hd_apcm)manage, 1); /* enabling it once is enough */
    tick();
    b.in.apcm_en = 0;
    issue(1, LOAD, 7);
    ask(HD_BYPASSED, 1, 7);
    may();

    patterns((enum hd_apcm)manage, 0);
    issue(1, LOAD, 7);
    ask(HD_BYPASSED, 1, 7);
    bad("nothing lets it");

    patterns((enum hd_apcm)manage, 0); /* APCM may protect what CASC would make bypass, once it is enabled */
    issue_lines(1, LOAD, 8, 8);
    b.in.apcm_en = 1;
    tick();
    b.in.apcm_en = 0;
    ask(HD_FILL, 0, 10);
    if (manage == HD_APCM_BYPASS)
      bad("no load that is to be cached waits for it");
    else
      may();
  }
  patterns(HD_APCM_PROTECT, 1);
  tick();
  b.in.apcm_en = 0;
  tick();
  issue_lines(1, LOAD, 8, 8);
  ask(HD_FILL, 0, 10);
  bad("no load that is to be cached waits for it");
}

static void test_bytes(void **state) {
  (void)state;
  slot();
  issue(1, LOAD, 7);
  for (unsigned w = 0; w < b.c.d.WORDS; w++)
    b.out.resp_data[w] = hd_memory_initial(7, w);
  b.out.resp_data[2] ^= 0x100;
  answer(1, false);
  bad("a wrong byte: byte 17");

  slot();
  issue(1, STORE, 7);
  give(1, 0x11);
  b.in.st_data[0] ^= 1;
  ask(HD_STORE, 1, 7);
  bad("other bytes than the SM gave");

  slot();
  issue(1, STORE, 7);
  give(1, 0x11);
  b.in.st_mask[0] ^= 1;
  ask(HD_STORE, 1, 7);
  bad("byte mask");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_right),  cmocka_unit_test(test_conservation), cmocka_unit_test(test_prefetch),
      cmocka_unit_test(test_bypass), cmocka_unit_test(test_patterns),     cmocka_unit_test(test_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
