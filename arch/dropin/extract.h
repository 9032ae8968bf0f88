/* Takes the instances, ports and wires of a drop-in from its modules; internal to arch/dropin. */
#ifndef HEDDLE_ARCH_DROPIN_EXTRACT_H
#define HEDDLE_ARCH_DROPIN_EXTRACT_H

#include "arch/dropin/dropin.h"

/* True if some instance of this module belongs to the room. */
bool hd_dropin_takes(const struct hd_decl *top, const char *room);

/* Makes the instances, ports, wiring and struct layout of a drop-in whose parts are set. Returns HD_TOOL if
 * memory is out. */
enum hd_rc hd_dropin_take(struct hd_decl *decl, struct hd_dropin *dropin, struct hd_why *why);

#endif
