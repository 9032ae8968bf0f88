/* Reads Verilog text, as far as needed to compare a behaviour with its declaration; see verilog.h.
 *
 * Invariant: a text that passes holds no flip-flop but the declared ones: no variable outside functions, no
 * memory wrapper, and every clocked assignment goes to a declared register. */
#include <ctype.h>
#include <string.h>

#include "rtl_gen/verilog/sizes.h"
#include "rtl_gen/verilog/verilog.h"

struct token {
  const char *at;
  size_t n; /* 0: the end */
};

static bool is(struct token t, const char *word) {
  return *t.at == *word && !strncmp(t.at, word, t.n) && !word[t.n]; /* mostly the first character decides */
}

static bool is_name(struct token t) {
  return t.n && (isalpha((unsigned char)*t.at) || *t.at == '_');
}

static struct token next(const char **text) {
  const char *p = *text;
  for (;;) {
    p += strspn(p, " \t\n");
    if (p[0] != '/' || p[1] != '/')
      break;
    p += strcspn(p, "\n");
  }
  struct token t = {p, 0};
  if (isalnum((unsigned char)*p) || *p == '_' || *p == '$')
    while (isalnum((unsigned char)p[t.n]) || p[t.n] == '_' || p[t.n] == '$')
      t.n++;
  else if (*p)
    t.n = p[0] == '<' && p[1] == '=' ? 2 : 1;
  *text = p + t.n;
  return t;
}

void hd_scan_sizes(const char *text, bool used[]) {
  memset(used, 0, hd_n_sizes * sizeof *used);
  bool another = false; /* after a dot: a name of the instantiated module */
  for (struct token t; (t = next(&text)).n; another = is(t, "."))
    if (!another && isupper((unsigned char)*t.at)) { /* all sizes have upper-case names */
      const size_t i = hd_size_named(t.at, t.n);
      if (i < hd_n_sizes)
        used[i] = true;
    }
}

bool hd_scan_names(const char *text, const char *name) {
  struct token t;
  while ((t = next(&text)).n && !is(t, name))
    ;
  return t.n;
}

static size_t row_of(const struct hd_decl *d, struct token name) {
  size_t i = 0;
  while (i < d->n_rows &&
         ((d->rows[i].cls != HD_REG && d->rows[i].cls != HD_CAM) || !is(name, d->rows[i].var)))
    i++;
  return i;
}

/* The text after the left side of an assignment that begins with token t: a name with indices, or a
 * concatenation. */
static const char *left_side(struct token t, const char *text) {
  const char *end = text;
  if (is(t, "{"))
    for (struct token u = next(&end); u.n && !is(u, "}"); u = next(&end))
      ;
  for (;;) {
    const char *p = end;
    int depth = 0;
    do {
      const struct token u = next(&p);
      if (!depth && !is(u, "["))
        return end;
      depth += is(u, "[") - is(u, "]");
      if (!u.n)
        return end;
    } while (depth);
    end = p;
  }
}

/* If the statement that begins with token t assigns with <=, marks the rows that it assigns. Names inside []
 * are indices. Returns false after an error. */
static bool assignment(const struct hd_decl *d, struct token t, const char *text, bool assigned[],
                       const char **at, struct hd_why *why) {
  const char *const end = left_side(t, text);
  const char *p = end;
  if (!is(next(&p), "<="))
    return true;
  int depth = 0;
  for (p = t.at; p < end;) {
    const struct token u = next(&p);
    depth += is(u, "[") - is(u, "]");
    if (depth || !is_name(u))
      continue;
    const size_t row = row_of(d, u);
    if (row == d->n_rows) {
      *at = u.at;
      hd_because(why, HD_CHECK, "%s: the behaviour assigns %.*s, which is not a declared register", d->module,
                 (int)u.n, u.at);
      return false;
    }
    if (d->rows[row].latched) {
      *at = u.at;
      hd_because(why, HD_CHECK, "%s: the behaviour assigns %.*s, which is made of latches", d->module,
                 (int)u.n, u.at);
      return false;
    }
    assigned[row] = true;
  }
  return true;
}

static bool begins_statement(struct token before, struct token before_that) {
  static const char *const words[] = {";", "begin", "end", "else", ")"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (is(before, words[i]))
      return true;
  return is(before_that, ":"); /* begin : label */
}

bool hd_scan_state(const struct hd_decl *d, const char *text, const char **at, struct hd_why *why) {
  *at = NULL;
  bool assigned[d->n_rows + 1];
  memset(assigned, 0, sizeof assigned);
  bool in_function = false;
  struct token t, before = {";", 1}, before_that = before;
  while ((t = next(&text)).n) {
    if (is(t, "function") || is(t, "endfunction"))
      in_function = is(t, "function");
    if (!in_function && (is(t, "reg") || is(t, "integer") || is(t, "time") || is(t, "real"))) {
      *at = t.at;
      hd_because(why, HD_INPUT,
                 "%s: the behaviour declares a variable (\"%.*s\"); state belongs to arch/%s/%s.def",
                 d->module, (int)strcspn(t.at, ";\n"), t.at, d->room, d->module);
      return false;
    }
    if (!strncmp(t.at, "hd_ram_", 7) || !strncmp(t.at, "hd_table_", 9)) {
      *at = t.at;
      hd_because(why, HD_CHECK, "%s: the behaviour holds a memory; memories belong to arch/%s/%s.def",
                 d->module, d->room, d->module);
      return false;
    }
    if (!in_function && begins_statement(before, before_that) && (is_name(t) || is(t, "{")) &&
        !assignment(d, t, text, assigned, at, why))
      return false;
    before_that = before;
    before = t;
  }
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    if ((r->cls == HD_REG || r->cls == HD_CAM) && !r->latched && !assigned[i]) {
      hd_because(why, HD_CHECK, "%s: nothing assigns the declared register %s", d->module, r->var);
      return false;
    }
  }
  return true;
}
