/* The ways to and from a bank; see bank.h.
 *
 * A bank takes some of the time to its tags, and from the DRAM, itself: what comes is given to it so much earlier, but not
 * before it has passed crossbar or DRAM.
 */
#include "cmodel/bank_state.h"

#include <stdlib.h>

/* What enters a way of `latency` core cycles at one a cycle of the bank until the first leaves it, but for so many. */
static unsigned stages(const struct hd_clock *clock, uint64_t latency, unsigned own) {
  const unsigned all = (unsigned)hd_clock_cycle(clock, latency);
  return all > own ? all - own : 0;
}

bool hd_bank_init(struct hd_bank *b, const struct hd_config *c, const struct hd_bank_ops *ops,
                  unsigned to_answer, unsigned to_return, unsigned queue) {
  b->ops = ops;
  b->clock = hd_clock_of(c->sm.clock_mhz, c->l2.clock_mhz);
  b->there = c->l2.latency;
  b->away = c->dram.latency / 2;
  b->back = c->dram.latency - b->away;
  b->to_answer = to_answer;
  b->to_return = to_return;
  b->in.size = queue + stages(&b->clock, b->there, to_answer);
  b->out.size = queue + stages(&b->clock, b->away, 0);
  b->fills.size = c->l2.mshrs;
  b->request = calloc(b->in.size, sizeof *b->request);
  b->fetch = calloc(b->out.size, sizeof *b->fetch);
  b->fill = calloc(b->fills.size, sizeof *b->fill);
  return b->request && b->fetch && b->fill;
}

struct hd_bank *hd_bank_new(const struct hd_design *design) {
  return design->c->l2.hardware ? hd_bank_slice_new(design) : hd_l2_new(design->c);
}

void hd_bank_free(struct hd_bank *b) {
  if (!b)
    return;
  free(b->request);
  free(b->fetch);
  free(b->fill);
  b->ops->free(b);
}

/* The bank's cycle in which what is to have an effect in core cycle `at`, at the end of a way of `latency`, is given to it. */
static uint64_t given(const struct hd_bank *b, uint64_t at, uint64_t latency, unsigned own) {
  const uint64_t effect = hd_clock_cycle(&b->clock, at);
  const uint64_t first = hd_clock_cycle(&b->clock, at < latency ? 0 : at - latency + 1);
  return effect >= first + own ? effect - own : first;
}

bool hd_bank_full(const struct hd_bank *b) {
  return b->in.count == b->in.size;
}

void hd_bank_push(struct hd_bank *b, const struct l2req *q, uint64_t at) {
  b->request[hd_bank_enter(&b->in)] = (struct hd_bank_request){*q, given(b, at, b->there, b->to_answer)};
}

const struct hd_bank_fetch *hd_bank_fetch(const struct hd_bank *b) {
  return b->out.count ? &b->fetch[b->out.head] : NULL;
}

void hd_bank_fetched(struct hd_bank *b) {
  hd_bank_leave(&b->out);
}

void hd_bank_fill(struct hd_bank *b, unsigned mshr, uint64_t at) {
  b->fill[hd_bank_enter(&b->fills)] = (struct hd_bank_return){given(b, at, b->back, b->to_return), mshr};
}

bool hd_bank_sending(const struct hd_bank *b) {
  return b->out.count || b->ops->sending(b);
}

void hd_bank_cycle(struct hd_bank *b, uint64_t now, uint64_t cycle, unsigned places,
                   struct hd_bank_moves *moves) {
  b->ops->cycle(b, now, cycle, places, moves);
}

uint64_t hd_bank_next(const struct hd_bank *b, unsigned places) {
  return b->ops->next(b, places);
}

bool hd_bank_wake(struct hd_bank *b) {
  return b->ops->wake(b);
}

const struct hd_bank_stats *hd_bank_stats(struct hd_bank *b, uint64_t cycle) {
  b->ops->settle(b, cycle);
  return &b->stats;
}

bool hd_bank_set_watch(struct hd_bank *b, const struct hd_bank_watch *watch) {
  return b->ops->watch && b->ops->watch(b, watch);
}
