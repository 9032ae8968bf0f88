/* The environment of `sm_mem`, for that of a module that holds it; see env_sm_mem.c. */
#ifndef HEDDLE_VERIF_SM_ENV_SM_MEM_H
#define HEDDLE_VERIF_SM_ENV_SM_MEM_H

#include "verif/harness/env.h"

/* Its structs are those of sm_mem (job->module is not). `behind_bus`: mreq and mrsp are those of something between it and the memory,
 * which it is not seen to reach: requests and answers take any time there. NULL: *why says. */
struct hd_env *hd_sm_mem_env(const struct hd_env_job *job, bool behind_bus, struct hd_why *why);

#endif
