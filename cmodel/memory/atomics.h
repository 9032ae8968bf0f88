/* The effect of an atomic on a line, where the memory performs it. An environment, not hardware. Spec:
 * docs/mechanisms/l1d.md, Request kinds. */
#ifndef HEDDLE_CMODEL_MEMORY_ATOMICS_H
#define HEDDLE_CMODEL_MEMORY_ATOMICS_H

#include <stdint.h>

/* Applies operation `op` to a line of `words` 64-bit words. A byte of `mask` names the bytes of a word, as a store's
 * mask does. Any other `op` changes nothing. */
void hd_atomic(uint64_t op, uint64_t *line, const uint64_t *operands, const uint64_t *mask, unsigned words);

#endif
