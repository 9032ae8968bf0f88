/* Messages, texts, hashes, whole files; see text.h. */
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum hd_rc hd_because(struct hd_why *why, enum hd_rc rc, const char *format, ...) {
  if (why) {
    va_list args;
    va_start(args, format);
    vsnprintf(why->text, sizeof why->text, format, args);
    va_end(args);
  }
  return rc;
}

char *hd_try_format(const char *format, ...) {
  char *text = NULL;
  va_list args;
  va_start(args, format);
  if (vasprintf(&text, format, args) < 0)
    text = NULL;
  va_end(args);
  return text;
}

char *hd_slurp_most(const char *path, size_t most) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  size_t size = 0, room = 65536, got;
  char *text = malloc(room + 1);
  while (text && (got = fread(text + size, 1, room - size, file)) > 0) {
    size += got;
    if (size > most) {
      free(text);
      fclose(file);
      errno = EFBIG;
      return NULL;
    }
    if (size < room)
      continue;
    char *more = realloc(text, (room *= 2) + 1);
    if (!more)
      free(text);
    text = more;
  }
  fclose(file);
  if (text)
    text[size] = 0;
  return text;
}

char *hd_slurp(const char *path) {
  return hd_slurp_most(path, SIZE_MAX);
}

bool hd_close_written(FILE *f) {
  const bool good = !ferror(f);
  return !fclose(f) && good;
}

bool hd_write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  if (!f)
    return false;
  fputs(text, f);
  return hd_close_written(f);
}

static uint64_t hash_bytes(uint64_t h, const char *bytes, size_t n) {
  for (size_t i = 0; i < n; i++)
    h = (h ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
  return h;
}

uint64_t hd_hash_text(uint64_t h, const char *text) {
  return (hash_bytes(h, text, strlen(text)) ^ 0xff) * UINT64_C(0x100000001b3);
}

bool hd_hash_file(uint64_t *h, const char *path) {
  char bytes[65536];
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;)
    *h = hash_bytes(*h, bytes, got);
  const bool good = !ferror(file);
  fclose(file);
  return good;
}
