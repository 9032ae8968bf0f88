/* Instances and the nets between them, for a module that is nothing else. Internal to rtl_gen.
 *
 * Invariant: a net between two instances has one driver and is declared by it; a net with the name of one of the
 * module's own ports is that port.
 */
#ifndef HEDDLE_RTL_GEN_EMIT_NETS_H
#define HEDDLE_RTL_GEN_EMIT_NETS_H

#include "rtl_gen/emit/emit.h"

/* What a port of an instance is tied to: a net, or for an input any expression. */
struct hd_net {
  char name[80];
};
typedef struct hd_net hd_net_of(const struct hd_config *c, const struct hd_inst *inst,
                                const struct hd_row *port);

/* Wires for what instances drive and the module doesn't show; a range takes `column` characters. */
void hd_put_nets(FILE *f, const struct hd_config *c, const struct hd_decl *decl, hd_net_of *net_of,
                 int column);

/* The instance, with every size that its module knows. */
void hd_put_instance(FILE *f, const struct hd_design *design, const struct hd_inst *inst, hd_net_of *net_of);

#endif
