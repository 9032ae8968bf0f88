/* The environment of `sm_mem`, also for modules that contain sm_mem; see env_sm_mem.c. */
#ifndef HEDDLE_VERIF_SM_ENV_SM_MEM_H
#define HEDDLE_VERIF_SM_ENV_SM_MEM_H

#include "verif/harness/env.h"

/* Returns an environment whose input and output structs are those of sm_mem, although job->module is another module. `behind_bus`: mreq
 * and mrsp are ports on the far side of a bus, which lies between sm_mem and the memory; requests and answers take any time on it.
 * Returns NULL and sets *why if it fails. */
struct hd_env *hd_sm_mem_env(const struct hd_env_job *job, bool behind_bus, struct hd_why *why);

#endif
