/* A crossbar: occupied ports, order, turns, places behind it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "cmodel/memory/icnt.h"

enum { INPUTS = 4, OUTPUTS = 8, DEPTH = 8, WIDE = 132 /* ports, more than two words have */ };

static struct hd_xbar x;
static struct hd_xbar_move moves[HD_PORTS];

static int begin(void **state) {
  (void)state;
  return hd_xbar_init(&x, INPUTS, OUTPUTS, DEPTH) ? 0 : -1;
}

static int begin_wide(void **state) {
  (void)state;
  return hd_xbar_init(&x, WIDE, WIDE, DEPTH) ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  hd_xbar_free(&x);
  return 0;
}

static void push(unsigned input, unsigned output, unsigned flits, uint64_t at) {
  union hd_packet *const place = hd_xbar_place(&x, input);
  assert_non_null(place);
  *place = (union hd_packet){.up.line = at};
  hd_xbar_push(&x, input, output, flits, at);
}

/* Returns the moves from `cycle` to cycle 40 as "cycle:input>output". Checks that `next` is never late. */
static const char *log_from(uint64_t cycle) {
  static char text[1000];
  size_t n = 0;
  *text = 0;
  for (; cycle < 40; cycle++) {
    const uint64_t next = x.next;
    const unsigned moved = hd_xbar_cycle(&x, cycle, moves);
    assert_true(!moved || next <= cycle);
    for (unsigned i = 0; i < moved; i++)
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%ju:%d>%d", n ? " " : "", (uintmax_t)cycle,
                            moves[i].input, moves[i].output);
  }
  return text;
}

static void packets_occupy_their_ports(void **state) {
  (void)state;
  push(0, 5, 5, 3); /* five flits: input 0 and output 5 are free again in cycle 8 */
  push(0, 6, 1, 3);
  push(1, 5, 2, 0);
  push(2, 5, 1, 4);
  assert_string_equal(log_from(0), "0:1>5 3:0>5 8:2>5 8:0>6");
  assert_int_equal(x.packets, 4);
  assert_int_equal(x.flits, 9);
  assert_int_equal(x.waits, 4 + 5); /* input 2 waits from 4 to 8, input 0 from 3 to 8 */
}

static void no_packet_holds_up_those_of_other_outputs(void **state) {
  (void)state;
  push(0, 1, 4, 0);
  push(1, 1, 1, 0);
  push(1, 1, 1, 0);
  push(1, 2, 1, 0); /* output 2 is free all the time */
  assert_string_equal(log_from(0), "0:0>1 0:1>2 4:1>1 5:1>1");
}

/* Every input has packets for every output. All move without a pause. */
static void nothing_is_left_idle(void **state) {
  (void)state;
  for (unsigned i = 0; i < 2; i++)
    for (unsigned n = 0; n < 8; n++)
      push(i, n % 2, 1, 0);
  assert_int_equal((strlen(log_from(0)) + 1) / strlen("0:0>0 "), 16);
  assert_true(x.port_at[0] <= 9 && x.port_at[1] <= 9);
}

static void inputs_take_turns(void **state) {
  (void)state;
  for (unsigned n = 0; n < 3; n++)
    for (unsigned i = 0; i < INPUTS; i++)
      push(i, 0, 1, 0);
  assert_string_equal(log_from(0),
                      "0:0>0 1:1>0 2:2>0 3:3>0 4:0>0 5:1>0 6:2>0 7:3>0 8:0>0 9:1>0 10:2>0 11:3>0");
}

static void all_outputs_at_once(void **state) {
  (void)state;
  for (unsigned i = 0; i < INPUTS; i++)
    push(i, 3 - i, 2, 7);
  assert_string_equal(log_from(0), "7:3>0 7:2>1 7:1>2 7:0>3");
}

static void waits_for_a_place(void **state) {
  (void)state;
  hd_xbar_room(&x, 2, UINT64_MAX);
  push(0, 2, 1, 1);
  push(3, 1, 1, 1);
  assert_int_equal(hd_xbar_cycle(&x, 1, moves), 1);
  assert_int_equal(x.next, UINT64_MAX);
  hd_xbar_settle(&x, 11);
  assert_int_equal(x.waits, 10);
  hd_xbar_room(&x, 2, 20);
  assert_int_equal(x.next, 20);
  assert_string_equal(log_from(12), "20:0>2");
  assert_int_equal(x.waits, 19);
}

/* Ports in all words of the set. Lower ones are pushed last. */
static void many_inputs_take_turns(void **state) {
  (void)state;
  const unsigned inputs[] = {131, 128, 64, 63, 2};
  for (unsigned n = 0; n < 2; n++)
    for (unsigned i = 0; i < 5; i++)
      push(inputs[i], 130, 1, 0);
  assert_string_equal(log_from(0), "0:2>130 1:63>130 2:64>130 3:128>130 4:131>130 "
                                   "5:2>130 6:63>130 7:64>130 8:128>130 9:131>130");
  assert_false(hd_port_set_any(&x.requested, x.output_words));
}

/* In cycle c output c mod 192 chooses first, then the outputs after it. */
static void many_outputs_choose_in_turn(void **state) {
  (void)state;
  const unsigned outputs[] = {131, 64, 63, 0};
  for (unsigned i = 0; i < 4; i++)
    push(i, outputs[i], 1, 0);
  for (unsigned i = 0; i < 4; i++)
    push(i, outputs[i], 1, 1);
  hd_xbar_room(&x, 0, 130);
  hd_xbar_room(&x, 63, 130);
  hd_xbar_room(&x, 64, 130);
  hd_xbar_room(&x, 131, 130);
  char text[100] = "";
  for (unsigned cycle = 130; cycle <= 192; cycle += 62)
    for (unsigned i = 0, moved = hd_xbar_cycle(&x, cycle, moves); i < moved; i++)
      sprintf(text + strlen(text), "%d ", moves[i].output);
  assert_string_equal(text, "131 0 63 64 0 63 64 131 ");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(packets_occupy_their_ports, begin, end),
      cmocka_unit_test_setup_teardown(no_packet_holds_up_those_of_other_outputs, begin, end),
      cmocka_unit_test_setup_teardown(nothing_is_left_idle, begin, end),
      cmocka_unit_test_setup_teardown(inputs_take_turns, begin, end),
      cmocka_unit_test_setup_teardown(all_outputs_at_once, begin, end),
      cmocka_unit_test_setup_teardown(waits_for_a_place, begin, end),
      cmocka_unit_test_setup_teardown(many_inputs_take_turns, begin_wide, end),
      cmocka_unit_test_setup_teardown(many_outputs_choose_in_turn, begin_wide, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
