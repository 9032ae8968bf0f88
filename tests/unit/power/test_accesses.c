/* Counts of accesses on the RTL's side, from pins set by hand, and their compare with the model's counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "verif/harness/table.h"

struct pins {
  uint8_t we, en, re, wmask, sleep, addr;
};

/* A memory of one bank whose model counts are in its state. */
static void make(struct hd_ram *m, struct hd_mem *mem, struct hd_ram_bank *bank, struct pins *p,
                 uint8_t *slept, struct hd_accesses *model, bool one, bool masked) {
  *mem = (struct hd_mem){.name = "fifo", .banks = 1, .depth = 4, .width = 8};
  *bank = (struct hd_ram_bank){.we = {&p->we, 1, 1, 1}, .slept = slept};
  if (one) {
    bank->en = (struct hd_dut_var){&p->en, 1, 1, 1};
    bank->sleep = (struct hd_dut_var){&p->sleep, 1, 4, 1};
    bank->addr = (struct hd_dut_var){&p->addr, 1, 2, 1};
    static uint64_t woke[4];
    memset(woke, 0, sizeof woke);
    bank->woke = woke;
  } else
    bank->re = (struct hd_dut_var){&p->re, 1, 1, 1};
  if (masked)
    bank->wmask = (struct hd_dut_var){&p->wmask, 1, 3, 1};
  *m = (struct hd_ram){.mem = mem, .path = "u_x.", .st = model, .bank = bank};
}

static void two_ports(void **state) {
  (void)state;
  struct hd_ram m;
  struct hd_mem mem;
  struct hd_ram_bank bank;
  struct pins p = {.we = 0};
  uint8_t slept = 0;
  struct hd_accesses model = {0};
  struct hd_table t = {.ram = &m, .n_rams = 1};
  char text[300];
  make(&m, &mem, &bank, &p, &slept, &model, false, true);
  p.re = 1;
  hd_note_accesses(&t);
  p.we = 1;
  p.wmask = 7;
  hd_note_accesses(&t);
  p.re = 0;
  p.wmask = 5;
  hd_note_accesses(&t);
  p.we = 0;
  hd_note_accesses(&t);
  assert_int_equal(m.seen.reads, 2);
  assert_int_equal(m.seen.writes, 1);
  assert_int_equal(m.seen.masked, 1);
  assert_int_equal(hd_accesses_counted(&t), 4);
  assert_false(hd_accesses_agree(&t, text, sizeof text));
  assert_non_null(
      strstr(text, "u_x.fifo: the RTL's are 2 reads, 1 writes, 1 masked writes; the model's 0, 0, 0"));
  model = (struct hd_accesses){2, 1, 1};
  assert_true(hd_accesses_agree(&t, text, sizeof text));
  model.masked = 0;
  assert_false(hd_accesses_agree(&t, text, sizeof text));
}

static void one_port_that_sleeps(void **state) {
  (void)state;
  struct hd_ram m;
  struct hd_mem mem;
  struct hd_ram_bank bank;
  struct pins p = {.we = 1};
  uint8_t slept = 0;
  struct hd_accesses model = {0};
  struct hd_table t = {.ram = &m, .n_rams = 1};
  make(&m, &mem, &bank, &p, &slept, &model, true, false);
  hd_note_accesses(&t); /* we without en does not count */
  p.en = 1;
  p.sleep = 0xb; /* rows 0, 1, 3 */
  hd_note_accesses(&t);
  p.we = 0;
  p.sleep = 0x9; /* row 1 wakes */
  hd_note_accesses(&t);
  p.en = 0;
  p.sleep = 0xd; /* row 2 sleeps */
  hd_note_accesses(&t);
  assert_int_equal(m.seen.reads, 1);
  assert_int_equal(m.seen.writes, 1);
  assert_int_equal(m.sleeps, 4);
  assert_int_equal(m.wakes, 1);
  assert_int_equal(m.row_cycles, 0 + 3 + 2 + 3);
}

/* A row is asleep, or has not been awake long enough. */
static void rows_without_power(void **state) {
  (void)state;
  struct hd_ram m;
  struct hd_mem mem;
  struct hd_ram_bank bank;
  struct pins p = {.sleep = 0xf};
  uint8_t slept = 0;
  struct hd_accesses model = {0};
  struct hd_table t = {.ram = &m, .n_rams = 1, .wake = 2};
  char text[300];
  make(&m, &mem, &bank, &p, &slept, &model, true, false);
  hd_note_accesses(&t);
  p.addr = 2;
  p.sleep = 0xb; /* row 2 wakes in this cycle and the next */
  hd_note_accesses(&t);
  hd_note_accesses(&t);
  p.en = 1;
  hd_note_accesses(&t);
  model.reads = 1;
  assert_true(hd_accesses_agree(&t, text, sizeof text));
  p.addr = 1; /* asleep */
  hd_note_accesses(&t);
  assert_int_equal(m.unpowered, 1);
  p.en = 0;
  p.sleep = 0x9;
  hd_note_accesses(&t);
  p.en = 1; /* the second cycle of its wake */
  hd_note_accesses(&t);
  assert_int_equal(m.unpowered, 2);
  hd_note_accesses(&t);
  assert_int_equal(m.unpowered, 2);
  model.reads = 4;
  assert_false(hd_accesses_agree(&t, text, sizeof text));
  assert_non_null(
      strstr(text, "u_x.fifo: a row is accessed that has no power, or has not had it for 2 cycles"));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_ports), cmocka_unit_test(one_port_that_sleeps),
                                     cmocka_unit_test(rows_without_power)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
