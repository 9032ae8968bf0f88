/* Which machines may have sectors in their L1D lines and in their L2 lines: docs/mechanisms/sectored.md, l2/sectors.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "arch/config/config.h"

/* An L1D with sectors has no attachments. Each attachment is refused once; other modules are not refused. */
static void sectors_want_no_attachment(void **state) {
  (void)state;
  static const struct {
    const char *set;
    bool refused;
  } cases[] = {
      {"sm.warps=32", false},
      {"l1d.sector_bytes=16", false},
      {"request_buffer.kind=mrpb", false},
      {"request_buffer.bypass=all", false},
      {"casc.scheme=per_set", false},
      {"scheduler.limit=4", false},
      {"l1d.request_kinds=atomic", false},
      {"memory.kind=l2", false},
      {"l1d.sector_bytes=0", true},
      {"l1d.loads=bypassed", true},
      {"sm.coalesce=lines", true},
      {"l1d.allocate=on_fill", true},
      {"l1d.protect=secded", true},
      {"l1d.protect=parity", true},
      {"prefetch.kind=str", true},
      {"prefetch.kind=sap", true},
      {"prefetch.kind=sld", true},
      {"scheduler.policy=laws", true},
      {"casc.scheme=locality", true},
      {"rft.form=bit", true},
      {"apcm.manage=both", true},
      {"request_buffer.kind=memsched", true},
      {"request_buffer.kind=reexec", true},
      {"mascar.priority=on", true},
      {"ccws.throttle=on", true},
      {"l1d.distance=4", true},
      {"loscache.gate=naive", true},
      {"bus.kind=axi4", true},
      {"bus.control=apb4", true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_config c;
    const char *sets[] = {"sm.coalesce=sectors", "l1d.sector_bytes=32", "l1d.fill=sectors", cases[i].set};
    char *text = NULL;
    size_t size;
    FILE *said = open_memstream(&text, &size);
    const unsigned problems = hd_config_load_text(&c, "sm:\n  warps: 32\n", "none", NULL, sets, 4, said);
    fclose(said);
    assert_int_equal(problems != 0, cases[i].refused);
    assert_true(!cases[i].refused || strstr(text, "l1d.fill: found sectors with"));
    free(text);
    if (!problems)
      assert_false(c.d.HOOKED || c.d.PLACED || c.d.PINS || c.d.HOLD || c.d.ADVISED || c.d.KEPT ||
                   c.d.LACK_LINE || c.d.AGAIN || c.d.LINES || c.d.LOOK_VALID || c.d.DECIDE_SET || c.d.PREF ||
                   !c.d.ON_MISS);
  }
}

/* A slice with sectors needs an SM that sends requests of a sector, and no bus. */
static void a_slice_wants_requests_of_a_sector(void **state) {
  (void)state;
  static const struct {
    const char *set, *says; /* says: NULL: nothing */
  } cases[] = {
      {"l2.maintenance=true", NULL},
      {"l2.fill_cycles=4", NULL},
      {"l2.ways=1", NULL},
      {"request_buffer.kind=mrpb", NULL},
      {"l1d.fill=line", "l2.fill: found sectors with l1d.fill: line"},
      {"bus.kind=axi4", "l2.fill: found sectors with bus.kind: axi4"},
      {"loscache.gate=naive", "l1d.fill: found sectors with loscache.gate: naive"},
      {"l1d.sector_bytes=0", "l1d.fill: found sectors with l1d.sector_bytes: 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_config c;
    const char *sets[] = {"memory.kind=l2",   "sm.coalesce=sectors", "l1d.sector_bytes=32",
                          "l1d.fill=sectors", "l2.fill=sectors",     cases[i].set};
    char *text = NULL;
    size_t size;
    FILE *said = open_memstream(&text, &size);
    const unsigned problems = hd_config_load_text(&c, "sm:\n  warps: 32\n", "none", NULL, sets, 6, said);
    fclose(said);
    assert_int_equal(problems, cases[i].says != NULL);
    assert_true(!cases[i].says || strstr(text, cases[i].says));
    if (!problems)
      assert_true(c.d.L2_SECTOR_FILL && c.d.L2_WORDS == 4 && !c.d.L2_SLEEPS);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sectors_want_no_attachment),
                                     cmocka_unit_test(a_slice_wants_requests_of_a_sector)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
