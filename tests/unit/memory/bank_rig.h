/* A small bank of the L2 for tests. Its clock is the core's. */
#ifndef HEDDLE_TESTS_UNIT_BANK_RIG_H
#define HEDDLE_TESTS_UNIT_BANK_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cmodel/memory/bank.h"

enum { TO_ANSWER = 6, TO_RETURN = 7 }; /* docs/mechanisms/l2.md */
enum { WAY = 20, AWAY = 9, PLACES = 3, SETS = 4, WAYS = 2, WORDS = 4, LINES = 24, MSHRS = 3 };

static struct {
  struct hd_config c;
  struct hd_design *design;
  struct hd_bank *bank;
  uint64_t now;
  struct hd_bank_moves moves; /* of the last cycle */
  struct l2rsp answer;        /* the last one */
} b;

static inline void begin_with(enum hd_gate gate, unsigned there, unsigned away, unsigned ways,
                              unsigned mshrs) {
  hd_config_default(&b.c);
  b.c.memory.kind = HD_MEM_L2;
  b.c.gpu.sms = 4;
  b.c.gpu.dispatch_latency = 2;
  b.c.sm.clock_mhz = b.c.l2.clock_mhz = 1000;
  b.c.l1d.line_bytes = 8 * WORDS;
  b.c.l2.sets = SETS;
  b.c.l2.ways = ways;
  b.c.l2.mshrs = mshrs;
  b.c.l2.mshr_merge = 2;
  b.c.l2.queue = 4;
  b.c.l2.latency = there;
  b.c.dram.latency = 2 * away;
  b.c.dram.interleave = 4 * b.c.l1d.line_bytes;
  b.c.loscache.gate = gate;
  assert_int_equal(hd_config_check(&b.c, NULL, NULL, stderr), 0);
  b.design = hd_design_new(&b.c);
  assert_non_null(b.design);
  b.bank = hd_bank_new(b.design);
  assert_non_null(b.bank);
  b.now = 0;
}

static inline void begin(enum hd_gate gate, unsigned there, unsigned away) {
  begin_with(gate, there, away, WAYS, MSHRS);
}

static inline void end(void) {
  hd_bank_free(b.bank);
  hd_design_free(b.design);
}

static inline void cycle(bool room) {
  b.moves = hd_bank_run(b.bank, b.now, b.now, room ? &b.answer : NULL);
  b.now++;
}

static inline const struct hd_bank_stats *stats(void) {
  return hd_bank_stats(b.bank, b.now);
}

#endif
