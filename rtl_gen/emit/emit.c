/* The frame of a Verilog module, written from its declaration; see emit.h.
 *
 * Invariant: the text depends on the declaration, the configuration and the behaviour alone: no dates, no
 * paths, no addresses.
 */
#include "rtl_gen/emit/emit.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct hd_size hd_sizes[] = {
#define DERIVED(name, expr, meaning) {#name, meaning, offsetof(struct hd_derived, name)},
#include "arch/config/derived.def"
#undef DERIVED
};
const size_t hd_n_sizes = sizeof hd_sizes / sizeof *hd_sizes;

unsigned hd_size_of(const struct hd_design *design, size_t i) {
  return *(const unsigned *)((const char *)&design->c->d + hd_sizes[i].offset);
}

/* --- small texts ---------------------------------------------------------------------------------------- */

/* A size like ON_MISS is 1 if something is there at all: a factor that is no size where it is there. */
static bool is_flag(const char *name, size_t n) {
  for (size_t i = 0; i < hd_n_sizes; i++)
    if (strlen(hd_sizes[i].name) == n && !memcmp(hd_sizes[i].name, name, n))
      return !strncmp(hd_sizes[i].meaning, "1 if ", 5);
  return false;
}

/* The product of two declared expressions as Verilog, without factors that are 1. "" where nothing is left.
 */
static struct hd_range product(const char *a, const char *b) {
  struct hd_range out = {""};
  const char *const both[] = {a, b};
  size_t used = 0;
  for (int i = 0; i < 2; i++)
    for (const char *p = both[i]; *p; p += *p == '*') {
      p += strspn(p, " ");
      size_t n = strcspn(p, "*");
      const char *factor = p;
      p += n;
      while (n && factor[n - 1] == ' ')
        n--;
      if ((n == 1 && *factor == '1') || is_flag(factor, n))
        continue;
      const bool sum = memchr(factor, '+', n) || memchr(factor, '-', n);
      used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%s%s%.*s%s", used ? "*" : "",
                               sum ? "(" : "", (int)n, factor, sum ? ")" : "");
    }
  return out;
}

static struct hd_range range(struct hd_range size) {
  struct hd_range out = {""};
  char *end;
  const long value = strtol(size.text, &end, 10);
  if (*size.text && !*end)
    snprintf(out.text, sizeof out.text, "[%ld:0]", value - 1);
  else if (*size.text)
    snprintf(out.text, sizeof out.text, "[%.70s-1:0]", size.text);
  return out;
}

struct hd_range hd_range_of(const struct hd_row *row) {
  return range(product(row->count_txt, row->width_txt));
}

struct hd_fields hd_fields_of(const struct hd_config *c, const char *bundle, const char *prefix,
                              const char *suffix) {
#define DERIVED(name, expr, meaning)                                                                         \
  const unsigned name = c->d.name;                                                                           \
  (void)name;
#include "arch/config/derived.def"
#undef DERIVED
  struct hd_fields out = {"{"};
  size_t used = 1;
#define FIELD(of, field, width, meaning)                                                                     \
  if (!strcmp(bundle, #of) && (width) > 0)                                                                   \
    used += (size_t)snprintf(out.text + used, sizeof out.text - used, "%s%s%s%s", used > 1 ? ", " : "",      \
                             prefix, #field, suffix);
#define BUNDLE(name, meaning, fields) fields
#include "arch/declaration/bundles.def"
#undef BUNDLE
#undef FIELD
  snprintf(out.text + used, sizeof out.text - used, "}");
  return out;
}

/* Verilog is plain ASCII: some tools stop at anything else. */
static void put_ascii(FILE *f, const char *text) {
  for (; *text; text++)
    if (!strncmp(text, "§", strlen("§"))) {
      fputs("section ", f);
      text += strlen("§") - 1;
    } else {
      fputc((unsigned char)*text < 128 ? *text : '?', f);
    }
}

void hd_put_lowest(FILE *f, const char *name, const char *n) {
  fprintf(f,
          "\n  // the lowest 1 of v, alone: a prefix OR in log steps\n"
          "  function [%s-1:0] %s(input [%s-1:0] v);\n"
          "    reg [%s-1:0] below;\n"
          "    integer step;\n"
          "    begin\n"
          "      below = v;\n"
          "      for (step = 1; step < %s; step = step * 2)\n"
          "        below = below | (below << step);\n"
          "      %s = v & ~(below << 1);\n"
          "    end\n"
          "  endfunction\n",
          n, name, n, n, n, name);
}

void hd_put_number(FILE *f, const char *name, const char *n, const char *w) {
  fprintf(f,
          "\n  // the number of the one 1 of v\n"
          "  function [%s-1:0] %s(input [%s-1:0] v);\n"
          "    integer i;\n"
          "    begin\n"
          "      %s = 0;\n"
          "      for (i = 0; i < %s; i = i + 1)\n"
          "        %s = %s | ({%s{v[i]}} & i[%s-1:0]);\n"
          "    end\n"
          "  endfunction\n",
          w, name, n, name, n, name, name, w, w);
}

void hd_put_pick(FILE *f, const char *name, const char *n, const char *w) {
  fprintf(f,
          "\n  // the element of v at the one 1 of at\n"
          "  function [%s-1:0] %s(input [%s-1:0] at, input [%s*%s-1:0] v);\n"
          "    integer i;\n"
          "    begin\n"
          "      %s = 0;\n"
          "      for (i = 0; i < %s; i = i + 1)\n"
          "        %s = %s | ({%s{at[i]}} & v[i*%s +: %s]);\n"
          "    end\n"
          "  endfunction\n",
          w, name, n, n, w, name, n, name, name, w, w, w);
}

/* --- the frame ------------------------------------------------------------------------------------------ */

static void put_banner(FILE *f, const struct hd_design *design, const struct hd_decl *d,
                       const struct hd_behaviour *behaviour) {
  fprintf(f, "// %s: ", d->module);
  put_ascii(f, d->title);
  fprintf(f, "\n// Source: ");
  put_ascii(f, d->source);
  fprintf(f, "\n// Configuration: ");
  put_ascii(f, design->c->name);
  for (const char *const *key = behaviour->keys; *key; key++) {
    const size_t n = strcspn(*key, ".");
    char section[32];
    snprintf(section, sizeof section, "%.*s", (int)n, *key);
    fprintf(f, "%s%s %s", key == behaviour->keys ? "; " : ", ", *key + n + 1,
            hd_config_word(design->c, section, *key + n + 1));
  }
  fprintf(f, "\n// Generated by heddle. Structure and parameters belong to this configuration: generate "
             "again, do not edit.\n");
}

static void put_parameters(FILE *f, const struct hd_design *design, const char *text) {
  int name_room = 0, value_room = 0;
  size_t last = hd_n_sizes;
  bool used[hd_n_sizes];
  hd_scan_sizes(text, used);
  for (size_t i = 0; i < hd_n_sizes; i++) {
    const int name = (int)strlen(hd_sizes[i].name), digits = snprintf(NULL, 0, "%u", hd_size_of(design, i));
    if (!used[i])
      continue;
    last = i;
    name_room = name > name_room ? name : name_room;
    value_room = digits > value_room ? digits : value_room;
  }
  for (size_t i = 0; i < hd_n_sizes; i++)
    if (used[i])
      fprintf(f, "  parameter %-*s = %*u%c // %s\n", name_room, hd_sizes[i].name, value_room,
              hd_size_of(design, i), i == last ? ' ' : ',', hd_sizes[i].meaning);
}

/* Lines of declarations in columns. */
struct columns {
  int range, name;
};

static struct columns columns_of(const struct hd_decl *d, bool state) {
  struct columns c = {0, 3};
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    if (r->cls == HD_RAM || (r->cls == HD_REG || r->cls == HD_CAM) != state)
      continue;
    const int range = (int)strlen(hd_range_of(r).text), name = (int)strlen(r->var);
    c.range = range > c.range ? range : c.range;
    c.name = name > c.name ? name : c.name;
  }
  return c;
}

static void put_meaning(FILE *f, const char *meaning) {
  fputs(" // ", f);
  put_ascii(f, meaning);
  fputc('\n', f);
}

static void put_ports(FILE *f, const struct hd_decl *d) {
  const struct columns c = columns_of(d, false);
  size_t last = d->n_rows;
  for (size_t i = 0; i < d->n_rows; i++)
    if (hd_is_port(d->rows[i].cls))
      last = i;
  fprintf(f, "  input  wire %*s clk,\n  input  wire %*s rst%s", c.range, "", c.range, "",
          last < d->n_rows ? "," : "");
  fprintf(f, "%*s // synchronous, active high; control state only\n", c.name - 3, "");
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    if (!hd_is_port(r->cls))
      continue;
    fprintf(f, "  %s wire %-*s %s%c%*s", r->cls == HD_IN ? "input " : "output", c.range, hd_range_of(r).text,
            r->var, i == last ? ' ' : ',', c.name - (int)strlen(r->var), "");
    put_meaning(f, r->meaning);
  }
}

static void put_state(FILE *f, const struct hd_decl *d) {
  const struct columns c = columns_of(d, true);
  bool any = false;
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    if (r->cls != HD_REG && r->cls != HD_CAM)
      continue;
    if (!any)
      fprintf(f, "\n");
    any = true;
    fprintf(f, "  reg %-*s %s;%*s", c.range, hd_range_of(r).text, r->var, c.name - (int)strlen(r->var), "");
    put_meaning(f, r->meaning);
  }
}

/* --- memories ------------------------------------------------------------------------------------------- */

struct caps {
  char text[40];
};
static struct caps caps_of(const char *name) {
  struct caps out = {""};
  for (size_t i = 0; name[i] && i < sizeof out.text - 1; i++)
    out.text[i] = (char)toupper((unsigned char)name[i]);
  return out;
}

/* The mask bits of a row of memory `mem`. */
static struct hd_range mask_of(const struct hd_decl *d, size_t mem) {
  size_t i = 0;
  while (d->rows[i].mem != (int)mem)
    i++;
  return product("8", d->rows[i].count_txt);
}

/* A mask bit covers an eighth of an element, so it must have one; what is in a bundle has not. */
static bool masks_fit(const struct hd_decl *d, struct hd_why *why) {
  for (size_t i = 0; i < d->n_rows; i++) {
    const struct hd_row *r = &d->rows[i];
    if (r->cls == HD_RAM && hd_masked(d->mems[r->mem].ports) && (r->bundle || r->width % 8)) {
      hd_because(why, HD_CHECK, "%s: memory %s has write masks, and elements that are not 8 parts", d->module,
                 d->mems[r->mem].name);
      return false;
    }
  }
  return true;
}

/* The sizes of a memory and its signals, before the behaviour. */
static void put_memory_wires(FILE *f, const struct hd_decl *d, size_t mem) {
  const struct hd_mem *m = &d->mems[mem];
  const struct caps caps = caps_of(m->name);
  const char *n = m->name, *N = caps.text, *sum = "";
  fprintf(f, "\n  // memory %s: ", n);
  put_ascii(f, m->meaning);
  fprintf(
      f,
      "\n  localparam %s_ROWS = %s;\n  localparam %s_ADDR_W = $clog2(%s_ROWS);\n  localparam %s_WORD_W = ", N,
      product(m->depth_txt, "1").text, N, N, N);
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].mem == (int)mem) {
      const struct hd_range bits = product(d->rows[i].count_txt, d->rows[i].width_txt);
      fprintf(f, "%s%s", sum, *bits.text ? bits.text : "1");
      sum = " + ";
    }
  char banks[24] = "", words[24] = "";
  if (m->banks > 1) {
    snprintf(banks, sizeof banks, "[%u:0] ", m->banks - 1);
    snprintf(words, sizeof words, "%u*", m->banks);
  }
  fprintf(f, ";\n");
  if (hd_one_port(m->ports))
    fprintf(f, "  wire %s_en;\n  wire %s%s_we;\n  wire [%s_ADDR_W-1:0] %s_addr;\n", n, banks, n, N, n);
  else
    fprintf(f, "  wire %s%s_we;\n  wire [%s_ADDR_W-1:0] %s_waddr;\n", banks, n, N, n);
  fprintf(f, "  wire [%s_WORD_W-1:0] %s_wdata;\n", N, n);
  if (hd_masked(m->ports))
    fprintf(f, "  wire %s %s_wmask;\n", range(mask_of(d, mem)).text, n);
  if (m->ports == HD_1RW_M_SLEEP)
    fprintf(f, "  wire [%s_ROWS-1:0] %s_sleep;\n", N, n);
  if (!hd_one_port(m->ports))
    fprintf(f, "  wire %s_re;\n  wire [%s_ADDR_W-1:0] %s_raddr;\n", n, N, n);
  fprintf(f, "  wire [%s%s_WORD_W-1:0] %s_rdata;\n", words, N, n);
}

/* The wrapper instances, after the behaviour. */
static void put_memory(FILE *f, const struct hd_decl *d, size_t mem) {
  const struct hd_mem *m = &d->mems[mem];
  const struct caps caps = caps_of(m->name);
  const char *n = m->name, *N = caps.text;
  for (unsigned bank = 0; bank < m->banks; bank++) {
    char index[24] = "", place[24] = "", word[128] = "";
    if (m->banks > 1) {
      snprintf(index, sizeof index, "_%u", bank);
      snprintf(place, sizeof place, "[%u]", bank);
      snprintf(word, sizeof word, "[%u*%s_WORD_W +: %s_WORD_W]", bank, N, N);
    }
    fprintf(f, "\n  hd_ram_%s #(.DEPTH(%s_ROWS), .WIDTH(%s_WORD_W)", hd_ports_name(m->ports), N, N);
    if (hd_masked(m->ports))
      fprintf(f, ", .MASK_W(%s)", mask_of(d, mem).text);
    fprintf(f, ") u_%s%s (\n    .clk(clk),\n", n, index);
    if (hd_one_port(m->ports))
      fprintf(f, "    .en(%s_en),\n    .we(%s_we%s),\n    .addr(%s_addr),\n    .wdata(%s_wdata),\n", n, n,
              place, n, n);
    else
      fprintf(f, "    .we(%s_we%s),\n    .waddr(%s_waddr),\n    .wdata(%s_wdata),\n", n, place, n, n);
    if (hd_masked(m->ports))
      fprintf(f, "    .wmask(%s_wmask),\n", n);
    if (m->ports == HD_1RW_M_SLEEP)
      fprintf(f, "    .sleep(%s_sleep),\n", n);
    if (!hd_one_port(m->ports))
      fprintf(f, "    .re(%s_re),\n    .raddr(%s_raddr),\n", n, n);
    fprintf(f, "    .rdata(%s_rdata%s)\n  );\n", n, word);
  }
}

char *hd_emit(const struct hd_design *design, const struct hd_decl *d, const struct hd_behaviour *behaviour,
              struct hd_why *why) {
  char *body = NULL, *items = NULL, *text = NULL;
  size_t size;
  if (!masks_fit(d, why))
    return NULL;
  FILE *f = open_memstream(&body, &size);
  if (!f)
    abort();
  behaviour->put(f, design, d);
  fclose(f);
  if (!hd_scan_state(d, body, why)) {
    free(body);
    return NULL;
  }

  /* all but the parameters, which depend on it */
  f = open_memstream(&items, &size);
  if (!f)
    abort();
  put_ports(f, d);
  fprintf(f, ");\n");
  put_state(f, d);
  for (size_t i = 0; i < d->n_mems; i++)
    put_memory_wires(f, d, i);
  fputs(body, f);
  for (size_t i = 0; i < d->n_mems; i++)
    put_memory(f, d, i);
  fclose(f);

  f = open_memstream(&text, &size);
  if (!f)
    abort();
  put_banner(f, design, d, behaviour);
  fprintf(f, "module %s #(\n", d->module);
  put_parameters(f, design, items);
  fprintf(f, ") (\n%s\nendmodule\n", items);
  fclose(f);
  free(items);
  free(body);
  return text;
}
