/* Golden model of an L2 slice with its AXI4 manager: only wires, made from its connection rows (docs/connections.md) by
 * tools/wiregen_full.c. Spec: docs/mechanisms/axi4.md. */
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

#include "cmodel/l2_top_axi_full.h"
