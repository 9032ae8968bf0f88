/* The environment of a drop-in; see env_dropin.c. */
#ifndef HEDDLE_VERIF_DROPIN_ENV_DROPIN_H
#define HEDDLE_VERIF_DROPIN_ENV_DROPIN_H

#include "verif/harness/env.h"

/* Like hd_env_new, but for drop-ins too. Also returns HD_INPUT if the machine does not fit the environments of the modules from which the
 * drop-in is taken. */
enum hd_rc hd_env_open(const struct hd_env_job *job, struct hd_env **env, struct hd_why *why);

#endif
