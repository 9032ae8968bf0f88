/* The cycles of a bank: the offers of its ways to the slice, the handshakes, and the slice's cycle.
 *
 * This file is compiled once for any machine, and once more for each machine that the Makefile names
 * (SPECIALIZED_L2), with the sizes of its slice as constants (cmodel/model/specialized.h). A watched bank, which
 * carries bytes, runs the code for any machine. Without the constants heddle sim executes 10.4 % more instructions
 * (gpu/gtx480_bypass, a gather of 306 thousand requests).
 *
 * Invariant: all of this code gives the same results (tests/unit/memory/test_bank_code.c). */
#include "cmodel/l2/l2_cycle.h"
#include "cmodel/loscache/gate_ctrl_cycle.h"
#include "cmodel/memory/bank_state.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Performs the handshakes at the slice's ports, before the slice's cycle. A taken request stays in its place until
 * the next one is pushed. */
static struct hd_bank_moves meet(struct hd_bank *b, uint64_t now, bool req_valid, bool fill_valid,
                                 struct l2rsp *room) {
  const struct l2_slice *m = b->m->u_slice;
  const bool taken = req_valid && l2_slice_req_ready(m);
  struct hd_bank_moves moves = {.answered = l2_slice_rsp_valid(m) && room,
                                .sent = l2_slice_out_valid(m) && !hd_bank_stuck(&b->ways),
                                .made_room = taken && hd_bank_crowded(&b->ways),
                                .at = now};
  moves.any = moves.answered | moves.sent | moves.made_room;
  if (moves.answered)
    *room = *l2_slice_rsp(m);
  if (taken)
    hd_bank_take(&b->ways);
  if (fill_valid && l2_slice_fill_ready(m))
    hd_bank_leave(&b->ways.fills);
  if (moves.sent) {
    const struct l2out *out = l2_slice_out(m);
    hd_bank_send(&b->ways, now, out->line, (unsigned)out->id, out->write);
  }
  return moves;
}

#ifdef HD_SPECIALIZED
/* True if all constants hold for this machine. */
static bool fits(const struct l2_top *m) {
#define SPECIALIZED(size) &&HD_SIZE_##size == m->base.c->d.size
  return HD_HAS_u_gate == (m->u_gate != NULL) && !m->base.data
#include "arch/config/specialized_l2.def"
      ;
#undef SPECIALIZED
}

/* The whole of l2_top is compiled into this code too. */
#define HD_WIRED static inline
#define gate_ctrl_mealy gate_ctrl_say
#define gate_ctrl_tick gate_ctrl_cycle
#define l2_slice_mealy l2_slice_say
#define l2_slice_tick l2_slice_cycle
#define l2_top_moore bank_moore
#define l2_top_mealy bank_mealy
#define l2_top_tick bank_tick
#include "cmodel/l2_top_full.h"
#else
#define HD_SPECIALIZED_AS any
#define HD_HAS_u_gate true
static bool fits(const struct l2_top *m) {
  (void)m;
  return true;
}
#endif

/* Runs a cycle through the wires of l2_top: for a bank that powers lines off, or is watched. Sets b->moves if the
 * next cycle may change something by itself. With calls instead of inlining this function, run_slice and `cycle`:
 * 1.3 % more instructions (gpu/gtx480 on Accel-Sim's trace of gather). */
ALWAYS_INLINE struct hd_bank_moves run_wired(struct hd_bank *b, uint64_t now, const struct l2req *q,
                                             const struct hd_bank_return *fill, struct l2rsp *room) {
  struct l2_top_in *in = &b->in;
  in->req_valid = q != NULL;
  if (q)
    in->req = *q;
  in->fill_valid = fill != NULL;
  if (fill)
    in->fill_id = fill->mshr;
  in->rsp_ready = room != NULL;
  in->out_ready = !hd_bank_stuck(&b->ways);
  if (HD_WATCHED && b->watch.after) {
    b->watch.before(b->watch.user, in);
    l2_top_moore(b->m, &b->out);
  }
  const struct hd_bank_moves moves = meet(b, now, in->req_valid, in->fill_valid, room);
  l2_top_mealy(b->m, in, &b->out);
  b->moves = l2_top_tick(b->m, in) & HD_MOVES;
  if (HD_WATCHED && b->watch.after)
    b->watch.after(b->watch.user, in, &b->out);
  return moves;
}

/* Runs a cycle of the slice alone: l2_top without power control has the slice's ports. Sets b->moves in the same way. */
ALWAYS_INLINE struct hd_bank_moves run_slice(struct hd_bank *b, uint64_t now, const struct l2req *q,
                                             const struct hd_bank_return *fill, struct l2rsp *room) {
  struct l2_slice *m = b->m->u_slice;
  const struct l2_slice_in in = {.req_valid = q != NULL,
                                 .fill_valid = fill != NULL,
                                 .fill_id = fill ? fill->mshr : 0,
                                 .rsp_ready = room != NULL,
                                 .out_ready = !hd_bank_stuck(&b->ways)};
  const struct hd_bank_moves moves = meet(b, now, in.req_valid, in.fill_valid, room);
  const struct l2_plan plan = l2_plan(m, &in);
  b->moves = l2_cycle(m, &in, q, &plan);
  return moves;
}

ALWAYS_INLINE struct hd_bank_moves cycle(struct hd_bank *b, uint64_t now, uint64_t cycle,
                                         struct l2rsp *room) {
  hd_bank_count(b, cycle + 1);
  b->log.cycle = cycle;
  b->now = now;
  b->pred = b->m->u_slice->s.b.pred;
  b->woken = false;
  const struct l2req *q = hd_bank_request(&b->ways, cycle);
  const struct hd_bank_return *fill = hd_bank_returned(&b->ways, cycle);
  return HD_HAS_u_gate ? run_wired(b, now, q, fill, room) : run_slice(b, now, q, fill, room);
}

static struct hd_bank_moves run(struct hd_bank *b, uint64_t now, uint64_t until, struct l2rsp *room) {
  struct hd_bank_moves moves;
  do {
    hd_clock_seek(&b->clock, now);
    moves = cycle(b, b->clock.at, b->clock.cycle, room);
    hd_clock_step(&b->clock);
    if (moves.any)
      return moves;
    now = hd_bank_wants(b, room != NULL);
  } while (now < until && room && !hd_bank_stuck(&b->ways));
  moves.at = now;
  return moves;
}

#define CODE(machine)                                                                                        \
  extern const struct hd_bank_code hd_bank_code_##machine;                                                   \
  const struct hd_bank_code hd_bank_code_##machine = {#machine, fits, run};
#define CODE_OF(machine) CODE(machine)
CODE_OF(HD_SPECIALIZED_AS)
