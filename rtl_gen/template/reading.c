/* The memory of a template's trees, and their first error; see tree.h. */
#include <stdarg.h>
#include <string.h>

#include "rtl_gen/template/tree.h"

void hd_template_error(struct hd_reading *r, struct hd_place at, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!r->failed)
    hd_because(r->why, HD_CHECK, "%s:%u: %s", at.path, at.line, text);
  r->failed = true;
}

char *hd_template_copy(struct hd_reading *r, const char *text, size_t n) {
  return obstack_copy0(&r->mem, text, (int)n);
}

void *hd_template_alloc(struct hd_reading *r, size_t size) {
  void *p = obstack_alloc(&r->mem, (int)size);
  if (!p) /* obstacks never return NULL */
    abort();
  return memset(p, 0, size);
}
