/* Proofs of a module's properties for all inputs, not only for the inputs of a run (docs/prove.md).
 *
 * Invariant: a property counts as proved only if an engine proves it for the Verilog. It counts as good only if its left side can hold in
 * some cycle: a property that never applies fails.
 */
#ifndef HEDDLE_VERIF_PROVE_PROVE_H
#define HEDDLE_VERIF_PROVE_PROVE_H

#include <jansson.h>
#include <stdio.h>

#include "arch/declaration/modules.h"
#include "base/run.h"

enum hd_verdict {
  HD_PROVED,  /* holds in every cycle after a reset */
  HD_BOUNDED, /* holds in the cycles up to a depth; not decided beyond */
  HD_REFUTED, /* does not hold in some cycle: there is a trace */
  HD_OPEN     /* nothing is known */
};

struct hd_property {
  char *name;
  /* Verilog: in each cycle without reset, `then` holds if `when` does. `when` NULL: `then` holds always. */
  char *when, *then;
  bool derived;            /* from the declaration; else it is written in verif/ROOM/MODULE.props.sv */
  enum hd_verdict verdict; /* of the property */
  /* The verdict on "`when` never holds". REFUTED is good. PROVED means that the property says nothing. */
  enum hd_verdict cover;
  unsigned frames;   /* PROVED: frames of the invariant; BOUNDED: cycles; REFUTED: the cycle of the trace */
  unsigned cover_at; /* the cycle in which `when` first holds */
  const char *by;    /* the method that decided it */
  double seconds;    /* processor time, with its share of the common induction */
};

struct hd_proof_job {
  const struct hd_design *design;
  const char *module;
  const char *rtl;      /* a directory with the Verilog to prove; NULL: the Verilog is generated */
  const char *work;     /* the proof writes to a directory of the module inside this one */
  unsigned limit_s;     /* for each property and engine */
  unsigned depth;       /* cycles of bounded search, if a property is not decided for all cycles */
  const char *property; /* prove only this one; NULL: all */
  void (*progress)(void *user, const char *property, size_t done, size_t of); /* may be NULL */
  void *user;
};

struct hd_proof {
  const char *module;
  char *dir; /* the directory of its files: checker, scripts, logs, traces */
  struct hd_property *property;
  size_t n;
  size_t assumptions;
  size_t ready;   /* number of `ready` outputs that do not depend on their own `valid` in the same cycle */
  double seconds; /* of the whole proof */
  unsigned inputs, flipflops, gates; /* of the graph that the engine gets */
};

/* Proves. In any case the proof may be printed and must be freed.
 * Returns HD_OK if every property is proved or bounded, and its left side can hold. Returns HD_CHECK if one is refuted, says nothing, is
 * open, or its left side was not seen to hold; or if a `ready` depends on its own `valid` and the checker does not say so, or the reverse.
 * Returns HD_INPUT if the Verilog is refused; HD_TOOL if an engine is missing or fails. */
enum hd_rc hd_prove(const struct hd_proof_job *job, struct hd_proof *proof, struct hd_why *why);
void hd_proof_free(struct hd_proof *proof);

/* Prints one line for each property. hd_proof_json returns the same as JSON, a new reference. */
void hd_proof_print(const struct hd_proof *proof, FILE *out);
json_t *hd_proof_json(const struct hd_proof *proof);
/* Returns true if the property is proved or bounded, and its left side can hold. */
bool hd_property_good(const struct hd_property *p);

#endif
