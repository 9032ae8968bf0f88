/* Hooks: the outputs that an input joins, and the operation; see wiring.h. */
#include "arch/wires/wiring.h"

#include <string.h>

bool hd_wires_same_field(const struct hd_row *a, const struct hd_row *b) {
  if (!a->bundle && !b->bundle)
    return !strcmp(a->name, b->name);
  const char *const of = strchr(a->name, '.'), *const other = strchr(b->name, '.');
  return a->bundle && b->bundle && !strcmp(a->bundle, b->bundle) && of && other && !strcmp(of, other);
}

const struct hd_wire *hd_wires_hook_of(const struct hd_wiring *w, const struct hd_inst *inst,
                                       const struct hd_row *port) {
  for (size_t i = 0; inst && i < w->n_rows; i++) {
    const struct hd_wire *row = &w->rows[i];
    const size_t n = hd_wires_counts(w, row, HD_W_HOOK) ? strlen(row->name) : 0;
    if (n && hd_wire_means(w, row->inst, strlen(row->inst), inst) && !strncmp(port->name, row->name, n) &&
        port->name[n] == (port->bundle ? '.' : '\0'))
      return row;
  }
  return NULL;
}

bool hd_wires_is_hooked(const struct hd_wiring *w, const struct hd_row *port) {
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    const struct hd_decl *d = w->decl->insts[i].decl;
    for (size_t k = 0; k < d->n_rows; k++)
      if (d->rows[k].cls == HD_IN && hd_wires_same_field(&d->rows[k], port) &&
          hd_wires_hook_of(w, &w->decl->insts[i], &d->rows[k]))
        return true;
  }
  return false;
}

static enum hd_join join_named(const char *text) {
  static const char *const names[] = {"OR", "AND", "ONE"};
  text += strspn(text, " ");
  for (size_t i = 0; i < 3; i++)
    if (!strncmp(text, names[i], strlen(names[i])) && strchr(", ", text[strlen(names[i])]))
      return (enum hd_join)i;
  return HD_JOIN_BAD;
}

enum hd_join hd_wires_join_of(const struct hd_wire *hook, const char *field) {
  enum hd_join join = join_named(hook->from);
  for (const char *at = strchr(hook->from, ','); at; at = strchr(at + 1, ',')) {
    const char *const name = at + 1 + strspn(at + 1, " ");
    const char *const colon = strchr(name, ':');
    if (!colon || join_named(colon + 1) == HD_JOIN_BAD)
      return HD_JOIN_BAD;
    const size_t length = strcspn(name, " :");
    if (strlen(field) == length && !strncmp(name, field, length))
      join = join_named(colon + 1);
  }
  return join;
}
