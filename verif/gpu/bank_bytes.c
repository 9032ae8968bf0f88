/* The bytes of SM 0 in a GPU; see bank_bytes.h. */
#include "verif/gpu/bank_bytes.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/alloc.h"
#include "cmodel/memory/memory.h"

/* A line to which any SM has stored. */
struct line {
  uint64_t line;
  uint64_t data[HD_MAX_WORDS], foreign[HD_MAX_WORDS];
  UT_hash_handle hh;
};

struct name {
  uint64_t kind, id, wid, slot, num;
};
struct flight {
  struct name name;
  struct hd_carried carried;
  UT_hash_handle hh;
};

struct hd_bytes {
  unsigned words, sector_words; /* sector_words: words of the smallest part for which a request may ask */
  struct line *lines;
  struct flight *flights;
};

struct hd_bytes *hd_bytes_new(const struct hd_config *c) {
  struct hd_bytes *b = calloc(1, sizeof *b);
  if (b)
    b->words = b->sector_words = c->d.WORDS;
  if (b && c->d.SECTORED)
    b->sector_words = c->l1d.sector_bytes / 8;
  return b;
}

void hd_bytes_free(struct hd_bytes *b) {
  if (!b)
    return;
  struct line *line = b->lines, *next_line;
  HASH_CLEAR(hh, b->lines); /* frees the table only; the lines remain a list */
  for (; line; line = next_line) {
    next_line = line->hh.next;
    free(line);
  }
  struct flight *f = b->flights, *next;
  HASH_CLEAR(hh, b->flights);
  for (; f; f = next) {
    next = f->hh.next;
    free(f);
  }
  free(b);
}

static struct line *find_line(const struct hd_bytes *b, uint64_t addr) {
  struct line *line;
  HASH_FIND(hh, b->lines, &addr, sizeof addr, line);
  return line;
}

static void initial(const struct hd_bytes *b, uint64_t addr, uint64_t *data) {
  for (unsigned w = 0; w < b->words; w++)
    data[w] = hd_memory_initial(addr, w);
}

static struct line *make_line(struct hd_bytes *b, uint64_t addr) {
  struct line *line = find_line(b, addr);
  if (line)
    return line;
  line = hd_zeroed(1, sizeof *line);
  line->line = addr;
  initial(b, addr, line->data);
  HASH_ADD(hh, b->lines, line, sizeof line->line, line);
  return line;
}

static struct flight *find(const struct hd_bytes *b, const struct name *name) {
  struct flight *f;
  /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): all bytes of *name are set */
  HASH_FIND(hh, b->flights, name, sizeof *name, f);
  return f;
}

void hd_bytes_sent(struct hd_bytes *b, const struct sm_mem_out *out) {
  const struct sreq *q = &out->mreq;
  const size_t bytes = b->words * sizeof(uint64_t);
  if (q->kind == HD_QUERY)
    return;
  struct flight *f = hd_zeroed(1, sizeof *f);
  f->name = (struct name){q->kind, q->id, q->wid, q->slot, q->num};
  if (q->kind == HD_STORE) {
    memcpy(f->carried.data, out->mreq_wdata, bytes);
    memcpy(f->carried.mask, out->mreq_wmask, bytes);
    hd_merge(make_line(b, q->line)->data, out->mreq_wdata, out->mreq_wmask, b->words);
  } else {
    const struct line *line = find_line(b, q->line);
    if (line)
      memcpy(f->carried.data, line->data, bytes);
    else
      initial(b, q->line, f->carried.data);
    for (unsigned w = 0; w < b->words; w++)
      f->carried.mask[w] = b->sector_words == b->words || q->sectors >> w / b->sector_words & 1 ? 0xff : 0;
  }
  HASH_ADD(hh, b->flights, name, sizeof f->name, f);
}

void hd_bytes_answered(struct hd_bytes *b, const struct srsp *rsp) {
  const struct name name = {rsp->kind, rsp->id, rsp->wid, rsp->slot, rsp->num};
  struct flight *f = rsp->kind == HD_QUERY ? NULL : find(b, &name);
  if (!f)
    return;
  HASH_DEL(b->flights, f);
  free(f);
}

const struct hd_carried *hd_bytes_of(const struct hd_bytes *b, uint64_t kind, uint64_t id, uint64_t wid,
                                     uint64_t slot, uint64_t num) {
  const struct name name = {kind, id, wid, slot, num};
  const struct flight *f = find(b, &name);
  return f ? &f->carried : NULL;
}

void hd_bytes_foreign(struct hd_bytes *b, uint64_t addr, const uint64_t *mask) {
  struct line *line = make_line(b, addr);
  for (unsigned w = 0; w < b->words; w++)
    line->foreign[w] |= mask[w];
}

void hd_bytes_own(const struct hd_bytes *b, uint64_t addr, uint64_t *mask) {
  const struct line *line = find_line(b, addr);
  for (unsigned w = 0; w < b->words; w++)
    mask[w] = 0xff & ~(line ? line->foreign[w] : 0);
}
