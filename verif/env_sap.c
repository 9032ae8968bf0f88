#include "verif/env.h"
struct hd_env *sap_env(const struct hd_env_job *job, struct hd_why *why) {
  (void)job;
  hd_because(why, HD_TOOL, "not yet");
  return NULL;
}
