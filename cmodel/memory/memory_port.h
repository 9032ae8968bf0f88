/* The interface of the memory at an SM's memory port: the simple memory (cmodel/memory/memory.h), or interconnect, L2
 * and DRAM (cmodel/memory/memsys.h). One interface, so that every way to run an SM sees no difference.
 *
 * Call in every cycle: drive, then, when all ports are known, clock. Or call wake and take only when something
 * happens; a memory in random mode does not allow this. */
#ifndef HEDDLE_CMODEL_MEMORY_MEMORY_PORT_H
#define HEDDLE_CMODEL_MEMORY_MEMORY_PORT_H

#include "arch/declaration/modules.h"

struct hd_memsys;
struct hd_port;

struct hd_port_ops {
  /* Sets mreq_ready, mrsp_valid, mrsp, mrsp_data. */
  void (*drive)(struct hd_port *port, struct sm_mem_in *in);
  void (*clock)(struct hd_port *port, const struct sm_mem_in *in, const struct sm_mem_out *out);
  /* Both bring the memory to cycle `now`; there must have been no handshake since the last of these calls. Call
   * `take` in a cycle with a handshake: it also clocks the cycle. Both then drive `in`, and return the next cycle in
   * which `in` changes if there is no handshake until then (UINT64_MAX: no such cycle is known). */
  uint64_t (*wake)(struct hd_port *port, uint64_t now, struct sm_mem_in *in);
  uint64_t (*take)(struct hd_port *port, uint64_t now, struct sm_mem_in *in, const struct sm_mem_out *out);
  void (*free)(struct hd_port *port);
};

/* Each implementation embeds this as its first member. */
struct hd_port {
  const struct hd_port_ops *ops;
};

/* Returns the port of SM `sm` at the memory system, which must outlive the port. NULL: no memory. */
struct hd_port *hd_memsys_port(struct hd_memsys *ms, unsigned sm);

#endif
