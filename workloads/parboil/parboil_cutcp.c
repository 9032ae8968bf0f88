/* Parboil: cutcp, the potential of charged atoms on a lattice of points half an angstrom apart. Each atom
 * has an effect up to a cutoff. Atoms are sorted into bins of 4 angstrom with at most eight atoms (the
 * others go to the CPU). A CTA has the 8 x 8 x 8 points of one bin and walks over the bins near it.
 *
 * The atoms are made up: as many as water has, uniform over the lattice. The lanes near an atom are really
 * computed.
 */
#include "workloads/parboil/parboil.h"

#include "workloads/rng.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY_X, KEY_Y, KEY_Z, KEY_CUTOFF, KEY_SEED };
enum {
  UNIT = 256,             /* lengths are in angstrom / 256 */
  BIN = 4 * UNIT,         /* edge of a bin */
  POINT = UNIT / 2,       /* distance between points */
  EDGE = 8,               /* points along a bin */
  DEPTH = 8,              /* atoms that a bin holds */
  BIN_FLOATS = 4 * DEPTH, /* x, y, z, charge */
  BATCH = 32,             /* bins in shared memory at a time */
  HALF_WARPS = 8,
  ATOMS_PER_10_BINS = 64, /* 0.1 atoms in a cubic angstrom */
  ATOM_FP = 10,           /* arithmetic per atom */
  TEST_FP = 2,            /* and for each of the thread's four points: the distance */
  POTENTIAL_FP = 13,      /* the potential */
  POINTS = 4,
};

struct atom {
  uint16_t x, y, z; /* position in its bin */
};

struct cutcp {
  int32_t margin;             /* empty bins around the bins of the lattice */
  int32_t nx, ny, nz;         /* bins, margins included */
  uint32_t neighbours;        /* number of bins near a bin */
  int8_t (*neighbour)[3];     /* their position relative to it */
  uint8_t *atoms;             /* number of atoms in each bin */
  struct atom (*atom)[DEPTH]; /* the atoms of each bin */
};

static void release(void *data) {
  struct cutcp *c = data;
  free(c->neighbour);
  free(c->atoms);
  free(c->atom);
  free(c);
}

/* Finds the bins whose centre is nearer than the cutoff plus the diagonal of a bin, in the order of their
 * coordinates. */
static void find_neighbours(struct cutcp *c, int64_t cutoff) {
  const double reach = (double)cutoff / 4 + 1.7320508075688772;
  for (int z = -c->margin; z <= c->margin; z++)
    for (int y = -c->margin; y <= c->margin; y++)
      for (int x = -c->margin; x <= c->margin; x++)
        if (x * x + y * y + z * z < reach * reach) {
          int8_t *to = c->neighbour[c->neighbours++];
          to[0] = (int8_t)x;
          to[1] = (int8_t)y;
          to[2] = (int8_t)z;
        }
}

static void scatter_atoms(struct cutcp *c, const uint64_t *key) {
  struct wl_rng rng = {key[KEY_SEED]};
  for (uint64_t n = key[KEY_X] * key[KEY_Y] * key[KEY_Z] * ATOMS_PER_10_BINS / 10; n; n--) {
    const int32_t x = (int32_t)wl_rng_below(&rng, key[KEY_X]) + c->margin,
                  y = (int32_t)wl_rng_below(&rng, key[KEY_Y]) + c->margin,
                  z = (int32_t)wl_rng_below(&rng, key[KEY_Z]) + c->margin;
    const uint64_t at = wl_rng_next(&rng);
    const int32_t bin = (z * c->ny + y) * c->nx + x;
    if (c->atoms[bin] < DEPTH)
      c->atom[bin][c->atoms[bin]++] =
          (struct atom){(uint16_t)(at % BIN), (uint16_t)((at >> 16) % BIN), (uint16_t)((at >> 32) % BIN)};
  }
}

bool parboil_cutcp_prepare(struct wl_plan *p, char *err, size_t errlen) {
  const uint64_t *key = p->key;
  struct cutcp *c = calloc(1, sizeof *c);
  if (c) {
    c->margin = (int32_t)(key[KEY_CUTOFF] + 3) / 4;
    c->nx = (int32_t)key[KEY_X] + 2 * c->margin;
    c->ny = (int32_t)key[KEY_Y] + 2 * c->margin;
    c->nz = (int32_t)key[KEY_Z] + 2 * c->margin;
    const size_t bins = (size_t)c->nx * (size_t)c->ny * (size_t)c->nz, side = 2 * (size_t)c->margin + 1;
    c->neighbour = calloc(side * side * side, sizeof *c->neighbour);
    c->atoms = calloc(bins, sizeof *c->atoms);
    c->atom = calloc(bins, sizeof *c->atom);
    if (c->neighbour && c->atoms && c->atom) {
      find_neighbours(c, (int64_t)key[KEY_CUTOFF]);
      scatter_atoms(c, key);
      p->data = c;
      return true;
    }
    release(c);
  }
  snprintf(err, errlen, "cutcp: out of memory");
  return false;
}

void parboil_cutcp_release(void *data) {
  release(data);
}

static const struct cutcp *cutcp(const struct wl_warp *w) {
  return w->plan->data;
}

/* Returns the bin that is neighbour number `n` of the CTA's bin. */
static int32_t bin_near(const struct wl_warp *w, uint32_t n) {
  const struct cutcp *c = cutcp(w);
  const int8_t *by = c->neighbour[n];
  const int32_t x = (int32_t)w->bx + c->margin + by[0], y = (int32_t)w->by + c->margin + by[1],
                z = (int32_t)w->plan->number + c->margin + by[2];
  return (z * c->ny + y) * c->nx + x;
}

/* The bins that a half-warp fetches: in iteration k[0], bins tz, tz + 8, tz + 16, tz + 24 (k[1]) of the
 * batch. */
static uint32_t fetched(const struct wl_warp *w, unsigned lane) {
  return BATCH * w->k[0] + HALF_WARPS * w->k[1] + w->tz[lane];
}

static bool fetches(const struct wl_warp *w, unsigned lane) {
  return fetched(w, lane) < cutcp(w)->neighbours;
}

static int64_t lower_half(const struct wl_warp *w, unsigned lane) {
  return (int64_t)bin_near(w, fetched(w, lane)) * BIN_FLOATS + w->tx[lane] + EDGE * w->ty[lane];
}

static int64_t upper_half(const struct wl_warp *w, unsigned lane) {
  return lower_half(w, lane) + BIN_FLOATS / 2;
}

/* The loops of the walk: k[1] over the bins of the batch, k[2] over the atoms of the bin, k[3] over the
 * thread's points. `feel` returns the lanes that have a point near the atom. */
static uint32_t another_bin(const struct wl_warp *w) {
  return w->k[1] < BATCH && BATCH * w->k[0] + w->k[1] < cutcp(w)->neighbours ? UINT32_MAX : 0;
}

static uint32_t another_atom(const struct wl_warp *w) {
  return w->k[2] < cutcp(w)->atoms[bin_near(w, BATCH * w->k[0] + w->k[1])] ? UINT32_MAX : 0;
}

static uint32_t feel(const struct wl_warp *w) {
  const struct cutcp *c = cutcp(w);
  const uint32_t n = BATCH * w->k[0] + w->k[1];
  const struct atom *a = &c->atom[bin_near(w, n)][w->k[2]];
  const int8_t *by = c->neighbour[n];
  const int32_t cutoff = (int32_t)w->plan->key[KEY_CUTOFF] * UNIT;
  uint32_t lanes = 0;
  for (unsigned l = 0; l < WL_LANES; l++) {
    const int32_t dx = (int32_t)w->tx[l] * POINT - (by[0] * BIN + a->x),
                  dy = (int32_t)(w->ty[l] + 2 * w->k[3]) * POINT - (by[1] * BIN + a->y),
                  dz = (int32_t)w->tz[l] * POINT - (by[2] * BIN + a->z);
    lanes |= (uint32_t)(dx * dx + dy * dy + dz * dz < cutoff * cutoff) << l;
  }
  return lanes;
}

/* One plane of bins per launch. */
bool parboil_cutcp(struct wl_plan *p, uint32_t launch) {
  const struct cutcp *c = p->data;
  const uint64_t *key = p->key;
  const int bins =
                wl_array(p, "bin", (uint64_t)c->nx * (uint64_t)c->ny * (uint64_t)c->nz * BIN_FLOATS, FLOAT),
            regions = wl_array(p, "region", key[KEY_X] * key[KEY_Y] * key[KEY_Z] * EDGE * EDGE * EDGE, FLOAT);
  const int64_t region = EDGE * EDGE * EDGE, row = (int64_t)key[KEY_X] * region;
  const struct wl_at half = AT(.t = {1, EDGE, BIN_FLOATS}, .k = {0, HALF_WARPS * BIN_FLOATS});
  wl_grid_of(p, "cutcp", DIM((uint32_t)key[KEY_X], (uint32_t)key[KEY_Y]), DIM(EDGE, 2, EDGE));
  wl_holds(p, BATCH * BIN_FLOATS * FLOAT + 16, 0);
  code_position(p, 8);
  for (int q = 0; q < POINTS; q++)
    wl_inst(p, WL_ALU, R_LOADED + q, 0);
  code_barrier(p); /* the first thread computes the place of the region */
  code_loop(p, R_INDEX, (c->neighbours + BATCH - 1) / BATCH);
  code_barrier(p);
  code_loop(p, R_INNER, BATCH / HALF_WARPS);
  code_branch(p, WL_R(R_INNER));
  wl_if_lane(p, fetches);
  wl_inst(p, WL_CONST, R_A, WL_R(R_INNER));
  code_chain(p, WL_ALU, 4, R_A, WL_R(R_A));
  wl_access(p, WL_LOAD, R_B, WL_R(R_A), bins, lower_half);
  wl_access(p, WL_LOAD, R_C, WL_R(R_A), bins, upper_half);
  wl_shared_at(p, WL_NO_REG, WL_R(R_B), FLOAT, half);
  struct wl_at upper = half;
  upper.c = BIN_FLOATS / 2;
  wl_shared_at(p, WL_NO_REG, WL_R(R_C), FLOAT, upper);
  wl_end(p);
  code_next(p, R_INNER);
  code_barrier(p);
  wl_inst(p, WL_ALU, R_INNER, WL_R(R_POS));
  wl_loop_while(p, another_bin);
  wl_loop_while(p, another_atom);
  wl_shared_at(p, R_A, WL_R(R_INNER), 4 * FLOAT, AT(.k = {0, DEPTH, 1}));
  code_branch(p, WL_R(R_A));
  const uint64_t distance = code_math(p, ATOM_FP, WL_R(R_A));
  wl_loop(p, POINTS);
  code_chain(p, WL_ALU, TEST_FP, R_B, distance);
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_B));
  wl_if(p, feel);
  wl_inst(p, WL_SFU, R_C, WL_R(R_B));
  code_chain(p, WL_ALU, POTENTIAL_FP - 1, R_C, WL_R(R_C));
  wl_inst(p, WL_ALU, R_LOADED, WL_R(R_LOADED) | WL_R(R_C));
  wl_end(p);
  wl_end(p);
  code_next(p, R_INNER);
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_INNER));
  wl_end(p);
  code_next(p, R_INDEX);
  for (int q = 0; q < POINTS; q++)
    wl_store(p, WL_R(R_LOADED + q), R_POS, regions,
             AT(.c = (int64_t)launch * row * (int64_t)key[KEY_Y] + 16 * q, .b = {region, row},
                .t = {1, EDGE, EDGE * EDGE}));
  return launch < key[KEY_Z];
}
