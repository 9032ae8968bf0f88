/* One run of one module through Yosys and OpenSTA. synth.h puts modules together.
 *
 * The run writes everything into its own directory. Script, log, netlist.json, netlist.v, macros.lib, sta.tcl
 * and sta.log stay there, so that a user can read them and run them again by hand.
 *
 * Invariant: the tools get only names inside that directory. So their answers depend neither on its path nor
 * on other files beside the RTL. */
#ifndef HEDDLE_SYNTH_FLOW_H
#define HEDDLE_SYNTH_FLOW_H

#include <jansson.h>

#include "base/programs.h"
#include "synth/liberty.h"

struct hd_flow {
  const char *rtl_dir; /* absolute; X.v in it is the module X */
  const char *top;     /* its file is read, and the files of the modules in it */
  const char *of;      /* NULL; else top is what is left of this module without `others` */
  const char *others;  /* its instances that do not count, " OF/INSTANCE" each */
  const char *lib_path;
  const struct hd_lib *lib; /* lib_path (absolute) as read by hd_lib_read */
  const char *dir;          /* where the run writes; made when needed */
  bool names;               /* the netlist has the names of all registers, for its simulation */
  bool latches;             /* it has declared memories of latches, which become latches of the library */
  unsigned gate; /* the least number of flip-flops with one enable that get a gated clock; 0: none get one */
  int timeout_s; /* per tool; 0: four hours. See hd_flow_limit */
};

struct hd_netlist {
  long cells;         /* library cells, flip-flops included, macros not */
  long flipflops;     /* with the latches = bits of state outside macros */
  long latches, rows; /* of memories of latches, and their clock-gating cells, one for each row */
  long gates, gated;  /* other clock-gating cells, and the flip-flops that they clock */
  double area_um2;    /* of the cells, no wiring, no utilisation factor */
  double leak_nw;     /* of the cells; 0 if the library gives none */
  struct hd_macro *macro;
  int macros;      /* distinct sizes */
  long macro_bits; /* all instances together */
  char *tied;      /* endpoints tied to 0 or 1, a line each, "\n" before the first: inputs of flip-flops
                             and macros ("u_tags/addr[3]"), outputs ("n[0]"). NULL: there is none */
  int arrays;      /* Verilog arrays that became flip-flops (their bits are in flipflops) */
  char array_names[2048]; /* their names, a blank before and after each; cut when it is full */
};

/* --- files.c ------------------------------------------------------------------------------------------------- */

/* The path of a file in the run's directory, to be freed. */
char *hd_flow_file(const struct hd_flow *flow, const char *name);
/* Writes the file. Returns false if that fails. */
bool hd_flow_write(const struct hd_flow *flow, const char *name, const char *text);
/* Seconds of wall-clock time that a tool may take. */
int hd_flow_limit(const struct hd_flow *flow);

/* --- nets.c ------------------------------------------------------------------------------------------------- */

/* The first number that no net of a module of Yosys's JSON has. With `module` NULL there are no nets. */
json_int_t hd_free_net(json_t *module);

/* --- inputs.c: the files that a run reads ------------------------------------------------------------------ */

/* Writes everything that Yosys reads into the directory, which exists. */
bool hd_flow_inputs(const struct hd_flow *flow);

/* Copies the RTL's files as they are now to rtl/ in the directory, which exists. */
bool hd_flow_rtl(const struct hd_flow *flow);
/* The commands that load flow->top into Yosys, to be freed. Modules are found in rtl/ by their names. */
char *hd_flow_read(const struct hd_flow *flow);

/* Runs a script of the directory. Returns HD_INPUT with Yosys's sentence if Yosys refuses the design, HD_TOOL
 * if Yosys did not start or did not end. */
enum hd_rc hd_flow_yosys(const struct hd_flow *flow, const char *script, const char *log_name,
                         struct hd_why *why);

/* --- gating.c: clock gating ------------------------------------------------------------------------------- */

/* The names of clock-gating cells in a netlist: those of groups of flip-flops, those of rows of latches. */
#define HD_GATE_NAME "hd_icg_"
#define HD_ROW_NAME "hd_row_"

/* Verilog for Yosys's techmap, to be freed: it makes every flip-flop with an enable a $_DFFE_PP_. */
char *hd_gating_map(void);
/* Reads enables.json in the directory, whose flip-flops with enables are $_DFFE_PP_, and writes gated.json:
 * groups of at least flow->gate flip-flops have clock-gating cells, flow->lib->gate. *gated: the flip-flops
 * in these groups. */
enum hd_rc hd_gating_insert(const struct hd_flow *flow, long *gated, struct hd_why *why);

/* Synthesises top, flattened; RAM wrappers stay outside as macros. Returns HD_CHECK for a latch (unless
 * flow->latches), a combinational loop, an undriven or multiply driven net, or a cell that is in no library;
 * HD_INPUT if Yosys cannot read the RTL; HD_TOOL if there is no Yosys. hd_netlist_free may be called in any
 * case. */
enum hd_rc hd_yosys(const struct hd_flow *flow, struct hd_netlist *net, struct hd_why *why);
void hd_netlist_free(struct hd_netlist *net);
/* hd_yosys_kept: true if flow->dir has a netlist that hd_yosys made from the same inputs and that
 * hd_yosys_keep marked as good. */
bool hd_yosys_kept(const struct hd_flow *flow);
void hd_yosys_keep(const struct hd_flow *flow);

enum hd_path_group { HD_PATH_REG_REG, HD_PATH_IN_REG, HD_PATH_REG_OUT, HD_PATH_IN_OUT, HD_PATH_GROUPS };

struct hd_path {
  bool there;      /* false: the module has no such path */
  double delay_ps; /* the shortest period this path allows: arrival plus set-up */
  int levels;      /* cells on it, the starting flip-flop not counted */
  char from[160], to[160];
};

struct hd_timing {
  double fmax_mhz;                     /* 0: there is no path from register to register */
  struct hd_path path[HD_PATH_GROUPS]; /* the worst of each kind; registers include RAM macros */
  /* the slowest macro's own cycle, which also bounds fmax; 0 without macros */
  double macro_cycle_ns;
  int unconstrained; /* endpoints without a constraint: a sign of a second clock or a loose register */
  char unconstrained_names[512]; /* their names, a blank before each; cut when it is full */
};

/* Times the netlist that hd_yosys left in flow->dir, with net's macros priced. The clock is ideal; wires have
 * a load only if the library has a default wire load. The library's smallest buffer drives the inputs at time
 * 0, and four of its inputs load each output. */
enum hd_rc hd_opensta(const struct hd_flow *flow, const struct hd_netlist *net, struct hd_timing *timing,
                      struct hd_why *why);

#endif
