/* Random numbers that are the same in every run, and wrong bits in the model on the bench (D-MIX-3). Include after rig.h. */
#include <stdlib.h>

static uint64_t chance_state = 1;

static uint64_t draw(void) { /* splitmix64 */
  uint64_t z = chance_state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

static uint64_t draw_below(uint64_t n) {
  return draw() % n;
}

static uint64_t rows_of(const struct hd_decl *d, const struct hd_row *row) {
  return row->cls == HD_RAM ? d->mems[row->mem].depth : 1;
}

/* Flips a random bit of a register or a memory, never of a port. */
static inline void flip_a_bit(void) {
  const struct hd_decl *d = rig.m->base.decl;
  const struct hd_row *row;
  do
    row = &d->rows[draw_below(d->n_rows)];
  while (row->cls != HD_REG && row->cls != HD_CAM && row->cls != HD_RAM);
  const uint64_t r = draw_below(rows_of(d, row)), e = draw_below(row->count);
  *hd_elem(d, row, &rig.m->s, (unsigned)r, (unsigned)e) ^= UINT64_C(1) << draw_below(row->width);
}

/* Fails if a stored value has more bits than its declared width. */
static inline void state_fits(void) {
  const struct hd_decl *d = rig.m->base.decl;
  for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++)
    if (row->width < 64 && (row->cls == HD_REG || row->cls == HD_CAM || row->cls == HD_RAM))
      for (unsigned r = 0; r < rows_of(d, row); r++)
        for (unsigned e = 0; e < row->count; e++)
          if (*hd_elem(d, row, &rig.m->s, r, e) >> row->width)
            fail_msg("%s[%u][%u] has more than %u bits", row->name, r, e, row->width);
}
