/* Expands a template's tree to text for a configuration, or visits all its branches without one. */
#include "rtl_gen/template/expand.h"

#include <string.h>

#include "base/alloc.h"
#include "rtl_gen/template/nets.h"
#include "rtl_gen/verilog/verilog.h"

/* --- lines ---------------------------------------------------------------------------------------------- */

static hd_put_nodes put_nodes;

static size_t indent(const char *line) {
  return strspn(line, " \t");
}

/* Writes the lines of `text`, moved so that the first begins in column `to`. */
static void put_moved(FILE *f, const char *text, size_t to) {
  const size_t from = indent(text + strspn(text, "\n"));
  while (*text) {
    const size_t n = strcspn(text, "\n"), have = indent(text);
    if (have < n)
      fprintf(f, "%*s", (int)(have > from ? have - from + to : to), "");
    fprintf(f, "%.*s\n", (int)(n - have), text + have);
    text += n + (text[n] == '\n');
  }
}

static bool is_macro(const struct hd_expander *x, const struct hd_node *node, const struct hd_scope *scope) {
  if (!node || node->kind != HD_N_USE || node->next || hd_template_local(scope, node->name))
    return false;
  const struct hd_node *def = hd_template_global(x, node->name);
  return def && def->kind == HD_N_DEF;
}

/* Writes a line. A line of directives without text vanishes. If a macro stands alone in its line, its lines
 * move to that column. */
static void put_line(struct hd_expander *x, FILE *f, const struct hd_node *pieces,
                     const struct hd_scope *scope) {
  if (!pieces || (pieces->kind == HD_N_TEXT && !pieces->next)) {
    fprintf(f, "%s\n", pieces ? pieces->name : "");
    return;
  }
  const struct hd_node *alone = pieces;
  size_t column = 0;
  if (alone && alone->kind == HD_N_TEXT && !alone->name[column = indent(alone->name)])
    alone = alone->next;
  if (is_macro(x, alone, scope)) {
    put_moved(f, hd_template_macro(x, alone, scope), column);
    return;
  }
  bool directives = false, text = false;
  for (const struct hd_node *n = pieces; n; n = n->next) {
    directives |= n->kind != HD_N_TEXT;
    text |= n->kind == HD_N_TEXT && n->name[indent(n->name)];
  }
  const char *line = hd_template_expanded(x, pieces, scope);
  if (!directives || text || line[indent(line)])
    fprintf(f, "%s\n", line);
}

/* --- the rest ------------------------------------------------------------------------------------------- */

static void put_function(struct hd_expander *x, FILE *f, const struct hd_node *n,
                         const struct hd_scope *scope) {
  const char *arg[4] = {"", "", "", ""};
  size_t n_args = 0;
  for (const struct hd_arg *a = n->args; a; a = a->next)
    arg[n_args++] = hd_template_expanded(x, a->text, scope);
  if (*n->name == 'p')
    hd_put_pick(f, arg[0], arg[1], arg[2]);
  else if (*n->name == 'l')
    hd_put_lowest(f, arg[0], arg[1]);
  else if (*n->name == 'n')
    hd_put_number(f, arg[0], arg[1], arg[2]);
  else if (*n->name == 'c')
    hd_put_check(f, arg[0], (unsigned)strtoul(arg[1], NULL, 10), (unsigned)strtoul(arg[2], NULL, 10));
  else if (*n->name == 'm')
    hd_put_mend(f, arg[0], (unsigned)strtoul(arg[1], NULL, 10), (unsigned)strtoul(arg[2], NULL, 10));
  else
    hd_put_xor_fold(f, arg[0], arg[1], arg[2], (unsigned)strtoul(arg[3], NULL, 10));
}

static const struct hd_template_file *file_of(const struct hd_templates *all, const char *path) {
  for (size_t i = 0; i < all->n; i++)
    if (!strcmp(all->file[i].path, path))
      return &all->file[i];
  return NULL;
}

/* A part is ROOM/NAME, or NAME in the folder of the template that names it. */
static void put_part(struct hd_expander *x, FILE *f, const struct hd_node *n, const struct hd_scope *scope) {
  const char *const room_end = strrchr(n->at.path, '/');
  char *path = strchr(n->name, '/')
                   ? hd_format("rtl_gen/%s.v", n->name)
                   : hd_format("%.*s/%s.v", (int)(room_end - n->at.path), n->at.path, n->name);
  const struct hd_template_file *file = file_of(x->all, path);
  struct hd_tree tree;
  if (!file)
    hd_template_error(&x->r, n->at, "found part %s, allowed: a template, and there is no %s", n->name, path);
  else if (hd_template_deeper(x, n->at, n->name) && hd_template_parse(&x->r, file, &tree)) {
    if (tree.n_keys)
      hd_template_error(&x->r, tree.keys_at, "found keys in a part, allowed in the module's template");
    if (x->parts)
      x->parts[file - x->all->file] = true;
    put_nodes(x, f, tree.body, scope);
  }
  x->depth -= file != NULL;
  free(path);
}

static void put_wiring(struct hd_expander *x, FILE *f, const struct hd_node *n,
                       const struct hd_scope *scope) {
  const long column = hd_template_number(x, n->at, n->expr, scope);
  if (!x->check && !x->r.failed)
    hd_put_wiring(f, x->c, x->module->decl, x->module->written, (int)column);
}

static void put_if(struct hd_expander *x, FILE *f, const struct hd_node *n, const struct hd_scope *scope) {
  const bool holds = hd_template_holds(x, n->at, n->expr, scope);
  if (holds || x->check)
    put_nodes(x, f, n->body, scope);
  if (!holds || x->check)
    put_nodes(x, f, n->other, scope);
}

static void put_for(struct hd_expander *x, FILE *f, const struct hd_node *n, const struct hd_scope *scope) {
  const long number = hd_template_fixed(x, n->at, n->expr, scope), times = x->check ? 1 : number;
  for (long i = 0; i < times && !x->r.failed; i++) {
    char text[24];
    snprintf(text, sizeof text, "%ld", i);
    const struct hd_scope inside = {n->name, text, scope};
    put_nodes(x, f, n->body, &inside);
  }
}

/* Writes the number, or the word of a key that has words. */
static void put_value(struct hd_expander *x, FILE *f, const struct hd_node *n, const struct hd_scope *scope) {
  const struct hd_key *key = *n->expr->op == 'v' ? hd_expr_key(n->expr->name) : NULL;
  if (key)
    fputs(hd_key_text(key, hd_config_get(x->c, key)).text, f);
  else
    fprintf(f, "%ld", hd_template_fixed(x, n->at, n->expr, scope));
}

static void put_nodes(struct hd_expander *x, FILE *f, const struct hd_node *n, const struct hd_scope *scope) {
  for (; n && !x->r.failed; n = n->next) {
    if (f == x->text) {
      const struct hd_text_line here = {(size_t)ftell(f), n->at.path, n->at.line};
      fwrite(&here, sizeof here, 1, x->lines);
    }
    switch (n->kind) {
    case HD_N_TEXT:
      fputs(n->name, f);
      break;
    case HD_N_LINE:
      put_line(x, f, n->body, scope);
      break;
    case HD_N_IF:
      put_if(x, f, n, scope);
      break;
    case HD_N_FOR:
      put_for(x, f, n, scope);
      break;
    case HD_N_EACH:
      hd_template_each(x, f, n, scope);
      break;
    case HD_N_DEF:
    case HD_N_TERMS:
      hd_template_define(x, n);
      break;
    case HD_N_USE:
      hd_template_use(x, f, n, scope);
      break;
    case HD_N_VALUE:
      put_value(x, f, n, scope);
      break;
    case HD_N_FIELDS:
      hd_template_fields(x, f, n, scope);
      break;
    case HD_N_FUNCTION:
      put_function(x, f, n, scope);
      break;
    case HD_N_PART:
      put_part(x, f, n, scope);
      break;
    case HD_N_WIRING:
      put_wiring(x, f, n, scope);
      break;
    }
  }
}

/* --- whole templates ------------------------------------------------------------------------------------ */

static const struct hd_template_file *file_named(const struct hd_templates *all, const char *module,
                                                 const char *end) {
  const size_t n = strlen(module);
  for (size_t i = 0; i < all->n; i++) {
    const char *name = strrchr(all->file[i].path, '/') + 1;
    if (!strncmp(name, module, n) && !strcmp(name + n, end))
      return &all->file[i];
  }
  return NULL;
}

const struct hd_template_file *hd_template_of(const struct hd_templates *all, const char *module) {
  return file_named(all, module, ".v");
}

const struct hd_template_file *hd_template_checker_of(const struct hd_templates *all, const char *module) {
  return file_named(all, module, ".props.sv");
}

/* The keys as one block to be freed: the array, then the words. */
static char **kept_keys(const struct hd_tree *tree) {
  size_t size = (tree->n_keys + 1) * sizeof(char *);
  for (size_t i = 0; i < tree->n_keys; i++)
    size += strlen(tree->keys[i]) + 1;
  char **keys = hd_zeroed(1, size);
  char *word = (char *)(keys + tree->n_keys + 1);
  for (size_t i = 0; i < tree->n_keys; i++)
    word = stpcpy(keys[i] = word, tree->keys[i]) + 1;
  return keys;
}

static bool whole(struct hd_expander *x, const struct hd_template_file *file, struct hd_template_text *out,
                  struct hd_why *why) {
  struct hd_tree tree;
  char *lines;
  size_t size, lines_size;
  *out = (struct hd_template_text){.text = NULL};
  x->text = hd_memory_open(&out->text, &size);
  x->lines = hd_memory_open(&lines, &lines_size);
  x->r = (struct hd_reading){.why = why};
  obstack_init(&x->r.mem);
  if (hd_template_parse(&x->r, file, &tree)) {
    put_nodes(x, x->text, tree.body, NULL);
    out->keys = kept_keys(&tree);
  }
  obstack_free(&x->r.mem, NULL);
  hd_memory_close(x->text);
  hd_memory_close(x->lines);
  out->lines = (struct hd_text_line *)lines;
  out->n_lines = lines_size / sizeof *out->lines;
  if (x->r.failed)
    hd_template_free(out);
  return !x->r.failed;
}

bool hd_template_expand(const struct hd_templates *all, const struct hd_template_file *file,
                        const struct hd_template_module *module, struct hd_template_text *out,
                        struct hd_why *why) {
  struct hd_expander x = {.put = put_nodes, .all = all, .module = module, .c = module->design->c};
  return whole(&x, file, out, why);
}

void hd_template_free(struct hd_template_text *text) {
  free(text->text);
  free(text->keys);
  free(text->lines);
}

const struct hd_text_line *hd_template_line_at(const struct hd_template_text *text, size_t offset) {
  size_t i = 1;
  while (i < text->n_lines && text->lines[i].offset <= offset)
    i++;
  return &text->lines[i - 1];
}

/* True if the template is a whole: that of a module or of its checker (*module is its name), of a memory
 * wrapper, or of all drop-ins. All others are parts. */
static bool is_whole(const struct hd_templates *all, const struct hd_template_file *file,
                     const char **module) {
  static const char *const modules[] = {
#define MODULE_MOORE(X, room) #X,
#define MODULE_MEALY(X, room) MODULE_MOORE(X, room)
#include "arch/declaration/modules.def"
  };
  bool found = false;
  *module = "";
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    if (hd_template_of(all, modules[i]) == file || hd_template_checker_of(all, modules[i]) == file) {
      *module = modules[i];
      found = true;
    }
  for (enum hd_ports p = 0; p < HD_PORT_KINDS; p++)
    found |= hd_template_of(all, hd_ram_name(p).text) == file;
  found |= hd_template_of(all, HD_TABLE_WRAPPER) == file || hd_template_of(all, HD_ICG_WRAPPER) == file;
  return found || hd_template_of(all, HD_DROPIN_TEMPLATE) == file;
}

static bool check(const struct hd_templates *all, const struct hd_template_file *file,
                  const struct hd_design *design, const char *module, bool *parts, struct hd_why *why) {
  struct hd_template_text text;
  const struct hd_decl *decl = hd_design_find(design, module);
  const bool checker = hd_template_checker_of(all, module) == file; /* all sizes of a checker are bound */
  struct hd_size_role *roles = hd_size_roles_of(design->c, checker ? NULL : decl, true, why);
  if (!roles)
    return false;
  const struct hd_template_module checked = {design, decl, roles, NULL};
  struct hd_expander x = {
      .put = put_nodes, .all = all, .module = &checked, .c = design->c, .check = true, .parts = parts};
  const bool ok = whole(&x, file, &text, why);
  if (ok)
    hd_template_free(&text);
  hd_size_roles_free(roles);
  return ok;
}

unsigned hd_template_check(const struct hd_templates *all, FILE *err) {
  struct hd_config c;
  const char *module;
  unsigned errors = 0;
  bool parts[all->n + 1];
  memset(parts, 0, sizeof parts);
  hd_config_default(&c);
  struct hd_design *design = hd_design_all(&c);
  if (!design)
    abort();
  for (size_t i = 0; i < all->n; i++)
    if (is_whole(all, &all->file[i], &module)) {
      struct hd_why why;
      if (!check(all, &all->file[i], design, module, parts, &why) && ++errors)
        fprintf(err, "%s\n", why.text);
    }
  hd_design_free(design);
  const bool all_read = !errors; /* after an error, parts that are named later were not read */
  for (size_t i = 0; i < all->n && all_read; i++)
    if (!is_whole(all, &all->file[i], &module) && !parts[i] && ++errors)
      fprintf(err, "%s:1: found a template that nothing names, allowed: a module's, or a part of one\n",
              all->file[i].path);
  return errors;
}
