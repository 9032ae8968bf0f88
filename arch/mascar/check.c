/* Rules between the keys of MASCAR and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static void check(struct hd_check *k, const struct hd_config *c) {
  hd_wants_lines(k, "mascar.priority", c->mascar.priority != HD_MASCAR_OFF);
  hd_wants_lines(k, "request_buffer.kind", c->request_buffer.kind == HD_REEXEC);
  hd_rule(k, c->request_buffer.kind == HD_REEXEC && c->request_buffer.depth < 2,
          HD_KEYS("request_buffer.depth", "request_buffer.kind"),
          "found %u with request_buffer.kind: reexec; allowed from 2 on; raise it", c->request_buffer.depth);
  if (c->mascar.priority == HD_MASCAR_OFF)
    return;
  hd_rule(k, c->l1d.mshrs < 4, HD_KEYS("l1d.mshrs", "mascar.priority"),
          "found %u with mascar.priority: on, which counts them in quarters; allowed from 4 on; raise it",
          c->l1d.mshrs);
  hd_rule(k, c->mascar.mshrs >= c->l1d.mshrs, HD_KEYS("mascar.mshrs", "l1d.mshrs"),
          "found %u with l1d.mshrs: %u, so that the memory would be saturated for ever; allowed less than "
          "these; lower it",
          c->mascar.mshrs, c->l1d.mshrs);
  hd_rule(k, c->mascar.places >= c->l1d.miss_queue, HD_KEYS("mascar.places", "l1d.miss_queue"),
          "found %u with l1d.miss_queue: %u, so that the memory would be saturated for ever; allowed less "
          "than these; lower it",
          c->mascar.places, c->l1d.miss_queue);
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  const bool own = !strcmp(section, "mascar") && strcmp(key, "priority") != 0;
  return own && c->mascar.priority == HD_MASCAR_OFF ? "mascar.priority" : NULL;
}

static const char *needs(const struct hd_config *c, const char *key, bool *now) {
  *now = c->request_buffer.kind == HD_REEXEC;
  return !strcmp(key, "request_buffer.depth") || !strcmp(key, "request_buffer.enable") ? "request_buffer.kind"
                                                                                       : NULL;
}

static void describe(const struct hd_config *c, FILE *f) {
  const bool priority = c->mascar.priority != HD_MASCAR_OFF;
  if (priority)
    fputs("mascar", f);
  if (c->request_buffer.kind == HD_REEXEC)
    fprintf(f, "%sre-execution queue, %u deep", priority ? ", " : "", c->request_buffer.depth);
}

const struct hd_rules mascar_rules = {.describe = describe, .check = check, .idle = idle, .needs = needs};
