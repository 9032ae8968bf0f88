/* Rings of a model whose place register holds, by a wrong bit, a place outside the ring. Include after rig.h. */
#include "tests/unit/chance.h"

/* Returns the place after `place` as the Verilog computes it (rtl_gen/verilog/next.v) in a register of `width` bits. */
static uint64_t next_in_rtl(uint64_t place, uint64_t size, unsigned width) {
  return (place == size - 1 ? 0 : place + 1) & ((UINT64_C(1) << width) - 1);
}

/* Checks the next place alone, not what becomes of the things in the ring. Sets element e of a register to each place outside a ring of
 * `size` in turn. Each time `starts` makes a model and `moves` advances the place by one. */
static void place_moves_as_in_rtl(const char *name, unsigned e, uint64_t size, void (*starts)(void),
                                  void (*moves)(void)) {
  unsigned width = 0;
  for (uint64_t place = size; !width || place < UINT64_C(1) << width; place++) {
    starts();
    const struct hd_decl *d = rig.m->base.decl;
    const struct hd_row *row = d->rows;
    while (row->cls != HD_REG || strcmp(row->name, name) != 0)
      assert_true(++row < d->rows + d->n_rows);
    width = row->width;
    assert_true(place < UINT64_C(1) << width); /* otherwise there is nothing to test */
    uint64_t *at = hd_elem(d, row, &rig.m->s, 0, e);
    *at = place;
    moves();
    if (*at != next_in_rtl(place, size, width))
      fail_msg("%s: %llu after %llu, of %llu", name, (unsigned long long)*at, (unsigned long long)place,
               (unsigned long long)size);
    state_fits();
    wreck();
  }
}
