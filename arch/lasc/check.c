/* Rules between the keys of LASC and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static void check(struct hd_check *k, const struct hd_config *c) {
  hd_wants_lines(k, "rft.form", c->rft.form != HD_RFT_OFF);
  if (c->rft.form == HD_RFT_OFF)
    return;
  hd_rule(k, c->l1d.loads == HD_LOADS_BYPASSED, HD_KEYS("l1d.loads", "rft.form"),
          "found bypassed with a mechanism that chooses what bypasses; allowed alone; set it to cached, or "
          "rft.form to off");
  hd_power_of_two(k, "rft.entries", c->rft.entries);
  hd_rule(k, c->gpu.sms % c->rft.sharers != 0, HD_KEYS("rft.sharers", "gpu.sms"),
          "found %u with gpu.sms: %u; allowed what divides that, so that every SM has a table; change one",
          c->rft.sharers, c->gpu.sms);
  hd_rule(k, c->rft.resample == 1, HD_KEYS("rft.resample"),
          "found 1, with which no load would bypass; allowed 0, or from 2 on; set it to one of these");
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  if (strcmp(section, "rft") != 0 || !strcmp(key, "form"))
    return NULL;
  if (c->rft.form == HD_RFT_OFF ||
      (c->rft.form != HD_RFT_AVERAGE && (!strcmp(key, "threshold") || !strcmp(key, "forget"))))
    return "rft.form";
  return !strcmp(key, "latency") && c->rft.sharers == 1 ? "rft.sharers" : NULL;
}

static const char *needs(const struct hd_config *c, const char *key, bool *now) {
  const bool counts = !strcmp(key, "l1d.count_bits");
  *now = counts ? c->rft.form == HD_RFT_AVERAGE : c->rft.form != HD_RFT_OFF;
  return counts || !strcmp(key, "l1d.bypass_slots") || !strcmp(key, "l1d.bypass_hit") ||
                 !strcmp(key, "sm.pc_bits")
             ? "rft.form"
             : NULL;
}

static void describe(const struct hd_config *c, FILE *f) {
  if (c->rft.form != HD_RFT_OFF)
    fprintf(f, "rft %s", hd_config_word(c, "rft", "form"));
}

const struct hd_rules lasc_rules = {.describe = describe, .check = check, .idle = idle, .needs = needs};
