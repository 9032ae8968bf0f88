/* Compares the LATE ports at an edge with the other ports in the cycle after it; see l1d_checker.h.
 *
 * Invariant: only ports that this machine has are compared. */
#include "verif/l1d/l1d_checker_joining.h"

void hd_l1d_late(struct hd_env *env, const void *late) {
  struct l1d_env *e = (struct l1d_env *)env;
  e->late = *(const struct l1d_late *)late;
  e->late_said = true;
}

/* Checks c and d. `was`, `now`: their values in the cycle before the edge, and now. */
static const char *check_pipeline(const struct hd_derived *d, const struct l1d_late *late,
                                  const struct moment *was, const struct moment *now) {
  if (d->LATE_READ && d->LOOK_VALID && late->late_read != now->look_valid)
    return "late_read is not what c is after the edge";
  if (d->LATE_READ && d->LOOK_SET && late->late_set != now->look_set)
    return "late_set is not the set that is in c after the edge";
  if (!d->LATE_ADVANCE)
    return NULL;
  const bool moves = late->late_advance;
  if ((d->DECIDE_SET && d->LOOK_SET && now->decide_set != (moves ? was->look_set : was->decide_set)) ||
      (d->DECIDE_WID && d->LOOK_WID && now->decide.wid != (moves ? was->look.wid : was->decide.wid)) ||
      (d->DECIDE_HPC && d->LOOK_HPC && now->decide.hpc != (moves ? was->look.hpc : was->decide.hpc)))
    return moves ? "late_advance is 1, and c has not moved into d" : "late_advance is 0, and d has changed";
  if (!moves && ((d->LOOK_VALID && now->look_valid != was->look_valid) ||
                 (d->LOOK_SET && now->look_set != was->look_set)))
    return "late_advance is 0, and c has changed";
  return NULL;
}

/* Checks the decision and the written tag against OUTCOME, which reports them now. */
static const char *check_decision(const struct hd_derived *d, const struct l1d_late *late,
                                  const struct moment *was, const struct l1d_out *out) {
  const uint64_t written = out->outcome_write ? out->outcome_at : 0,
                 taken = out->outcome_take ? out->outcome_at : 0;
  if (d->HOLD && late->late_held && (!was->hold || was->keep || out->outcome_load || out->outcome_tried))
    return "late_held is 1, and no load waits for HOLD";
  if (d->LATE_TAKE && d->OUTCOME_TAKE && d->OUTCOME_AT && late->late_take != taken)
    return "late_take is not the way that the load has taken";
  if (d->LATE_EVICT && d->OUTCOME_EVICT && late->late_evict != out->outcome_evict)
    return "late_evict is not whether a load's line has given way";
  if (d->LATE_EVICT && d->OUTCOME_AT && late->late_evict &&
      late->late_row != out->outcome_set * d->WAYS + hd_l1d_lowest(out->outcome_at))
    return "late_row is not the place of the line that has given way";
  if (d->LINES && d->OUTCOME_WRITE && d->OUTCOME_AT && late->late_tag_we != written)
    return "late_tag_we is not the way whose tag has been written";
  if (d->LINES && d->OUTCOME_AT && late->late_tag_we && late->late_tag_set != out->outcome_set)
    return "late_tag_set is not the set in which a tag has been written";
  return NULL;
}

/* Checks the tag that a load's miss has written. */
static const char *check_tag(const struct hd_config *c, const struct l1d_late *late,
                             const struct l1d_out *out) {
  const struct hd_derived *d = &c->d;
  if (!d->LINES || !d->ON_MISS || !d->OUTCOME_LINE || !d->OUTCOME_LOAD || !out->outcome_load ||
      !late->late_tag_we)
    return NULL;
  const uint64_t line = out->outcome.line,
                 tag = c->l1d.set_index == HD_INDEX_LINEAR ? line >> d->SET_W : line;
  return late->late_tag != tag ? "late_tag is not the tag of the line that has missed" : NULL;
}

const char *hd_l1d_check_late(struct l1d_env *e, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const struct l1d_late *late = &e->late;
  if (!e->late_said)
    return NULL;
  e->late_said = false;
  const char *wrong = check_pipeline(d, late, &e->before, &e->now);
  if (!wrong)
    wrong = check_decision(d, late, &e->before, out);
  if (!wrong)
    wrong = check_tag(e->p.c, late, out);
  if (wrong || !d->LATE_FILL)
    return wrong;
  if (d->FILL_SET && late->late_fill_set != out->fill_set)
    return "late_fill_set is not the set of the fill after the edge";
  return e->filling && e->filling->flight.when + 1 == e->p.cycle && !late->late_fill
             ? "late_fill is 0, and a fill asks"
             : NULL;
}
