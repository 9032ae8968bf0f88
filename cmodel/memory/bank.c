/* A bank of the L2: the golden model of the hardware slice and the ways to and from it; see bank.h and docs/gpu.md, "L2".
 *
 * A bank sleeps while its model says that nothing changes, until a handshake is possible at a port. What is at a port
 * stays there, so the skipped cycles make no difference. No event of l2_top repeats in such cycles, so none needs to
 * be counted. */
#include "cmodel/memory/bank_state.h"

#include <stdlib.h>

#include "cmodel/l2/l2_warm.h"
#include "cmodel/memory/specialized_banks.h"

/* ---- Figures ---- */

static const unsigned fail_of[EV_l2_slice_count_] = {[EV_l2_slice_fail_line] = HD_BANK_LINE,
                                                     [EV_l2_slice_fail_mshr] = HD_BANK_MSHR,
                                                     [EV_l2_slice_fail_merge] = HD_BANK_MERGE,
                                                     [EV_l2_slice_fail_queue] = HD_BANK_QUEUE,
                                                     [EV_l2_slice_fail_wake] = HD_BANK_WAKE};

/* The accesses that events stand for. Queries are not accesses. */
static const struct {
  bool is;
  enum hd_access_kind kind;
  enum hd_access_outcome outcome;
} access_of[EV_l2_slice_count_] = {[EV_l2_slice_read_hit] = {true, HD_ACCESS_LOAD, HD_ACCESS_HIT},
                                   [EV_l2_slice_write_hit] = {true, HD_ACCESS_STORE, HD_ACCESS_HIT},
                                   [EV_l2_slice_read_merge] = {true, HD_ACCESS_LOAD, HD_ACCESS_MERGE},
                                   [EV_l2_slice_write_merge] = {true, HD_ACCESS_STORE, HD_ACCESS_MERGE},
                                   [EV_l2_slice_read_miss] = {true, HD_ACCESS_LOAD, HD_ACCESS_MISS},
                                   [EV_l2_slice_write_miss] = {true, HD_ACCESS_STORE, HD_ACCESS_MISS},
                                   [EV_l2_slice_no_store_read] = {true, HD_ACCESS_LOAD, HD_ACCESS_PAST},
                                   [EV_l2_slice_no_store_write] = {true, HD_ACCESS_STORE, HD_ACCESS_PAST}};

static void tell(const struct hd_bank *b, unsigned event, const uint64_t arg[4]) {
  if (!access_of[event].is)
    return;
  const struct hd_access access = {.cycle = b->now,
                                   .line = hd_memmap_line(b->map, b->number, arg[1]),
                                   .level = 2,
                                   .sm = (unsigned)arg[0],
                                   .kind = access_of[event].kind,
                                   .outcome = access_of[event].outcome};
  b->accesses->access(b->accesses->user, &access);
}

/* The events that on_event() hears, besides HD_GENERATIONS_HEARD. The compiler checks that its switch has them all. */
#define HEARD(X)                                                                                             \
  X(fail_line)                                                                                               \
  X(fail_mshr)                                                                                               \
  X(fail_merge)                                                                                              \
  X(fail_queue)                                                                                              \
  X(fail_wake)                                                                                               \
  X(close_dirty)                                                                                             \
  X(close_fill)                                                                                              \
  X(read_hit)                                                                                                \
  X(write_hit)
#define NAME(event) HEARD_##event = EV_l2_slice_##event,
enum heard { HEARD(NAME) };
#undef NAME
#define BIT(event) | UINT64_C(1) << EV_l2_slice_##event
static const uint64_t all_heard = 0 HEARD(BIT);
#undef BIT

static void on_event(const struct hd_model *m, unsigned event, uint64_t a0, uint64_t a1, uint64_t a2,
                     uint64_t a3) {
  struct hd_bank *b = m->log->ctx;
  const uint64_t arg[] = {a0, a1, a2, a3};
  if (b->accesses)
    tell(b, event, arg);
  switch ((enum heard)event) {
  case HEARD_fail_line:
  case HEARD_fail_mshr:
  case HEARD_fail_merge:
  case HEARD_fail_queue:
  case HEARD_fail_wake:
    b->failed = fail_of[event];
    b->stats.fails[b->failed]++;
    return;
  case HEARD_close_dirty:
    b->stats.close_writebacks++;
    b->closing_stores += b->store;
    return;
  case HEARD_close_fill:
    b->stats.close_writebacks += arg[2];
    return;
  case HEARD_read_hit:
  case HEARD_write_hit:
    b->store = event == EV_l2_slice_write_hit;
    break;
  }
  hd_generations_hear(b->generations, b->log.cycle, b->pred, event, arg);
}

static void add_gate(struct hd_bank_stats *s, const uint64_t *ev) {
  s->closes_last = ev[EV_gate_ctrl_sleep_last];
  s->closes_fill = ev[EV_gate_ctrl_sleep_fill];
  s->wakes = ev[EV_gate_ctrl_wake];
  s->count_writes = ev[EV_gate_ctrl_count] + ev[EV_gate_ctrl_full] + ev[EV_gate_ctrl_wake] +
                    ev[EV_gate_ctrl_wake_again] + ev[EV_gate_ctrl_keep] + ev[EV_gate_ctrl_sleep_last];
}

const struct hd_bank_stats *hd_bank_stats(struct hd_bank *b, uint64_t cycle) {
  const uint64_t *ev = b->m->u_slice->base.ev;
  struct hd_bank_stats *s = &b->stats;
  hd_bank_count(b, cycle);
  s->line_cycles = cycle * b->design->c->d.L2_LINES;
  if (!b->m->u_gate)
    s->awake_cycles = s->line_cycles;
  s->read_hits = ev[EV_l2_slice_read_hit];
  s->write_hits = ev[EV_l2_slice_write_hit];
  s->merges = ev[EV_l2_slice_read_merge] + ev[EV_l2_slice_write_merge];
  s->no_store_reads = ev[EV_l2_slice_no_store_read];
  s->no_store_writes = ev[EV_l2_slice_no_store_write];
  const uint64_t read_misses = ev[EV_l2_slice_read_miss] + s->no_store_reads;
  const uint64_t write_misses = ev[EV_l2_slice_write_miss] + s->no_store_writes;
  s->misses = read_misses + write_misses;
  s->reads = s->read_hits + ev[EV_l2_slice_read_merge] + read_misses;
  s->writes = s->write_hits + ev[EV_l2_slice_write_merge] + write_misses;
  s->sector_misses = ev[EV_l2_slice_sector_miss];
  s->evictions = ev[EV_l2_slice_evict];
  s->writebacks = ev[EV_l2_slice_write_back];
  s->queries = ev[EV_l2_slice_query] + ev[EV_l2_slice_query_gone];
  s->early = ev[EV_l2_slice_early];
  s->fill_waits = ev[EV_l2_slice_fill_waits];
  s->looks = ev[EV_l2_slice_look];
  s->data_reads = s->read_hits + b->closing_stores + s->writebacks;
  s->data_writes = s->write_hits - b->closing_stores + ev[EV_l2_slice_store_fill];
  if (b->m->u_gate)
    add_gate(s, b->m->u_gate->base.ev);
  s->generations = hd_generations_stats(b->generations);
  return s;
}

/* ---- A cycle ---- */

struct hd_bank_moves hd_bank_run(struct hd_bank *b, uint64_t now, uint64_t until, struct l2rsp *room) {
  return b->code->run(b, now, until, room);
}

uint64_t hd_bank_next(const struct hd_bank *b, bool room) {
  return hd_bank_wants(b, room);
}

uint64_t hd_bank_lead(const struct hd_bank *b) {
  const uint64_t there = hd_bank_given_after(&b->ways, b->ways.there, HD_BANK_TO_ANSWER);
  const uint64_t back = hd_bank_given_after(&b->ways, b->ways.back, HD_BANK_TO_RETURN);
  return there < back ? there : back;
}

bool hd_bank_is_stuck(const struct hd_bank *b) {
  return hd_bank_stuck(&b->ways);
}

uint64_t hd_bank_at(const struct hd_bank *b) {
  return b->clock.at;
}

bool hd_bank_wake(struct hd_bank *b) {
  const struct l2_slice *m = b->m->u_slice;
  b->woken = l2_slice_rsp_valid(m) || l2_slice_out_valid(m);
  return b->woken && !b->moves;
}

bool hd_bank_sending(const struct hd_bank *b) {
  return b->ways.out.count || b->moves || l2_slice_out_valid(b->m->u_slice);
}

/* ---- Its ways ---- */

bool hd_bank_full(const struct hd_bank *b) {
  return hd_bank_crowded(&b->ways);
}

bool hd_bank_has_places(const struct hd_bank *b, unsigned n) {
  return b->ways.in.count + n < b->ways.in.size;
}

bool hd_bank_push(struct hd_bank *b, const struct l2req *q, uint64_t at) {
  struct hd_bank_ways *w = &b->ways;
  const unsigned place = hd_bank_enter(&w->in);
  w->request[place] = *q;
  w->request_from[place] = hd_bank_given(w, at, w->there, HD_BANK_TO_ANSWER);
  return w->in.count == 1;
}

const struct hd_bank_fetch *hd_bank_fetch(const struct hd_bank *b) {
  return b->ways.out.count ? &b->ways.fetch[b->ways.out.head] : NULL;
}

void hd_bank_fetched(struct hd_bank *b) {
  hd_bank_leave(&b->ways.out);
}

bool hd_bank_fill(struct hd_bank *b, unsigned mshr, uint64_t at) {
  struct hd_bank_ways *w = &b->ways;
  w->fill[hd_bank_enter(&w->fills)] =
      (struct hd_bank_return){hd_bank_given(w, at, w->back, HD_BANK_TO_RETURN), mshr};
  return w->fills.count == 1;
}

/* Returns the places of a way: the number of requests that enter a way of `latency` core cycles, at one per cycle of
 * the bank, before the first leaves it. The `own` cycles that the slice itself takes do not count. One more place is
 * at the end, where a request waits for the slice or DRAM; the queues are the slice's. */
static unsigned places_of(const struct hd_clock *clock, uint64_t latency, unsigned own) {
  const unsigned all = (unsigned)hd_clock_cycle(clock, latency);
  return 1 + (all > own ? all - own : 0);
}

static bool new_ways(struct hd_bank_ways *w, const struct hd_config *c) {
  w->clock = hd_clock_of(c->sm.clock_mhz, c->l2.clock_mhz);
  w->there = c->l2.latency;
  w->away = c->dram.latency / 2;
  w->back = c->dram.latency - w->away;
  w->in.size = places_of(&w->clock, w->there, HD_BANK_TO_ANSWER);
  w->out.size = places_of(&w->clock, w->away, 0);
  w->fills.size = c->l2.mshrs;
  w->request = calloc(w->in.size, sizeof *w->request);
  w->request_from = calloc(w->in.size, sizeof *w->request_from);
  w->fetch = calloc(w->out.size, sizeof *w->fetch);
  w->fill = calloc(w->fills.size, sizeof *w->fill);
  return w->request && w->request_from && w->fetch && w->fill;
}

void hd_bank_warm(struct hd_bank *b, uint64_t line, unsigned sector, bool store) {
  l2_warm(b->m->u_slice, line, sector, store);
}

/* ---- Making one ---- */

/* The code for each machine of SPECIALIZED_L2 in the Makefile, and the code for all machines. */
#define CODE(name, config) extern const struct hd_bank_code hd_bank_code_##name;
EACH_SPECIALIZED_L2(CODE)
CODE(any, )
#undef CODE

static const struct hd_bank_code *code_for(const struct l2_top *m) {
#define CODE(name, config)                                                                                   \
  if (hd_bank_code_##name.fits(m))                                                                           \
    return &hd_bank_code_##name;
  EACH_SPECIALIZED_L2(CODE)
#undef CODE
  return &hd_bank_code_any;
}

const char *hd_bank_code(const struct hd_bank *b) {
  return b->code->name;
}

static bool new_model(struct hd_bank *b, bool data) {
  b->m = hd_model_new(b->design, "l2_top", data, NULL);
  if (!b->m)
    return false;
  b->code = code_for(b->m);
  b->m->u_slice->base.log = &b->log;
  b->m->u_slice->base.told = on_event;
  b->m->u_slice->base.heard = all_heard | HD_GENERATIONS_HEARD; /* only the slice's events are heard */
  return true;
}

void hd_bank_set_accesses(struct hd_bank *b, unsigned number, const struct hd_memmap *map,
                          const struct hd_access_watch *accesses) {
  b->map = map;
  b->number = number;
  b->accesses = accesses;
}

bool hd_bank_set_watch(struct hd_bank *b, const struct hd_bank_watch *watch) {
  hd_model_free(b->m);
  b->watch = *watch;
  return new_model(b, true);
}

/* Sets the run-time enables from the configuration. */
static void set_enables(const struct hd_config *c, struct l2_top_in *in) {
#define ENABLE(name, when, section_key, changes, of) in->name = c->section_key;
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include "arch/l2/l2_top.def"
}

struct hd_bank *hd_bank_new(const struct hd_design *design) {
  const struct hd_decl *d = hd_design_find(design, "l2_top");
  struct hd_bank *b = calloc(1, sizeof *b);
  if (!b)
    return NULL;
  b->design = design;
  b->clock = hd_clock_of(design->c->sm.clock_mhz, design->c->l2.clock_mhz);
  b->log.ctx = b;
  set_enables(design->c, &b->in);
  b->generations = hd_generations_new(design->c);
  if (new_ways(&b->ways, design->c) && b->generations && hd_alloc_in(d, &b->in) && hd_alloc_out(d, &b->out) &&
      new_model(b, false))
    return b;
  hd_bank_free(b);
  return NULL;
}

void hd_bank_free(struct hd_bank *b) {
  if (!b)
    return;
  const struct hd_decl *d = hd_design_find(b->design, "l2_top");
  free(b->ways.request);
  free(b->ways.request_from);
  free(b->ways.fetch);
  free(b->ways.fill);
  hd_model_free(b->m);
  hd_generations_free(b->generations);
  hd_free_in(d, &b->in);
  hd_free_out(d, &b->out);
  free(b);
}
