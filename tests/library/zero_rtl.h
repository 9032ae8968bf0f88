/* An RTL in which every register and memory of a model's module is 0, for heddle_lockstep_open.
 *
 * Invariant: it has the same variables as the model's values, with the same widths. */
#ifndef HEDDLE_TESTS_LIBRARY_ZERO_RTL_H
#define HEDDLE_TESTS_LIBRARY_ZERO_RTL_H

#include <stdio.h>
#include <string.h>

#include "lib/heddle.h"

/* Returns the row of a memory, or the register, that has `name` among the values (u_l1d.tags, u_mrpb.count_q). bits is 0 if there is
 * none. */
static inline heddle_rtl_variable zero_rtl_size(const heddle_model *model, const char *name, int of_bank) {
  heddle_rtl_variable v = {.rows = 1};
  const size_t n = strlen(name);
  for (size_t i = 0; i < heddle_value_count(model); i++) {
    const heddle_value *value = heddle_value_at(model, i);
    if (value->kind < HEDDLE_KIND_REGISTER || strncmp(value->name, name, n) ||
        (value->name[n] && value->name[n] != '.'))
      continue;
    v.bits += of_bank ? value->width : value->bits;
    v.rows = value->rows;
  }
  v.bytes = v.bits <= 8 ? 1 : v.bits <= 16 ? 2 : v.bits <= 32 ? 4 : (v.bits + 63) / 64 * 8;
  return v;
}

/* A heddle_rtl_finder; `user` is the model. */
static inline int zero_rtl_find(void *user, const char *scope, const char *name, heddle_rtl_variable *v) {
  static uint8_t zero[1 << 18];
  static const char *const asked[] = {"we", "en", "addr", "waddr"};
  const int is_mem = !strcmp(name, "mem"), in_memory = is_mem || !strcmp(name, "rdata");
  char want[192];
  *v = (heddle_rtl_variable){.bytes = 1, .bits = 1, .rows = 1};
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    if (!strcmp(name, asked[i])) {
      v->data = zero;
      return 1;
    }
  if (in_memory) {
    const char *instance = strrchr(scope, '.'); /* .u_l1d.u_tags, or .u_l1d.u_tags_0 with banks */
    snprintf(want, sizeof want, "%.*s.%s", (int)(instance - scope), scope, instance + strlen(".u_"));
  } else {
    snprintf(want, sizeof want, "%s.%s", scope, name);
  }
  *v = zero_rtl_size(user, want + 1, 0);
  if (in_memory && !v->bits) {
    *strrchr(want, '_') = 0;
    *v = zero_rtl_size(user, want + 1, 1);
  }
  if (!is_mem)
    v->rows = 1;
  v->data = zero;
  return v->bits != 0;
}

#endif
