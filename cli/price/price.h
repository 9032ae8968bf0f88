/* What `synth`, `area` and `demo` share: how memories are priced, and the logic of a module synthesised. */
#ifndef HEDDLE_CLI_PRICE_H
#define HEDDLE_CLI_PRICE_H

#include "area/area.h"
#include "cli/cli.h"
#include "synth/synth.h"

/* The pricer for `node` (0: 45 nm), with CACTI if there is one; its answers are kept in `work`/price. A $CACTI
 * that is none is told to the user. */
struct hd_pricer hd_cli_pricer(double node_nm, const char *work);
void hd_cli_pricer_free(struct hd_pricer *pricer);

/* The RTL of a module, in a directory where nothing but runs on this RTL write, one at a time:
 * work/<configuration>/<top>-<hash of the RTL>/. */
struct hd_cli_place {
  struct hd_synth_module *modules; /* `top` and all in it, top first */
  int n;
  struct hd_synth_module *group; /* NULL, or `top` and what is attached to it, as one module */
  char *dir, *rtl;               /* the directory, and that of the RTL in it */
  int lock;
};
/* Writes the RTL, or copies it from the user's directory `own` (NULL: none). HD_INPUT: the directory can't be written, a file of the
 * user's is missing, or `attached` and there is nothing to attach to; hd_cli_place_close in any case. */
enum hd_rc hd_cli_place_open(const char *work, const char *own, const struct hd_design *design,
                             const char *top, bool attached, struct hd_cli_place *place, struct hd_why *why);
void hd_cli_place_close(struct hd_cli_place *place);

/* A run of modules, for the progress line: of one alone, the nth of so many, or with `of` 0 of each in the design. */
struct hd_cli_alone {
  int nth, of;
};
struct hd_cli_going {
  const struct hd_design *design;
  const struct hd_synth_module *module;
  struct hd_cli_alone alone;
};
void hd_cli_synth_progress(void *going, const char *module, int done, int of);

/* Generates `top` and synthesises it: alone, or with a line for every module below it too. hd_synth_free in any case. */
enum hd_rc hd_cli_synth(const struct hd_args *args, const struct hd_design *design, const char *top,
                        struct hd_cli_alone alone, const struct hd_pricer *pricer,
                        struct hd_synth_report *report, struct hd_why *why);

/* How often a module is in another one, which counts itself. */
int hd_cli_times_in(const struct hd_decl *d, const char *module);
/* Adds a module that holds no other to the logic of `of`, as often as it is in there: what is beside such modules is wires. Areas and
 * leakage add up; the clock is the slowest one's. */
void hd_cli_add_logic(const struct hd_decl *of, const struct hd_synth_result *leaf,
                      struct hd_synth_result *sum);

/* The modules that `area` prices: those of a mechanism, by the name its paper has here, or one by its own; without a name those of
 * the mechanism that this machine has, else all. How many. */
int hd_cli_area_tops(const struct hd_args *args, const struct hd_design *design, const char **name,
                     const char *const **tops);
/* Their area, together; hd_cli_priced_free in any case. */
struct hd_cli_priced {
  struct hd_area_report area;
  struct hd_area_memory *memory; /* whose names the report has */
  int memories;
};
enum hd_rc hd_cli_area_of(const struct hd_args *args, const heddle_machine *machine,
                          struct hd_cli_priced *priced, struct hd_why *why);
void hd_cli_priced_free(struct hd_cli_priced *priced);
/* `area --explore`, storage.c. */
hd_work hd_cli_area_storage;

/* The verb `area`, for a machine that is loaded: of args->mechanism or ->top, else of what a paper prices in it, else all of it. */
hd_work hd_cli_area;

/* The netlist of a module with the names of its registers (hd_synth_names), in `work` as above, with `gate` of struct hd_synth_job;
 * *netlist is to be freed. */
enum hd_rc hd_cli_netlist(const char *work, unsigned gate, const struct hd_design *design, const char *module,
                          const char *lib_path, const struct hd_lib *lib, char **netlist, struct hd_why *why);

/* heddle synth --target ecp5. */
hd_work hd_cli_fpga;

/* heddle power --run. */
enum hd_rc hd_cli_power_run(const struct hd_args *args, struct hd_why *why);

/* What the share of the L1 is taken of: the machine's own L1D, tag arrays with the valid and the reserved
 * bit, each way's data read through a 256-bit port. */
struct hd_area_cache hd_cli_l1(const struct hd_config *c);

#endif
