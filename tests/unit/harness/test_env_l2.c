/* The environments of the L2 slice: golden models pass on slices of many shapes with every event seen, the same seed gives the same
 * run, and wrong outputs are caught. */
#include "tests/unit/harness/env_wrong.h"

/* A slice with this many sets and ways. */
static struct play slice(const char *module, enum hd_gate gate, unsigned sets, unsigned ways) {
  struct play p = of(module);
  p.c.memory.kind = HD_MEM_L2;
  p.c.l2.banks = p.c.dram.channels = 1;
  p.c.loscache.gate = gate;
  p.c.l2.sets = sets;
  p.c.l2.ways = ways;
  p.c.l2.mshrs = 6;
  return p;
}

static struct play plain(const char *module) {
  return slice(module, HD_GATE_OFF, 4, 4);
}
static struct play los(const char *module) {
  return slice(module, HD_GATE_ADAPTIVE, 4, 4);
}

static void sees_all(struct play p) {
  p.cycles = 300000;
  p.want_all = true;
  passes(&p);
  assert_int_equal(p.unseen, 0);
}

static void test_pass(void **state) {
  (void)state;
  static const char *const modules[] = {"l2_slice", "l2_top", "gate_ctrl"};
  static const unsigned ways[] = {4, 1, 3, 32}, bits[] = {6, 2, 8, 3};
  for (unsigned how = 0; how < 4; how++)
    for (unsigned m = 0; m < 3; m++)
      for (int gate = m == 2 ? HD_GATE_NAIVE : HD_GATE_OFF; gate <= HD_GATE_NAIVE; gate++) {
        struct play p = slice(modules[m], (enum hd_gate)gate, how == 1 ? 16 : 2, ways[how]);
        p.c.l2.mshrs = how == 3 ? 32 : 5;
        p.c.l2.mshr_merge = how == 1 ? 1 : 3;
        p.c.l2.queue = 2 + how;
        p.c.l1d.line_bytes = 32 << how;
        p.c.gpu.sms = how == 2 ? 15 : 1;
        p.c.gpu.dispatch_latency = 2;
        p.c.loscache.count_bits = bits[how];
        sees_all(p);
      }
}

/* Each seed draws the enable and the predictions differently. A few seeds together meet all cases. */
static void test_many_seeds(void **state) {
  (void)state;
  for (unsigned seed = 1; seed <= 24; seed++) {
    struct play p = seed % 2 ? los("l2_top") : los("l2_slice");
    p.seed = seed;
    passes(&p);
  }
}

static void test_same_seed_same_run(void **state) {
  (void)state;
  static const char *const modules[] = {"l2_slice", "l2_top", "gate_ctrl"};
  for (unsigned m = 0; m < 3; m++) {
    struct play a = los(modules[m]);
    a.traced = true;
    struct play b = a, other = a;
    other.seed = 2;
    passes(&a);
    passes(&b);
    passes(&other);
    assert_true(a.trace == b.trace);
    assert_true(a.trace != other.trace);
  }
}

/* Answers of l2_slice and of l2_top. */
#define BOTH(name, possible, what)                                                                           \
  SHOWN(slice_##name, l2_slice, possible, what)                                                              \
  SHOWN(top_##name, l2_top, possible, what)
#define GIVES (out->rsp_valid && in->rsp_ready)
#define SENDS (out->out_valid && in->out_ready)
BOTH(drop, GIVES, out->rsp_valid = 0)
BOTH(twice, !out->rsp_valid && in->rsp_ready, out->rsp_valid = 1)
BOTH(byte, GIVES &&hd_is_load(out->rsp.kind), out->rsp_data[1] ^= UINT64_C(1) << 63)
BOTH(to_whom, GIVES, out->rsp.wid ^= 1)
BOTH(kind, GIVES, out->rsp.kind ^= 1)
BOTH(entry, GIVES, out->rsp.pe ^= 1)
BOTH(restless, out->rsp_valid && !in->rsp_ready, out->rsp_valid = 0)
BOTH(flicker, out->out_valid && !in->out_ready, out->out.line ^= 1)
BOTH(other_line, SENDS, out->out.line ^= 1)
BOTH(other_mshr, SENDS && !out->out.write, out->out.id ^= 1)
BOTH(no_write, SENDS && out->out.write, out->out_valid = 0)
BOTH(bad_write, SENDS && out->out.write, out->out_data[0] ^= 1)
BOTH(read_twice, !out->out_valid && in->out_ready, out->out_valid = 1)
BOTH(deaf_fill, in->fill_valid && out->fill_ready, out->fill_ready = 0)
BOTH(not_early, GIVES && out->rsp.kind != HD_QUERY && out->rsp.count, out->rsp.count = 0)
BOTH(early, GIVES && out->rsp.kind != HD_QUERY && !out->rsp.count, out->rsp.count = 1)
BOTH(count, GIVES && out->rsp.kind == HD_QUERY, out->rsp.count = 60)
BOTH(counts, GIVES && out->rsp.kind != HD_QUERY && out->rsp.count, out->rsp.count = 63)
BOTH(counts_less, GIVES && out->rsp.kind != HD_QUERY && out->rsp.count > 1, out->rsp.count--)

/* The module never answers. */
#define MUTES(name, module)                                                                                  \
  static void name(void *in, void *out) {                                                                    \
    if (in && out)                                                                                           \
      ((struct module##_out *)out)->rsp_valid = 0;                                                           \
  }
MUTES(slice_mute, l2_slice)
MUTES(top_mute, l2_top)

/* An answer overtakes the one before it. */
#define SWAPS(module)                                                                                        \
  static void module##_swap(void *in_, void *out_) {                                                         \
    static struct l2rsp before;                                                                              \
    const struct module##_in *in = in_;                                                                      \
    struct module##_out *out = out_;                                                                         \
    if (!out || !GIVES)                                                                                      \
      return;                                                                                                \
    const struct l2rsp was = out->rsp;                                                                       \
    if (now(true))                                                                                           \
      out->rsp = before;                                                                                     \
    before = was;                                                                                            \
  }
SWAPS(l2_slice)
SWAPS(l2_top)

/* The model always gets another input. For a payload, only one in many is changed: it must stay the same until it is taken. */
#define HEARS(name, module, possible, what)                                                                  \
  static void name(void *in_, void *out_) {                                                                  \
    struct module##_in *in = in_;                                                                            \
    if (!out_ && (possible))                                                                                 \
      what;                                                                                                  \
  }
#define BOTH_HEAR(name, possible, what)                                                                      \
  HEARS(slice_##name, l2_slice, possible, what)                                                              \
  HEARS(top_##name, l2_top, possible, what)
#define STORES (in->req_valid && in->req.kind == HD_STORE && in->req_wdata[0] % 64 == 0)
BOTH_HEAR(lost_store, STORES, in->req_wmask[0] = 0)
BOTH_HEAR(wrong_store, STORES, in->req_wdata[0] ^= UINT64_MAX)
BOTH_HEAR(wrong_fill, in->fill_valid && in->fill_data[1] % 64 == 0, in->fill_data[0] ^= 1)
BOTH_HEAR(no_store, STORES, in->req.kind = HD_BYPASSED)

#define CAUGHT(machine, name, words)                                                                         \
  caught_in(machine("l2_slice"), slice_##name, words);                                                       \
  caught_in(machine("l2_top"), top_##name, words)

static void test_wrong_answers(void **state) {
  (void)state;
  CAUGHT(plain, mute, "nothing moves any more");
  CAUGHT(los, mute, "nothing moves any more");
  CAUGHT(los, drop, "overtakes an older request of its line");
  CAUGHT(los, twice, "is of no request inside, or a second one");
  CAUGHT(plain, byte, "has other data");
  CAUGHT(los, to_whom, "is of no request inside");
  CAUGHT(los, kind, "is of no request inside");
  CAUGHT(los, entry, "is of no request inside");
  CAUGHT(los, restless, "an answer at rsp went away");
  caught_in(plain("l2_slice"), l2_slice_swap, "is of no request inside, or a second one");
  caught_in(plain("l2_top"), l2_top_swap, "is of no request inside, or a second one");
}

/* Commands that are not taken, changed, done too early, or never done. */
BOTH_HEAR(no_command, in->mt_valid, in->mt_valid = 0)
BOTH_HEAR(no_write_back, in->mt_valid, in->mt_op &= ~1)
BOTH_HEAR(no_invalidate, in->mt_valid, in->mt_op &= ~2)
#define SAYS(name, module, what)                                                                             \
  static void name(void *in, void *out_) {                                                                   \
    struct module##_out *out = out_;                                                                         \
    if (in && out)                                                                                           \
      what;                                                                                                  \
  }
SAYS(slice_done_at_once, l2_slice, out->mt_done = !out->mt_ready)
SAYS(top_done_at_once, l2_top, out->mt_done = !out->mt_ready)
SAYS(slice_never_done, l2_slice, out->mt_done = 0)
SAYS(top_never_done, l2_top, out->mt_done = 0)
SAYS(slice_takes, l2_slice, out->req_ready |= !out->mt_ready)
SAYS(top_takes, l2_top, out->req_ready |= !out->mt_ready)

static struct play commands(const char *module) {
  struct play p = plain(module);
  p.c.l2.maintenance = true;
  return p;
}

static void test_commands(void **state) {
  (void)state;
  sees_all(commands("l2_slice"));
  sees_all(commands("l2_top"));
  CAUGHT(commands, no_command, "the command");
  CAUGHT(commands, no_write_back, "a line is not written back");
  CAUGHT(commands, no_invalidate, "has other data");
  CAUGHT(commands, done_at_once, "");
  CAUGHT(commands, never_done, "another one, or a request, is taken");
  CAUGHT(commands, takes, "another one, or a request, is taken");
}

/* A machine whose lines sleep when they become invalid. */
static struct play sleeping(const char *module) {
  struct play p = los(module);
  p.c.l2.maintenance = true;
  return p;
}

static void test_sleeping_commands(void **state) {
  (void)state;
  sees_all(sleeping("l2_slice"));
  sees_all(sleeping("l2_top"));
  CAUGHT(sleeping, no_write_back, "a line is not written back");
  CAUGHT(sleeping, no_invalidate, "a line is powered");
}

static void test_wrong_memory(void **state) {
  (void)state;
  CAUGHT(plain, flicker, "what is offered at out went away or changed");
  CAUGHT(plain, other_line, "is of a line that nobody asked for");
  CAUGHT(los, other_mshr, "MSHR");
  CAUGHT(plain, no_write, "has other data");
  CAUGHT(los, bad_write, "never made of the line");
  CAUGHT(los, read_twice, "reads");
  CAUGHT(plain, deaf_fill, "MSHR");
  CAUGHT(plain, lost_store, "has other data");
  CAUGHT(los, wrong_store, "never made of the line");
  CAUGHT(plain, wrong_fill, "has other data");
  CAUGHT(plain, no_store, "is of no request inside");
}

/* Errors that need LoSCache. */
SHOWN(awake_more, l2_top, true, out->awake++)
SHOWN(two_sleep, l2_top, out->awake > 1, (out->sleep[0] ^= 3, out->awake = 99))
SHOWN(act_none, l2_slice, out->act == HD_ACT_WAKE, out->act = out->act_at = 0)
SHOWN(act_set, l2_slice, out->act == HD_ACT_COUNT, out->act_set ^= 1)
SHOWN(act_last, l2_slice, out->act == HD_ACT_COUNT, out->act = HD_ACT_COUNT_SLEEP)
SHOWN(act_more, l2_slice, out->act == 0, out->act = out->act_at = 1)
SHOWN(act_any, l2_slice, out->act == 0, out->act_at = 2)
SHOWN(act_two, l2_slice, out->act == HD_ACT_COUNT, out->act_at = 3)
SHOWN(look_set, l2_slice, out->look_valid, out->look_set ^= 1)
SHOWN(looked_set, l2_slice, true, out->looked_set ^= 1)
SHOWN(looked_pred, l2_slice, true, out->looked_pred ^= 32)
SEEN(drowsy, l2_slice, in->sleep[0] != 15, in->on &= ~1)

/* One power switch is always stuck. */
static void stuck(void *in, void *out_) {
  struct l2_top_out *out = out_;
  if (!in || !out)
    return;
  out->awake -= ~out->sleep[0] & 1;
  out->sleep[0] |= 1;
}

/* The model always gets other predictions, and never the enable. */
static void earlier(void *in, void *out) {
  struct l2_top_in *i = in;
  if (!out && i->req.pred > 2)
    i->req.pred--;
}
static void disabled(void *in, void *out) {
  if (!out)
    ((struct l2_top_in *)in)->los_en = 0;
}
static void enabled(void *in, void *out) {
  if (!out)
    ((struct l2_top_in *)in)->los_en = 1;
}

static void test_wrong_power(void **state) {
  (void)state;
  caught_in(los("l2_slice"), slice_early, "nothing can have put its line to sleep");
  caught_in(los("l2_top"), top_early, "nothing can have put its line to sleep");
  caught_in(los("l2_slice"), slice_not_early, "should have slept");
  caught_in(los("l2_top"), top_not_early, "should have slept");
  caught_in(los("l2_top"), earlier, "has not had the accesses predicted");
  caught_in(los("l2_top"), disabled, "should have slept");
  caught_in(los("l2_top"), enabled, "than there were accesses with a prediction");
  caught_in(los("l2_top"), stuck, "are powered, it should be");
  caught_in(los("l2_slice"), slice_count, "counts what the accesses of its line were not");
  caught_in(los("l2_top"), top_count, "counts what the accesses of its line were not");
  caught_in(los("l2_slice"), slice_counts, "says more accesses than its line has had");
  caught_in(los("l2_top"), top_counts, "says more accesses than its line has had");
  caught_in(los("l2_slice"), slice_counts_less, "says another number of accesses than its line has had");
  caught_in(los("l2_top"), top_counts_less, "says another number of accesses than its line has had");
  caught_in(los("l2_top"), awake_more, "awake is");
  caught_in(los("l2_top"), two_sleep, "awake is");
  caught_in(los("l2_slice"), act_none, "is of a line that sleeps");
  caught_in(los("l2_slice"), act_set, "is not of the set looked up");
  caught_in(los("l2_slice"), act_last, "is not the last access");
  caught_in(los("l2_slice"), act_more, "is not of the set looked up");
  caught_in(los("l2_slice"), act_any, "names a line");
  caught_in(los("l2_slice"), act_two, "is not of one line");
  caught_in(los("l2_slice"), look_set, "of which none of the latest requests is");
  caught_in(los("l2_slice"), looked_set, "of which none of the latest requests is");
  caught_in(los("l2_slice"), looked_pred, "of which none of the latest requests is");
  caught_in(los("l2_slice"), drowsy, "has other data");
}

/* Rows that take time to wake. */
static struct play waking(const char *module) {
  struct play p = los(module);
  p.c.loscache.wake_cycles = 6;
  p.c.loscache.wake_limit = 2;
  return p;
}
SHOWN(no_woken, gate_ctrl, out->woken, out->woken = 0)
SHOWN(woken, gate_ctrl, !out->woken, out->woken = 1)
SHOWN(woken_mshr, gate_ctrl, out->woken, out->woken_mshr ^= 1)
SHOWN(wake_room, gate_ctrl, true, out->wake_room ^= 1)

/* The count of rows that wake is always wrong. */
static void any_number(void *in_, void *out) {
  if (!out)
    ((struct l2_slice_in *)in_)->wake_room = 1;
}
/* A switch opens and closes again, in cycles in which no other switch does. */
static void at_once(void *in, void *out_) {
  static uint64_t last;
  static bool off;
  struct l2_top_out *out = out_;
  if (!in || !out)
    return;
  if (out->awake == last)
    off = !off && ~out->sleep[0] & 1;
  last = out->awake;
  out->awake -= off && ~out->sleep[0] & 1;
  out->sleep[0] |= off;
}

static void test_wakes(void **state) {
  (void)state;
  static const char *const modules[] = {"l2_slice", "l2_top", "gate_ctrl"};
  for (unsigned m = 0; m < 3; m++) {
    struct play p = waking(modules[m]);
    p.c.l2.maintenance = m != 2;
    sees_all(p);
    p.c.loscache.wake_limit = 0;
    sees_all(p);
  }
  caught_in(waking("l2_slice"), any_number, "no row may begin to wake");
  caught_in(waking("l2_top"), at_once, "rows wake in one cycle");
  caught_in(waking("gate_ctrl"), no_woken, "a row is awake, and woken is 0");
  caught_in(waking("gate_ctrl"), woken, "woken is 1, and no row is awake");
  caught_in(waking("gate_ctrl"), woken_mshr, "for another MSHR");
  caught_in(waking("gate_ctrl"), wake_room, "wake_room is not");
}

SHOWN(on, gate_ctrl, true, out->on ^= 1)
SHOWN(last, gate_ctrl, true, out->last ^= 1)
SHOWN(count, gate_ctrl, true, out->count[0] ^= 1)
SHOWN(predicted, gate_ctrl, true, out->predicted ^= 1)
SHOWN(once, gate_ctrl, true, out->once ^= 1)
SHOWN(sleep, gate_ctrl, true, out->sleep[1] ^= 1)
SHOWN(awake, gate_ctrl, true, out->awake ^= 1)
SEEN(no_act, gate_ctrl, in->act == HD_ACT_COUNT, in->act = 0)
SEEN(no_wake, gate_ctrl, in->act == HD_ACT_WAKE, in->act = HD_ACT_KEEP)
SEEN(no_sleep, gate_ctrl, in->act >= HD_ACT_COUNT_SLEEP, in->act = 0)
SEEN(other_way, gate_ctrl, in->act == HD_ACT_COUNT, in->act_at = in->act_at == 1 ? 2 : 1)
SEEN(other_look, gate_ctrl, in->look_valid, in->look_set ^= 1)
SEEN(other_set, gate_ctrl, true, in->looked_set ^= 1)
SEEN(other_pred, gate_ctrl, true, in->looked_pred ^= 1)

static void test_wrong_gate(void **state) {
  (void)state;
  caught_in(los("gate_ctrl"), on, "on is not");
  caught_in(los("gate_ctrl"), last, "last is not");
  caught_in(los("gate_ctrl"), count, "a count is not");
  caught_in(los("gate_ctrl"), predicted, "predicted is not");
  caught_in(los("gate_ctrl"), once, "once is not");
  caught_in(los("gate_ctrl"), sleep, "sleep of set 1 is");
  caught_in(los("gate_ctrl"), awake, "awake is");
  caught_in(los("gate_ctrl"), no_act, "a count is not");
  caught_in(los("gate_ctrl"), no_wake, "on is not");
  caught_in(los("gate_ctrl"), no_sleep, "on is not");
  caught_in(los("gate_ctrl"), other_way, "a count is not");
  caught_in(los("gate_ctrl"), other_look, "is not");
  caught_in(los("gate_ctrl"), other_set, "on is not");
  caught_in(los("gate_ctrl"), other_pred, "predict");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pass),
      cmocka_unit_test(test_many_seeds),
      cmocka_unit_test(test_same_seed_same_run),
      cmocka_unit_test(test_wrong_answers),
      cmocka_unit_test(test_commands),
      cmocka_unit_test(test_sleeping_commands),
      cmocka_unit_test(test_wrong_memory),
      cmocka_unit_test(test_wrong_power),
      cmocka_unit_test(test_wakes),
      cmocka_unit_test(test_wrong_gate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
