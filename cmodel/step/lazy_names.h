/* The names of ports and parts of a lazy run (cmodel/step), and what is made of the connection rows, which uses them (wire_<inst>
 * and the like, docs/connections.md). */
#ifndef HEDDLE_CMODEL_STEP_LAZY_NAMES_H
#define HEDDLE_CMODEL_STEP_LAZY_NAMES_H

#include "cmodel/each_ports.h"
#include "cmodel/l1d/l1d_cycle.h"
#include "cmodel/l1d/l1d_hooks.h"
#include "cmodel/model/models.h"
#include "cmodel/sm/coalescer_cycle.h"
#include "cmodel/sm/sched_cycle.h"
#include "cmodel/sm/sm_cycle.h"
#include "cmodel/step/lazy.h"

/* The parts as sets of one. */
enum {
  SCHED = 1 << LAZY_SCHED,
  COALESCER = 1 << LAZY_COALESCER,
  BUFFER = 1 << LAZY_BUFFER,
  L1D = 1 << LAZY_L1D,
  PREFETCH = 1 << LAZY_PREFETCH,
  CASC = 1 << LAZY_CASC,
  SM = 1 << LAZY_SM,
  MEMORY = 1 << LAZY_MEMORY,
  ALL = (1 << LAZY_PARTS) - 1
};

/* Models whose cycle is part of this code. */
#define sched_mealy sched_say
#define sched_tick sched_cycle

/* A caller may know who is there when it is compiled; then nothing remains of who is not. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#include "cmodel/sm_mem_lazy.h"

/* The ports between the parts are sets of one: of those that are valid; shifted by READY, of those that are ready; by
 * READY_IF, of those that are if DEQ meets. A port meets if it is valid and ready; a pulse has no ready. */
enum { READY = LAZY_PORTS, READY_IF = 2 * LAZY_PORTS, PORTS = (1 << LAZY_PORTS) - 1 };
_Static_assert((int)LAZY_PORTS <= (int)LAZY_MOST_PORTS, "a set of ports is looked up in a table");

#endif
