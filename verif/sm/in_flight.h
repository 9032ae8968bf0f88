/* The memory instructions that are inside sm_mem, and the requests of each: the program half of the scoreboard.
 *
 * Invariant: at most one instruction of a warp's slot is inside. Only the first error is kept in `text`. */
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
  } state;     /* a load that hits or waits for a fill goes from WAITS to ANSWERED */
  bool failed; /* RETURNED: the memory answered with an error */
  uint64_t line, lanes;
  struct hd_access access;
  unsigned may_bypass; /* bit i: mechanism i of the scoreboard's list `allows` lets it bypass */
};

/* The kind of a memory instruction. ASIDE: an uncached load or an atomic. */
enum hd_flight_what { HD_FLIGHT_LOAD = 1, HD_FLIGHT_STORE = 2, HD_FLIGHT_ASIDE = 4 };

struct hd_flight_inst {
  enum hd_flight_what what;
  uint64_t op;        /* ASIDE: the op at the issue port; else 0 */
  bool live, entered; /* live: inside; entered: the coalescer has taken it */
  unsigned wid, slot, n, answered;
  uint64_t issued; /* cycle */
  struct hd_who who;
  struct wl_inst inst;
  struct hd_flight_request request[WL_LANES];
};

struct hd_in_flight {
  const struct hd_config *c;
  uint64_t cycle;
  struct hd_flight_inst *table; /* one entry for each slot of each warp */
  unsigned inside;              /* live instructions */
  char text[1024];              /* the first error, in words; "": none */
};

bool hd_flight_init(struct hd_in_flight *f, const struct hd_config *c); /* false: out of memory */
void hd_flight_free(struct hd_in_flight *f);
void hd_flight_reset(struct hd_in_flight *f); /* removes all instructions */

/* Record an error in f->text, unless there is one. Return false always. */
bool hd_flight_wrong(struct hd_in_flight *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool hd_flight_wrong_request(struct hd_in_flight *f, const struct hd_flight_inst *i, unsigned num,
                             const char *wrong);

/* The SM issues an instruction; the SM considers an instruction done. */
void hd_flight_issue(struct hd_in_flight *f, const struct hd_sm_mem_inst *mi);
void hd_flight_done(struct hd_in_flight *f, unsigned wid, unsigned slot);

/* Returns the instruction that enters the coalescer. Returns NULL if it is not the one that the SM issued. */
struct hd_flight_inst *hd_flight_enter(struct hd_in_flight *f, const struct sm_mem_in *in);
/* Returns the request that a port names, and its instruction in *of. `what` is the set of allowed kinds. Returns NULL if no such request
 * is inside. */
struct hd_flight_request *hd_flight_named(struct hd_in_flight *f, const char *port, unsigned what,
                                          uint64_t wid, uint64_t slot, uint64_t num,
                                          struct hd_flight_inst **of);
/* The request is answered. */
void hd_flight_answer(struct hd_in_flight *f, struct hd_flight_inst *i, struct hd_flight_request *r);

/* Sets *mask to the bytes of its line that a store writes. */
void hd_flight_written(const struct hd_in_flight *f, const struct hd_flight_inst *i,
                       const struct hd_flight_request *r, uint64_t *mask);
/* The next three return false, after recording the error, if what they check is wrong. */
/* Checks that a request is sent with the bytes that the SM gave. */
bool hd_flight_brings(struct hd_in_flight *f, const struct hd_flight_inst *i, unsigned num,
                      const uint64_t *data, const uint64_t *mask);
/* Checks the sectors of a request to the memory. They are the sectors of its lanes if it bypasses, or if it is a store and each sector
 * is a request of its own; otherwise they are all sectors of the line. */
bool hd_flight_wants(struct hd_in_flight *f, const struct hd_flight_inst *i, unsigned num,
                     const struct sreq *q);
/* Checks that a fetch is for one unit of the L1D (hd_unit). */
bool hd_flight_fetches(struct hd_in_flight *f, const struct sreq *q);
/* Returns hd_unit of a request. */
uint64_t hd_flight_unit_of(const struct hd_in_flight *f, const struct hd_flight_inst *i,
                           const struct hd_flight_request *r);
/* Sets *mask to the bytes of the line that a request's answer brings. They are the sectors of its lanes if the memory has answered the
 * request itself, or if a miss fetches a sector; otherwise they are the whole line. */
void hd_flight_brought(const struct hd_in_flight *f, const struct hd_flight_inst *i,
                       const struct hd_flight_request *r, uint64_t *mask);
/* Returns the program counter in the width of the SM's port. */
uint64_t hd_flight_pc(const struct hd_in_flight *f, const struct hd_flight_inst *i);

bool hd_flight_finish(struct hd_in_flight *f); /* false, and recorded: a request was not answered */
bool hd_flight_busy(const struct hd_in_flight *f, unsigned wid); /* an instruction of the warp is inside */

#endif
