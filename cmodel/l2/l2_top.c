/* Golden model of an L2 slice with the power control of its lines. It has only wires, which tools/wiregen_full.c
 * makes from the connection rows (docs/connections.md). Spec: docs/mechanisms/l2.md.
 *
 * The wires are u_slice_in, u_slice_out, u_gate_in and u_gate_out. A channel's payload is copied only in cycles in
 * which its valid is set: otherwise no module reads it. Ports of the slice that are registers are read from the
 * registers. `sleep` ends at the port: the slice's model does not use it. */
#include "cmodel/each_ports.h"

#include "cmodel/l2_top_full.h"
