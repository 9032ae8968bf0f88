/* Rules between the keys of MemSched and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static void check(struct hd_check *k, const struct hd_config *c) {
  hd_wants_lines(k, "request_buffer.kind", c->request_buffer.kind == HD_MEMSCHED);
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  const bool probes = !strcmp(key, "probes"), of_units = !strcmp(key, "tags") || !strcmp(key, "probe_early");
  if (strcmp(section, "request_buffer") != 0 || (!probes && !of_units))
    return NULL;
  if (c->request_buffer.kind != HD_MEMSCHED)
    return "request_buffer.kind";
  if (c->request_buffer.drain != HD_DRAIN_GRR)
    return "request_buffer.drain";
  return of_units && c->request_buffer.probes == 1 ? "request_buffer.probes" : NULL;
}

static const char *needs(const struct hd_config *c, const char *key, bool *now) {
  *now = c->request_buffer.kind == HD_MEMSCHED;
  return !strcmp(key, "request_buffer.drain") || !strcmp(key, "request_buffer.depth") ||
                 !strcmp(key, "request_buffer.enable")
             ? "request_buffer.kind"
             : NULL;
}

static void describe(const struct hd_config *c, FILE *f) {
  if (c->request_buffer.kind == HD_MEMSCHED)
    fprintf(f, "memsched, %s of %u, %u deep", hd_config_word(c, "request_buffer", "drain"), c->d.UNITS,
            c->request_buffer.depth);
}

const struct hd_rules memsched_rules = {.describe = describe, .check = check, .idle = idle, .needs = needs};
