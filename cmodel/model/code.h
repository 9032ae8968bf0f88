/* Check bits of words, for the golden models. Spec: docs/mechanisms/ecc.md. Without state; written apart from the generator's. */
#ifndef HEDDLE_CMODEL_MODEL_CODE_H
#define HEDDLE_CMODEL_MODEL_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* The check bits of a word of `bits` bits, 1 to 64, in a code of `checks` check bits: 1, which is parity, or 4 to 8. */
uint64_t hd_code_check(uint64_t word, unsigned bits, unsigned checks);

/* What is known of a word that was read with its check bits. */
enum hd_code_state { HD_CODE_GOOD, HD_CODE_MENDED, HD_CODE_LOST };

/* Mends the word if it can. */
enum hd_code_state hd_code_mend(uint64_t *word, unsigned bits, uint64_t check, unsigned checks);

#endif
