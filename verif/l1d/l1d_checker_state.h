/* What the environment of `l1d` knows of requests, lines and ways; see l1d_checker.h. */
#ifndef HEDDLE_VERIF_L1D_L1D_CHECKER_STATE_H
#define HEDDLE_VERIF_L1D_L1D_CHECKER_STATE_H

#include "verif/l1d/l1d_checker.h"

enum { NO_WAY = -1 };

/* What the ways of a load's set hold as it is decided. */
struct view {
  uint64_t valid, reserved, unknown; /* unknown: of reserved, those of lines that are not known yet */
  int own;                           /* the way of its line, valid or reserved */
  bool flies, joins;                 /* its line is in flight; it can merge */
  bool perhaps;                      /* nothing of that is sure */
};

uint64_t hd_l1d_all_ways(const struct hd_derived *d);
unsigned hd_l1d_lowest(uint64_t ways);

struct place *hd_l1d_place_at(const struct l1d_env *e, unsigned set, unsigned way);

/* Cycles from the answer of a fill to the one in which it is told of. */
unsigned hd_l1d_fill_cycles(const struct hd_derived *d);
/* Stores to the line, but for those from request `from` on of those that are not known to be decided. */
int64_t hd_l1d_stores_before(const struct l1d_env *e, const struct line *line, unsigned from);
bool hd_l1d_in_flight(const struct hd_derived *d, const struct line *line, uint64_t cycle);

/* The ways of a set for what is decided before request `from` of those that are not known to be; as request `at` sees them. */
struct view hd_l1d_set_view(const struct l1d_env *e, unsigned set, unsigned from, uint64_t cycle);
struct view hd_l1d_view_of(const struct l1d_env *e, unsigned at, uint64_t cycle);

/* A line, or one that is not known yet (NULL), takes a way; a line that was prefetched becomes known; a line is fetched. */
void hd_l1d_put(struct l1d_env *e, struct place *p, struct line *line, int64_t stores, bool fresh);
void hd_l1d_identify(struct place *p, struct line *line, int64_t stores);
/* `first`: the load that misses it; NULL: it was prefetched. */
void hd_l1d_fly(struct l1d_env *e, struct line *line, int64_t stores, const struct req *first);

#endif
