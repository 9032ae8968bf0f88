/* A bank of the L2 that is the golden model of the hardware slice, l2_top; see bank.h and docs/mechanisms/l2.md.
 *
 * It sleeps while the model says that nothing changes, until a port can meet: what is at a port stays, so no cycle
 * between makes a difference. No event of l2_top happens again and again, so there are none to be counted then.
 *
 * Invariant: `counted` is the first cycle whose registers have not been counted.
 */
#include "cmodel/bank_state.h"

#include <stdlib.h>

#include "cmodel/l2_ports.h"

/* Cycles from `req` to `rsp` or `out`, and from `fill` to `rsp`: docs/mechanisms/l2.md. */
enum { TO_ANSWER = 6, TO_RETURN = 7 };

struct slice {
  struct hd_bank bank;
  const struct hd_design *design;
  struct l2_top *m;
  struct l2_top_in in;
  struct l2_top_out out; /* with a watch; else the slice's registers say what is needed of it */
  struct hd_log log;
  struct hd_lives *lives;
  struct hd_bank_watch watch; /* `after` NULL: nobody looks on */
  bool moves;                 /* the next cycle may change something by itself */
  bool woken;                 /* it is to be run, whatever can meet */
  uint64_t counted;
  uint64_t pred;           /* of the request that is decided in this cycle */
  unsigned failed;         /* why the oldest request is blocked */
  bool store;              /* the last hit was one */
  uint64_t closing_stores; /* hits that were the last access of their lines */
};

/* ---- Figures ---- */

static const unsigned fail_of[EV_l2_slice_count_] = {[EV_l2_slice_fail_line] = HD_BANK_LINE,
                                                     [EV_l2_slice_fail_mshr] = HD_BANK_MSHR,
                                                     [EV_l2_slice_fail_merge] = HD_BANK_MERGE,
                                                     [EV_l2_slice_fail_queue] = HD_BANK_QUEUE};

static void on_event(void *ctx, const struct hd_model *m, unsigned event, const uint64_t arg[4]) {
  struct slice *b = ctx;
  (void)m;
  switch (event) {
  case EV_l2_slice_fail_line:
  case EV_l2_slice_fail_mshr:
  case EV_l2_slice_fail_merge:
  case EV_l2_slice_fail_queue:
    b->failed = fail_of[event];
    b->bank.stats.fails[b->failed]++;
    return;
  case EV_l2_slice_close_dirty:
    b->bank.stats.slice.sleep_writebacks++;
    b->closing_stores += b->store;
    return;
  case EV_l2_slice_close_fill:
    b->bank.stats.slice.sleep_writebacks += arg[2];
    return;
  case EV_l2_slice_read_hit:
  case EV_l2_slice_write_hit:
    b->store = event == EV_l2_slice_write_hit;
    break;
  default:
    break;
  }
  hd_lives_hear(b->lives, b->log.cycle, b->pred, event, arg);
}

/* The cycles before `cycle` whose registers are those of now. */
static void count(struct slice *b, uint64_t cycle) {
  const uint64_t cycles = cycle - b->counted;
  struct hd_bank_stats *s = &b->bank.stats;
  s->slice.awake_cycles += cycles * (b->m->u_gate ? b->m->u_gate->s.n : b->design->c->d.L2_LINES);
  s->slice.line_cycles += cycles * b->design->c->d.L2_LINES;
  if (b->m->u_slice->s.blocked)
    s->fails[b->failed] += cycles;
  b->counted = cycle;
}

static void add_gate(struct hd_slice_stats *s, const uint64_t *ev) {
  s->closes_last = ev[EV_gate_ctrl_sleep_last];
  s->closes_fill = ev[EV_gate_ctrl_sleep_fill];
  s->wakes = ev[EV_gate_ctrl_wake];
  s->count_reads = s->looks;
  s->count_writes = ev[EV_gate_ctrl_count] + ev[EV_gate_ctrl_full] + ev[EV_gate_ctrl_wake] +
                    ev[EV_gate_ctrl_wake_again] + ev[EV_gate_ctrl_keep] + ev[EV_gate_ctrl_sleep_last];
}

static void settle_slice(struct hd_bank *bank, uint64_t cycle) {
  struct slice *b = (struct slice *)bank;
  const uint64_t *ev = b->m->u_slice->base.ev;
  struct hd_bank_stats *s = &bank->stats;
  count(b, cycle);
  s->read_hits = ev[EV_l2_slice_read_hit];
  s->write_hits = ev[EV_l2_slice_write_hit];
  s->merges = ev[EV_l2_slice_read_merge] + ev[EV_l2_slice_write_merge];
  s->slice.no_store_reads = ev[EV_l2_slice_no_store_read];
  s->slice.no_store_writes = ev[EV_l2_slice_no_store_write];
  const uint64_t read_misses = ev[EV_l2_slice_read_miss] + s->slice.no_store_reads;
  const uint64_t write_misses = ev[EV_l2_slice_write_miss] + s->slice.no_store_writes;
  s->misses = read_misses + write_misses;
  s->reads = s->read_hits + ev[EV_l2_slice_read_merge] + read_misses;
  s->writes = s->write_hits + ev[EV_l2_slice_write_merge] + write_misses;
  s->evictions = ev[EV_l2_slice_evict];
  s->writebacks = ev[EV_l2_slice_write_back];
  s->slice.queries = ev[EV_l2_slice_query] + ev[EV_l2_slice_query_gone];
  s->slice.early = ev[EV_l2_slice_early];
  s->slice.looks = ev[EV_l2_slice_look];
  s->slice.data_reads = s->read_hits + b->closing_stores + s->writebacks;
  s->slice.data_writes = s->write_hits - b->closing_stores + ev[EV_l2_slice_store_fill];
  if (b->m->u_gate)
    add_gate(&s->slice, b->m->u_gate->base.ev);
  s->slice.lives = hd_lives_stats(b->lives);
}

/* ---- A cycle ---- */

static void offer(struct slice *b, uint64_t cycle, unsigned places) {
  struct l2_top_in *in = &b->in;
  const struct l2req *q = hd_bank_request(&b->bank, cycle);
  const struct hd_bank_return *fill = hd_bank_returned(&b->bank, cycle);
  in->req_valid = q != NULL;
  if (q)
    in->req = *q;
  in->fill_valid = fill != NULL;
  if (fill)
    in->fill_id = fill->mshr;
  in->rsp_ready = places != 0;
  in->out_ready = !hd_bank_stuck(&b->bank);
}

/* What will meet, before the cycle has passed. */
static void meet(struct slice *b, uint64_t now, struct hd_bank_moves *moves) {
  const struct l2_top_in *in = &b->in;
  const struct l2_slice *m = b->m->u_slice;
  moves->answers = l2_slice_rsp_valid(m) && in->rsp_ready;
  moves->taken = in->req_valid && l2_slice_req_ready(m);
  moves->sent = l2_slice_out_valid(m) && in->out_ready;
  if (moves->answers)
    moves->answer[0] = *l2_slice_rsp(m);
  if (moves->taken)
    hd_bank_leave(&b->bank.in);
  if (in->fill_valid && l2_slice_fill_ready(m))
    hd_bank_leave(&b->bank.fills);
  if (moves->sent) {
    const struct l2out *out = l2_slice_out(m);
    hd_bank_send(&b->bank, now, out->line, (unsigned)out->id, out->write);
  }
}

static void cycle_slice(struct hd_bank *bank, uint64_t now, uint64_t cycle, unsigned places,
                        struct hd_bank_moves *moves) {
  struct slice *b = (struct slice *)bank;
  offer(b, cycle, places);
  if (b->watch.after) {
    b->watch.before(b->watch.user, &b->in);
    l2_top_moore(b->m, &b->out);
  }
  count(b, cycle + 1);
  b->log.cycle = cycle;
  b->pred = b->m->u_slice->s.b.pred;
  meet(b, now, moves);
  l2_top_mealy(b->m, &b->in, &b->out);
  b->moves = l2_top_tick(b->m, &b->in) & HD_MOVES;
  b->woken = false;
  if (b->watch.after)
    b->watch.after(b->watch.user, &b->in, &b->out);
}

static uint64_t next_slice(const struct hd_bank *bank, unsigned places) {
  const struct slice *b = (const struct slice *)bank;
  const struct l2_slice *m = b->m->u_slice;
  if (b->moves || b->woken || b->watch.after || (places && l2_slice_rsp_valid(m)) ||
      (l2_slice_out_valid(m) && !hd_bank_stuck(bank)))
    return 0;
  const uint64_t fill = l2_slice_fill_ready(m) ? hd_bank_return_at(bank) : UINT64_MAX;
  const uint64_t in = l2_slice_req_ready(m) ? hd_bank_request_at(bank) : UINT64_MAX;
  return fill < in ? fill : in;
}

static bool wake_slice(struct hd_bank *bank) {
  struct slice *b = (struct slice *)bank;
  const struct l2_slice *m = b->m->u_slice;
  b->woken = l2_slice_rsp_valid(m) || l2_slice_out_valid(m);
  return b->woken && !b->moves;
}

static bool sending_slice(const struct hd_bank *bank) {
  const struct slice *b = (const struct slice *)bank;
  return b->moves || l2_slice_out_valid(b->m->u_slice);
}

/* ---- Making one ---- */

static const uint64_t HEARD = UINT64_C(1) << EV_l2_slice_fail_line | UINT64_C(1) << EV_l2_slice_fail_mshr |
                              UINT64_C(1) << EV_l2_slice_fail_merge | UINT64_C(1) << EV_l2_slice_fail_queue |
                              UINT64_C(1) << EV_l2_slice_close_dirty | UINT64_C(1) << EV_l2_slice_close_fill;

static bool new_model(struct slice *b, bool data) {
  b->m = hd_model_new(b->design, "l2_top", data, NULL);
  if (!b->m)
    return false;
  b->m->u_slice->base.log = &b->log;
  b->m->u_slice->base.heard = HEARD | HD_LIVES_HEARD; /* nobody else's events are */
  return true;
}

static bool watch_slice(struct hd_bank *bank, const struct hd_bank_watch *watch) {
  struct slice *b = (struct slice *)bank;
  hd_model_free(b->m);
  b->watch = *watch;
  return new_model(b, true);
}

static void free_slice(struct hd_bank *bank) {
  struct slice *b = (struct slice *)bank;
  const struct hd_decl *d = hd_design_find(b->design, "l2_top");
  hd_model_free(b->m);
  hd_lives_free(b->lives);
  hd_free_in(d, &b->in);
  hd_free_out(d, &b->out);
  free(b);
}

struct hd_bank *hd_bank_slice_new(const struct hd_design *design) {
  static const struct hd_bank_ops ops = {cycle_slice,   next_slice,  wake_slice, settle_slice,
                                         sending_slice, watch_slice, free_slice};
  const struct hd_decl *d = hd_design_find(design, "l2_top");
  struct slice *b = calloc(1, sizeof *b);
  if (!b)
    return NULL;
  b->design = design;
  b->log.hook = on_event;
  b->log.ctx = b;
  b->in.los_en = design->c->loscache.enable;
  b->lives = hd_lives_new(design->c);
  /* the queues at the ends of both ways are its own */
  if (hd_bank_init(&b->bank, design->c, &ops, TO_ANSWER, TO_RETURN, 1) && b->lives &&
      hd_alloc_in(d, &b->in) && hd_alloc_out(d, &b->out) && new_model(b, false))
    return &b->bank;
  hd_bank_free(&b->bank);
  return NULL;
}
