/* What is behind sm_mem's memory port: an environment, not hardware. A fixed latency and a bandwidth limit
 * each way (memory.latency, memory.bytes_per_cycle); requests to one line are handled in the order in which
 * they came.
 *
 * A load costs a header (8 bytes) up and a line down; a store header and line up and a header down; an atomic header and
 * line up and a line down, and counts as a read. In
 * `random` mode (verification) latency and readiness vary instead, and answers overtake each other except on
 * one line. A query of LoSCache is a header each way, answered with 0: there are no lines to be asked for.
 * Where a machine knows errors, the random one sometimes says that a request failed, with the complement of the line; it has
 * performed it all the same. Of the random one queries are answered with any count, and other answers sometimes say that a line had been
 * powered off too early.
 */
#ifndef HEDDLE_CMODEL_MEMORY_MEMORY_H
#define HEDDLE_CMODEL_MEMORY_MEMORY_H

#include "cmodel/memory/memory_port.h"

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

/* What an SM's memory port sees of it; of one SM. */
struct hd_port *hd_memory_port(struct hd_memory *mem);
bool hd_memory_idle(const struct hd_memory *mem); /* nothing in flight */
/* The host's memory has run out: a request is lost. */
bool hd_memory_no_memory(const struct hd_memory *mem);
const struct hd_memory_stats *hd_memory_stats(const struct hd_memory *mem);

/* Word `word` of a line that nobody has stored to: a hash of the address. */
uint64_t hd_memory_initial(uint64_t line, unsigned word);

#endif
