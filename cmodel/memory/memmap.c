/* The place of a line; see memmap.h. */
#include "cmodel/memory/memmap.h"

struct hd_memmap hd_memmap_of(const struct hd_config *c) {
  return (struct hd_memmap){
      .banks = c->l2.banks,
      .channels = c->dram.channels,
      .slices = c->l2.banks / c->dram.channels,
      .chunk_w = (unsigned)__builtin_ctz(c->dram.interleave / c->l1d.line_bytes),
      .row_w = (unsigned)__builtin_ctz(c->dram.row_bytes / c->l1d.line_bytes),
      .dram_w = (unsigned)__builtin_ctz(c->dram.banks),
  };
}

unsigned hd_memmap_bank(const struct hd_memmap *m, uint64_t line, uint64_t *local) {
  const uint64_t chunk = line >> m->chunk_w, round = chunk / m->banks;
  *local = round << m->chunk_w | (line & ((UINT64_C(1) << m->chunk_w) - 1));
  return (unsigned)(chunk - round * m->banks);
}

uint64_t hd_memmap_line(const struct hd_memmap *m, unsigned bank, uint64_t local) {
  const uint64_t round = local >> m->chunk_w;
  return (round * m->banks + bank) << m->chunk_w | (local & ((UINT64_C(1) << m->chunk_w) - 1));
}

unsigned hd_memmap_dram(const struct hd_memmap *m, unsigned bank, uint64_t local, uint64_t *row) {
  const uint64_t place = (local >> m->row_w) * m->slices + bank / m->channels;
  *row = place >> m->dram_w;
  return (unsigned)(place & ((1u << m->dram_w) - 1));
}
