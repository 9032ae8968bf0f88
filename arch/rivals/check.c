/* Rules between the keys of the rivals (mechanisms only for comparison) and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static bool few_tokens(const struct hd_config *c) {
  return c->scheduler.limit && c->scheduler.tokens;
}

static void check(struct hd_check *k, const struct hd_config *c) {
  hd_wants_lines(k, "scheduler.tokens", few_tokens(c));
  hd_wants_lines(k, "l1d.distance", c->l1d.distance);
  hd_rule(k, few_tokens(c) && c->l1d.loads == HD_LOADS_BYPASSED, HD_KEYS("l1d.loads", "scheduler.tokens"),
          "found bypassed with a mechanism that chooses what bypasses; allowed alone; set it to cached, or "
          "scheduler.tokens to 0");
  hd_rule(k, few_tokens(c) && c->scheduler.tokens >= c->scheduler.limit,
          HD_KEYS("scheduler.tokens", "scheduler.limit"),
          "found %u with scheduler.limit: %u; allowed fewer than that, or 0; lower it", c->scheduler.tokens,
          c->scheduler.limit);
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  if (strcmp(section, "scheduler") != 0)
    return NULL;
  if (!strcmp(key, "group"))
    return c->scheduler.policy == HD_TWO_LEVEL || c->scheduler.policy == HD_PA ? NULL : "scheduler.policy";
  return !strcmp(key, "tokens") && !c->scheduler.limit ? "scheduler.limit" : NULL;
}

static const char *needs(const struct hd_config *c, const char *key, bool *now) {
  if (!strcmp(key, "prefetch.table")) {
    *now = c->prefetch.kind == HD_PF_SLD;
    return "prefetch.kind";
  }
  const bool slots = !strcmp(key, "l1d.bypass_slots");
  *now = few_tokens(c) || (slots && (c->l1d.distance || c->l1d.loads == HD_LOADS_BYPASSED));
  return slots ? "l1d.loads" : !strcmp(key, "l1d.bypass_hit") ? "scheduler.tokens" : NULL;
}

static const char *model_only(const struct hd_config *c) {
  return c->l1d.loads == HD_LOADS_BYPASSED  ? "l1d.loads: bypassed"
         : few_tokens(c)                    ? "scheduler.tokens"
         : c->l1d.distance                  ? "l1d.distance"
         : c->rft.form == HD_RFT_CONFIDENCE ? "rft.form: confidence"
                                            : NULL;
}

static void describe(const struct hd_config *c, FILE *f) {
  const char *comma = "";
  if (few_tokens(c)) {
    fprintf(f, "loads of %u warps a scheduler cached", c->scheduler.tokens);
    comma = ", ";
  }
  if (c->l1d.distance) {
    fprintf(f, "%s%slines protected for %u accesses of their set", comma, c->d.APCM_PN ? "APCM's " : "",
            c->l1d.distance);
    comma = ", ";
  }
  if (c->l1d.loads == HD_LOADS_BYPASSED)
    fprintf(f, "%sloads bypassed", comma);
}

const struct hd_rules rivals_rules = {
    .describe = describe, .check = check, .idle = idle, .needs = needs, .model_only = model_only};
