/* Rules between the keys of CCWS and others; see arch/config/rules.h. */
#include "arch/config/rules.h"

#include <string.h>

static void check(struct hd_check *k, const struct hd_config *c) {
  hd_wants_lines(k, "ccws.throttle", c->ccws.throttle != HD_CCWS_OFF);
  if (c->ccws.throttle == HD_CCWS_OFF)
    return;
  hd_rule(
      k, c->l1d.loads == HD_LOADS_BYPASSED, HD_KEYS("l1d.loads", "ccws.throttle"),
      "found bypassed with ccws.throttle: on, which would see no line; allowed alone; set it to cached, or "
      "ccws.throttle to off");
  const unsigned ways = c->ccws.ways, sets = c->ccws.entries / ways;
  hd_rule(k, c->ccws.entries % ways != 0 || (sets & (sets - 1)) != 0, HD_KEYS("ccws.ways", "ccws.entries"),
          "found %u with ccws.entries: %u; allowed what divides that into a power of two of sets; change one",
          ways, c->ccws.entries);
}

static const char *idle(const struct hd_config *c, const char *section, const char *key) {
  const bool own = !strcmp(section, "ccws") && strcmp(key, "throttle") != 0;
  return own && c->ccws.throttle == HD_CCWS_OFF ? "ccws.throttle" : NULL;
}

static void describe(const struct hd_config *c, FILE *f) {
  if (c->ccws.throttle != HD_CCWS_OFF)
    fprintf(f, "ccws, %u victims a warp", c->ccws.entries);
}

const struct hd_rules ccws_rules = {.describe = describe, .check = check, .idle = idle};
