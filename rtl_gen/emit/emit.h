/* From a declaration and a template to the text of a Verilog module. Internal to rtl_gen.
 *
 * Invariant: a module's declaration has all its state. The emitter writes ports, registers and memories from
 * the rows. A template only describes how they change; it is refused if it holds state of its own or leaves a
 * register unassigned. */
#ifndef HEDDLE_RTL_GEN_EMIT_EMIT_H
#define HEDDLE_RTL_GEN_EMIT_EMIT_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "rtl_gen/template/size_roles.h"

/* Adds the text of a module to `written`, which has room for it and already has the modules inside it.
 * Returns false and a sentence if a size has no Verilog form, or if the behaviour has undeclared state or
 * leaves declared state unassigned. */
bool hd_emit(const struct hd_design *design, const struct hd_decl *decl, struct hd_modules *written,
             struct hd_why *why);
/* Returns the text of a module around the text of its behaviour, to be freed, and sets used[] for the sizes
 * in it. The banner prints the configuration keys in `keys`, which ends with NULL. */
char *hd_frame(const struct hd_design *design, const struct hd_decl *decl, const char *body,
               const char *const *keys, const struct hd_size_role *roles, bool used[]);
/* Returns the text of a checker, MODULE_props, around its properties, to be freed. Its ports are the module's
 * ports and registers, all as inputs. All its sizes are bound. */
#define HD_CHECKER "_props"
char *hd_frame_checker(const struct hd_design *design, const struct hd_decl *decl, const char *body,
                       const struct hd_size_role *roles);

#endif
