/* The connection rows of each module that has rows, in one configuration; see wires.h. */
#include <stdlib.h>
#include <string.h>

#include "arch/wires/wires.h"

#define ROW(...) {__VA_ARGS__, .file = __FILE__, .line = __LINE__},
#define WHEN(cond) .when_text = #cond, .when = (cond) != 0
#define SOCKET(socket, one) ROW(.kind = HD_W_SOCKET, .name = #socket, .inst = #one, WHEN(1))
#define CHANNEL(net, cond, giver, taker)                                                                     \
  ROW(.kind = HD_W_CHANNEL, .name = #net, WHEN(cond), .from = #giver, .to = #taker)
#define NAME(net, cond, output) ROW(.kind = HD_W_NAME, .name = #net, WHEN(cond), .from = #output)
#define WIRE(one, cond, port, expr)                                                                          \
  ROW(.kind = HD_W_WIRE, .inst = #one, WHEN(cond), .name = #port, .from = #expr)
#define NET(net, cond, expr, what) ROW(.kind = HD_W_NET, .name = #net, WHEN(cond), .from = #expr, .why = what)
#define DRIVE(port, cond, expr) ROW(.kind = HD_W_DRIVE, .name = #port, WHEN(cond), .from = #expr)
#define ABOUT(cond, what) ROW(.kind = HD_W_ABOUT, WHEN(cond), .why = what)
#define HOOK(one, port, ...)                                                                                 \
  ROW(.kind = HD_W_HOOK, .inst = #one, .name = #port, .from = #__VA_ARGS__, WHEN(1))

#define PART(part, one) ROW(.kind = HD_W_PART, .name = #part, .inst = #one, WHEN(1))
#define LEVEL(part, net) ROW(.kind = HD_W_LEVEL, .name = #net, .to = #part, .from = #net, WHEN(1))
#define NOTICES(one, part, f) ROW(.kind = HD_W_NOTICES, .inst = #one, .name = #f, .to = #part, WHEN(1))
#define HEARS(one, expr) ROW(.kind = HD_W_HEARS, .inst = #one, .from = #expr, WHEN(1))
#define TICKS(one, expr) ROW(.kind = HD_W_TICKS, .inst = #one, .from = #expr, WHEN(1))
#define LEADS(one, other, f) ROW(.kind = HD_W_LEADS, .inst = #one, .name = #f, .from = #other, WHEN(1))
#define ALONE(one) ROW(.kind = HD_W_ALONE, .inst = #one, WHEN(1))
#define SETS(one, other, f) ROW(.kind = HD_W_SETS, .inst = #one, .name = #f, .from = #other, WHEN(1))
#define PULSE(pulse, part, ...)                                                                              \
  ROW(.kind = HD_W_PULSE, .name = #pulse, .to = #part, .from = #__VA_ARGS__, WHEN(1))

static struct hd_wire *copy(const struct hd_wire *rows, size_t n, size_t *n_out) {
  struct hd_wire *out = malloc(n * sizeof *rows);
  *n_out = n;
  if (!out)
    return NULL;
  memcpy(out, rows, n * sizeof *rows);
  /* the compiler may write ./ before the path */
  for (size_t i = 0; i < n; i++)
    out[i].file += !strncmp(out[i].file, "./", 2) ? 2 : 0;
  return out;
}

struct hd_wire *hd_wires_of(const struct hd_config *c, const char *module, size_t *n) {
#include "arch/config/sizes.h"
  const struct hd_wire sm_mem[] = {
#include "arch/sm/sm_mem.wires"
  };
  const struct hd_wire l2_top[] = {
#include "arch/l2/l2_top.wires"
  };
  const struct hd_wire sm_mem_axi[] = {
#include "arch/axi4/sm_mem_axi.wires"
  };
  const struct hd_wire l2_top_axi[] = {
#include "arch/axi4/l2_top_axi.wires"
  };
#define OF(name)                                                                                             \
  { #name, name, sizeof name / sizeof *name }
  const struct {
    const char *module;
    const struct hd_wire *rows;
    size_t n;
  } tables[] = {OF(sm_mem), OF(l2_top), OF(sm_mem_axi), OF(l2_top_axi)};
#undef OF
  *n = 0;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (!strcmp(module, tables[i].module))
      return copy(tables[i].rows, tables[i].n, n);
  return NULL;
}
