/* The environment's knowledge of the requests, lines and ways of `l1d`; see l1d_checker.h. */
#ifndef HEDDLE_VERIF_L1D_L1D_CHECKER_STATE_H
#define HEDDLE_VERIF_L1D_L1D_CHECKER_STATE_H

#include "verif/l1d/l1d_checker.h"

enum { NO_WAY = -1 };

/* The ways of a load's set when the load is decided. */
struct view {
  uint64_t valid, reserved, unknown; /* unknown: reserved ways whose line is not known yet */
  int own;                           /* the way of the load's line, valid or reserved; or NO_WAY */
  bool flies, joins;                 /* its line is in flight; it can merge */
  bool perhaps;                      /* `flies` and `joins` are not sure */
};

uint64_t hd_l1d_all_ways(const struct hd_derived *d);
unsigned hd_l1d_lowest(uint64_t ways);

struct place *hd_l1d_place_at(const struct l1d_env *e, unsigned set, unsigned way);

/* Returns the cycles from the answer of a fill to the cycle in which OUTCOME reports it. */
unsigned hd_l1d_fill_cycles(const struct hd_derived *d);
/* Returns the stores to the line, without those that are e->trial[from] or later. */
int64_t hd_l1d_stores_before(const struct l1d_env *e, const struct line *line, unsigned from);
bool hd_l1d_in_flight(const struct hd_derived *d, const struct line *line, uint64_t cycle);

/* Return the ways of a set after all requests before e->trial[from]; and the ways as e->trial[at] finds them. */
struct view hd_l1d_set_view(const struct l1d_env *e, unsigned set, unsigned from, uint64_t cycle);
struct view hd_l1d_view_of(const struct l1d_env *e, unsigned at, uint64_t cycle);

/* hd_l1d_put: a line takes a way; NULL: a line that is not known yet. hd_l1d_identify: the line of such a way becomes known. */
void hd_l1d_put(struct l1d_env *e, struct place *p, struct line *line, int64_t stores, bool fresh);
void hd_l1d_identify(struct place *p, struct line *line, int64_t stores);
/* A line gets an MSHR. `first`: the load that misses; NULL: it is prefetched. */
void hd_l1d_fly(struct l1d_env *e, struct line *line, int64_t stores, const struct req *first);

#endif
