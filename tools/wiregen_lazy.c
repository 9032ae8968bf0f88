/* Writes what the lazy run calls (cmodel/step): the parts that take part if ports meet, and the functions
 * that set the inputs of each instance; see wiregen_lazy.h. */
#include "tools/wiregen_lazy.h"

#include <string.h>

static void put_given(struct hd_lazy_writer *x, const struct hd_wire *row) {
  const struct hd_decl *d = x->c.w->decl;
  const char *const prefix = row->to + strlen("own.");
  const size_t length = strlen(prefix);
  hd_put_line(&x->c, 1, "if (meet & %s) {", hd_parts_bit_named(row->name).text);
  for (size_t i = 0, n; i < d->n_rows; i += n) {
    n = hd_fields_from(d, i);
    if (d->rows[i].cls != HD_OUT || strncmp(d->rows[i].var, prefix, length) != 0 ||
        d->rows[i].var[length] != '_' || d->rows[i].pointer || !d->rows[i].bundle)
      continue;
    struct hd_choice choice[HD_CHOICES];
    const size_t first = hd_driven_whole(&x->c, &d->rows[i], choice);
    hd_copy_whole(&x->c, 2, "out->", NULL, &d->rows[i], n, choice, first);
  }
  hd_put_line(&x->c, 1, "}");
}

bool hd_write_lazy(FILE *f, const struct hd_wiring *w, const struct hd_decl *plain, struct hd_why *why) {
  struct hd_lazy_writer x = {.c = {.f = f, .w = w, .why = why, .read = hd_read_lazily, .pointers = true},
                             .plain = plain};
  const char *const module = w->decl->module;
  if (!hd_within_insts(w, why))
    return false;
  hd_put_ports(&x.c);
  hd_put_takes_part(&x.c);
  for (size_t i = 0; i < w->n_rows; i++)
    if (w->rows[i].kind == HD_W_SETS || w->rows[i].kind == HD_W_LEADS || w->rows[i].kind == HD_W_ALONE ||
        w->rows[i].kind == HD_W_NOTICES)
      for (size_t k = 0; k < w->decl->n_insts; k++)
        if (hd_wire_means(w, w->rows[i].inst, strlen(w->rows[i].inst), &w->decl->insts[k]))
          hd_put_line(&x.c, 0, "#include \"cmodel/%s/lazy.h\"\n", w->decl->insts[k].decl->room);
  hd_put_wakes(&x.c);
  for (size_t i = 0; i < w->decl->n_insts; i++)
    hd_put_inputs(&x, &w->decl->insts[i]);
  hd_put_heads(&x);
  hd_put_beside(&x);
  hd_put_sockets(&x);
  hd_put_line(&x.c, 0, "/* Payloads of channels that leave %s. */", module);
  hd_put_line(&x.c, 0, "static inline void wire_own(const struct %s *m, struct %s_out *out, unsigned meet) {",
              module, module);
  for (size_t i = 0; i < w->n_rows; i++)
    if (hd_parts_crossed(w, &w->rows[i]) && !strncmp(w->rows[i].to, "own.", 4))
      put_given(&x, &w->rows[i]);
  hd_put_line(&x.c, 0, "}\n");
  hd_put_line(&x.c, 0, "/* The instances in %s, whether there or not. */\n#define EACH_INST(X)\\", module);
  for (size_t i = 0; i < w->decl->n_insts; i++)
    hd_put_line(&x.c, 1, "X(%s)%s", w->decl->insts[i].name, i + 1 < w->decl->n_insts ? "\\" : "");
  return !x.c.failed;
}
