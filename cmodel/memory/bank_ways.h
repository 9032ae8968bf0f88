/* The ways to and from an L2 bank: from the crossbar to its tags, from it to its DRAM channel, and from there back. Only
 * bank_state.h includes this.
 *
 * The slice's model itself takes part of the time to the tags, and of the time from the DRAM. So requests and fills
 * are given to the slice that much earlier, but not before they have passed crossbar or DRAM.
 *
 * Invariant: the entries of a way are in the order of their times.
 *
 * Inlined: with calls instead, heddle sim executes 1.4 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_CMODEL_MEMORY_BANK_WAYS_H
#define HEDDLE_CMODEL_MEMORY_BANK_WAYS_H

#include "cmodel/memory/bank.h"
#include "cmodel/model/clock.h"

/* The bank's cycles from `req` to `rsp` or `out`, and from `fill` to `rsp`: docs/mechanisms/l2.md. */
enum { HD_BANK_TO_ANSWER = 6, HD_BANK_TO_RETURN = 7 };

struct hd_bank_ring {
  unsigned head, count, size;
};
struct hd_bank_return {
  uint64_t from; /* the bank's cycle from which on the entry is at the end of the way */
  unsigned mshr;
};

struct hd_bank_ways {
  struct hd_clock clock;      /* never run: converts times */
  uint64_t there, away, back; /* core cycles: to the tags; to and from the DRAM channel */
  struct hd_bank_ring in, out, fills;
  struct l2req *request;
  uint64_t *request_from; /* by request: as `from` of struct hd_bank_return */
  struct hd_bank_fetch *fetch;
  struct hd_bank_return *fill;
};

static inline unsigned hd_bank_place(const struct hd_bank_ring *r, unsigned n) {
  const unsigned at = r->head + n;
  return at < r->size ? at : at - r->size;
}
static inline unsigned hd_bank_enter(struct hd_bank_ring *r) {
  return hd_bank_place(r, r->count++);
}
static inline void hd_bank_leave(struct hd_bank_ring *r) {
  r->head = hd_bank_place(r, 1);
  r->count--;
}

/* Returns the request at the end of its way in the bank's cycle `cycle`, or NULL. */
static inline const struct l2req *hd_bank_request(const struct hd_bank_ways *w, uint64_t cycle) {
  return w->in.count && w->request_from[w->in.head] <= cycle ? &w->request[w->in.head] : NULL;
}
/* Removes the oldest request. The host prefetches the next one, which was last touched when it came. */
static inline void hd_bank_take(struct hd_bank_ways *w) {
  hd_bank_leave(&w->in);
  const char *const next = (const char *)&w->request[w->in.head];
  __builtin_prefetch(next);
  __builtin_prefetch(next + sizeof *w->request - 1);
}
static inline const struct hd_bank_return *hd_bank_returned(const struct hd_bank_ways *w, uint64_t cycle) {
  const struct hd_bank_return *f = &w->fill[w->fills.head];
  return w->fills.count && f->from <= cycle ? f : NULL;
}
/* Returns the core cycle in which the oldest request, or fill, is at the end of its way. UINT64_MAX: none is on its way. */
static inline uint64_t hd_bank_request_at(const struct hd_bank_ways *w) {
  return w->in.count ? hd_clock_core(&w->clock, w->request_from[w->in.head]) : UINT64_MAX;
}
static inline uint64_t hd_bank_return_at(const struct hd_bank_ways *w) {
  return w->fills.count ? hd_clock_core(&w->clock, w->fill[w->fills.head].from) : UINT64_MAX;
}

/* Sends a line, or a read of it, to DRAM in core cycle `now`. The way must have a place. */
static inline void hd_bank_send(struct hd_bank_ways *w, uint64_t now, uint64_t line, unsigned mshr,
                                bool write) {
  w->fetch[hd_bank_enter(&w->out)] = (struct hd_bank_fetch){line, now + w->away, mshr, write};
}
static inline bool hd_bank_crowded(const struct hd_bank_ways *w) {
  return w->in.count == w->in.size;
}
static inline bool hd_bank_stuck(const struct hd_bank_ways *w) {
  return w->out.count == w->out.size;
}

/* Returns the bank's cycle in which the slice is given something that takes effect in core cycle `at`, at the end of
 * a way of `latency`. `own`: how many of its cycles the slice itself takes. */
static inline uint64_t hd_bank_given(const struct hd_bank_ways *w, uint64_t at, uint64_t latency,
                                     unsigned own) {
  const uint64_t effect = hd_clock_cycle(&w->clock, at);
  const uint64_t first = hd_clock_cycle(&w->clock, at < latency ? 0 : at - latency + 1);
  return effect >= first + own ? effect - own : first;
}
/* Returns the least number of core cycles between now and the cycle that hd_bank_given returns for a way that begins
 * now. */
static inline uint64_t hd_bank_given_after(const struct hd_bank_ways *w, uint64_t latency, unsigned own) {
  const uint64_t takes =
      hd_clock_core(&w->clock, own + 2) + 1; /* own cycles, and one cycle of each clock for rounding */
  return latency > takes + 1 ? latency - takes : 1;
}

#endif
