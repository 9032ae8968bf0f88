/* Who inside sm_mem has a port: asked while its sizes are derived, answered from the declarations themselves; see
 * hd_hears in arch/config/config.h.
 *
 * Invariant: nothing here knows a port by name, nor a module but sm_mem.
 */
#include <string.h>

#include "arch/declaration/declaration.h"

enum module {
#define MODULE_MOORE(X, room) HD_MODULE_##X,
#define MODULE_MEALY(X, room) MODULE_MOORE(X, room)
#define MODEL_MOORE(X, room) MODULE_MOORE(X, room)
#define MODEL_MEALY(X, room) MODULE_MOORE(X, room)
#include "arch/declaration/modules.def"
  MODULES
};
_Static_assert(MODULES <= 64, "a machine's modules are the bits of a word");

/* What follows "name_" in a port's name; NULL: it does not begin so. */
static const char *field_of(const char *port, const char *name) {
  const size_t n = strlen(name);
  return !strncmp(port, name, n) && port[n] == '_' ? port + n + 1 : NULL;
}

#define HD_EACH "arch/declaration/gen_heard.h"
#include "arch/each_module.h"

static const struct {
  uint64_t (*holds)(const struct hd_config *c);
  bool (*has)(const struct hd_config *c, const char *port, bool output);
} modules[] = {
#define MODULE_MOORE(X, room) {X##_holds, X##_has},
#define MODULE_MEALY(X, room) MODULE_MOORE(X, room)
#define MODEL_MOORE(X, room) MODULE_MOORE(X, room)
#define MODEL_MEALY(X, room) MODULE_MOORE(X, room)
#include "arch/declaration/modules.def"
};

static uint64_t all_in(const struct hd_config *c, enum module m) {
  uint64_t held = modules[m].holds(c);
  for (unsigned i = 0; i < MODULES; i++)
    if (held >> i & 1)
      held |= all_in(c, i);
  return held;
}

static bool has(const struct hd_config *c, const char *port, bool output) {
  const uint64_t held = all_in(c, HD_MODULE_sm_mem);
  for (unsigned i = 0; i < MODULES; i++)
    if (held >> i & 1 && modules[i].has(c, port, output))
      return true;
  return false;
}

unsigned hd_hears(const struct hd_config *c, const char *port) {
  return has(c, port, false);
}

unsigned hd_says(const struct hd_config *c, const char *port) {
  return has(c, port, true);
}
