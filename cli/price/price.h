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

/* Generates `top` and synthesises it: alone, the nth of so many that are (for the progress line), or with `of` 0 with a line
 * for every module below it too. Everything is in args->work/<configuration>/<top>-<hash of the RTL>/, where nothing but this
 * module's runs write, one at a time. hd_synth_free in any case. */
struct hd_cli_alone {
  int nth, of;
};
enum hd_rc hd_cli_synth(const struct hd_args *args, const struct hd_design *design, const char *top,
                        struct hd_cli_alone alone, const struct hd_pricer *pricer,
                        struct hd_synth_report *report, struct hd_why *why);

/* How often a module is in another one, which counts itself. */
int hd_cli_times_in(const struct hd_decl *d, const char *module);
/* Adds a module that holds no other to the logic of `of`, as often as it is in there: what is beside such modules is wires. Areas and
 * leakage add up; the clock is the slowest one's. */
void hd_cli_add_logic(const struct hd_decl *of, const struct hd_synth_result *leaf,
                      struct hd_synth_result *sum);

/* The verb `area`, for a machine that is loaded: of args->mechanism or ->top, else of what a paper prices in it, else all of it. */
hd_work hd_cli_area;

/* The netlist of a module with the names of its registers (hd_synth_names), in `work` as above; *netlist is to be freed. */
enum hd_rc hd_cli_netlist(const char *work, const struct hd_design *design, const char *module,
                          const char *lib_path, const struct hd_lib *lib, char **netlist, struct hd_why *why);

/* heddle power --run. */
enum hd_rc hd_cli_power_run(const struct hd_args *args, struct hd_why *why);

/* What the share of the L1 is taken of: the machine's own L1D, tag arrays with the valid and the reserved
 * bit, each way's data read through a 256-bit port. */
struct hd_area_cache hd_cli_l1(const struct hd_config *c);

#endif
