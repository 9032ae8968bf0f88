/* The bytes of a line that an L2 slice holds, for observers outside the model. */
#ifndef HEDDLE_CMODEL_L2_L2_PEEK_H
#define HEDDLE_CMODEL_L2_L2_PEEK_H

#include "cmodel/model/models.h"

/* Copies the newest bytes of a line inside a slice. Byte b of `word[i]` is there if bit b of `known[i]` is set; else
 * it is 0. Both have WORDS elements. `powered`: the ways of the line's set whose data can be read. The model must
 * carry line bytes. */
void l2_peek(const struct l2_slice *m, uint64_t line, uint64_t powered, uint64_t *word, uint64_t *known);

#endif
