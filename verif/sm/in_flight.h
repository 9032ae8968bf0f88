/* The memory instructions of an SM that are inside sm_mem, and the requests that each is made of: the program half of the
 * scoreboard.
 *
 * Invariant: of a slot of a warp at most one instruction is inside; of what is wrong the first is told. */
#ifndef HEDDLE_VERIF_SM_IN_FLIGHT_H
#define HEDDLE_VERIF_SM_IN_FLIGHT_H

#include "cmodel/sm/sm.h"
#include "verif/sm/line_versions.h"

struct hd_flight_request {
  enum {
    WAITS,
    SENT,
    RETURNED,
    ANSWERED
  } state;     /* a load that hits or is filled goes from WAITS to ANSWERED */
  bool failed; /* RETURNED: the memory answered with an error */
  uint64_t line, lanes;
  struct hd_access access;
  unsigned may_bypass; /* bit i: the i-th of those that allow something lets it */
};

/* What a memory instruction is: its requests bring bytes unless it is a load, and are answered with the line unless it
 * is a store. ASIDE: an uncached load or an atomic. */
enum hd_flight_what { HD_FLIGHT_LOAD = 1, HD_FLIGHT_STORE = 2, HD_FLIGHT_ASIDE = 4 };

struct hd_flight_inst {
  enum hd_flight_what what;
  uint64_t op;        /* ASIDE: which, as the issue port says it; else 0 */
  bool live, entered; /* entered: into the coalescer */
  unsigned wid, slot, n, answered;
  uint64_t issued; /* cycle */
  struct hd_who who;
  struct wl_inst inst;
  struct hd_flight_request request[WL_LANES];
};

struct hd_in_flight {
  const struct hd_config *c;
  uint64_t cycle;
  struct hd_flight_inst *table; /* of (warp, slot) */
  unsigned inside;              /* live ones */
  char text[1024];              /* what is wrong, in words; "": nothing */
};

bool hd_flight_init(struct hd_in_flight *f, const struct hd_config *c); /* false: out of memory */
void hd_flight_free(struct hd_in_flight *f);
void hd_flight_reset(struct hd_in_flight *f); /* nothing is inside any more */

/* Notes what is wrong; returns false. */
bool hd_flight_wrong(struct hd_in_flight *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool hd_flight_wrong_request(struct hd_in_flight *f, const struct hd_flight_inst *i, unsigned num,
                             const char *wrong);

/* The SM issues an instruction; takes it for done. */
void hd_flight_issue(struct hd_in_flight *f, const struct hd_sm_mem_inst *mi);
void hd_flight_done(struct hd_in_flight *f, unsigned wid, unsigned slot);

/* The instruction that enters the coalescer; NULL: it is not the one that the SM issued. */
struct hd_flight_inst *hd_flight_enter(struct hd_in_flight *f, const struct sm_mem_in *in);
/* The request that a port names, of an instruction that is one of `what`; NULL: none is inside. */
struct hd_flight_request *hd_flight_named(struct hd_in_flight *f, const char *port, unsigned what,
                                          uint64_t wid, uint64_t slot, uint64_t num,
                                          struct hd_flight_inst **of);
/* It is answered. */
void hd_flight_answer(struct hd_in_flight *f, struct hd_flight_inst *i, struct hd_flight_request *r);

/* The bytes of its line that a store writes. */
void hd_flight_written(const struct hd_in_flight *f, const struct hd_flight_inst *i,
                       const struct hd_flight_request *r, uint64_t *mask);
/* What is sent, with these bytes, is what the SM gave; false, and noted, if not. */
bool hd_flight_brings(struct hd_in_flight *f, const struct hd_flight_inst *i, unsigned num,
                      const uint64_t *data, const uint64_t *mask);
/* It is sent for the sectors of its lanes if it is to be answered under its own name, else for its line; false, and noted, if not. */
bool hd_flight_wants(struct hd_in_flight *f, const struct hd_flight_inst *i, unsigned num,
                     const struct sreq *q);
/* A fetch is of what the L1D fetches as one (hd_unit); false, and noted, if not. */
bool hd_flight_fetches(struct hd_in_flight *f, const struct sreq *q);
/* hd_unit of a request. */
uint64_t hd_flight_unit_of(const struct hd_in_flight *f, const struct hd_flight_inst *i,
                           const struct hd_flight_request *r);
/* The bytes of the line that its answer brings: of those sectors if it was sent for them, or where a miss fetches a sector. */
void hd_flight_brought(const struct hd_in_flight *f, const struct hd_flight_inst *i,
                       const struct hd_flight_request *r, uint64_t *mask);
/* The program counter as a port of the SM gives it. */
uint64_t hd_flight_pc(const struct hd_in_flight *f, const struct hd_flight_inst *i);

/* Everything is answered; an instruction of the warp is inside. */
bool hd_flight_finish(struct hd_in_flight *f);
bool hd_flight_busy(const struct hd_in_flight *f, unsigned wid);

#endif
