/* What all kinds of banks have, shared by bank.c, l2.c and bank_slice.c: the ways to and from them. Nobody else includes this.
 *
 * Invariant: what is in a way is there in the order of its times.
 */
#ifndef HEDDLE_CMODEL_BANK_STATE_H
#define HEDDLE_CMODEL_BANK_STATE_H

#include "cmodel/bank.h"
#include "cmodel/clock.h"

struct hd_bank_ops {
  void (*cycle)(struct hd_bank *b, uint64_t now, uint64_t cycle, unsigned places,
                struct hd_bank_moves *moves);
  uint64_t (*next)(const struct hd_bank *b, unsigned places);
  bool (*wake)(struct hd_bank *b);
  void (*settle)(struct hd_bank *b, uint64_t cycle);                   /* brings `stats` up to date */
  bool (*sending)(const struct hd_bank *b);                            /* beside what is on its way */
  bool (*watch)(struct hd_bank *b, const struct hd_bank_watch *watch); /* NULL: nothing to be seen */
  void (*free)(struct hd_bank *b);                                     /* its own; b itself too */
};

struct hd_bank_ring {
  unsigned head, count, size;
};
struct hd_bank_request {
  struct l2req q;
  uint64_t from; /* its own cycle from which on it is at the end of the way */
};
struct hd_bank_return {
  uint64_t from; /* likewise */
  unsigned mshr;
};

/* What an implementation embeds first. */
struct hd_bank {
  const struct hd_bank_ops *ops;
  struct hd_clock clock;         /* never run: it tells times */
  uint64_t there, away, back;    /* core cycles: to the tags, to the DRAM channel, from there */
  unsigned to_answer, to_return; /* its own cycles of the first and the last, which it takes itself */
  struct hd_bank_ring in, out, fills;
  struct hd_bank_request *request;
  struct hd_bank_fetch *fetch;
  struct hd_bank_return *fill;
  struct hd_bank_stats stats;
};

/* Of `there` and `back` a bank takes so many cycles itself, and has so many places at the ends of its ways in and out. */
bool hd_bank_init(struct hd_bank *b, const struct hd_config *c, const struct hd_bank_ops *ops,
                  unsigned to_answer, unsigned to_return, unsigned queue);

struct hd_bank *hd_l2_new(const struct hd_config *c);              /* NULL: out of memory */
struct hd_bank *hd_bank_slice_new(const struct hd_design *design); /* NULL: out of memory */

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

/* What is at the end of its way in its cycle `cycle`, or NULL. */
static inline const struct l2req *hd_bank_request(const struct hd_bank *b, uint64_t cycle) {
  const struct hd_bank_request *r = &b->request[b->in.head];
  return b->in.count && r->from <= cycle ? &r->q : NULL;
}
static inline const struct hd_bank_return *hd_bank_returned(const struct hd_bank *b, uint64_t cycle) {
  const struct hd_bank_return *f = &b->fill[b->fills.head];
  return b->fills.count && f->from <= cycle ? f : NULL;
}
/* The core cycle in which it is, or will be. */
static inline uint64_t hd_bank_request_at(const struct hd_bank *b) {
  return b->in.count ? hd_clock_core(&b->clock, b->request[b->in.head].from) : UINT64_MAX;
}
static inline uint64_t hd_bank_return_at(const struct hd_bank *b) {
  return b->fills.count ? hd_clock_core(&b->clock, b->fill[b->fills.head].from) : UINT64_MAX;
}

/* In core cycle `now`. There must be a place. */
static inline void hd_bank_send(struct hd_bank *b, uint64_t now, uint64_t line, unsigned mshr, bool write) {
  b->fetch[hd_bank_enter(&b->out)] = (struct hd_bank_fetch){line, now + b->away, mshr, write};
}
static inline bool hd_bank_stuck(const struct hd_bank *b) {
  return b->out.count == b->out.size;
}

#endif
