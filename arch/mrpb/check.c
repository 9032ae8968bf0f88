/* Rules between the keys of MRPB and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

/* The ways of a set. */
static unsigned ways_of(const struct hd_config *c) {
  return c->l1d.set_index == HD_INDEX_FULL ? c->l1d.sets * c->l1d.ways : c->l1d.ways;
}

static void check(struct hd_check *k, const struct hd_config *c) {
  hd_rule(
      k, c->request_buffer.bypass == HD_BYPASS_ASSOC && c->l1d.allocate == HD_ON_FILL,
      HD_KEYS("request_buffer.bypass", "l1d.allocate"),
      "found assoc with l1d.allocate: on_fill, which reserves no line, so that no load would ever bypass; "
      "allowed off or all; use one of these, or l1d.allocate: on_miss");
  hd_rule(k,
          c->request_buffer.bypass == HD_BYPASS_ASSOC && c->l1d.allocate == HD_ON_MISS &&
              c->l1d.mshrs < ways_of(c),
          HD_KEYS("request_buffer.bypass", "l1d.mshrs", "l1d.ways", "l1d.set_index", "l1d.sets"),
          "found assoc with %u MSHRs and sets of %u ways, so that none is ever full of reserved lines and no "
          "load would ever bypass; allowed off or all, or as many MSHRs as ways; use one of these, or other "
          "l1d.mshrs, l1d.ways, l1d.sets or l1d.set_index",
          c->l1d.mshrs, ways_of(c));
  if (c->request_buffer.kind != HD_MRPB)
    return;
  hd_rule(k, c->request_buffer.drain == HD_DRAIN_GRR, HD_KEYS("request_buffer.drain", "request_buffer.kind"),
          "found grr with request_buffer.kind: mrpb, whose queues give each request once and take none back "
          "(D-MSCH-8); allowed fixed, "
          "longest or rr; use one of these, or memsched");
  hd_rule(k, c->request_buffer.depth < 4, HD_KEYS("request_buffer.depth", "request_buffer.kind"),
          "found %u with request_buffer.kind: mrpb; allowed from 4 on; raise it", c->request_buffer.depth);
  hd_rule(k,
          c->request_buffer.stages == 2 &&
              (c->request_buffer.drain != HD_DRAIN_FIXED || c->request_buffer.greedy),
          HD_KEYS("request_buffer.stages", "request_buffer.drain", "request_buffer.greedy"),
          "found 2 with a policy that is not plain fixed; allowed 1, or drain: fixed and greedy: false");
  hd_rule(k, c->request_buffer.stages == 2 && c->request_buffer.latency < 5,
          HD_KEYS("request_buffer.stages", "request_buffer.latency"),
          "found 2 with a latency of %u, which has no cycles left for it; allowed from 5 on; raise it",
          c->request_buffer.latency);
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  if (!strcmp(section, "storage") && !strcmp(key, "mrpb_fifo"))
    return c->request_buffer.kind != HD_MRPB ? "request_buffer.kind" : NULL;
  const bool own = !strcmp(section, "request_buffer") &&
                   (!strcmp(key, "signature") || !strcmp(key, "greedy") || !strcmp(key, "flush") ||
                    !strcmp(key, "latency") || !strcmp(key, "stages"));
  return own && c->request_buffer.kind != HD_MRPB ? "request_buffer.kind" : NULL;
}

static const char *needs(const struct hd_config *c, const char *key, bool *now) {
  if (!strcmp(key, "l1d.bypass_slots")) {
    *now = c->request_buffer.bypass != HD_BYPASS_OFF;
    return "request_buffer.bypass";
  }
  *now = c->request_buffer.kind == HD_MRPB;
  return !strcmp(key, "request_buffer.drain") || !strcmp(key, "request_buffer.depth") ||
                 !strcmp(key, "request_buffer.enable")
             ? "request_buffer.kind"
             : NULL;
}

static void describe(const struct hd_config *c, FILE *f) {
  if (c->request_buffer.kind == HD_MRPB)
    fprintf(f, "mrpb by %s, %s%s, %u deep, flush %s%s", hd_config_word(c, "request_buffer", "signature"),
            c->request_buffer.greedy ? "greedy " : "", hd_config_word(c, "request_buffer", "drain"),
            c->request_buffer.depth, c->request_buffer.flush ? "on" : "off",
            c->request_buffer.stages == 2 ? ", two stages" : "");
  if (c->request_buffer.bypass != HD_BYPASS_OFF)
    fprintf(f, "%sbypass %s", c->request_buffer.kind == HD_MRPB ? ", " : "",
            hd_config_word(c, "request_buffer", "bypass"));
}

const struct hd_rules mrpb_rules = {.describe = describe, .check = check, .idle = idle, .needs = needs};
