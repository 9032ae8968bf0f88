/* The environments of the L1D with hooks and of its attachments catch errors that happen now and then or always. */
#include "tests/unit/harness/env_wrong.h"

static struct play apcm(const char *module) {
  struct play p = of(module);
  p.c.apcm.manage = HD_APCM_BOTH;
  return p;
}

/* A machine with hold, pins and keep. */
static struct play mixed(const char *module) {
  struct play p = apcm(module);
  p.c.casc.scheme = HD_CASC_LOCALITY;
  p.c.rft.form = HD_RFT_BIT;
  p.c.rft.entries = 8;
  p.c.rft.resample = 2;
  return p;
}

/* A machine whose loads come again and whose lines are probed. */
static struct play probed(struct play p) {
  p.c.request_buffer.kind = HD_MEMSCHED;
  p.c.request_buffer.drain = HD_DRAIN_GRR;
  return p;
}

/* The stall bypass, with its enable. */
static struct play stalls(struct play p, enum hd_bypass which) {
  p.c.request_buffer.kind = HD_MRPB;
  p.c.request_buffer.bypass = which;
  return p;
}

/* --- the L1D: answers ------------------------------------------------------------------------------------- */

HEARD(deaf_bypass, l1d, advice_bypass, 0)
HEARD(all_bypass, l1d, advice_bypass, 1)
HEARD(deaf_keep, l1d, advice_keep, 0)
HEARD(all_keep, l1d, advice_keep, 1)
HEARD(no_pins, l1d, pins, 0)
HEARD(all_pins, l1d, pins, 15)
HEARD(never_held, l1d, hold, 0)
HEARD(ever_held, l1d, hold, 1)
HEARD(never_refused, l1d, hold_refuse, 0)
HEARD(ever_refused, l1d, hold_refuse, 1)
HEARD(any_among, l1d, hold_among, 15)
HEARD(no_lack, l1d, lack_line, 0)
HEARD(ever_lack, l1d, lack_line, 1)
HEARD(no_stalls, l1d, lack_bypass, 0)
HEARD(ever_stalls, l1d, lack_bypass, 1)
HEARD(never_again, l1d, lack_again, 0)
HEARD(ever_again, l1d, lack_again, 1)
static void unpins(void *in_, void *out) { /* the lowest pin, unless all ways are pinned */
  struct l1d_in *in = in_;
  if (!out && in->pins != 15)
    in->pins &= in->pins - 1;
}
static void other_new(void *in_, void *out) { /* always, since it counts only for the set in c */
  struct l1d_in *in = in_;
  if (!out)
    in->pin_new ^= 1;
}

static void test_wrong_answers(void **state) {
  (void)state;
  const struct play p = mixed("l1d"), q = probed(apcm("l1d"));
  caught_in(p, deaf_bypass, "by the joining rule it goes on uncached");
  caught_in(p, all_bypass, "goes on uncached, by OUTCOME; by the joining rule it misses");
  caught_in(p, deaf_keep, "goes on uncached, by OUTCOME; by the joining rule it misses");
  caught_in(p, all_keep, "misses, by OUTCOME; by the joining rule it");
  caught_in(p, no_pins, "other pinned ways than there were");
  caught_in(p, all_pins, "other pinned ways than there were");
  caught_in(p, never_held, "by the joining rule it waits");
  caught_in(p, ever_held, "waits, and nothing keeps it");
  caught_in(p, never_refused, "misses, by OUTCOME; by the joining rule it goes on uncached");
  caught_in(p, ever_refused, "goes on uncached, by OUTCOME; by the joining rule it misses");
  caught_in(p, any_among, "not one of those among which it may");
  caught_in(p, no_lack, "waits, and nothing keeps it");
  caught_in(p, ever_lack, "goes on uncached, by OUTCOME; by the joining rule it waits");
  caught_in(stalls(mixed("l1d"), HD_BYPASS_ALL), no_stalls, "waits, and nothing keeps it");
  caught_in(stalls(mixed("l1d"), HD_BYPASS_ALL), ever_stalls,
            "goes on uncached, by OUTCOME; by the joining rule it");
  caught_in(stalls(of("l1d"), HD_BYPASS_ASSOC), ever_stalls, "that nothing lets bypass");
  caught_in(q, other_new, "goes on uncached, by OUTCOME; by the joining rule it is to come again");
  caught_in(q, never_again, "waits, and nothing keeps it");
  caught_in(q, ever_again, "is to come again, by OUTCOME");
  caught_in(apcm("l1d"), no_pins, "by the joining rule it goes on uncached");
  caught_in(apcm("l1d"), unpins, "takes a way that is pinned");
}

/* --- the L1D: outcomes ------------------------------------------------------------------------------------ */

SHOWN(outcome_none, l1d, out->outcome_load, out->outcome_load = 0)
SHOWN(outcome_more, l1d, !out->outcome_load, out->outcome_load = 1)
SHOWN(outcome_hit, l1d, out->outcome_load && !out->outcome_hit && !out->outcome_merge && !out->outcome_take,
      out->outcome_hit = 1)
SHOWN(outcome_no_hit, l1d, out->outcome_hit, out->outcome_hit = 0)
SHOWN(outcome_no_merge, l1d, out->outcome_merge, out->outcome_merge = 0)
SHOWN(outcome_takes, l1d, out->outcome_hit, out->outcome_take = 1)
SHOWN(outcome_takes_not, l1d, out->outcome_take, out->outcome_take = 0)
SHOWN(outcome_not_past, l1d, out->outcome_past, out->outcome_past = 0)
SHOWN(outcome_other_way, l1d, out->outcome_hit, out->outcome_at = out->outcome_at == 1 ? 2 : 1)
SHOWN(outcome_takes_other, l1d, out->outcome_take,
      out->outcome_at = out->outcome_at == 8 ? 1 : out->outcome_at << 1)
SHOWN(outcome_other_set, l1d, out->outcome_load, out->outcome_set ^= 1)
SHOWN(outcome_evicts, l1d, out->outcome_take && !out->outcome_evict, out->outcome_evict = 1)
SHOWN(outcome_evicts_not, l1d, out->outcome_evict, out->outcome_evict = 0)
SHOWN(took_other, l1d, out->outcome_take, out->took.hpc ^= 1)
SHOWN(outcome_two, l1d, out->outcome_load, out->outcome.two ^= 1)
SHOWN(outcome_last, l1d, out->outcome_load, out->outcome.last ^= 1)
SHOWN(outcome_line, l1d, out->outcome_load, out->outcome.line ^= 1)
SHOWN(outcome_lid, l1d, out->outcome_load, out->outcome.lid ^= 1)
SHOWN(outcome_hash, l1d, out->outcome_load, out->outcome.hpc ^= 1)
SHOWN(outcome_untried, l1d, out->outcome_load, out->outcome_tried = 0)
SHOWN(outcome_served, l1d, out->outcome_tried && !out->outcome_load, out->outcome_load = 1)
SHOWN(outcome_warp, l1d, out->outcome_tried, out->outcome.wid ^= 1)
SHOWN(quiet_hit, l1d, !out->outcome_load, out->outcome_hit = 1)
SHOWN(quiet_take, l1d, !out->outcome_load, out->outcome_take = 1)
SHOWN(quiet_write, l1d, !out->outcome_load, (out->outcome_write = 1, out->outcome_at = 1))
SHOWN(writes_nowhere, l1d, out->outcome_write, out->outcome_at = 0)

static void test_wrong_outcome(void **state) {
  (void)state;
  const struct play p = mixed("l1d"), q = probed(of("l1d"));
  caught_in(p, outcome_none, "");
  caught_in(p, outcome_more, "");
  caught_in(p, outcome_hit, "hits and");
  caught_in(p, outcome_no_hit, "by the joining rule it hits and is served");
  caught_in(p, outcome_no_merge, "by the joining rule it merges");
  caught_in(p, outcome_takes, "to adopt a line that it does not");
  caught_in(p, outcome_takes_not, "by the joining rule it misses");
  caught_in(p, outcome_not_past, "in ways that exclude each other");
  caught_in(p, outcome_other_way, "another way than its line is in");
  caught_in(p, outcome_takes_other, "not the lowest empty one");
  caught_in(p, outcome_takes_other, "used after another that it may take");
  caught_in(p, outcome_takes_other, "a way that is reserved");
  caught_in(p, outcome_other_set, "another set than its own");
  caught_in(p, outcome_evicts, "and none was there");
  caught_in(p, outcome_evicts_not, "and one was there");
  caught_in(p, took_other, "with other fields than its own");
  caught_in(p, outcome_two, "other fields than it has");
  caught_in(p, outcome_last, "other fields than it has");
  caught_in(p, outcome_line, "other fields than it has");
  caught_in(p, outcome_lid, "other fields than it has");
  caught_in(p, outcome_hash, "other fields than it has");
  caught_in(p, quiet_hit, "what became of a load is told");
  caught_in(p, quiet_take, "a load took a line is told");
  caught_in(p, quiet_write, "a tag was written is told");
  caught_in(p, writes_nowhere, "not in one way");
  caught_in(q, outcome_untried, "was done, and was not tried");
  caught_in(q, outcome_served, "");
  caught_in(q, outcome_none, "and nobody brings it");
  caught_in(q, outcome_warp, "other fields than it has");
}

SHOWN(fill_number, l1d, out->outcome_take && !out->outcome_load, out->outcome_nth ^= 1)
SHOWN(fill_hash, l1d, out->outcome_take && !out->outcome_load, out->took.hpc ^= 1)
SHOWN(fill_untaken, l1d, out->outcome_take && !out->outcome_load, out->outcome_take = 0)
ALWAYS(adopts_not, l1d, out->outcome_take && !out->outcome_write, out->outcome_take = 0)

/* Lines that come with the fill, and lines that no load asked for. */
static void test_wrong_fills(void **state) {
  (void)state;
  struct play p = of("l1d");
  p.c.rft.form = HD_RFT_BIT;
  p.c.l1d.allocate = HD_ON_FILL;
  caught_in(p, fill_number, "with another number of loads");
  caught_in(p, fill_hash, "with other fields than those of its first");
  caught_in(p, fill_untaken, "is not said to be one");
  p = apcm("l1d");
  p.c.prefetch.kind = HD_PF_STR;
  caught_in(p, adopts_not, "is not said to adopt");
}

/* --- the L1D: outputs shown ------------------------------------------------------------------------------- */

ALWAYS(looks_never, l1d, true, out->look_valid = 0)
SHOWN(looks_other, l1d, out->look_valid, out->look.wid ^= 1)
SHOWN(looks_other_set, l1d, out->look_valid, out->look_set ^= 1)
ALWAYS(decides_other, l1d, true, out->decide.wid ^= 1)
ALWAYS(decides_other_set, l1d, true, out->decide_set ^= 1)
ALWAYS(decides_lines, l1d, true, out->decide_lines ^= 1)
ALWAYS(decides_reserved, l1d, true, out->decide_reserved ^= 2)
ALWAYS(decides_pins, l1d, true, out->decide_pins ^= 1)
ALWAYS(lines_valid, l1d, true, out->lines_valid[3] ^= 1)
ALWAYS(lines_reserved, l1d, true, out->lines_reserved[3] ^= 1)
ALWAYS(lines_written, l1d, out->outcome_write, out->lines_reserved[out->outcome_set] = 0)
ALWAYS(lines_free, l1d, true, out->lines_free = 1)
ALWAYS(lines_not_free, l1d, true, out->lines_free = 0)
ALWAYS(lines_room, l1d, true, out->lines_room = 1)
ALWAYS(lines_no_room, l1d, true, out->lines_room = 0)

static void test_wrong_shown(void **state) {
  (void)state;
  const struct play p = mixed("l1d"), q = probed(apcm("l1d"));
  caught_in(p, looks_never, "was never looked at");
  caught_in(p, looks_other, "no request inside that is not decided looks like that");
  caught_in(p, looks_other_set, "no request inside that is not decided looks like that");
  caught_in(p, decides_other, "is decided with other fields");
  caught_in(p, decides_other_set, "is decided with other fields");
  caught_in(p, decides_lines, "other valid or reserved ways");
  caught_in(p, decides_reserved, "other valid or reserved ways");
  caught_in(p, decides_pins, "other pinned ways");
  caught_in(q, lines_valid, "valid or reserved, and is not");
  caught_in(q, lines_reserved, "valid or reserved, and is not");
  caught_in(probed(of("l1d")), lines_written, "its way does not show that");
  caught_in(q, lines_free, "and all wait for the memory");
  caught_in(q, lines_not_free, "and nothing is inside");
  caught_in(q, lines_room, "and more wait than fit");
  caught_in(q, lines_no_room, "and nothing is at the memory port");
}

/* --- the attachments -------------------------------------------------------------------------------------- */

SHOWN(uses_evicts, line_uses, true, out->evict_valid ^= 1)
SHOWN(uses_other_hash, line_uses, out->evict_valid, out->evict_hpc ^= 1)
SHOWN(uses_other_count, line_uses, out->evict_valid, out->evict_count ^= 1)
SHOWN(uses_uses, line_uses, out->uses, out->uses ^= 1)
SHOWN(uses_counter, line_uses, true, out->decide_counters[1] ^= 1)
SEEN(uses_deaf, line_uses, in->outcome_hit, in->outcome_load = in->outcome_hit = 0)
SEEN(uses_other_place, line_uses, in->outcome_take, in->outcome_at = in->outcome_at == 1 ? 2 : 1)
SEEN(uses_other_row, line_uses, in->late_evict, in->late_row ^= 1)

static void test_wrong_line_uses(void **state) {
  (void)state;
  const struct play p = mixed("line_uses");
  caught_in(p, uses_evicts, "evict_valid is");
  caught_in(p, uses_other_hash, "is said to be of hash");
  caught_in(p, uses_other_count, "is said to be of hash");
  caught_in(p, uses_uses, "uses is");
  caught_in(p, uses_counter, "the counter of set");
  caught_in(p, uses_deaf, "");
  caught_in(p, uses_other_place, "");
  caught_in(p, uses_other_row, "is said to be of hash");
}

SHOWN(degree_hold, locality_degree, true, out->hold ^= 1)
SHOWN(degree_refuse, locality_degree, true, out->hold_refuse ^= 1)
SHOWN(degree_among, locality_degree, true, out->hold_among ^= 1)
SHOWN(degree_lack, locality_degree, true, out->lack_line ^= 1)
SHOWN(degree_asks, locality_degree, true, out->lk_hpc ^= 1)
SEEN(degree_sum, locality_degree, in->late_held && in->lk_known, in->lk_sum = in->lk_sum ? 0 : 63)
SEEN(degree_counter, locality_degree, true, in->decide_counters[0] ^= 1)
SEEN(degree_pins, locality_degree, true, in->decide_pins = 0)

static void test_wrong_degree(void **state) {
  (void)state;
  const struct play p = mixed("locality_degree");
  caught_in(p, degree_hold, "hold is");
  caught_in(p, degree_refuse, "hold_refuse is");
  caught_in(p, degree_among, "hold_among is");
  caught_in(p, degree_lack, "lack_line is");
  caught_in(p, degree_asks, "is looked up");
  caught_in(p, degree_sum, "hold_refuse is");
  caught_in(p, degree_counter, "hold_among is");
  caught_in(p, degree_pins, "hold_among is");
}

SHOWN(rft_line_bypass, rft_line, true, out->advice_bypass ^= 1)
SEEN(rft_line_forgets, rft_line, in->outcome_past, in->outcome_past = 0)
SEEN(rft_line_unseen, rft_line, in->outcome_load, in->outcome_load = 0)
SEEN(rft_line_hash, rft_line, in->look_valid, in->look_hpc ^= 1)
HEARD(rft_line_enabled, rft_line, rft_en, 1)

static void test_wrong_rft_line(void **state) {
  (void)state;
  const struct play p = mixed("rft_line");
  caught_in(p, rft_line_bypass, "advice_bypass is");
  caught_in(p, rft_line_forgets, "advice_bypass is");
  caught_in(p, rft_line_unseen, "advice_bypass is");
  caught_in(p, rft_line_hash, "advice_bypass is");
  caught_in(p, rft_line_enabled, "advice_bypass is 1");
}

SHOWN(apcm_bypass, apcm_line, true, out->advice_bypass ^= 1)
SHOWN(apcm_keep, apcm_line, true, out->advice_keep ^= 1)
SHOWN(apcm_new, apcm_line, true, out->pin_new ^= 1)
SHOWN(apcm_pins, apcm_line, in->look_valid, out->pins ^= 1)
SHOWN(apcm_unsaid, apcm_line, out->ps_valid, out->ps_valid = 0)
SHOWN(apcm_said, apcm_line, !out->ps_valid, out->ps_valid = 1)
SHOWN(apcm_until, apcm_line, out->ps_valid, out->ps_last ^= 1)
SHOWN(apcm_loop, apcm_line, out->ps_valid, out->ps_loop ^= 1)
SEEN(apcm_owner, apcm_line, in->late_take, in->late_take = 0)
SEEN(apcm_unread, apcm_line, in->late_read, in->late_set ^= 1)
SEEN(apcm_untaken, apcm_line, in->outcome_take, in->outcome_take = 0)
HEARD(apcm_disabled, apcm_line, apcm_en, 0)
HEARD(apcm_alone, apcm_line, psb_on, 0)

static void test_wrong_apcm_line(void **state) {
  (void)state;
  const struct play p = apcm("apcm_line");
  caught_in(p, apcm_bypass, "advice_bypass is");
  caught_in(p, apcm_keep, "advice_keep is");
  caught_in(p, apcm_new, "pin_new is");
  caught_in(p, apcm_pins, "pins is");
  caught_in(p, apcm_unsaid, "ps_valid is 0");
  caught_in(p, apcm_said, "ps_valid is 1");
  caught_in(p, apcm_until, "protects until load");
  caught_in(p, apcm_loop, "protects until load");
  caught_in(p, apcm_owner, "pins is");
  caught_in(p, apcm_unread, "pins is");
  caught_in(p, apcm_untaken, "ps_valid is 0");
  caught_in(p, apcm_disabled, "advice_");
  caught_in(p, apcm_alone, "");
}

SHOWN(probe_hit, tag_probe, true, out->pr_hit ^= 1)
SHOWN(probe_can, tag_probe, true, out->pr_can ^= 2)
SEEN(probe_tag, tag_probe, in->late_tag_we, in->late_tag ^= 1)
SEEN(probe_unreported, tag_probe, in->outcome_write, in->outcome_write = 0)
SEEN(probe_line, tag_probe, true, in->pr_line[1] ^= 1)

static void test_wrong_tag_probe(void **state) {
  (void)state;
  const struct play p = probed(of("tag_probe"));
  caught_in(p, probe_hit, "unit 0 is told");
  caught_in(p, probe_can, "unit 1 is told");
  caught_in(p, probe_tag, "is told of line");
  caught_in(p, probe_unreported, "is told of line");
  caught_in(p, probe_line, "unit 1 is told");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong_answers),   cmocka_unit_test(test_wrong_outcome),
      cmocka_unit_test(test_wrong_fills),     cmocka_unit_test(test_wrong_shown),
      cmocka_unit_test(test_wrong_line_uses), cmocka_unit_test(test_wrong_degree),
      cmocka_unit_test(test_wrong_rft_line),  cmocka_unit_test(test_wrong_apcm_line),
      cmocka_unit_test(test_wrong_tag_probe),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
