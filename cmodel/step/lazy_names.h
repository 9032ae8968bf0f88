/* The names of ports and parts of a lazy run (cmodel/step), and what is made of the connection rows, which uses them (wire_<inst>
 * and the like, docs/connections.md). */
#ifndef HEDDLE_CMODEL_STEP_LAZY_NAMES_H
#define HEDDLE_CMODEL_STEP_LAZY_NAMES_H

#include "cmodel/l1d/l1d_hooks.h"
#include "cmodel/model/models.h"
#include "cmodel/sm/ports.h"
#include "cmodel/step/lazy.h"

/* The ports between its parts, as sets of one: of those that are valid; shifted by READY, of those that are ready; by
 * READY_IF, of those that are if DEQ meets. A port meets if it is valid and ready. PICK: a warp may issue, or a CTA is
 * launched. ENQ: from the coalescer, or CASC behind it. FLUSH: the L1D is flushed. TOLD: the L1D tells of a load that LAWS or a
 * prefetcher hears of. PF: a prefetch. TRIED: the L1D has tried a head of MemSched. LEAVE: a warp ends, or leaves a loop. (These four come last: most machines do
 * not have them, and then what is looked up by ports stays small.) */
enum {
  PICK = 1,
  ISSUE = 2,
  ENQ = 4,
  DEQ = 8,
  RESP = 16,
  MREQ = 32,
  MRSP = 64,
  FLUSH = 128,
  TOLD = 256,
  PF = 512,
  TRIED = 1024,
  LEAVE = 2048,
  READY = LAZY_PORTS,
  READY_IF = 2 * LAZY_PORTS,
  PORTS = (1 << LAZY_PORTS) - 1
};

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

#include "cmodel/sm_mem_lazy.h"

#endif
