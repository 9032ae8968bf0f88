/* Check bits of words (ECC and parity), for the golden models. Spec: docs/mechanisms/ecc.md. The functions keep no state. They are
 * written independently of the generator's. */
#ifndef HEDDLE_CMODEL_MODEL_CODE_H
#define HEDDLE_CMODEL_MODEL_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the check bits of a word. `bits`: 1 to 64, the bits of the word. `checks`: the check bits of the code: 1 (parity), or 4 to 8. */
uint64_t hd_code_check(uint64_t word, unsigned bits, unsigned checks);

/* The state of a word that was read with its check bits. */
enum hd_code_state { HD_CODE_GOOD, HD_CODE_MENDED, HD_CODE_LOST };

/* Corrects the word if it can, and returns its state. */
enum hd_code_state hd_code_mend(uint64_t *word, unsigned bits, uint64_t check, unsigned checks);

#endif
