/* Properties that follow from a module's declaration alone, so every module has them. Internal to verif/prove.
 *
 *   NAME_range           an output, or a register with a reset value, whose width is the bits of a number, stays below that number
 *   NAME_stays           with ports NAME_valid and NAME_ready: a valid that is not taken is valid again in the next cycle
 *   NAME_payload_stays   and the ports that travel with it keep their values
 *   NAME_bytes_stays     and so do the bytes, if it is a store
 *
 * The same statements about inputs are assumptions. NAME_range does not exist if the number is a power of two: then every value is legal.
 */
#ifndef HEDDLE_VERIF_PROVE_DERIVED_H
#define HEDDLE_VERIF_PROVE_DERIVED_H

#include "arch/declaration/modules.h"

/* Returns their text for the checker; the caller frees it. */
char *hd_derived_properties(const struct hd_design *design, const struct hd_decl *d);

/* Finds the next handshake, from row `from` on, whose `ready` is an output. Returns the number of the row after its `valid`, or 0 if there
 * are no more. */
size_t hd_derived_ready(const struct hd_decl *d, const struct hd_row **valid, const struct hd_row **ready,
                        size_t from);

#endif
