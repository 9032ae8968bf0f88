/* Makes a module's environment; see env.h. */
#include "verif/harness/env.h"

#include <string.h>

enum hd_rc hd_env_new(const struct hd_env_job *job, struct hd_env **env, struct hd_why *why) {
  static const struct {
    const char *module;
    struct hd_env *(*make)(const struct hd_env_job *job, struct hd_why *why);
  } makers[] = {
#define MODULE_MOORE(X, room) {#X, X##_env},
#define MODULE_MEALY(X, room) MODULE_MOORE(X, room)
#include "arch/declaration/modules.def"
  };
  *env = NULL;
  if (!hd_design_find(job->design, job->module))
    return hd_because(why, HD_INPUT, "%s: no such module in this machine", job->module);
  for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
    if (strcmp(makers[i].module, job->module) == 0)
      *env = makers[i].make(job, why);
  return *env ? HD_OK : HD_INPUT;
}
