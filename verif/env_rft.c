/* Environment of `rft`: to be written. */
#include "verif/parts.h"

struct hd_env *rft_env(const struct hd_env_job *job, struct hd_why *why) {
  (void)job;
  hd_because(why, HD_TOOL, "not written");
  return NULL;
}
