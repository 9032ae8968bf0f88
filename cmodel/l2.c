/* A bank of the L2 cache; see l2.h.
 *
 * A request that can't be decided is looked at again when something has changed (`asleep`): its fails are counted by the
 * distance from one look to the next.
 */
#include "cmodel/l2.h"

#include <stdlib.h>

#include "cmodel/clock.h"

static const uint64_t NOTHING = UINT64_MAX; /* the tag of an invalid way: no line's number */
/* When a way was used: never, so that it is the first to go; or a time; or not to go. */
static const uint64_t NEVER = 0, IN_FLIGHT = UINT64_MAX;

/* How a decision ends, beside the fails: the request stays, but something was done for it; or it is decided. */
enum { WORKING = HD_L2_FAILS, DECIDED };

struct ring {
  unsigned head, count, size;
};

struct request {
  struct hd_packet packet;
  uint64_t at;
};

struct mshr {
  unsigned way, count, answered; /* way: of all sets */
  uint64_t used;                 /* when last */
  bool dirty;
};

struct fill {
  uint64_t at;
  unsigned mshr;
};

struct hd_l2 {
  unsigned sets, ways, merge;
  uint64_t away; /* core cycles to the DRAM channel */
  uint64_t *tag, *used, uses;
  bool *dirty;
  uint8_t *mshr_of; /* of a way in flight */
  struct mshr *mshr;
  struct hd_packet *merged; /* `merge` for each MSHR */
  uint8_t *free_mshr;
  unsigned free_mshrs;
  struct ring in, out, fills;
  struct request *in_at;
  struct hd_l2_fetch *out_at;
  struct fill *fill_at;
  bool asleep;
  unsigned failing; /* how the last decision ended */
  uint64_t failing_from;
  struct hd_l2_stats stats;
};

static unsigned place(const struct ring *r, unsigned n) {
  const unsigned at = r->head + n;
  return at < r->size ? at : at - r->size;
}

static unsigned push(struct ring *r) {
  return place(r, r->count++);
}

static void pop(struct ring *r) {
  r->head = place(r, 1);
  r->count--;
}

/* What enters a way of `latency` core cycles at one a cycle of `clock` until the first leaves it. */
static unsigned stages(const struct hd_clock *clock, unsigned latency) {
  return (unsigned)hd_clock_cycle(clock, latency);
}

struct hd_l2 *hd_l2_new(const struct hd_config *c) {
  const struct hd_clock clock = hd_clock_of(c->sm.clock_mhz, c->l2.clock_mhz);
  const unsigned lines = c->l2.sets * c->l2.ways, mshrs = c->l2.mshrs;
  struct hd_l2 *b = calloc(1, sizeof *b);
  if (!b)
    return NULL;
  b->failing = DECIDED;
  b->sets = c->l2.sets;
  b->ways = c->l2.ways;
  b->merge = c->l2.mshr_merge;
  b->away = c->dram.latency / 2;
  b->in.size = c->l2.queue + stages(&clock, c->l2.latency);
  b->out.size = c->l2.queue + stages(&clock, (unsigned)b->away);
  b->fills.size = mshrs;
  b->tag = malloc(lines * sizeof *b->tag);
  b->used = calloc(lines, sizeof *b->used);
  b->dirty = calloc(lines, sizeof *b->dirty);
  b->mshr_of = calloc(lines, sizeof *b->mshr_of);
  b->mshr = calloc(mshrs, sizeof *b->mshr);
  b->merged = calloc((size_t)mshrs * b->merge, sizeof *b->merged);
  b->free_mshr = calloc(mshrs, sizeof *b->free_mshr);
  b->in_at = calloc(b->in.size, sizeof *b->in_at);
  b->out_at = calloc(b->out.size, sizeof *b->out_at);
  b->fill_at = calloc(mshrs, sizeof *b->fill_at);
  if (!b->tag || !b->used || !b->dirty || !b->mshr_of || !b->mshr || !b->merged || !b->free_mshr ||
      !b->in_at || !b->out_at || !b->fill_at) {
    hd_l2_free(b);
    return NULL;
  }
  for (unsigned i = 0; i < lines; i++)
    b->tag[i] = NOTHING;
  for (unsigned i = 0; i < mshrs; i++)
    b->free_mshr[b->free_mshrs++] = (uint8_t)i;
  return b;
}

void hd_l2_free(struct hd_l2 *b) {
  if (!b)
    return;
  free(b->tag);
  free(b->used);
  free(b->dirty);
  free(b->mshr_of);
  free(b->mshr);
  free(b->merged);
  free(b->free_mshr);
  free(b->in_at);
  free(b->out_at);
  free(b->fill_at);
  free(b);
}

/* ---- Ports ---- */

bool hd_l2_full(const struct hd_l2 *b) {
  return b->in.count == b->in.size;
}

void hd_l2_push(struct hd_l2 *b, const struct hd_packet *packet, uint64_t at) {
  b->in_at[push(&b->in)] = (struct request){*packet, at};
}

const struct hd_l2_fetch *hd_l2_fetch(const struct hd_l2 *b) {
  return b->out.count ? &b->out_at[b->out.head] : NULL;
}

void hd_l2_fetched(struct hd_l2 *b) {
  pop(&b->out);
}

void hd_l2_fill(struct hd_l2 *b, unsigned mshr, uint64_t at) {
  b->fill_at[push(&b->fills)] = (struct fill){at, mshr};
}

bool hd_l2_sending(const struct hd_l2 *b) {
  return b->out.count != 0;
}

static void send(struct hd_l2 *b, uint64_t now, uint64_t line, unsigned mshr, bool write,
                 struct hd_l2_moves *moves) {
  b->out_at[push(&b->out)] = (struct hd_l2_fetch){line, now + b->away, mshr, write};
  moves->sent = true;
}

/* ---- Answers of lines that have come ---- */

static void answer_fill(struct hd_l2 *b, struct hd_l2_moves *moves) {
  const unsigned id = b->fill_at[b->fills.head].mshr;
  struct mshr *m = &b->mshr[id];
  moves->answer[moves->answers++] = b->merged[(size_t)id * b->merge + m->answered++];
  if (m->answered < m->count)
    return;
  b->dirty[m->way] = m->dirty;
  b->used[m->way] = m->used;
  b->free_mshr[b->free_mshrs++] = (uint8_t)id;
  pop(&b->fills);
  b->asleep = false;
}

/* ---- Decisions ---- */

static void merge(struct hd_l2 *b, unsigned id, const struct hd_packet *q) {
  struct mshr *m = &b->mshr[id];
  b->merged[(size_t)id * b->merge + m->count++] = *q;
  m->dirty |= q->kind == HD_PACKET_STORE;
  m->used = ++b->uses;
}

static unsigned least_recently_used(const struct hd_l2 *b, unsigned first) {
  unsigned best = first;
  for (unsigned w = first + 1; w < first + b->ways; w++)
    best = b->used[w] < b->used[best] ? w : best;
  return best;
}

static unsigned miss(struct hd_l2 *b, const struct hd_packet *q, unsigned first, uint64_t now,
                     struct hd_l2_moves *moves) {
  const unsigned v = least_recently_used(b, first);
  if (b->used[v] == IN_FLIGHT)
    return HD_L2_LINE;
  if (!b->free_mshrs)
    return HD_L2_MSHR;
  if (b->out.count == b->out.size)
    return HD_L2_QUEUE;
  if (b->dirty[v]) {
    b->dirty[v] = false;
    b->stats.writebacks++;
    send(b, now, b->tag[v], 0, true, moves);
    return WORKING;
  }
  const unsigned id = b->free_mshr[--b->free_mshrs];
  b->stats.evictions += b->used[v] != NEVER;
  b->stats.misses++;
  b->tag[v] = q->line;
  b->used[v] = IN_FLIGHT;
  b->mshr_of[v] = (uint8_t)id;
  b->mshr[id] = (struct mshr){.way = v};
  merge(b, id, q);
  send(b, now, q->line, id, false, moves);
  return DECIDED;
}

static unsigned decide(struct hd_l2 *b, const struct hd_packet *q, uint64_t now, unsigned places,
                       struct hd_l2_moves *moves) {
  const unsigned first = (unsigned)(q->line & (b->sets - 1)) * b->ways;
  const bool write = q->kind == HD_PACKET_STORE;
  unsigned w = first;
  while (w < first + b->ways && b->tag[w] != q->line)
    w++;
  if (w == first + b->ways)
    return miss(b, q, first, now, moves);
  if (b->used[w] == IN_FLIGHT) {
    if (b->mshr[b->mshr_of[w]].count == b->merge)
      return HD_L2_MERGE;
    merge(b, b->mshr_of[w], q);
    b->stats.merges++;
  } else {
    if (moves->answers >= places)
      return HD_L2_QUEUE;
    moves->answer[moves->answers++] = *q;
    b->dirty[w] |= write;
    b->used[w] = ++b->uses;
    ++*(write ? &b->stats.write_hits : &b->stats.read_hits);
  }
  return DECIDED;
}

static void count_fails(struct hd_l2 *b, uint64_t cycle) {
  if (b->failing < HD_L2_FAILS)
    b->stats.fails[b->failing] += cycle - b->failing_from;
  b->failing_from = cycle;
}

void hd_l2_cycle(struct hd_l2 *b, uint64_t now, uint64_t cycle, unsigned places, struct hd_l2_moves *moves) {
  moves->answers = 0;
  moves->taken = moves->sent = false;
  if (places && b->fills.count && b->fill_at[b->fills.head].at <= now)
    answer_fill(b, moves);
  if (b->asleep || !b->in.count || b->in_at[b->in.head].at > now)
    return;
  count_fails(b, cycle);
  const struct hd_packet *q = &b->in_at[b->in.head].packet;
  b->failing = decide(b, q, now, places, moves);
  b->asleep = b->failing < HD_L2_FAILS;
  if (b->failing != DECIDED)
    return;
  ++*(q->kind == HD_PACKET_STORE ? &b->stats.writes : &b->stats.reads);
  pop(&b->in);
  moves->taken = true;
}

/* ---- Sleep ---- */

uint64_t hd_l2_next(const struct hd_l2 *b, unsigned places) {
  const uint64_t fill = places && b->fills.count ? b->fill_at[b->fills.head].at : UINT64_MAX;
  const uint64_t in = b->in.count && !b->asleep ? b->in_at[b->in.head].at : UINT64_MAX;
  return fill < in ? fill : in;
}

bool hd_l2_wake(struct hd_l2 *b) {
  const bool was = b->asleep;
  b->asleep = false;
  return was;
}

const struct hd_l2_stats *hd_l2_stats(struct hd_l2 *b, uint64_t cycle) {
  count_fails(b, cycle);
  return &b->stats;
}
