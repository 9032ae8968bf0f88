/* Translates the statements of a checker; see statements.h. */
#include "verif/prove/statements.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A statement of the text. */
struct statement {
  const char *name, *begin, *end; /* of the whole statement; `end` is after the semicolon */
  size_t name_size;
  bool assume;
  char *when, *then; /* when NULL: always */
};

static bool in_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static const char *blanks(const char *p) {
  return p + strspn(p, " \t\n");
}

/* Returns the text after word `w` and blanks; NULL if `p` begins with another word. */
static const char *word(const char *p, const char *w) {
  const size_t n = strlen(w);
  return !strncmp(p, w, n) && !in_name(p[n]) ? blanks(p + n) : NULL;
}

static char *trimmed(const char *from, const char *to) {
  from = blanks(from);
  while (to > from && isspace((unsigned char)to[-1]))
    to--;
  return hd_format("%.*s", (int)(to - from), from);
}

/* Returns the parenthesis that closes the one before p; NULL if there is none. *arrow is the |-> between them, or NULL. */
static const char *closing(const char *p, const char **arrow) {
  *arrow = NULL;
  for (unsigned depth = 1; *p; p++) {
    depth += strchr("([{", *p) != NULL;
    depth -= strchr(")]}", *p) != NULL;
    if (!depth)
      return p;
    if (depth == 1 && !strncmp(p, "|->", 3))
      *arrow = p;
  }
  return NULL;
}

/* Finds the next statement from p on. If there is none it returns HD_OK with `begin` NULL. Returns HD_INPUT if a statement has another
 * form. */
static enum hd_rc next(const char *p, struct statement *s, struct hd_why *why) {
  *s = (struct statement){.begin = NULL};
  const char *colon = p;
  while ((colon = strchr(colon, ':'))) {
    const char *at = blanks(colon + 1), *does = word(at, "assert");
    s->assume = !does;
    if (!does)
      does = word(at, "assume");
    const char *open = does ? word(does, "property") : NULL;
    if (open && *open == '(') {
      const char *name = colon, *arrow, *close = closing(open + 1, &arrow);
      while (name > p && in_name(name[-1]))
        name--;
      const char *end = close ? blanks(close + 1) : NULL;
      if (name == colon || !end || *end != ';')
        return hd_because(why, HD_INPUT, "found \"%.60s\", allowed NAME: assert property (WHEN |-> THEN);",
                          name);
      s->name = s->begin = name;
      s->name_size = (size_t)(colon - name);
      s->end = end + 1;
      s->when = arrow ? trimmed(open + 1, arrow) : NULL;
      s->then = trimmed(arrow ? arrow + 3 : open + 1, close);
      return HD_OK;
    }
    colon++;
  }
  return HD_OK;
}

static enum hd_rc add(struct hd_proof *proof, struct statement *s, struct hd_why *why) {
  char *name = hd_format("%.*s", (int)s->name_size, s->name);
  for (size_t i = 0; i < proof->n; i++)
    if (!strcmp(proof->property[i].name, name)) {
      hd_because(why, HD_INPUT, "property %s: found twice, allowed once", name);
      free(name);
      return HD_INPUT;
    }
  proof->property = hd_resized(proof->property, proof->n + 1, sizeof *proof->property);
  proof->property[proof->n++] = (struct hd_property){
      .name = name, .when = s->when, .then = s->then, .verdict = HD_OPEN, .cover = HD_OPEN, .by = "-"};
  s->when = s->then = NULL;
  return HD_OK;
}

/* Writes one statement as plain Verilog. */
static enum hd_rc put(FILE *f, struct hd_proof *proof, struct statement *s, struct hd_why *why) {
  const char *when = s->when ? s->when : "1'b1";
  enum hd_rc rc = HD_OK;
  if (s->assume) {
    fprintf(f, "always @* if (checked) assume (!(%s) || (%s));", when, s->then);
    proof->assumptions++;
  } else {
    fprintf(f, "assign asks[%zu] = checked && (%s); assign bad[%zu] = asks[%zu] && !(%s);", proof->n, when,
            proof->n, proof->n, s->then);
    rc = add(proof, s, why);
  }
  free(s->when);
  free(s->then);
  return rc;
}

/* Returns the checker with more ports, and with the assumption that the first cycle is a reset. */
static char *with_outputs(const char *items, size_t n, const char *ports, const char *inputs) {
  const char *list = strstr(items, "clk, rst"), *body = list ? strstr(list, ");\n") : NULL;
  if (!body)
    abort(); /* every checker has them */
  body += strlen(");\n");
  const size_t bits = n ? n : 1;
  return hd_format("%.*sbad, asks, %s%.*s%s"
                   "  output wire [%zu:0] bad, asks;\n"
                   "  reg begun = 1'b0;\n"
                   "  wire checked = begun && !rst;\n"
                   "  always @(posedge clk) begun <= 1'b1;\n"
                   "  always @* if (!begun) assume (rst);\n%s",
                   (int)(list - items), items, ports, (int)(body - list), list, inputs, bits - 1, body);
}

char *hd_statements(const char *checker, const char *ports, const char *inputs, struct hd_proof *proof,
                    struct hd_why *why) {
  char *text = NULL;
  size_t size;
  struct statement s;
  FILE *f = hd_memory_open(&text, &size);
  enum hd_rc rc = next(checker, &s, why);
  while (rc == HD_OK && s.begin) {
    fprintf(f, "%.*s", (int)(s.begin - checker), checker);
    checker = s.end;
    rc = put(f, proof, &s, why);
    if (rc == HD_OK)
      rc = next(checker, &s, why);
  }
  fputs(checker, f);
  hd_memory_close(f);
  char *all = rc == HD_OK ? with_outputs(text, proof->n, ports, inputs) : NULL;
  free(text);
  return all;
}
