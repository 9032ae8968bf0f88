/* heddle prove --netlist: compares a module's Verilog with the gates that synthesis makes of it. */
#ifndef HEDDLE_CLI_PROVE_NETLIST_H
#define HEDDLE_CLI_PROVE_NETLIST_H

#include "cli/cli.h"

/* Makes the netlist of a module of the design with the library of args, or takes args->of. Compares,
 * reports, and adds to `modules`. Adds the number of compared points to *points. Returns the codes of
 * hd_cli_netlist and hd_equal_run. */
enum hd_rc hd_cli_prove_netlist(const struct hd_args *args, const struct hd_design *design,
                                const char *module, FILE *report, json_t *modules, size_t *points,
                                struct hd_why *why);

#endif
