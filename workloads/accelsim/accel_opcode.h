/* Maps SASS opcodes to the operations of our machine.
 *
 * Invariant: one table serves all generations; where they differ (LD and ST), the binary version decides.
 */
#ifndef HEDDLE_WORKLOADS_ACCELSIM_ACCEL_OPCODE_H
#define HEDDLE_WORKLOADS_ACCELSIM_ACCEL_OPCODE_H

#include "workloads/stream.h"

struct wl_opcode {
  enum wl_op op;
  bool known;
  bool generic; /* LOAD and STORE: generic; the address decides whether it is shared memory */
  uint8_t size; /* bytes per lane that the modifiers give; 0: none */
};

/* Returns the class of a mnemonic with its modifiers, e.g. "LDG.E.64.SYS", for `binary version` (35 is
 * Kepler). */
struct wl_opcode wl_opcode_of(const char *opcode, unsigned version);

#endif
