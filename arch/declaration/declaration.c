/* Operations on declarations: storage of the structs, reset, elements, sums; and the log of events.
 *
 * Invariant: nothing here knows a module by name. */
#include "arch/declaration/declaration.h"

#include <stdlib.h>

#include "base/text.h"

bool hd_is_port(enum hd_class cls) {
  return cls <= HD_LATE;
}

bool hd_is_output(enum hd_class cls) {
  return hd_is_port(cls) && cls != HD_IN;
}

bool hd_one_port(enum hd_ports p) {
  return p == HD_1RW || p == HD_1RW_M || p == HD_1RW_M_SLEEP;
}

bool hd_masked(enum hd_ports p) {
  return p == HD_1RW_M || p == HD_1R1W_M || p == HD_1RW_M_SLEEP;
}

bool hd_is_macro(enum hd_ports p) {
  return p != HD_1R1W_FF && p != HD_1R1W_LATCH;
}

enum hd_ports hd_1r1w_of(enum hd_memory_cells cells) {
  return cells == HD_CELLS_FF ? HD_1R1W_FF : cells == HD_CELLS_LATCH ? HD_1R1W_LATCH : HD_1R1W;
}

const char *hd_ports_name(enum hd_ports p) {
  static const char *const names[HD_PORT_KINDS] = {"1rw",         "1r1w",    "1rw_m",     "1r1w_m",
                                                   "1rw_m_sleep", "1r1w_ff", "1r1w_latch"};
  return names[p];
}

static void *at(const void *base, size_t offset) {
  return (char *)base + offset;
}

static uint64_t **vector(const void *base, size_t offset) {
  return at(base, offset);
}

enum side { SIDE_IN, SIDE_OUT, SIDE_LATE, SIDE_STATE };

static enum side side_of(enum hd_class cls) {
  return cls == HD_IN ? SIDE_IN : cls == HD_LATE ? SIDE_LATE : hd_is_output(cls) ? SIDE_OUT : SIDE_STATE;
}

static void release(const struct hd_decl *d, enum side side, void *base) {
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    if (side_of(r->cls) == side && r->pointer && r->cls != HD_RAM) {
      free(*vector(base, r->offset));
      *vector(base, r->offset) = NULL;
    }
  }
  for (size_t i = 0; side == SIDE_STATE && i < d->n_mems; i++) {
    const struct hd_mem *m = &d->mems[i];
    free(*vector(base, m->offset));
    *vector(base, m->offset) = NULL;
    if (!m->bundle) {
      free(*vector(base, m->q_offset));
      *vector(base, m->q_offset) = NULL;
    }
  }
}

/* Returns how many elements C allocates for n rows of a memory, or n elements of a register. If n is no power of two, a
 * number of its width can be more than n, but is less than 2n: so a number that a fault has changed is still inside, even
 * if it is one of several rings. */
static size_t room_for(unsigned n) {
  return n & (n - 1) ? 2 * (size_t)n : n;
}

static bool provide(const struct hd_decl *d, enum side side, void *base) {
  bool ok = true;
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    if (side_of(r->cls) == side && r->pointer && r->cls != HD_RAM)
      ok &= (*vector(base, r->offset) =
                 calloc(side == SIDE_STATE ? room_for(r->count) : r->count, sizeof(uint64_t))) != NULL;
  }
  for (size_t i = 0; side == SIDE_STATE && i < d->n_mems; i++) {
    const struct hd_mem *m = &d->mems[i];
    ok &= (*vector(base, m->offset) = calloc(room_for(m->depth), m->row_bytes)) != NULL;
    if (!m->bundle)
      ok &= (*vector(base, m->q_offset) = calloc(1, m->row_bytes)) != NULL;
  }
  if (!ok)
    release(d, side, base);
  return ok;
}

bool hd_alloc_in(const struct hd_decl *d, void *in) {
  return provide(d, SIDE_IN, in);
}
bool hd_alloc_out(const struct hd_decl *d, void *out) {
  return provide(d, SIDE_OUT, out);
}
void hd_free_in(const struct hd_decl *d, void *in) {
  release(d, SIDE_IN, in);
}
void hd_free_out(const struct hd_decl *d, void *out) {
  release(d, SIDE_OUT, out);
}
void hd_free_state(const struct hd_decl *d, void *st) {
  release(d, SIDE_STATE, st);
}

bool hd_alloc_state(const struct hd_decl *d, void *st) {
  if (!provide(d, SIDE_STATE, st))
    return false;
  hd_reset_state(d, st);
  return true;
}

void hd_reset_state(const struct hd_decl *d, void *st) {
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    for (unsigned e = 0; r->reset != NORESET && e < r->count; e++)
      *hd_elem(d, r, st, 0, e) = r->reset == INDEX ? e : (uint64_t)r->reset;
  }
  for (const struct hd_absent *a = d->absents; a < d->absents + d->n_absents; a++)
    *(uint64_t *)at(st, a->offset) = a->reset;
  for (size_t i = 0; i < d->n_mems; i++)
    *(int64_t *)at(st, d->mems[i].wr_offset) = -1;
}

uint64_t *hd_elem(const struct hd_decl *d, const struct hd_row *row, const void *base, unsigned r,
                  unsigned e) {
  if (!row->pointer)
    return at(base, row->offset);
  uint64_t *v = *vector(base, row->offset);
  if (row->cls != HD_RAM)
    return v + e;
  return row->bundle ? at(v, r * row->stride + row->field)
                     : v + (size_t)r * row->count * d->mems[row->mem].banks + e;
}

unsigned hd_decl_ff_bits(const struct hd_decl *d) {
  unsigned bits = 0;
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls == HD_REG || d->rows[i].cls == HD_CAM)
      bits += d->rows[i].count * d->rows[i].width;
  return bits;
}

unsigned hd_decl_ram_bits(const struct hd_decl *d) {
  unsigned bits = 0;
  for (size_t i = 0; i < d->n_mems; i++)
    bits += d->mems[i].banks * d->mems[i].depth * d->mems[i].width;
  return bits;
}

void hd_decl_add_cells(const struct hd_decl *d, struct hd_decl_cells *sum) {
  for (const struct hd_row *r = d->rows; r < d->rows + d->n_rows; r++)
    if (r->cls == HD_REG || r->cls == HD_CAM) {
      *(r->latched ? &sum->latches : &sum->flipflops) += (long)r->count * r->width;
      sum->rows += r->latched ? r->count : 0;
      /* the register in front of the latches, with the word to write */
      sum->flipflops += r->latched ? r->width : 0;
    }
  for (const struct hd_mem *m = d->mems; m < d->mems + d->n_mems; m++) {
    const long word = (long)m->banks * m->width, bits = m->depth * word;
    const bool latches = m->ports == HD_1R1W_LATCH, macro = hd_is_macro(m->ports);
    *(macro ? &sum->macro_bits : latches ? &sum->latches : &sum->flipflops) += bits;
    sum->flipflops += macro ? 0 : latches ? 2 * word : word;
    sum->rows += latches ? (long)m->banks * m->depth : 0;
  }
}

enum hd_rc hd_decl_known_cells(const struct hd_decl *d, bool flipflops, const char *what,
                               struct hd_why *why) {
  const char *name = NULL, *instead = "ff";
  for (const struct hd_row *r = d->rows; r < d->rows + d->n_rows && !name; r++)
    name = r->latched ? r->name : NULL;
  for (const struct hd_mem *m = d->mems; m < d->mems + d->n_mems && !name; m++)
    if (m->ports == HD_1R1W_LATCH || (flipflops && m->ports == HD_1R1W_FF)) {
      name = m->name;
      instead = flipflops ? "sram" : "sram or ff";
    }
  if (name)
    return hd_because(why, HD_INPUT,
                      "%s: found storage.%s_%s that is not %s, of which it knows nothing; allowed %s", what,
                      d->module, name, instead, instead);
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < d->n_insts && rc == HD_OK; i++)
    rc = hd_decl_known_cells(d->insts[i].decl, flipflops, what, why);
  return rc;
}

void hd_log_event(const struct hd_model *m, unsigned event, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  struct hd_log *log = m->log;
  struct hd_logged *e = &log->ring[log->n++ % HD_LOG_SIZE];
  *e = (struct hd_logged){log->cycle, {a, b, c, d}, m->decl, event};
  if (log->hook)
    log->hook(log->ctx, m, event, e->arg);
}
