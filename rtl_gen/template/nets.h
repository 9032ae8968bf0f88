/* Instances and the nets between them, for a module that is nothing else: from its connection rows. Internal to rtl_gen.
 *
 * Invariant: a net between two instances has one driver and is declared by it; a net with the name of one of the
 * module's own ports is that port.
 */
#ifndef HEDDLE_RTL_GEN_TEMPLATE_NETS_H
#define HEDDLE_RTL_GEN_TEMPLATE_NETS_H

#include <stdio.h>

#include "rtl_gen/template/size_roles.h"

struct hd_wiring; /* arch/wires/wires.h */

/* All items of the module. `written`: the modules inside it. The range of a net takes `column` characters. Rows that are wrong, which the
 * build has found, end the program with the sentence. */
void hd_put_wiring(FILE *f, const struct hd_config *c, const struct hd_decl *decl,
                   const struct hd_modules *written, int column);

/* The same of a wiring that is there. */
void hd_put_wired(FILE *f, const struct hd_config *c, const struct hd_wiring *w,
                  const struct hd_modules *written, int column);

#endif
