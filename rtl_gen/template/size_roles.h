/* The role of each size in a module: which are its Verilog's own, which follow from those, and which belong to the configuration.
 * Internal to rtl_gen.
 *
 * Invariant: the Verilog expression of a size names only sizes before it.
 */
#ifndef HEDDLE_RTL_GEN_TEMPLATE_SIZE_ROLES_H
#define HEDDLE_RTL_GEN_TEMPLATE_SIZE_ROLES_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "rtl_gen/verilog/sizes.h"

enum hd_role {
  HD_BOUND, /* a localparam: of its value in the configuration */
  HD_FREE, /* a parameter: a FREE row names it, its value is no less than the row's, and it does not follow */
  HD_FOLLOWS /* a localparam: an expression over others, a free one among them */
};
struct hd_size_role {
  enum hd_role role;
  long least; /* the size is never less; HD_BOUND: its value */
  char *text; /* HD_FOLLOWS: the expression as Verilog, else NULL */
};
/* The role of each of hd_sizes in a module, to be freed by hd_size_roles_free. `any`: what FREE rows name is free whatever its value is.
 * NULL and a sentence: a size that follows from a free one has an expression that is no Verilog. `decl` NULL: all are bound. */
struct hd_size_role *hd_size_roles_of(const struct hd_config *c, const struct hd_decl *decl, bool any,
                                      struct hd_why *why);
void hd_size_roles_free(struct hd_size_role *all);
/* What hd_scan_sizes finds, and those that they follow from. */
void hd_scan_size_roles(const char *text, const struct hd_size_role *all, bool used[]);

/* What an expression over sizes, keys and numbers says in all values of the free sizes. False: not the same in all. */
struct hd_reading;
struct hd_place;
struct hd_expr;
bool hd_size_roles_decide(struct hd_reading *r, const struct hd_place *at, const struct hd_config *c,
                          const struct hd_size_role *all, const struct hd_expr *e); /* whether it is 0 */
bool hd_size_roles_fix(struct hd_reading *r, const struct hd_place *at, const struct hd_config *c,
                       const struct hd_size_role *all, const struct hd_expr *e); /* its value */

/* --- modules ---------------------------------------------------------------------------------------------- */

/* A module that is written. */
struct hd_module {
  const struct hd_decl *decl;
  char *text;
  struct hd_size_role *roles; /* of all sizes */
  bool *used;                 /* which of them are in the text */
};
/* Those under one top that are written already: a module comes behind all that it holds. */
struct hd_modules {
  struct hd_module *module;
  size_t n;
};

#endif
