/* What a SASS opcode is to a machine of ours.
 *
 * Invariant: one table for all generations; where they differ (LD and ST), the binary version decides.
 */
#ifndef HEDDLE_WORKLOADS_ACCELSIM_ACCEL_OPCODE_H
#define HEDDLE_WORKLOADS_ACCELSIM_ACCEL_OPCODE_H

#include "workloads/stream.h"

struct wl_opcode {
  enum wl_op op;
  bool known;
  bool generic; /* LOAD and STORE: the address says whether it is shared memory after all */
  uint8_t size; /* bytes a lane that the modifiers name; 0: none */
};

/* The class of a mnemonic with its modifiers, e.g. "LDG.E.64.SYS", for `binary version` (35 is Kepler). */
struct wl_opcode wl_opcode_of(const char *opcode, unsigned version);

#endif
