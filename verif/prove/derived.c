/* Writes the properties that follow from a module's declaration; see derived.h. */
#include "verif/prove/derived.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arch/config/config.h"
#include "base/alloc.h"
#include "base/run.h"

/* --- ranges ----------------------------------------------------------------------------------------------- */

/* A derived size. `below` is the value of its expression without hd_clog2: if the size is a number's bits, values stay below `below`. */
struct limit {
  const char *name, *expr;
  unsigned bits, below;
};

static unsigned same(unsigned n) {
  return n;
}

static size_t limits_of(const struct hd_config *c, struct limit *all) {
#include "arch/config/sizes.h"
#define hd_clog2(n) same(n)
  const struct limit rows[] = {
#define DERIVED(name, expr, meaning) {#name, #expr, c->d.name, (unsigned)(expr)},
#include "arch/config/derived.def"
#undef DERIVED
  };
#undef hd_clog2
  if (all)
    memcpy(all, rows, sizeof rows);
  return sizeof rows / sizeof *rows;
}

/* Returns true if the expression is a single hd_clog2(...), perhaps with a condition and 0 or 1 as the other value. */
static bool is_log(const char *expr) {
  const char *log = strstr(expr, "hd_clog2("), *p = log ? log + strlen("hd_clog2(") : NULL;
  if (!log || strstr(p, "hd_clog2("))
    return false;
  for (const char *before = expr; before < log; before++)
    if (strchr("+/%", *before) || (*before == '-' && before[1] != '>'))
      return false;
  for (unsigned depth = 1; depth; p++) {
    depth += *p == '(';
    depth -= *p == ')';
  }
  return !*p || !strcmp(p, " : 0") || !strcmp(p, " : 1");
}

/* Returns the number below which the row's values stay; 0 if all values of its bits are legal. */
static unsigned below(const struct hd_row *r, const struct limit *all, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!strcmp(r->width_txt, all[i].name) && is_log(all[i].expr) && all[i].bits == r->width &&
        hd_clog2(all[i].below) == r->width && all[i].below < 1U << r->width)
      return all[i].below;
  return 0;
}

/* --- rows ------------------------------------------------------------------------------------------------- */

static const struct hd_row *port(const struct hd_decl *d, const char *format, const char *stem, size_t n) {
  char name[96];
  snprintf(name, sizeof name, format, (int)n, stem);
  for (size_t i = 0; i < d->n_rows; i++)
    if (hd_is_port(d->rows[i].cls) && !strcmp(d->rows[i].var, name))
      return &d->rows[i];
  return NULL;
}

/* Returns the `valid` of the handshake to which a port belongs: the one with the longest common name. Returns NULL if there is none. */
static const struct hd_row *valid_of(const struct hd_decl *d, const struct hd_row *r) {
  for (size_t n = strlen(r->var); n > 0; n--)
    if (r->var[n] == '_') {
      const struct hd_row *valid = port(d, "%.*s_valid", r->var, n);
      if (valid && valid != r && valid->width * valid->count == 1 &&
          (valid->cls == HD_IN) == (r->cls == HD_IN))
        return valid;
    }
  return NULL;
}

static void put_range(FILE *f, const struct hd_decl *d, const struct hd_row *r, unsigned limit) {
  const struct hd_row *valid = hd_is_port(r->cls) ? valid_of(d, r) : NULL;
  fprintf(f, "\n  %s_range: %s property (%s%s", r->var, r->cls == HD_IN ? "assume" : "assert",
          valid ? valid->var : "", valid ? " |-> " : "");
  for (unsigned e = 0; e < r->count; e++) {
    fprintf(f, "%s%s", e ? " && " : "", r->var);
    if (r->count > 1)
      fprintf(f, "[%u +: %u]", e * r->width, r->width);
    fprintf(f, " < %u", limit);
  }
  fprintf(f, ");\n");
}

static void put_ranges(FILE *f, const struct hd_design *design, const struct hd_decl *d) {
  const size_t n = limits_of(design->c, NULL);
  struct limit *all = hd_zeroed(n, sizeof *all);
  limits_of(design->c, all);
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    const unsigned limit = r->cls == HD_RAM ? 0 : below(r, all, n);
    /* A register without a reset value means nothing before it is written. */
    if (limit && (hd_is_port(r->cls) || r->reset != NORESET))
      put_range(f, d, r, limit);
  }
  free(all);
}

/* --- handshakes ------------------------------------------------------------------------------------------- */

/* Returns the `ready` of the handshake whose `valid` the row is; *n is the length of the handshake's name. Returns NULL if there
 * is none. */
static const struct hd_row *ready_of(const struct hd_decl *d, const struct hd_row *valid, size_t *n) {
  const size_t size = strlen(valid->var), end = strlen("_valid");
  if (!hd_is_port(valid->cls) || size <= end || strcmp(valid->var + size - end, "_valid") ||
      valid->width * valid->count != 1)
    return NULL;
  *n = size - end;
  const struct hd_row *ready = port(d, "%.*s_ready", valid->var, *n);
  return ready && (ready->cls == HD_IN) != (valid->cls == HD_IN) ? ready : NULL;
}

/* Returns true if the row is payload of the handshake NAME with this `valid`. `bytes`: ask for bytes of a line and their masks instead;
 * these have a meaning only in stores. */
static bool travels(const struct hd_row *r, const struct hd_row *valid, const char *name, size_t n,
                    bool bytes) {
  return hd_is_port(r->cls) && (r->cls == HD_IN) == (valid->cls == HD_IN) && r != valid &&
         !strncmp(r->var, name, n) && r->var[n] == '_' &&
         bytes == (!r->bundle && (strstr(r->var, "data") || strstr(r->var, "mask")));
}

static void put_payload(FILE *f, const struct hd_decl *d, const struct hd_row *valid, size_t n, bool bytes) {
  const char *between = "";
  for (size_t i = 0; i < d->n_rows; i++)
    if (travels(&d->rows[i], valid, valid->var, n, bytes)) {
      fprintf(f, "%s%s", between, d->rows[i].var);
      between = ", ";
    }
}

static unsigned bits_of(const struct hd_decl *d, const struct hd_row *valid, size_t n, bool bytes) {
  unsigned bits = 0;
  for (size_t i = 0; i < d->n_rows; i++)
    if (travels(&d->rows[i], valid, valid->var, n, bytes))
      bits += d->rows[i].count * d->rows[i].width;
  return bits;
}

/* Writes the properties of a handshake: a valid that is not taken stays, and so does its payload; bytes stay if it is a store. */
static void put_handshake(FILE *f, const struct hd_decl *d, const struct hd_row *valid,
                          const struct hd_row *ready, size_t n) {
  const char *v = valid->var, *does = valid->cls == HD_IN ? "assume" : "assert";
  const int s = (int)n;
  fprintf(f,
          "\n  reg %.*s_waits = 1'b0;\n  always @(posedge clk) %.*s_waits <= !rst && %s && !%s;\n"
          "  %.*s_stays: %s property (%.*s_waits |-> %s);\n",
          s, v, s, v, v, ready->var, s, v, does, s, v, v);
  for (int bytes = 0; bytes < 2; bytes++) {
    const char *what = bytes ? "bytes" : "payload";
    const unsigned bits = bits_of(d, valid, n, bytes);
    const struct hd_row *write = port(d, "%.*s_write", v, n);
    if (!bits || (bytes && !write))
      continue;
    fprintf(f, "\n  reg [%u:0] %.*s_%s_was;\n  always @(posedge clk) %.*s_%s_was <= {", bits - 1, s, v, what,
            s, v, what);
    put_payload(f, d, valid, n, bytes);
    fprintf(f, "};\n  %.*s_%s_stays: %s property (%.*s_waits%s%s |-> %.*s_%s_was == {", s, v, what, does, s,
            v, bytes ? " && " : "", bytes ? write->var : "", s, v, what);
    put_payload(f, d, valid, n, bytes);
    fprintf(f, "});\n");
  }
}

/* --- all -------------------------------------------------------------------------------------------------- */

char *hd_derived_properties(const struct hd_design *design, const struct hd_decl *d) {
  char *text = NULL;
  size_t size, n;
  FILE *f = hd_memory_open(&text, &size);
  put_ranges(f, design, d);
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *ready = ready_of(d, &d->rows[i], &n);
    if (ready)
      put_handshake(f, d, &d->rows[i], ready, n);
  }
  hd_memory_close(f);
  return text;
}

size_t hd_derived_ready(const struct hd_decl *d, const struct hd_row **valid, const struct hd_row **ready,
                        size_t from) {
  size_t n;
  for (size_t i = from; i < d->n_rows; i++) {
    *valid = &d->rows[i];
    *ready = ready_of(d, *valid, &n);
    if (*ready && (*ready)->cls != HD_IN)
      return i + 1;
  }
  return 0;
}
