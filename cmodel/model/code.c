/* Check bits of words; see code.h. */
#include "cmodel/model/code.h"

/* Returns the next larger number with as many 1s. */
static uint64_t next_alike(uint64_t column) {
  const uint64_t lowest = column & -column, ripple = column + lowest;
  return ripple | (column ^ ripple) / lowest >> 2;
}

/* Returns the column after `column`; after 0, the first one. Columns are numbers of `checks` bits with an odd number of 1s, three or
 * more. For parity, each column is 1. */
static uint64_t next_column(uint64_t column, unsigned checks) {
  if (checks == 1)
    return 1;
  const uint64_t next = column ? next_alike(column) : 7;
  if (next >> checks == 0)
    return next;
  return (1u << (__builtin_popcountll(column) + 2)) - 1;
}

uint64_t hd_code_check(uint64_t word, unsigned bits, unsigned checks) {
  uint64_t check = 0, column = 0;
  for (unsigned i = 0; i < bits; i++) {
    column = next_column(column, checks);
    if (word >> i & 1)
      check ^= column;
  }
  return check;
}

enum hd_code_state hd_code_mend(uint64_t *word, unsigned bits, uint64_t check, unsigned checks) {
  const uint64_t syndrome = hd_code_check(*word, bits, checks) ^ check;
  if (!syndrome)
    return HD_CODE_GOOD;
  if (checks == 1)
    return HD_CODE_LOST;
  if (__builtin_popcountll(syndrome) == 1) /* a check bit */
    return HD_CODE_MENDED;
  uint64_t column = 0;
  for (unsigned i = 0; i < bits; i++) {
    column = next_column(column, checks);
    if (column == syndrome) {
      *word ^= 1ull << i;
      return HD_CODE_MENDED;
    }
  }
  return HD_CODE_LOST;
}
