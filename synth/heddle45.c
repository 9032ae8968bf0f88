/* Writes heddle45, the project's 45 nm library, from the switch-level figures in cells45.def.
 *
 * Over 400 lines: each kind of cell with its tables, one after the other.
 *
 * Invariant: every delay in the file is the formula of cells45.def at a point of the table's grid. So a
 * reader who interpolates gets the formula back, and no figure is written twice. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/liberty.h"

#define HD_TECH(name, value, unit, source) static const double name = value;
#define HD_CELL(...)
#define HD_DFF(...)
#define HD_ICG(...)
#define HD_LATCH(...)
#include "synth/cells45.def"
#undef HD_TECH
#undef HD_CELL
#undef HD_DFF

struct gate {
  const char *name, *function, *drives;
  double leak_nw;
  const char *arcs;
};
struct dff {
  int drive;
  double sites, leak_nw, clk_q[2], setup[2], hold, clock_fj, d_fj,
      q_fj; /* [0] rising, [1] falling, of Q or D */
};
struct icg {
  int drive;
  double sites, leak_nw, clk_ff, e_ff, clock_fj, out_fj;
};

struct latch {
  int drive;
  double sites, leak_nw, g_ff, d_ff, d_q, g_q, setup, hold, gate_fj, q_fj;
};

static const struct gate gates[] = {
#define HD_TECH(...)
#define HD_CELL(name, function, drives, leak, arcs, source) {#name, function, drives, leak, arcs},
#define HD_DFF(...)
#include "synth/cells45.def"
#undef HD_CELL
#undef HD_DFF
};
static const struct dff dffs[] = {
#define HD_CELL(...)
#define HD_DFF(drive, sites, leak, q_up, q_down, set_up, set_down, hold, clock_fj, d_fj, q_fj, source)       \
  {drive, sites, leak, {q_up, q_down}, {set_up, set_down}, hold, clock_fj, d_fj, q_fj},
#include "synth/cells45.def"
#undef HD_DFF
#undef HD_ICG
};
static const struct icg icgs[] = {
#define HD_DFF(...)
#define HD_ICG(drive, sites, leak, clk_ff, e_ff, clock_fj, out_fj, source)                                   \
  {drive, sites, leak, clk_ff, e_ff, clock_fj, out_fj},
#include "synth/cells45.def"
#undef HD_ICG
#undef HD_LATCH
};
static const struct latch latches[] = {
#define HD_ICG(...)
#define HD_LATCH(drive, sites, leak, g_ff, d_ff, d_q, g_q, setup, hold, gate_fj, q_fj, source)               \
  {drive, sites, leak, g_ff, d_ff, d_q, g_q, setup, hold, gate_fj, q_fj},
#include "synth/cells45.def"
#undef HD_TECH
#undef HD_CELL
#undef HD_DFF
#undef HD_ICG
#undef HD_LATCH
};

enum { GRID = 4, MAX_STAGES = 4 };
static const double slews[GRID] = {1, 20, 60, 200};     /* ps */
static const double loads_x1[GRID] = {0.25, 4, 16, 64}; /* fF at X1 */

struct stage {
  double q;
  int p, n, k;
};
/* A signal edge: the time at which it crosses half the swing (relative to the input's edge), and its
 * transition. Index 0: rise, 1: fall. */
struct edge {
  double at[2], slew[2];
};

/* Reads "q:p/n/k" stages joined by '>' up to '|', ';' or the end. Returns the place where it stopped. */
static const char *parse_chain(const char *s, struct stage *st, int *n) {
  *n = 0;
  while (*n < MAX_STAGES) {
    int used = 0;
    if (sscanf(s, " %lf:%d/%d/%d %n", &st[*n].q, &st[*n].p, &st[*n].n, &st[*n].k, &used) != 4)
      abort(); /* cells45.def is compiled in, so a bad row is a programming error */
    ++*n;
    s += used;
    if (*s != '>')
      break;
    s++;
  }
  return s;
}

/* The edge behind a stage. Every stage inverts: its output rises when its input falls. */
static struct edge through(struct stage st, double drive, double load, struct edge in) {
  const double up = rp * (1 + sp * (st.p - 1)), down = rn * (1 + sn * (st.n - 1));
  const double size = st.q * drive, own = (cd0 + cd1 * (st.k - 1)) * size;
  struct edge out;
  out.at[0] = in.at[1] + up / size * (own + load) + kr * in.slew[1];
  out.at[1] = in.at[0] + down / size * (own + load) + kf * in.slew[0];
  out.slew[0] = tr * up / size * load + td * up / size * own + tk * in.slew[1];
  out.slew[1] = tf * down / size * load + td * down / size * own + tk * in.slew[0];
  return out;
}

static struct edge along(const struct stage *st, int n, double drive, double slew, double load) {
  struct edge e = {{0, 0}, {slew, slew}};
  for (int i = 0; i < n; i++)
    e = through(st[i], drive, i + 1 < n ? (cg * st[i + 1].q + cw) * drive : load, e);
  return e;
}

static void put_table(FILE *f, const char *kind, double drive, double v[GRID][GRID]) {
  fprintf(f, "          %s (grid) {\n            index_1 (\"", kind);
  for (int i = 0; i < GRID; i++)
    fprintf(f, "%s%g", i ? ", " : "", slews[i]);
  fprintf(f, "\");\n            index_2 (\"");
  for (int i = 0; i < GRID; i++)
    fprintf(f, "%s%g", i ? ", " : "", loads_x1[i] * drive);
  fprintf(f, "\");\n            values (");
  for (int i = 0; i < GRID; i++) {
    fprintf(f, "%s\"", i ? ", \\\n                    " : "");
    for (int j = 0; j < GRID; j++)
      fprintf(f, "%s%.3f", j ? ", " : "", v[i][j]);
    fprintf(f, "\"");
  }
  fprintf(f, ");\n          }\n");
}

/* Writes the timing of one pin: at each grid point the slowest of its alternative chains. */
static void put_arc(FILE *f, const char *pin, const char *chains, double drive) {
  double v[4][GRID][GRID] = {{{0}}};
  int ways = 0, stages = 0;
  for (const char *s = chains;; s++, ways++) {
    struct stage st[MAX_STAGES];
    s = parse_chain(s, st, &stages);
    for (int i = 0; i < GRID; i++)
      for (int j = 0; j < GRID; j++) {
        struct edge e = along(st, stages, drive, slews[i], loads_x1[j] * drive);
        const double point[4] = {e.at[0], e.at[1], e.slew[0], e.slew[1]};
        for (int t = 0; t < 4; t++)
          v[t][i][j] = point[t] > v[t][i][j] ? point[t] : v[t][i][j];
      }
    if (*s != '|')
      break;
  }
  fprintf(f, "        timing () {\n          related_pin : \"%s\";\n          timing_sense : %s;\n", pin,
          ways         ? "non_unate"
          : stages % 2 ? "negative_unate"
                       : "positive_unate");
  static const char *const kinds[] = {"cell_rise", "cell_fall", "rise_transition", "fall_transition"};
  for (int t = 0; t < 4; t++)
    put_table(f, kinds[t], drive, v[t]);
  fprintf(f, "        }\n");
}

/* Writes an energy inside a cell. Each of two transitions gets half of it; it does not matter which of them
 * takes it from the supply. */
static void put_energy(FILE *f, const char *pin, double of_two_fj) {
  fprintf(f, "      internal_power () {\n");
  if (pin)
    fprintf(f, "        related_pin : \"%s\";\n", pin);
  for (int rises = 1; rises >= 0; rises--)
    fprintf(f, "        %s_power (scalar) { values (\"%.3f\"); }\n", rises ? "rise" : "fall", of_two_fj / 2);
  fprintf(f, "      }\n");
}

/* V^2 times the capacitance that swings inside the cell, without the input's own. The chain with the most
 * counts. */
static double inside_fj(const char *chains, double drive) {
  double most = 0;
  for (const char *s = chains;; s++) {
    struct stage st[MAX_STAGES];
    int n;
    double cap = 0;
    s = parse_chain(s, st, &n);
    for (int i = 0; i < n; i++)
      cap += (cd0 + cd1 * (st[i].k - 1)) * st[i].q + (i + 1 < n ? cg * st[i + 1].q + cw : 0);
    most = cap > most ? cap : most;
    if (*s != '|')
      return vdd * vdd * most * drive;
  }
}

/* The input capacitance of a pin with these chains, and the resistance of the last stage's weaker side. */
static void pin_figures(const char *chains, double drive, double *cap_ff, double *weak) {
  *cap_ff = cp;
  *weak = 0;
  for (const char *s = chains;; s++) {
    struct stage st[MAX_STAGES];
    int n;
    s = parse_chain(s, st, &n);
    *cap_ff += cg * st[0].q * drive;
    const double up = rp * (1 + sp * (st[n - 1].p - 1)) / drive;
    *weak = up > *weak ? up : *weak;
    if (*s != '|')
      return;
  }
}

/* Reads "A B = chains; C = chains" into `pins`, one entry for each pin. Returns their number. */
struct pin {
  char name[8];
  const char *chains;
};
static int parse_pins(const char *arcs, struct pin *pins) {
  int n = 0;
  for (const char *s = arcs; *s;) {
    const char *chains = strchr(s, '=') + 1;
    int used;
    while (sscanf(s, " %7[A-Z0-9]%n", pins[n].name, &used) == 1) {
      pins[n++].chains = chains;
      s += used;
    }
    s = strchr(s, ';');
    if (!s)
      break;
    s++;
  }
  return n;
}

static void put_gate(FILE *f, const struct gate *g, int drive, double sites) {
  struct pin pins[8];
  const int n = parse_pins(g->arcs, pins);
  double cap, weak, weakest = 0;
  fprintf(f, "  cell (%s_X%d) {\n    area : %.3f;\n    cell_leakage_power : %.1f;\n", g->name, drive,
          sites * site_um2, g->leak_nw * drive);
  for (int i = 0; i < n; i++) {
    pin_figures(pins[i].chains, drive, &cap, &weak);
    weakest = weak > weakest ? weak : weakest;
    fprintf(f, "    pin (%s) { direction : input; capacitance : %.3f; }\n", pins[i].name, cap);
  }
  fprintf(
      f,
      "    pin (Z) {\n      direction : output;\n      function : \"%s\";\n      max_capacitance : %.1f;\n",
      g->function, tmax * 0.65 / (tr * weakest));
  for (int i = 0; i < n; i++) {
    put_arc(f, pins[i].name, pins[i].chains, drive);
    put_energy(f, pins[i].name, inside_fj(pins[i].chains, drive));
  }
  fprintf(f, "    }\n  }\n");
}

/* Writes set-up, which grows with the transition of the pin, and hold, which does not. */
static void put_checks(FILE *f, const struct dff *d) {
  fprintf(f, "      timing () { related_pin : \"CK\"; timing_type : setup_rising;\n");
  for (int falls = 0; falls < 2; falls++) {
    fprintf(f, "        %s_constraint (edge) { values (\"", falls ? "fall" : "rise");
    for (int i = 0; i < GRID; i++)
      fprintf(f, "%s%.3f", i ? ", " : "", d->setup[falls] + ts * slews[i]);
    fprintf(f, "\"); }\n");
  }
  fprintf(f,
          "      }\n      timing () { related_pin : \"CK\"; timing_type : hold_rising;\n"
          "        rise_constraint (scalar) { values (\"%g\"); }\n"
          "        fall_constraint (scalar) { values (\"%g\"); } }\n",
          d->hold, d->hold);
}

static void put_dff(FILE *f, const struct dff *d) {
  /* clk_q includes everything from the clock's edge to the input of the output inverter. That inverter drives
   * the load. */
  double v[4][GRID][GRID];
  for (int i = 0; i < GRID; i++)
    for (int j = 0; j < GRID; j++) {
      const double load = loads_x1[j] * d->drive;
      v[0][i][j] = d->clk_q[0] + kf * slews[i] + rp / d->drive * load;
      v[1][i][j] = d->clk_q[1] + kf * slews[i] + rn / d->drive * load;
      v[2][i][j] = td * rp * cd0 + tr * rp / d->drive * load + tk * ti;
      v[3][i][j] = td * rn * cd0 + tf * rn / d->drive * load + tk * ti;
    }
  fprintf(f,
          "  cell (DFF_X%d) {\n    area : %.3f;\n    cell_leakage_power : %.1f;\n"
          "    ff (IQ, IQN) { clocked_on : \"CK\"; next_state : \"D\"; }\n"
          "    pin (CK) {\n      direction : input;\n      clock : true;\n      capacitance : %.3f;\n",
          d->drive, d->sites * site_um2, d->leak_nw, cg * 0.54 + cp);
  put_energy(f, NULL, d->clock_fj);
  fprintf(f, "    }\n    pin (D) {\n      direction : input;\n      capacitance : %.3f;\n", cg * 0.66 + cp);
  put_energy(f, NULL, d->d_fj);
  put_checks(f, d);
  fprintf(f,
          "    }\n    pin (Q) {\n      direction : output;\n      function : \"IQ\";\n      max_capacitance "
          ": %.1f;\n",
          tmax * 0.65 / (tr * rp) * d->drive);
  fprintf(f, "        timing () {\n          related_pin : \"CK\";\n          timing_type : rising_edge;\n"
             "          timing_sense : non_unate;\n");
  static const char *const kinds[] = {"cell_rise", "cell_fall", "rise_transition", "fall_transition"};
  for (int t = 0; t < 4; t++)
    put_table(f, kinds[t], d->drive, v[t]);
  fprintf(f, "        }\n");
  put_energy(f, "CK", d->q_fj);
  fprintf(f, "    }\n  }\n");
}

/* Its clock goes through an AND2 of heddle45. The effect of the latch on the clock is in the energies. */
static void put_icg(FILE *f, const struct icg *g) {
  static const char chain[] = ".53:1/2/2 > 1:1/1/1";
  fprintf(
      f,
      "  cell (CLKGATE_X%d) {\n    area : %.3f;\n    cell_leakage_power : %.1f;\n"
      "    clock_gating_integrated_cell : \"latch_posedge\";\n    dont_use : true;\n"
      "    statetable (\"CK E\", \"IQ\") { table : \"L L : - : L, L H : - : H, H - : - : N\"; }\n"
      "    pin (CK) {\n      direction : input;\n      clock : true;\n      clock_gate_clock_pin : true;\n"
      "      capacitance : %.3f;\n",
      g->drive, g->sites * site_um2, g->leak_nw, g->clk_ff);
  put_energy(f, NULL, g->clock_fj);
  fprintf(f,
          "    }\n    pin (E) {\n      direction : input;\n      clock_gate_enable_pin : true;\n"
          "      capacitance : %.3f;\n",
          g->e_ff);
  put_checks(f, &dffs[0]);
  fprintf(f,
          "    }\n    pin (GCK) {\n      direction : output;\n      clock_gate_out_pin : true;\n"
          "      state_function : \"CK & IQ\";\n      max_capacitance : %.1f;\n",
          tmax * 0.65 / (tr * rp) * g->drive);
  put_arc(f, "CK", chain, g->drive);
  put_energy(f, "CK", g->out_fj);
  fprintf(f, "    }\n  }\n");
}

static void put_fall(FILE *f, const char *type, double ps) {
  fprintf(f,
          "      timing () { related_pin : \"G\"; timing_type : %s;\n"
          "        rise_constraint (scalar) { values (\"%g\"); }\n"
          "        fall_constraint (scalar) { values (\"%g\"); } }\n",
          type, ps, ps);
}

/* Writes the timing of a latch's Q from an edge of another pin. `inside` includes everything up to the output
 * inverter, which drives the load. */
static void put_latch_arc(FILE *f, const char *from, const char *type, double inside, int drive) {
  static const char *const kinds[] = {"cell_rise", "cell_fall", "rise_transition", "fall_transition"};
  double v[4][GRID][GRID];
  for (int i = 0; i < GRID; i++)
    for (int j = 0; j < GRID; j++) {
      const double load = loads_x1[j] * drive;
      v[0][i][j] = inside + kf * slews[i] + rp / drive * load;
      v[1][i][j] = inside + kf * slews[i] + rn / drive * load;
      v[2][i][j] = td * rp * cd0 + tr * rp / drive * load;
      v[3][i][j] = td * rn * cd0 + tf * rn / drive * load;
    }
  fprintf(f, "        timing () {\n          related_pin : \"%s\";\n%s", from, type);
  for (int t = 0; t < 4; t++)
    put_table(f, kinds[t], drive, v[t]);
  fprintf(f, "        }\n");
}

static void put_latch(FILE *f, const struct latch *l) {
  fprintf(f,
          "  cell (DLH_X%d) {\n    area : %.3f;\n    cell_leakage_power : %.1f;\n"
          "    latch (IQ, IQN) { enable : \"G\"; data_in : \"D\"; }\n"
          "    pin (G) {\n      direction : input;\n      clock : true;\n      capacitance : %.3f;\n",
          l->drive, l->sites * site_um2, l->leak_nw, l->g_ff);
  put_energy(f, NULL, l->gate_fj);
  fprintf(f, "    }\n    pin (D) {\n      direction : input;\n      capacitance : %.3f;\n", l->d_ff);
  put_fall(f, "setup_falling", l->setup);
  put_fall(f, "hold_falling", l->hold);
  fprintf(f,
          "    }\n    pin (Q) {\n      direction : output;\n      function : \"IQ\";\n      max_capacitance "
          ": %.1f;\n",
          tmax * 0.65 / (tr * rp) * l->drive);
  put_latch_arc(f, "D", "          timing_sense : positive_unate;\n", l->d_q, l->drive);
  put_latch_arc(f, "G", "          timing_type : rising_edge;\n          timing_sense : non_unate;\n", l->g_q,
                l->drive);
  put_energy(f, "D", l->q_fj);
  fprintf(f, "    }\n  }\n");
}

static void put_tie(FILE *f, int value) {
  fprintf(f,
          "  cell (TIE%d_X1) {\n    area : %.3f;\n    cell_leakage_power : 0;\n"
          "    pin (Z) { direction : output; function : \"%d\"; max_capacitance : 60; }\n  }\n",
          value, 2 * site_um2, value);
}

void hd_heddle45_clock(double mhz, double *low, double *high) {
  *low = mhz / fast_most;
  *high = mhz / fast_least;
}

static enum hd_rc cannot(const char *path, struct hd_why *why) {
  return hd_because(why, HD_INPUT, "cannot write the cell library %s: %s", path, strerror(errno));
}

enum hd_rc hd_heddle45_write(const char *path, struct hd_why *why) {
  FILE *f = fopen(path, "w");
  if (!f)
    return cannot(path, why);
  fprintf(f,
          "/* heddle45: written by synth/heddle45.c from synth/cells45.def; edit that. */\n"
          "library (heddle45) {\n"
          "  technology (cmos);\n  delay_model : table_lookup;\n"
          "  time_unit : \"1ps\";\n  voltage_unit : \"1V\";\n  current_unit : \"1mA\";\n"
          "  leakage_power_unit : \"1nW\";\n  pulling_resistance_unit : \"1kohm\";\n"
          "  capacitive_load_unit (1, ff);\n"
          "  nom_process : 1;\n  nom_voltage : %g;\n  nom_temperature : 25;\n"
          "  operating_conditions (typical) { process : 1; voltage : %g; temperature : 25; }\n"
          "  default_operating_conditions : typical;\n"
          "  slew_lower_threshold_pct_rise : 30;\n  slew_upper_threshold_pct_rise : 70;\n"
          "  slew_lower_threshold_pct_fall : 30;\n  slew_upper_threshold_pct_fall : 70;\n"
          "  input_threshold_pct_rise : 50;\n  input_threshold_pct_fall : 50;\n"
          "  output_threshold_pct_rise : 50;\n  output_threshold_pct_fall : 50;\n",
          vdd, vdd);
  fprintf(f,
          "  wire_load (pins) {\n    capacitance : 1;\n    resistance : 0;\n    slope : %g;\n"
          "    fanout_length (1, %g);\n    fanout_length (2, %g);\n  }\n  default_wire_load : pins;\n",
          wire_more, wire_first, wire_first + wire_more);
  fprintf(f,
          "  default_max_transition : %g;\n  default_fanout_load : 1;\n"
          "  lu_table_template (grid) {\n    variable_1 : input_net_transition;\n"
          "    variable_2 : total_output_net_capacitance;\n"
          "    index_1 (\"1, 20, 60, 200\");\n    index_2 (\"0.25, 4, 16, 64\");\n  }\n"
          "  lu_table_template (edge) {\n    variable_1 : constrained_pin_transition;\n"
          "    index_1 (\"1, 20, 60, 200\");\n  }\n",
          tmax);
  for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
    int drive, used;
    double sites;
    for (const char *s = gates[i].drives; sscanf(s, " %d:%lf%n", &drive, &sites, &used) == 2; s += used)
      put_gate(f, &gates[i], drive, sites);
  }
  for (size_t i = 0; i < sizeof dffs / sizeof *dffs; i++)
    put_dff(f, &dffs[i]);
  for (size_t i = 0; i < sizeof icgs / sizeof *icgs; i++)
    put_icg(f, &icgs[i]);
  for (size_t i = 0; i < sizeof latches / sizeof *latches; i++)
    put_latch(f, &latches[i]);
  put_tie(f, 0);
  put_tie(f, 1);
  fprintf(f, "}\n");
  return hd_close_written(f) ? HD_OK : cannot(path, why);
}
