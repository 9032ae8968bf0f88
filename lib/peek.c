/* The bytes of a line that a cache holds; see heddle.h. */
#include "cmodel/l2/l2_peek.h"
#include "lib/objects.h"

#include <string.h>

enum { MOST_WORDS = 32 }; /* of 64 bits; l1d.line_bytes is at most 256 */

static const struct hd_part *part_of(const heddle_model *k, const char *module) {
  for (size_t i = 0; i < k->parts; i++)
    if (!strcmp(k->part[i].m->decl->module, module))
      return &k->part[i];
  return NULL;
}

/* Returns the ways of the line's set whose data can be read: all, if no part powers lines off. */
static uint64_t powered(const heddle_model *k, const struct l2_slice *slice, uint64_t line) {
  const struct hd_part *gate = part_of(k, "gate_ctrl");
  const uint64_t sets = slice->base.c->d.L2_SETS;
  return gate ? ((const struct gate_ctrl *)(const void *)gate->m)->s.power[line & (sets - 1)] : UINT64_MAX;
}

heddle_status heddle_peek(heddle_model *k, uint64_t line, uint8_t *bytes, uint8_t *known) {
  if (strcmp(k->decl->module, "l2_top"))
    return hd_say(&k->said, HEDDLE_ERR_ARGUMENT, "heddle_peek: found a model of %s; allowed: of l2_top",
                  k->decl->module);
  if (!k->m->data)
    return hd_say(&k->said, HEDDLE_ERR_ARGUMENT,
                  "heddle_peek: found a model with HEDDLE_NO_DATA; allowed: with bytes of lines");
  const struct l2_slice *slice = (const struct l2_slice *)(const void *)part_of(k, "l2_slice")->m;
  const unsigned words = slice->base.c->d.WORDS;
  uint64_t word[MOST_WORDS], mask[MOST_WORDS];
  l2_peek(slice, line, powered(k, slice, line), word, mask);
  for (unsigned b = 0; b < 8 * words; b++) {
    bytes[b] = (uint8_t)(word[b / 8] >> b % 8 * 8);
    known[b] = mask[b / 8] >> b % 8 & 1;
  }
  return HEDDLE_OK;
}
