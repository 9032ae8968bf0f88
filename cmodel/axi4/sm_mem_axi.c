/* Golden model of one SM's memory path with its AXI4 manager: only wires, which tools/wiregen_full.c makes from the
 * connection rows (docs/connections.md). Spec: docs/mechanisms/axi4.md. */
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

#include "cmodel/sm_mem_axi_full.h"
