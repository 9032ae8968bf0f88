/* Finds the bytes that a store writes in its lines; see store_bytes.h. */
#include "cmodel/sm/store_bytes.h"

enum {
  WORDS = 256 /* the longest line */ / 64,
  LEAST = 32 /* bytes of the smallest segment */
};

/* The requests of an instruction. */
struct sm_requests {
  unsigned n;
  uint64_t unit[WL_LANES];           /* the line, or the sector's number in all memory */
  uint64_t written[WL_LANES][WORDS]; /* bit b of word w: byte 64 * w + b of the line */
};

/* Returns the number of the request for a unit. It is mostly the last request, or a new one. */
static unsigned sm_request(struct sm_requests *q, uint64_t unit) {
  unsigned r = q->n;
  while (r && q->unit[r - 1] != unit)
    r--;
  if (r)
    return r - 1;
  q->unit[q->n] = unit;
  memset(q->written[q->n], 0, sizeof *q->written);
  return q->n++;
}

/* Finds the lowest and the highest byte of a line that is written. */
static void sm_ends(const uint64_t *written, unsigned *first, unsigned *last) {
  unsigned w = 0;
  while (!written[w])
    w++;
  *first = 64 * w + (unsigned)__builtin_ctzll(written[w]);
  w = WORDS - 1;
  while (!written[w])
    w--;
  *last = 64 * w + 63 - (unsigned)__builtin_clzll(written[w]);
}

void sm_find_store_bytes(const struct hd_config *c, const struct wl_inst *i, struct hd_store_bytes *of) {
  const unsigned unit_w = c->d.OFFSET_W - (c->d.SPLIT ? c->d.SECTOR_W : 0);
  struct sm_requests q;
  q.n = 0;
  for (uint32_t lanes = i->active; lanes; lanes &= lanes - 1) {
    const uint64_t addr = i->addr[__builtin_ctz(lanes)]; /* a multiple of the size */
    const unsigned byte = (unsigned)addr & (c->l1d.line_bytes - 1);
    q.written[sm_request(&q, addr >> unit_w)][byte / 64] |= ((UINT64_C(1) << i->size) - 1) << byte % 64;
  }
  for (unsigned r = 0; r < q.n; r++) {
    unsigned bytes = 0, first, last;
    for (unsigned w = 0; w < WORDS; w++)
      bytes += (unsigned)__builtin_popcountll(q.written[r][w]);
    sm_ends(q.written[r], &first, &last);
    of[r].full = i->op == WL_STORE && bytes == c->l1d.line_bytes;
    of[r].segment = LEAST;
    while (first / of[r].segment != last / of[r].segment)
      of[r].segment = (uint16_t)(2 * of[r].segment);
  }
}
