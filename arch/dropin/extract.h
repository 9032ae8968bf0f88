/* What a drop-in takes of the modules that it is made of; inside arch/dropin. */
#ifndef HEDDLE_ARCH_DROPIN_EXTRACT_H
#define HEDDLE_ARCH_DROPIN_EXTRACT_H

#include "arch/dropin/dropin.h"

/* Some instance of this module is of the room. */
bool hd_dropin_takes(const struct hd_decl *top, const char *room);

/* Makes instances, ports, wiring and the layout of the structs of a drop-in whose parts are there. HD_TOOL: out of memory. */
enum hd_rc hd_dropin_take(struct hd_decl *decl, struct hd_dropin *dropin, struct hd_why *why);

#endif
