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

/* True if the bundle and the named fields exist. Else reports an error. */
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

/* Writes a field by its pattern: `*` is the name (inside [] it is a multiplication), `#` is the width. */
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

/* The width of the column for the ranges of all fields that exist. */
static int range_column(const struct hd_expander *x, const char *bundle) {
  struct hd_bundle_field field;
  int column = 0;
  for (size_t i = 0; hd_bundle_field(x->c, bundle, i, &field); i++) {
    const int n = (int)strlen(hd_width_range(field.width_txt).text);
    column = field.width && n > column ? n : column;
  }
  return column;
}

/* Writes the lines for one field. `place` counts the existing fields before it, `number` counts all. */
static void put_lines(struct hd_expander *x, FILE *f, const struct hd_node *n, const struct hd_scope *scope,
                      const struct hd_bundle_field *field, unsigned place, unsigned number) {
  const char *const variable = n->args->name;
  enum { ABOUT = 7 };
  const unsigned about_it = field->most_txt ? ABOUT : ABOUT - 3;
  char *name[ABOUT] = {hd_format("%s_width", variable), hd_format("%s_range", variable),
                       hd_format("%s_place", variable), hd_format("%s_number", variable),
                       hd_format("%s_reset", variable), hd_format("%s_least", variable),
                       hd_format("%s_most", variable)};
  char *text[ABOUT] = {hd_format("%s", hd_width_of(field->width_txt).text),
                       hd_format("%-*s", range_column(x, n->name), hd_width_range(field->width_txt).text),
                       hd_format("%u", place),
                       hd_format("%u", number),
                       hd_format("%s", field->most_txt ? field->reset_txt : ""),
                       hd_format("%s", field->most_txt ? field->least_txt : ""),
                       hd_format("%s", field->most_txt ? field->most_txt : "")};
  struct hd_scope about[ABOUT + 1];
  for (unsigned i = 0; i < about_it; i++)
    about[i] = (struct hd_scope){name[i], text[i], i ? &about[i - 1] : scope};
  about[about_it] = (struct hd_scope){variable, field->name, &about[about_it - 1]};
  x->put(x, f, n->body, &about[about_it]);
  for (unsigned i = 0; i < ABOUT; i++) {
    free(name[i]);
    free(text[i]);
  }
}

void hd_template_each(struct hd_expander *x, FILE *f, const struct hd_node *n, const struct hd_scope *scope) {
  struct hd_bundle_field field;
  unsigned place = 0;
  if (!fields_exist(x, n))
    return;
  for (unsigned i = 0; hd_bundle_field(x->c, n->name, i, &field) && !x->r.failed; i++)
    if (field.width || x->check) {
      if (!named(n, field.name))
        put_lines(x, f, n, scope, &field, place, i);
      place++;
    }
}
