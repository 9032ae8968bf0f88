/* A fully associative L1D (l1d.set_index: full) against a plain list of lines, and against one set of any other L1D, whose hardware
 * lockstep checks. */
#include "tests/unit/l1d/l1d_rig.h"

#include "tests/unit/chance.h"

enum { WAITING = 64, CYCLES = 20000 };

static struct hd_config fully(unsigned sets, unsigned ways) {
  struct hd_config c = small(ways);
  c.l1d.sets = sets;
  c.l1d.set_index = HD_INDEX_FULL;
  return c;
}

/* Lines, the last used first. A load of a new line evicts the last. */
struct list {
  unsigned n, room;
  uint64_t line[512];
};

/* Uses the line. Returns true if it was in the list. */
static bool uses(struct list *l, uint64_t line) {
  unsigned at = 0;
  while (at < l->n && l->line[at] != line)
    at++;
  const bool there = at < l->n;
  l->n += !there && l->n < l->room;
  at = there ? at : l->n - 1;
  memmove(l->line + 1, l->line, at * sizeof *l->line);
  l->line[0] = line;
  return there;
}

static void loses(struct list *l, uint64_t line) {
  unsigned at = 0;
  while (at < l->n && l->line[at] != line)
    at++;
  if (at == l->n)
    return;
  l->n--;
  memmove(l->line + at, l->line + at + 1, (l->n - at) * sizeof *l->line);
}

/* 48 KB of 128-byte lines are 384 ways: most of 450 lines hit. */
static void least_recently_used_of_384(void **state) {
  (void)state;
  static const struct { unsigned sets, ways; } halves[] = {{8, 48}, {32, 12}, {128, 3}};
  for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
    build(fully(halves[i].sets, halves[i].ways));
    struct list list = {.room = 384};
    chance_state = 384;
    for (unsigned n = 0; n < 6000; n++) {
      const uint64_t line = draw_below(450);
      if (draw_below(50) == 0) { /* a store invalidates its line */
        store(line, 2);
        memory_gets(HD_STORE, line, 2);
        memory_answers(HD_STORE, 0, 2, 0);
        sm_gets(true, 2, 0);
        loses(&list, line);
      } else if (uses(&list, line)) {
        hits(line);
      } else {
        brings(line);
      }
    }
    assert_true(EVENTS(evict) > 500 && EVENTS(load_hit) > 3000 && EVENTS(store_evict) > 50);
    wreck();
  }
}

/* The outputs of an L1D in a cycle, except line addresses. */
struct shown {
  bool req_ready, resp_valid, mreq_valid, mrsp_ready;
  struct resp resp;
  struct mreq mreq;
  uint64_t word;
};

/* Random loads and stores to more lines than there are ways, now and then while nearly all ways are in flight. The memory answers
 * some time later, in any order. The address of each line is `scale` times its number. */
static void play(struct hd_config c, uint64_t scale, unsigned lines, struct shown out[CYCLES]) {
  struct mreq waiting[WAITING];
  unsigned n = 0;
  c.l1d.mshrs = 16;
  c.l1d.miss_queue = 4;
  build(c);
  chance_state = 23;
  for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
    const bool slow = cycle / 500 % 4 == 0;
    rig.in.req_valid = draw_below(4) != 0;
    rig.in.req =
        (struct req){.line = scale * draw_below(lines), .write = draw_below(20) == 0, .wid = draw_below(8)};
    rig.in.resp_ready = draw_below(8) != 0;
    rig.in.mreq_ready = n < WAITING && draw_below(4) != 0;
    const uint64_t answer = draw(), patience = slow ? 64 : 2;
    rig.in.mrsp_valid = n > 0 && answer % patience == 0;
    const unsigned at = n ? (unsigned)(answer >> 32) % n : 0;
    const struct mreq asked = waiting[at];
    rig.in.mrsp = (struct mrsp){.kind = asked.kind, .id = asked.id, .wid = asked.wid};
    for (unsigned i = 0; i < 4 && rig.in.mrsp_valid; i++)
      rig.in.mrsp_data[i] = 1000 * asked.line / scale + i;
    look();
    struct shown *o = &out[cycle];
    *o = (struct shown){.req_ready = rig.out.req_ready,
                        .resp_valid = rig.out.resp_valid,
                        .mreq_valid = rig.out.mreq_valid,
                        .mrsp_ready = rig.out.mrsp_ready};
    if (o->resp_valid) {
      o->resp = rig.out.resp;
      o->word = o->resp.write ? 0 : rig.out.resp_data[3];
    }
    if (o->mreq_valid) {
      o->mreq = rig.out.mreq;
      o->mreq.line /= scale;
    }
    if (rig.in.mrsp_valid && rig.out.mrsp_ready)
      waiting[at] = waiting[--n];
    if (rig.out.mreq_valid && rig.in.mreq_ready)
      waiting[n++] = rig.out.mreq;
    edge();
  }
  assert_true(EVENTS(evict) > 100 && EVENTS(load_hit) > 200 && EVENTS(load_merge) > 50);
  assert_true(EVENTS(store_evict) > 2 && EVENTS(store_dead) > 2);
}

/* Even lines are all in set 0 of two sets by the linear index. The one set behaves in every cycle as such a set with as
 * many ways, however its sets and ways are configured. There are enough MSHRs to reserve all ways. */
static void as_one_set_of_another(void **state) {
  (void)state;
  static struct shown expected[CYCLES], got[CYCLES];
  static const struct {
    unsigned ways, sets[3];
    enum hd_bypass bypass;
  } caches[] = {{8, {2, 4, 8}, HD_BYPASS_OFF},
                {8, {2, 4, 8}, HD_BYPASS_ASSOC},
                {24, {2, 4, 8}, HD_BYPASS_ALL},
                {64, {2, 16, 64}, HD_BYPASS_OFF}};
  for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
    struct hd_config c = small(caches[i].ways);
    c.request_buffer.bypass = caches[i].bypass;
    const unsigned lines = caches[i].ways * (caches[i].ways == 8 ? 4 : 2);
    play(c, 2, lines, expected);
    const uint64_t full = EVENTS(fail_line_alloc), past = EVENTS(bypass);
    assert_true(caches[i].ways > 16 || (caches[i].bypass == HD_BYPASS_OFF ? full : past) > 100);
    wreck();
    for (unsigned j = 0; j < 3; j++) {
      struct hd_config one = fully(caches[i].sets[j], caches[i].ways / caches[i].sets[j]);
      one.request_buffer.bypass = caches[i].bypass;
      play(one, 1, lines, got);
      assert_int_equal(EVENTS(fail_line_alloc), full);
      wreck();
      for (unsigned cycle = 0; cycle < CYCLES; cycle++)
        if (memcmp(&expected[cycle], &got[cycle], sizeof *got) != 0)
          fail_msg("%u ways, %u sets: cycle %u differs", caches[i].ways, caches[i].sets[j], cycle);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(least_recently_used_of_384),
      cmocka_unit_test(as_one_set_of_another),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
