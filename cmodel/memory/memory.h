/* The simple memory behind sm_mem's memory port: an environment, not hardware. It has a fixed latency and a bandwidth
 * limit each way (memory.latency, memory.bytes_per_cycle); requests to one line are handled in the order in which
 * they came.
 *
 * A load costs a header (8 bytes) up and a line down; a store header and line up and a header down; an atomic header
 * and line up and a line down, and counts as a read. In `random` mode (verification) latency and readiness vary
 * instead, and answers overtake each other except on one line. A query of LoSCache costs a header each way. The
 * answer is 0, because this memory has no lines to power off.
 *
 * If the machine has errors, `random` mode sometimes answers with an error and with the complement of the line; the
 * request is performed all the same. In `random` mode queries are answered with any count, and other answers
 * sometimes say that a line was powered off too early. */
#ifndef HEDDLE_CMODEL_MEMORY_MEMORY_H
#define HEDDLE_CMODEL_MEMORY_MEMORY_H

#include "cmodel/memory/memory_port.h"

struct hd_memory;

struct hd_memory_options {
  bool data;   /* bytes are kept; a line without a store holds hd_memory_initial */
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

/* Returns the port through which an SM uses the memory. For one SM. */
struct hd_port *hd_memory_port(struct hd_memory *mem);
bool hd_memory_idle(const struct hd_memory *mem); /* nothing in flight */
/* True if the host's memory has run out and a request is lost. */
bool hd_memory_no_memory(const struct hd_memory *mem);
const struct hd_memory_stats *hd_memory_stats(const struct hd_memory *mem);

/* Returns word `word` of a line without a store: a hash of the address. */
uint64_t hd_memory_initial(uint64_t line, unsigned word);

#endif
