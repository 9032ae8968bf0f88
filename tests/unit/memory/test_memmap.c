/* The mapping of lines: one to one, and evenly over L2 banks, sets and DRAM banks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "cmodel/memory/memmap.h"

static const unsigned shapes[][2] = {{6, 6}, {12, 6}, {18, 6}, {8, 4}, {5, 5}, {1, 1}, {64, 32}, {21, 7}};
enum { SHAPES = sizeof shapes / sizeof *shapes, SETS = 32 };

static struct hd_config config(unsigned n) {
  struct hd_config c;
  hd_config_default(&c);
  c.memory.kind = HD_MEM_L2;
  c.l2.banks = shapes[n][0];
  c.dram.channels = shapes[n][1];
  c.l2.sets = SETS;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  return c;
}

/* Consecutive lines spread evenly: each set of each bank gets as many. */
static void sequential_lines_spread_evenly(void **state) {
  (void)state;
  for (unsigned n = 0; n < SHAPES; n++) {
    const struct hd_config c = config(n);
    const struct hd_memmap m = hd_memmap_of(&c);
    unsigned *count = calloc((size_t)m.banks * SETS, sizeof *count);
    const uint64_t lines = UINT64_C(4) * m.banks * SETS;
    assert_non_null(count);
    for (uint64_t line = 0; line < lines; line++) {
      uint64_t local;
      const unsigned bank = hd_memmap_bank(&m, line, &local);
      assert_true(bank < m.banks && local < lines / m.banks);
      assert_int_equal(hd_memmap_line(&m, bank, local), line);
      count[bank * SETS + local % SETS]++;
    }
    for (unsigned i = 0; i < m.banks * SETS; i++)
      assert_int_equal(count[i], 4);
    free(count);
  }
}

/* A chunk stays in its bank. The next chunk is in the next bank. */
static void chunks_go_round(void **state) {
  (void)state;
  const struct hd_config c = config(1); /* 12 banks, 256-byte chunks of 128-byte lines */
  const struct hd_memmap m = hd_memmap_of(&c);
  for (uint64_t line = 0; line < 1000; line++) {
    uint64_t local;
    assert_int_equal(hd_memmap_bank(&m, line, &local), line / 2 % 12);
    assert_int_equal(local, line / 24 * 2 + line % 2);
  }
}

/* Each row of each DRAM bank of a channel holds a row's worth of the channel's lines. */
static void rows_are_filled(void **state) {
  (void)state;
  enum { ROWS = 4 };
  for (unsigned n = 0; n < SHAPES; n++) {
    const struct hd_config c = config(n);
    const struct hd_memmap m = hd_memmap_of(&c);
    const unsigned row_lines = c.dram.row_bytes / c.l1d.line_bytes;
    unsigned *count = calloc((size_t)m.slices * ROWS * c.dram.banks, sizeof *count);
    assert_non_null(count);
    for (unsigned slice = 0; slice < m.slices; slice++)
      for (uint64_t local = 0; local < (uint64_t)ROWS * c.dram.banks * row_lines; local++) {
        uint64_t row;
        const unsigned bank = hd_memmap_dram(&m, slice * m.channels, local, &row);
        assert_true(bank < c.dram.banks && row < (uint64_t)ROWS * m.slices);
        count[row * c.dram.banks + bank]++;
      }
    for (unsigned i = 0; i < m.slices * ROWS * c.dram.banks; i++)
      assert_int_equal(count[i], row_lines);
    free(count);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sequential_lines_spread_evenly),
      cmocka_unit_test(chunks_go_round),
      cmocka_unit_test(rows_are_filled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
