/* Golden model of one SM's memory path. It consists of wires alone: tools/wiregen_full.c makes them from its connection rows
 * (docs/connections.md). Spec: docs/mechanisms/sm_mem.md.
 *
 * The wires are u_<inst>_in and u_<inst>_out. What a channel brings is copied into a module only in cycles in which its valid is 1. In
 * other cycles no module looks at it. */
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

#include "cmodel/sm_mem_full.h"
