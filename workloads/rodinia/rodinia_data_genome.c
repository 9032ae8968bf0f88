/* Genomes and queries. See rodinia_data_genome.h. */
#include "workloads/rodinia/rodinia_data_genome.h"

#include "base/grow.h"
#include "workloads/graph/number_file.h"
#include "workloads/rng.h"
#include "workloads/rodinia/rodinia_data_suffix.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Letters as they come. */
struct letters {
  uint8_t *at;
  size_t n;
  unsigned room;
};

static bool add(struct letters *l, uint8_t letter) {
  uint8_t *at = hd_grown(l->at, l->n + 1, &l->room, sizeof *at);
  if (!at)
    return false;
  l->at = at;
  at[l->n++] = letter;
  return true;
}

static uint8_t code(int c) {
  static const char bases[] = "ACGT";
  const char *base = strchr(bases, toupper(c));
  return base && c ? (uint8_t)(base - bases) : WL_GENOME_OTHER;
}

/* One sequence, from its line '>' on, added to the letters; at most `most` of them. */
static bool read_sequence(struct wl_scan *s, struct letters *l, size_t most) {
  int c = wl_scan_char(s);
  if (c != '>')
    return wl_scan_fail(s, "a sequence must begin with '>'");
  while (c != '\n' && c != EOF)
    c = wl_scan_char(s);
  for (size_t n = 0; wl_scan_next(s) != '>' && (c = wl_scan_char(s)) != EOF;) {
    if (isspace(c))
      continue;
    if (!isalpha(c))
      return wl_scan_fail(s, "character %d in a sequence; allowed: letters", c);
    if (n++ == most)
      return wl_scan_fail(s, "more than %zu letters", most);
    if (!add(l, code(c)))
      return wl_scan_fail(s, "out of memory");
  }
  return true;
}

static bool read_reference(struct wl_scan *s, struct wl_genome *g) {
  struct letters l = {0};
  bool ok = (add(&l, 0) || wl_scan_fail(s, "out of memory")) && read_sequence(s, &l, WL_GENOME_LENGTH);
  if (ok && l.n == 1)
    ok = wl_scan_fail(s, "the reference is empty");
  ok = ok && (add(&l, WL_SUFFIX_END) || wl_scan_fail(s, "out of memory"));
  for (size_t i = 0; i < l.n; i++) /* the tree knows no others */
    if (l.at[i] == WL_GENOME_OTHER)
      l.at[i] = 0;
  g->reference = l.at;
  g->length = ok ? (uint32_t)l.n - 2 : 0;
  return ok;
}

/* One query, if it is long enough. */
static bool read_query(struct wl_scan *s, struct wl_genome *g, struct letters *l, uint32_t least) {
  const size_t start = l->n;
  if (!add(l, 0))
    return wl_scan_fail(s, "out of memory");
  if (!read_sequence(s, l, WL_GENOME_QUERIES - start))
    return false;
  if (l->n - start - 1 < least) {
    l->n = start;
    return true;
  }
  uint32_t *at = realloc(g->at, (g->queries + 2) * sizeof *at);
  if (at)
    g->at = at;
  if (!at || !add(l, WL_SUFFIX_END))
    return wl_scan_fail(s, "out of memory");
  g->at[g->queries++] = (uint32_t)start;
  g->at[g->queries] = (uint32_t)l->n;
  return true;
}

static bool read_file(struct wl_scan *s, struct wl_genome *g, uint32_t least) {
  struct letters l = {0};
  bool ok = read_reference(s, g);
  while (ok && wl_scan_next(s) != EOF)
    ok = read_query(s, g, &l, least);
  g->query = l.at;
  return ok;
}

/* Bases with a bacterium's composition (a third of them G or C); every thousandth begins a repeat: a
 * stretch of 20 to 1000 that was there before, one letter in fifty changed. */
static uint8_t base(struct wl_rng *rng) {
  static const uint8_t of[6] = {0, 0, 3, 3, 1, 2};
  return of[wl_rng_below(rng, 6)];
}

static bool make_reference(struct wl_genome *g, uint32_t length, struct wl_rng *rng) {
  g->reference = malloc((size_t)length + 2);
  if (!g->reference)
    return false;
  g->length = length;
  g->reference[0] = 0;
  for (uint32_t i = 1, from = 0, left = 0; i <= length; i++) {
    if (left == 0 && i > 1000 && wl_rng_below(rng, 1000) == 0) {
      left = 20 + wl_rng_below(rng, 981);
      from = 1 + wl_rng_below(rng, i - 1);
    }
    const bool copies = left > 0 && wl_rng_below(rng, 50) != 0;
    g->reference[i] = copies ? g->reference[from] : base(rng);
    from += left > 0;
    left -= left > 0;
  }
  g->reference[length + 1] = WL_SUFFIX_END;
  return true;
}

/* Of 15 queries four come from the reference, with one letter in a hundred changed, the others from
 * elsewhere. */
static bool make_queries(struct wl_genome *g, const struct wl_genome_size *size, struct wl_rng *rng) {
  const uint32_t record = size->letters + 2;
  g->at = malloc((size->queries + 1) * sizeof *g->at);
  g->query = calloc(size->queries, record);
  if (!g->at || !g->query)
    return false;
  g->queries = size->queries;
  for (uint32_t q = 0; q <= size->queries; q++)
    g->at[q] = q * record;
  for (uint32_t q = 0; q < size->queries; q++) {
    uint8_t *to = g->query + g->at[q];
    const bool inside = size->letters < g->length && wl_rng_below(rng, 15) < 4;
    const uint32_t from = inside ? 1 + wl_rng_below(rng, g->length - size->letters) : 0;
    for (uint32_t i = 0; i < size->letters; i++)
      to[1 + i] = inside && wl_rng_below(rng, 100) ? g->reference[from + i] : base(rng);
    to[1 + size->letters] = WL_SUFFIX_END;
  }
  return true;
}

bool wl_genome_get(struct wl_genome *g, const char *file, const struct wl_genome_size *size, uint64_t seed,
                   char *err, size_t errlen) {
  struct wl_rng rng = {wl_rng_mix(seed, UINT64_C(0xD7A))};
  *g = (struct wl_genome){0};
  bool ok = true, full = true;
  if (file) {
    struct wl_scan s;
    if (!wl_scan_open(&s, file, err, errlen))
      return false;
    ok = read_file(&s, g, size->least);
    wl_scan_close(&s);
  } else {
    full = make_reference(g, size->length, &rng);
  }
  if (ok && full && g->queries == 0) {
    free(g->query);
    full = make_queries(g, size, &rng);
  }
  if (!full)
    snprintf(err, errlen, "out of memory for a genome of %u letters", size->length);
  if (!ok || !full)
    wl_genome_free(g);
  return ok && full;
}

void wl_genome_free(struct wl_genome *g) {
  free(g->reference);
  free(g->query);
  free(g->at);
  *g = (struct wl_genome){0};
}
