/* Reads of any liberty file what the flows need: units, cells, areas, a flip-flop, a driver.
 *
 * Invariant: nothing is assumed from names; a flip-flop is a cell with an ff group, a buffer one whose
 * function is its only input. What cannot be told is refused, not guessed.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/liberty.h"

/* --- tokens: words, strings, and the punctuation { } ( ) : ; , ------------------------------------------ */

struct reader {
  const char *at;
  char token[512]; /* longer strings (tables) are cut; nothing here reads them */
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

/* --- what is gathered about the cell being read --------------------------------------------------------- */

struct cell {
  struct hd_lib_cell is;
  bool plain;   /* the ff group has no set, clear, second clock; next_state is one bare pin, clocked by a bare
                   pin */
  char pin[32]; /* the one being read */
  char input[32], output[32], function[64];
  int inputs, outputs;
  double input_cap;
};

struct walk {
  struct reader r;
  struct hd_lib *lib;
  struct cell now;
  double best_driver, best_inverter, best_ff; /* smallest area so far */
  int room;
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

/* "function" without brackets and blanks, so that "(A)" and "A" are the same. */
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
    lib->cell = realloc(lib->cell, (size_t)w->room * sizeof *lib->cell);
    if (!lib->cell)
      abort();
  }
  lib->cell[lib->cells++] = c->is;
  if (c->is.flipflop && c->plain && c->inputs == 2 && (!w->best_ff || c->is.area < w->best_ff)) {
    w->best_ff = c->is.area;
    copy(lib->flipflop, sizeof lib->flipflop, c->is.name);
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

/* "100ps" -> 0.1 (ns), for the unit letter 's' and the small prefix 'n'; 0 when it cannot be read. */
static double unit_in(const char *text, char of, char small) {
  static const char prefixes[] = "munpf"; /* each a thousandth of the one before */
  char letter = 0;
  double n = 0;
  if (sscanf(text, "%lf%c", &n, &letter) != 2)
    return 0;
  letter = (char)tolower((unsigned char)letter);
  const char *p = strchr(prefixes, letter);
  if (!p && letter != of)
    return 0;
  long from = p ? p - prefixes + 1 : 0;
  const long to = strchr(prefixes, small) - prefixes + 1;
  for (; from < to; from++)
    n *= 1000;
  for (; from > to; from--)
    n /= 1000;
  return n;
}

static void attribute(struct walk *w, const char *group, const char *name, const char *value) {
  struct cell *c = &w->now;
  if (!strcmp(group, "library")) {
    if (!strcmp(name, "time_unit"))
      w->lib->time_ps = unit_in(value, 's', 'p');
    else if (!strcmp(name, "leakage_power_unit"))
      w->lib->leak_nw = unit_in(value, 'w', 'n');
  } else if (!strcmp(group, "cell")) {
    if (!strcmp(name, "area"))
      c->is.area = atof(value);
    else if (!strcmp(name, "cell_leakage_power"))
      c->is.leak = atof(value);
  } else if (!strcmp(group, "ff")) {
    if (!strcmp(name, "next_state") || !strcmp(name, "clocked_on")) {
      char text[64];
      squeeze(text, sizeof text, value);
      c->plain &= bare(text);
    } else {
      c->plain = false; /* clear, preset, a slave's clock */
    }
  } else if (!strcmp(group, "pin")) {
    if (!strcmp(name, "direction")) {
      *(!strcmp(value, "input") ? &c->inputs : &c->outputs) += 1;
      copy(!strcmp(value, "input") ? c->input : c->output, sizeof c->input, c->pin);
    } else if (!strcmp(name, "capacitance")) {
      c->input_cap = atof(value) > 0 ? atof(value) : c->input_cap;
    } else if (!strcmp(name, "function")) {
      squeeze(c->function, sizeof c->function, value);
    }
  }
}

static void begin_group(struct walk *w, const char *parent, const char *group, const char *argument) {
  struct cell *c = &w->now;
  if (!strcmp(group, "library")) {
    copy(w->lib->name, sizeof w->lib->name, argument);
  } else if (!strcmp(group, "cell")) {
    memset(c, 0, sizeof *c);
    c->plain = true;
    copy(c->is.name, sizeof c->is.name, argument);
  } else if (!strcmp(parent, "cell")) {
    c->is.flipflop |= !strcmp(group, "ff") || !strcmp(group, "ff_bank");
    c->is.latch |= !strcmp(group, "latch") || !strcmp(group, "latch_bank");
    if (!strcmp(group, "pin"))
      copy(c->pin, sizeof c->pin, argument);
  }
}

/* Reads the inside of a group up to its closing brace. Unknown groups are walked through like known ones. */
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
          if (!scale)
            scale = atof(w->r.token);
          else
            w->lib->cap_ff = scale * (tolower((unsigned char)w->r.token[0]) == 'p' ? 1000 : 1);
        }
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
  free(text);
  if (lib->cells == 0 || lib->time_ps <= 0)
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
  free(lib->cell);
  memset(lib, 0, sizeof *lib);
}
