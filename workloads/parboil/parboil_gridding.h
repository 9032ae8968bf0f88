/* Parboil: mri-gridding's samples, and how far their sort has come. */
#ifndef HEDDLE_WORKLOADS_PARBOIL_PARBOIL_GRIDDING_H
#define HEDDLE_WORKLOADS_PARBOIL_PARBOIL_GRIDDING_H

#include "workloads/parboil/parboil.h"

enum { GRIDDING_SAMPLES, GRIDDING_SIDE, GRIDDING_SEED }; /* keys */
enum {
  GRIDDING_CELL = 256,     /* a cell's edge, in the coordinates' unit */
  GRIDDING_BIN = 32,       /* samples a cell holds; the others go to the CPU */
  GRIDDING_TILE = 1024,    /* elements that a CTA sorts */
  GRIDDING_DIGIT_BITS = 4, /* a pass */
  GRIDDING_DIGITS = 1 << GRIDDING_DIGIT_BITS,
};

struct gridding {
  uint32_t samples, padded; /* padded to whole tiles */
  uint32_t cells, side;
  uint32_t passes;
  uint16_t (*at)[3]; /* of each sample: x, y, z */
  uint32_t *cell;    /* of each sample */
  bool *over;        /* of each sample: its cell is full */
  uint32_t *first;   /* cells + 1: samples in the cells before, the full cells' extra ones left out */
  uint32_t *order;   /* samples by cell; then those left out */
  /* The sort before pass number `pass`: each element's key and value; where it goes in its tile; where from there. */
  uint32_t pass;
  uint32_t *key, *value, *in_tile, *to;
};

/* Brings the sort to the state before pass `pass`, at most `passes`. */
void gridding_sort_to(struct gridding *g, uint32_t pass);

#endif
