/* What an atomic does to a line, where the memory performs it: an environment, not hardware. Spec: docs/mechanisms/l1d.md,
 * Request kinds. */
#ifndef HEDDLE_CMODEL_MEMORY_ATOMICS_H
#define HEDDLE_CMODEL_MEMORY_ATOMICS_H

#include <stdint.h>

/* The line of so many 64-bit words becomes what operation `op` makes of it; a byte of `mask` names the bytes of a word, as a
 * store's does. An operation that is none changes nothing. */
void hd_atomic(uint64_t op, uint64_t *line, const uint64_t *operands, const uint64_t *mask, unsigned words);

#endif
