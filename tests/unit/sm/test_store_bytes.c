/* Side information of stores for the interconnect (cmodel/sm/store_bytes.h): which lines they write whole (LoSCache), and how many
 * bytes of a line hold all that they write (D-ICNT-5). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "cmodel/sm/store_bytes.h"

static struct hd_config whole_gpu(void) {
  struct hd_config c;
  hd_config_default(&c);
  c.memory.kind = HD_MEM_L2;
  return c;
}

/* ---- Whole lines ---- */

/* 32 lanes with elements of `size` bytes, `stride` bytes apart, from `first` on. */
static struct wl_inst spread(enum wl_op op, unsigned size, unsigned stride, uint64_t first) {
  struct wl_inst i = {.op = op, .active = UINT32_MAX, .dst = WL_NO_REG, .size = (uint8_t)size};
  for (unsigned l = 0; l < WL_LANES; l++)
    i.addr[l] = first + l * stride;
  return i;
}

/* Checks the flags of the first three requests; 9: no request. */
static void says(struct wl_inst i, unsigned line_bytes, unsigned first, unsigned second, unsigned third) {
  struct hd_config c = whole_gpu();
  struct hd_store_bytes of[WL_LANES];
  c.l1d.line_bytes = line_bytes;
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  memset(of, 9, sizeof of);
  sm_find_store_bytes(&c, &i, of);
  assert_int_equal(of[0].full, first);
  assert_int_equal(of[1].full, second);
  assert_int_equal(of[2].full, third);
}

static void whole_lines_are_reported(void **state) {
  (void)state;
  says(spread(WL_STORE, 4, 4, 0x1000), 128, 1, 9, 9);
  says(spread(WL_STORE, 4, 4, 0x1040), 128, 0, 0, 9);
  says(spread(WL_STORE, 8, 8, 0x1000), 128, 1, 1, 9);
  says(spread(WL_STORE, 8, 8, 0x1000), 256, 1, 9, 9);
  says(spread(WL_STORE, 4, 4, 0x1000), 32, 1, 1, 1);
  says(spread(WL_STORE, 16, 16, 0x1040), 128, 0, 1, 1); /* 64 bytes of the first line, and of the last */
  says(spread(WL_STORE, 4, 0, 0x1000), 128, 0, 9, 9);
  says(spread(WL_STORE, 2, 4, 0x1000), 128, 0, 9, 9);
  says(spread(WL_ATOMIC, 4, 4, 0x1000), 128, 0, 9, 9);
  struct wl_inst i = spread(WL_STORE, 4, 4, 0x1000);
  i.active &= ~UINT32_C(0x8000);
  says(i, 128, 0, 9, 9);
}

/* Lanes return to a line: the request has the number of its first lane's request. */
static void requests_are_numbered_by_lanes(void **state) {
  (void)state;
  struct wl_inst i = spread(WL_STORE, 4, 4, 0x1000);
  for (unsigned l = 0; l < WL_LANES; l++)
    i.addr[l] = 0x2000 - 0x20 * (l % 2) + 4 * (l / 2 % 8);
  says(i, 32, 1, 1, 9);
  i.addr[31] = i.addr[29];
  i.addr[15] = i.addr[13];
  says(i, 32, 1, 0, 9);
}

/* ---- Segments ---- */

/* Checks the bytes of the first two requests; 0: no request. */
static void brings(struct hd_config *c, struct wl_inst i, unsigned first, unsigned second) {
  struct hd_store_bytes of[WL_LANES] = {0};
  assert_int_equal(hd_config_check(c, NULL, NULL, stderr), 0);
  sm_find_store_bytes(c, &i, of);
  assert_int_equal(of[0].segment, first);
  assert_int_equal(of[1].segment, second);
}

/* D-ICNT-5: the aligned 32, 64 or 128 bytes of the line that hold all written bytes. */
static void a_store_writes_a_segment(void **state) {
  (void)state;
  struct hd_config c = whole_gpu();
  brings(&c, spread(WL_STORE, 4, 0, 0x1000), 32, 0);
  brings(&c, spread(WL_STORE, 4, 0, 0x107c), 32, 0);
  brings(&c, spread(WL_STORE, 1, 1, 0x1000), 32, 0);
  brings(&c, spread(WL_STORE, 1, 1, 0x1010), 64, 0);
  brings(&c, spread(WL_STORE, 1, 1, 0x1030), 128, 0); /* in both halves */
  brings(&c, spread(WL_STORE, 2, 2, 0x1040), 64, 0);
  brings(&c, spread(WL_STORE, 4, 4, 0x1000), 128, 0);
  brings(&c, spread(WL_STORE, 4, 4, 0x1060), 32, 128); /* 96 bytes of the second line */
  struct wl_inst i = spread(WL_STORE, 4, 4, 0x1000);
  i.active = 0x81; /* words 0 and 7, then 8 */
  brings(&c, i, 32, 0);
  i.active = 0x101;
  brings(&c, i, 64, 0);
}

/* D-COAL-3: if each sector is a request, the store carries that sector. The numbers are those of such requests. */
static void a_sector_is_a_segment(void **state) {
  (void)state;
  struct hd_config c = whole_gpu();
  c.request_buffer.bypass = HD_BYPASS_ALL;
  c.l1d.sector_bytes = 32;
  c.sm.coalesce = HD_COALESCE_SECTORS;
  brings(&c, spread(WL_STORE, 4, 4, 0x1000), 32, 32);
  brings(&c, spread(WL_STORE, 4, 0, 0x1000), 32, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_lines_are_reported),
      cmocka_unit_test(requests_are_numbered_by_lanes),
      cmocka_unit_test(a_store_writes_a_segment),
      cmocka_unit_test(a_sector_is_a_segment),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
