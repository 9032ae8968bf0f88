/* What answers at an SM's memory port: the simple memory (cmodel/memory/memory.h), or interconnect, L2 and DRAM
 * (cmodel/memory/memsys.h). One interface, so that whoever runs an SM, in whatever way, sees no difference.
 *
 * Every cycle: drive, then, all ports known, clock. Or, not for a memory that behaves at random, only when something
 * happens: wake and take.
 */
#ifndef HEDDLE_CMODEL_MEMORY_MEMORY_PORT_H
#define HEDDLE_CMODEL_MEMORY_MEMORY_PORT_H

#include "arch/declaration/modules.h"

struct hd_memsys;
struct hd_port;

struct hd_port_ops {
  /* Sets mreq_ready, mrsp_valid, mrsp, mrsp_data. */
  void (*drive)(struct hd_port *port, struct sm_mem_in *in);
  void (*clock)(struct hd_port *port, const struct sm_mem_in *in, const struct sm_mem_out *out);
  /* Both bring it to cycle `now`; no port may have met since the last of these calls. `take`, for a cycle in which one
   * meets, also clocks it. Then they drive `in`, and return the next cycle in which that changes if no port meets till
   * then (UINT64_MAX: never, as far as is known). */
  uint64_t (*wake)(struct hd_port *port, uint64_t now, struct sm_mem_in *in);
  uint64_t (*take)(struct hd_port *port, uint64_t now, struct sm_mem_in *in, const struct sm_mem_out *out);
  void (*free)(struct hd_port *port);
};

/* What an implementation embeds first. */
struct hd_port {
  const struct hd_port_ops *ops;
};

/* The port of SM `sm` at the memory system, which must outlive it. NULL: out of memory. */
struct hd_port *hd_memsys_port(struct hd_memsys *ms, unsigned sm);

#endif
