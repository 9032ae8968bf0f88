/* Parboil: the samples of mri-gridding, and the state of their sort. */
#ifndef HEDDLE_WORKLOADS_PARBOIL_PARBOIL_GRIDDING_H
#define HEDDLE_WORKLOADS_PARBOIL_PARBOIL_GRIDDING_H

#include "workloads/parboil/parboil.h"

enum { GRIDDING_SAMPLES, GRIDDING_SIDE, GRIDDING_SEED }; /* keys */
enum {
  GRIDDING_CELL = 256,     /* a cell's edge, in the coordinates' unit */
  GRIDDING_BIN = 32,       /* samples that a cell holds; the others go to the CPU */
  GRIDDING_TILE = 1024,    /* elements that a CTA sorts */
  GRIDDING_DIGIT_BITS = 4, /* bits per pass */
  GRIDDING_DIGITS = 1 << GRIDDING_DIGIT_BITS,
};

struct gridding {
  uint32_t samples, padded; /* padded: rounded up to whole tiles */
  uint32_t cells, side;
  uint32_t passes;
  uint16_t (*at)[3]; /* x, y, z of each sample */
  uint32_t *cell;    /* cell of each sample */
  bool *over;        /* for each sample: its cell is full */
  uint32_t *first;   /* cells + 1 entries: samples in the cells before, extra ones of full cells left out */
  uint32_t *order;   /* the samples by cell, then the extra ones */
  /* The sort before pass number `pass`. For each element: its key, its value, its place in its tile after
   * the tile's sort, and the place to which `to` moves that place. */
  uint32_t pass;
  uint32_t *key, *value, *in_tile, *to;
};

/* Brings the sort to the state before pass `pass`; `pass` is at most `passes`. */
void gridding_sort_to(struct gridding *g, uint32_t pass);

#endif
