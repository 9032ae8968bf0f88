/* What surrounds a module under lockstep: it makes the inputs and checks the outputs by itself.
 *
 * Invariant: an environment depends on its seed and on what it sees at the ports, nothing else; so the same
 * seed gives the same run. It never reads the model's or the RTL's state.
 */
#ifndef HEDDLE_VERIF_HARNESS_ENV_H
#define HEDDLE_VERIF_HARNESS_ENV_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "workloads/stream.h"

struct hd_env;
struct hd_env_ops {
  /* Sets every input (struct X_in) from the Moore outputs (struct X_out) and its own mind. Handshakes are
   * kept: a valid that was not taken stays with its payload. */
  void (*drive)(struct hd_env *env, const void *out, void *in);
  /* The clock edge, all outputs known. False: a check failed, `text` says which in words. */
  bool (*clock)(struct hd_env *env, const void *in, const void *out);
  /* The work is over and nothing is in flight. An environment with endless work stops making more after
   * hd_env.stop. */
  bool (*done)(const struct hd_env *env);
  /* After done: what can only be checked at the end (nothing lost). False: `text` says. */
  bool (*finish)(struct hd_env *env);
  void (*close)(struct hd_env *env);
};
struct hd_env {
  const struct hd_env_ops *ops;
  /* After `clock`, at the same edge: what the LATE outputs are (struct X_late). NULL: the environment does not ask. */
  void (*late)(struct hd_env *env, const void *late);
  bool stop;        /* set by the harness: make no more work, drain */
  bool unfit;       /* what `text` says is wrong with the workload, not with the module */
  uint64_t checked; /* facts the environment itself has checked (answers, bytes, ...) */
  char text[1024];
};

struct hd_env_job {
  const struct hd_design *design;
  const char *module;
  uint64_t seed;
  struct wl_source *source; /* sm_mem only: the workload, the caller's; NULL = `random` work from the seed */
  bool random; /* sm_mem only: the memory is random, resp_ready hesitates; without a source always */
  bool storm; /* hints (D-MIX-3), or memories with check bits, flip: what hangs on them alone is not judged */
};
/* HD_INPUT: the workload does not fit the machine. */
enum hd_rc hd_env_new(const struct hd_env_job *job, struct hd_env **env, struct hd_why *why);

/* One function per module, verif/<room>/env_<module>.c; called by hd_env_new. */
#define MODULE_MOORE(X, room) struct hd_env *X##_env(const struct hd_env_job *job, struct hd_why *why);
#define MODULE_MEALY(X, room) MODULE_MOORE(X, room)
#include "arch/declaration/modules.def"

#endif
