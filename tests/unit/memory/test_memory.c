/* The simple memory: the cycles of answers, the bandwidth of the links, and the bytes of answers. Latency 10 cycles, 16 bytes a
 * cycle, lines of 128 bytes: a line takes 8 cycles of a link. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cmodel/memory/memory.h"

enum { LATENCY = 10, LINE_CYCLES = 8, PATIENCE = 1000 };

static struct {
  struct hd_config c;
  struct hd_design *design;
  const struct hd_decl *decl;
  struct hd_memory *mem;
  struct sm_mem_in in;
  struct sm_mem_out out;
  unsigned now;
} b;

static void begin(struct hd_memory_options options) {
  memset(&b, 0, sizeof b);
  hd_config_default(&b.c);
  b.c.memory.latency = LATENCY;
  b.c.memory.bytes_per_cycle = 16;
  assert_int_equal(hd_config_check(&b.c, NULL, NULL, stderr), 0);
  b.design = hd_design_new(&b.c);
  b.decl = hd_design_find(b.design, "sm_mem");
  assert_true(hd_alloc_in(b.decl, &b.in) && hd_alloc_out(b.decl, &b.out));
  b.mem = hd_memory_new(&b.c, &options);
}

static void end(void) {
  hd_memory_free(b.mem);
  hd_free_in(b.decl, &b.in);
  hd_free_out(b.decl, &b.out);
  hd_design_free(b.design);
}

static void look(void) {
  hd_memory_port(b.mem)->ops->drive(hd_memory_port(b.mem), &b.in);
}

static void edge(void) {
  hd_memory_port(b.mem)->ops->clock(hd_memory_port(b.mem), &b.in, &b.out);
  b.now++;
}

/* Offers a request until it is taken, and takes no answers. Returns the cycle in which it was taken. */
static unsigned ask(unsigned kind, uint64_t line, unsigned num) {
  b.out.mreq_valid = 1;
  b.out.mreq = (struct sreq){.kind = kind, .line = line, .id = 5, .wid = 7, .slot = 2, .num = num};
  for (look(); !b.in.mreq_ready; look()) {
    assert_true(b.now < PATIENCE);
    edge();
  }
  edge();
  b.out.mreq_valid = 0;
  return b.now - 1;
}

/* Waits for an answer and takes it. Returns the cycle in which it came. */
static unsigned hear(unsigned num) {
  b.out.mrsp_ready = 1;
  for (look(); !b.in.mrsp_valid; look()) {
    assert_true(b.now < PATIENCE);
    edge();
  }
  assert_int_equal(b.in.mrsp.num, num);
  edge();
  b.out.mrsp_ready = 0;
  return b.now - 1;
}

static void loads_share_the_way_down(void **state) {
  (void)state;
  begin((struct hd_memory_options){0});
  for (unsigned i = 0; i < 3; i++)
    assert_int_equal(ask(i == 1 ? HD_BYPASSED : HD_FILL, 40 + i, i), i); /* one header per cycle goes up */
  assert_int_equal(hear(0), LATENCY);
  assert_int_equal(b.in.mrsp.kind, HD_FILL);
  assert_int_equal(b.in.mrsp.id, 5);
  assert_int_equal(b.in.mrsp.wid, 7);
  assert_int_equal(b.in.mrsp.slot, 2);
  assert_int_equal(hear(1), LATENCY + LINE_CYCLES);
  assert_int_equal(b.in.mrsp.kind, HD_BYPASSED);
  assert_int_equal(hear(2), LATENCY + 2 * LINE_CYCLES);
  assert_true(hd_memory_idle(b.mem));
  const struct hd_memory_stats *n = hd_memory_stats(b.mem);
  assert_int_equal(n->reads, 3);
  assert_int_equal(n->read_bytes, 3 * 128);
  assert_int_equal(n->writes + n->write_bytes, 0);
  end();
}

/* 136 bytes up take 8 1/2 cycles. The next request starts in the middle of a cycle. */
static void stores_share_the_way_up(void **state) {
  (void)state;
  begin((struct hd_memory_options){0});
  static const unsigned taken[] = {0, 8, 17, 25};
  for (unsigned i = 0; i < 4; i++) {
    assert_int_equal(ask(HD_STORE, 40, i), taken[i]);
    if (i > 0)
      continue;
    assert_int_equal(hd_memory_port(b.mem)->ops->wake(hd_memory_port(b.mem), b.now, &b.in),
                     8); /* then the link is free */
  }
  static const unsigned heard[] = {26, 27, 28, 35}; /* the first three had to wait */
  for (unsigned i = 0; i < 4; i++)
    assert_int_equal(hear(i), heard[i]);
  assert_int_equal(hd_memory_stats(b.mem)->write_bytes, 4 * 128);
  end();
}

/* Queries of LoSCache: one header each way. The memory knows of no access. */
static void queries_are_short(void **state) {
  (void)state;
  begin((struct hd_memory_options){0});
  assert_int_equal(ask(HD_QUERY, 40, 0), 0);
  assert_int_equal(ask(HD_QUERY, 41, 1), 1);
  assert_int_equal(hear(0), LATENCY);
  assert_int_equal(b.in.mrsp.kind, HD_QUERY);
  assert_int_equal(b.in.mrsp.count, 0);
  assert_int_equal(hear(1), LATENCY + 1);
  const struct hd_memory_stats *n = hd_memory_stats(b.mem);
  assert_int_equal(n->reads + n->read_bytes, 0);
  end();
}

static void an_offer_stays_until_it_is_taken(void **state) {
  (void)state;
  begin((struct hd_memory_options){0});
  ask(HD_FILL, 40, 0);
  ask(HD_FILL, 41, 1);
  for (; b.now < 50; edge()) {
    look();
    assert_int_equal(b.in.mrsp_valid, b.now >= LATENCY);
  }
  assert_int_equal(hear(0), 50);
  assert_int_equal(hear(1), 51);
  end();
}

static void skipping_is_waiting(void **state) {
  (void)state;
  begin((struct hd_memory_options){0});
  ask(HD_FILL, 40, 0);
  assert_int_equal(hd_memory_port(b.mem)->ops->wake(hd_memory_port(b.mem), b.now, &b.in), LATENCY);
  b.now = LATENCY;
  assert_true(hd_memory_port(b.mem)->ops->wake(hd_memory_port(b.mem), b.now, &b.in) ==
              UINT64_MAX); /* the offer stays */
  assert_true(b.in.mrsp_valid);
  assert_true(hd_memory_port(b.mem)->ops->take(hd_memory_port(b.mem), b.now, &b.in,
                                               &(struct sm_mem_out){.mrsp_ready = 1}) == UINT64_MAX);
  assert_false(b.in.mrsp_valid);
  end();
}

static void one_line_is_handled_in_order(void **state) {
  (void)state;
  begin((struct hd_memory_options){.data = true});
  b.out.mreq_wdata[3] = 0x1122334455667788;
  b.out.mreq_wmask[3] = 0x81; /* the lowest and the highest byte */
  ask(HD_FILL, 40, 0);
  ask(HD_STORE, 40, 1);
  ask(HD_FILL, 40, 2);
  ask(HD_FILL, 41, 3);
  const uint64_t initial = hd_memory_initial(40, 3);
  hear(0);
  assert_true(b.in.mrsp_data[3] == initial);
  hear(1);
  hear(2);
  assert_true(b.in.mrsp_data[3] == ((initial & 0x00ffffffffffff00) | 0x1100000000000088));
  assert_true(b.in.mrsp_data[2] == hd_memory_initial(40, 2));
  hear(3);
  assert_true(b.in.mrsp_data[3] == hd_memory_initial(41, 3));
  end();
}

/* Requests alternate between two lines. Answers may overtake, but not those of one line. */
static void random_answers_keep_the_order_of_a_line(void **state) {
  (void)state;
  begin((struct hd_memory_options){.random = true, .seed = 3});
  b.out.mrsp_ready = 1;
  unsigned asked = 0, heard = 0, overtaken = 0, last[2] = {0, 0};
  while (heard < 200) {
    look();
    b.out.mreq_valid = asked < 200;
    b.out.mreq = (struct sreq){.line = asked % 2, .num = asked % 2, .id = asked};
    const bool takes = b.out.mreq_valid && b.in.mreq_ready, hears = b.in.mrsp_valid;
    const struct srsp r = b.in.mrsp;
    edge();
    asked += takes;
    if (!hears)
      continue;
    heard++;
    assert_true(r.id >= last[r.num]);
    overtaken += r.id < last[1 - r.num];
    last[r.num] = (unsigned)r.id;
  }
  assert_true(overtaken > 10);
  end();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_share_the_way_down),
      cmocka_unit_test(stores_share_the_way_up),
      cmocka_unit_test(queries_are_short),
      cmocka_unit_test(an_offer_stays_until_it_is_taken),
      cmocka_unit_test(skipping_is_waiting),
      cmocka_unit_test(one_line_is_handled_in_order),
      cmocka_unit_test(random_answers_keep_the_order_of_a_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
