/* The names that a piece of a template sees; see expand.h. */
#include <string.h>

#include "rtl_gen/template/expand.h"

enum { DEPTH = 64 }; /* the greatest depth of macros and parts inside one another */

const struct hd_scope *hd_template_local(const struct hd_scope *scope, const char *name) {
  while (scope && strcmp(scope->name, name) != 0)
    scope = scope->up;
  return scope;
}

const struct hd_node *hd_template_global(const struct hd_expander *x, const char *name) {
  const struct hd_global *g = x->globals;
  while (g && strcmp(g->node->name, name) != 0)
    g = g->up;
  return g ? g->node : NULL;
}

bool hd_template_deeper(struct hd_expander *x, struct hd_place at, const char *name) {
  if (x->depth == DEPTH)
    hd_template_error(&x->r, at, "found %s inside itself, allowed %d macros and parts in one another", name,
                      DEPTH);
  x->depth++;
  return !x->r.failed;
}

char *hd_template_expanded(struct hd_expander *x, const struct hd_node *list, const struct hd_scope *scope) {
  char *text, *kept;
  size_t size;
  /* the usual case; a stream would cost 8 KiB of zeros */
  if (!list || (list->kind == HD_N_TEXT && !list->next))
    return hd_template_copy(&x->r, list ? list->name : "", list ? strlen(list->name) : 0);
  FILE *f = hd_memory_open(&text, &size);
  x->put(x, f, list, scope);
  hd_memory_close(f);
  kept = hd_template_copy(&x->r, text, size);
  free(text);
  return kept;
}
