/* sm_mem run lazily, for performance runs: a module inside whose tick changed nothing but event counts
 * sleeps, and the same events count for it every cycle, until a handshake wakes it. Line bytes are not
 * carried.
 *
 * Invariant: outputs, and event counts after hd_lazy_settle, are in every cycle those of sm_mem_moore,
 * sm_mem_mealy and sm_mem_tick. A module may stay awake for nothing, never sleep through a change.
 */
#ifndef HEDDLE_CMODEL_LAZY_H
#define HEDDLE_CMODEL_LAZY_H

#include "cmodel/models.h"

enum { LAZY_PARTS = 4, LAZY_WAITS = 6 };
struct hd_lazy {
  struct sm_mem *m;
  uint64_t now;
  struct hd_lazy_part {
    uint64_t *ev; /* the module's event counts */
    bool sleeps;
    uint64_t since;             /* first cycle slept through */
    uint64_t count[LAZY_WAITS]; /* asleep: events of each such cycle */
    unsigned waits;
    unsigned wait[LAZY_WAITS]; /* the events that can happen while nothing else does */
  } part[LAZY_PARTS];
};

void hd_lazy_init(struct hd_lazy *l, struct sm_mem *m);

/* As those of sm_mem; in and out are the same structs in every cycle. */
void hd_lazy_moore(struct hd_lazy *l, struct sm_mem_out *out);
void hd_lazy_mealy(struct hd_lazy *l, const struct sm_mem_in *in, struct sm_mem_out *out);
/* True: everything sleeps; cycles with the same inputs as this one may be skipped. */
bool hd_lazy_tick(struct hd_lazy *l, const struct sm_mem_in *in);
void hd_lazy_skip(struct hd_lazy *l, uint64_t cycles);
void hd_lazy_settle(struct hd_lazy *l); /* all event counts are up to date */

#endif
