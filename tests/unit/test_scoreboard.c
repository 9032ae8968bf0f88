/* The scoreboard of sm_mem: a small machine is played by hand, one event a cycle; what is right passes, and
 * each planted error is caught, in the words that belong to it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cmodel/memory.h"
#include "verif/scoreboard.h"

enum { LOAD, STORE };
enum { FILL = 0, BYPASSED = 1, WRITE = 2 }; /* at the memory port */

static struct {
  struct hd_config c;
  struct hd_design *design;
  const struct hd_decl *decl;
  struct hd_scoreboard *board;
  struct hd_sm_watch watch;
  struct sm_mem_in in;
  struct sm_mem_out out;
  struct wl_inst inst[8]; /* of each warp, the last one */
  unsigned epoch[8];
  uint64_t seq;
  unsigned slot; /* of what the functions below name */
} b;

/* Warps 0..3 are CTA 0, the others CTA 1. */
static void begin(enum hd_buffer kind, enum hd_signature signature) {
  memset(&b, 0, sizeof b);
  hd_config_default(&b.c);
  b.c.request_buffer.kind = kind;
  b.c.request_buffer.signature = signature;
  assert_int_equal(hd_config_check(&b.c, NULL, NULL, stderr), 0);
  b.design = hd_design_new(&b.c);
  b.decl = hd_design_find(b.design, "sm_mem");
  assert_true(hd_alloc_in(b.decl, &b.in) && hd_alloc_out(b.decl, &b.out));
  b.board = hd_scoreboard_new(&b.c);
  b.watch = hd_scoreboard_watch(b.board);
}

static void end(void) {
  hd_scoreboard_free(b.board);
  hd_free_in(b.decl, &b.in);
  hd_free_out(b.decl, &b.out);
  hd_design_free(b.design);
}

/* A cycle with the ports as they stand, then all valids off. */
static void tick(void) {
  b.in.resp_ready = b.in.mreq_ready = b.out.issue_ready = b.out.mrsp_ready = 1;
  hd_scoreboard_clock(b.board, &b.in, &b.out);
  b.in.issue_valid = b.in.mrsp_valid = b.out.st_valid = b.out.resp_valid = b.out.mreq_valid = 0;
}

/* An instruction in a slot of the warp: all lanes on 8 bytes of one line each, `lines` lines from `line` on,
 * in turn. It is picked, and a cycle later taken by the coalescer. */
static void issue_lines(unsigned wid, int op, uint64_t line, unsigned lines) {
  struct wl_inst *i = &b.inst[wid];
  *i = (struct wl_inst){.op = op == STORE ? WL_STORE : WL_LOAD, .active = UINT32_MAX, .size = 8};
  for (unsigned l = 0; l < WL_LANES; l++) {
    i->addr[l] = (line + l % lines) * b.c.l1d.line_bytes;
    b.in.issue_line[l] = line + l % lines;
  }
  b.watch.issue(b.watch.ctx, &(struct hd_sm_mem_inst){.wid = wid,
                                                      .slot = b.slot,
                                                      .cta = wid / 4,
                                                      .warp_in_cta = wid % 4,
                                                      .inst = i,
                                                      .seq = b.seq++,
                                                      .epoch = b.epoch[wid]});
  tick();
  b.in.issue_valid = 1;
  b.in.issue_write = op == STORE;
  b.in.issue_wid = wid;
  b.in.issue_slot = b.slot;
  b.in.issue_mask = UINT32_MAX;
  tick();
}

static void issue(unsigned wid, int op, uint64_t line) {
  issue_lines(wid, op, line, 1);
}

/* The SM gives the store's bytes: its first 8, all `byte`. */
static void give(unsigned wid, uint64_t byte) {
  memset(b.in.st_data, 0, b.c.d.WORDS * sizeof *b.in.st_data);
  memset(b.in.st_mask, 0, b.c.d.WORDS * sizeof *b.in.st_mask);
  b.in.st_data[0] = byte * UINT64_C(0x0101010101010101);
  b.in.st_mask[0] = 0xff;
  b.out.st_valid = 1;
  b.out.st_wid = wid;
  b.out.st_slot = b.slot;
  b.out.st_lanes = UINT32_MAX;
  tick();
}

static void ask(uint64_t kind, unsigned wid, uint64_t line) {
  b.out.mreq = (struct mreq){.kind = kind, .line = line, .last = kind != FILL, .wid = kind == FILL ? 0 : wid};
  b.out.mreq.slot = kind == FILL ? 0 : b.slot;
  b.out.mreq_valid = 1;
  if (kind == WRITE) { /* with the bytes given last */
    memcpy(b.out.mreq_wdata, b.in.st_data, b.c.d.WORDS * sizeof *b.out.mreq_wdata);
    memcpy(b.out.mreq_wmask, b.in.st_mask, b.c.d.WORDS * sizeof *b.out.mreq_wmask);
  }
  tick();
}

static void back(uint64_t kind, unsigned wid) {
  b.in.mrsp = (struct mrsp){.kind = kind, .last = kind != FILL, .wid = kind == FILL ? 0 : wid};
  b.in.mrsp_valid = 1;
  tick();
}

static void answer(unsigned wid, bool write) {
  b.out.resp = (struct resp){.write = write, .wid = wid, .last = 1};
  b.out.resp_valid = 1;
  tick();
}

/* A load's answer: the line with its first 8 bytes as `byte`, or as they were in the beginning. */
enum { INITIAL = 256 };
static void data(unsigned wid, uint64_t line, uint64_t byte) {
  for (unsigned w = 0; w < b.c.d.WORDS; w++)
    b.out.resp_data[w] = hd_memory_initial(line, w);
  if (byte != INITIAL)
    b.out.resp_data[0] = byte * UINT64_C(0x0101010101010101);
  answer(wid, false);
}

static void done(unsigned wid) {
  b.watch.done(b.watch.ctx, wid, 0);
}

/* A store through to its acknowledgement. */
static void store(unsigned wid, uint64_t line, uint64_t byte) {
  issue(wid, STORE, line);
  give(wid, byte);
  ask(WRITE, wid, line);
  back(WRITE, wid);
  answer(wid, true);
  done(wid);
}

static void good(void) {
  assert_true(hd_scoreboard_finish(b.board));
  assert_string_equal(hd_scoreboard_text(b.board), "");
  assert_true(hd_scoreboard_checked(b.board) > 0);
  assert_int_equal(hd_scoreboard_inside(b.board), 0);
  end();
}

static void bad(const char *words) {
  const bool ok = hd_scoreboard_finish(b.board);
  if (ok || !strstr(hd_scoreboard_text(b.board), words))
    fail_msg("found \"%s\", expected \"%s\"", hd_scoreboard_text(b.board), words);
  end();
}

static void slot(void) {
  begin(HD_SLOT, HD_SIG_WARP);
}
static void buffer(enum hd_signature signature) {
  begin(HD_MRPB, signature);
}

static void test_right(void **state) {
  (void)state;
  slot(); /* a miss, a hit, a store, and what comes after it */
  issue(1, LOAD, 7);
  ask(FILL, 0, 7);
  back(FILL, 0);
  data(1, 7, INITIAL);
  done(1);
  issue(2, LOAD, 7);
  data(2, 7, INITIAL);
  done(2);
  store(3, 7, 0x33);
  issue(1, LOAD, 7);
  ask(BYPASSED, 1, 7);
  back(BYPASSED, 1);
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
  ask(FILL, 0, 7);
  back(FILL, 0);
  data(1, 7, INITIAL);
  data(1, 7, INITIAL);
  bad("no such request is in flight");

  slot(); /* one request of two answered twice, the other never */
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
  ask(FILL, 0, 9);
  bad("no load waits for it");

  slot();
  issue(1, LOAD, 7);
  issue(2, LOAD, 8);
  ask(FILL, 0, 7);
  ask(FILL, 0, 8);
  bad("not there or not free");

  slot(); /* acknowledged on its own */
  issue(1, STORE, 7);
  give(1, 0x11);
  ask(WRITE, 1, 7);
  answer(1, true);
  bad("before the memory has answered it");

  slot();
  issue(1, STORE, 7);
  give(1, 0x11);
  ask(WRITE, 1, 7);
  ask(WRITE, 1, 7);
  bad("a second time");
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
  ask(WRITE, 1, 7);
  bad("other bytes than the SM gave");

  slot();
  issue(1, STORE, 7);
  give(1, 0x11);
  b.in.st_mask[0] ^= 1;
  ask(WRITE, 1, 7);
  bad("byte mask");
}

static void test_stale(void **state) {
  (void)state;
  buffer(HD_SIG_WARP); /* own store, acknowledged */
  store(1, 7, 0x11);
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  bad("wrong byte"); /* the version before is not kept: nothing may return it */

  buffer(HD_SIG_WARP); /* the same, while an old load may still return it */
  issue(2, LOAD, 7);
  store(1, 7, 0x11);
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  bad("stale data");

  buffer(HD_SIG_WARP); /* own store, not yet sent */
  issue(1, STORE, 7);
  issue(5, LOAD, 7); /* another warp's: may */
  data(5, 7, INITIAL);
  assert_string_equal(hd_scoreboard_text(b.board), "");
  end();

  buffer(HD_SIG_WARP); /* a store sent before the load was issued, of any warp */
  issue(2, LOAD, 7);
  issue(6, STORE, 7);
  give(6, 0x66);
  ask(WRITE, 6, 7);
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  bad("stale data");

  slot(); /* one slot: all is in order */
  issue(6, STORE, 7);
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  bad("ordered before it was sent");
}

static void test_future(void **state) {
  (void)state;
  buffer(HD_SIG_WARP); /* a store on its way */
  issue(1, LOAD, 7);
  issue(6, STORE, 7);
  give(6, 0x66);
  data(1, 7, 0x66);
  bad("future data");

  buffer(HD_SIG_WARP); /* the same, sent: may, or may not */
  issue(1, LOAD, 7);
  issue(2, LOAD, 7);
  issue(6, STORE, 7);
  give(6, 0x66);
  ask(WRITE, 6, 7);
  data(1, 7, 0x66);
  data(2, 7, INITIAL);
  assert_string_equal(hd_scoreboard_text(b.board), "");
  end();

  slot(); /* one slot: the store comes after */
  issue(1, LOAD, 7);
  issue(6, STORE, 7);
  give(6, 0x66);
  ask(WRITE, 6, 7);
  data(1, 7, 0x66);
  bad("future data");

  buffer(HD_SIG_BLOCK); /* of one CTA: one queue */
  issue(1, LOAD, 7);
  issue(2, STORE, 7);
  give(2, 0x22);
  ask(WRITE, 2, 7);
  data(1, 7, 0x22);
  bad("future data");
}

static void test_barrier(void **state) {
  (void)state;
  buffer(HD_SIG_WARP); /* a store before the barrier, not yet sent */
  issue(2, STORE, 7);
  b.epoch[1] = 1;
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  bad("ordered before it was sent");

  buffer(HD_SIG_WARP); /* a store after the barrier */
  issue(1, LOAD, 7);
  b.epoch[2] = 1;
  issue(2, STORE, 7);
  give(2, 0x22);
  ask(WRITE, 2, 7);
  data(1, 7, 0x22);
  bad("future data");

  buffer(HD_SIG_WARP); /* stores on both sides that change places */
  issue(2, STORE, 7);
  b.epoch[1] = 1;
  issue(1, STORE, 7);
  give(1, 0x11);
  ask(WRITE, 1, 7);
  bad("is sent before a store to its line that is ordered before it");

  buffer(HD_SIG_WARP); /* another CTA's barriers order nothing */
  issue(5, STORE, 7);
  b.epoch[1] = 1;
  issue(1, LOAD, 7);
  data(1, 7, INITIAL);
  assert_string_equal(hd_scoreboard_text(b.board), "");
  end();
}

/* One warp, two instructions in flight: program order. */
static void test_same_warp(void **state) {
  (void)state;
  buffer(HD_SIG_WARP); /* two stores that change places */
  issue(1, STORE, 7);
  b.slot = 1;
  issue(1, STORE, 7);
  give(1, 0x22);
  ask(WRITE, 1, 7);
  bad("is sent before a store to its line that is ordered before it");

  buffer(HD_SIG_WARP); /* the same to two lines: may */
  issue(1, STORE, 7);
  b.slot = 1;
  issue(1, STORE, 8);
  give(1, 0x22);
  ask(WRITE, 1, 8);
  assert_string_equal(hd_scoreboard_text(b.board), "");
  end();

  buffer(HD_SIG_WARP); /* a load that passes the store before it */
  issue(1, STORE, 7);
  b.slot = 1;
  issue(1, LOAD, 7);
  for (unsigned w = 0; w < b.c.d.WORDS; w++)
    b.out.resp_data[w] = hd_memory_initial(7, w);
  b.out.resp = (struct resp){.wid = 1, .slot = 1, .last = 1};
  b.out.resp_valid = 1;
  tick();
  bad("ordered before it was sent");
}

/* The histories do not grow: many stores to one line, always with a load inside. */
static void test_pruning(void **state) {
  (void)state;
  buffer(HD_SIG_WARP);
  unsigned old = 0;
  issue(old, LOAD, 7);
  uint64_t before = INITIAL;
  for (unsigned i = 0; i < 200; i++) {
    const unsigned new = (old + 1) % 2;
    store(5, 7, i);
    issue(new, LOAD, 7);
    data(old, 7, i % 2 ? i : before);
    done(old);
    before = i;
    old = new;
  }
  data(old, 7, before);
  good();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_right),     cmocka_unit_test(test_conservation), cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_stale),     cmocka_unit_test(test_future),       cmocka_unit_test(test_barrier),
      cmocka_unit_test(test_same_warp), cmocka_unit_test(test_pruning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
