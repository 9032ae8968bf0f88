/* A DRAM channel; see dram.h.
 *
 * Of each bank with requests one is its candidate: the oldest to the open row, else the oldest. `kind` and `at` of a bank
 * are the command that its candidate needs next and the first cycle in which its own timing allows it; what
 * all banks share is looked at when the command is chosen.
 */
#include "cmodel/dram.h"

#include <stdlib.h>

enum { NONE = UINT16_MAX, BANKS = 64 };
enum kind { READ, WRITE, ACTIVATE, PRECHARGE, KINDS };
static const uint64_t CLOSED = UINT64_MAX;

struct place {
  struct hd_dram_request q;
  uint64_t age;
  uint16_t next; /* younger, of the same bank; of the free places */
  bool missed;   /* an activate was for it */
};

struct bank {
  uint64_t row; /* open, or CLOSED */
  uint64_t column_at, precharge_at, activate_at;
  uint16_t oldest, youngest, candidate, before; /* before: the one older than the candidate, or NONE */
};

struct hd_dram {
  unsigned tCL, tWL, tRP, tRC, tRAS, tRCD, tRRD, tCCD, tWR, tCDLR, burst;
  struct bank bank[BANKS];
  uint64_t with; /* banks with requests */
  struct place *place;
  uint16_t spare;
  unsigned count;
  uint64_t ages;
  uint64_t at[KINDS]; /* first cycle in which any bank may */
  uint64_t next;
  struct hd_dram_stats stats;
};

struct hd_dram *hd_dram_new(const struct hd_config *c) {
  struct hd_dram *d = calloc(1, sizeof *d);
  if (!d || !(d->place = calloc(c->dram.queue, sizeof *d->place))) {
    free(d);
    return NULL;
  }
  d->tCL = c->dram.tCL;
  d->tWL = c->dram.tWL;
  d->tRP = c->dram.tRP;
  d->tRC = c->dram.tRC;
  d->tRAS = c->dram.tRAS;
  d->tRCD = c->dram.tRCD;
  d->tRRD = c->dram.tRRD;
  d->tCCD = c->dram.tCCD;
  d->tWR = c->dram.tWR;
  d->tCDLR = c->dram.tCDLR;
  d->burst = (c->l1d.line_bytes + c->dram.bytes_per_cycle - 1) / c->dram.bytes_per_cycle;
  for (unsigned b = 0; b < BANKS; b++)
    d->bank[b] =
        (struct bank){.row = CLOSED, .oldest = NONE, .youngest = NONE, .candidate = NONE, .before = NONE};
  for (unsigned i = 0; i < c->dram.queue; i++)
    d->place[i].next = i + 1 < c->dram.queue ? (uint16_t)(i + 1) : NONE;
  d->next = UINT64_MAX;
  return d;
}

void hd_dram_free(struct hd_dram *d) {
  if (!d)
    return;
  free(d->place);
  free(d);
}

bool hd_dram_full(const struct hd_dram *d) {
  return d->spare == NONE;
}

bool hd_dram_idle(const struct hd_dram *d) {
  return !d->with;
}

uint64_t hd_dram_next(const struct hd_dram *d) {
  return d->next;
}

const struct hd_dram_stats *hd_dram_stats(const struct hd_dram *d) {
  return &d->stats;
}

static uint64_t later(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static void no_sooner(uint64_t *at, uint64_t cycle) {
  *at = later(*at, cycle);
}

static void nominate(const struct hd_dram *d, struct bank *k) {
  uint16_t before = NONE, i = k->oldest;
  while (i != NONE && d->place[i].q.row != k->row) {
    before = i;
    i = d->place[i].next;
  }
  k->candidate = i != NONE ? i : k->oldest;
  k->before = i != NONE ? before : NONE;
}

void hd_dram_push(struct hd_dram *d, const struct hd_dram_request *q, uint64_t cycle) {
  const uint16_t i = d->spare;
  struct bank *k = &d->bank[q->bank];
  d->spare = d->place[i].next;
  d->place[i] = (struct place){*q, d->ages++, NONE, false};
  d->count++;
  *(k->oldest == NONE ? &k->oldest : &d->place[k->youngest].next) = i;
  k->youngest = i;
  d->with |= UINT64_C(1) << q->bank;
  nominate(d, k);
  if (d->next > cycle + 1)
    d->next = cycle + 1;
}

static enum kind needs(const struct hd_dram *d, const struct bank *k) {
  const struct hd_dram_request *q = &d->place[k->candidate].q;
  if (k->row == CLOSED)
    return ACTIVATE;
  return k->row != q->row ? PRECHARGE : q->write ? WRITE : READ;
}

/* First cycle in which a bank may give the command that it needs. */
static uint64_t ready(const struct hd_dram *d, const struct bank *k, enum kind kind) {
  const uint64_t own = kind == ACTIVATE ? k->activate_at : kind == PRECHARGE ? k->precharge_at : k->column_at;
  return later(own, d->at[kind]);
}

static void unlink_candidate(struct hd_dram *d, struct bank *k, unsigned bank) {
  const uint16_t i = k->candidate;
  *(k->before == NONE ? &k->oldest : &d->place[k->before].next) = d->place[i].next;
  if (k->youngest == i)
    k->youngest = k->before;
  if (k->oldest == NONE)
    d->with &= ~(UINT64_C(1) << bank);
  d->place[i].next = d->spare;
  d->spare = i;
  d->count--;
  nominate(d, k);
}

/* The data of a read or write take the bus; returns the cycle after. The next data of either kind come after them. */
static uint64_t take_bus(struct hd_dram *d, uint64_t cycle, unsigned latency) {
  const uint64_t free = cycle + latency + d->burst;
  no_sooner(&d->at[READ], free > d->tCL ? free - d->tCL : 0);
  no_sooner(&d->at[WRITE], free > d->tWL ? free - d->tWL : 0);
  no_sooner(&d->at[READ], cycle + d->tCCD);
  no_sooner(&d->at[WRITE], cycle + d->tCCD);
  d->stats.busy += d->burst;
  return free;
}

static uint64_t column(struct hd_dram *d, struct bank *k, bool write, uint64_t cycle) {
  const uint64_t after = take_bus(d, cycle, write ? d->tWL : d->tCL);
  if (write) {
    no_sooner(&d->at[READ], after + d->tCDLR);
    no_sooner(&k->precharge_at, after + d->tWR);
  }
  d->stats.reads += !write;
  d->stats.writes += write;
  d->stats.row_hits += !d->place[k->candidate].missed;
  return after - 1;
}

static void activate(struct hd_dram *d, struct bank *k, uint64_t cycle) {
  struct place *p = &d->place[k->candidate];
  p->missed = true;
  k->row = p->q.row;
  k->column_at = cycle + d->tRCD;
  k->precharge_at = cycle + d->tRAS;
  k->activate_at = cycle + d->tRC;
  d->at[ACTIVATE] = cycle + d->tRRD;
  d->stats.activates++;
}

static void precharge(const struct hd_dram *d, struct bank *k, uint64_t cycle) {
  k->row = CLOSED;
  no_sooner(&k->activate_at, cycle + d->tRP);
}

/* Reads and writes come before activates, these before precharges; the oldest first. */
static bool comes_before(enum kind a, uint64_t a_age, enum kind b, uint64_t b_age) {
  const enum kind x = a == WRITE ? READ : a, y = b == WRITE ? READ : b;
  return x != y ? x < y : a_age < b_age;
}

bool hd_dram_cycle(struct hd_dram *d, uint64_t cycle, struct hd_dram_request *done, uint64_t *last) {
  int best = -1;
  enum kind best_kind = KINDS;
  uint64_t best_age = 0;
  d->next = UINT64_MAX;
  for (uint64_t rest = d->with; rest; rest &= rest - 1) {
    const int b = __builtin_ctzll(rest);
    const struct bank *k = &d->bank[b];
    const enum kind kind = needs(d, k);
    const uint64_t at = ready(d, k, kind), age = d->place[k->candidate].age;
    if (at > cycle) {
      if (at < d->next)
        d->next = at;
    } else if (best < 0 || comes_before(kind, age, best_kind, best_age)) {
      best = b;
      best_kind = kind;
      best_age = age;
    }
  }
  if (best < 0)
    return false;
  d->next = cycle + 1;
  struct bank *k = &d->bank[best];
  if (best_kind == PRECHARGE)
    precharge(d, k, cycle);
  else if (best_kind == ACTIVATE)
    activate(d, k, cycle);
  else {
    *done = d->place[k->candidate].q;
    *last = column(d, k, best_kind == WRITE, cycle);
    unlink_candidate(d, k, (unsigned)best);
    return true;
  }
  return false;
}
