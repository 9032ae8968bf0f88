/* MASCAR as it runs lazily.
 *
 * While the memory is saturated, most loads that are tried lack something, and go round through the re-execution queue and the L1D
 * until a line comes: half of all cycles on PolyBench's gesummv. Nobody else takes part in such cycles, and what they do is
 * done here, several at a time.
 *
 * Invariant: all registers are, after cycles that were passed, as if they had been run; _wr and counts of accesses aside, at which
 * nobody looks. Of `waiting_0` to `waiting_3` what counts alone: whether their sum says that the memory is saturated.
 *
 * Inlined: measured in cmodel/mascar/reexec_cycle.h. */
#ifndef HEDDLE_CMODEL_MASCAR_LAZY_H
#define HEDDLE_CMODEL_MASCAR_LAZY_H

#include "cmodel/mascar/ports.h"

/* Of `things` all but `few` are in the set, or more. */
static inline bool mascar_nearly_all(uint64_t set, uint64_t things, uint64_t few) {
  uint64_t rest = hd_ones(things) & ~set;
  for (; rest && few; few--)
    rest &= rest - 1;
  return !rest;
}

/* What MASCAR hears of the L1D says something else of saturation than what it heard last (NOTICES row of arch/mascar/wires.def). */
static inline bool mascar_notices(const struct sm_mem *m) {
  const struct mascar *p = m->u_mascar;
  const struct l1d_st *l1d = &m->u_l1d->s;
  const struct hd_derived *d = &p->base.c->d;
  return mascar_nearly_all(l1d->lines_waiting, d->MSHRS, mascar_few_mshrs(p, &m->u_mascar_in)) !=
             mascar_lines_wait(p, &m->u_mascar_in) ||
         (l1d->mq_count + mascar_few_places(p, &m->u_mascar_in) >= d->MQ) != p->s.crowded;
}

/* Of the SM it looks at nothing but whether the owner goes on while the memory is saturated, and else for another. */
static inline bool mascar_notices_warps(const struct sm_mem *m, const struct sm_mem_in *in) {
  const struct mascar_st *s = &m->u_mascar->s;
  const uint64_t own = hd_ones(m->base.c->d.WARPS) & ~s->barred;
  return s->tight && !(own & in->awake & ~in->wait_mem) && (own | (in->ready & in->next_mem));
}

/* Loads may be passed on this machine: nothing else is told of those that are tried. */
bool reexec_may_pass(const struct sm_mem *m);

/* Up to `most` cycles in which loads are tried in vain and nothing else happens: so many were passed, or 0. The next is one in which
 * of all ports only those between queue and L1D meet. */
uint64_t reexec_pass(struct sm_mem *m, uint64_t most);

#endif
