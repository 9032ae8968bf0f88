/* The names in rows, and the errors about rows; see wiring.h. */
#include "arch/wires/wiring.h"

#include <string.h>

bool hd_wires_wrong(struct hd_wiring_build *b, const struct hd_wire *by, const char *found,
                    const char *allowed) {
  if (b->failed)
    return false;
  b->failed = true;
  if (by)
    hd_because(b->why, HD_CHECK, "%s:%d: found %s, allowed: %s", by->file, by->line, found, allowed);
  else
    hd_because(b->why, HD_CHECK, "%s: found %s, allowed: %s", b->w->decl->module, found, allowed);
  return false;
}

bool hd_wires_no_memory(struct hd_wiring_build *b) {
  if (!b->failed)
    hd_because(b->why, HD_TOOL, "out of memory");
  b->failed = true;
  return false;
}

struct hd_wires_text hd_wires_path(const struct hd_inst *inst, const struct hd_row *row) {
  struct hd_wires_text out;
  snprintf(out.text, sizeof out.text, "%s.%s", inst ? inst->name : "own", row->name);
  return out;
}

bool hd_wires_two_drivers(struct hd_wiring_build *b, const char *port, const struct hd_wire *one,
                          const struct hd_wire *other) {
  char found[400];
  if (one)
    snprintf(found, sizeof found, "two drivers of %s, the other at %s:%d", port, one->file, one->line);
  else
    snprintf(found, sizeof found, "two drivers of %s, the other by its name", port);
  return hd_wires_wrong(b, other, found, "one");
}

bool hd_wire_means(const struct hd_wiring *w, const char *word, size_t length, const struct hd_inst *inst) {
  if (!strncmp(inst->name, word, length) && !inst->name[length])
    return true;
  for (size_t i = 0; i < w->n_sockets; i++) {
    const struct hd_wire *socket = w->sockets[i];
    if (!strncmp(socket->name, word, length) && !socket->name[length] && !strcmp(socket->inst, inst->name))
      return true;
  }
  return false;
}

const struct hd_row *hd_wires_port(const struct hd_decl *d, const char *name) {
  for (size_t i = 0; i < d->n_rows; i++)
    if (hd_is_port(d->rows[i].cls) && (!strcmp(d->rows[i].name, name) || !strcmp(d->rows[i].var, name)))
      return &d->rows[i];
  return NULL;
}

/* The rest of a port's variable after this prefix, which must end there or before a _. Returns NULL if it has
 * another. */
static const char *after(const char *var, const char *prefix) {
  const size_t n = strlen(prefix);
  return !strncmp(var, prefix, n) && (var[n] == '\0' || var[n] == '_') ? var + n : NULL;
}

const char *hd_wire_rest(const struct hd_wiring *w, const char *path, const struct hd_inst *inst,
                         const struct hd_row *port) {
  const char *dot = strchr(path, '.');
  /* first, because sockets take longer to look up */
  const char *rest = dot ? after(port->var, dot + 1) : NULL;
  return rest && (inst ? hd_wire_means(w, path, (size_t)(dot - path), inst) : !strncmp(path, "own.", 4))
             ? rest
             : NULL;
}

bool hd_wires_counts(const struct hd_wiring *w, const struct hd_wire *row, enum hd_wire_kind kind) {
  return row->kind == kind && (w->all || row->when);
}

bool hd_wires_always(const struct hd_wire *by) {
  return !strcmp(by->when_text, "1");
}

bool hd_wires_is_inst(const struct hd_wiring *w, const char *word, size_t length) {
  for (size_t i = 0; i < w->decl->n_insts; i++)
    if (hd_wire_means(w, word, length, &w->decl->insts[i]))
      return true;
  return false;
}

bool hd_wires_is_port(const struct hd_wiring *w, const char *path) {
  const struct hd_decl *d = w->decl;
  for (size_t i = 0; i < d->n_rows; i++)
    if (hd_is_port(d->rows[i].cls) && hd_wire_rest(w, path, NULL, &d->rows[i]))
      return true;
  for (size_t i = 0; i < d->n_insts; i++)
    for (size_t k = 0; k < d->insts[i].decl->n_rows; k++)
      if (hd_is_port(d->insts[i].decl->rows[k].cls) &&
          hd_wire_rest(w, path, &d->insts[i], &d->insts[i].decl->rows[k]))
        return true;
  return false;
}

void hd_wires_check_row(struct hd_wiring_build *b, const struct hd_wire *row) {
  const struct hd_wiring *w = b->w;
  char path[130];
  if (row->inst && !hd_wires_is_inst(w, row->inst, strlen(row->inst)) &&
      !(row->kind == HD_W_PART && hd_wires_is_port(w, row->inst)))
    hd_wires_wrong(b, row, row->inst, "an instance of the module");
  if (row->kind == HD_W_LEADS && !hd_wires_is_inst(w, row->from, strlen(row->from)))
    hd_wires_wrong(b, row, row->from, "an instance of the module");
  const bool calls = row->kind == HD_W_LEADS || row->kind == HD_W_NOTICES;
  const size_t length = calls ? strlen(row->name) : 0;
  if (calls && (length < 3 || strcmp(row->name + length - 2, "()") != 0))
    hd_wires_wrong(b, row, row->name, "a function of the lazy run, f()");
  if (row->kind == HD_W_WIRE || row->kind == HD_W_HOOK) {
    snprintf(path, sizeof path, "%s.%s", row->inst, row->name);
    for (char *dot = strchr(path, '.') + 1; (dot = strchr(dot, '.'));)
      *dot = '_';
    if (!hd_wires_is_port(w, path))
      hd_wires_wrong(b, row, path, "an input of an instance");
  }
  if ((row->kind == HD_W_NAME || row->kind == HD_W_CHANNEL) && !hd_wires_is_port(w, row->from))
    hd_wires_wrong(b, row, row->from, "inst.port or own.port");
  if (row->kind == HD_W_CHANNEL && !hd_wires_is_port(w, row->to))
    hd_wires_wrong(b, row, row->to, "inst.port or own.port");
  const char *const sides[] = {row->from, row->to};
  for (unsigned i = 0; row->kind == HD_W_CHANNEL && i < 2; i++)
    if (!strncmp(sides[i], "own.", 4) && strcmp(sides[i] + 4, row->name) != 0)
      hd_wires_wrong(b, row, row->name, "the name of the module's own ports");
}
