/* What the tests of the stride prefetchers share: the machine, and whether an event is still in progress. */
#define RIG sap
#include "tests/unit/rig.h"

/* 48 warps, lines of 32 bytes. The prefetcher is `kind`, or SAP with the groups of LAWS if `laws` is set. */
static inline struct hd_config machine(enum hd_prefetch kind, bool laws) {
  struct hd_config c = defaults();
  c.prefetch.kind = kind;
  c.scheduler.policy = laws ? HD_LAWS : HD_LRR;
  c.l1d.line_bytes = 32;
  return c;
}

static inline bool busy(void) {
  const struct sap_st *s = &rig.m->s;
  return s->e_v | s->l_v | s->o_v | s->d_v | s->x_v | s->drq_count | s->r_new | s->turn | s->p_v | s->m_v |
         s->t_v | s->g_v | s->pf_v;
}
