/* The monitor tag array with random traffic against a reference, and with wrong bits (docs/mechanisms/apcm.md). */
#define RIG mta
#include "tests/unit/rig.h"

#include "cmodel/model/bits.h"
#include "tests/unit/chance.h"

static struct hd_config machine(enum hd_apcm manage, unsigned entries, unsigned ways) {
  struct hd_config c = defaults();
  c.apcm.manage = manage;
  c.apcm.entries = entries;
  c.apcm.ways = ways;
  return c;
}

/* The reference: plain entries, and what a cycle looks at. */
enum { READ = 1, LOOK };
static struct {
  struct ref_entry {
    bool valid;
    uint64_t line, first, last, count, intra;
  } entry[128];
  unsigned next[128], scan;
  bool mon, over;
  uint64_t wid;
  struct {
    int what;
    unsigned entry;
    bool mine;
    struct access acc;
  } op; /* the access taken in the last cycle */
  bool up;
  struct ref_entry of;
} ref;

static void ref_tell(const struct ref_entry *e) {
  ref.up = true;
  ref.of = *e;
}

static void ref_allocate(const struct access *a, struct ref_entry *set, unsigned *next, uint64_t most) {
  unsigned way = 0;
  while (way < rig.c.apcm.ways && set[way].valid)
    way++;
  if (way == rig.c.apcm.ways) {
    way = *next;
    *next = (way + 1) % rig.c.apcm.ways;
    ref_tell(&set[way]);
  }
  set[way] = (struct ref_entry){true, a->line, a->lid, a->lid, a->count < most ? a->count + 1 : most, 1};
}

static void ref_look(uint64_t most) {
  const struct access *a = &ref.op.acc;
  const unsigned number = (unsigned)(a->line % (rig.c.apcm.entries / rig.c.apcm.ways));
  struct ref_entry *set = ref.entry + number * rig.c.apcm.ways, *e = set;
  while (e < set + rig.c.apcm.ways && !(e->valid && e->line == a->line))
    e++;
  if (e == set + rig.c.apcm.ways) {
    if (ref.op.mine && a->trk && a->two)
      ref_allocate(a, set, &ref.next[number], most);
    return;
  }
  if (e->count < most) {
    e->count++;
    e->intra += ref.op.mine;
  }
  if (ref.op.mine && a->trk)
    e->last = a->lid;
  if (e->count >= rig.c.apcm.threshold)
    ref_tell(e);
}

static void ref_edge(void) {
  const struct mta_in *in = &rig.in;
  ref.up = false;
  if (in->clear) {
    memset(&ref, 0, sizeof ref);
    return;
  }
  if (ref.op.what == LOOK)
    ref_look((1u << rig.c.l1d.count_bits) - 1);
  else if (ref.op.what == READ && ref.entry[ref.op.entry].valid) {
    ref_tell(&ref.entry[ref.op.entry]);
    ref.entry[ref.op.entry].valid = false;
  }
  ref.op.what = 0;
  if (ref.scan) {
    ref.op.what = READ;
    ref.op.entry = rig.c.apcm.entries - ref.scan--;
  }
  const bool begin = in->acc_valid && in->acc.trk && !ref.mon && !ref.over;
  if (in->acc_valid && (ref.mon || begin)) {
    ref.op.what = LOOK;
    ref.op.acc = in->acc;
    ref.op.mine = begin || in->acc.wid == ref.wid;
  }
  if (begin) {
    ref.mon = true;
    ref.wid = in->acc.wid;
  } else if (ref.mon && hd_has(in->exit, ref.wid)) {
    ref.mon = false;
    ref.over = true;
    ref.scan = rig.c.apcm.entries;
  }
}

static void random_inputs(void) {
  const unsigned few = rig.c.sm.warps < 4 ? rig.c.sm.warps : 4;
  rig.in.clear = draw_below(400) == 0;
  rig.in.exit = draw_below(200) ? 0 : hd_bit(draw_below(few));
  rig.in.acc_valid = draw_below(4) != 0;
  rig.in.acc = (struct access){.wid = draw_below(few),
                               .trk = draw_below(8) != 0,
                               .lid = draw_below(rig.c.apcm.loads),
                               .two = draw_below(8) != 0,
                               .line = draw_below(rig.c.apcm.entries * 2) << draw_below(2),
                               .count = draw_below(3) ? 0 : draw() & hd_ones(rig.c.d.RR_W)};
  if (!rig.in.acc.trk)
    rig.in.acc.lid = 0;
}

static void build_random(uint64_t seed) {
  static const unsigned shape[][2] = {{32, 1}, {8, 8}, {24, 3}, {16, 2}, {9, 9}, {128, 4}, {64, 64}, {8, 1}};
  chance_state = seed;
  const unsigned *s = shape[draw_below(8)];
  struct hd_config c = machine(HD_APCM_BYPASS + draw_below(3), s[0], s[1]);
  c.apcm.loads = 4 + (unsigned)draw_below(13);
  c.l1d.count_bits = 2 + (unsigned)draw_below(5);
  c.apcm.threshold = 2 + (unsigned)draw_below((1u << c.l1d.count_bits) - 2);
  build(c);
  memset(&ref, 0, sizeof ref);
}

static void as_the_reference(void **state) {
  (void)state;
  uint64_t n[3] = {0};
  for (uint64_t seed = 1; seed <= 40; seed++) {
    build_random(seed);
    for (unsigned cycle = 0; cycle < 4000; cycle++) {
      random_inputs();
      look();
      const struct mta_out *o = &rig.out;
      if (o->up_valid != ref.up ||
          (ref.up && (o->up_id != ref.of.first || o->up_last != (rig.c.d.LAST_W ? ref.of.last : 0) ||
                      o->up_count != ref.of.count || o->up_intra != ref.of.intra)))
        fail_msg("seed %llu, cycle %u", (unsigned long long)seed, cycle);
      edge();
      ref_edge();
    }
    state_fits();
    n[0] += EVENTS(evict);
    n[1] += EVENTS(enough);
    n[2] += EVENTS(read);
    wreck();
  }
  assert_true(n[0] > 1000 && n[1] > 1000 && n[2] > 500);
}

/* D-MIX-3. */
static void wrong_bits_break_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    build_random(seed);
    for (unsigned cycle = 0; cycle < 1500; cycle++) {
      random_inputs();
      flip_a_bit();
      step();
      state_fits();
    }
    wreck();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_the_reference),
      cmocka_unit_test(wrong_bits_break_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
