/* Rules between the keys of CASC and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static void check(struct hd_check *k, const struct hd_config *c) {
  hd_wants_lines(k, "casc.scheme", c->casc.scheme == HD_CASC_LOCALITY);
  const bool casc = c->casc.scheme != HD_CASC_OFF;
  hd_rule(
      k, casc && c->l1d.ways >= c->sm.lanes, HD_KEYS("casc.scheme", "l1d.ways", "sm.lanes"),
      "found %u ways and %u lanes, so that no load has more requests than ways and none would ever bypass; "
      "allowed with fewer ways than lanes; lower l1d.ways, or set it to off",
      c->l1d.ways, c->sm.lanes);
  hd_rule(k, casc && c->l1d.loads == HD_LOADS_BYPASSED, HD_KEYS("l1d.loads", "casc.scheme"),
          "found bypassed with a mechanism that chooses what bypasses; allowed alone; set it to cached, or "
          "casc.scheme to off");
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  if (!strcmp(section, "storage") && !strcmp(key, "casc_lines"))
    return c->casc.scheme == HD_CASC_OFF ? "casc.scheme" : NULL;
  if (strcmp(section, "casc") != 0 || !strcmp(key, "scheme"))
    return NULL;
  const bool there = c->casc.scheme != HD_CASC_OFF, locality = c->casc.scheme == HD_CASC_LOCALITY;
  return locality || (there && !strcmp(key, "enable")) ? NULL : "casc.scheme";
}

static const char *needs(const struct hd_config *c, const char *key, bool *now) {
  const bool bypasses = !strcmp(key, "l1d.bypass_slots") || !strcmp(key, "l1d.bypass_hit"),
             counts = !strcmp(key, "l1d.count_bits") || !strcmp(key, "sm.pc_bits");
  *now = bypasses ? c->casc.scheme != HD_CASC_OFF : c->casc.scheme == HD_CASC_LOCALITY;
  return bypasses || counts ? "casc.scheme" : NULL;
}

static void describe(const struct hd_config *c, FILE *f) {
  if (c->casc.scheme != HD_CASC_OFF)
    fprintf(f, "casc %s", hd_config_word(c, "casc", "scheme"));
}

const struct hd_rules casc_rules = {.describe = describe, .check = check, .idle = idle, .needs = needs};
