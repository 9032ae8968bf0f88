/* How far SMs, CTAs and warps are ahead of each other in a launch that is simulated by samples, and how far each is to pass, so that the
 * next sample finds them as they would be (docs/gpu/sampling.md, "Leads").
 *
 * A lead counts instructions of a warp: of an SM, over the mean of all warps; of a CTA, over that of its SM; of a warp, over that of its
 * CTA.
 *
 * Invariant: goals depend only on what warps have issued and passed. */
#ifndef HEDDLE_CMODEL_GPU_LEADS_H
#define HEDDLE_CMODEL_GPU_LEADS_H

#include "cmodel/sm/forward.h"

struct hd_leads;
/* For `sms` SMs, which must stay, with `warps` warps each. Returns NULL if memory has run out. */
struct hd_leads *hd_leads_new(struct hd_sm *const *sm, unsigned sms, unsigned warps);
void hd_leads_free(struct hd_leads *l);

/* hd_leads_launch: a launch begins. hd_leads_measure: measuring begins. */
void hd_leads_launch(struct hd_leads *l, unsigned warps_per_cta);
void hd_leads_measure(struct hd_leads *l);

/* Measuring has ended: sets the goals of all warps (hd_sm_set_goal). The warps are to pass what takes `ratio` times as long as what was
 * measured. This is `share` of the time since the launch began. Returns the sum of all goals; `of_sm`: the sum of each SM's. */
double hd_leads_set_goals(struct hd_leads *l, double ratio, double share, double *of_sm);
/* Sets these goals, and all SMs pass them at the same time. `passed` hears of the last `told` instructions. Returns the number of
 * instructions passed. `way`: the part of its goal that came about: of the SMs that found CTAs to pass, or if none did, of the warp that
 * came farthest. */
uint64_t hd_leads_pass(struct hd_leads *l, double ratio, double share, double told,
                       const struct hd_passed *passed, double *way);
/* After goals were set: true if leads of CTAs or warps walk. The goals let such leads go on, so what is measured next depends on how far
 * they go. */
bool hd_leads_walk(const struct hd_leads *l);

#endif
