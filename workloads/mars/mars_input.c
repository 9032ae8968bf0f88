/* Mars: the texts of wc and ii, made up or the user's, their cut into records, and the emits of each
 * record.
 *
 * Statistics. wc: in the suite's sample, a record of 2 KB has 332 words, of which 98 are emitted (70 to 121); so three in
 * ten words have six letters or more, and 1.6 separators follow a word. ii: in the suite's samples there is a link in
 * every 510 bytes of HTML.
 */
#include "workloads/mars/mars.h"
#include "workloads/rng.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_KIB, KEY_RECORD, KEY_SEED, KEY_GROUP, WC_EMITS_FROM = 7, II_KEY_BYTES = 16, MAX_FILE = 64 << 20 };

static bool no_memory(char *err, size_t errlen) {
  snprintf(err, errlen, "out of memory");
  return false;
}

static char *read_text(const char *path, uint32_t *bytes, char *err, size_t errlen) {
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  long size = -1;
  if (f && fseek(f, 0, SEEK_END) == 0)
    size = ftell(f);
  if (size <= 0 || size > MAX_FILE) {
    snprintf(err, errlen, "%s: not a readable file of 1 byte to 64 MiB", path);
  } else if (!(text = malloc((size_t)size))) {
    no_memory(err, errlen);
  } else {
    rewind(f);
    *bytes = (uint32_t)fread(text, 1, (size_t)size, f);
    if (*bytes != size) {
      snprintf(err, errlen, "%s: can't be read", path);
      free(text);
      text = NULL;
    }
  }
  if (f)
    fclose(f);
  return text;
}

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* Makes words of capital letters. */
static void make_words(char *text, uint32_t bytes, uint64_t seed) {
  static const uint16_t up_to[] = {30,  200, 415, 590, 706, 801, 876,
                                   926, 961, 981, 991, 996, 999, 1000}; /* letters */
  struct wl_rng rng = {seed};
  for (uint32_t at = 0; at < bytes;) {
    uint32_t letters = 1;
    for (const uint32_t draw = wl_rng_below(&rng, 1000); draw >= up_to[letters - 1];)
      letters++;
    const uint64_t bits = wl_rng_next(&rng);
    for (const uint32_t end = smaller(at + letters, bytes); at < end; at++)
      text[at] = (char)('A' + (bits >> 4 * (at % 16) & 15) + bits % 11);
    const uint32_t draw = wl_rng_below(&rng, 100), separators = draw < 43 ? 1 : draw < 93 ? 2 : 3;
    for (const uint32_t end = smaller(at + separators, bytes); at < end; at++)
      text[at] = ' ';
  }
}

/* Makes lines of 20 to 120 characters. One line in seven has a link with a URL of 20 to 60 characters. */
static void make_html(char *text, uint32_t bytes, uint64_t seed) {
  static const char before[] = "<a href=\"", after[] = "\">";
  struct wl_rng rng = {seed};
  for (uint32_t at = 0; at < bytes;) {
    const uint32_t end = smaller(at + 20 + wl_rng_below(&rng, 101), bytes);
    if (wl_rng_below(&rng, 7) == 0) {
      const uint32_t url = 20 + wl_rng_below(&rng, 41);
      if (at + sizeof before + url + sizeof after < bytes) {
        memcpy(text + at, before, sizeof before - 1);
        at += sizeof before - 1;
        for (const uint32_t quote = at + url; at < quote; at++)
          text[at] = (char)('a' + wl_rng_below(&rng, 26));
        memcpy(text + at, after, sizeof after - 1);
        at += sizeof after - 1;
      }
    }
    while (at < end)
      text[at++] = 't';
    if (at < bytes)
      text[at++] = '\n';
  }
}

static bool is_letter(char c) {
  return isalpha((unsigned char)c);
}

static bool is_not_newline(char c) {
  return c != '\n';
}

/* Returns the end of the record that begins at `start`: the first separator after `size` bytes. */
static uint32_t cut(const char *text, uint32_t bytes, uint32_t start, uint32_t size,
                    bool (*goes_on)(char c)) {
  uint32_t end = smaller(start + size, bytes - 1);
  while (end < bytes - 1 && goes_on(text[end]))
    end++;
  return end;
}

/* Makes a struct mars with the text, which has at least one byte, cut into records. Takes over `text`. */
static struct mars *records(char *text, uint32_t bytes, uint32_t size, bool (*goes_on)(char c)) {
  uint32_t n = 0, start;
  if (bytes)               /* always true; tells the compiler, which sees the keys but not their ranges */
    text[bytes - 1] = ' '; /* every record ends in the text */
  for (start = 0; start < bytes; n++)
    start = cut(text, bytes, start, size, goes_on) + 1;
  struct mars *m = mars_new(n);
  if (!m) {
    free(text);
    return NULL;
  }
  m->text = text;
  m->bytes = bytes;
  m->start = calloc((size_t)n + 1, sizeof *m->start);
  m->end = calloc((size_t)n + 1, sizeof *m->end);
  if (!m->start || !m->end) {
    mars_release(m);
    return NULL;
  }
  start = 0;
  for (uint32_t i = 0; i < n; i++) {
    m->start[i] = start;
    m->end[i] = cut(text, bytes, start, size, goes_on);
    start = m->end[i] + 1;
  }
  return m;
}

/* Returns the text of the keys or of the file, cut into records, or NULL on an error. */
static struct mars *prepare(struct wl_plan *p, void (*make)(char *text, uint32_t bytes, uint64_t seed),
                            bool (*goes_on)(char c), char *err, size_t errlen) {
  uint32_t bytes = (uint32_t)p->key[KEY_KIB] * 1024;
  char *text = p->file ? read_text(p->file, &bytes, err, errlen) : malloc(bytes);
  if (!text) {
    if (!p->file)
      no_memory(err, errlen);
    return NULL;
  }
  if (!p->file)
    make(text, bytes, p->key[KEY_SEED]);
  struct mars *m = records(text, bytes, (uint32_t)p->key[KEY_RECORD], goes_on);
  if (!m)
    no_memory(err, errlen);
  return m;
}

/* Returns the number of a record's emits. Stores their places in the text unless link is NULL. *bytes is
 * the size of their keys. */
typedef uint32_t (*find_fn)(const struct mars *m, uint32_t record, uint32_t *link, uint32_t *link_end,
                            uint32_t *bytes);

/* Finds the long words. Their keys end in a zero byte. */
static uint32_t find_words(const struct mars *m, uint32_t record, uint32_t *link, uint32_t *link_end,
                           uint32_t *bytes) {
  uint32_t found = 0;
  *bytes = 0;
  for (uint32_t at = m->start[record], begin; at < m->end[record]; at++) {
    for (begin = at; is_letter(m->text[at]);)
      at++;
    if (at + 1 - begin < WC_EMITS_FROM)
      continue;
    if (link) {
      link[found] = begin;
      link_end[found] = at;
    }
    found++;
    *bytes += at + 1 - begin;
  }
  return found;
}

/* Finds the links: the text between the quotes of an anchor's href, if the record holds all of it. */
static uint32_t find_links(const struct mars *m, uint32_t record, uint32_t *link, uint32_t *link_end,
                           uint32_t *bytes) {
  static const char href[] = "href=\"";
  const char *const end = m->text + m->end[record];
  uint32_t found = 0;
  for (const char *at = m->text + m->start[record]; at < end; at++) {
    const char *const tag = at;
    if (end - at < 3 || at[0] != '<' || tolower((unsigned char)at[1]) != 'a' ||
        !isspace((unsigned char)at[2]))
      continue;
    while (at < end && *at != '>' && (size_t)(end - at) > sizeof href &&
           strncasecmp(at, href, sizeof href - 1) != 0)
      at++;
    const char *const url = at + sizeof href - 1, *quote = NULL;
    if (at < end && *at != '>' && (size_t)(end - at) > sizeof href)
      quote = memchr(url, '"', (size_t)(end - url));
    if (!quote) {
      at = tag;
      continue;
    }
    if (link) {
      link[found] = (uint32_t)(url - m->text);
      link_end[found] = (uint32_t)(quote - m->text);
    }
    found++;
    at = quote;
  }
  *bytes = found * II_KEY_BYTES;
  return found;
}

static bool find_all(struct mars *m, find_fn find) {
  uint32_t bytes;
  for (uint32_t i = 0; i < m->records; i++) {
    m->first[i + 1] = m->first[i] + find(m, i, NULL, NULL, &bytes);
    m->first_key[i + 1] = m->first_key[i] + bytes;
  }
  const size_t emits = m->first[m->records];
  m->link = calloc(emits + 1, sizeof *m->link);
  m->link_end = calloc(emits + 1, sizeof *m->link_end);
  if (!m->link || !m->link_end)
    return false;
  for (uint32_t i = 0; i < m->records; i++)
    find(m, i, m->link + m->first[i], m->link_end + m->first[i], &bytes);
  return true;
}

static bool finish(struct wl_plan *p, struct mars *m, find_fn find, uint32_t rank_bytes, char *err,
                   size_t errlen) {
  if (find_all(m, find) && (!p->key[KEY_GROUP] || mars_group_prepare(m, rank_bytes))) {
    p->data = m;
    return true;
  }
  mars_release(m);
  return no_memory(err, errlen);
}

bool mars_wc_prepare(struct wl_plan *p, char *err, size_t errlen) {
  struct mars *m = prepare(p, make_words, is_letter, err, errlen);
  if (!m)
    return false;
  for (uint32_t i = 0; p->file && i < m->bytes; i++)
    m->text[i] = (char)toupper((unsigned char)m->text[i]);
  return finish(p, m, find_words, 0, err, errlen);
}

bool mars_ii_prepare(struct wl_plan *p, char *err, size_t errlen) {
  struct mars *m = prepare(p, make_html, is_not_newline, err, errlen);
  return m && finish(p, m, find_links, II_KEY_BYTES, err, errlen);
}
