/* Which lines a store writes as a whole; see full_stores.h. */
#include "cmodel/sm/full_stores.h"

#include <string.h>

/* The lines of an instruction's requests. */
struct sm_requests {
  unsigned n;
  uint64_t line[WL_LANES];
};

/* The request for a line; it is the first lane's if its number is the `n` there was. */
static unsigned sm_request(struct sm_requests *q, uint64_t line) {
  unsigned r = 0;
  while (r < q->n && q->line[r] != line)
    r++;
  q->line[r] = line;
  q->n += r == q->n;
  return r;
}

void sm_find_full(const struct hd_config *c, const struct wl_inst *i, uint8_t *full) {
  enum { WORDS = 256 /* the longest line */ / 64 };
  if (c->d.SPLIT) { /* a sector is less than a line */
    memset(full, 0, WL_LANES);
    return;
  }
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
    full[r] = i->op == WL_STORE && bytes == c->l1d.line_bytes;
  }
}
