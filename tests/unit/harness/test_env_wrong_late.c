/* The environment of the L1D finds LATE ports that disagree with the state after the edge. */
#include "tests/unit/harness/env_wrong.h"

#define TOLD(name, possible, what)                                                                           \
  static void name(void *late_) {                                                                            \
    struct l1d_late *late = late_;                                                                           \
    if (now(possible))                                                                                       \
      what;                                                                                                  \
  }
TOLD(advances, !late->late_advance, late->late_advance = 1)
TOLD(stays, late->late_advance, late->late_advance = 0)
TOLD(other_read, true, late->late_read ^= 1)
TOLD(other_set, true, late->late_set ^= 1)
TOLD(held, !late->late_held, late->late_held = 1)
TOLD(takes, true, late->late_take ^= 1)
TOLD(evicts, !late->late_evict, late->late_evict = 1)
TOLD(evicts_not, late->late_evict, late->late_evict = 0)
TOLD(other_row, late->late_evict, late->late_row ^= 1)
TOLD(writes, true, late->late_tag_we ^= 1)
TOLD(writes_set, late->late_tag_we, late->late_tag_set ^= 1)
TOLD(writes_tag, late->late_tag_we, late->late_tag ^= 1)
TOLD(asks_not, late->late_fill, late->late_fill = 0)
TOLD(asks_elsewhere, true, late->late_fill_set ^= 1)

static void told(struct play p, void (*what)(void *late), const char *words) {
  p.late = what;
  caught_in(p, NULL, words);
}

/* APCM beside CASC by locality and LASC: the machine whose attachments hear all LATE ports except the tags. */
static struct play mixed(enum hd_allocate allocate) {
  struct play p = of("l1d");
  p.c.l1d.allocate = allocate;
  p.c.apcm.manage = HD_APCM_BOTH;
  p.c.casc.scheme = HD_CASC_LOCALITY;
  p.c.rft.form = HD_RFT_BIT;
  p.c.rft.entries = 8;
  p.c.rft.resample = 2;
  return p;
}

static void test_on_miss(void **state) {
  (void)state;
  const struct play p = mixed(HD_ON_MISS);
  told(p, advances, "late_advance is 1");
  told(p, stays, "late_advance is 0");
  told(p, other_read, "late_read is not");
  told(p, other_set, "late_set is not");
  told(p, held, "late_held is 1");
  told(p, takes, "late_take is not");
  told(p, evicts, "late_evict is not");
  told(p, evicts_not, "late_evict is not");
  told(p, other_row, "late_row is not");
}

static void test_on_fill(void **state) {
  (void)state;
  const struct play p = mixed(HD_ON_FILL);
  told(p, evicts_not, "late_evict is not");
  told(p, other_row, "late_row is not");
  told(p, asks_not, "late_fill is 0");
  told(p, asks_elsewhere, "late_fill_set is not");
}

/* MemSched's probe keeps copies of the tags. */
static void test_tags(void **state) {
  (void)state;
  struct play p = mixed(HD_ON_MISS);
  p.c.request_buffer.kind = HD_MEMSCHED;
  p.c.request_buffer.drain = HD_DRAIN_GRR;
  told(p, writes, "late_tag_we is not");
  told(p, writes_set, "late_tag_set is not");
  told(p, writes_tag, "late_tag is not");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_on_miss), cmocka_unit_test(test_on_fill),
                                     cmocka_unit_test(test_tags)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
