/* A DRAM channel; see dram.h.
 *
 * Each bank with requests has one candidate: the oldest request to the open row, else the oldest request. `kind` and
 * `at` of a bank are the command that its candidate needs next, and the first cycle in which the bank's own timing
 * allows it. Limits that all banks share are checked when a command is chosen. */
#include "cmodel/memory/dram.h"

#include <stdlib.h>

enum { NONE = UINT16_MAX, BANKS = 64, PATIENCE = 8 };
enum kind { READ, WRITE, ACTIVATE, PRECHARGE, KINDS };
static const uint64_t CLOSED = UINT64_MAX;

struct place {
  struct hd_dram_request q;
  uint64_t age;
  uint16_t next; /* the next younger of the same bank; or the next free place */
  bool missed;   /* a row was activated for it */
};

struct bank {
  uint64_t row; /* the open row, or CLOSED */
  uint64_t column_at, precharge_at, activate_at;
  uint16_t oldest, youngest, candidate, before; /* before: the one just older than the candidate, or NONE */
  uint64_t age;                                 /* of the candidate */
  uint64_t at;
  enum kind kind;
};

struct hd_dram {
  unsigned tCL, tWL, tRP, tRC, tRAS, tRCD, tRRD, tCCD, tWR, tCDLR, burst;
  struct bank bank[BANKS];
  uint64_t need[KINDS]; /* the banks whose candidates need such a command */
  struct place *place;
  uint16_t spare;
  unsigned window;
  uint64_t ages, starved; /* starved: if not 0, only these banks may issue commands */
  uint64_t at[KINDS];     /* first cycle in which any bank may issue such a command */
  uint64_t next;
  struct hd_dram_stats stats;
};

struct hd_dram *hd_dram_new(const struct hd_config *c) {
  struct hd_dram *d = calloc(1, sizeof *d);
  if (!d || !(d->place = calloc(c->dram.queue, sizeof *d->place))) {
    free(d);
    return NULL;
  }
  d->window = c->dram.queue;
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
  const unsigned bytes = c->d.L2_SECTOR_FILL ? c->l1d.sector_bytes : c->l1d.line_bytes;
  d->burst = (bytes + c->dram.bytes_per_cycle - 1) / c->dram.bytes_per_cycle;
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

static uint64_t waiting(const struct hd_dram *d) {
  return d->need[READ] | d->need[WRITE] | d->need[ACTIVATE] | d->need[PRECHARGE];
}

bool hd_dram_full(const struct hd_dram *d) {
  return d->spare == NONE;
}

bool hd_dram_idle(const struct hd_dram *d) {
  return !waiting(d);
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

/* Notes that a command may be possible from `cycle` on. */
static void look_at(struct hd_dram *d, uint64_t cycle) {
  if (cycle < d->next)
    d->next = cycle;
}

static void nominate(const struct hd_dram *d, struct bank *k, bool starved) {
  uint16_t before = NONE, i = k->oldest;
  while (i != NONE && !starved && d->place[i].q.row != k->row) {
    before = i;
    i = d->place[i].next;
  }
  k->candidate = i != NONE ? i : k->oldest;
  k->before = i != NONE ? before : NONE;
}

/* Updates a bank's candidate and next command. Called after any change of the bank or its requests. */
static void renew(struct hd_dram *d, unsigned b) {
  struct bank *k = &d->bank[b];
  const uint64_t bit = UINT64_C(1) << b;
  d->need[k->kind] &= ~bit;
  if (k->oldest == NONE)
    return;
  nominate(d, k, d->starved >> b & 1);
  const struct place *p = &d->place[k->candidate];
  if (k->row == CLOSED) {
    k->kind = ACTIVATE;
    k->at = k->activate_at;
  } else if (k->row != p->q.row) {
    k->kind = PRECHARGE;
    k->at = k->precharge_at;
  } else {
    k->kind = p->q.write ? WRITE : READ;
    k->at = k->column_at;
  }
  k->age = p->age;
  d->need[k->kind] |= bit;
}

/* Marks the banks whose oldest request has waited while PATIENCE windows' worth of other requests came. */
static void find_starved(struct hd_dram *d) {
  for (uint64_t rest = waiting(d) & ~d->starved; rest; rest &= rest - 1) {
    const unsigned b = (unsigned)__builtin_ctzll(rest);
    if (d->ages - d->place[d->bank[b].oldest].age <= (uint64_t)PATIENCE * d->window)
      continue;
    d->starved |= UINT64_C(1) << b;
    renew(d, b);
  }
}

void hd_dram_push(struct hd_dram *d, const struct hd_dram_request *q, uint64_t cycle) {
  const uint16_t i = d->spare;
  struct bank *k = &d->bank[q->bank];
  d->spare = d->place[i].next;
  d->place[i] = (struct place){*q, d->ages++, NONE, false};
  *(k->oldest == NONE ? &k->oldest : &d->place[k->youngest].next) = i;
  k->youngest = i;
  renew(d, q->bank);
  if (d->ages % d->window == 0)
    find_starved(d);
  look_at(d, d->starved ? cycle + 1 : later(cycle + 1, k->at));
}

static void unlink_candidate(struct hd_dram *d, struct bank *k) {
  const uint16_t i = k->candidate;
  d->starved &= ~(UINT64_C(1) << d->place[i].q.bank);
  *(k->before == NONE ? &k->oldest : &d->place[k->before].next) = d->place[i].next;
  if (k->youngest == i)
    k->youngest = k->before;
  d->place[i].next = d->spare;
  d->spare = i;
}

/* Reserves the bus for the data of a read or write. Returns the cycle after them. The next data of either kind come
 * later. */
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

/* Returns the banks that need a command of this kind, if the limits that all banks share allow it now. */
static uint64_t may(struct hd_dram *d, enum kind kind, uint64_t cycle) {
  if (d->at[kind] <= cycle)
    return d->need[kind];
  if (d->need[kind])
    look_at(d, d->at[kind]);
  return 0;
}

/* Returns the bank that may issue its command now and has the oldest candidate, among these banks. Returns -1 if none
 * may. */
static int oldest(struct hd_dram *d, uint64_t banks, uint64_t cycle) {
  int best = -1;
  if (d->starved)
    banks &= d->starved;
  for (; banks; banks &= banks - 1) {
    const int b = __builtin_ctzll(banks);
    if (d->bank[b].at > cycle)
      look_at(d, d->bank[b].at);
    else if (best < 0 || d->bank[b].age < d->bank[best].age)
      best = b;
  }
  return best;
}

/* Reads and writes come before activates, these before precharges. */
static int choose(struct hd_dram *d, uint64_t cycle) {
  int b = oldest(d, may(d, READ, cycle) | may(d, WRITE, cycle), cycle);
  if (b < 0)
    b = oldest(d, may(d, ACTIVATE, cycle), cycle);
  if (b < 0)
    b = oldest(d, may(d, PRECHARGE, cycle), cycle);
  return b;
}

bool hd_dram_cycle(struct hd_dram *d, uint64_t cycle, struct hd_dram_request *done, uint64_t *last) {
  d->next = UINT64_MAX;
  const int b = choose(d, cycle);
  if (b < 0)
    return false;
  look_at(d, cycle + 1);
  struct bank *k = &d->bank[b];
  const enum kind kind = k->kind;
  if (kind == PRECHARGE)
    precharge(d, k, cycle);
  else if (kind == ACTIVATE)
    activate(d, k, cycle);
  else {
    *done = d->place[k->candidate].q;
    *last = column(d, k, kind == WRITE, cycle);
    unlink_candidate(d, k);
  }
  renew(d, (unsigned)b);
  return kind == READ || kind == WRITE;
}
