/* The answers of `heddle list`, as JSON; docs/json.md names the keys. */
#ifndef HEDDLE_CLI_LIST_H
#define HEDDLE_CLI_LIST_H

#include <jansson.h>
#include <stdio.h>

#include "arch/declaration/declaration.h"

/* Writes the block diagram of sm_mem for Graphviz: instances are boxes, channels are lines with the bundle's
 * name and its bits, hooks are dotted, other wires are grey with their bits. */
void hd_list_dot(const struct hd_design *design, FILE *f);

/* Returns all configuration keys. */
json_t *hd_list_params_json(void);
/* Returns all workloads with their keys and inputs. */
json_t *hd_list_workloads_json(void);
/* Returns all modules of the design, inner ones first, with the sizes of this machine. */
json_t *hd_list_modules_json(const struct hd_design *design);

#endif
