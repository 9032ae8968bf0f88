/* Threads that share the tasks of a window, and meet at its end (docs/gpu.md, "Threads").
 *
 * Invariant: hd_team_run answers when each task has been done once, whoever did it. What was written before it, or in it, is seen by
 * all after it.
 */
#ifndef HEDDLE_CMODEL_GPU_TEAM_H
#define HEDDLE_CMODEL_GPU_TEAM_H

#include <stdbool.h>
#include <stdint.h>

struct hd_team;

/* A team of the caller and up to `threads` - 1 new threads, fewer if there are fewer tasks or the system allows no more. `tasks`: how
 * many each round has. `task` is called with `ctx` and the number of one. New threads take no signals: those that the program has handlers
 * for go to its own threads. NULL: out of memory. */
struct hd_team *hd_team_new(unsigned threads, uint16_t tasks, void (*task)(void *ctx, unsigned number),
                            void *ctx);
void hd_team_free(struct hd_team *team);

/* Does not measure whether sharing is faster: so that a test knows that it is shared. */
void hd_team_share_always(struct hd_team *team);

/* All tasks, in any order, several at a time. */
void hd_team_run(struct hd_team *team);

#endif
