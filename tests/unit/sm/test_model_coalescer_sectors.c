/* The coalescer with requests that name the sectors that they want: requests and their cycles, worked out by hand from
 * docs/mechanisms/coalescer.md. */
#include "tests/unit/sm/coalescer_rig.h"

static void build_sectored(enum hd_coalesce coalesce) {
  struct hd_config c = defaults();
  c.sm.lanes = 4;
  c.sm.coalesce = coalesce;
  c.l1d.sector_bytes = 32;
  c.request_buffer.kind = HD_MRPB;
  c.request_buffer.signature = HD_SIG_BLOCK;
  c.request_buffer.bypass = HD_BYPASS_ASSOC;
  build(c);
  rig.in.req_ready = 1;
}

/* Each request names the sectors of the lanes that it serves (D-COAL-2). */
static void sectors(void **state) {
  (void)state;
  build_sectored(HD_COALESCE_LINES);
  memcpy(rig.in.issue_sector, (uint64_t[]){0, 3, 1, 2}, 4 * sizeof(uint64_t));
  offer(6, false, 0xf, (uint64_t[]){7, 7, 9, 7});
  step();
  memcpy(rig.in.issue_sector, (uint64_t[]){3, 3, 3, 3}, 4 * sizeof(uint64_t));
  offer(7, true, 0xe, (uint64_t[]){7, 7, 7, 7}); /* the next, with other sectors */
  edge();
  expect(6, 0, 7, 0xb, false);
  assert_int_equal(rig.out.req.sectors, 0xd);
  rig.in.issue_valid = 0;
  edge();
  expect(6, 1, 9, 0x4, true);
  assert_int_equal(rig.out.req.sectors, 0x2);
  edge();
  expect(7, 0, 7, 0xe, true);
  assert_int_equal(rig.out.req.sectors, 0x8);
  wreck();
}

/* D-COAL-3: one request for each sector of each line, whether the lines ascend or not. */
static void a_request_a_sector(void **state) {
  (void)state;
  build_sectored(HD_COALESCE_SECTORS);
  memcpy(rig.in.issue_sector, (uint64_t[]){0, 1, 1, 1}, 4 * sizeof(uint64_t));
  offer(6, false, 0xf, (uint64_t[]){7, 7, 7, 9});
  step();
  memcpy(rig.in.issue_sector, (uint64_t[]){3, 1, 3, 1}, 4 * sizeof(uint64_t));
  offer(7, true, 0xf, (uint64_t[]){8, 7, 8, 8}); /* the next: two lanes of one sector, apart */
  edge();
  rig.in.issue_valid = 0;
  static const struct {
    unsigned wid, num, line, lanes, sectors;
    bool last;
  } want[] = {{6, 0, 7, 0x1, 0x1, false}, {6, 1, 7, 0x6, 0x2, false}, {6, 2, 9, 0x8, 0x2, true},
              {7, 0, 8, 0x5, 0x8, false}, {7, 1, 7, 0x2, 0x2, false}, {7, 2, 8, 0x8, 0x2, true}};
  for (unsigned n = 0; n < 6; n++) {
    look();
    if (!rig.out.req_valid) /* the second has no leader yet */
      edge();
    expect(want[n].wid, want[n].num, want[n].line, want[n].lanes, want[n].last);
    assert_int_equal(rig.out.req.sectors, want[n].sectors);
    edge();
  }
  nothing();
  wreck();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sectors), cmocka_unit_test(a_request_a_sector)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
