/* Parses a template's lines into its tree; see template.h. */
#include "rtl_gen/template/template.h"

#include <string.h>

#include "rtl_gen/template/tree.h"

struct parser {
  struct hd_reading *r;
  struct hd_place at;
  const char *next; /* the line after the current one */
  struct hd_tree *tree;
  /* the directive that ended a block (elif, else or end) and the text after it; NULL: the file's end */
  const char *stop, *stop_text;
};

static struct hd_node *block(struct parser *s, bool top);

/* Parses the lines of a directive that has an end. */
static struct hd_node *body(struct parser *s, struct hd_place from, const char *what) {
  struct hd_node *n = block(s, false);
  if (!s->r->failed && !s->stop)
    hd_template_error(s->r, from, "found %s without end, allowed //@ end behind it", what);
  return n;
}

static struct hd_node *closed(struct parser *s, struct hd_place from, const char *what) {
  struct hd_node *n = body(s, from, what);
  if (!s->r->failed && strcmp(s->stop, "end") != 0)
    hd_template_error(s->r, s->at, "found %s in %s, allowed in if", s->stop, what);
  return n;
}

static const char *line_end(const char *p) {
  return p + strcspn(p, "\n");
}

static struct hd_node *condition(struct parser *s, const char *p) {
  struct hd_node *n = hd_template_node(s->r, s->at, HD_N_IF);
  n->expr = hd_expr_parse(s->r, s->at, &p);
  if (!n->expr)
    return n;
  hd_template_ends(s->r, s->at, p, line_end(p));
  n->body = body(s, n->at, "if");
  if (s->r->failed)
    return n;
  if (!strcmp(s->stop, "elif"))
    n->other = condition(s, s->stop_text);
  else if (!strcmp(s->stop, "else"))
    n->other = closed(s, n->at, "else");
  return n;
}

/* Parses `| E : text` lines, up to end. */
static struct hd_node *terms(struct parser *s, const char *p) {
  struct hd_node *n = hd_template_node(s->r, s->at, HD_N_TERMS), **last = &n->body;
  n->name = hd_template_name(s->r, s->at, &p, "terms");
  const size_t op = strcspn(p, " \t\n");
  if (!op)
    hd_template_error(s->r, s->at, "found no operator, allowed terms NAME OP, such as ||");
  n->op = hd_template_copy(s->r, p, op);
  hd_template_ends(s->r, s->at, p + op, line_end(p));
  while (!s->r->failed) {
    const char *q = s->next;
    s->at.line++;
    q += strspn(q, " \t");
    if (strncmp(q, "//@", 3) != 0) {
      hd_template_error(s->r, n->at, "found terms without end, allowed lines //@ | E : text, then //@ end");
      break;
    }
    s->next = line_end(q) + (*line_end(q) == '\n');
    q += 3;
    q += strspn(q, " \t");
    if (!strncmp(q, "end", 3)) {
      hd_template_ends(s->r, s->at, q + 3, line_end(q));
      break;
    }
    if (*q != '|') {
      hd_template_error(s->r, s->at, "found \"%.*s\" in terms, allowed | E : text or end",
                        (int)strcspn(q, "\n"), q);
      break;
    }
    q++;
    struct hd_node *term = *last = hd_template_node(s->r, s->at, HD_N_IF);
    last = &term->next;
    term->expr = hd_expr_parse(s->r, s->at, &q);
    if (term->expr && *q++ != ':')
      hd_template_error(s->r, s->at, "found no : behind the condition, allowed | E : text");
    if (!s->r->failed) {
      q += strspn(q, " \t");
      term->body = hd_template_line(s->r, s->at, q, line_end(q));
    }
  }
  return n;
}

static struct hd_node *def(struct parser *s, const char *p) {
  struct hd_node *n = hd_template_node(s->r, s->at, HD_N_DEF);
  struct hd_arg **last = &n->args;
  n->name = hd_template_name(s->r, s->at, &p, "a macro");
  if (!s->r->failed && *p == '(')
    do {
      p++;
      *last = hd_template_alloc(s->r, sizeof **last);
      (*last)->name = hd_template_name(s->r, s->at, &p, "a parameter");
      last = &(*last)->next;
    } while (!s->r->failed && *p == ',');
  if (n->args && !s->r->failed && *p++ != ')')
    hd_template_error(s->r, s->at, "found \"%.*s\", allowed def name(a, b)", (int)strcspn(p - 1, "\n"),
                      p - 1);
  if (!s->r->failed) {
    hd_template_ends(s->r, s->at, p, line_end(p));
    n->body = closed(s, n->at, "def");
  }
  return n;
}

static struct hd_node *loop(struct parser *s, const char *p) {
  struct hd_node *n = hd_template_node(s->r, s->at, HD_N_FOR);
  n->name = hd_template_name(s->r, s->at, &p, "a variable");
  n->expr = n->name ? hd_expr_parse(s->r, s->at, &p) : NULL;
  if (n->expr) {
    hd_template_ends(s->r, s->at, p, line_end(p));
    n->body = closed(s, n->at, "for");
  }
  return n;
}

static struct hd_node *each(struct parser *s, const char *p) {
  struct hd_node *n = hd_template_node(s->r, s->at, HD_N_EACH);
  struct hd_arg **last = &n->args;
  n->name = hd_template_name(s->r, s->at, &p, "a bundle");
  for (bool first = true; !s->r->failed && (first || (*p && *p != '\n')); first = false) {
    *last = hd_template_alloc(s->r, sizeof **last);
    (*last)->name = hd_template_name(s->r, s->at, &p, first ? "a variable" : "a field");
    last = &(*last)->next;
    if (first && !strncmp(p, "but ", 4))
      p += 4;
    else if (first)
      hd_template_ends(s->r, s->at, p, line_end(p));
  }
  if (!s->r->failed)
    n->body = closed(s, n->at, "each");
  return n;
}

static struct hd_node *wiring(struct parser *s, const char *p) {
  struct hd_node *n = hd_template_node(s->r, s->at, HD_N_WIRING);
  n->expr = hd_expr_parse(s->r, s->at, &p);
  if (n->expr)
    hd_template_ends(s->r, s->at, p, line_end(p));
  return n;
}

static struct hd_node *part(struct parser *s, const char *p) {
  struct hd_node *n = hd_template_node(s->r, s->at, HD_N_PART);
  const size_t size = strcspn(p, " \t\n");
  if (!size)
    hd_template_error(s->r, s->at, "found no name, allowed one");
  n->name = hd_template_copy(s->r, p, size);
  hd_template_ends(s->r, s->at, p + size, line_end(p));
  return n;
}

static void keys(struct parser *s, const char *p) {
  s->tree->keys_at = s->at;
  while (*p && *p != '\n') {
    const size_t n = strcspn(p, " \t\n");
    const char *key = hd_template_copy(s->r, p, n);
    if (!hd_expr_key(key))
      hd_template_error(s->r, s->at, "found %s, allowed keys of the configuration: section.key", key);
    const char **grown = hd_template_alloc(s->r, (s->tree->n_keys + 2) * sizeof *grown);
    if (s->tree->n_keys)
      memcpy(grown, s->tree->keys, s->tree->n_keys * sizeof *grown);
    grown[s->tree->n_keys++] = key;
    s->tree->keys = grown;
    p += n;
    p += strspn(p, " \t");
  }
}

/* Checks KEY=VALUE and SIZE=VALUE words. verif/prove reads them. */
static void small(struct parser *s, const char *p) {
  while (*p && *p != '\n') {
    const size_t n = strcspn(p, " \t\n");
    const char *key = hd_template_copy(s->r, p, strcspn(p, "= \t\n"));
    if (p[strlen(key)] != '=' || (!hd_expr_key(key) && hd_size_named(key, strlen(key)) == hd_n_sizes))
      hd_template_error(s->r, s->at, "found %.*s, allowed section.key=value or SIZE=value", (int)n, p);
    p += n;
    p += strspn(p, " \t");
  }
}

static const struct {
  const char *name;
  unsigned args;
} functions[] = {{"pick", 3}, {"lowest", 2}, {"number", 3}, {"xor_fold", 4}, {"check", 3}, {"mend", 3}};

/* Parses pick F N W and similar directives. Returns NULL if the word is none of them. */
static struct hd_node *function(struct parser *s, const char *word, const char *p) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!strcmp(functions[i].name, word)) {
      struct hd_node *n = hd_template_node(s->r, s->at, HD_N_FUNCTION);
      unsigned args = 0;
      n->name = functions[i].name;
      n->args = hd_template_words(s->r, s->at, p, line_end(p));
      for (const struct hd_arg *a = n->args; a; a = a->next)
        args++;
      if (args != functions[i].args)
        hd_template_error(s->r, s->at, "found %u words behind %s, allowed %u", args, word, functions[i].args);
      return n;
    }
  return NULL;
}

/* Parses a line that is a directive. Returns NULL if it leaves no node. */
static struct hd_node *directive(struct parser *s, const char *word, const char *p, bool top) {
  struct hd_node *n = function(s, word, p);
  if (n || s->r->failed)
    return n;
  if (!strcmp(word, "if"))
    return condition(s, p);
  if (!strcmp(word, "for"))
    return loop(s, p);
  if (!strcmp(word, "each"))
    return each(s, p);
  if (!strcmp(word, "part"))
    return part(s, p);
  if (!strcmp(word, "wiring"))
    return wiring(s, p);
  const bool defines = !strcmp(word, "def") || !strcmp(word, "terms"),
             reads = !strcmp(word, "keys") || !strcmp(word, HD_TEMPLATE_SMALL),
             kept = !strcmp(word, HD_TEMPLATE_LOOKS); /* verif/prove reads these; it knows the ports */
  if ((defines || reads || kept) && !top)
    hd_template_error(s->r, s->at, "found %s inside another directive, allowed outside", word);
  else if (defines)
    return *word == 'd' ? def(s, p) : terms(s, p);
  else if (reads)
    (*word == 'k' ? keys : small)(s, p);
  else if (!kept)
    hd_template_error(
        s->r, s->at,
        "found directive %s, allowed keys small looks part if elif else end for def terms each wiring "
        "pick lowest number xor_fold check mend #",
        word);
  return NULL;
}

/* Parses lines up to the file's end or to an elif, else or end. */
static struct hd_node *block(struct parser *s, bool top) {
  struct hd_node *first = NULL, **last = &first;
  while (*s->next && !s->r->failed) {
    const char *p = s->next, *end = line_end(p);
    s->at.line++;
    s->next = end + (*end == '\n');
    const char *mark = p + strspn(p, " \t");
    if (strncmp(mark, "//@", 3) != 0) {
      const char *stray = strstr(p, "//@");
      if (stray && stray < end)
        hd_template_error(s->r, s->at, "found //@ behind text, allowed alone in its line");
      *last = hd_template_node(s->r, s->at, HD_N_LINE);
      (*last)->body = hd_template_line(s->r, s->at, p, end);
      last = &(*last)->next;
      continue;
    }
    mark += 3;
    mark += strspn(mark, " \t");
    if (*mark == '#')
      continue;
    const size_t n = strcspn(mark, " \t\n");
    const char *word = hd_template_copy(s->r, mark, n);
    p = mark + n;
    p += strspn(p, " \t");
    if (!strcmp(word, "elif") || !strcmp(word, "else") || !strcmp(word, "end")) {
      if (strcmp(word, "elif") != 0)
        hd_template_ends(s->r, s->at, p, end);
      if (top)
        hd_template_error(s->r, s->at, "found %s, allowed behind a directive that it belongs to", word);
      s->stop = word;
      s->stop_text = p;
      return first;
    }
    *last = directive(s, word, p, top);
    if (*last)
      last = &(*last)->next;
  }
  s->stop = NULL;
  return first;
}

bool hd_template_parse(struct hd_reading *r, const struct hd_template_file *file, struct hd_tree *tree) {
  struct parser s = {.r = r, .at = {file->path, 0}, .next = file->text, .tree = tree};
  static const char *none;
  *tree = (struct hd_tree){.keys = &none};
  tree->body = block(&s, true);
  return !r->failed;
}
