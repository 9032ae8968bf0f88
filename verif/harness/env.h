/* The environment of a module under lockstep: makes its inputs, and checks its outputs without the model.
 *
 * Invariant: an environment depends only on its seed and on the values at the ports, so the same seed gives the same run. It never
 * reads the state of the model or of the RTL.
 */
#ifndef HEDDLE_VERIF_HARNESS_ENV_H
#define HEDDLE_VERIF_HARNESS_ENV_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "workloads/stream.h"

struct hd_env;
struct hd_env_ops {
  /* Sets every input (struct X_in) from the Moore outputs (struct X_out) and the environment's own state. It keeps the handshake
   * rule: a valid that was not taken stays 1 with the same payload. */
  void (*drive)(struct hd_env *env, const void *out, void *in);
  /* The clock edge; all outputs are known. Returns false if a check failed; `text` says which. */
  bool (*clock)(struct hd_env *env, const void *in, const void *out);
  /* Returns true if the work is over and nothing is in flight. An environment with endless work makes no more after hd_env.stop. */
  bool (*done)(const struct hd_env *env);
  /* After done: makes the checks that are possible only at the end (nothing is lost). Returns false if one failed; `text` says which. */
  bool (*finish)(struct hd_env *env);
  void (*close)(struct hd_env *env);
};
struct hd_env {
  const struct hd_env_ops *ops;
  /* Called after `clock`, at the same edge, with the LATE outputs (struct X_late). NULL: the environment does not need them. */
  void (*late)(struct hd_env *env, const void *late);
  bool stop;        /* set by the harness: make no more work, drain */
  bool unfit;       /* the fault in `text` is the workload's, not the module's */
  uint64_t checked; /* facts that the environment itself has checked (answers, bytes, ...) */
  char text[1024];
};

struct hd_env_job {
  const struct hd_design *design;
  const char *module;
  uint64_t seed;
  struct wl_source *source; /* sm_mem only: the caller's workload; NULL = `random` work from the seed */
  /* sm_mem only: the memory answers at random times and in random order, and resp_ready drops at random. Always true without a source. */
  bool random;
  /* Bits of hints (D-MIX-3) or of memories with check bits are flipped: results that depend on them alone are not checked. */
  bool storm;
};
/* Returns HD_INPUT if the workload does not fit the machine. */
enum hd_rc hd_env_new(const struct hd_env_job *job, struct hd_env **env, struct hd_why *why);

/* One function for each module, in verif/<room>/env_<module>.c. hd_env_new calls it. */
#define MODULE_MOORE(X, room) struct hd_env *X##_env(const struct hd_env_job *job, struct hd_why *why);
#define MODULE_MEALY(X, room) MODULE_MOORE(X, room)
#include "arch/declaration/modules.def"

#endif
