/* The C code that wiregen makes from the toy's connection rows, as text to search. */
#ifndef HEDDLE_TESTS_UNIT_WIREGEN_RIG_H
#define HEDDLE_TESTS_UNIT_WIREGEN_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/wires/wires_rig.h"
#include "tools/wiregen.h"
/* Rows of the toy's modules. */
enum { REQ_READY = 1, BYPASS = 3, AMONG, AGAIN, HIT, COUNT }; /* of the core */
enum { A_BYPASS = 2, A_AMONG, ENQ_READY = 1, DEQ_VALID = 3, DEQ_LINE = 5 };

static struct hd_why why;

/* Returns the C code of `top`'s full run, or of its lazy run if `plain` is given: the same module with some parts absent. Returns
 * NULL if wiregen refuses. */
static char *c_of(const struct hd_decl *top, const struct hd_decl *plain, const struct hd_wire *rows,
                  size_t n) {
  struct hd_wiring *w = hd_wiring_new(top, rows, n, true, &why);
  if (!w)
    fail_msg("%s", why.text);
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  const bool ok = plain ? hd_write_lazy(f, w, plain, &why) : hd_write_full(f, w, &why);
  fclose(f);
  hd_wiring_free(w);
  if (ok)
    return text;
  free(text);
  return NULL;
}

static const char *after(const char *text, const char *part) {
  const char *at = strstr(text, part);
  if (!at)
    fail_msg("no `%s` in\n%s", part, text);
  return at + strlen(part);
}

#endif
