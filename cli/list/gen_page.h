/* Makes the table of rows of module HD_M declared in HD_DEF, as text: <module>_lines. cli/list/reference.c
 * includes it once per module. */
#define HD_CAT2(a, b) a##b
#define HD_CAT(a, b) HD_CAT2(a, b)

static const struct line HD_CAT(HD_M, _lines)[] = {
#define MODULE(name, title, source) {HEAD, title, source, "", "", ""},
#define IN(name, width, meaning) {PORT, #name, "input", "1", #width, meaning},
#define IN_V(name, count, width, meaning) {PORT, #name, "input", #count, #width, meaning},
#define IN_B(name, bundle, meaning) {PORT, #name, "input", "1", "bundle " #bundle, meaning},
#define OUT(name, width, meaning) {PORT, #name, "output", "1", #width, meaning},
#define OUT_V(name, count, width, meaning) {PORT, #name, "output", #count, #width, meaning},
#define OUT_B(name, bundle, meaning) {PORT, #name, "output", "1", "bundle " #bundle, meaning},
#define MEALY(name, width, meaning) {PORT, #name, "output, Mealy", "1", #width, meaning},
#define MEALY_B(name, bundle, meaning) {PORT, #name, "output, Mealy", "1", "bundle " #bundle, meaning},
#define MEALY_V(name, count, width, meaning) {PORT, #name, "output, Mealy", #count, #width, meaning},
#define LATE(name, width, meaning) {PORT, #name, "output, late", "1", #width, meaning},
#define REG(name, width, reset, meaning) {STATE, #name, "register, reset " #reset, "1", #width, meaning},
#define REG_V(name, count, width, reset, meaning)                                                            \
  {STATE, #name, "register, reset " #reset, #count, #width, meaning},
#define REG_B(name, bundle, meaning)                                                                         \
  {STATE, #name, "register, reset NORESET", "1", "bundle " #bundle, meaning},
#define CAM(name, count, width, meaning) {STATE, #name, "CAM", #count, #width, meaning},
#define RAM(name, banks, depth, count, width, ports, rdw, meaning)                                           \
  {STATE, #name, #ports, "(" #banks ") x (" #depth ") rows of (" #count ")", #width, meaning},
#define RAM_B(name, depth, bundle, ports, rdw, meaning)                                                      \
  {STATE, #name, #ports, "(" #depth ") rows", "bundle " #bundle, meaning},
#define EVENT(name, when, format, meaning) {EVENT_, #name, #when, format, "", meaning},
#define FREE(name, least, when) {FREE_, #name, #least, #when, "", ""},
#define INST(name, module, when) {INSIDE, #name, #module, #when, "", ""},
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include HD_DEF
#include "arch/declaration/rows_undef.h"
};
#undef HD_CAT
#undef HD_CAT2
#undef HD_M
#undef HD_DEF
