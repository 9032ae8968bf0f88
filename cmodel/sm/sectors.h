/* What the SM says of a memory instruction beside the ports (hd_sm_sectors): part of the SM's environment (cmodel/sm/warps.c), for what
 * is behind the memory port.
 *
 * Invariant: requests are numbered as the coalescer does it: one for each line, in the order of the lanes. */
#ifndef HEDDLE_CMODEL_SM_SECTORS_H
#define HEDDLE_CMODEL_SM_SECTORS_H

#include "arch/config/config.h"
#include "workloads/stream.h"

/* The lines of an instruction's requests. */
struct sm_requests {
  unsigned n;
  uint64_t line[WL_LANES];
};

/* The request for a line; it is the first lane's if its number is the `n` there was. */
static inline unsigned sm_request(struct sm_requests *q, uint64_t line) {
  unsigned r = 0;
  while (r < q->n && q->line[r] != line)
    r++;
  q->line[r] = line;
  q->n += r == q->n;
  return r;
}

/* How many sectors each request of a load wants. */
static inline void sm_count_sectors(const struct hd_config *c, const struct wl_inst *i, uint8_t *sectors) {
  const unsigned sector = c->icnt.sector_bytes, in_line = c->l1d.line_bytes / sector;
  struct sm_requests q = {0};
  uint32_t asked[WL_LANES] = {0}; /* bit s: sector s of the line */
  for (uint32_t lanes = i->active; lanes; lanes &= lanes - 1) {
    const uint64_t addr = i->addr[__builtin_ctz(lanes)];
    asked[sm_request(&q, addr >> c->d.OFFSET_W)] |= 1u << addr / sector % in_line;
  }
  for (unsigned r = 0; r < q.n; r++)
    sectors[r] = (uint8_t)__builtin_popcount(asked[r]);
}

/* Whether each request of a store writes its line as a whole. An atomic reads it, too. */
static inline void sm_find_whole(const struct hd_config *c, const struct wl_inst *i, uint8_t *sectors) {
  enum { WORDS = 256 /* the longest line */ / 64 };
  struct sm_requests q = {0};
  uint64_t written[WL_LANES][WORDS] = {0}; /* bit b of word w: byte 64 * w + b of the line */
  for (uint32_t lanes = i->active; lanes; lanes &= lanes - 1) {
    const uint64_t addr = i->addr[__builtin_ctz(lanes)]; /* a multiple of the size */
    const unsigned byte = (unsigned)addr & (c->l1d.line_bytes - 1);
    written[sm_request(&q, addr >> c->d.OFFSET_W)][byte / 64] |= ((UINT64_C(1) << i->size) - 1) << byte % 64;
  }
  for (unsigned r = 0; r < q.n; r++) {
    unsigned bytes = 0;
    for (unsigned w = 0; w < WORDS; w++)
      bytes += (unsigned)__builtin_popcountll(written[r][w]);
    sectors[r] = i->op == WL_STORE && bytes == c->l1d.line_bytes;
  }
}

/* Of each request of a load or a store, to `sectors`. */
static inline void sm_sectors(const struct hd_config *c, const struct wl_inst *i, uint8_t *sectors) {
  if (i->op == WL_LOAD && c->icnt.sector_bytes)
    sm_count_sectors(c, i, sectors);
  else if (i->op != WL_LOAD && c->d.LOS)
    sm_find_whole(c, i, sectors);
}

#endif
