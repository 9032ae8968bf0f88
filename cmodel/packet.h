/* What travels between the memory ports of SMs and the L2 banks: a request there, the same as an answer back. Whether
 * a line travels with it is a matter of its length: no bytes are carried. */
#ifndef HEDDLE_CMODEL_PACKET_H
#define HEDDLE_CMODEL_PACKET_H

#include <stdbool.h>
#include <stdint.h>

enum { HD_PACKET_BYPASSED = 1, HD_PACKET_STORE = 2 }; /* mreq.kind */

struct hd_packet {
  uint64_t line; /* within the bank (cmodel/memmap.h) */
  uint8_t sm, kind, id, wid, slot, num, last;
  uint8_t sectors; /* that the answer to a bypassed load brings, where it does not bring the line */
};

#endif
