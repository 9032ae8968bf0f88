/* The operations of atomics; see atomics.h. */
#include "cmodel/memory/atomics.h"

#include "arch/declaration/modules.h"

/* Returns the new value of `old`. `x`: its operand; `other`: the operand of the other word of its pair. */
static uint32_t result(uint64_t op, uint32_t old, uint32_t x, uint32_t other) {
  switch (op) {
  case HD_ATOM_ADD:
    return old + x;
  case HD_ATOM_EXCH:
    return x;
  case HD_ATOM_CAS:
    return old == other ? x : old;
  case HD_ATOM_MIN:
    return (int32_t)old < (int32_t)x ? old : x;
  case HD_ATOM_MAX:
    return (int32_t)old > (int32_t)x ? old : x;
  case HD_ATOM_UMIN:
    return old < x ? old : x;
  case HD_ATOM_UMAX:
    return old > x ? old : x;
  case HD_ATOM_AND:
    return old & x;
  case HD_ATOM_OR:
    return old | x;
  case HD_ATOM_XOR:
    return old ^ x;
  case HD_ATOM_INC:
    return old >= x ? 0 : old + 1;
  case HD_ATOM_DEC:
    return old == 0 || old > x ? x : old - 1;
  default:
    return old;
  }
}

void hd_atomic(uint64_t op, uint64_t *line, const uint64_t *operands, const uint64_t *mask, unsigned words) {
  enum { HALF = 32, BYTES = 4 };
  for (unsigned w = 0; w < words; w++) {
    const uint32_t low = (uint32_t)operands[w], high = (uint32_t)(operands[w] >> HALF);
    uint32_t old[2] = {(uint32_t)line[w], (uint32_t)(line[w] >> HALF)};
    if (mask[w] & ((1U << BYTES) - 1))
      old[0] = result(op, old[0], low, high);
    if (mask[w] >> BYTES)
      old[1] = result(op, old[1], high, low);
    line[w] = (uint64_t)old[1] << HALF | old[0];
  }
}
