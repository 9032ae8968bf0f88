/* Environment of mta: to be written. */
#include "verif/env.h"

struct hd_env *mta_env(const struct hd_env_job *job, struct hd_why *why) {
  (void)job;
  hd_because(why, HD_INPUT, "to be written");
  return NULL;
}
