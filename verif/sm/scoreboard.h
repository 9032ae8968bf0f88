/* The end-to-end scoreboard of sm_mem: checks the answers against the SM's instructions and the requests that the memory received. */
#ifndef HEDDLE_VERIF_SM_SCOREBOARD_H
#define HEDDLE_VERIF_SM_SCOREBOARD_H

#include "arch/declaration/modules.h"
#include "cmodel/sm/sm.h"

struct hd_scoreboard;

/* `behind_bus`: the L1D gets an answer of the memory some time after the scoreboard sees it. `storm`: as in struct hd_env_job. Returns NULL
 * if out of memory. */
struct hd_scoreboard *hd_scoreboard_new(const struct hd_config *c, bool behind_bus, bool storm);
void hd_scoreboard_free(struct hd_scoreboard *sb);

/* A reset of sm_mem and of the SM: nothing is in flight. Stores that were sent are done; the others never happened. Returns false if out
 * of memory. */
bool hd_scoreboard_reset(struct hd_scoreboard *sb);

/* Returns the watch for hd_sm_new. */
struct hd_sm_watch hd_scoreboard_watch(struct hd_scoreboard *sb);

/* The clock edge; all ports are known. Call it before hd_sm_clock. Returns false if a check failed, here or in the watch since the last
 * call. */
bool hd_scoreboard_clock(struct hd_scoreboard *sb, const struct sm_mem_in *in, const struct sm_mem_out *out);

/* After the end: returns false if anything is still in flight. */
bool hd_scoreboard_finish(struct hd_scoreboard *sb);

const char *hd_scoreboard_text(const struct hd_scoreboard *sb); /* what failed, in words */
bool hd_scoreboard_no_memory(const struct hd_scoreboard *sb);   /* it failed because memory ran out */
uint64_t hd_scoreboard_checked(const struct hd_scoreboard *sb); /* facts checked */
unsigned
hd_scoreboard_inside(const struct hd_scoreboard *sb); /* memory instructions, lines and queries in flight */
bool hd_scoreboard_busy(const struct hd_scoreboard *sb,
                        unsigned wid); /* an instruction of the warp is in flight */

#endif
