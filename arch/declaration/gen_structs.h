/* Makes the C structs of module HD_M, which HD_DEF declares: X_in, X_out, X_late, X_st, struct X and enum
 * X_event. arch/declaration/modules.h includes this file once for each module. */
#define HD_CAT2(a, b) a##b
#define HD_CAT(a, b) HD_CAT2(a, b)

struct HD_CAT(HD_M, _in) {
#define IN(name, width, meaning) uint64_t name;
#define IN_V(name, count, width, meaning) uint64_t *name;
#define IN_B(name, bundle, meaning) struct bundle name;
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include HD_DEF
#include "arch/declaration/rows_undef.h"
  char end_; /* a module may have no inputs */
};

struct HD_CAT(HD_M, _out) {
#define OUT(name, width, meaning) uint64_t name;
#define OUT_V(name, count, width, meaning) uint64_t *name;
#define OUT_B(name, bundle, meaning) struct bundle name;
#define MEALY(name, width, meaning) uint64_t name;
#define MEALY_V(name, count, width, meaning) uint64_t *name;
#define MEALY_B(name, bundle, meaning) struct bundle name;
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include HD_DEF
#include "arch/declaration/rows_undef.h"
  char end_;
};

struct HD_CAT(HD_M, _late) {
#define LATE(name, width, meaning) uint64_t name;
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include HD_DEF
#include "arch/declaration/rows_undef.h"
  char end_;
};

struct HD_CAT(HD_M, _st) {
#define REG(name, width, reset, meaning) uint64_t name;
#define REG_V(name, count, width, reset, meaning) uint64_t *name;
#define REG_B(name, bundle, meaning) struct bundle name;
#define CAM(name, count, width, meaning) uint64_t *name;
#define RAM(name, banks, depth, count, width, ports, rdw, meaning)                                           \
  uint64_t *name;     /* element e of bank b of row r: name[(r * banks + b) * count + e] */                  \
  uint64_t *name##_q; /* the last read: banks * count elements */                                            \
  int64_t name##_wr;  /* row written by the last tick, or -1 */                                              \
  struct hd_accesses name##_n;
#define RAM_B(name, depth, bundle, ports, rdw, meaning)                                                      \
  struct bundle *name;                                                                                       \
  struct bundle name##_q;                                                                                    \
  int64_t name##_wr;                                                                                         \
  struct hd_accesses name##_n;
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include HD_DEF
#include "arch/declaration/rows_undef.h"
  char end_;
};

enum HD_CAT(HD_M, _event) {
#define EVENT(name, when, format, meaning) HD_CAT(HD_CAT(EV_, HD_M), _##name),
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include HD_DEF
#include "arch/declaration/rows_undef.h"
  HD_CAT(HD_CAT(EV_, HD_M), _count_)
};

struct HD_M {
  struct hd_model base;
  struct HD_CAT(HD_M, _st) s;
  struct HD_CAT(HD_M, _late) late;
#define INST(name, module, when)                                                                             \
  struct module *name;                                                                                       \
  struct module##_in name##_in;                                                                              \
  struct module##_out name##_out;
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include HD_DEF
#include "arch/declaration/rows_undef.h"
};
#undef HD_CAT
#undef HD_CAT2
#undef HD_M
#undef HD_DEF
