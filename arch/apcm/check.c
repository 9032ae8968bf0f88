/* Rules between the keys of APCM and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static void check(struct hd_check *k, const struct hd_config *c) {
  hd_wants_lines(k, "apcm.manage", c->apcm.manage != HD_APCM_OFF);
  if (c->apcm.manage == HD_APCM_OFF)
    return;
  hd_rule(
      k, c->l1d.loads == HD_LOADS_BYPASSED && c->apcm.manage == HD_APCM_BYPASS,
      HD_KEYS("l1d.loads", "apcm.manage"),
      "found bypassed with apcm.manage: bypass, which would change nothing; allowed with protect or both; "
      "set it to cached, or apcm.manage to protect");
  hd_rule(
      k, c->apcm.seen == HD_SEEN_OTHERS && c->apcm.manage == HD_APCM_BYPASS,
      HD_KEYS("apcm.seen", "apcm.manage"),
      "found others with apcm.manage: bypass, where no line knows its warp; allowed any, or protect or both; "
      "set apcm.seen to any, or apcm.manage to both");
  hd_rule(
      k, c->apcm.full_set == HD_FULL_ANY && c->l1d.allocate == HD_ON_FILL,
      HD_KEYS("apcm.full_set", "l1d.allocate"),
      "found any with l1d.allocate: on_fill, which reserves no line, so that no load would ever bypass so; "
      "allowed pinned; use that, or l1d.allocate: on_miss");
  hd_rule(k, c->apcm.full_set == HD_FULL_ANY && c->l1d.allocate == HD_ON_MISS && c->l1d.mshrs < c->l1d.ways,
          HD_KEYS("apcm.full_set", "l1d.mshrs", "l1d.ways"),
          "found any with %u MSHRs and %u ways, so that no set is ever full of reserved lines; allowed "
          "pinned, or as many MSHRs as ways; raise l1d.mshrs to %u",
          c->l1d.mshrs, c->l1d.ways, c->l1d.ways);
  /* mrpb's stall bypass has a run-time enable. While the enable is low, only full_set lets loads pass */
  hd_rule(k,
          c->apcm.full_set == HD_FULL_ANY && c->request_buffer.bypass != HD_BYPASS_OFF &&
              c->request_buffer.kind != HD_MRPB,
          HD_KEYS("apcm.full_set", "request_buffer.bypass", "request_buffer.kind"),
          "found any with request_buffer.bypass: %s, by which such loads bypass already; allowed pinned, or "
          "request_buffer.kind: mrpb, whose bypass has a run-time enable; use that, or "
          "request_buffer.bypass: off",
          hd_config_word(c, "request_buffer", "bypass"));
  const unsigned ways = c->apcm.ways, sets = c->apcm.entries / ways, most = (1u << c->l1d.count_bits) - 1;
  const unsigned word = c->sm.addr_bits - hd_clog2(c->l1d.line_bytes) - (sets > 1 ? hd_clog2(sets) : 0) +
                        (c->apcm.manage == HD_APCM_BYPASS ? 1 : 2) * hd_clog2(c->apcm.loads) +
                        2 * c->l1d.count_bits;
  hd_rule(k, c->apcm.entries % ways != 0 || (sets & (sets - 1)) != 0, HD_KEYS("apcm.ways", "apcm.entries"),
          "found %u with apcm.entries: %u; allowed what divides that into a power of two of sets; change one",
          ways, c->apcm.entries);
  hd_rule(k, c->apcm.threshold > most, HD_KEYS("apcm.threshold", "l1d.count_bits"),
          "found %u with l1d.count_bits: %u; allowed up to %u, beyond which lines are not counted; lower it, "
          "or raise l1d.count_bits",
          c->apcm.threshold, c->l1d.count_bits, most);
  hd_rule(k, word > 64, HD_KEYS("apcm.entries", "apcm.ways", "sm.addr_bits", "l1d.line_bytes"),
          "found entries of %u bits (tag, ids, counts); allowed up to 64; lower sm.addr_bits or apcm.loads",
          word);
}

static const char *idle_storage(const struct hd_config *c, const char *key) {
  if (!strcmp(key, "mta_entry") && c->apcm.manage != HD_APCM_OFF && c->apcm.ways == c->apcm.entries)
    return "apcm.ways";
  const bool own = !strcmp(key, "lat_pc") || !strcmp(key, "psb_last") || !strcmp(key, "mta_entry");
  return own && (c->apcm.manage == HD_APCM_OFF ||
                 (!strcmp(key, "psb_last") && c->apcm.manage == HD_APCM_BYPASS))
             ? "apcm.manage"
             : NULL;
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  if (!strcmp(section, "storage"))
    return idle_storage(c, key);
  const bool own = !strcmp(section, "apcm") && strcmp(key, "manage") != 0;
  return own && c->apcm.manage == HD_APCM_OFF ? "apcm.manage" : NULL;
}

static const char *needs(const struct hd_config *c, const char *key, bool *now) {
  const bool hits = !strcmp(key, "l1d.bypass_hit");
  *now = hits ? c->apcm.manage == HD_APCM_BYPASS || c->apcm.manage == HD_APCM_BOTH
              : c->apcm.manage != HD_APCM_OFF;
  return hits || !strcmp(key, "l1d.bypass_slots") || !strcmp(key, "l1d.count_bits") ||
                 !strcmp(key, "sm.pc_bits")
             ? "apcm.manage"
             : NULL;
}

static void describe(const struct hd_config *c, FILE *f) {
  if (c->apcm.manage != HD_APCM_OFF)
    fprintf(f, "apcm %s", hd_config_word(c, "apcm", "manage"));
}

const struct hd_rules apcm_rules = {.describe = describe, .check = check, .idle = idle, .needs = needs};
