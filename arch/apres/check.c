/* Rules between the keys of APRES and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static bool strides(const struct hd_config *c) {
  return c->prefetch.kind == HD_PF_SAP || c->prefetch.kind == HD_PF_STR;
}

static void check(struct hd_check *k, const struct hd_config *c) {
  hd_wants_lines(k, "scheduler.policy", c->scheduler.policy == HD_LAWS);
  hd_rule(k, strides(c) && c->prefetch.first_page > c->prefetch.last_page,
          HD_KEYS("prefetch.first_page", "prefetch.last_page"),
          "found %u with prefetch.last_page: %u; allowed up to that; no page could be prefetched from",
          c->prefetch.first_page, c->prefetch.last_page);
  hd_rule(k, strides(c) && (uint64_t)c->prefetch.first_page >> (c->sm.addr_bits - 16) != 0,
          HD_KEYS("prefetch.first_page", "sm.addr_bits"),
          "found %u with sm.addr_bits: %u; allowed pages that there are; lower it below %lu",
          c->prefetch.first_page, c->sm.addr_bits, 1ul << (c->sm.addr_bits - 16));
  hd_rule(k,
          c->scheduler.policy == HD_LAWS && c->laws.queue == HD_MATRIX && c->sm.warps < 2 * c->sm.schedulers,
          HD_KEYS("sm.schedulers", "sm.warps"),
          "found %u with sm.warps: %u and laws.queue: matrix, which orders the warps of a scheduler; allowed "
          "up to a "
          "scheduler for 2 warps; lower it to %u, or use laws.queue: list",
          c->sm.schedulers, c->sm.warps, c->sm.warps / 2);
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  if (!strcmp(section, "laws") || (!strcmp(section, "storage") && !strcmp(key, "laws_llt")))
    return c->scheduler.policy == HD_LAWS ? NULL : "scheduler.policy";
  if (strcmp(section, "prefetch") != 0)
    return NULL;
  if (!strcmp(key, "degree"))
    return c->prefetch.kind == HD_PF_STR ? NULL : "prefetch.kind";
  const bool by_stride = !strcmp(key, "queue") || !strcmp(key, "reach") || !strcmp(key, "first_page") ||
                         !strcmp(key, "last_page");
  return by_stride && !strides(c) ? "prefetch.kind" : NULL;
}

static const char *needs(const struct hd_config *c, const char *key, bool *now) {
  *now = strides(c) || (c->scheduler.policy == HD_LAWS && !strcmp(key, "sm.pc_bits"));
  return !strcmp(key, "prefetch.table") || !strcmp(key, "sm.pc_bits") ? "prefetch.kind" : NULL;
}

const struct hd_rules apres_rules = {.check = check, .idle = idle, .needs = needs};
