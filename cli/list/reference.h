/* The declarations as text, for `heddle list modules` and docs/reference.md. */
#ifndef HEDDLE_CLI_REFERENCE_H
#define HEDDLE_CLI_REFERENCE_H

#include <stdio.h>

#include "arch/declaration/declaration.h"

/* Prints every module of the design for people: ports, state, events, with the sizes of this machine. */
void hd_reference_modules(const struct hd_design *design, FILE *f);

/* docs/reference.md: keys, derived sizes, bundles, and every existing module, with sizes as expressions. */
void hd_reference_page(FILE *f);

/* The table of keys in Markdown. */
void hd_reference_params(FILE *f);

#endif
