/* What travels between the memory ports of SMs and the L2 banks: the formats of arch/declaration/bundles.def, the same for SM,
 * interconnect and bank. Whether a line travels with it is a matter of its length: no bytes are carried.
 *
 * Invariant: the fields that a bank sends back are those of the request, whatever they mean to the SM.
 */
#ifndef HEDDLE_CMODEL_MEMORY_PACKET_H
#define HEDDLE_CMODEL_MEMORY_PACKET_H

#include "arch/declaration/modules.h"

/* One of the two, by its direction. `up.line` is the line's number within the bank (cmodel/memory/memmap.h). */
union hd_packet {
  struct l2req up;
  struct l2rsp down;
};

#endif
