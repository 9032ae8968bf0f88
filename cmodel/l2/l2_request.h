/* What a request does in the cycle of its decision, in an L2 slice. Spec: docs/mechanisms/l2.md, "Decision"; part of the
 * model in cmodel/l2/l2_slice.c.
 *
 * Invariant: what is planned is done: nothing here finds out anything more. */
#ifndef HEDDLE_CMODEL_L2_L2_REQUEST_H
#define HEDDLE_CMODEL_L2_L2_REQUEST_H

#include "cmodel/l2/l2_decide.h"
#include "cmodel/l2/l2_queues.h"

/* The line, or this sector of it (0 where lines come whole), or a request for it by MSHR `id`, goes to the memory. */
void l2_to_memory(struct l2_slice *m, bool write, uint64_t line, unsigned sector, unsigned id);

/* Which bytes of the slot leave, for a line. */
void l2_leave_bytes(struct l2_slice *m, enum l2_mask mask);

/* The row of a line, or of this sector of it, is read in the data macro. */
void l2_read_line(struct l2_slice *m, uint64_t set, unsigned way, unsigned sector);

/* Does what is planned for the request in b; if it is done, it leaves its queue. */
void l2_request(struct l2_slice *m, const struct l2_slice_in *in, const struct l2_plan *plan);

#endif
