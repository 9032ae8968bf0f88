/* How far SMs, CTAs and warps are ahead of each other in a launch that is simulated by samples, and how far they are to pass, so that what
 * is simulated next finds them as they would be (docs/gpu/sampling.md, "Leads").
 *
 * A lead is in instructions of a warp: of an SM, over the mean of all warps; of a CTA, over that of its SM; of a warp, over its CTA's.
 *
 * Invariant: goals depend on what warps have issued and passed alone.
 */
#ifndef HEDDLE_CMODEL_GPU_LEADS_H
#define HEDDLE_CMODEL_GPU_LEADS_H

#include "cmodel/sm/forward.h"

struct hd_leads;
/* Of so many SMs, which must stay, of so many warps each. NULL: out of memory. */
struct hd_leads *hd_leads_new(struct hd_sm *const *sm, unsigned sms, unsigned warps);
void hd_leads_free(struct hd_leads *l);

/* A launch begins, whose CTAs have so many warps. What is measured begins. */
void hd_leads_launch(struct hd_leads *l, unsigned warps_per_cta);
void hd_leads_measure(struct hd_leads *l);

/* What is measured has ended: sets the goals of all warps (hd_sm_set_goal). They are to pass what takes `ratio` times as long, which is
 * `share` of the time since the launch began. Returns all of it; `of_sm`: of each SM. */
double hd_leads_set_goals(struct hd_leads *l, double ratio, double share, double *of_sm);
/* Sets these goals, and all SMs pass them at the same time; of the last `told` instructions `passed` hears. Returns how many; `way`: the
 * part of the way that they came: those that found CTAs to pass, or if none did, the warp that came farthest. */
uint64_t hd_leads_pass(struct hd_leads *l, double ratio, double share, double told,
                       const struct hd_passed *passed, double *way);
/* After a goal was set: leads of CTAs or warps walk, and goals have them go on to. Then what is measured depends on how far they go. */
bool hd_leads_walk(const struct hd_leads *l);

#endif
