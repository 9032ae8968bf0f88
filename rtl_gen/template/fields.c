/* Bundles in templates: concatenations of their fields, and lines for each field. */
#include <string.h>

#include "rtl_gen/template/expand.h"
#include "rtl_gen/verilog/verilog.h"

static bool has_field(const struct hd_expander *x, const char *bundle, const char *name) {
  struct hd_bundle_field field;
  for (size_t i = 0; hd_bundle_field(x->c, bundle, i, &field); i++)
    if (!strcmp(field.name, name))
      return true;
  return false;
}

/* The bundle is there, and the fields that are named. */
static bool fields_exist(struct hd_expander *x, const struct hd_node *n) {
  struct hd_bundle_field field;
  if (!hd_bundle_field(x->c, n->name, 0, &field))
    hd_template_error(&x->r, n->at, "found bundle %s, allowed those of arch/declaration/bundles.def",
                      n->name);
  for (const struct hd_arg *a = n->args->next; a; a = a->next)
    if (!has_field(x, n->name, a->name))
      hd_template_error(&x->r, n->at, "found field %s, allowed those of bundle %s", a->name, n->name);
  return !x->r.failed;
}

static const struct hd_arg *named(const struct hd_node *n, const char *field) {
  const struct hd_arg *a = n->args->next;
  while (a && strcmp(a->name, field) != 0)
    a = a->next;
  return a;
}

/* `*` is the name, but times inside []; `#` is the width. */
static void put_field(FILE *f, const char *pattern, const struct hd_bundle_field *field) {
  int depth = 0;
  for (const char *p = pattern; *p; p++) {
    depth += (*p == '[') - (*p == ']');
    if (*p == '*' && !depth)
      fputs(field->name, f);
    else if (*p == '#')
      fputs(hd_width_of(field->width_txt).text, f);
    else
      fputc(*p, f);
  }
}

void hd_template_fields(struct hd_expander *x, FILE *f, const struct hd_node *n,
                        const struct hd_scope *scope) {
  struct hd_bundle_field field;
  const char *pattern = hd_template_expanded(x, n->args->text, scope), *comma = "";
  if (!fields_exist(x, n))
    return;
  fputc('{', f);
  for (size_t i = 0; hd_bundle_field(x->c, n->name, i, &field); i++)
    if (field.width || x->check) {
      const struct hd_arg *given = named(n, field.name);
      fputs(comma, f);
      comma = ", ";
      if (given)
        x->put(x, f, given->text, scope);
      else
        put_field(f, pattern, &field);
    }
  fputc('}', f);
}

/* The ranges of all fields that are there, in columns. */
static int range_column(const struct hd_expander *x, const char *bundle) {
  struct hd_bundle_field field;
  int column = 0;
  for (size_t i = 0; hd_bundle_field(x->c, bundle, i, &field); i++) {
    const int n = (int)strlen(hd_width_range(field.width_txt).text);
    column = field.width && n > column ? n : column;
  }
  return column;
}

void hd_template_each(struct hd_expander *x, FILE *f, const struct hd_node *n, const struct hd_scope *scope) {
  struct hd_bundle_field field;
  if (!fields_exist(x, n))
    return;
  for (size_t i = 0; hd_bundle_field(x->c, n->name, i, &field) && !x->r.failed; i++)
    if ((field.width || x->check) && !named(n, field.name)) {
      const struct hd_range width = hd_width_of(field.width_txt);
      char *width_name = hd_format("%s_width", n->args->name),
           *range_name = hd_format("%s_range", n->args->name),
           *range = hd_format("%-*s", range_column(x, n->name), hd_width_range(field.width_txt).text);
      const struct hd_scope widths = {width_name, width.text, scope}, ranges = {range_name, range, &widths},
                            inner = {n->args->name, field.name, &ranges};
      x->put(x, f, n->body, &inner);
      free(width_name);
      free(range_name);
      free(range);
    }
}
