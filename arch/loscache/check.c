/* Rules between the keys of LoSCache and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static void check(struct hd_check *k, const struct hd_config *c) {
  const char *gate = hd_config_word(c, "loscache", "gate");
  hd_rule(k, c->loscache.gate != HD_GATE_OFF && c->memory.kind == HD_MEM_LINK,
          HD_KEYS("loscache.gate", "memory.kind"),
          "found %s with memory.kind: link, where there is no L2; allowed with l2; set memory.kind to l2",
          gate);
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  if (strcmp(section, "loscache") != 0 || !strcmp(key, "gate"))
    return NULL;
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
