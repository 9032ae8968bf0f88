/* The names of ports and parts of a lazy run (cmodel/step). It includes the code that is made of the connection rows and that uses these
 * names (wire_<inst> and others, docs/connections.md). */
#ifndef HEDDLE_CMODEL_STEP_LAZY_NAMES_H
#define HEDDLE_CMODEL_STEP_LAZY_NAMES_H

#include "cmodel/apcm/apcm_line_cycle.h"
#include "cmodel/apcm/cait_cycle.h"
#include "cmodel/apcm/lat_cycle.h"
#include "cmodel/apcm/mta_cycle.h"
#include "cmodel/apcm/psb_cycle.h"
#include "cmodel/apres/laws_cycle.h"
#include "cmodel/apres/sap_cycle.h"
#include "cmodel/casc/casc_cycle.h"
#include "cmodel/casc/locality_degree_cycle.h"
#include "cmodel/casc/rrt_cycle.h"
#include "cmodel/ccws/ccws_score_cycle.h"
#include "cmodel/ccws/ccws_vta_cycle.h"
#include "cmodel/each_ports.h"
#include "cmodel/l1d/l1d_cycle.h"
#include "cmodel/l1d/l1d_hooks.h"
#include "cmodel/lasc/rft_cycle.h"
#include "cmodel/lasc/rft_line_cycle.h"
#include "cmodel/loscache/pred_table_cycle.h"
#include "cmodel/mascar/lazy.h"
#include "cmodel/mascar/mascar_cycle.h"
#include "cmodel/mascar/reexec_cycle.h"
#include "cmodel/memsched/memsched_cycle.h"
#include "cmodel/model/models.h"
#include "cmodel/mrpb/mrpb_cycle.h"
#include "cmodel/reuse/line_uses_cycle.h"
#include "cmodel/sm/coalescer_cycle.h"
#include "cmodel/sm/sched_cycle.h"
#include "cmodel/sm/sm_cycle.h"
#include "cmodel/step/lazy.h"

/* Each part as a set of one. */
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

/* Models whose cycle is compiled into this code. */
#define apcm_line_mealy apcm_line_say
#define apcm_line_tick apcm_line_cycle
#define cait_moore cait_show
#define cait_tick cait_cycle
#define casc_mealy casc_say
#define casc_tick casc_cycle
#define ccws_score_alone ccws_score_pass
#define ccws_score_mealy ccws_score_say
#define ccws_score_tick ccws_score_cycle
#define ccws_vta_alone ccws_vta_pass
#define ccws_vta_tick ccws_vta_cycle
#define lat_mealy lat_say
#define lat_tick lat_cycle
#define laws_mealy laws_say
#define laws_moore laws_show
#define laws_tick laws_cycle
#define line_uses_mealy line_uses_say
#define line_uses_tick line_uses_cycle
#define locality_degree_mealy locality_degree_say
#define locality_degree_tick locality_degree_cycle
#define mascar_mealy mascar_say
#define mascar_tick mascar_cycle
#define memsched_tick memsched_cycle
#define mrpb_tick mrpb_cycle
#define mta_tick mta_cycle
#define pred_table_mealy pred_table_say
#define pred_table_tick pred_table_cycle
#define psb_tick psb_cycle
#define reexec_tick reexec_cycle
#define rft_line_tick rft_line_cycle
#define rft_moore rft_show
#define rft_tick rft_cycle
#define rrt_moore rrt_show
#define rrt_tick rrt_cycle
#define sap_tick sap_cycle
#define sched_mealy sched_say
#define sched_tick sched_cycle

/* Callers may know at compile time which modules the machine has. Then no code remains for the others. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#include "cmodel/sm_mem_lazy.h"

/* Sets of the ports between the parts. Bits from 0: ports that are valid. Bits from READY: ports that are ready. Bits from READY_IF:
 * ports that are ready if DEQ meets. A port meets if it is valid and ready. A pulse has no ready. */
enum { READY = LAZY_PORTS, READY_IF = 2 * LAZY_PORTS, PORTS = (1 << LAZY_PORTS) - 1 };
_Static_assert((int)LAZY_PORTS <= (int)LAZY_MOST_PORTS, "a set of ports is looked up in a table");

#endif
