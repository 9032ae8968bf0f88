/* Translates the SystemVerilog statements of a checker to plain Verilog. Internal to verif/prove.
 *
 *   NAME: assert property (WHEN |-> THEN);      or (THEN)
 *   NAME: assume property (WHEN |-> THEN);
 *
 * A statement is about each cycle after the first reset in which rst is 0.
 *
 * Invariant: bit i of the port `asks` is 1 in a cycle in which WHEN of property i holds. Bit i of `bad` is 1 in a cycle in which property i
 * does not hold.
 */
#ifndef HEDDLE_VERIF_PROVE_STATEMENTS_H
#define HEDDLE_VERIF_PROVE_STATEMENTS_H

#include "verif/prove/prove.h"

/* Returns the text of a checker with its statements translated and with more ports; the caller frees it. `ports` has "NAME, " for each
 * port, `inputs` their declarations. Adds the properties and the number of assumptions to the proof. Returns NULL and sets *why if a
 * statement has another form or a name occurs twice. */
char *hd_statements(const char *checker, const char *ports, const char *inputs, struct hd_proof *proof,
                    struct hd_why *why);

#endif
