/* Where the loops of a kernel are, learned from the program counters of its warps, and the reports of warps that leave
 * them. Rules: docs/sm.md, "Loops".
 *
 * Invariant: loops are in the order of their branches, one for each target; reports are in the order in which warps left.
 */
#ifndef HEDDLE_CMODEL_SM_LOOPS_H
#define HEDDLE_CMODEL_SM_LOOPS_H

#include <stdbool.h>
#include <stdint.h>

struct hd_loops;

/* A warp has left the loop from `to`, its target, to `from`, its branch. */
struct hd_leave {
  unsigned wid;
  uint32_t from, to;
};

struct hd_loops *hd_loops_new(void); /* NULL: memory is out */
void hd_loops_free(struct hd_loops *l);

/* For a new launch: forgets the loops, since program counters now mean something else, and the reports. */
void hd_loops_forget(struct hd_loops *l);

/* hd_loops_go: the warp goes from the instruction at `pc` to the one at `next`.
 * hd_loops_end: its stream ends after the instruction at `pc`. */
void hd_loops_go(struct hd_loops *l, unsigned wid, uint32_t pc, uint32_t next);
void hd_loops_end(struct hd_loops *l, unsigned wid, uint32_t pc);

/* Returns the report that is due, the same until hd_loops_reported; NULL if there is none. Valid until another call. */
const struct hd_leave *hd_loops_report(const struct hd_loops *l);
void hd_loops_reported(struct hd_loops *l);

/* True if memory was out: loops or reports are missing. */
bool hd_loops_no_memory(const struct hd_loops *l);

#endif
