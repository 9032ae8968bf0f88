/* What an L2 slice holds of a line, for who looks at it from outside. */
#ifndef HEDDLE_CMODEL_L2_L2_PEEK_H
#define HEDDLE_CMODEL_L2_L2_PEEK_H

#include "cmodel/model/models.h"

/* The newest bytes of a line inside a slice: byte b of `word[i]` is there if bit b of `known[i]` is set; else it is 0. Both have
 * WORDS elements. `powered`: the ways of the line's set whose data can be read. The model has bytes of lines. */
void l2_peek(const struct l2_slice *m, uint64_t line, uint64_t powered, uint64_t *word, uint64_t *known);

#endif
