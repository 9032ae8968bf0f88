/* A template as a tree: how it is made, and the values of its expressions. Internal to the template reader.
 *
 * Invariant: the whole tree of one template is in one obstack, which is freed at once. */
#ifndef HEDDLE_RTL_GEN_TEMPLATE_TREE_H
#define HEDDLE_RTL_GEN_TEMPLATE_TREE_H

#include <obstack.h>
#include <stdlib.h>

#include "rtl_gen/template/template.h"

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

/* --- the memory of trees, and the first error, reading.c ------------------------------------------- */

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
/* A copy of a text, and memory set to 0. Both live as long as the reading. */
char *hd_template_copy(struct hd_reading *r, const char *text, size_t n);
void *hd_template_alloc(struct hd_reading *r, size_t size);

/* --- expressions, expr.c ----------------------------------------------------------------------- */

struct hd_expr {
  /* "n": a number, "v": a name, "clog2": hd_clog2(a), "-1": negation; else the operator as written */
  const char *op;
  long value;
  const char *name;
  const struct hd_expr *a, *b, *c;
};
/* The result of a binary operator; 0 for a division by 0. */
long hd_expr_apply(const char *op, long a, long b);
/* Parses the expression at *text and moves *text behind it. Returns NULL after an error. */
const struct hd_expr *hd_expr_parse(struct hd_reading *r, struct hd_place at, const char **text);

/* Looks up a name of the template itself: a parameter, a loop's variable, terms. Returns false if there is
 * none. */
typedef bool hd_expr_lookup(void *ctx, struct hd_place at, const char *name, long *value);
/* The value of the expression if `live`. Names are looked up in any case, also in branches that are not
 * taken. */
long hd_expr_value(struct hd_reading *r, struct hd_place at, const struct hd_expr *e,
                   const struct hd_config *c, bool live, hd_expr_lookup *lookup, void *ctx);
/* The key with the name "section.key". Returns NULL if there is none. */
const struct hd_key *hd_expr_key(const char *name);

/* --- the tree, template.c ------------------------------------------------------------------------------- */

enum hd_node_kind {
  HD_N_TEXT,     /* name: the text, unchanged */
  HD_N_LINE,     /* body: a line with directives in it, without its line end */
  HD_N_IF,       /* expr, body, other */
  HD_N_FOR,      /* name: the variable; expr, body */
  HD_N_EACH,     /* name: the bundle; args: the variable, then fields left out; body */
  HD_N_DEF,      /* name, args: parameters; body */
  HD_N_TERMS,    /* name, op; body: HD_N_IF each */
  HD_N_USE,      /* name, args */
  HD_N_VALUE,    /* expr */
  HD_N_FIELDS,   /* name: the bundle; args: the pattern, then fields given by name */
  HD_N_FUNCTION, /* name: of the function; args */
  HD_N_PART,     /* name */
  HD_N_WIRING    /* expr */
};
struct hd_arg {
  const char *name; /* NULL: the argument has no name, its place counts */
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
  struct hd_place keys_at; /* a place where there are keys */
};
/* Returns false after an error. */
bool hd_template_parse(struct hd_reading *r, const struct hd_template_file *file, struct hd_tree *tree);

/* --- pieces of a line, line.c ------------------------------------------------------------------ */

/* Parses the text from `p` to `end` with its directives: hd_template_line takes inline ones,
 * hd_template_argument takes @name. */
struct hd_node *hd_template_line(struct hd_reading *r, struct hd_place at, const char *p, const char *end);
struct hd_node *hd_template_argument(struct hd_reading *r, struct hd_place at, const char *p,
                                     const char *end);
/* The words from `p` to `end` as arguments. */
struct hd_arg *hd_template_words(struct hd_reading *r, struct hd_place at, const char *p, const char *end);
struct hd_node *hd_template_node(struct hd_reading *r, struct hd_place at, enum hd_node_kind kind);
/* Reads a name at *p and moves *p behind it and the blanks after it. Returns NULL after an error, which calls
 * the missing name `what`. */
const char *hd_template_name(struct hd_reading *r, struct hd_place at, const char **p, const char *what);
/* Reports an error if the text at p has not ended. */
void hd_template_ends(struct hd_reading *r, struct hd_place at, const char *p, const char *end);

#endif
