/* Golden model of an L2 slice with the power of its lines: only wires, made from its connection rows (docs/connections.md) by
 * tools/wiregen_full.c. Spec: docs/mechanisms/l2.md.
 *
 * The wires are u_slice_in, u_slice_out, u_gate_in and u_gate_out. What a channel brings is copied only in cycles in which its
 * valid is set: else no module looks at it. Ports of the slice that show registers are read there. `sleep` stops at the port:
 * the slice's model has no use of it. */
#include "cmodel/each_ports.h"

#include "cmodel/l2_top_full.h"
