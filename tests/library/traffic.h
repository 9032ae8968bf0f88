/* Random loads and stores into sm_mem, and a memory behind it, through the library's public functions alone.
 *
 * Each warp has some instructions in flight, one per slot. The memory answers in the order of the requests, some cycles later.
 *
 * Invariant: struct traffic holds all state of the traffic, so a copy of it continues as the original does. */
#ifndef HEDDLE_TESTS_LIBRARY_TRAFFIC_H
#define HEDDLE_TESTS_LIBRARY_TRAFFIC_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/heddle.h"

enum { WARPS_MOST = 64, SLOTS_MOST = 8, LANES_MOST = 64, QUEUE = 256, LATENCY = 40, ECHO = 10 };

struct answer {
  uint64_t at, field[ECHO], data;
};

struct traffic {
  size_t ready, issue_valid, issue_ready, issue_write, issue_wid, issue_slot, issue_sig, issue_pc, issue_low,
      issue_mask, issue_line, st_valid, st_data, st_mask, resp_valid, resp_ready, resp_wid, resp_slot,
      mreq_valid, mreq_ready, mrsp_valid, mrsp_ready, mrsp_data, busy;
  size_t mreq[ECHO], mrsp[ECHO], echoes; /* fields of a request that its answer repeats */
  size_t mreq_kind, mreq_line;
  unsigned warps, slots, lanes, line_width, mask_words;
  uint64_t rng, digest, answers;
  unsigned flying[WARPS_MOST][SLOTS_MOST]; /* requests of the instruction without an answer */
  int offering;
  unsigned wid, slot, requests; /* of the instruction offered */
  struct answer queue[QUEUE];
  unsigned first, n;
};

static inline uint64_t traffic_random(struct traffic *t) {
  t->rng += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t z = t->rng;
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

/* Values that the machine lacks are HEDDLE_NONE. Setting one is refused and changes nothing. */
static inline void traffic_begin(struct traffic *t, const heddle_machine *machine, heddle_model *m,
                                 uint64_t seed) {
  *t = (struct traffic){.rng = seed};
#define AT(name) t->name = heddle_find(m, #name)
  AT(ready), AT(issue_valid), AT(issue_ready), AT(issue_write), AT(issue_wid), AT(issue_slot), AT(issue_sig);
  AT(issue_pc), AT(issue_low), AT(issue_mask), AT(issue_line), AT(st_valid), AT(st_data), AT(st_mask);
  AT(resp_valid), AT(resp_ready), AT(resp_wid), AT(resp_slot), AT(mreq_valid), AT(mreq_ready), AT(mrsp_valid);
  AT(mrsp_ready), AT(mrsp_data), AT(busy), AT(mreq_kind), AT(mreq_line);
#undef AT
  static const char *const fields[] = {"kind", "id", "wid", "slot", "num", "last", "pe", "pred"};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
    char name[32];
    snprintf(name, sizeof name, "mreq_%s", fields[i]);
    const size_t from = heddle_find(m, name);
    snprintf(name, sizeof name, "mrsp_%s", fields[i]);
    const size_t to = heddle_find(m, name);
    if (from != HEDDLE_NONE && to != HEDDLE_NONE) {
      t->mreq[t->echoes] = from;
      t->mrsp[t->echoes++] = to;
    }
  }
  int64_t warps, slots;
  heddle_key(machine, "sm.warps", &warps);
  heddle_key(machine, "sm.loads", &slots);
  t->warps = (unsigned)warps;
  t->slots = slots < SLOTS_MOST ? (unsigned)slots : SLOTS_MOST;
  t->lanes = heddle_value_at(m, t->issue_line)->count;
  t->line_width = heddle_value_at(m, t->issue_line)->width;
}

/* Offers a new instruction of one to four lines, if the warp and slot drawn are free. */
static inline void traffic_offer(struct traffic *t, heddle_model *m) {
  const uint64_t r = traffic_random(t);
  t->wid = (unsigned)(r >> 32) % t->warps;
  t->slot = (unsigned)(r >> 16 & 0xff) % t->slots;
  if (t->flying[t->wid][t->slot] || (r & 3) == 0)
    return;
  uint64_t line[4], first = r >> 40 & 0x3ff;
  const unsigned lines = 1 + (r >> 4 & 3);
  for (unsigned i = 0; i < lines; i++)
    line[i] = first + 37 * i;
  uint32_t bits[LANES_MOST * 2] = {0};
  uint64_t mask = 0;
  for (unsigned lane = 0; lane < t->lanes; lane++) {
    const unsigned at = lane * t->line_width;
    const uint64_t of = line[lane % lines] << at % 32;
    bits[at / 32] |= (uint32_t)of;
    bits[at / 32 + 1] |= (uint32_t)(of >> 32);
    mask |= UINT64_C(1) << lane;
  }
  t->requests = lines;
  t->offering = 1;
  const int write = (r >> 8 & 7) == 0;
  heddle_set_u64(m, t->issue_write, (uint64_t)write);
  heddle_set_u64(m, t->issue_wid, t->wid);
  heddle_set_u64(m, t->issue_slot, t->slot);
  heddle_set_u64(m, t->issue_pc, 8 + (r >> 12 & 7) * 8);
  heddle_set_u64(m, t->issue_mask, mask);
  heddle_set(m, t->issue_line, 0, bits);
}

static inline void traffic_note(struct traffic *t, uint64_t number) {
  t->digest = (t->digest ^ number) * UINT64_C(0x100000001b3);
}

/* One cycle: sets inputs, makes the edge, and adds the outputs to the digest. */
static inline void traffic_cycle(struct traffic *t, heddle_model *m) {
  const uint64_t now = heddle_cycle(m), r = traffic_random(t);
  if (!t->offering)
    traffic_offer(t, m);
  const int give = t->n && t->queue[t->first].at <= now, take = t->n < QUEUE && (r & 7);
  heddle_set_u64(m, t->ready, traffic_random(t));
  heddle_set_u64(m, t->issue_valid, (uint64_t)t->offering);
  heddle_set_u64(m, t->resp_ready, (r >> 3 & 7) != 0);
  heddle_set_u64(m, t->mreq_ready, (uint64_t)take);
  heddle_set_u64(m, t->mrsp_valid, (uint64_t)give);
  if (give) {
    for (size_t i = 0; i < t->echoes; i++)
      heddle_set_u64(m, t->mrsp[i], t->queue[t->first].field[i]);
    heddle_set_u64(m, t->mrsp_data, t->queue[t->first].data);
  }
  if (heddle_get_u64(m, t->st_valid)) {
    heddle_set_u64(m, t->st_data, r);
    heddle_set_u64(m, t->st_mask, r >> 8);
  }
  heddle_eval(m);
  if (t->offering && heddle_get_u64(m, t->issue_ready)) {
    t->flying[t->wid][t->slot] = t->requests;
    t->offering = 0;
  }
  if (give && heddle_get_u64(m, t->mrsp_ready)) {
    t->first = (t->first + 1) % QUEUE;
    t->n--;
  }
  if (take && heddle_get_u64(m, t->mreq_valid)) {
    struct answer *a = &t->queue[(t->first + t->n++) % QUEUE];
    a->at = now + LATENCY;
    for (size_t i = 0; i < t->echoes; i++)
      a->field[i] = heddle_get_u64(m, t->mreq[i]);
    a->data = heddle_get_u64(m, t->mreq_line);
    traffic_note(t, now ^ a->data << 20);
  }
  if (heddle_get_u64(m, t->resp_valid) && (r >> 3 & 7) != 0) {
    const uint64_t wid = heddle_get_u64(m, t->resp_wid), slot = heddle_get_u64(m, t->resp_slot);
    t->flying[wid][slot]--;
    t->answers++;
    traffic_note(t, now ^ wid << 20 ^ slot << 30);
  }
  traffic_note(t, heddle_get_u64(m, t->busy));
  heddle_tick(m);
}

#endif
