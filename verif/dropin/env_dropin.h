/* The environment of a drop-in; see env_dropin.c. */
#ifndef HEDDLE_VERIF_DROPIN_ENV_DROPIN_H
#define HEDDLE_VERIF_DROPIN_ENV_DROPIN_H

#include "verif/harness/env.h"

/* As hd_env_new, of drop-ins too. HD_INPUT besides: the machine does not fit the environments of what a drop-in is taken from. */
enum hd_rc hd_env_open(const struct hd_env_job *job, struct hd_env **env, struct hd_why *why);

#endif
