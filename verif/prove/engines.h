/* The programs behind a proof: Yosys makes an and-inverter graph of the Verilog, ABC decides its outputs and says how
 * one is refuted, Yosys's sim draws that as a trace. Internal to verif/prove.
 *
 * Invariant: no verdict but of an engine's own words.
 */
#ifndef HEDDLE_VERIF_PROVE_ENGINES_H
#define HEDDLE_VERIF_PROVE_ENGINES_H

#include "verif/prove/prove.h"

/* proof.aig of the Verilog in the proof's directory: outputs bad[0..n-1], then asks[0..n-1]. HD_CHECK: a `ready` depends on its own
 * `valid`. */
enum hd_rc hd_engine_graph(const struct hd_proof_job *job, struct hd_proof *proof, struct hd_why *why);

/* All properties at once, by induction: each may build on the others, and on what ABC finds equal in the graph. Those that close are
 * proved; of the others nothing is known. Leaves joint.aig, what is left of the graph. */
enum hd_rc hd_engine_induction(const struct hd_proof_job *job, struct hd_proof *proof, struct hd_why *why);

/* Decides a property that is open, and then what it asks for. HD_TOOL: ABC says neither. */
enum hd_rc hd_engine_decide(const struct hd_proof_job *job, struct hd_proof *proof, size_t i,
                            struct hd_why *why);

/* Writes NAME.vcd of a refuted property; what its ports were, in words, goes to NAME.txt. HD_TOOL: Yosys can't draw it. */
enum hd_rc hd_engine_trace(const struct hd_proof_job *job, struct hd_proof *proof, size_t i,
                           struct hd_why *why);

#endif
