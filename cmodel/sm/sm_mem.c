/* Golden model of one SM's memory path: only wires, made from its connection rows (docs/connections.md) by tools/wiregen_full.c.
 * Spec: docs/mechanisms/sm_mem.md.
 *
 * The wires are u_<inst>_in and u_<inst>_out. Into a module, what a channel brings is copied only in cycles in which its valid
 * is set: else no module looks at it. */
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

#include "cmodel/sm_mem_full.h"
