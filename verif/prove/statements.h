/* Statements of SystemVerilog that engines are to prove, as plain Verilog. Internal to verif/prove.
 *
 *   NAME: assert property (WHEN |-> THEN);      or (THEN)
 *   NAME: assume property (WHEN |-> THEN);
 *
 * They speak of each cycle that has had a reset and is none.
 *
 * Invariant: bit i of the port `bad` is 1 in a cycle in which property i does not hold, bit i of `asks` in one in which it has
 * something to say.
 */
#ifndef HEDDLE_VERIF_PROVE_STATEMENTS_H
#define HEDDLE_VERIF_PROVE_STATEMENTS_H

#include "verif/prove/prove.h"

/* The text of a checker with its statements replaced and more ports, "NAME, " each, to be freed; their properties and the number of
 * assumptions go into the proof. NULL and a sentence: a statement is none of these, or a name is there twice. */
char *hd_statements(const char *checker, const char *ports, const char *inputs, struct hd_proof *proof,
                    struct hd_why *why);

#endif
