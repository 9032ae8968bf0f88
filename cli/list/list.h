/* What `heddle list` says, as JSON; docs/json.md names the keys. */
#ifndef HEDDLE_CLI_LIST_H
#define HEDDLE_CLI_LIST_H

#include <jansson.h>
#include <stdio.h>

#include "arch/declaration/declaration.h"

/* The block diagram of sm_mem, in Graphviz's language: instances as boxes, channels as lines with the bundle's name and
 * its bits, hooks dotted, other wires grey with their bits. */
void hd_list_dot(const struct hd_design *design, FILE *f);

/* Every configuration key. */
json_t *hd_list_params_json(void);
/* Every workload with its keys and inputs. */
json_t *hd_list_workloads_json(void);
/* Every module of the design, inner ones first, with the sizes of this machine. */
json_t *hd_list_modules_json(const struct hd_design *design);

#endif
