/* What the probe units look at when they run lazily. */
#include "cmodel/memsched/lazy.h"
#include "cmodel/l1d/l1d_sets.h"
#include "cmodel/memsched/ports.h"

void tag_probe_look(struct sm_mem *m) {
  enum { MOST = 4 };
  const struct l1d_st *from = &m->u_l1d->s;
  const struct tag_probe_in *probe = &m->u_probe_in;
  const unsigned probes = m->base.c->d.PROBES, on_miss = m->base.c->d.ON_MISS;
  const struct memsched *buffer = m->u_memsched;
  const uint64_t *asked = m->u_probe->s.pr_q;
  uint64_t early[MOST], set[MOST]; /* first, so that no write stands between the reads of the configuration */
  if (m->base.c->d.PROBE_EARLY) {
    for (unsigned u = 0; u < probes; u++)
      early[u] = memsched_early_line(buffer, u);
    asked = early;
  }
  for (unsigned u = 0; u < probes; u++)
    set[u] = l1d_set_of(m->base.c, asked[u]);
  for (unsigned u = 0; u < probes; u++)
    probe->lines_valid[set[u]] = from->valid[set[u]];
  for (unsigned u = 0; u < on_miss * probes; u++)
    probe->lines_reserved[set[u]] = from->reserved[set[u]];
  for (unsigned u = 0; u < probes; u++)
    probe->pr_line[u] = asked == early ? early[u] : memsched_last_line(buffer, u);
}
