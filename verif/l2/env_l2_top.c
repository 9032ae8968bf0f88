/* The environment of `l2_top`; l2_checker.h has the checks. Moods set the enable high or low; in some runs it stays constant at first. */
#include "verif/l2/l2_checker.h"

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct l2_env *e = (struct l2_env *)env;
  struct l2_top_in *in = in_;
  (void)out;
  hd_slice_drive(e, HD_L2_INPUTS(in));
#define ENABLE(name, when, key, changes, of) in->name = e->enabled;
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include "arch/l2/l2_top.def"
}

static bool clock(struct hd_env *env, const void *in, const void *out_) {
  struct l2_env *e = (struct l2_env *)env;
  const struct l2_top_out *out = out_;
  (void)in;
  if (e->p.c->d.L2_SLEEPS && !hd_slice_check_power(e, out->sleep, out->awake))
    return false;
  return hd_slice_check(e, HD_L2_OUTPUTS(out));
}

struct hd_env *l2_top_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, hd_slice_done, hd_slice_finish, hd_slice_close};
  struct l2_env *e = hd_slice_new(sizeof *e, true, job, &ops, why);
  return e ? &e->p.env : NULL;
}
