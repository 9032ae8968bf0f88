/* Parboil: spmv, a sparse matrix times a vector. The rows are sorted by length, longest first, and padded
 * in groups of 32 to the longest row of the group. Element k of all rows is stored before element k + 1 of
 * any row. So the lanes of a warp have equally many elements, side by side; only the vector is read at
 * random.
 *
 * The matrix is the user's, or made up like that of a finite-element mesh: symmetric, with each node of a
 * square grid coupled to nodes in a square around it.
 */
#include "workloads/graph/matrix_market.h"
#include "workloads/parboil/parboil.h"
#include "workloads/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEY_ROWS, KEY_MEAN, KEY_SEED, KEY_VARIANT, KEY_LAUNCHES };
enum { NAIVE, PREFETCH, TEXTURE };
enum { GROUP = 32, INTEGERS = 7, MAX_ROWS = 4 << 20, MAX_ELEMENTS = 64 << 20 /* padding included */ };
enum { RESIDENT = 15 * 1536 /* threads that 15 SMs hold; with more rows, a CTA has 192 threads */ };

struct spmv {
  uint32_t rows, groups;
  uint32_t *length; /* padded row length of each group */
  uint32_t *start;  /* place of element k of the first row */
  uint32_t *column; /* column of each element; 0 for padding */
  uint32_t *row;    /* for each sorted row: its number before sorting */
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

/* A matrix while it is brought into the packed form. Its entries come twice: first to be counted, then to
 * be placed. So nothing is allocated before it is known to fit, and the entries are never kept as a list. */
struct packing {
  struct spmv *m;
  uint32_t *count, *place,
      *filled; /* for each row: number of elements, sorted place, elements placed so far */
};

static void free_packing(struct packing *a) {
  free(a->count);
  free(a->place);
  free(a->filled);
}

/* The largest memory of all this on the host. The whole program promises to stay within 1 GiB. */
_Static_assert(UINT64_C(4) * (MAX_ELEMENTS + 4 * MAX_ROWS + MAX_ROWS / GROUP + MAX_ELEMENTS / GROUP) <
                   1 << 29,
               "the packed matrix and what makes it must leave half of a GiB to the machine");

static bool begin(struct packing *a, uint32_t rows) {
  a->m->rows = rows;
  a->m->groups = (rows + GROUP - 1) / GROUP;
  a->m->length = calloc((size_t)a->m->groups + 1, sizeof *a->m->length);
  a->m->row = calloc((size_t)rows + 1, sizeof *a->m->row);
  a->count = calloc((size_t)rows + 1, sizeof *a->count);
  a->place = calloc((size_t)rows + 1, sizeof *a->place);
  a->filled = calloc((size_t)rows + 1, sizeof *a->filled);
  return a->m->length && a->m->row && a->count && a->place && a->filled;
}

static void count_entry(struct packing *a, uint32_t row, uint32_t column) {
  (void)column;
  a->count[row]++;
}

static void put_entry(struct packing *a, uint32_t row, uint32_t column) {
  a->m->column[a->m->start[a->filled[row]++] + a->place[row]] = column;
}

/* True if nodes a < b are coupled. */
static bool coupled(uint64_t seed, uint32_t a, uint32_t b, uint64_t of_1000) {
  return wl_rng_scale(wl_rng_mix(seed, (uint64_t)a << 32 | b), 1000) < of_1000;
}

/* Calls `entry` for every element of the mesh's matrix, row by row, column by column. */
static void mesh(const uint64_t *key, void (*entry)(struct packing *a, uint32_t row, uint32_t column),
                 struct packing *a) {
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

/* Sorts the rows, longest first; rows of one length keep their order. `at` has longest + 1 zeros. */
static void sort_rows(struct packing *a, uint32_t longest, uint32_t *at) {
  const uint32_t n = a->m->rows;
  for (uint32_t r = 0; r < n; r++)
    at[longest - a->count[r]]++;
  for (uint32_t l = 0, before = 0; l <= longest; l++) {
    const uint32_t count = at[l];
    at[l] = before;
    before += count;
  }
  for (uint32_t r = 0; r < n; r++) {
    a->place[r] = at[longest - a->count[r]]++;
    a->m->row[a->place[r]] = r;
  }
}

/* Computes the places from the counts. Returns false with one line in err. */
static bool lay_out(struct packing *a, char *err, size_t errlen) {
  struct spmv *m = a->m;
  uint32_t longest = 0;
  for (uint32_t r = 0; r < m->rows; r++)
    longest = a->count[r] > longest ? a->count[r] : longest;
  uint64_t elements = (uint64_t)longest * GROUP;
  if (elements <= MAX_ELEMENTS) {
    m->start = calloc((size_t)longest + 1, sizeof *m->start);
    if (!m->start) {
      snprintf(err, errlen, "spmv: out of memory");
      return false;
    }
    sort_rows(a, longest, m->start);
    elements = 0;
    for (uint32_t g = 0; g < m->groups; g++) {
      m->length[g] = a->count[m->row[g * GROUP]];
      elements += (uint64_t)m->length[g] * GROUP;
    }
  }
  if (elements > MAX_ELEMENTS) {
    snprintf(err, errlen, "spmv: %" PRIu64 " elements or more, with rows padded in groups of %d; allowed: %d",
             elements, GROUP, MAX_ELEMENTS);
    return false;
  }
  m->elements = (uint32_t)elements;
  for (uint32_t k = 0, groups = m->groups, at = 0; k < longest; k++) {
    while (m->length[groups - 1] <= k)
      groups--;
    m->start[k] = at;
    at += groups * GROUP;
  }
  m->column = calloc((size_t)elements + 1, sizeof *m->column);
  if (!m->column)
    snprintf(err, errlen, "spmv: out of memory");
  return m->column;
}

static bool size_counted(void *user, struct wl_scan *s, uint32_t rows, uint32_t cols) {
  if (rows != cols)
    return wl_scan_fail(s, "a square matrix is needed, this one is %u x %u", rows, cols);
  return begin(user, rows) || wl_scan_fail(s, "out of memory");
}

static bool entry_counted(void *user, struct wl_scan *s, uint32_t row, uint32_t col, double value) {
  (void)s;
  (void)value;
  count_entry(user, row, col);
  return true;
}

static bool changed(struct wl_scan *s) {
  return wl_scan_fail(s, "the file has changed while it was read");
}

static bool size_again(void *user, struct wl_scan *s, uint32_t rows, uint32_t cols) {
  return (rows == ((struct packing *)user)->m->rows && cols == rows) || changed(s);
}

static bool entry_put(void *user, struct wl_scan *s, uint32_t row, uint32_t col, double value) {
  struct packing *a = user;
  (void)value;
  if (a->filled[row] == a->count[row])
    return changed(s);
  put_entry(a, row, col);
  return true;
}

static bool pack_file(struct packing *a, const char *file, char *err, size_t errlen) {
  const struct wl_matrix_taker first = {MAX_ROWS, MAX_ELEMENTS, size_counted, entry_counted, a},
                               second = {MAX_ROWS, MAX_ELEMENTS, size_again, entry_put, a};
  return wl_matrix_market_read(&first, file, err, errlen) && lay_out(a, err, errlen) &&
         wl_matrix_market_read(&second, file, err, errlen);
}

static bool pack_mesh(struct packing *a, const uint64_t *key, char *err, size_t errlen) {
  if (!begin(a, (uint32_t)key[KEY_ROWS])) {
    snprintf(err, errlen, "spmv: out of memory");
    return false;
  }
  mesh(key, count_entry, a);
  if (!lay_out(a, err, errlen))
    return false;
  mesh(key, put_entry, a);
  return true;
}

bool parboil_spmv_prepare(struct wl_plan *p, char *err, size_t errlen) {
  struct packing a = {.m = calloc(1, sizeof *a.m)};
  if (!a.m) {
    snprintf(err, errlen, "spmv: out of memory");
    return false;
  }
  const bool ok = p->file ? pack_file(&a, p->file, err, errlen) : pack_mesh(&a, p->key, err, errlen);
  free_packing(&a);
  if (ok)
    p->data = a.m;
  else
    parboil_spmv_release(a.m);
  return ok;
}

static const struct spmv *matrix(const struct wl_warp *w) {
  return w->plan->data;
}

static uint32_t row_length(const struct wl_warp *w) {
  return matrix(w)->length[w->x[0] / GROUP];
}

/* element: element k of the lane's row. factor: the element of the vector that it is multiplied with. */
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

/* The kernel that prefetches: element k[0] + 2 and the one before it; the first, the second and the last
 * element. */
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
  code_chain(p, WL_ALU, INTEGERS - 1, R_INNER, WL_R(R_INNER));
  wl_access(p, WL_LOAD, R_A, WL_R(R_INNER), a.index, this_element);
  wl_access(p, WL_LOAD, R_B, WL_R(R_INNER), a.data, this_element);
  if (texture)
    wl_inst(p, WL_TEX, R_C, WL_R(R_A));
  else
    wl_access(p, WL_LOAD, R_C, WL_R(R_A), a.x, this_factor);
  sum(p, R_B, R_C);
  code_next(p, R_INDEX);
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
  code_chain(p, WL_ALU, INTEGERS - 1, R_INNER, WL_R(R_INNER));
  wl_access(p, WL_LOAD, R_LOADED, WL_R(R_INNER), a.index, element_ahead);
  wl_access(p, WL_LOAD, R_E, WL_R(R_A), a.x, factor_before);
  sum(p, R_B, R_C);
  wl_inst(p, WL_ALU, R_A, WL_R(R_LOADED)); /* moves one step on */
  wl_inst(p, WL_ALU, R_B, WL_R(R_D));
  wl_inst(p, WL_ALU, R_C, WL_R(R_E));
  code_next(p, R_INDEX);
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
  code_position(p, 2);
  code_branch(p, WL_R(R_POS));
  wl_if(p, wl_lanes_inside);
  wl_inst(p, WL_ALU, R_ACC, 0);
  wl_inst(p, WL_CONST, R_PRED, WL_R(R_POS)); /* length of the row */
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
