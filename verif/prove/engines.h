/* The programs of a proof. Yosys makes an and-inverter graph of the Verilog. ABC decides the graph's outputs, and gives inputs that refute
 * a property. Yosys's sim turns these inputs into a trace. Internal to verif/prove.
 *
 * Invariant: every verdict comes from an engine's own output.
 */
#ifndef HEDDLE_VERIF_PROVE_ENGINES_H
#define HEDDLE_VERIF_PROVE_ENGINES_H

#include "verif/prove/prove.h"

/* Makes proof.aig from the Verilog in the proof's directory. Its outputs are bad[0..n-1], then asks[0..n-1]. Returns HD_CHECK if a `ready`
 * depends on its own `valid`. */
enum hd_rc hd_engine_graph(const struct hd_proof_job *job, struct hd_proof *proof, struct hd_why *why);

/* Tries all properties at once, by induction. Each property may use the others, and signals that ABC finds equal in the graph. Those for
 * which the induction succeeds are proved; the others stay open. Writes the rest of the graph to joint.aig. */
enum hd_rc hd_engine_induction(const struct hd_proof_job *job, struct hd_proof *proof, struct hd_why *why);

/* Decides a property if it is open, and then whether its left side can hold. Returns HD_TOOL if ABC fails. */
enum hd_rc hd_engine_decide(const struct hd_proof_job *job, struct hd_proof *proof, size_t i,
                            struct hd_why *why);

/* Writes the trace of a refuted property: NAME.vcd, and NAME.txt with the values in words. Returns HD_TOOL if ABC or Yosys fails. */
enum hd_rc hd_engine_trace(const struct hd_proof_job *job, struct hd_proof *proof, size_t i,
                           struct hd_why *why);

#endif
