/* Threads that share the tasks of a window, and meet at its end (docs/gpu.md, "Threads").
 *
 * Invariant: hd_team_run returns when each task has been done once, by any thread. After it all threads see what was written before it or
 * in it. */
#ifndef HEDDLE_CMODEL_GPU_TEAM_H
#define HEDDLE_CMODEL_GPU_TEAM_H

#include <stdbool.h>
#include <stdint.h>

struct hd_team;

/* Makes a team of the caller and up to `threads` - 1 new threads; fewer if there are fewer tasks, or if the system allows no more. Each
 * round has `tasks` tasks. `task` is called with `ctx` and the number of a task. New threads take no signals: the program's own threads
 * get those for which it has handlers. Returns NULL if memory has run out. */
struct hd_team *hd_team_new(unsigned threads, uint16_t tasks, void (*task)(void *ctx, unsigned number),
                            void *ctx);
void hd_team_free(struct hd_team *team);

/* Shares every round, without measuring whether that is faster. It is for tests that must share. */
void hd_team_share_always(struct hd_team *team);

/* Does all tasks of a round, in any order, several at a time. */
void hd_team_run(struct hd_team *team);

#endif
