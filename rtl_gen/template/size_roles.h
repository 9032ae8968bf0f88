/* The role of each size in a module: free (a parameter of its Verilog), follows from free sizes, or bound to
 * the configuration. Internal to rtl_gen.
 *
 * Invariant: the Verilog expression of a size names only sizes before it. */
#ifndef HEDDLE_RTL_GEN_TEMPLATE_SIZE_ROLES_H
#define HEDDLE_RTL_GEN_TEMPLATE_SIZE_ROLES_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "rtl_gen/verilog/sizes.h"

enum hd_role {
  HD_BOUND, /* a localparam with its value in this configuration */
  /* a parameter: a FREE row names it, its value is no less than the row's, and it does not follow from
   * another */
  HD_FREE,
  HD_FOLLOWS /* a localparam: an expression over others, at least one of them free */
};
struct hd_size_role {
  enum hd_role role;
  long least; /* the size is never less; HD_BOUND: the value itself */
  char *text; /* HD_FOLLOWS: the expression as Verilog, else NULL */
};
/* The role of each of hd_sizes in a module; free it with hd_size_roles_free. With `any`, the sizes in FREE
 * rows are free whatever their value is. With `decl` NULL all sizes are bound. Returns NULL and a sentence if
 * a size that follows from a free one has an expression that is no Verilog. */
struct hd_size_role *hd_size_roles_of(const struct hd_config *c, const struct hd_decl *decl, bool any,
                                      struct hd_why *why);
void hd_size_roles_free(struct hd_size_role *all);
/* As hd_scan_sizes, and also finds the sizes that those follow from. */
void hd_scan_size_roles(const char *text, const struct hd_size_role *all, bool used[]);

/* Evaluate an expression over sizes, keys and numbers for all values of the free sizes. Both return false if
 * the result is not the same for all. */
struct hd_reading;
struct hd_place;
struct hd_expr;
bool hd_size_roles_decide(struct hd_reading *r, const struct hd_place *at, const struct hd_config *c,
                          const struct hd_size_role *all, const struct hd_expr *e); /* whether it is 0 */
bool hd_size_roles_fix(struct hd_reading *r, const struct hd_place *at, const struct hd_config *c,
                       const struct hd_size_role *all, const struct hd_expr *e); /* its value */

/* --- modules ---------------------------------------------------------------------------------------------- */

/* A module whose text is written. */
struct hd_module {
  const struct hd_decl *decl;
  char *text;
  struct hd_size_role *roles; /* of all sizes */
  bool *used;                 /* which sizes are in the text */
};
/* The modules under one top that are written so far. A module stands after all modules that it holds. */
struct hd_modules {
  struct hd_module *module;
  size_t n;
};

#endif
