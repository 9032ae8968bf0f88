/* The SM's run-time enables after a reset, as the control registers hold them, and the version number that they show; see
 * arch/config/config.h. */
#include <stdlib.h>

#include "arch/config/enables.h"
#include "arch/declaration/declaration.h"
#include "base/version.h"

unsigned hd_enabled(const struct hd_config *c) {
#include "arch/config/sizes.h"
  unsigned enabled = 0, place = 0;
#define ROW(name, when, key, changes, of)                                                                    \
  if (when)                                                                                                  \
    enabled |= (unsigned)c->key << place++;
  HD_ENABLES(ROW)
#undef ROW
  return enabled;
}

unsigned hd_enabled_at_rest(const struct hd_config *c) {
#include "arch/config/sizes.h"
  unsigned at_rest = 0, place = 0;
#define ROW(name, when, key, changes, of)                                                                    \
  if (when)                                                                                                  \
    at_rest |= (unsigned)(HD_##changes == HD_AT_REST) << place++;
  HD_ENABLES(ROW)
#undef ROW
  return at_rest;
}

unsigned hd_version_number(void) {
  unsigned number = 0;
  char *rest = HD_VERSION;
  for (unsigned i = 0; i < 3; i++, rest++)
    number = number << 8 | (unsigned)strtoul(rest, &rest, 10);
  return number;
}
