/* Parboil: spmv, a sparse matrix times a vector. The rows are sorted by length, longest first, and padded in groups of 32 to
 * the longest of the group; then element k of all rows stands before element k + 1 of any. So a warp's lanes have equally
 * many elements, side by side; only the vector is read at random.
 *
 * The matrix is the user's, or made up like a finite-element mesh's: symmetric, a node of a square grid coupled to nodes
 * in a square around it.
 */
#include "workloads/matrix_market.h"
#include "workloads/parboil.h"
#include "workloads/rng.h"

#include <stdio.h>
#include <stdlib.h>

enum { KEY_ROWS, KEY_MEAN, KEY_SEED, KEY_VARIANT, KEY_LAUNCHES };
enum { NAIVE, PREFETCH, TEXTURE };
enum { GROUP = 32, INTEGERS = 7, MAX_ROWS = 4 << 20, MAX_ENTRIES = 64 << 20 };
enum { RESIDENT = 15 * 1536 /* threads of 15 SMs: with more rows, CTAs are of 192 threads */ };

struct spmv {
  uint32_t rows, groups;
  uint32_t *length; /* of each group */
  uint32_t *start;  /* of element k of the first row */
  uint32_t *column; /* of each element; of padding, 0 */
  uint32_t *row;    /* before sorting, of each sorted row */
  uint32_t elements;
};

void parboil_spmv_release(void *data) {
  struct spmv *m = data;
  free(m->length);
  free(m->start);
  free(m->column);
  free(m->row);
  free(m);
}

/* Rows as lists: the columns of row r are column[first[r]] .. column[first[r + 1] - 1]. */
struct rows {
  uint32_t n;
  uint32_t *first, *column;
};

static void free_rows(struct rows *a) {
  free(a->first);
  free(a->column);
}

/* Whether nodes a < b are coupled. */
static bool coupled(uint64_t seed, uint32_t a, uint32_t b, uint64_t of_1000) {
  return wl_rng_scale(wl_rng_mix(seed, (uint64_t)a << 32 | b), 1000) < of_1000;
}

/* Calls `entry` for every element of the mesh's matrix, row by row, column by column. */
static void mesh(const uint64_t *key, void (*entry)(struct rows *a, uint32_t row, uint32_t column),
                 struct rows *a) {
  const int64_t rows = (int64_t)key[KEY_ROWS];
  int64_t side = 1, reach = 1;
  while (side * side < rows)
    side++;
  while ((2 * reach + 1) * (2 * reach + 1) - 1 < (int64_t)key[KEY_MEAN])
    reach++;
  const uint64_t of_1000 = 1000 * (key[KEY_MEAN] - 1) / (uint64_t)((2 * reach + 1) * (2 * reach + 1) - 1);
  for (int64_t r = 0; r < rows; r++)
    for (int64_t dy = -reach; dy <= reach; dy++)
      for (int64_t dx = -reach; dx <= reach; dx++) {
        const int64_t x = r % side + dx, c = r + dy * side + dx;
        if (x < 0 || x >= side || c < 0 || c >= rows)
          continue;
        const uint32_t low = (uint32_t)(c < r ? c : r), high = (uint32_t)(c < r ? r : c);
        if (c == r || coupled(key[KEY_SEED], low, high, of_1000))
          entry(a, (uint32_t)r, (uint32_t)c);
      }
}

static void count_entry(struct rows *a, uint32_t row, uint32_t column) {
  (void)column;
  a->first[row + 1]++;
}

/* first[r + 1] is where the next column of row r goes; in the end, where the row ends. */
static void add_entry(struct rows *a, uint32_t row, uint32_t column) {
  a->column[a->first[row + 1]++] = column;
}

/* From counts in first[r + 1] to positions, and room for the columns. */
static bool lay_out(struct rows *a) {
  uint32_t at = 0;
  for (uint32_t r = 0; r < a->n; r++) {
    const uint32_t count = a->first[r + 1];
    a->first[r + 1] = at;
    at += count;
  }
  a->column = calloc((size_t)at + 1, sizeof *a->column);
  return a->column;
}

static bool make_rows(const uint64_t *key, struct rows *a) {
  a->n = (uint32_t)key[KEY_ROWS];
  a->first = calloc((size_t)a->n + 1, sizeof *a->first);
  if (!a->first)
    return false;
  mesh(key, count_entry, a);
  if (!lay_out(a))
    return false;
  mesh(key, add_entry, a);
  return true;
}

static bool rows_of(const struct wl_matrix *m, struct rows *a) {
  a->n = m->rows;
  a->first = calloc((size_t)a->n + 1, sizeof *a->first);
  if (!a->first)
    return false;
  for (uint32_t e = 0; e < m->entries; e++)
    count_entry(a, m->entry[e].row, m->entry[e].col);
  if (!lay_out(a))
    return false;
  for (uint32_t e = 0; e < m->entries; e++)
    add_entry(a, m->entry[e].row, m->entry[e].col);
  return true;
}

static uint32_t length_of(const struct rows *a, uint32_t row) {
  return a->first[row + 1] - a->first[row];
}

/* Longest first; rows of one length in their order. */
static void sort_rows(const struct rows *a, uint32_t longest, uint32_t *sorted, uint32_t *place) {
  for (uint32_t r = 0; r < a->n; r++)
    place[longest - length_of(a, r)]++;
  for (uint32_t l = 0, at = 0; l <= longest; l++) {
    const uint32_t count = place[l];
    place[l] = at;
    at += count;
  }
  for (uint32_t r = 0; r < a->n; r++)
    sorted[place[longest - length_of(a, r)]++] = r;
}

static bool pack(const struct rows *a, struct spmv *m) {
  uint32_t longest = 0;
  for (uint32_t r = 0; r < a->n; r++)
    longest = length_of(a, r) > longest ? length_of(a, r) : longest;
  m->rows = a->n;
  m->groups = (a->n + GROUP - 1) / GROUP;
  m->length = calloc((size_t)m->groups + 1, sizeof *m->length);
  m->row = calloc((size_t)a->n + 1, sizeof *m->row);
  m->start = calloc((size_t)longest + 1, sizeof *m->start);
  if (!m->length || !m->row || !m->start)
    return false;
  sort_rows(a, longest, m->row, m->start);
  for (uint32_t g = 0; g < m->groups; g++)
    m->length[g] = length_of(a, m->row[g * GROUP]);
  uint64_t elements = 0;
  for (uint32_t k = 0, groups = m->groups; k < longest; k++) {
    while (m->length[groups - 1] <= k)
      groups--;
    m->start[k] = (uint32_t)elements;
    elements += (uint64_t)groups * GROUP;
  }
  if (elements > MAX_ENTRIES || !(m->column = calloc(elements + 1, sizeof *m->column)))
    return false;
  m->elements = (uint32_t)elements;
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t k = 0; k < length_of(a, m->row[i]); k++)
      m->column[m->start[k] + i] = a->column[a->first[m->row[i]] + k];
  return true;
}

bool parboil_spmv_prepare(struct wl_plan *p, char *err, size_t errlen) {
  struct wl_matrix file = {0};
  struct rows rows = {0};
  if (p->file) {
    if (!wl_matrix_market_read(&file, p->file, MAX_ROWS, MAX_ENTRIES, err, errlen))
      return false;
    if (file.rows != file.cols) {
      snprintf(err, errlen, "%s: a square matrix is needed, this one is %u x %u", p->file, file.rows,
               file.cols);
      free(file.entry);
      return false;
    }
  }
  struct spmv *m = calloc(1, sizeof *m);
  const bool ok = m && (p->file ? rows_of(&file, &rows) : make_rows(p->key, &rows)) && pack(&rows, m);
  free(file.entry);
  free_rows(&rows);
  if (ok) {
    p->data = m;
    return true;
  }
  if (m)
    parboil_spmv_release(m);
  snprintf(err, errlen, "spmv: out of memory, or more than %d elements with the padding", MAX_ENTRIES);
  return false;
}

static const struct spmv *matrix(const struct wl_warp *w) {
  return w->plan->data;
}

static uint32_t row_length(const struct wl_warp *w) {
  return matrix(w)->length[w->x[0] / GROUP];
}

/* Element k of the lane's row; what it multiplies. */
static int64_t element(const struct wl_warp *w, unsigned lane, uint32_t k) {
  return (int64_t)matrix(w)->start[k] + w->x[lane];
}

static int64_t factor(const struct wl_warp *w, unsigned lane, uint32_t k) {
  return matrix(w)->column[element(w, lane, k)];
}

/* The plain kernel: element k[0]. */
static uint32_t another(const struct wl_warp *w) {
  return w->k[0] < row_length(w) ? UINT32_MAX : 0;
}

static int64_t this_element(const struct wl_warp *w, unsigned lane) {
  return element(w, lane, w->k[0]);
}

static int64_t this_factor(const struct wl_warp *w, unsigned lane) {
  return factor(w, lane, w->k[0]);
}

/* The one that loads ahead: element k[0] + 2, and the one before it; the first, the second and the last. */
static uint32_t any(const struct wl_warp *w) {
  return row_length(w) > 0 ? UINT32_MAX : 0;
}

static uint32_t two(const struct wl_warp *w) {
  return row_length(w) > 1 ? UINT32_MAX : 0;
}

static uint32_t another_ahead(const struct wl_warp *w) {
  return w->k[0] + 2 < row_length(w) ? UINT32_MAX : 0;
}

static int64_t element_ahead(const struct wl_warp *w, unsigned lane) {
  return element(w, lane, w->k[0] + 2);
}

static int64_t element_before(const struct wl_warp *w, unsigned lane) {
  return element(w, lane, w->k[0] + 1);
}

static int64_t factor_before(const struct wl_warp *w, unsigned lane) {
  return factor(w, lane, w->k[0] + 1);
}

static int64_t first_element(const struct wl_warp *w, unsigned lane) {
  return element(w, lane, 0);
}

static int64_t first_factor(const struct wl_warp *w, unsigned lane) {
  return factor(w, lane, 0);
}

static int64_t second_element(const struct wl_warp *w, unsigned lane) {
  return element(w, lane, 1);
}

static int64_t last_element(const struct wl_warp *w, unsigned lane) {
  return element(w, lane, row_length(w) - 1);
}

static int64_t last_factor(const struct wl_warp *w, unsigned lane) {
  return factor(w, lane, row_length(w) - 1);
}

static int64_t unsorted(const struct wl_warp *w, unsigned lane) {
  return matrix(w)->row[w->x[lane]];
}

struct arrays {
  int index, data, x, perm, y;
};

static void sum(struct wl_plan *p, int value, int factor_) {
  wl_inst(p, WL_ALU, R_ACC, WL_R(value) | WL_R(factor_) | WL_R(R_ACC));
}

static void plain(struct wl_plan *p, struct arrays a, bool texture) {
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_loop_while(p, another);
  wl_inst(p, WL_CONST, R_INNER, WL_R(R_INDEX));
  part_chain(p, WL_ALU, INTEGERS - 1, R_INNER, WL_R(R_INNER));
  wl_access(p, WL_LOAD, R_A, WL_R(R_INNER), a.index, this_element);
  wl_access(p, WL_LOAD, R_B, WL_R(R_INNER), a.data, this_element);
  if (texture)
    wl_inst(p, WL_TEX, R_C, WL_R(R_A));
  else
    wl_access(p, WL_LOAD, R_C, WL_R(R_A), a.x, this_factor);
  sum(p, R_B, R_C);
  part_next(p, R_INDEX);
}

static void prefetching(struct wl_plan *p, struct arrays a) {
  wl_if(p, any);
  wl_inst(p, WL_CONST, R_INNER, WL_R(R_POS));
  wl_access(p, WL_LOAD, R_B, WL_R(R_INNER), a.data, first_element);
  wl_access(p, WL_LOAD, R_A, WL_R(R_INNER), a.index, first_element);
  wl_access(p, WL_LOAD, R_C, WL_R(R_A), a.x, first_factor);
  wl_if(p, two);
  wl_inst(p, WL_CONST, R_INNER, WL_R(R_POS));
  wl_access(p, WL_LOAD, R_A, WL_R(R_INNER), a.index, second_element);
  wl_inst(p, WL_ALU, R_INDEX, WL_R(R_POS));
  wl_loop_while(p, another_ahead);
  wl_access(p, WL_LOAD, R_D, WL_R(R_INNER), a.data, element_before);
  wl_inst(p, WL_CONST, R_INNER, WL_R(R_INDEX));
  part_chain(p, WL_ALU, INTEGERS - 1, R_INNER, WL_R(R_INNER));
  wl_access(p, WL_LOAD, R_LOADED, WL_R(R_INNER), a.index, element_ahead);
  wl_access(p, WL_LOAD, R_E, WL_R(R_A), a.x, factor_before);
  sum(p, R_B, R_C);
  wl_inst(p, WL_ALU, R_A, WL_R(R_LOADED)); /* one step on */
  wl_inst(p, WL_ALU, R_B, WL_R(R_D));
  wl_inst(p, WL_ALU, R_C, WL_R(R_E));
  part_next(p, R_INDEX);
  wl_access(p, WL_LOAD, R_D, WL_R(R_INNER), a.data, last_element);
  wl_access(p, WL_LOAD, R_E, WL_R(R_A), a.x, last_factor);
  sum(p, R_B, R_C);
  wl_inst(p, WL_ALU, R_B, WL_R(R_D));
  wl_inst(p, WL_ALU, R_C, WL_R(R_E));
  wl_end(p);
  sum(p, R_B, R_C);
  wl_end(p);
}

bool parboil_spmv(struct wl_plan *p, uint32_t launch) {
  const struct spmv *m = p->data;
  const uint64_t variant = p->key[KEY_VARIANT];
  const struct arrays a = {
      .index = wl_array(p, "index", m->elements, 4),
      .data = wl_array(p, "data", m->elements, FLOAT),
      .x = wl_array(p, "x", m->rows, FLOAT),
      .perm = wl_array(p, "perm", m->rows, 4),
      .y = wl_array(p, "y", m->rows, FLOAT),
  };
  wl_grid(p, "spmv", m->rows, 1, m->groups * GROUP > RESIDENT ? 6 * GROUP : GROUP, 1);
  part_position(p, 2);
  part_branch(p, WL_R(R_POS));
  wl_if(p, wl_lanes_inside);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_inst(p, WL_CONST, R_PRED, WL_R(R_POS)); /* the row's length */
  wl_inst(p, WL_ALU, WL_NO_REG, WL_R(R_PRED));
  if (variant == PREFETCH)
    prefetching(p, a);
  else
    plain(p, a, variant == TEXTURE);
  wl_load(p, R_A, R_POS, a.perm, AT(.x = 1));
  wl_access(p, WL_STORE, WL_NO_REG, WL_R(R_ACC) | WL_R(R_A), a.y, unsorted);
  wl_end(p);
  return launch < p->key[KEY_LAUNCHES];
}
