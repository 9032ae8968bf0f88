/* Properties that follow from a module's declaration alone, so that every module has them. Internal to verif/prove.
 *
 *   NAME_range           a register with a reset value, or an output, whose width is the bits of a number, is below that number
 *   NAME_stays           where ports NAME_valid and NAME_ready are: what is offered and not taken is offered again
 *   NAME_payload_stays   with the same in the ports that travel with it
 *   NAME_bytes_stays     with the same bytes, if it is a store
 *
 * Of inputs they are assumptions. Nothing is claimed of a width that all its numbers fill.
 */
#ifndef HEDDLE_VERIF_PROVE_DERIVED_H
#define HEDDLE_VERIF_PROVE_DERIVED_H

#include "arch/declaration/modules.h"

/* Their text for the checker, to be freed. */
char *hd_derived_properties(const struct hd_design *design, const struct hd_decl *d);

/* The next handshake, from row `from` on, whose `ready` is an output; the row behind its `valid`, 0: no more. */
size_t hd_derived_ready(const struct hd_decl *d, const struct hd_row **valid, const struct hd_row **ready,
                        size_t from);

#endif
