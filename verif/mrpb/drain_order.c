/* The order in which `mrpb` drains its queues; see drain_order.h. Spec: docs/mechanisms/mrpb.md. Entries carry the cycle from which
 * they may leave: there is no age line, and lengths are counted anew. */
#include "verif/mrpb/drain_order.h"

#include <stdlib.h>

struct queue {
  unsigned long *old; /* from when each entry may be chosen, a ring of DEPTH */
  unsigned n, first;  /* entries; those chosen and not read yet are among them */
  unsigned chosen;
};

enum { GROUP = 8, GROUPS = 64 / GROUP }; /* of at most 64 queues */

struct hd_drain_order {
  unsigned queues, depth, delay;
  enum hd_drain policy;
  bool greedy, flush;
  struct queue *queue;
  unsigned long cycle;
  bool waits, straight; /* in the input register; it enters no queue */
  unsigned in;          /* its queue */
  int next, out;        /* the queue that is read next, and the one whose entry is at the output; -1: none */
  unsigned last;        /* the policy's last choice */
  bool stages;          /* two: a queue is picked, then chosen */
  bool forced;          /* two stages: the flush rules choose the input's queue */
  int pick[GROUPS];     /* two stages: the queue picked of each group, -1: none */
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

/* Entries that may be chosen. */
static unsigned ripe(const struct hd_drain_order *d, unsigned q) {
  const struct queue *k = &d->queue[q];
  unsigned n = 0;
  for (unsigned i = k->chosen; i < k->n; i++)
    n += k->old[(k->first + i) % d->depth] <= d->cycle;
  return n;
}

/* What enters no queue leaves from the input register once all of its queue has been read. */
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

/* The policy's choice; -1: no entry may leave. */
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

/* The input waits for its queue, and a flush rule asks for that. */
static bool flushes(const struct hd_drain_order *d) {
  return d->flush && d->waits && (d->straight ? d->queue[d->in].n > 0 : d->queue[d->in].n == d->depth);
}

/* The input's queue, if a flush rule asks for it. */
static int forced(const struct hd_drain_order *d) {
  return flushes(d) && ripe(d, d->in) ? (int)d->in : -1;
}

/* Two stages: of each group the lowest queue is picked, and the lowest of these is chosen a cycle later, unless the input's is
 * forced. The queue that is chosen, if `open`; -1: none. */
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
