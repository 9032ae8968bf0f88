/* The history of each line, and the data that a load may return; see line_versions.h. The rule is in scoreboard.c. */
#include "verif/sm/line_versions.h"

#include "cmodel/memory/atomics.h"
#include "cmodel/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* If memory runs out, HASH_ADD adds nothing and sets a local variable `lost`. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(line) lost = true
#include <uthash.h>
#ifndef NDEBUG
#define NDEBUG /* utlist has assertions, but this file is part of libheddle, which must not abort */
#endif
#include <utlist.h>

struct past_store {
  struct hd_who who;
  uint64_t data[HD_MAX_WORDS], mask[HD_MAX_WORDS];
};

struct hd_line {
  uint64_t addr, base; /* base: version of `content` */
  uint64_t content[HD_MAX_WORDS];
  struct past_store *past; /* the stores since then, in the order in which they were sent */
  unsigned n, room;
  struct hd_access *loads, *stores; /* inside, oldest first: loads not answered, stores not sent */
  UT_hash_handle hh;
};

struct hd_versions {
  const struct hd_config *c;
  struct hd_line *lines;
  bool no_memory;
  char text[512];
};

struct hd_versions *hd_versions_new(const struct hd_config *c) {
  struct hd_versions *v = calloc(1, sizeof *v);
  if (v)
    v->c = c;
  return v;
}

void hd_versions_free(struct hd_versions *v) {
  struct hd_line *line = v->lines, *next;
  HASH_CLEAR(hh, v->lines); /* frees the table only; the lines remain a list */
  for (; line; line = next) {
    next = line->hh.next;
    free(line->past);
    free(line);
  }
  free(v);
}

bool hd_versions_no_memory(const struct hd_versions *v) {
  return v->no_memory;
}

static struct hd_line *find(const struct hd_versions *v, uint64_t addr) {
  struct hd_line *line;
  HASH_FIND(hh, v->lines, &addr, sizeof addr, line);
  return line;
}

bool hd_versions_awaited(const struct hd_versions *v, uint64_t addr, uint64_t stamp) {
  const struct hd_line *line = find(v, addr);
  const struct hd_access *load = line ? line->loads : NULL;
  while (load && load->excluded && load->who->stamp >= stamp)
    load = load->next;
  return load;
}

bool hd_versions_enter(struct hd_versions *v, struct hd_access *a, uint64_t addr, bool write) {
  struct hd_line *line = find(v, addr);
  if (!line) {
    line = calloc(1, sizeof *line);
    if (!line) {
      v->no_memory = true;
      return false;
    }
    line->addr = addr;
    for (unsigned w = 0; w < v->c->d.WORDS; w++)
      line->content[w] = hd_memory_initial(hd_unit_line(&v->c->d, addr), w);
    bool lost = false;
    HASH_ADD(hh, v->lines, addr, sizeof line->addr, line);
    if (lost) {
      free(line);
      v->no_memory = true;
      return false;
    }
  }
  a->line = line;
  a->may_fail = false;
  a->version = line->base + line->n;
  if (write)
    DL_APPEND(line->stores, a);
  else
    DL_APPEND(line->loads, a);
  return true;
}

static bool same_queue(const struct hd_config *c, const struct hd_who *a, const struct hd_who *b) {
  if (c->request_buffer.kind == HD_SLOT)
    return true;
  switch (c->request_buffer.kind == HD_MRPB ? c->request_buffer.signature : HD_SIG_WARP) {
  case HD_SIG_BLOCK:
    return a->cta == b->cta;
  case HD_SIG_IN_BLOCK:
    return a->place == b->place;
  default:
    return a->cta == b->cta && a->place == b->place;
  }
}

/* Returns true if the L1D gets a before b. Both are of one launch, so the number identifies a CTA. */
static bool before(const struct hd_versions *v, const struct hd_who *a, const struct hd_who *b) {
  return (a->stamp < b->stamp && same_queue(v->c, a, b)) || (a->cta == b->cta && a->epoch < b->epoch);
}

/* Merges the stores that every load inside must see into the content. Removes the line if it was never stored to and has no access
 * inside. */
static void prune(struct hd_versions *v, struct hd_line *line) {
  const uint64_t oldest = line->loads ? line->loads->version : line->base + line->n;
  const unsigned n = (unsigned)(oldest - line->base);
  for (unsigned i = 0; i < n; i++)
    hd_merge(line->content, line->past[i].data, line->past[i].mask, v->c->d.WORDS);
  line->n -= n;
  if (n && line->n)
    memmove(line->past, line->past + n, line->n * sizeof *line->past);
  line->base = oldest;
  if (oldest == 0 && line->n == 0 && !line->loads && !line->stores) {
    HASH_DEL(v->lines, line);
    free(line->past);
    free(line);
  }
}

void hd_versions_reset(struct hd_versions *v) {
  struct hd_line *line, *next;
  HASH_ITER(hh, v->lines, line, next) {
    line->loads = line->stores = NULL;
    prune(v, line);
  }
}

/* Removes the access from those that are not sent yet. Returns NULL, or the error. */
static const char *leave(struct hd_versions *v, struct hd_access *store) {
  struct hd_line *line = store->line;
  const struct hd_access *other;
  const char *wrong = NULL;
  DL_DELETE(line->stores, store);
  store->line = NULL;
  DL_FOREACH(line->stores, other) {
    if (before(v, other->who, store->who))
      wrong = "is sent before a store to its line that is ordered before it";
  }
  return wrong;
}

/* Adds the next version of the line: the one that the store makes. Returns NULL, or the error. */
static const char *add(struct hd_versions *v, struct hd_line *line, const struct hd_access *store) {
  if (line->n == line->room) {
    const unsigned room = 2 * line->room + 4;
    struct past_store *past = realloc(line->past, room * sizeof *past);
    if (!past) {
      v->no_memory = true;
      return "is sent, and not followed: out of memory";
    }
    line->past = past;
    line->room = room;
  }
  struct past_store *p = &line->past[line->n++];
  p->who = *store->who;
  memcpy(p->data, store->data, sizeof p->data);
  memcpy(p->mask, store->mask, sizeof p->mask);
  return NULL;
}

const char *hd_versions_sent(struct hd_versions *v, struct hd_access *store) {
  struct hd_line *line = store->line;
  const char *wrong = leave(v, store), *lost = add(v, line, store);
  prune(v, line);
  return lost ? lost : wrong;
}

static void content_of(const struct hd_versions *v, const struct hd_line *line, uint64_t version,
                       uint64_t *content) {
  memcpy(content, line->content, sizeof line->content);
  for (unsigned i = 0; i < version - line->base; i++)
    hd_merge(content, line->past[i].data, line->past[i].mask, v->c->d.WORDS);
}

const char *hd_versions_performed(struct hd_versions *v, struct hd_access *a, uint64_t op) {
  struct hd_line *line = a->line;
  const char *wrong = leave(v, a), *lost = NULL;
  uint64_t old[HD_MAX_WORDS];
  content_of(v, line, line->base + line->n, old);
  if (op != HD_UNCACHED) {
    uint64_t new[HD_MAX_WORDS];
    memcpy(new, old, sizeof new);
    hd_atomic(op, new, a->data, a->mask, v->c->d.WORDS);
    memcpy(a->data, new, sizeof a->data);
    memset(a->mask, 0xff, sizeof a->mask);
    lost = add(v, line, a);
  }
  memcpy(a->data, old, sizeof a->data);
  prune(v, line);
  return lost ? lost : wrong;
}

/* Finds the versions that a load may return: *lo to *hi. Returns NULL, or the error. */
static const char *bounds(struct hd_versions *v, const struct hd_access *load, uint64_t *lo, uint64_t *hi) {
  const struct hd_line *line = load->line;
  const struct hd_access *other;
  DL_FOREACH(line->stores, other) {
    if (before(v, other->who, load->who))
      return "is answered before a store to its line that is ordered before it was sent";
  }
  *lo = load->version;
  *hi = line->base + line->n;
  for (uint64_t i = load->version; i < *hi; i++) {
    const struct hd_who *who = &line->past[i - line->base].who;
    if (before(v, who, load->who))
      *lo = i + 1;
    else if (before(v, load->who, who))
      *hi = i;
  }
  return *lo <= *hi ? NULL : "finds the stores to its line sent in an order that is not theirs";
}

/* Returns true if data and content are equal in the answered bytes. */
static bool is(const struct hd_versions *v, const struct hd_access *load, const uint64_t *content,
               const uint64_t *data) {
  uint64_t with[HD_MAX_WORDS];
  memcpy(with, content, sizeof with);
  hd_merge(with, data, load->mask, v->c->d.WORDS);
  return !memcmp(with, content, v->c->d.WORDS * sizeof *with);
}

/* Returns a text that explains data which match none of the versions lo..hi. */
static const char *explain(struct hd_versions *v, const struct hd_access *load, uint64_t lo, uint64_t hi,
                           const uint64_t *data) {
  const struct hd_line *line = load->line;
  const unsigned words = v->c->d.WORDS;
  const uint64_t latest = line->base + line->n;
  uint64_t content[HD_MAX_WORDS];
  for (uint64_t i = line->base; i <= latest; i++) {
    content_of(v, line, i, content);
    if (!is(v, load, content, data))
      continue;
    snprintf(v->text, sizeof v->text,
             "returns %s data: the line with its first %" PRIu64 " stores; allowed are %" PRIu64
             " to %" PRIu64,
             i < lo ? "stale" : "future", i, lo, hi);
    return v->text;
  }
  const struct hd_access *store;
  DL_FOREACH(line->stores, store) {
    content_of(v, line, latest, content);
    hd_merge(content, store->data, store->mask, words);
    if (is(v, load, content, data))
      return "returns future data: with a store that has not been sent";
  }
  content_of(v, line, hi, content);
  unsigned b = 0;
  while (b < words * 8 - 1 &&
         !(load->mask[b / 8] >> b % 8 & 1 && (content[b / 8] ^ data[b / 8]) >> 8 * (b % 8) & 0xff))
    b++;
  snprintf(v->text, sizeof v->text,
           "returns a wrong byte: byte %u is 0x%02x; with the first %" PRIu64
           " stores, the most allowed, it is 0x%02x; "
           "and no version since %" PRIu64 " fits",
           b, (unsigned)(data[b / 8] >> 8 * (b % 8) & 0xff), hi,
           (unsigned)(content[b / 8] >> 8 * (b % 8) & 0xff), line->base);
  return v->text;
}

void hd_versions_failed(struct hd_versions *v, uint64_t addr) {
  const struct hd_line *line = find(v, addr);
  for (struct hd_access *load = line ? line->loads : NULL; load; load = load->next)
    load->may_fail = true;
}

void hd_versions_dropped(struct hd_versions *v, struct hd_access *load) {
  struct hd_line *line = load->line;
  DL_DELETE(line->loads, load);
  load->line = NULL;
  prune(v, line);
}

const char *hd_versions_answered(struct hd_versions *v, struct hd_access *load, const uint64_t *data) {
  struct hd_line *line = load->line;
  uint64_t lo = 0, hi = 0, content[HD_MAX_WORDS];
  const char *wrong = bounds(v, load, &lo, &hi);
  if (!wrong) {
    content_of(v, line, lo, content);
    for (uint64_t i = lo; !is(v, load, content, data); i++) {
      if (i == hi) {
        wrong = explain(v, load, lo, hi, data);
        break;
      }
      const struct past_store *p = &line->past[i - line->base];
      hd_merge(content, p->data, p->mask, v->c->d.WORDS);
    }
  }
  DL_DELETE(line->loads, load);
  load->line = NULL;
  prune(v, line);
  return wrong;
}
