/* Shared by `synth`, `area` and `demo`: pricing of memories, and synthesis of a module's logic. */
#ifndef HEDDLE_CLI_PRICE_H
#define HEDDLE_CLI_PRICE_H

#include "area/area.h"
#include "cli/cli.h"
#include "synth/synth.h"

/* Returns the pricer for `node` (0: 45 nm), with CACTI if it is installed. Its answers are kept in
 * `work`/price. Tells the user if $CACTI is not CACTI. */
struct hd_pricer hd_cli_pricer(double node_nm, const char *work);
void hd_cli_pricer_free(struct hd_pricer *pricer);

/* The RTL of a module, in a directory that only runs on this RTL write, one at a time:
 * work/<configuration>/<top>-<hash of the RTL>/. */
struct hd_cli_place {
  struct hd_synth_module *modules; /* `top` and all modules in it, top first */
  int n;
  struct hd_synth_module *group; /* NULL, or `top` and the modules attached to it, as one module */
  char *dir, *rtl;               /* the directory, and its subdirectory with the RTL */
  int lock;
};
/* Writes the RTL, or copies it from the user's directory `own` (NULL: none). Returns HD_INPUT if the
 * directory cannot be written, if a file of the user's is missing, or if `attached` is set and nothing is
 * attached. Call hd_cli_place_close in any case. */
enum hd_rc hd_cli_place_open(const char *work, const char *own, const struct hd_design *design,
                             const char *top, bool attached, struct hd_cli_place *place, struct hd_why *why);
void hd_cli_place_close(struct hd_cli_place *place);

/* For the progress line of a run over modules: the nth of `of` modules alone; with `of` 0, every module of
 * the design. */
struct hd_cli_alone {
  int nth, of;
};
struct hd_cli_going {
  const struct hd_design *design;
  const struct hd_synth_module *module;
  struct hd_cli_alone alone;
};
void hd_cli_synth_progress(void *going, const char *module, int done, int of);

/* Generates `top` and synthesises it: alone, or with every module below it as a line. Call hd_synth_free in
 * any case. */
enum hd_rc hd_cli_synth(const struct hd_args *args, const struct hd_design *design, const char *top,
                        struct hd_cli_alone alone, const struct hd_pricer *pricer,
                        struct hd_synth_report *report, struct hd_why *why);

/* Returns how often a module is in another one; a module contains itself once. */
int hd_cli_times_in(const struct hd_decl *d, const char *module);
/* Adds a module without inner modules to the logic of `of`, as often as it is in there. The rest of `of` is
 * wires. Areas and leakage add up; the slowest clock counts. */
void hd_cli_add_logic(const struct hd_decl *of, const struct hd_synth_result *leaf,
                      struct hd_synth_result *sum);

/* Gives the modules that `area` prices: those of a mechanism, by its paper's name, or one module by its own
 * name. Without a name, those of the mechanism in this machine, else all. Returns their number. */
int hd_cli_area_tops(const struct hd_args *args, const struct hd_design *design, const char **name,
                     const char *const **tops);
/* Gives their area together. Call hd_cli_priced_free in any case. */
struct hd_cli_priced {
  struct hd_area_report area;
  struct hd_area_memory *memory; /* the rows of the report point to their names */
  int memories;
};
enum hd_rc hd_cli_area_of(const struct hd_args *args, const heddle_machine *machine,
                          struct hd_cli_priced *priced, struct hd_why *why);
void hd_cli_priced_free(struct hd_cli_priced *priced);
/* `area --explore`, storage.c. */
hd_work hd_cli_area_storage;

/* The verb `area`, for a loaded machine: prices args->mechanism or ->top, else what a paper prices in the
 * machine, else all of it. */
hd_work hd_cli_area;

/* Makes the netlist of a module with the names of its registers (hd_synth_names), in `work` as above, with
 * `gate` of struct hd_synth_job. *netlist is to be freed. */
enum hd_rc hd_cli_netlist(const char *work, unsigned gate, const struct hd_design *design, const char *module,
                          const char *lib_path, const struct hd_lib *lib, char **netlist, struct hd_why *why);

/* heddle synth --target ecp5. */
hd_work hd_cli_fpga;

/* heddle power --run. */
enum hd_rc hd_cli_power_run(const struct hd_args *args, struct hd_why *why);

/* Returns the cache to which areas are compared: the machine's own L1D, with tag arrays that hold the valid
 * and the reserved bit, and a 256-bit port to read each way's data. */
struct hd_area_cache hd_cli_l1(const struct hd_config *c);

#endif
