/* Parses the pieces of a template's line: text and inline directives; and arguments, which may hold @name. */
#include <ctype.h>
#include <string.h>

#include "rtl_gen/template/tree.h"

struct hd_node *hd_template_node(struct hd_reading *r, struct hd_place at, enum hd_node_kind kind) {
  struct hd_node *n = hd_template_alloc(r, sizeof *n);
  n->kind = kind;
  n->at = at;
  return n;
}

static const char *blanks(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\t'))
    p++;
  return p;
}

static const char *trimmed(const char *p, const char *end) {
  while (end > p && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  return end;
}

static size_t name_size(const char *p) {
  size_t n = 0;
  if (isalpha((unsigned char)*p) || *p == '_')
    while (isalnum((unsigned char)p[n]) || p[n] == '_')
      n++;
  return n;
}

const char *hd_template_name(struct hd_reading *r, struct hd_place at, const char **p, const char *what) {
  *p += strspn(*p, " \t");
  const size_t n = name_size(*p);
  if (!n) {
    hd_template_error(r, at, "found \"%.*s\", allowed the name of %s", (int)strcspn(*p, "\n"), *p, what);
    return NULL;
  }
  const char *name = hd_template_copy(r, *p, n);
  *p += n;
  *p += strspn(*p, " \t");
  return name;
}

void hd_template_ends(struct hd_reading *r, struct hd_place at, const char *p, const char *end) {
  p = blanks(p, end);
  if (p < end)
    hd_template_error(r, at, "found \"%.*s\", allowed the end of the directive", (int)(end - p), p);
}

/* The end of an argument that begins at p: a comma or `close`, outside all brackets. Returns NULL if there is
 * none. */
static const char *argument_end(const char *p, const char *end, char close) {
  int depth = 0;
  for (; p < end; p++) {
    if (!depth && (*p == ',' || *p == close))
      return p;
    depth += strchr("([{", *p) ? 1 : strchr(")]}", *p) ? -1 : 0;
  }
  return NULL;
}

/* Parses `(text, text)` at *p and moves *p behind it. */
static struct hd_arg *arguments(struct hd_reading *r, struct hd_place at, const char **p, const char *end) {
  struct hd_arg *first = NULL, **last = &first;
  if (*p == end || **p != '(')
    return NULL;
  for (const char *from = *p + 1, *to;; from = to + 1) {
    to = argument_end(from, end, ')');
    if (!to) {
      hd_template_error(r, at, "found \"%.*s\", allowed (text, text)", (int)(end - *p), *p);
      return first;
    }
    from = blanks(from, to);
    *last = hd_template_alloc(r, sizeof **last);
    (*last)->text = hd_template_argument(r, at, from, trimmed(from, to));
    last = &(*last)->next;
    if (*to == ')') {
      *p = to + 1;
      return first;
    }
  }
}

static struct hd_node *text_node(struct hd_reading *r, struct hd_place at, const char *p, const char *end) {
  struct hd_node *n = hd_template_node(r, at, HD_N_TEXT);
  n->name = hd_template_copy(r, p, (size_t)(end - p));
  return n;
}

/* Parses name or name(text, text) at *p. */
static struct hd_node *use(struct hd_reading *r, struct hd_place at, const char **p, const char *end) {
  struct hd_node *n = hd_template_node(r, at, HD_N_USE);
  const size_t size = name_size(*p);
  if (!size)
    hd_template_error(r, at, "found \"@%.*s\", allowed if elif else end = { or a name", (int)(end - *p), *p);
  n->name = hd_template_copy(r, *p, size);
  *p += size;
  n->args = arguments(r, at, p, end);
  return n;
}

struct hd_node *hd_template_argument(struct hd_reading *r, struct hd_place at, const char *p,
                                     const char *end) {
  struct hd_node *first = NULL, **last = &first;
  while (p < end && !r->failed) {
    const char *text = p;
    while (p < end && *p != '@')
      p++;
    if (p > text) {
      *last = text_node(r, at, text, p);
    } else {
      const bool closed = *++p == '(';
      p += closed;
      *last = use(r, at, &p, end);
      if (closed && *p++ != ')')
        hd_template_error(r, at, "found \"%.*s\", allowed @name, @name(text) or @(name)", (int)(end - text),
                          text);
    }
    last = &(*last)->next;
  }
  return first;
}

struct hd_arg *hd_template_words(struct hd_reading *r, struct hd_place at, const char *p, const char *end) {
  struct hd_arg *first = NULL, **last = &first;
  for (p = blanks(p, end); p < end; p = blanks(p, end)) {
    const char *const word = p;
    while (p < end && *p != ' ' && *p != '\t')
      p++;
    *last = hd_template_alloc(r, sizeof **last);
    (*last)->text = hd_template_argument(r, at, word, p);
    last = &(*last)->next;
  }
  return first;
}

/* Parses {bundle pattern, field=text, ...}. */
static struct hd_node *fields(struct hd_reading *r, struct hd_place at, const char *p, const char *end) {
  struct hd_node *n = hd_template_node(r, at, HD_N_FIELDS);
  const char *to;
  struct hd_arg **last = &n->args;
  n->name = hd_template_name(r, at, &p, "a bundle");
  for (bool named = false; !r->failed; named = true, p = to + 1) {
    to = argument_end(p, end, '}');
    if (!to) {
      hd_template_error(r, at, "found no }, allowed {bundle pattern, field=text}");
      break;
    }
    struct hd_arg *a = *last = hd_template_alloc(r, sizeof *a);
    last = &a->next;
    if (named) {
      a->name = hd_template_name(r, at, &p, "a field");
      if (a->name && *p++ != '=')
        hd_template_error(r, at, "found field %s without a text, allowed field=text", a->name);
    } else if (!memchr(p, '*', (size_t)(to - p))) {
      hd_template_error(r, at, "found no * in \"%.*s\", allowed a pattern with * for the field",
                        (int)(to - p), p);
    }
    if (r->failed)
      break;
    p = blanks(p, to);
    a->text = hd_template_argument(r, at, p, trimmed(p, to));
    if (*to == '}') {
      hd_template_ends(r, at, to + 1, end);
      break;
    }
  }
  return n;
}

/* --- inline directives ---------------------------------------------------------------------------------- */

struct line {
  struct hd_reading *r;
  struct hd_place at;
  const char *p, *end;
  const char *stop, *stop_end; /* the elif, else or end that ended a list of pieces, and the text after it */
};

static bool is_word(const char *p, const char *word) {
  const size_t n = strlen(word);
  return !strncmp(p, word, n) && !isalnum((unsigned char)p[n]) && p[n] != '_';
}

static struct hd_node *pieces(struct line *l, bool inside);

/* Parses if E ... end, from the text after `if` or `elif`. */
static struct hd_node *condition(struct line *l, const char *text, const char *text_end) {
  struct hd_node *n = hd_template_node(l->r, l->at, HD_N_IF);
  n->expr = hd_expr_parse(l->r, l->at, &text);
  if (n->expr)
    hd_template_ends(l->r, l->at, text, text_end);
  n->body = pieces(l, true);
  if (l->r->failed)
    return n;
  if (is_word(l->stop, "elif")) {
    n->other = condition(l, l->stop + strlen("elif"), l->stop_end);
  } else if (is_word(l->stop, "else")) {
    n->other = pieces(l, true);
    if (!l->r->failed && !is_word(l->stop, "end"))
      hd_template_error(l->r, l->at, "found %.4s behind else, allowed end", l->stop);
  }
  return n;
}

static struct hd_node *directive(struct line *l, const char *p, const char *end) {
  if (is_word(p, "if"))
    return condition(l, p + strlen("if"), end);
  if (*p == '=') {
    struct hd_node *n = hd_template_node(l->r, l->at, HD_N_VALUE);
    p++;
    n->expr = hd_expr_parse(l->r, l->at, &p);
    if (n->expr)
      hd_template_ends(l->r, l->at, p, end);
    return n;
  }
  if (*p == '{')
    return fields(l->r, l->at, p + 1, end);
  struct hd_node *n = use(l->r, l->at, &p, end);
  hd_template_ends(l->r, l->at, p, end);
  return n;
}

/* Parses up to the line's end, or inside an if up to its elif, else or end. */
static struct hd_node *pieces(struct line *l, bool inside) {
  struct hd_node *first = NULL, **last = &first;
  while (!l->r->failed) {
    const char *const text = l->p;
    const char *open = strstr(text, "/*@");
    if (!open || open >= l->end)
      open = l->end;
    if (open > text) {
      *last = text_node(l->r, l->at, text, open);
      last = &(*last)->next;
    }
    if ((l->p = open) == l->end) {
      if (inside)
        hd_template_error(l->r, l->at, "found the line's end, allowed /*@end*/ before it");
      return first;
    }
    const char *const close = strstr(open, "*/");
    if (!close || close >= l->end) {
      hd_template_error(l->r, l->at, "found /*@ without */, allowed both in one line");
      return first;
    }
    const char *const p = hd_template_copy(l->r, open + 3, (size_t)(close - open - 3)), *end = p + strlen(p);
    l->p = close + 2;
    if (is_word(p, "elif") || is_word(p, "else") || is_word(p, "end")) {
      if (!is_word(p, "elif"))
        hd_template_ends(l->r, l->at, p + strcspn(p, " "), end);
      if (!inside)
        hd_template_error(l->r, l->at, "found /*@%s*/, allowed behind an /*@if*/ of the same line", p);
      l->stop = p;
      l->stop_end = end;
      return first;
    }
    *last = directive(l, p, end);
    last = &(*last)->next;
  }
  return first;
}

struct hd_node *hd_template_line(struct hd_reading *r, struct hd_place at, const char *p, const char *end) {
  struct line l = {.r = r, .at = at, .p = p, .end = end, .stop = ""};
  return pieces(&l, false);
}
