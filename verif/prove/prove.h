/* Proofs of a module's properties, for all inputs and not for those of a run alone (docs/prove.md).
 *
 * Invariant: a property counts as proved only if an engine says so of the Verilog, and as good only if what it asks for can
 * happen: one that never has anything to say fails.
 */
#ifndef HEDDLE_VERIF_PROVE_PROVE_H
#define HEDDLE_VERIF_PROVE_PROVE_H

#include <jansson.h>
#include <stdio.h>

#include "arch/declaration/modules.h"
#include "base/run.h"

enum hd_verdict {
  HD_PROVED,  /* in every cycle after a reset */
  HD_BOUNDED, /* in the cycles up to a depth; not decided beyond */
  HD_REFUTED, /* not in all: there is a trace */
  HD_OPEN     /* nothing is known */
};

struct hd_property {
  char *name;
  char *when,
      *then;    /* as Verilog: in each cycle without reset, `then` holds if `when` does; when NULL: always */
  bool derived; /* from the declaration; else written in verif/ROOM/MODULE.props.sv */
  enum hd_verdict verdict; /* of the property */
  enum hd_verdict
      cover; /* of `never when`: REFUTED is what is wanted, PROVED means that the property holds emptily */
  unsigned frames;   /* PROVED: of the invariant; BOUNDED: cycles; REFUTED: cycle of the trace */
  unsigned cover_at; /* the cycle in which `when` first holds */
  const char *by;    /* what decided it */
  double seconds;    /* of processor time; of the induction of all, its share */
};

struct hd_proof_job {
  const struct hd_design *design;
  const char *module;
  const char *rtl;      /* a directory whose Verilog is taken instead of what is generated; NULL: none */
  const char *work;     /* where to write: a directory of the module in it */
  unsigned limit_s;     /* for each property and engine */
  unsigned depth;       /* cycles, of what is not decided for all */
  const char *property; /* this one alone; NULL: all */
  void (*progress)(void *user, const char *property, size_t done, size_t of); /* may be NULL */
  void *user;
};

struct hd_proof {
  const char *module;
  char *dir; /* its files: the checker, the scripts, logs, traces */
  struct hd_property *property;
  size_t n;
  size_t assumptions;
  size_t ready;   /* `ready` outputs that were looked at: none depends on its own `valid` in its cycle */
  double seconds; /* all of it */
  unsigned inputs, flipflops, gates; /* of what the engine was given */
};

/* Proves. The proof may be printed in any case, and is to be freed. HD_OK: every property is proved or bounded, and can ask for
 * something; HD_CHECK: one is refuted, or holds emptily, or is open, or the module has none; HD_INPUT: the Verilog is refused;
 * HD_TOOL: an engine is missing or failed. */
enum hd_rc hd_prove(const struct hd_proof_job *job, struct hd_proof *proof, struct hd_why *why);
void hd_proof_free(struct hd_proof *proof);

/* A line a property; and JSON of the same, a new reference. */
void hd_proof_print(const struct hd_proof *proof, FILE *out);
json_t *hd_proof_json(const struct hd_proof *proof);
/* Whether all is well with a property. */
bool hd_property_good(const struct hd_property *p);

#endif
