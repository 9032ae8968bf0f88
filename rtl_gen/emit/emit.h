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
#include "rtl_gen/template/size_roles.h"

/* One more module, to those inside it: `written` has room for it. False and a sentence: its sizes are no Verilog, or the
 * behaviour has undeclared state, or leaves declared state unassigned. */
bool hd_emit(const struct hd_design *design, const struct hd_decl *decl, struct hd_modules *written,
             struct hd_why *why);
/* The text of a module around its behaviour's, to be freed, and which sizes it uses. `keys`: the configuration keys that
 * its banner prints, NULL last. */
char *hd_frame(const struct hd_design *design, const struct hd_decl *decl, const char *body,
               const char *const *keys, const struct hd_size_role *roles, bool used[]);
/* The text of a checker, MODULE_props, around its properties: its ports are the module's ports and registers, all inputs; to be
 * freed. All sizes are bound. */
#define HD_CHECKER "_props"
char *hd_frame_checker(const struct hd_design *design, const struct hd_decl *decl, const char *body,
                       const struct hd_size_role *roles);

#endif
