/* Specs: parsing, error texts and listing, all from the suites' tables. workloads.h has the grammar. */
#include "base/nearest_name.h"
#include "base/printable.h"
#include "workloads/trace_open.h"
#include "workloads/workloads.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name;
  const struct wl_workload *table;
} suites[] = {{"polybench", wl_polybench},
              {"rodinia", wl_rodinia},
              {"parboil", wl_parboil},
              {"sdk", wl_sdk},
              {"mars", wl_mars},
              {"rodinia-data", wl_rodinia_data},
              {"graphs", wl_graphs},
              {"random", wl_random},
              {NULL, NULL}};

/* The prefix of a trace's spec. A path follows, and nothing else. */
#define TRACE "trace:"

/* A part of the spec. */
struct text {
  const char *at;
  int len;
};

/* The buffer for an error line. */
struct report {
  char *text;
  size_t size, used;
};

static void say(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct report *r, const char *format, ...) {
  if (r->used >= r->size)
    return;
  va_list args;
  va_start(args, format);
  const int n = vsnprintf(r->text + r->used, r->size - r->used, format, args);
  va_end(args);
  hd_printable(r->text + r->used);
  r->used += n > 0 ? (size_t)n : 0;
}

/* Returns workload number i, with the name of its suite in *suite; NULL after the last. */
static const struct wl_workload *at(size_t i, const char **suite) {
  for (size_t s = 0; (*suite = suites[s].name); s++)
    for (const struct wl_workload *w = suites[s].table; w->name; w++)
      if (i-- == 0)
        return w;
  return NULL;
}

const struct wl_workload *wl_workload(size_t i) {
  const char *suite;
  return at(i, &suite);
}

const char *wl_suite(size_t i) {
  const char *suite;
  at(i, &suite);
  return suite;
}

const char *wl_array_name(const struct wl_source *source, uint64_t addr) {
  return source->ops->array_name ? source->ops->array_name(source, addr) : NULL;
}

bool wl_made_up(const struct wl_workload *w, const struct wl_key *key) {
  for (size_t i = 0; i < WL_MAX_KEYS && w->made_up[i]; i++)
    if (strcmp(w->made_up[i], key->name) == 0)
      return true;
  return false;
}

static bool same(struct text t, const char *name) {
  return strlen(name) == (size_t)t.len && memcmp(t.at, name, (size_t)t.len) == 0;
}

/* Cuts the text before the first of the separators off the front of *rest, or all of it if there is none. */
static struct text cut(const char **rest, const char *separators) {
  const struct text head = {*rest, (int)strcspn(*rest, separators)};
  *rest += head.len;
  if (**rest)
    ++*rest;
  return head;
}

/* Returns true if the text is longer than `end` and ends with it. */
static bool ends(struct text t, const char *end) {
  const int n = (int)strlen(end);
  return t.len > n && !memcmp(t.at + t.len - n, end, (size_t)n);
}

/* Names that end like a program or a trace. They are not workload names, but a user may try them. */
static bool is_program(struct text name) {
  static const char *const endings[] = {".cu", ".cuh", ".cl",  ".ptx", ".cubin",
                                        ".c",  ".cc",  ".cpp", ".hip", ".py"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (ends(name, endings[i]))
      return true;
  return false;
}
static bool is_trace_file(struct text name) {
  return ends(name, ".htrace") || ends(name, ".g") || ends(name, ".traceg") || ends(name, ".traceg.xz");
}

/* Collects the listed name nearest to the name in the spec. */
struct guess {
  char found[64];
  struct hd_near near;
};
static void guess_begin(struct guess *g, struct text found) {
  snprintf(g->found, sizeof g->found, "%.*s", found.len, found.at);
  g->near = hd_near_to(g->found);
}

static const struct wl_workload *find_workload(struct text name, struct report *r) {
  const struct wl_workload *w;
  struct guess g;
  guess_begin(&g, name);
  for (size_t i = 0; (w = wl_workload(i)); i++) {
    if (same(name, w->name))
      return w;
    hd_near_try(&g.near, w->name);
  }
  if (is_program(name)) {
    say(r,
        "'%.*s' is a program, and Heddle runs what its warps execute; two ways in: record a trace on a GPU "
        "with the tracer "
        "of Accel-Sim and write " TRACE "DIR, or add a generator of its addresses "
        "(docs/workloads.md)",
        name.len, name.at);
    return NULL;
  }
  if (is_trace_file(name)) {
    say(r, "'%.*s' is the name of a trace; write " TRACE "%.*s", name.len, name.at, name.len, name.at);
    return NULL;
  }
  for (size_t s = 0; suites[s].name; s++)
    hd_near_try(&g.near, suites[s].name);
  say(r, "workload '%.*s' is not known; %sallowed:", name.len, name.at, hd_near_text(&g.near).text);
  for (size_t i = 0; (w = wl_workload(i)); i++)
    say(r, "%s %s", i ? "," : "", w->name);
  say(r, ", " TRACE "PATH");
  return NULL;
}

static const struct wl_input *find_input(const struct wl_workload *w, struct text name, struct report *r) {
  struct guess g;
  guess_begin(&g, name);
  for (const struct wl_input *in = w->input; in->name; in++) {
    if (same(name, in->name))
      return in;
    hd_near_try(&g.near, in->name);
  }
  say(r, "%s: input '%.*s' is not known; %sallowed:", w->name, name.len, name.at, hd_near_text(&g.near).text);
  for (const struct wl_input *in = w->input; in->name; in++)
    say(r, "%s %s", in > w->input ? "," : "", in->name);
  say(r, ", or key=value");
  return NULL;
}

static const struct wl_key *find_key(const struct wl_workload *w, struct text name, struct report *r) {
  struct guess g;
  guess_begin(&g, name);
  for (const struct wl_key *key = w->key; key->name; key++) {
    if (same(name, key->name))
      return key;
    hd_near_try(&g.near, key->name);
  }
  say(r, "%s: key '%.*s' is not known; %sallowed:%s", w->name, name.len, name.at, hd_near_text(&g.near).text,
      w->file ? " file=PATH," : "");
  for (const struct wl_key *key = w->key; key->name; key++)
    say(r, "%s %s=%" PRIu64 "..%" PRIu64, key > w->key ? "," : "", key->name, key->min, key->max);
  return NULL;
}

/* Reads a value and checks that it is in the key's range. */
static bool read_value(const struct wl_workload *w, const struct wl_key *key, struct text t, uint64_t *value,
                       struct report *r) {
  bool ok = t.len > 0;
  *value = 0;
  for (int i = 0; i < t.len && ok; i++) {
    const uint64_t digit = (uint64_t)(unsigned char)t.at[i] - '0';
    ok = digit <= 9 && *value <= (UINT64_MAX - digit) / 10;
    *value = *value * 10 + digit;
  }
  if (ok && *value >= key->min && *value <= key->max)
    return true;
  say(r, "%s: %s=%.*s is not allowed; allowed: %s=%" PRIu64 "..%" PRIu64 " (%s)", w->name, key->name, t.len,
      t.at, key->name, key->min, key->max, key->meaning);
  return false;
}

static bool read_key(const struct wl_workload *w, struct text name, struct text digits, uint64_t *value,
                     bool *given, struct report *r) {
  const struct wl_key *key = find_key(w, name, r);
  if (!key)
    return false;
  if (given[key - w->key]) {
    say(r, "%s: key '%s' is given twice; allowed: once", w->name, key->name);
    return false;
  }
  given[key - w->key] = true;
  return read_value(w, key, digits, &value[key - w->key], r);
}

static bool read_file(const struct wl_workload *w, struct text path, char **file, struct report *r) {
  if (*file || !path.len)
    say(r, "%s: file= %s; allowed: file=PATH, once (%s)", w->name, *file ? "is given twice" : "names nothing",
        w->file);
  else if (!(*file = strndup(path.at, (size_t)path.len)))
    say(r, "%s: out of memory", w->name);
  else
    return true;
  return false;
}

/* Checks that no key is given that has no effect beside the user's file. */
static bool check_given(const struct wl_workload *w, const bool *given, struct report *r) {
  for (const struct wl_key *key = w->key; key->name; key++)
    if (given[key - w->key] && wl_made_up(w, key)) {
      say(r,
          "%s: key '%s' describes the input that is made up and changes nothing beside file=; leave one out",
          w->name, key->name);
      return false;
    }
  return true;
}

/* Reads the items after the name. Puts the values of all keys into `value` and the path into *file (to be
 * freed). */
static bool read_items(const struct wl_workload *w, const char *rest, bool more, uint64_t *value, char **file,
                       struct report *r) {
  const struct text small = {"small", 5};
  const struct wl_input *input = NULL;
  bool given[WL_MAX_KEYS] = {false};
  const size_t head = strcspn(rest, ",=");
  if (more && rest[head] != '=') {
    input = find_input(w, cut(&rest, ","), r);
    more = rest[-1] == ',';
  } else {
    input = find_input(w, small, r);
  }
  if (!input)
    return false;
  memcpy(value, input->value, sizeof input->value);
  while (more) {
    const struct text item = {rest, (int)strcspn(rest, ",")};
    const struct text name = {rest, (int)strcspn(rest, ",=")};
    if (name.len == item.len) {
      say(r, "%s: '%.*s' is not key=value; an input must come first, and once", w->name, item.len, item.at);
      return false;
    }
    const struct text value_text = {name.at + name.len + 1, item.len - name.len - 1};
    if (!(w->file && same(name, "file") ? read_file(w, value_text, file, r)
                                        : read_key(w, name, value_text, value, given, r)))
      return false;
    rest += item.len;
    more = *rest == ',';
    rest += more;
  }
  return !*file || check_given(w, given, r);
}

static bool is_trace(const char *spec) {
  return !strncmp(spec, TRACE, strlen(TRACE));
}

/* Parses the spec of a catalogue workload. Puts the values of all keys into `value` and the path into *file
 * (to be freed in any case). Returns NULL with one line in err. */
static const struct wl_workload *parse(const char *spec, uint64_t *value, char **file, char *err,
                                       size_t errlen) {
  struct report r = {err, errlen, 0};
  const char *rest = spec;
  *file = NULL;
  say(&r, "%s", "");
  const struct text name = cut(&rest, ":");
  const struct wl_workload *w = find_workload(name, &r);
  return w && read_items(w, rest, spec[name.len] == ':', value, file, &r) ? w : NULL;
}

bool wl_check(const char *spec, char *err, size_t errlen) {
  uint64_t value[WL_MAX_KEYS];
  char *file = NULL;
  const bool ok = is_trace(spec) || parse(spec, value, &file, err, errlen);
  free(file);
  return ok;
}

bool wl_value(const char *spec, const char *key, uint64_t *found) {
  uint64_t value[WL_MAX_KEYS];
  char *file = NULL, err[256];
  const struct wl_workload *w = is_trace(spec) ? NULL : parse(spec, value, &file, err, sizeof err);
  const struct wl_key *k = w ? w->key : NULL;
  while (k && k->name && strcmp(k->name, key) != 0)
    k++;
  const bool has = k && k->name && !(file && wl_made_up(w, k));
  if (has)
    *found = value[k - w->key];
  free(file);
  return has;
}

struct wl_source *wl_open(const char *spec, char *err, size_t errlen) {
  if (is_trace(spec))
    return wl_trace_open(spec + strlen(TRACE), err, errlen);
  struct wl_input_values input = {{0}, NULL};
  char *file;
  const struct wl_workload *w = parse(spec, input.value, &file, err, errlen);
  input.file = file;
  struct wl_source *source = w ? w->open(w, &input, err, errlen) : NULL;
  free(file);
  return source;
}

void wl_list(FILE *out) {
  const struct wl_workload *w;
  for (size_t i = 0; (w = wl_workload(i)); i++) {
    fprintf(out, "%s%s\n  suite:    %s\n  launches: %s\n  origin:   %s\n", i ? "\n" : "", w->name,
            wl_suite(i), w->launches, w->origin);
    for (const struct wl_key *key = w->key; key->name; key++)
      fprintf(out, "  key:      %s=%" PRIu64 "..%" PRIu64 "  %s%s\n", key->name, key->min, key->max,
              key->meaning, wl_made_up(w, key) ? "; not with file=" : "");
    if (w->file)
      fprintf(out, "  key:      file=PATH  %s\n", w->file);
    for (const struct wl_input *in = w->input; in->name; in++) {
      fprintf(out, "  input:    %-6s", in->name);
      for (const struct wl_key *key = w->key; key->name; key++)
        fprintf(out, "%c%s=%" PRIu64, key > w->key ? ',' : ' ', key->name, in->value[key - w->key]);
      fprintf(out, "\n");
    }
  }
  fprintf(out,
          "\n" TRACE
          "PATH\n  launches: the trace's; a .htrace file, or a kernelslist.g or .traceg of Accel-Sim's\n");
}
