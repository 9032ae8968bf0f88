/* The packets between the memory ports of SMs and the L2 banks. SM, interconnect and bank share the formats of
 * arch/declaration/bundles.def. No line bytes are carried: only the packet's length shows that a line travels with
 * it.
 *
 * Invariant: a bank sends back the fields of the request, whatever they mean to the SM. */
#ifndef HEDDLE_CMODEL_MEMORY_PACKET_H
#define HEDDLE_CMODEL_MEMORY_PACKET_H

#include "arch/declaration/modules.h"

/* `up` or `down`, by the packet's direction. */
union hd_packet {
  struct l2req up;
  struct l2rsp down;
};

#endif
