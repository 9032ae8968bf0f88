/* Reads from any liberty file what the flows need: units, cells, areas, pins, energies, a flip-flop, a
 * driver.
 *
 * Over 400 lines: one walk over a liberty file, attribute by attribute.
 *
 * Invariant: nothing is assumed from names. A flip-flop is a cell with an ff group, a buffer one whose
 * function is its only input. What the file does not tell is refused, not guessed. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "synth/liberty.h"

/* --- tokens: words, strings, and the punctuation { } ( ) : ; , ------------------------------------------ */

struct reader {
  const char *at;
  char token[1024]; /* longer strings are cut */
};

static bool next(struct reader *r) {
  const char *s = r->at;
  for (;;) {
    s += strspn(s, " \t\r\n\\");
    if (s[0] == '/' && s[1] == '*') {
      const char *end = strstr(s, "*/");
      s = end ? end + 2 : s + strlen(s);
    } else if (s[0] == '/' && s[1] == '/') {
      s += strcspn(s, "\n");
    } else {
      break;
    }
  }
  size_t n;
  const char *text = s;
  if (!*s)
    return false;
  if (*s == '"') {
    text++;
    n = strcspn(text, "\"");
    s = text + n + (text[n] == '"');
  } else if (strchr("{}():;,", *s)) {
    n = 1;
    s++;
  } else {
    n = strcspn(s, " \t\r\n\\{}():;,\"");
    s += n;
  }
  r->at = s;
  n = n < sizeof r->token ? n : sizeof r->token - 1;
  memcpy(r->token, text, n);
  r->token[n] = 0;
  return true;
}

/* --- data of the cell that is being read ---------------------------------------------------------------- */

struct cell {
  struct hd_lib_cell is;
  char pin[32]; /* the pin that is being read */
  char input[32], output[32], function[64];
  int inputs, outputs;
  double input_cap;
};

/* A table of energies, or a template of tables: the numbers of index_1, index_2 and values. */
enum { INDEX_1, INDEX_2, VALUES, LISTS };
struct table {
  char name[64];
  int load_axis; /* which index is the load: 0 none, 1, 2 */
  int n[LISTS];
  double v[LISTS][HD_LIB_POINTS * HD_LIB_POINTS];
};

struct walk {
  struct reader r;
  struct table now_table, *template; /* the table that is being read; all templates */
  int templates;
  struct hd_lib *lib;
  struct cell now;
  double best_driver, best_inverter, best_ff, best_gate, best_latch; /* smallest area so far */
  int room;
  char bad_unit[128]; /* the first unreadable unit: "time_unit : 1xs"; "": none */
};

static bool bare(const char *expression) {
  for (; *expression; expression++)
    if (!isalnum((unsigned char)*expression) && *expression != '_')
      return false;
  return true;
}

static void copy(char *to, size_t room, const char *from) {
  snprintf(to, room, "%.*s", (int)room - 1, from);
}

/* Copies "function" without brackets and blanks, so that "(A)" and "A" are equal. */
static void squeeze(char *to, size_t room, const char *from) {
  size_t n = 0;
  for (; *from && n + 1 < room; from++)
    if (!strchr("() ", *from))
      to[n++] = *from;
  to[n] = 0;
}

static void end_of_cell(struct walk *w) {
  struct cell *c = &w->now;
  struct hd_lib *lib = w->lib;
  if (lib->cells == w->room) {
    w->room = w->room ? 2 * w->room : 256;
    lib->cell = hd_resized(lib->cell, (size_t)w->room, sizeof *lib->cell);
  }
  c->is.plain &= (c->is.flipflop || c->is.latch) && c->inputs == 2;
  lib->cell[lib->cells++] = c->is;
  if (c->is.plain && c->is.latch && (!w->best_latch || c->is.area < w->best_latch)) {
    w->best_latch = c->is.area;
    copy(lib->latch, sizeof lib->latch, c->is.name);
  }
  if (c->is.plain && c->is.flipflop && (!w->best_ff || c->is.area < w->best_ff)) {
    w->best_ff = c->is.area;
    copy(lib->flipflop, sizeof lib->flipflop, c->is.name);
  }
  if (c->is.gate && *c->is.data && *c->is.clock && (!w->best_gate || c->is.area < w->best_gate)) {
    w->best_gate = c->is.area;
    copy(lib->gate, sizeof lib->gate, c->is.name);
  }
  if (c->inputs != 1 || c->outputs != 1 || c->is.flipflop || c->is.latch)
    return;
  const bool buffer = strcmp(c->function, c->input) == 0;
  char not_before[40], not_after[40];
  snprintf(not_before, sizeof not_before, "!%s", c->input);
  snprintf(not_after, sizeof not_after, "%s'", c->input);
  const bool inverter = !strcmp(c->function, not_before) || !strcmp(c->function, not_after);
  if (!(buffer ? !w->best_driver || c->is.area < w->best_driver
               : inverter && !w->best_driver && (!w->best_inverter || c->is.area < w->best_inverter)))
    return;
  *(buffer ? &w->best_driver : &w->best_inverter) = c->is.area;
  copy(lib->driver, sizeof lib->driver, c->is.name);
  copy(lib->driver_pin, sizeof lib->driver_pin, c->output);
  lib->driver_load = c->input_cap;
}

/* "100ps" -> 0.1 (ns), for the unit letter 's' and the small prefix 'n'. Returns 0 if the text can't be read. */
static double unit_in(const char *text, char of, char small) {
  static const char prefixes[] = "munpf"; /* each a thousandth of the one before */
  double n = 0;
  int at = 0;
  if (sscanf(text, "%lf%n", &n, &at) != 1)
    return 0;
  const char *unit = text + at + strspn(text + at, " ");
  const char *p = unit[0] && unit[1] ? strchr(prefixes, tolower((unsigned char)*unit)) : NULL;
  if (p)
    unit++;
  if (tolower((unsigned char)unit[0]) != of || unit[1])
    return 0;
  long from = p ? p - prefixes + 1 : 0;
  const long to = strchr(prefixes, small) - prefixes + 1;
  for (; from < to; from++)
    n *= 1000;
  for (; from > to; from--)
    n /= 1000;
  return n;
}

/* --- energies ----------------------------------------------------------------------------------------------- */

static bool is_template(const char *group) {
  return !strcmp(group, "lu_table_template") || !strcmp(group, "power_lut_template");
}

static bool is_energy(const char *group) {
  return !strcmp(group, "rise_power") || !strcmp(group, "fall_power");
}

/* Reads the numbers of index_1, index_2 or values. */
static void add_numbers(struct table *t, const char *list, const char *text) {
  const int which = !strcmp(list, "index_1") ? INDEX_1 : !strcmp(list, "index_2") ? INDEX_2 : VALUES;
  for (int used = 0; t->n[which] < HD_LIB_POINTS * HD_LIB_POINTS; text += used) {
    text += strspn(text, ", \t\r\n\\");
    if (sscanf(text, "%lf%n", &t->v[which][t->n[which]], &used) != 1)
      return;
    t->n[which]++;
  }
}

static void end_of_template(struct walk *w) {
  w->template = hd_resized(w->template, (size_t)w->templates + 1, sizeof *w->template);
  w->template[w->templates++] = w->now_table;
}

static struct hd_lib_pin *pin_now(struct walk *w) {
  struct hd_lib_cell *c = &w->now.is;
  return c->pins && !strcmp(c->pin[c->pins - 1].name, w->now.pin) ? &c->pin[c->pins - 1] : NULL;
}

/* Keeps of a table its dependence on the load, at the lowest value of the other index. */
static void end_of_energy(struct walk *w) {
  struct table *t = &w->now_table;
  struct hd_lib_pin *pin = pin_now(w);
  const struct table *of = NULL;
  for (int i = 0; i < w->templates; i++)
    if (!strcmp(w->template[i].name, t->name))
      of = &w->template[i];
  const int axis = of ? of->load_axis : 0;
  if (!pin || !t->n[VALUES])
    return;
  struct hd_lib_energy e = {.n = 1, .energy = {t->v[VALUES][0]}};
  if (axis) {
    const struct table *index = t->n[axis == 1 ? INDEX_1 : INDEX_2] ? t : of;
    const int loads = index->n[axis == 1 ? INDEX_1 : INDEX_2],
              step = axis == 1 ? t->n[VALUES] / (loads ? loads : 1) : 1;
    for (e.n = 0; e.n < loads && e.n < HD_LIB_POINTS && e.n * step < t->n[VALUES]; e.n++) {
      e.load[e.n] = index->v[axis == 1 ? INDEX_1 : INDEX_2][e.n];
      e.energy[e.n] = t->v[VALUES][e.n * step];
    }
    if (!e.n)
      return;
  }
  pin->energy = hd_resized(pin->energy, (size_t)pin->energies + 1, sizeof e);
  pin->energy[pin->energies++] = e;
}

static void check_unit(struct walk *w, const char *name, const char *value, double is) {
  if (is <= 0 && !w->bad_unit[0])
    snprintf(w->bad_unit, sizeof w->bad_unit, "%s : %.60s", name, value);
}

static void attribute(struct walk *w, const char *group, const char *name, const char *value) {
  struct cell *c = &w->now;
  if (!strcmp(group, "library")) {
    if (!strcmp(name, "time_unit"))
      check_unit(w, name, value, w->lib->time_ps = unit_in(value, 's', 'p'));
    else if (!strcmp(name, "leakage_power_unit"))
      check_unit(w, name, value, w->lib->leak_nw = unit_in(value, 'w', 'n'));
    else if (!strcmp(name, "voltage_unit"))
      check_unit(w, name, value, unit_in(value, 'v', 'm') == 1000);
    else if (!strcmp(name, "default_operating_conditions"))
      copy(w->lib->corner, sizeof w->lib->corner, value);
    else if (!strcmp(name, "default_wire_load"))
      w->lib->wires = true;
    else if (!strcmp(name, "nom_voltage"))
      w->lib->volts = atof(value);
  } else if (is_template(group)) {
    if (!strncmp(name, "variable_", 9) && !strcmp(value, "total_output_net_capacitance"))
      w->now_table.load_axis = name[9] - '0';
  } else if (!strcmp(group, "cell")) {
    if (!strcmp(name, "area"))
      c->is.area = atof(value);
    else if (!strcmp(name, "cell_leakage_power"))
      c->is.leak = atof(value);
    else if (!strcmp(name, "clock_gating_integrated_cell"))
      c->is.gate = !strcmp(value, "latch_posedge");
  } else if (!strcmp(group, "ff") || !strcmp(group, "latch")) {
    const bool data = !strcmp(name, "next_state") || !strcmp(name, "data_in");
    if (data || !strcmp(name, "clocked_on") || !strcmp(name, "enable")) {
      char text[64];
      squeeze(text, sizeof text, value);
      c->is.plain &= bare(text);
      copy(data ? c->is.data : c->is.clock, sizeof c->is.data, text);
    } else {
      c->is.plain = false; /* an attribute such as clear, preset or a slave's clock */
    }
  } else if (!strcmp(group, "pin")) {
    struct hd_lib_pin *pin = pin_now(w);
    if (!pin)
      return; /* a pin of a bus */
    if (!strcmp(name, "clock_gate_clock_pin"))
      copy(c->is.clock, sizeof c->is.clock, c->pin);
    else if (!strcmp(name, "clock_gate_enable_pin"))
      copy(c->is.data, sizeof c->is.data, c->pin);
    else if (!strcmp(name, "direction")) {
      pin->output = strcmp(value, "input") != 0;
      *(!strcmp(value, "input") ? &c->inputs : &c->outputs) += 1;
      copy(!strcmp(value, "input") ? c->input : c->output, sizeof c->input, c->pin);
    } else if (!strcmp(name, "capacitance")) {
      c->input_cap = atof(value) > 0 ? atof(value) : c->input_cap;
      pin->cap = atof(value);
    } else if (!strcmp(name, "function")) {
      squeeze(c->function, sizeof c->function, value);
      copy(pin->function, sizeof pin->function, value);
    }
  }
}

static void begin_group(struct walk *w, const char *parent, const char *group, const char *argument) {
  struct cell *c = &w->now;
  if (!strcmp(group, "library")) {
    copy(w->lib->name, sizeof w->lib->name, argument);
  } else if (!strcmp(group, "cell")) {
    memset(c, 0, sizeof *c);
    c->is.plain = true;
    copy(c->is.name, sizeof c->is.name, argument);
  } else if (!strcmp(parent, "cell")) {
    c->is.flipflop |= !strcmp(group, "ff") || !strcmp(group, "ff_bank");
    c->is.latch |= !strcmp(group, "latch") || !strcmp(group, "latch_bank");
    if (!strncmp(group, "ff", 2) || !strncmp(group, "latch", 5))
      copy(c->is.state, sizeof c->is.state, argument);
    if (!strcmp(group, "pin")) {
      copy(c->pin, sizeof c->pin, argument);
      c->is.pin = hd_resized(c->is.pin, (size_t)(c->is.pins + 1), sizeof *c->is.pin);
      c->is.pin[c->is.pins] = (struct hd_lib_pin){.energies = 0};
      copy(c->is.pin[c->is.pins++].name, sizeof c->is.pin->name, argument);
    }
  }
  if (is_energy(group) || is_template(group)) {
    w->now_table = (struct table){.load_axis = 0};
    copy(w->now_table.name, sizeof w->now_table.name, argument);
  }
}

/* Reads the inside of a group up to its closing brace. It walks through unknown groups like known ones. */
static void read_group(struct walk *w, const char *group) {
  char name[64], argument[128];
  while (next(&w->r) && strcmp(w->r.token, "}") != 0) {
    copy(name, sizeof name, w->r.token);
    if (!strcmp(name, ";") || !next(&w->r))
      continue;
    if (!strcmp(w->r.token, ":")) {
      if (!next(&w->r))
        return;
      attribute(w, group, name, w->r.token);
      w->r.at += strcspn(w->r.at, ";\n}");
    } else if (!strcmp(w->r.token, "(")) {
      argument[0] = 0;
      double scale = 0;
      while (next(&w->r) && strcmp(w->r.token, ")") != 0) {
        if (!strcmp(name, "capacitive_load_unit") && strcmp(w->r.token, ",") != 0) {
          if (!scale) {
            scale = atof(w->r.token);
          } else {
            char unit[80];
            snprintf(unit, sizeof unit, "%.17g%.40s", scale, w->r.token);
            check_unit(w, name, unit, w->lib->cap_ff = unit_in(unit, 'f', 'f'));
          }
        }
        if (is_energy(group) || is_template(group))
          add_numbers(&w->now_table, name, w->r.token);
        if (!argument[0])
          copy(argument, sizeof argument, w->r.token);
      }
      w->r.at += strspn(w->r.at, " \t\r\n");
      if (*w->r.at != '{')
        continue;
      w->r.at++;
      begin_group(w, group, name, argument);
      read_group(w, name);
      if (!strcmp(name, "cell"))
        end_of_cell(w);
      else if (is_template(name))
        end_of_template(w);
      else if (is_energy(name))
        end_of_energy(w);
    }
  }
}

enum hd_rc hd_lib_read(const char *path, struct hd_lib *lib, struct hd_why *why) {
  memset(lib, 0, sizeof *lib);
  lib->time_ps = 1000; /* liberty's defaults */
  lib->cap_ff = 1000;
  char *text = hd_slurp(path);
  if (!text)
    return hd_because(why, HD_INPUT, "cannot read the cell library %s", path);
  struct walk w = {.r = {.at = text}, .lib = lib};
  read_group(&w, "");
  free(w.template);
  free(text);
  if (w.bad_unit[0])
    return hd_because(
        why, HD_INPUT,
        "%s: found %s; allowed time in s, capacitance in f, leakage in W, each with a prefix m to f, and "
        "voltage in 1V",
        path, w.bad_unit);
  if (lib->cells == 0)
    return hd_because(why, HD_INPUT, "%s is no liberty file with cells", path);
  if (!lib->flipflop[0])
    return hd_because(why, HD_INPUT, "%s has no plain rising-edge flip-flop (no set, clear, scan)", path);
  if (!lib->driver[0])
    return hd_because(why, HD_INPUT, "%s has neither a buffer nor an inverter", path);
  return HD_OK;
}

const struct hd_lib_cell *hd_lib_find(const struct hd_lib *lib, const char *cell) {
  for (int i = 0; i < lib->cells; i++)
    if (!strcmp(lib->cell[i].name, cell))
      return &lib->cell[i];
  return NULL;
}

void hd_lib_free(struct hd_lib *lib) {
  for (int i = 0; i < lib->cells; i++) {
    for (int p = 0; p < lib->cell[i].pins; p++)
      free(lib->cell[i].pin[p].energy);
    free(lib->cell[i].pin);
  }
  free(lib->cell);
  memset(lib, 0, sizeof *lib);
}
