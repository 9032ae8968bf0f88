/* Makes two functions of module HD_M, which HD_DEF declares: one returns the modules that it holds, one says
 * if it has a port. arch/declaration/heard.c includes this file once for each module. The functions run while
 * the sizes are derived. So they evaluate a row only where it matters, and the row may use only sizes that
 * are derived by then. */
#define HD_CAT2(a, b) a##b
#define HD_CAT(a, b) HD_CAT2(a, b)

static uint64_t HD_CAT(HD_M, _holds)(const struct hd_config *c) {
#include "arch/config/sizes.h"
  uint64_t held = 0;
#define INST(name, module, when)                                                                             \
  if (when)                                                                                                  \
    held |= UINT64_C(1) << HD_MODULE_##module;
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include HD_DEF
#include "arch/declaration/rows_undef.h"
  return held;
}

static bool HD_CAT(HD_M, _has)(const struct hd_config *c, const char *port, bool output) {
  const char *field;
#include "arch/config/sizes.h"
#define HD_PORT(name, out, bits)                                                                             \
  if (output == out && !strcmp(port, #name) && (bits) != 0)                                                  \
    return true;
#define HD_PORT_B(name, out, bundle)                                                                         \
  if (output == out && (field = field_of(port, #name)) && hd_field_bits(c, #bundle, field) != 0)             \
    return true;
#define IN(name, width, meaning) HD_PORT(name, false, width)
#define IN_V(name, count, width, meaning) HD_PORT(name, false, (count) * (width))
#define IN_B(name, bundle, meaning) HD_PORT_B(name, false, bundle)
#define OUT(name, width, meaning) HD_PORT(name, true, width)
#define OUT_V(name, count, width, meaning) HD_PORT(name, true, (count) * (width))
#define OUT_B(name, bundle, meaning) HD_PORT_B(name, true, bundle)
#define MEALY(name, width, meaning) HD_PORT(name, true, width)
#define MEALY_V(name, count, width, meaning) HD_PORT(name, true, (count) * (width))
#define MEALY_B(name, bundle, meaning) HD_PORT_B(name, true, bundle)
#define LATE(name, width, meaning) HD_PORT(name, true, width)
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include HD_DEF
#include "arch/declaration/rows_undef.h"
#undef HD_PORT
#undef HD_PORT_B
  (void)field;
  return false;
}
#undef HD_CAT
#undef HD_CAT2
#undef HD_M
#undef HD_DEF
