/* A bank of the L2 cache that is no hardware: write-back, write-allocate, LRU, allocate on miss, MSHRs; see bank.h, and
 * docs/gpu.md, "L2".
 *
 * A line in flight has a way and an MSHR until the last request merged there is answered.
 * A request that can't be decided is looked at again when something has changed (`asleep`): its fails are counted by the
 * distance from one look to the next.
 */
#include "cmodel/bank_state.h"

#include <stdlib.h>

static const uint64_t NOTHING = UINT64_MAX; /* the tag of an invalid way: no line's number */
/* When a way was used: never, so that it is the first to go; or a time; or not to go. */
static const uint64_t NEVER = 0, IN_FLIGHT = UINT64_MAX;

/* How a decision ends, beside the fails: the request stays, but something was done for it; or it is decided. */
enum { WORKING = HD_BANK_FAILS, DECIDED };

struct mshr {
  unsigned way, count, answered; /* way: of all sets */
  uint64_t used;                 /* when last */
  bool dirty;
};

struct hd_l2 {
  struct hd_bank bank;
  unsigned sets, ways, merge;
  uint64_t *tag, *used, uses;
  bool *dirty;
  uint8_t *mshr_of; /* of a way in flight */
  struct mshr *mshr;
  struct l2rsp *merged; /* `merge` for each MSHR */
  uint8_t *free_mshr;
  unsigned free_mshrs;
  bool asleep;
  unsigned failing; /* how the last decision ended */
  uint64_t failing_from;
};

static void free_l2(struct hd_bank *bank) {
  struct hd_l2 *b = (struct hd_l2 *)bank;
  free(b->tag);
  free(b->used);
  free(b->dirty);
  free(b->mshr_of);
  free(b->mshr);
  free(b->merged);
  free(b->free_mshr);
  free(b);
}

static void send(struct hd_l2 *b, uint64_t now, uint64_t line, unsigned mshr, bool write,
                 struct hd_bank_moves *moves) {
  hd_bank_send(&b->bank, now, line, mshr, write);
  moves->sent = true;
}

/* ---- Answers of lines that have come ---- */

static void answer_fill(struct hd_l2 *b, struct hd_bank_moves *moves) {
  const unsigned id = b->bank.fill[b->bank.fills.head].mshr;
  struct mshr *m = &b->mshr[id];
  moves->answer[moves->answers++] = b->merged[(size_t)id * b->merge + m->answered++];
  if (m->answered < m->count)
    return;
  b->dirty[m->way] = m->dirty;
  b->used[m->way] = m->used;
  b->free_mshr[b->free_mshrs++] = (uint8_t)id;
  hd_bank_leave(&b->bank.fills);
  b->asleep = false;
}

/* ---- Decisions ---- */

static void merge(struct hd_l2 *b, unsigned id, const struct l2req *q) {
  struct mshr *m = &b->mshr[id];
  b->merged[(size_t)id * b->merge + m->count++] = hd_l2rsp_of(q);
  m->dirty |= q->kind == HD_PACKET_STORE;
  m->used = ++b->uses;
}

static unsigned least_recently_used(const struct hd_l2 *b, unsigned first) {
  unsigned best = first;
  for (unsigned w = first + 1; w < first + b->ways; w++)
    best = b->used[w] < b->used[best] ? w : best;
  return best;
}

static unsigned miss(struct hd_l2 *b, const struct l2req *q, unsigned first, uint64_t now,
                     struct hd_bank_moves *moves) {
  const unsigned v = least_recently_used(b, first);
  if (b->used[v] == IN_FLIGHT)
    return HD_BANK_LINE;
  if (!b->free_mshrs)
    return HD_BANK_MSHR;
  if (hd_bank_stuck(&b->bank))
    return HD_BANK_QUEUE;
  if (b->dirty[v]) {
    b->dirty[v] = false;
    b->bank.stats.writebacks++;
    send(b, now, b->tag[v], 0, true, moves);
    return WORKING;
  }
  const unsigned id = b->free_mshr[--b->free_mshrs];
  b->bank.stats.evictions += b->used[v] != NEVER;
  b->bank.stats.misses++;
  b->tag[v] = q->line;
  b->used[v] = IN_FLIGHT;
  b->mshr_of[v] = (uint8_t)id;
  b->mshr[id] = (struct mshr){.way = v};
  merge(b, id, q);
  send(b, now, q->line, id, false, moves);
  return DECIDED;
}

static unsigned decide(struct hd_l2 *b, const struct l2req *q, uint64_t now, unsigned places,
                       struct hd_bank_moves *moves) {
  const unsigned first = (unsigned)(q->line & (b->sets - 1)) * b->ways;
  const bool write = q->kind == HD_PACKET_STORE;
  unsigned w = first;
  while (w < first + b->ways && b->tag[w] != q->line)
    w++;
  if (w == first + b->ways)
    return miss(b, q, first, now, moves);
  if (b->used[w] == IN_FLIGHT) {
    if (b->mshr[b->mshr_of[w]].count == b->merge)
      return HD_BANK_MERGE;
    merge(b, b->mshr_of[w], q);
    b->bank.stats.merges++;
  } else {
    if (moves->answers >= places)
      return HD_BANK_QUEUE;
    moves->answer[moves->answers++] = hd_l2rsp_of(q);
    b->dirty[w] |= write;
    b->used[w] = ++b->uses;
    ++*(write ? &b->bank.stats.write_hits : &b->bank.stats.read_hits);
  }
  return DECIDED;
}

static void count_fails(struct hd_l2 *b, uint64_t cycle) {
  if (b->failing < HD_BANK_FAILS)
    b->bank.stats.fails[b->failing] += cycle - b->failing_from;
  b->failing_from = cycle;
}

static void cycle_l2(struct hd_bank *bank, uint64_t now, uint64_t cycle, unsigned places,
                     struct hd_bank_moves *moves) {
  struct hd_l2 *b = (struct hd_l2 *)bank;
  moves->answers = 0;
  moves->taken = moves->sent = false;
  if (places && hd_bank_returned(bank, cycle))
    answer_fill(b, moves);
  const struct l2req *q = b->asleep ? NULL : hd_bank_request(bank, cycle);
  if (!q)
    return;
  count_fails(b, cycle);
  b->failing = decide(b, q, now, places, moves);
  b->asleep = b->failing < HD_BANK_FAILS;
  if (b->failing != DECIDED)
    return;
  ++*(q->kind == HD_PACKET_STORE ? &bank->stats.writes : &bank->stats.reads);
  hd_bank_leave(&bank->in);
  moves->taken = true;
}

/* ---- Sleep ---- */

static uint64_t next_l2(const struct hd_bank *bank, unsigned places) {
  const struct hd_l2 *b = (const struct hd_l2 *)bank;
  const uint64_t fill = places ? hd_bank_return_at(bank) : UINT64_MAX;
  const uint64_t in = b->asleep ? UINT64_MAX : hd_bank_request_at(bank);
  return fill < in ? fill : in;
}

static bool wake_l2(struct hd_bank *bank) {
  struct hd_l2 *b = (struct hd_l2 *)bank;
  const bool was = b->asleep;
  b->asleep = false;
  return was;
}

static void settle_l2(struct hd_bank *bank, uint64_t cycle) {
  count_fails((struct hd_l2 *)bank, cycle);
}

/* All that it sends is on its way at once. */
static bool sending_l2(const struct hd_bank *bank) {
  (void)bank;
  return false;
}

struct hd_bank *hd_l2_new(const struct hd_config *c) {
  static const struct hd_bank_ops ops = {cycle_l2, next_l2, wake_l2, settle_l2, sending_l2, NULL, free_l2};
  const unsigned lines = c->l2.sets * c->l2.ways, mshrs = c->l2.mshrs;
  struct hd_l2 *b = calloc(1, sizeof *b);
  if (!b)
    return NULL;
  b->failing = DECIDED;
  b->sets = c->l2.sets;
  b->ways = c->l2.ways;
  b->merge = c->l2.mshr_merge;
  b->tag = malloc(lines * sizeof *b->tag);
  b->used = calloc(lines, sizeof *b->used);
  b->dirty = calloc(lines, sizeof *b->dirty);
  b->mshr_of = calloc(lines, sizeof *b->mshr_of);
  b->mshr = calloc(mshrs, sizeof *b->mshr);
  b->merged = calloc((size_t)mshrs * b->merge, sizeof *b->merged);
  b->free_mshr = calloc(mshrs, sizeof *b->free_mshr);
  if (!hd_bank_init(&b->bank, c, &ops, 0, 0, c->l2.queue) || !b->tag || !b->used || !b->dirty ||
      !b->mshr_of || !b->mshr || !b->merged || !b->free_mshr) {
    hd_bank_free(&b->bank);
    return NULL;
  }
  for (unsigned i = 0; i < lines; i++)
    b->tag[i] = NOTHING;
  for (unsigned i = 0; i < mshrs; i++)
    b->free_mshr[b->free_mshrs++] = (uint8_t)i;
  return &b->bank;
}
