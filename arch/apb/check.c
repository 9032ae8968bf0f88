/* Rules between the keys of the control registers and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static void check(struct hd_check *k, const struct hd_config *c) {
  hd_wants_lines(k, "bus.control", c->bus.control != HD_CONTROL_OFF); /* it counts the loss of whole lines */
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  const bool of_counters = !strcmp(section, "bus") && !strcmp(key, "counter_bits");
  return of_counters && c->bus.control == HD_CONTROL_OFF ? "bus.control" : NULL;
}

static void describe(const struct hd_config *c, FILE *f) {
  if (c->bus.control != HD_CONTROL_OFF)
    fprintf(f, "control registers behind %s", hd_config_word(c, "bus", "control"));
}

const struct hd_rules apb_rules = {.describe = describe, .check = check, .idle = idle};
