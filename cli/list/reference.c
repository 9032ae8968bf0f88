/* The declarations as text. The page is made from the .def files themselves, so it has every row with its
 * expressions, for any machine. The listing is made from a design, so it has the rows and the numbers of
 * one machine. */
#include "cli/list/reference.h"

#include "base/run.h"

#include <stdlib.h>
#include <string.h>

enum part { HEAD, FREE_, PORT, STATE, EVENT_, INSIDE };
struct line {
  enum part part;
  const char *name, *kind, *count, *width,
      *meaning; /* HEAD: title, source; EVENT_: name, when, format; FREE_: name, least, when */
};

#define HD_EACH "cli/list/gen_page.h"
#include "arch/each_module.h"

static const struct {
  const char *module;
  const struct line *lines;
  size_t n;
} modules[] = {
#define MODULE_MOORE(X, room) {#X, X##_lines, sizeof X##_lines / sizeof *X##_lines},
#define MODULE_MEALY(X, room) MODULE_MOORE(X, room)
#define MODEL_MOORE(X, room) MODULE_MOORE(X, room)
#define MODEL_MEALY(X, room) MODULE_MEALY(X, room)
#include "arch/declaration/modules.def"
};

/* Writes a cell of a Markdown table. `code` sets it in a code span. */
static void cell(const char *text, bool code, FILE *f) {
  const bool in_code = code && *text;
  fputs(in_code ? "| `" : "| ", f);
  for (; *text; text++)
    fprintf(f, *text == '|' ? "\\|" : "%c", *text);
  fputs(in_code ? "` " : " ", f);
}

static void table(const struct line *lines, size_t n, enum part part, const char *heading, FILE *f) {
  bool begun = false;
  for (size_t i = 0; i < n; i++) {
    const struct line *l = &lines[i];
    if (l->part != part)
      continue;
    if (!begun)
      fputs(heading, f);
    begun = true;
    cell(l->name, true, f);
    if (part == PORT || part == STATE) {
      cell(l->kind, false, f);
      cell(l->count, true, f);
      cell(l->width, true, f);
      cell(l->meaning, false, f);
    } else if (part == EVENT_) {
      cell(l->kind, true, f);
      cell(l->count, false, f);
      cell(l->meaning, false, f);
    } else {
      cell(l->kind, true, f);
      cell(l->count, true, f);
    }
    fputs("|\n", f);
  }
}

void hd_reference_params(FILE *f) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  fprintf(f, "| key | default | allowed | meaning | source |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < n; i++) {
    const struct hd_key *k = &keys[i];
    fprintf(f, "| `%s.%s` | `%s` | ", k->section, k->key, hd_key_text(k, k->dflt).text);
    if (k->type == HD_KEY_INT)
      fprintf(f, "%ld..%ld %s", k->min, k->max, k->unit);
    else if (k->type == HD_KEY_BOOL)
      fprintf(f, "`true`, `false`");
    for (size_t w = 0; w < k->n_words; w++)
      fprintf(f, "%s`%s`: %s", w ? "; " : "", k->words[w].word, k->words[w].meaning);
    fprintf(f, " | %s | %s |\n", k->meaning, k->source);
  }
}

/* Writes a paragraph in lines of 100 columns. */
static void paragraph(const char *text, FILE *f) {
  size_t column = 0;
  while (*text) {
    const size_t bytes = strcspn(text, " ");
    size_t width = 0;
    for (size_t i = 0; i < bytes; i++)
      width += (text[i] & 0xc0) != 0x80; /* not the continuation bytes of UTF-8 */
    const bool fits = column + 1 + width <= 100;
    fprintf(f, "%s%.*s", !column ? "" : fits ? " " : "\n", (int)bytes, text);
    column = column && fits ? column + 1 + width : width;
    text += bytes + strspn(text + bytes, " ");
  }
  fputs("\n", f);
}

void hd_reference_page(FILE *f) {
  fprintf(f, "# Reference\n\n"
             "Every configuration key, every derived size, every module with its ports, state and events.\n"
             "For engineers who look up a name.\n"
             "Read [architecture.md](architecture.md) before.\n\n");
  paragraph(
      "Made by `heddle list modules --markdown` from `arch/*/*.def`; do not edit. Sizes are expressions "
      "over the configuration; a row whose size is 0 in a machine does not exist in it. `heddle list "
      "modules -c CONFIG` prints the numbers of one machine. A parameter of a module's Verilog takes "
      "any value from the one named up (architecture.md); the row's condition, and a value below, bind "
      "it to the configuration.",
      f);
  fprintf(f, "\n## Configuration keys\n\n");
  hd_reference_params(f);
  fprintf(f, "\n## Derived sizes\n\n| name | from | meaning |\n|---|---|---|\n");
#define DERIVED(name, expr, meaning)                                                                         \
  cell(#name, true, f);                                                                                      \
  cell(#expr, true, f);                                                                                      \
  cell(meaning, false, f);                                                                                   \
  fputs("|\n", f);
#include "arch/config/derived.def"
#undef DERIVED
  fprintf(f, "\n## Bundles\n");
#define FIELD(bundle, field, width, meaning)                                                                 \
  cell(#field, true, f);                                                                                     \
  cell(#width, true, f);                                                                                     \
  cell(meaning, false, f);                                                                                   \
  fputs("|\n", f);
#define BUNDLE(name, meaning, fields)                                                                        \
  fputs("\n", f);                                                                                            \
  paragraph("`" #name "`: " meaning, f);                                                                     \
  fputs("\n| field | bits | meaning |\n|---|---|---|\n", f);                                                 \
  fields
#include "arch/declaration/bundles.def"
#undef BUNDLE
#undef FIELD
  fprintf(f, "\n## Figures of `heddle sim`\n\nKeys of its JSON, summed over all SMs ([json.md](json.md)).\n");
#define GROUP(group, when, place, meaning)                                                                   \
  fputs("\n", f);                                                                                            \
  paragraph("`" #group "`: " meaning, f);                                                                    \
  fputs("\n| figure | meaning |\n|---|---|\n", f);
#define FIGURE(group, name, value, meaning)                                                                  \
  cell(#name, true, f);                                                                                      \
  cell(meaning, false, f);                                                                                   \
  fputs("|\n", f);
#include "arch/config/figures.h"
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
    const struct line *lines = modules[i].lines;
    const size_t n = modules[i].n;
    fprintf(f, "\n## `%s`\n\n", modules[i].module);
    char *what = hd_format("%s (%s).", lines[0].name, lines[0].kind);
    paragraph(what, f);
    free(what);
    table(lines, n, FREE_, "\n| parameter | from | if |\n|---|---|---|\n", f);
    table(lines, n, PORT, "\n| port | direction | elements | bits | meaning |\n|---|---|---|---|---|\n", f);
    table(lines, n, STATE, "\n| state | kind | elements | bits | meaning |\n|---|---|---|---|---|\n", f);
    table(lines, n, EVENT_, "\n| event | if | says | meaning |\n|---|---|---|---|\n", f);
    table(lines, n, INSIDE, "\n| instance | module | if |\n|---|---|---|\n", f);
  }
}

static void list_module(const struct hd_decl *d, FILE *f) {
  static const char *const kinds[] = {"input", "output", "output, Mealy", "output, late", "register", "CAM"};
  fprintf(f, "%s: %s [%s]\n  %u flip-flop bits, %u RAM bits\n", d->module, d->title, d->source,
          hd_decl_ff_bits(d), hd_decl_ram_bits(d));
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    if (r->cls == HD_RAM)
      continue;
    char size[32];
    if (r->count > 1)
      snprintf(size, sizeof size, "%u x %u", r->count, r->width);
    else
      snprintf(size, sizeof size, "%u", r->width);
    fprintf(f, "  %-14s %-18s %10s  %s\n", kinds[r->cls], r->name, size, r->meaning);
  }
  for (size_t i = 0; i < d->n_mems; i++) {
    const struct hd_mem *m = &d->mems[i];
    fprintf(f, "  %-14s %-18s %u x %u rows of %u bits%s%s  %s\n",
            hd_one_port(m->ports) ? "RAM 1RW" : "RAM 1R1W", m->name, m->banks, m->depth, m->width,
            hd_masked(m->ports) ? ", write mask" : "", m->ports == HD_1RW_M_SLEEP ? ", rows sleep" : "",
            m->meaning);
  }
  for (size_t i = 0; i < d->n_events; i++)
    if (d->events[i].when)
      fprintf(f, "  %-14s %-18s %10s  %s\n", "event", d->events[i].name, "", d->events[i].meaning);
  for (size_t i = 0; i < d->n_insts; i++)
    fprintf(f, "  %-14s %-18s %10s  %s\n", "instance", d->insts[i].name, "", d->insts[i].decl->module);
}

void hd_reference_modules(const struct hd_design *design, FILE *f) {
  for (size_t i = 0; i < design->n; i++) {
    fprintf(f, "%s", i ? "\n" : "");
    list_module(design->decls[i], f);
  }
}
