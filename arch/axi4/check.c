/* Rules between the keys of the bus and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static void check(struct hd_check *k, const struct hd_config *c) {
  if (c->bus.kind == HD_BUS_OFF)
    return;
  hd_wants_lines(k, "bus.kind", c->memory.kind == HD_MEM_LINK);
  hd_power_of_two(k, "bus.data_bits", c->bus.data_bits);
  hd_rule(k, c->l1d.request_kinds == HD_KINDS_ATOMIC, HD_KEYS("l1d.request_kinds", "bus.kind"),
          "found atomic with bus.kind: axi4, which has no atomic transactions (D-L1-15); allowed plain or "
          "uncached; use one of these, or Heddle's own memory port");
  hd_rule(k, c->l1d.sector_bytes && c->memory.kind == HD_MEM_LINK, HD_KEYS("l1d.sector_bytes", "bus.kind"),
          "found %u with bus.kind: axi4, whose bursts bring lines; allowed 0, or Heddle's own memory port; "
          "change one of them",
          c->l1d.sector_bytes);
  hd_rule(k, c->l2.fill == HD_L2_FILL_SECTOR && c->memory.kind == HD_MEM_L2, HD_KEYS("l2.fill", "bus.kind"),
          "found sectors with bus.kind: axi4, whose bursts bring lines; allowed line, or Heddle's own memory "
          "port; change one of them");
  hd_rule(
      k, c->bus.data_bits > 8 * c->l1d.line_bytes, HD_KEYS("bus.data_bits", "l1d.line_bytes"),
      "found %u with lines of %u bytes; allowed at most a line, which is what a burst brings; set it to %u",
      c->bus.data_bits, c->l1d.line_bytes, 8 * c->l1d.line_bytes);
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  if (strcmp(section, "bus") != 0 ||
      (strcmp(key, "data_bits") != 0 && strcmp(key, "writes") != 0 && strcmp(key, "bypassed") != 0))
    return NULL;
  if (c->bus.kind == HD_BUS_OFF)
    return "bus.kind";
  return !strcmp(key, "bypassed") && c->memory.kind == HD_MEM_L2 ? "memory.kind" : NULL;
}

static const char *follows(const char *key) {
  return !strcmp(key, "bus.bypassed") ? "l1d.bypass_slots" : NULL;
}

static void describe(const struct hd_config *c, FILE *f) {
  if (c->bus.kind != HD_BUS_OFF)
    fprintf(f, "%s of %u bits", hd_config_word(c, "bus", "kind"), c->bus.data_bits);
}

const struct hd_rules axi4_rules = {.describe = describe, .check = check, .idle = idle, .follows = follows};
