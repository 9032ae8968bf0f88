/* The order in which `mrpb` drains its queues; see drain_order.h. Spec: docs/mechanisms/mrpb.md. It works in another way than the hardware:
 * each entry has the cycle from which it may leave instead of an age line, and lengths are counted anew. */
#include "verif/mrpb/drain_order.h"

#include <stdlib.h>

struct queue {
  unsigned long *old; /* the cycle from which each entry may be chosen, a ring of DEPTH */
  unsigned n, first;  /* entries, also those that are chosen and not read yet; the oldest */
  unsigned chosen;
};

enum { GROUP = 8, GROUPS = 64 / GROUP }; /* queues of a group; groups of at most 64 queues */

struct hd_drain_order {
  unsigned queues, depth, delay;
  enum hd_drain policy;
  bool greedy, flush;
  struct queue *queue;
  unsigned long cycle;
  bool waits, straight; /* a request is in the input register; it enters no queue */
  unsigned in;          /* the queue of that request */
  int next, out;        /* the queue that is read next; the queue whose entry is at the output; -1: none */
  unsigned last;        /* the policy's last choice */
  bool stages;          /* two stages: a queue is picked, then chosen */
  bool forced;          /* two stages: the flush rules choose the input's queue */
  int pick[GROUPS];     /* two stages: the queue picked in each group; -1: none */
};

struct hd_drain_order *hd_drain_new(const struct hd_config *c) {
  struct hd_drain_order *d = calloc(1, sizeof *d);
  if (!d)
    return NULL;
  *d = (struct hd_drain_order){c->d.QUEUES,
                               c->d.DEPTH,
                               c->d.DELAY,
                               c->request_buffer.drain,
                               c->request_buffer.greedy,
                               c->request_buffer.flush,
                               .next = -1,
                               .out = -1,
                               .last = c->d.QUEUES - 1,
                               .stages = c->request_buffer.stages == 2};
  for (unsigned g = 0; g < GROUPS; g++)
    d->pick[g] = -1;
  d->queue = calloc(d->queues, sizeof *d->queue);
  for (unsigned q = 0; d->queue && q < d->queues; q++)
    if (!(d->queue[q].old = calloc(d->depth, sizeof *d->queue[q].old))) {
      hd_drain_free(d);
      return NULL;
    }
  if (d->queue)
    return d;
  free(d);
  return NULL;
}

void hd_drain_free(struct hd_drain_order *d) {
  for (unsigned q = 0; d && d->queue && q < d->queues; q++)
    free(d->queue[q].old);
  if (d)
    free(d->queue);
  free(d);
}

/* Returns the number of entries of queue q that may be chosen. */
static unsigned ripe(const struct hd_drain_order *d, unsigned q) {
  const struct queue *k = &d->queue[q];
  unsigned n = 0;
  for (unsigned i = k->chosen; i < k->n; i++)
    n += k->old[(k->first + i) % d->depth] <= d->cycle;
  return n;
}

/* Returns true if the input register holds a request that enters no queue, and all of its queue has been read: then it may leave. */
static bool through(const struct hd_drain_order *d) {
  return d->waits && d->straight && d->queue[d->in].n == 0;
}

static bool enters(const struct hd_drain_order *d) {
  return d->waits && !d->straight && d->queue[d->in].n < d->depth;
}

int hd_drain_offers(const struct hd_drain_order *d) {
  return d->out >= 0 ? d->out : through(d) ? (int)d->in : -1;
}

bool hd_drain_takes(const struct hd_drain_order *d, bool ready) {
  return !d->waits || enters(d) || (through(d) && d->out < 0 && ready);
}

/* Returns the policy's choice; -1 if no entry may leave. */
static int choice(const struct hd_drain_order *d) {
  const unsigned n = d->queues;
  int best = -1;
  if (d->greedy && ripe(d, d->last))
    return (int)d->last;
  for (unsigned i = 0; i < n; i++) {
    const unsigned q = d->policy == HD_DRAIN_RR ? (d->last + 1 + i) % n : i;
    if (ripe(d, q) && (best < 0 || (d->policy == HD_DRAIN_LONGEST && ripe(d, q) > ripe(d, (unsigned)best))))
      best = (int)q;
  }
  return best;
}

/* Returns true if a flush rule applies: the request in the input register waits for its queue. */
static bool flushes(const struct hd_drain_order *d) {
  return d->flush && d->waits && (d->straight ? d->queue[d->in].n > 0 : d->queue[d->in].n == d->depth);
}

/* Returns the input's queue if a flush rule chooses it; else -1. */
static int forced(const struct hd_drain_order *d) {
  return flushes(d) && ripe(d, d->in) ? (int)d->in : -1;
}

/* Two stages: the lowest queue of each group is picked, and the lowest pick is chosen a cycle later, unless the input's queue is forced.
 * Returns the chosen queue if `open`; -1 if none. */
static int in_two(struct hd_drain_order *d, bool open) {
  const bool force = d->forced;
  const bool may_go = force || d->pick[d->in / GROUP] == (int)d->in;
  int chosen = open && force ? (int)d->in : -1;
  for (unsigned g = 0; open && chosen < 0 && g < GROUPS; g++)
    chosen = d->pick[g];
  for (unsigned g = 0; g < GROUPS; g++) {
    const int old = d->pick[g];
    if (old < 0 ? force : old != chosen)
      continue;
    d->pick[g] = -1;
    for (unsigned q = g * GROUP; d->pick[g] < 0 && q < (g + 1) * GROUP && q < d->queues; q++)
      if (ripe(d, q) > (unsigned)((int)q == old))
        d->pick[g] = (int)q;
  }
  d->forced = flushes(d) && ripe(d, d->in) > (unsigned)(open && may_go);
  return chosen;
}

void hd_drain_clock(struct hd_drain_order *d, bool ready, bool take, unsigned q, bool straight) {
  const bool leaves = through(d) && d->out < 0 && ready, enter = enters(d);
  const bool read = d->next >= 0 && (d->out < 0 || ready) && (!through(d) || leaves);
  const int was = d->next, force = d->stages ? -1 : forced(d);
  int chosen = -1;
  if (d->stages) {
    chosen = in_two(d, was < 0 || read);
    d->next = was < 0 || read ? chosen : was;
  } else if (was < 0 || read) {
    chosen = force >= 0 ? force : choice(d);
    if (chosen >= 0 && force < 0)
      d->last = (unsigned)chosen;
    d->next = chosen;
  }
  if (chosen >= 0)
    d->queue[chosen].chosen++;
  if (enter) {
    struct queue *k = &d->queue[d->in];
    k->old[(k->first + k->n++) % d->depth] = d->cycle + d->delay + (d->stages ? 2 : 1);
  }
  if (read) {
    struct queue *k = &d->queue[was];
    k->first = (k->first + 1) % d->depth;
    k->n--;
    k->chosen--;
  }
  d->out = read ? was : ready ? -1 : d->out;
  d->waits = take || (d->waits && !enter && !leaves);
  if (take) {
    d->in = q;
    d->straight = straight;
  }
  d->cycle++;
}
