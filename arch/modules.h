/* The C structs of every module, from its declaration. A new module: three lines here, one in modules.def. */
#ifndef HEDDLE_ARCH_MODULES_H
#define HEDDLE_ARCH_MODULES_H

#include "kit.h"

#define FIELD(bundle, field, width, meaning) uint64_t field;
#define BUNDLE(name, meaning, fields)                                                                        \
  struct name {                                                                                              \
    fields                                                                                                   \
  };
#include "bundles.def"
#undef FIELD
#undef BUNDLE

#define HD_M sched
#define HD_DEF "sched.def"
#include "gen_structs.h"
#define HD_M laws
#define HD_DEF "laws.def"
#include "gen_structs.h"
#define HD_M two_level
#define HD_DEF "two_level.def"
#include "gen_structs.h"
#define HD_M coalescer
#define HD_DEF "coalescer.def"
#include "gen_structs.h"
#define HD_M request_slot
#define HD_DEF "request_slot.def"
#include "gen_structs.h"
#define HD_M mrpb
#define HD_DEF "mrpb.def"
#include "gen_structs.h"
#define HD_M l1d
#define HD_DEF "l1d.def"
#include "gen_structs.h"
#define HD_M sap
#define HD_DEF "sap.def"
#include "gen_structs.h"
#define HD_M sld
#define HD_DEF "sld.def"
#include "gen_structs.h"
#define HD_M sm_mem
#define HD_DEF "sm_mem.def"
#include "gen_structs.h"

#endif
