/* A template as a tree; how it is made, and what its expressions are worth. Internal to the template reader.
 *
 * Invariant: all of one template's tree is in one obstack, freed at once.
 */
#ifndef HEDDLE_RTL_GEN_TEMPLATE_TREE_H
#define HEDDLE_RTL_GEN_TEMPLATE_TREE_H

#include <obstack.h>
#include <stdlib.h>

#include "rtl_gen/template/template.h"

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

/* --- where trees are made, and their first error, reading.c ---------------------------------------- */

struct hd_reading {
  struct obstack mem;
  struct hd_why *why;
  bool failed;
};
struct hd_place {
  const char *path;
  unsigned line;
};
/* Keeps the first error as "PATH:LINE: found ..., allowed ...". */
void hd_template_error(struct hd_reading *r, struct hd_place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Copies, and memory set to 0, that live as long as the reading. */
char *hd_template_copy(struct hd_reading *r, const char *text, size_t n);
void *hd_template_alloc(struct hd_reading *r, size_t size);

/* --- expressions, expr.c ----------------------------------------------------------------------- */

struct hd_expr {
  const char *op; /* "n" a number, "v" a name, "clog2" hd_clog2(a), else as written; "-1" negation */
  long value;
  const char *name;
  const struct hd_expr *a, *b, *c;
};
/* What a binary operator of two operands makes; a division by 0 makes 0. */
long hd_expr_apply(const char *op, long a, long b);
/* The expression that begins at *text, and *text behind it. NULL: an error. */
const struct hd_expr *hd_expr_parse(struct hd_reading *r, struct hd_place at, const char **text);

/* What the template itself names: a parameter, a variable of a loop, terms. False: none of that name. */
typedef bool hd_expr_lookup(void *ctx, struct hd_place at, const char *name, long *value);
/* Its value if `live`; names are looked up in any case, those of branches that are not taken too. */
long hd_expr_value(struct hd_reading *r, struct hd_place at, const struct hd_expr *e,
                   const struct hd_config *c, bool live, hd_expr_lookup *lookup, void *ctx);
/* The key "section.key"; NULL: none. */
const struct hd_key *hd_expr_key(const char *name);

/* --- the tree, template.c ------------------------------------------------------------------------------- */

enum hd_node_kind {
  HD_N_TEXT,     /* name: as it stands */
  HD_N_LINE,     /* body: a line with directives in it, without its end */
  HD_N_IF,       /* expr, body, other */
  HD_N_FOR,      /* name: the variable; expr, body */
  HD_N_EACH,     /* name: the bundle; args: the variable, then fields left out; body */
  HD_N_DEF,      /* name, args: parameters; body */
  HD_N_TERMS,    /* name, op; body: HD_N_IF each */
  HD_N_USE,      /* name, args */
  HD_N_VALUE,    /* expr */
  HD_N_FIELDS,   /* name: the bundle; args: the pattern, then fields given by name */
  HD_N_FUNCTION, /* name: which; args */
  HD_N_PART,     /* name */
  HD_N_WIRING    /* expr */
};
struct hd_arg {
  const char *name; /* NULL: by place */
  const struct hd_node *text;
  struct hd_arg *next;
};
struct hd_node {
  enum hd_node_kind kind;
  struct hd_place at;
  const char *name, *op;
  const struct hd_expr *expr;
  struct hd_arg *args;
  struct hd_node *body, *other, *next;
};
struct hd_tree {
  struct hd_node *body;
  const char **keys; /* ends with NULL */
  size_t n_keys;
  struct hd_place keys_at; /* where some are */
};
/* False: an error. */
bool hd_template_parse(struct hd_reading *r, const struct hd_template_file *file, struct hd_tree *tree);

/* --- pieces of a line, line.c ------------------------------------------------------------------ */

/* The text from `p` to `end` with its directives: inline ones, or, in an argument, @name. */
struct hd_node *hd_template_line(struct hd_reading *r, struct hd_place at, const char *p, const char *end);
struct hd_node *hd_template_argument(struct hd_reading *r, struct hd_place at, const char *p,
                                     const char *end);
/* The words from p to end as arguments. */
struct hd_arg *hd_template_words(struct hd_reading *r, struct hd_place at, const char *p, const char *end);
struct hd_node *hd_template_node(struct hd_reading *r, struct hd_place at, enum hd_node_kind kind);
/* A name at *p, and *p behind it and behind blanks; NULL and an error that says what it is the name of. */
const char *hd_template_name(struct hd_reading *r, struct hd_place at, const char **p, const char *what);
/* Says so if the text at p has not ended. */
void hd_template_ends(struct hd_reading *r, struct hd_place at, const char *p, const char *end);

#endif
