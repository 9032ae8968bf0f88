/* The instances of a module that holds nothing else, and the nets between them, from its connection rows.
 * Internal to rtl_gen.
 *
 * Invariant: a net between two instances has one driver and is declared by it; a net with the name of one of
 * the module's own ports is that port. */
#ifndef HEDDLE_RTL_GEN_TEMPLATE_NETS_H
#define HEDDLE_RTL_GEN_TEMPLATE_NETS_H

#include <stdio.h>

#include "rtl_gen/template/size_roles.h"

struct hd_wiring; /* arch/wires/wires.h */

/* Writes all items of the module. `written` are the modules inside it. The range of a net takes `column`
 * characters. Wrong rows end the program with their sentence; the build has found them before. */
void hd_put_wiring(FILE *f, const struct hd_config *c, const struct hd_decl *decl,
                   const struct hd_modules *written, int column);

/* The same for a finished wiring. */
void hd_put_wired(FILE *f, const struct hd_config *c, const struct hd_wiring *w,
                  const struct hd_modules *written, int column);

#endif
