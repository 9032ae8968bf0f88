/* The L1 data cache on random requests. A tick may say that the next cycle would change only event counts, if no port handshakes
 * (cmodel/model/models.h) and hooks answer as before. Then that cycle changes nothing else, and counts those events. */
#include "tests/unit/l1d/l1d_rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

enum { CYCLES = 20000, EVENTS_OF_ALL = 64 };

/* ---- All of the state, element by element ---- */

static uint64_t *snapshot;
static size_t elements;

static size_t walk_state(void (*at)(size_t, const struct hd_row *, uint64_t)) {
  const struct hd_decl *d = rig.m->base.decl;
  size_t n = 0;
  for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++)
    if (row->cls == HD_REG || row->cls == HD_CAM || row->cls == HD_RAM)
      for (unsigned r = 0; r < rows_of(d, row); r++)
        for (unsigned e = 0; e < row->count; e++, n++)
          at(n, row, *hd_elem(d, row, &rig.m->s, r, e));
  return n;
}
static void pass(size_t i, const struct hd_row *row, uint64_t value) {
  (void)i, (void)row, (void)value;
}
static void note(size_t i, const struct hd_row *row, uint64_t value) {
  (void)row;
  snapshot[i] = value;
}
static void same(size_t i, const struct hd_row *row, uint64_t value) {
  if (snapshot[i] != value)
    fail_msg("%s changes in its sleep", row->name);
}

/* ---- The memory: answers in order of arrival, after a while ---- */

static struct mreq asked[256];
static unsigned n_asked;

/* Random answers of the hooks. */
static void drive_hooks(void) {
  const struct hd_derived *d = &rig.c.d;
  rig.in.advice_bypass = d->ADVISED && draw_below(4) == 0;
  rig.in.advice_keep = d->KEPT && draw_below(4) == 0;
  rig.in.pins = d->PINS ? draw() & hd_ones(d->WAYS) : 0;
  rig.in.pin_new = d->PINS && draw_below(2);
  rig.in.hold = d->HOLD && draw_below(3) == 0;
  rig.in.hold_refuse = d->HOLD && draw_below(3) == 0;
  rig.in.hold_among = hd_ones(d->WAYS);
  rig.in.lack_line = d->LACK_LINE && draw_below(2);
  rig.in.lack_bypass = d->LACK_BYPASS && draw_below(2);
}

static void drive(void) {
  rig.in.resp_ready = draw_below(4) == 0;
  rig.in.mreq_ready = draw_below(3) == 0;
  if (!rig.in.mrsp_valid && n_asked && draw_below(8) == 0) {
    const struct mreq *q = &asked[0];
    rig.in.mrsp_valid = 1;
    rig.in.mrsp = (struct mrsp){
        .kind = q->kind, .id = q->id, .wid = q->wid, .slot = q->slot, .num = q->num, .last = q->last};
    memmove(asked, asked + 1, --n_asked * sizeof *asked);
  }
  if (!rig.in.req_valid && draw_below(3) == 0) {
    const struct hd_derived *d = &rig.c.d;
    rig.in.req_valid = 1;
    rig.in.req =
        (struct req){.line = draw_below(16), .write = draw_below(8) == 0, .wid = draw_below(d->WARPS)};
    rig.in.req.byp = d->CASC && draw_below(4) == 0;
    rig.in.req.loc = d->LOC && draw_below(2);
    rig.in.req.hpc = draw_below(hd_bit(d->HPC_W));
    rig.in.req.trk = d->APCM && draw_below(4) != 0;
    rig.in.req.lid = d->APCM ? draw_below(d->LAT) : 0;
  }
  drive_hooks();
}

/* A cycle in which ports may handshake. */
static uint64_t lively(void) {
  drive();
  look();
  if (rig.out.mreq_valid && rig.in.mreq_ready)
    asked[n_asked++] = rig.out.mreq;
  const bool req = rig.out.req_ready, mrsp = rig.out.mrsp_ready;
  const uint64_t ahead = l1d_tick(rig.m, &rig.in);
  rig.in.req_valid &= !req;
  rig.in.mrsp_valid &= !mrsp;
  return ahead;
}

/* A cycle in which no port handshakes. */
static uint64_t asleep(uint64_t ahead) {
  const uint64_t req = rig.in.req_valid, mrsp = rig.in.mrsp_valid;
  uint64_t before[EVENTS_OF_ALL];
  rig.in.req_valid = rig.in.mrsp_valid = rig.in.resp_ready = rig.in.mreq_ready = 0;
  memcpy(before, rig.m->base.ev, rig.m->base.decl->n_events * sizeof *before);
  walk_state(note);
  look();
  const uint64_t next = l1d_tick(rig.m, &rig.in);
  walk_state(same);
  for (unsigned i = 0; i < rig.m->base.decl->n_events; i++)
    assert_int_equal(rig.m->base.ev[i] - before[i], ahead >> i & 1);
  rig.in.req_valid = req;
  rig.in.mrsp_valid = mrsp;
  return next;
}

static void sleeps(struct hd_config c) {
  unsigned slept = 0;
  build(c);
  rig.in.lack_again = rig.c.d.AGAIN;
  assert_true(rig.m->base.decl->n_events <= EVENTS_OF_ALL);
  n_asked = 0;
  elements = walk_state(pass);
  snapshot = calloc(elements, sizeof *snapshot);
  assert_non_null(snapshot);
  for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
    const uint64_t ahead = lively();
    if (!(ahead & HD_MOVES)) {
      assert_int_equal(asleep(ahead), ahead);
      slept++;
    }
  }
  assert_true(slept > CYCLES / 50);
  free(snapshot);
  wreck();
}

static struct hd_config casc(enum hd_casc scheme) {
  struct hd_config c = small(2);
  c.casc.scheme = scheme;
  c.l1d.bypass_slots = 3;
  return c;
}

static void plain(void **state) {
  (void)state;
  sleeps(small(2));
}
static void by_casc(void **state) {
  (void)state;
  sleeps(casc(HD_CASC_PER_SET));
}
static void by_degree(void **state) {
  (void)state;
  sleeps(casc(HD_CASC_LOCALITY));
}
static void by_the_table(void **state) {
  (void)state;
  struct hd_config c = casc(HD_CASC_LOCALITY);
  c.rft.form = HD_RFT_AVERAGE;
  c.rft.entries = 8;
  c.rft.resample = 3;
  sleeps(c);
  c.casc.scheme = HD_CASC_OFF;
  c.l1d.bypass_hit = HD_BYPASS_FORWARD;
  sleeps(c);
}
static void given_back(void **state) {
  (void)state;
  struct hd_config c = casc(HD_CASC_LOCALITY);
  c.request_buffer.kind = HD_MEMSCHED;
  sleeps(c);
  c.request_buffer.drain = HD_DRAIN_GRR;
  sleeps(c);
}
static void by_stalls(void **state) {
  (void)state;
  struct hd_config c = small(2);
  c.request_buffer.kind = HD_MRPB;
  c.l1d.bypass_slots = 3;
  c.request_buffer.bypass = HD_BYPASS_ASSOC;
  sleeps(c);
  c.request_buffer.bypass = HD_BYPASS_ALL;
  sleeps(c);
}

static void by_patterns(void **state) {
  (void)state;
  struct hd_config c = small(2);
  c.l1d.bypass_slots = 3;
  c.l1d.count_bits = 2;
  c.apcm.threshold = 2;
  for (enum hd_apcm manage = HD_APCM_BYPASS; manage <= HD_APCM_BOTH; manage++) {
    c.apcm.manage = manage;
    sleeps(c);
  }
  c.rft.form = HD_RFT_CONFIDENCE;
  c.rft.entries = 8;
  c.casc.scheme = HD_CASC_LOCALITY;
  sleeps(c);
}
static void by_tokens_and_ages(void **state) {
  (void)state;
  struct hd_config c = small(2);
  c.l1d.bypass_slots = 3;
  c.l1d.distance = 5;
  sleeps(c);
  c.scheduler.limit = 4;
  c.scheduler.tokens = 2;
  sleeps(c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain),        cmocka_unit_test(by_casc),     cmocka_unit_test(by_degree),
      cmocka_unit_test(by_the_table), cmocka_unit_test(by_patterns), cmocka_unit_test(by_tokens_and_ages),
      cmocka_unit_test(given_back),   cmocka_unit_test(by_stalls),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
