/* Answers which modules inside sm_mem hear or say a port, and which inside l2_top say it. The questions come
 * while the sizes are derived; the answers come from the declarations and the connection rows. See hd_hears
 * in arch/config/config.h.
 *
 * Invariant: nothing here knows a port by name, nor a module but these two. */
#include <ctype.h>
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

/* The rest of a port's name after "name_". Returns NULL if the port's name does not begin with it. */
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

static bool has(const struct hd_config *c, enum module top, const char *port, bool output) {
  const uint64_t held = all_in(c, top);
  for (unsigned i = 0; i < MODULES; i++)
    if (held >> i & 1 && modules[i].has(c, port, output))
      return true;
  return false;
}

/* ---- Connection rows: an input hears a port if its expression reads inst.port ---- */

/* True if both name one port. Rows write a field of a bundle with a dot, Verilog with an underscore. */
static bool same_port(const char *path, size_t n, const char *port) {
  for (size_t i = 0; i < n; i++)
    if (!port[i] || (path[i] != port[i] && !(path[i] == '.' && port[i] == '_')))
      return false;
  return !port[n];
}

/* True if the expression reads this port of some instance. */
static bool reads(const char *expr, const char *port) {
  for (const char *at = expr; (at = strchr(at, '.'));) {
    const char *path = ++at;
    if (at < expr + 2 || !(isalnum((unsigned char)at[-2]) || at[-2] == '_'))
      continue;
    while (isalnum((unsigned char)*at) || *at == '_' || *at == '.')
      at++;
    if (same_port(path, (size_t)(at - path), port))
      return true;
  }
  return false;
}

/* True if an instance of sm_mem that exists, given by its name or by its socket's, has the input. */
static bool instance_hears(const struct hd_config *c, const char *inst, const char *path) {
#include "arch/config/sizes.h"
  char port[64];
  size_t n = 0;
  for (; path[n] && n < sizeof port - 1; n++)
    port[n] = path[n] == '.' ? '_' : path[n];
  port[n] = 0;
  struct {
    const char *socket, *inst;
  } const sockets[] = {
#define SOCKET(socket, one) {#socket, #one},
#define CHANNEL(net, when, giver, taker)
#define NAME(net, when, output)
#define WIRE(one, when, port, expr)
#define NET(net, when, expr, what)
#define DRIVE(port, when, expr)
#define ABOUT(when, what)
#define HOOK(one, port, ...)
#define PART(part, one)
#define PULSE(pulse, part, ...)
#define LEVEL(part, net)
#define NOTICES(one, part, f)
#define HEARS(one, expr)
#define TICKS(one, expr)
#define LEADS(one, other, f)
#define SETS(one, other, f)
#define ALONE(...)
#include "arch/sm/sm_mem.wires"
#undef SOCKET
#undef WIRE
#undef NET
#undef DRIVE
  };
#define INST(name, module, when)                                                                             \
  if (when) {                                                                                                \
    bool means = !strcmp(inst, #name);                                                                       \
    for (size_t i = 0; i < sizeof sockets / sizeof *sockets; i++)                                            \
      means |= !strcmp(inst, sockets[i].socket) && !strcmp(sockets[i].inst, #name);                          \
    if (means && modules[HD_MODULE_##module].has(c, port, false))                                            \
      return true;                                                                                           \
  }
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include "arch/sm/sm_mem.def"
  return false;
}

/* True if a row that counts reads the port; with `driven`, if a row that counts drives an input of that name. */
static bool in_a_row(const struct hd_config *c, const char *port, bool driven) {
#include "arch/config/sizes.h"
#define SOCKET(socket, one)
#define WIRE(one, when, to, expr)                                                                            \
  if ((driven ? same_port(#to, strlen(#to), port) : reads(#expr, port)) && (when) &&                         \
      (driven || instance_hears(c, #one, #to)))                                                              \
    return true;
#define NET(net, when, expr, what)                                                                           \
  if (!driven && reads(#expr, port) && (when))                                                               \
    return true;
#define DRIVE(to, when, expr) NET(to, when, expr, "")
#include "arch/sm/sm_mem.wires"
#undef SOCKET
#undef CHANNEL
#undef NAME
#undef WIRE
#undef NET
#undef DRIVE
#undef ABOUT
#undef HOOK
#undef PART
#undef PULSE
#undef LEVEL
#undef NOTICES
#undef HEARS
#undef TICKS
#undef LEADS
#undef SETS
#undef ALONE
  return false;
}

unsigned hd_hears(const struct hd_config *c, const char *port) {
  return has(c, HD_MODULE_sm_mem, port, false) || in_a_row(c, port, false);
}

unsigned hd_says(const struct hd_config *c, const char *port) {
  return has(c, HD_MODULE_sm_mem, port, true);
}

unsigned hd_slice_says(const struct hd_config *c, const char *port) {
  return has(c, HD_MODULE_l2_top, port, true);
}

unsigned hd_wired(const struct hd_config *c, const char *port) {
  return in_a_row(c, port, true);
}
