/* What is behind sm_mem's memory port: an environment, not hardware. A fixed latency and a bandwidth limit
 * each way (memory.latency, memory.bytes_per_cycle); requests to one line are handled in the order in which
 * they came.
 *
 * A load costs a header (8 bytes) up and a line down; a store header and line up and a header down. In
 * `random` mode (verification) latency and readiness vary instead, and answers overtake each other except on
 * one line.
 */
#ifndef HEDDLE_CMODEL_MEMORY_H
#define HEDDLE_CMODEL_MEMORY_H

#include "arch/modules.h"

struct hd_memory;

struct hd_memory_options {
  bool data;   /* bytes are kept; a line never stored to holds hd_memory_initial */
  bool random; /* latency 1..2*memory.latency, mreq_ready dropped and mrsp_valid delayed at random, answers
                  reordered */
  uint64_t seed;
};

struct hd_memory_stats {
  uint64_t reads, writes;           /* requests */
  uint64_t read_bytes, write_bytes; /* lines down; line bytes stored up (a store moves a line's worth) */
};

struct hd_memory *hd_memory_new(const struct hd_config *c,
                                const struct hd_memory_options *options); /* NULL: no memory */
void hd_memory_free(struct hd_memory *mem);

/* Sets mreq_ready, mrsp_valid, mrsp, mrsp_data. */
void hd_memory_drive(struct hd_memory *mem, const struct sm_mem_out *out, struct sm_mem_in *in);
void hd_memory_clock(struct hd_memory *mem, const struct sm_mem_in *in, const struct sm_mem_out *out);
bool hd_memory_idle(const struct hd_memory *mem); /* nothing in flight */
const struct hd_memory_stats *hd_memory_stats(const struct hd_memory *mem);

/* For who runs it only when something happens; not for `random` memories. Both bring it to cycle `now`; no port
 * may have met since the last of these calls. hd_memory_take, for a cycle in which one meets, also clocks it. Then
 * they drive `in`, and return the next cycle in which that changes if no port meets till then (UINT64_MAX: never).
 */
uint64_t hd_memory_wake(struct hd_memory *mem, uint64_t now, struct sm_mem_in *in);
uint64_t hd_memory_take(struct hd_memory *mem, uint64_t now, struct sm_mem_in *in,
                        const struct sm_mem_out *out);

/* Word `word` of a line that nobody has stored to: a hash of the address. */
uint64_t hd_memory_initial(uint64_t line, unsigned word);

#endif
