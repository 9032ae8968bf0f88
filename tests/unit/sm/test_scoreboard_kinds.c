/* The scoreboard of sm_mem: uncached loads, atomics and errors of the memory. Correct traffic passes. Each planted error is caught,
 * in its own words. */
#include "tests/unit/sm/scoreboard_rig.h"

/* An atomic or an uncached load, up to the memory's answer. */
static void performed(unsigned wid, unsigned op, uint64_t line, uint64_t operand) {
  issue(wid, ASIDE + (int)op, line);
  give(wid, operand);
  b.out.mreq =
      (struct sreq){.kind = HD_BYPASSED, .op = op, .line = line, .last = 1, .wid = wid, .slot = b.slot};
  memcpy(b.out.mreq_wdata, b.in.st_data, b.c.d.WORDS * sizeof *b.out.mreq_wdata);
  memcpy(b.out.mreq_wmask, b.in.st_mask, b.c.d.WORDS * sizeof *b.out.mreq_wmask);
  b.out.mreq_valid = 1;
  tick();
  back(HD_BYPASSED, wid);
}

static void test_kinds(void **state) {
  (void)state;
  kinds(); /* 0x11.. + 0x22.., then loads of the sum */
  store(1, 7, 0x11);
  performed(2, HD_ATOM_ADD, 7, 0x22);
  data(2, 7, 0x11);
  performed(3, HD_UNCACHED, 7, 0x44);
  data(3, 7, 0x33);
  issue(1, LOAD, 7);
  ask(HD_FILL, 0, 7);
  back(HD_FILL, 0);
  data(1, 7, 0x33);
  good();

  kinds(); /* the new value instead of the old one */
  store(1, 7, 0x11);
  performed(2, HD_ATOM_ADD, 7, 0x22);
  data(2, 7, 0x33);
  bad("atomic to line 0x7 (warp 2 slot 0 number 0");

  kinds(); /* performed twice, as the next one shows */
  store(1, 7, 0x11);
  performed(2, HD_ATOM_ADD, 7, 0x22);
  data(2, 7, 0x11);
  performed(3, HD_ATOM_OR, 7, 0x44);
  data(3, 7, 0x55);
  bad("other data than the line had");

  kinds(); /* not performed, as a load shows */
  store(1, 7, 0x11);
  performed(2, HD_ATOM_ADD, 7, 0x22);
  data(2, 7, 0x11);
  issue(1, LOAD, 7);
  ask(HD_FILL, 0, 7);
  back(HD_FILL, 0);
  data(1, 7, 0x11);
  bad("byte 0 is 0x11; with the first 2 stores, the most allowed, it is 0x33");

  kinds(); /* an uncached load gets the L1D's old line */
  issue(1, LOAD, 7);
  ask(HD_FILL, 0, 7);
  back(HD_FILL, 0);
  data(1, 7, INITIAL);
  done(1);
  store(2, 7, 0x11);
  performed(3, HD_UNCACHED, 7, 0);
  data(3, 7, INITIAL);
  bad("uncached load of line 0x7");

  kinds(); /* never sent */
  issue(1, ASIDE + HD_UNCACHED, 7);
  data(1, 7, INITIAL);
  bad("before the memory has answered it");

  kinds();
  issue(1, ASIDE + HD_UNCACHED, 7);
  ask(HD_STORE, 1, 7);
  bad("names a store");

  kinds();
  issue(1, ASIDE + HD_ATOM_MIN, 7);
  give(1, 3);
  b.out.mreq.op = 0;
  ask(HD_BYPASSED, 1, 7);
  bad("as another operation");

  kinds();
  issue(1, ASIDE + HD_UNCACHED, 7);
  ask(HD_FILL, 0, 7);
  bad("no load waits for it");
}

/* The memory's answer is an error; the SM gets an error. */
static void fails(uint64_t kind, unsigned wid) {
  b.in.mrsp =
      (struct srsp){.kind = kind, .last = kind != HD_FILL, .wid = kind == HD_FILL ? 0 : wid, .error = 1};
  b.in.mrsp_valid = 1;
  tick();
}
static void hears(unsigned wid, bool write) {
  b.out.resp = (struct resp){.write = write, .wid = wid, .last = 1, .error = 1};
  b.out.resp_valid = 1;
  tick();
}

static void test_errors(void **state) {
  (void)state;
  slot();
  issue(1, LOAD, 7);
  issue(2, LOAD, 7);
  ask(HD_FILL, 0, 7);
  fails(HD_FILL, 0);
  hears(1, false);
  hears(2, false);
  issue(3, STORE, 7);
  give(3, 0x11);
  ask(HD_STORE, 3, 7);
  fails(HD_STORE, 3);
  hears(3, true);
  good();

  slot(); /* of another line */
  issue(1, LOAD, 7);
  issue(2, LOAD, 8);
  ask(HD_FILL, 0, 7);
  fails(HD_FILL, 0);
  hears(2, false);
  bad("an error that the memory did not give");

  slot(); /* before the load was inside */
  issue(1, LOAD, 7);
  ask(HD_FILL, 0, 7);
  fails(HD_FILL, 0);
  hears(1, false);
  done(1);
  issue(2, LOAD, 7);
  hears(2, false);
  bad("an error that the memory did not give");

  slot();
  issue(1, LOAD, 7);
  ask(HD_BYPASSED, 1, 7);
  fails(HD_BYPASSED, 1);
  data(1, 7, INITIAL);
  bad("without the error that the memory gave");

  slot();
  issue(3, STORE, 7);
  give(3, 0x11);
  ask(HD_STORE, 3, 7);
  back(HD_STORE, 3);
  hears(3, true);
  bad("an error that the memory did not give");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_kinds), cmocka_unit_test(test_errors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
