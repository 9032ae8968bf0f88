/* Keeps the latest events of the model for the report of a mismatch; see run.h.
 *
 * Invariant: an entry of the ring is one event, which happened in each cycle from its first to its last.
 */
#include "verif/harness/run.h"

#include <string.h>

/* Returns the place in run->like for this event. The hash uses no addresses, so that each run gives the same report. */
static uint64_t *entry_like(struct hd_run *run, const struct hd_decl *decl, unsigned event,
                            const uint64_t arg[4]) {
  const uint64_t mixed = decl->n_rows * 1009 + event * 31 + arg[0] * 7 + arg[1] + arg[2] * 3 + arg[3] * 5;
  return &run->like[mixed * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (HD_LIKE - 1)];
}

/* Keeps an event. A module that waits reports the same event in every cycle: these share one entry. */
void hd_run_hear(void *ctx, const struct hd_model *m, unsigned event, const uint64_t arg[4]) {
  struct hd_run *run = ctx;
  const uint64_t cycle = run->log.cycle;
  uint64_t *like = entry_like(run, m->decl, event, arg);
  struct hd_latest *t = &run->latest[*like % HD_LATEST];
  if (run->n_latest - *like <= HD_LATEST && t->e.event == event && t->until + 1 >= cycle &&
      t->e.decl == m->decl && !memcmp(t->e.arg, arg, sizeof t->e.arg)) {
    t->until = cycle;
    return;
  }
  *like = run->n_latest++;
  t = &run->latest[*like % HD_LATEST];
  *t = (struct hd_latest){{.cycle = cycle, .decl = m->decl, .event = event}, cycle};
  memcpy(t->e.arg, arg, sizeof t->e.arg);
}
