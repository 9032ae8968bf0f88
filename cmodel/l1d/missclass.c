/* Miss classes; see missclass.h.
 *
 * Invariant: a line has a place in a page from its first load or lost prefetch on, and a warp, store or prefetch to
 * blame for its next miss from its first load on. The lines of the shadow are a list from `first` (most recently
 * used) to `last`, never longer than `room`. A line takes twelve bytes, because in a large workload every SM sees
 * every line in the end. */
#include "cmodel/l1d/missclass.h"

#include <stdlib.h>

/* Neighbouring lines share a page. */
enum { PAGE_BITS = 4, PAGE = 1 << PAGE_BITS, WARP_BITS = 8, CTA_BITS = 32 };
enum { FIRST_BITS = 9 /* index bits of the first table of pages */ };
enum { NEVER = 0, NONE = 0 }; /* in `by`: never loaded; in `entry`: none */
#define A_STORE UINT64_MAX
#define A_PREFETCH (HD_PREFETCHED + 1)

struct page {
  uint64_t lines;       /* the number of its first line / PAGE */
  uint64_t by[PAGE];    /* to blame for the next miss: a warp + 1, A_PREFETCH, A_STORE or NEVER */
  uint32_t entry[PAGE]; /* in the shadow, or NONE */
  uint16_t lost;        /* bit l: line l was prefetched, evicted unused, and not loaded since */
};

struct entry {
  uint32_t page, line; /* the line's page, and its index there */
  uint32_t prev, next;
};

/* The accesses that the classifier was told last and has not processed yet. The host prefetches the newest one's
 * place in `table`, and the page of the one before. By samples of time, waiting for these took 3 % of a run, and 5 %
 * of one with many misses (gpu/gtx480 on Accel-Sim's traces of gemm and gather). */
enum kind { NOTHING, LOAD, MISSED, STORE, BLAME, LOST };
struct told {
  uint64_t line, by; /* by: a load's warp; of BLAME what is to blame */
  enum kind kind;
};
enum { TOLD = 4 /* a power of two, for speed alone: the counts are the same with any */ };

struct hd_missclass {
  struct told told[TOLD]; /* a ring, the oldest in told[heard % TOLD] */
  unsigned heard;
  struct page *page; /* the first is page[1] */
  uint32_t pages, page_room;
  uint32_t *table; /* page numbers: open addressing, at most half full; 0: free */
  unsigned table_bits;
  struct entry *entry; /* the first is entry[1]; `spare`: list by `next` of those evicted by stores */
  uint32_t first, last, spare, entries, room;
  struct hd_miss_classes counts;
  bool no_memory; /* no memory for more pages: the counts are incomplete */
};

static uint32_t first_place(const struct hd_missclass *mc, uint64_t lines) {
  return (uint32_t)(lines * UINT64_C(0x9E3779B97F4A7C15) >> (64 - mc->table_bits));
}

/* Returns the table entry of the page of these lines, or the free entry for it. */
static uint32_t *place(const struct hd_missclass *mc, uint64_t lines) {
  const uint32_t mask = (UINT32_C(1) << mc->table_bits) - 1;
  uint32_t at = first_place(mc, lines);
  while (mc->table[at] && mc->page[mc->table[at]].lines != lines)
    at = (at + 1) & mask;
  return &mc->table[at];
}

/* Makes room for twice as many pages. Returns false, with nothing changed, if memory runs out. */
static bool grow(struct hd_missclass *mc) {
  const unsigned bits = mc->table_bits ? mc->table_bits + 1 : FIRST_BITS;
  uint32_t *table = calloc(UINT64_C(1) << bits, sizeof *table);
  struct page *page = table ? realloc(mc->page, (UINT64_C(1) << (bits - 1)) * sizeof *page) : NULL;
  if (!page) {
    free(table);
    return false;
  }
  free(mc->table);
  mc->table = table;
  mc->page = page;
  mc->table_bits = bits;
  mc->page_room = UINT32_C(1) << (bits - 1);
  for (uint32_t n = 1; bits > FIRST_BITS && n <= mc->pages; n++)
    *place(mc, page[n].lines) = n;
  return true;
}

struct hd_missclass *hd_missclass_new(unsigned lines) {
  struct hd_missclass *mc = calloc(1, sizeof *mc);
  if (!mc)
    return NULL;
  mc->room = lines;
  mc->entry = calloc(lines + 1, sizeof *mc->entry);
  if (mc->entry && grow(mc))
    return mc;
  hd_missclass_free(mc);
  return NULL;
}

void hd_missclass_free(struct hd_missclass *mc) {
  if (!mc)
    return;
  free(mc->page);
  free(mc->table);
  free(mc->entry);
  free(mc);
}

uint64_t hd_missclass_warp(uint32_t launch, uint32_t cta, uint32_t warp_in_cta) {
  return (uint64_t)launch << (WARP_BITS + CTA_BITS) | (uint64_t)cta << WARP_BITS | warp_in_cta;
}

/* Returns NULL if no line of the line's page was ever added. */
static struct page *find(const struct hd_missclass *mc, uint64_t line) {
  const uint32_t number = *place(mc, line >> PAGE_BITS);
  return number ? &mc->page[number] : NULL;
}

/* Returns NULL if memory runs out. */
static struct page *find_or_add(struct hd_missclass *mc, uint64_t line) {
  const uint32_t number = *place(mc, line >> PAGE_BITS);
  if (number)
    return &mc->page[number];
  if (mc->pages + 1 == mc->page_room && !grow(mc)) {
    mc->no_memory = true;
    return NULL;
  }
  *place(mc, line >> PAGE_BITS) = ++mc->pages;
  mc->page[mc->pages] = (struct page){.lines = line >> PAGE_BITS};
  return &mc->page[mc->pages];
}

static void unlink_entry(struct hd_missclass *mc, uint32_t e) {
  const struct entry *entry = &mc->entry[e];
  *(entry->prev ? &mc->entry[entry->prev].next : &mc->first) = entry->next;
  *(entry->next ? &mc->entry[entry->next].prev : &mc->last) = entry->prev;
}

/* Returns an entry for one more line: a spare one, else a new one, else that of the least recently used line. */
static uint32_t take_entry(struct hd_missclass *mc) {
  uint32_t e = mc->spare;
  if (e) {
    mc->spare = mc->entry[e].next;
  } else if (mc->entries < mc->room) {
    e = ++mc->entries;
  } else {
    e = mc->last;
    unlink_entry(mc, e);
    mc->page[mc->entry[e].page].entry[mc->entry[e].line] = NONE;
  }
  return e;
}

static void use_in_shadow(struct hd_missclass *mc, struct page *page, uint32_t line) {
  uint32_t e = page->entry[line];
  if (e && e == mc->first)
    return;
  if (e)
    unlink_entry(mc, e);
  else
    e = take_entry(mc);
  page->entry[line] = e;
  mc->entry[e] =
      (struct entry){.page = (uint32_t)(page - mc->page), .line = line, .prev = NONE, .next = mc->first};
  *(mc->first ? &mc->entry[mc->first].prev : &mc->last) = e;
  mc->first = e;
}

static void classify(struct hd_miss_classes *n, bool shadowed, uint64_t by, uint64_t warp) {
  n->conflict += shadowed;
  n->capacity += !shadowed;
  if (by == A_STORE)
    n->write_evict++;
  else if (by == A_PREFETCH)
    n->prefetch++;
  else if (by - 1 == warp)
    n->intra_warp++;
  else if ((by - 1) >> WARP_BITS == warp >> WARP_BITS)
    n->cross_warp++;
  else
    n->cross_block++;
}

static void load(struct hd_missclass *mc, uint64_t line, uint64_t warp, bool miss) {
  struct page *page = find_or_add(mc, line);
  if (!page)
    return;
  uint64_t *by = &page->by[line % PAGE];
  const uint16_t bit = (uint16_t)(1u << line % PAGE);
  if (page->lost & bit) {
    page->lost &= (uint16_t)~bit;
    mc->counts.prefetch_early++;
  }
  if (miss && *by == NEVER)
    mc->counts.compulsory++;
  else if (miss)
    classify(&mc->counts, page->entry[line % PAGE] != NONE, *by, warp);
  if (miss || *by == NEVER) /* a first load may hit a prefetched line */
    *by = warp + 1;
  use_in_shadow(mc, page, (uint32_t)(line % PAGE));
}

static void store(struct hd_missclass *mc, uint64_t line) {
  struct page *page = find(mc, line);
  const uint32_t e = page ? page->entry[line % PAGE] : NONE;
  if (!e)
    return;
  unlink_entry(mc, e);
  page->entry[line % PAGE] = NONE;
  mc->entry[e].next = mc->spare;
  mc->spare = e;
}

/* A line that was prefetched and never loaded stays NEVER: its first miss is compulsory. */
static void blame(struct hd_missclass *mc, uint64_t line, uint64_t by) {
  struct page *page = find(mc, line);
  if (page && page->by[line % PAGE] != NEVER)
    page->by[line % PAGE] = by;
}

static void lose(struct hd_missclass *mc, uint64_t line) {
  struct page *page = find_or_add(mc, line);
  if (page)
    page->lost |= (uint16_t)(1u << line % PAGE);
}

/* ---- What it is told ---- */

/* Processes one entry of the ring, and empties it. */
static void take(struct hd_missclass *mc, struct told *t) {
  switch (t->kind) {
  case NOTHING:
    break;
  case LOAD:
  case MISSED:
    load(mc, t->line, t->by, t->kind == MISSED);
    break;
  case STORE:
    store(mc, t->line);
    break;
  case BLAME:
    blame(mc, t->line, t->by);
    break;
  case LOST:
    lose(mc, t->line);
    break;
  }
  t->kind = NOTHING;
}

static void expect_page(const struct hd_missclass *mc, uint64_t line) {
  const struct page *page = &mc->page[mc->table[first_place(mc, line >> PAGE_BITS)]];
  __builtin_prefetch(&page->lines, 1);
  __builtin_prefetch(&page->by[line % PAGE], 1);
  __builtin_prefetch(&page->entry[line % PAGE], 1);
  __builtin_prefetch(&page->lost, 1);
}

static void tell(struct hd_missclass *mc, enum kind kind, uint64_t line, uint64_t by) {
  struct told *oldest = &mc->told[mc->heard % TOLD];
  __builtin_prefetch(&mc->table[first_place(mc, line >> PAGE_BITS)]);
  expect_page(mc, mc->told[(mc->heard - 1) % TOLD].line);
  take(mc, oldest);
  *oldest = (struct told){line, by, kind};
  mc->heard++;
}

static void take_all(struct hd_missclass *mc) {
  for (unsigned n = 0; n < TOLD; n++)
    take(mc, &mc->told[(mc->heard + n) % TOLD]);
}

void hd_missclass_load(struct hd_missclass *mc, uint64_t line, uint64_t warp, bool miss) {
  tell(mc, miss ? MISSED : LOAD, line, warp);
}

void hd_missclass_store(struct hd_missclass *mc, uint64_t line) {
  tell(mc, STORE, line, 0);
}

void hd_missclass_replaced(struct hd_missclass *mc, uint64_t line, uint64_t warp) {
  tell(mc, BLAME, line, warp + 1);
}

void hd_missclass_written(struct hd_missclass *mc, uint64_t line) {
  tell(mc, BLAME, line, A_STORE);
}

void hd_missclass_lost(struct hd_missclass *mc, uint64_t line) {
  tell(mc, LOST, line, 0);
}

const struct hd_miss_classes *hd_missclass_counts(struct hd_missclass *mc) {
  take_all(mc);
  return &mc->counts;
}

bool hd_missclass_no_memory(struct hd_missclass *mc) {
  take_all(mc);
  return mc->no_memory;
}
