/* Rules between the keys of LoSCache and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static void check(struct hd_check *k, const struct hd_config *c) {
  const char *gate = hd_config_word(c, "loscache", "gate");
  hd_rule(k, c->loscache.gate != HD_GATE_OFF && c->memory.kind == HD_MEM_LINK,
          HD_KEYS("loscache.gate", "memory.kind"),
          "found %s with memory.kind: link, where there is no L2; allowed with l2; set memory.kind to l2",
          gate);
  /* it counts the L1Ds' requests for a whole line */
  hd_wants_lines(k, "loscache.gate", c->loscache.gate != HD_GATE_OFF);
  const unsigned wake = c->loscache.wake_cycles, limit = c->loscache.wake_limit;
  hd_rule(
      k, c->loscache.gate != HD_GATE_OFF && wake > 1 && limit >= wake,
      HD_KEYS("loscache.wake_limit", "loscache.wake_cycles"),
      "found %u with loscache.wake_cycles: %u; a slice begins to wake one row a cycle, so no more than %u "
      "wake at once; allowed 0 (no limit) to %u; lower it",
      limit, wake, wake, wake - 1);
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  if (!strcmp(section, "storage") && !strncmp(key, "pred_table_", strlen("pred_table_")))
    return c->loscache.gate == HD_GATE_OFF ? "loscache.gate" : NULL;
  if (strcmp(section, "loscache") != 0 || !strcmp(key, "gate"))
    return NULL;
  if (c->loscache.gate != HD_GATE_OFF && !strcmp(key, "wake_limit") && c->loscache.wake_cycles < 2)
    return "loscache.wake_cycles";
  return c->loscache.gate == HD_GATE_OFF || (!strcmp(key, "extra") && c->loscache.gate == HD_GATE_NAIVE)
             ? "loscache.gate"
             : NULL;
}

static const char *needs(const struct hd_config *c, const char *key, bool *now) {
  *now = c->loscache.gate != HD_GATE_OFF;
  return !strcmp(key, "sm.pc_bits") ? "loscache.gate" : NULL;
}

static void describe(const struct hd_config *c, FILE *f) {
  if (c->loscache.gate != HD_GATE_OFF)
    fprintf(f, "loscache %s", hd_config_word(c, "loscache", "gate"));
}

const struct hd_rules loscache_rules = {.describe = describe, .check = check, .idle = idle, .needs = needs};
