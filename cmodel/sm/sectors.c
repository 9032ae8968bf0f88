/* Which sectors and bytes of its lines a memory instruction asks for; see sectors.h. */
#include "cmodel/sm/sectors.h"

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

/* How many sectors each request of a load wants. */
static void sm_count_sectors(const struct hd_config *c, const struct wl_inst *i, uint8_t *sectors) {
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
static void sm_find_whole(const struct hd_config *c, const struct wl_inst *i, uint8_t *sectors) {
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

void sm_sectors(const struct hd_config *c, const struct wl_inst *i, uint8_t *sectors) {
  if (i->op == WL_LOAD && c->icnt.sector_bytes)
    sm_count_sectors(c, i, sectors);
  else if (i->op != WL_LOAD && c->d.LOS)
    sm_find_whole(c, i, sectors);
}
