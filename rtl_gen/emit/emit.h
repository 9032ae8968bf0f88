/* From a declaration and a template to the text of a Verilog module. Internal to rtl_gen.
 *
 * Invariant: everything a module holds is in its declaration. The emitter writes ports, registers and
 * memories from the rows; a template only says how they change, and is refused if it holds state of its own
 * or leaves a register alone.
 */
#ifndef HEDDLE_RTL_GEN_EMIT_EMIT_H
#define HEDDLE_RTL_GEN_EMIT_EMIT_H

#include "arch/declaration/modules.h"
#include "base/run.h"

/* The text of a module, to be freed. NULL and a sentence: the behaviour has undeclared state, or leaves
 * declared state unassigned. */
char *hd_emit(const struct hd_design *design, const struct hd_decl *decl, struct hd_why *why);
/* The text of a module around its behaviour's; `keys`: the configuration keys that its banner prints, NULL last. NULL and
 * a sentence: its sizes are no Verilog. */
char *hd_frame(const struct hd_design *design, const struct hd_decl *decl, const char *body,
               const char *const *keys, struct hd_why *why);

#endif
