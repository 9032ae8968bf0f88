/* The parts of a lazy run: what each shows at its ports, how it ticks, and when it sleeps. lazy.c includes this file, and so does run.c,
 * which is compiled once more for each machine with code of its own.
 *
 * A part's ports are read when its registers have changed. Its inputs are wired when it ticks: a valid or a ready is wired as 1 only if the
 * port's other side agrees. No module can tell the difference. A payload is wired only then.
 *
 * Invariant: between two cycles l->ports is what all parts show in the next one, asleep or not.
 *
 * Inlined: with calls instead, heddle sim executes 5.9 % more instructions: 1 header refers here (gpu/apres on
 * syr2k:tiny). */
#ifndef HEDDLE_CMODEL_STEP_LAZY_PARTS_H
#define HEDDLE_CMODEL_STEP_LAZY_PARTS_H

#include "cmodel/sm/sched_pick.h"
#include "cmodel/step/lazy_wires.h"

/* ---- What they show ---- */

/* `of`: the bits that a part decides. `now`: those of them that are set. */
static inline void show(struct hd_lazy *l, unsigned of, unsigned now) {
  l->ports = (l->ports & ~of) | now;
}

static inline void show_coalescer(struct hd_lazy *l) {
  const struct coalescer *m = l->m->u_coalescer;
  bool valid = m->s.o_valid;
  if (HD_HAS(l->m, u_casc)) {
    wire_u_casc(l->m, l->in, 0); /* as if its offer were not taken */
    valid = casc_out_valid(l->m->u_casc, &l->m->u_casc_in);
  }
  show(l, ENQ | ISSUE << READY, valid * ENQ | coalescer_issue_ready(m) * (ISSUE << READY));
}

static inline void show_buffer(struct hd_lazy *l) {
  show(l, SHOWN_BUFFER, shows_BUFFER(l->m));
}

static inline void show_l1d(struct hd_lazy *l) {
  const struct l1d *m = l->m->u_l1d;
  show(l, RESP | MREQ | PULSES_L1D | (DEQ | MRSP | PF) << READY,
       (unsigned)shows_resp_valid(l->m) * RESP | (unsigned)shows_mreq_valid(l->m) * MREQ |
           (l->pulses_heard && l->awake & L1D ? pulses_L1D(l->m) & l->pulses_heard : 0) |
           l1d_req_ready(m) * (DEQ << READY) | l1d_mrsp_ready(m) * (MRSP << READY) |
           l1d_pf_ready(m) * (PF << READY));
}

static inline void show_prefetcher(struct hd_lazy *l) {
  show(l, SHOWN_PREFETCH, shows_PREFETCH(l->m));
}

static inline void show_sm(struct hd_lazy *l) {
  const struct sm_mem_in *in = l->in;
  show(l, PULSES_SM | ISSUE | RESP << READY,
       pulses_SM(in) | (unsigned)in->issue_valid * ISSUE | (unsigned)in->resp_ready * (RESP << READY));
}

/* Counts, up to cycle `until`, the cycles in which a scheduler that slept held warps back. */
static inline void count_held(struct hd_lazy *l, uint64_t until) {
  l->part[LAZY_SCHED].ev[EV_sched_held] += (until - l->held_since) * l->held;
  l->held_since = until;
}

/* The SM shows ready warps only if one of them may be picked. */
static inline void show_picks(struct hd_lazy *l) {
  const struct hd_config *c = l->m->base.c;
  const uint64_t ready = l->in->ready, may = ready & ~withheld(l->m, l->in);
  show(l, PICK << READY, may ? PICK << READY : 0);
  count_held(l, l->now + 1);
  l->held = 0;
  for (unsigned s = 0; ready && !may && s < HD_SIZE(c, SCHEDS); s++)
    l->held += sched_held(c, ready, may, s);
}

static inline void show_memory(struct hd_lazy *l) {
  show(l, MREQ << READY | MRSP,
       (unsigned)l->in->mreq_ready * (MREQ << READY) | (unsigned)l->in->mrsp_valid * MRSP);
}

/* ---- Sleep ---- */

/* Call it after the tick of a module: the module sleeps from the next cycle on, unless it moves. */
static inline void sleep_if(struct hd_lazy *l, enum hd_lazy_name name, uint64_t ahead) {
  struct hd_lazy_part *p = &l->part[name];
  const unsigned moves = (ahead & HD_MOVES) != 0; /* used without a branch, which would be a coin toss */
  p->since = l->now + 1;
  p->events = moves ? 0 : ahead;
  l->awake = (l->awake & ~(1u << name)) | moves << name;
}

/* Makes up for the cycles that the buffer slept through while heads of MemSched probed in vain. */
static inline void pass_slept(const struct hd_lazy *l) {
  struct memsched *m = l->m->u_memsched;
  if (HD_HAS(l->m, u_probe) && m->base.memo[MEMSCHED_VAIN])
    memsched_pass(m, l->now - l->part[LAZY_BUFFER].since);
}

/* Call it before the tick of a module: counts the events of the cycles that it slept through. */
static inline void count_slept(const struct hd_lazy *l, enum hd_lazy_name name) {
  const struct hd_lazy_part *p = &l->part[name];
  if (l->now == p->since) /* it slept through none, which is the usual case */
    return;
  for (uint64_t rest = p->events; rest; rest &= rest - 1)
    p->ev[hd_lowest(rest)] += (l->now - p->since) * p->times;
}

/* ---- The clock edge ---- */

/* The attachments `there` hear what the L1D tells, and the L1D hears what they say. Returns those that heard. */
ALWAYS_INLINE uint64_t hear_attachments(struct hd_lazy *l, unsigned meet, uint64_t there) {
  struct sm_mem *m = l->m;
  uint64_t heard = 0;
  wire_before_ticks(m, l->in, meet);
  if (l->outside)
    l->outside->drive(l->outside_user, l->now, l->in);
  if (there)
    heard = hear_L1D(m, l->in, meet, there, &l->busy[LAZY_L1D]);
  wire_u_l1d_more(m, l->in, meet);
  if (there)
    wire_u_l1d_beside(m, l->in, meet);
  if (l->outside)
    l->outside->hear(l->outside_user, l->now, l->in, m);
  return heard;
}

/* Ticks the L1D with its attachments, and what is wired to it by more than ports. What the L1D shows to them (LOOK, DECIDE, OUTCOME)
 * changes if its pipeline moves, if a fill asks or enters, or by a flush. What it tells them ends one cycle later. In all other cycles,
 * in most of which a request waits, only attachments that move hear and tick. */
ALWAYS_INLINE uint64_t tick_with_attachments(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  const uint64_t there = beside(l) & ALL_BESIDE_L1D;
  struct l1d *c = m->u_l1d;
  struct hd_lazy_busy *busy = &l->busy[LAZY_L1D];
  const unsigned pulses = meet & PULSES_SM, hears = l->attachments_hear | pulses;
  const bool fills = l1d_shows_fill(c), moved = pulses | (hears && busy->moves & SEEN_L1D);
  const uint64_t heard = hears ? hear_attachments(l, meet, there) : 0;
  if (is_somebody_alone(m))
    busy->now = l->now;
  uint64_t ahead = l1d_cycle(c, &m->u_l1d_in);
  const bool changes = fills | c->late.late_advance | c->late.late_held | c->late.late_fill;
  if (!(hears | changes))
    return ahead;
  if (there && tick_beside_L1D(m, l->in, meet, there, heard, busy))
    ahead = HD_MOVES;
  l->attachments_hear_for = changes ? 1U + l1d_outcome_valid(c) : moved ? 1 : l->attachments_hear_for >> 1;
  l->attachments_hear = l->attachments_hear_for | ((busy->moves | busy->ends) != 0) | (l->outside != NULL);
  return ahead;
}

static inline void tick_l1d(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  count_slept(l, LAZY_L1D);
  wire_own(m, l->out, meet);
  wire_u_l1d(m, l->in, meet);
  const bool attached = beside(l) & ALL_BESIDE_L1D || is_wired_before_ticks(m);
  if (!attached && HD_IS(m, LACK_BYPASS))
    wire_u_l1d_more(m, l->in, meet);
  sleep_if(l, LAZY_L1D, attached ? tick_with_attachments(l, meet) : l1d_cycle(m->u_l1d, &m->u_l1d_in));
  show_l1d(l);
}

static inline void tick_buffer(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  uint64_t ahead;
  count_slept(l, LAZY_BUFFER);
  pass_slept(l);
  if (beside(l) & ALL_BESIDE_BUFFER)
    l->heard[LAZY_BUFFER] = hear_BUFFER(m, l->in, meet, beside(l), &l->busy[LAZY_BUFFER]);
  if (HD_HAS(m, u_casc) && meet & ENQ)
    casc_mealy(m->u_casc, &m->u_casc_in, &m->u_casc_out);
  wire_BUFFER(m, l->in, meet);
  ahead = tick_BUFFER(m);
  if (beside(l) & ALL_BESIDE_BUFFER)
    ahead |= tick_beside_BUFFER(m, l->in, meet, beside(l), l->heard[LAZY_BUFFER], &l->busy[LAZY_BUFFER]);
  sleep_if(l, LAZY_BUFFER, ahead);
  show_buffer(l);
}

/* Ticks the coalescer and CASC behind it. CASC's inputs must be those of this cycle. */
static inline void tick_gathering(struct hd_lazy *l) {
  struct sm_mem *m = l->m;
  const struct casc_in *ci = &m->u_casc_in;
  count_slept(l, LAZY_CASC);
  uint64_t ahead = coalescer_cycle(m->u_coalescer, &m->u_coalescer_in, sm_changes(l->sm));
  const uint64_t moves = (ahead | casc_tick(m->u_casc, ci)) & HD_MOVES;
  show_coalescer(l); /* and what passes between the two next */
  uint64_t waits = 0;
  if (moves || (ci->in_valid && casc_in_ready(m->u_casc, ci)))
    ahead = waits = HD_MOVES;
  else if (ci->in_valid)
    waits = hd_bit(EV_casc_wait);
  sleep_if(l, LAZY_COALESCER, ahead);
  sleep_if(l, LAZY_CASC, waits);
}

static inline void tick_coalescer(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  if (meet & ISSUE && HD_HAS(m, u_laws))
    laws_moore(m->u_laws, &m->u_laws_out); /* the group of the load that the coalescer takes */
  if (beside(l) & ALL_BESIDE_COALESCER)
    l->heard[LAZY_COALESCER] = hear_COALESCER(m, l->in, meet, beside(l), &l->busy[LAZY_COALESCER]);
  if (HD_HAS(m, u_casc)) {
    m->u_casc_in.out_ready = (meet & ENQ) != 0; /* its other inputs are set */
    m->u_casc_out.in_ready = m->u_casc_in.in_valid && casc_in_ready(m->u_casc, &m->u_casc_in);
  }
  wire_u_coalescer(m, l->in, meet);
  struct coalescer_in *in = &m->u_coalescer_in;
  uint64_t *const own = in->issue_line, *const own_sector = in->issue_sector;
  in->issue_line =
      sm_lines(l->sm); /* read in place: a copy of the whole of `in` would wait for the words just written */
  in->issue_sector = sm_sectors(l->sm);
  count_slept(l, LAZY_COALESCER);
  if (HD_HAS(m, u_casc))
    tick_gathering(l);
  else {
    sleep_if(l, LAZY_COALESCER, coalescer_cycle(m->u_coalescer, in, sm_changes(l->sm)));
    show_coalescer(l);
  }
  in->issue_line = own;
  in->issue_sector = own_sector;
  if (beside(l) & ALL_BESIDE_COALESCER &&
      tick_beside_COALESCER(m, l->in, meet, beside(l), l->heard[LAZY_COALESCER], &l->busy[LAZY_COALESCER]) &
          HD_MOVES)
    l->awake |= COALESCER;
}

static inline void tick_sched(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  count_slept(l, LAZY_SCHED);
  if (withholds(m)) {
    count_held(l, l->now);
    l->held_since = l->now + 1;
  }
  if (is_somebody_alone(m))
    l->busy[LAZY_SCHED].now = l->now;
  uint64_t ahead = tick_SCHED(m);
  if (beside(l) & ALL_BESIDE_SCHED) {
    ahead |= tick_beside_SCHED(m, l->in, meet, beside(l), l->heard[LAZY_SCHED], &l->busy[LAZY_SCHED]);
    /* A module beside the scheduler may have a request for the memory. */
    show(l, MREQ, (unsigned)shows_mreq_valid(m) * MREQ);
  }
  sleep_if(l, LAZY_SCHED, ahead);
}

static inline void tick_prefetcher(struct hd_lazy *l, unsigned meet) {
  struct sm_mem *m = l->m;
  count_slept(l, LAZY_PREFETCH);
  uint64_t ahead = tick_PREFETCH(m);
  if (beside(l) & ALL_BESIDE_PREFETCH)
    ahead |=
        tick_beside_PREFETCH(m, l->in, meet, beside(l), l->heard[LAZY_PREFETCH], &l->busy[LAZY_PREFETCH]);
  sleep_if(l, LAZY_PREFETCH, ahead);
  show_prefetcher(l);
}

/* Tells the SM of the cycles before `until` in which a request failed in the L1D. */
static inline void tell_fails(struct hd_lazy *l, uint64_t until) {
  const struct hd_lazy_part *p = &l->part[LAZY_L1D];
  const uint64_t slept = p->events & L1D_FAIL_EVENTS;
  sm_count_ready(l->sm,
                 l1d_fails(p->ev) + (slept ? (uint64_t)__builtin_popcountll(slept) * (until - p->since) : 0));
}

/* Clocks the SM. It falls asleep if it will do nothing for a while; what it shows stays. */
static inline void clock_sm(struct hd_lazy *l, unsigned meet) {
  l->out->issue_ready = (meet & ISSUE) != 0;
  l->out->resp_valid = (meet & RESP) != 0;
  if (withholds(l->m) && !(meet & PICK)) /* the scheduler may have slept, and said nothing of ready warps */
    memset(l->out->pick_valid, 0, l->m->base.c->d.SCHEDS * sizeof *l->out->pick_valid);
  const uint64_t idle = sm_step(l->sm, l->now, l->in, l->out);
  l->orders = sm_orders(l->sm);
  tell_fails(l, l->now + 1);
  if (idle) {
    l->sm_until = idle == UINT64_MAX ? UINT64_MAX : l->now + 1 + idle;
    l->awake &= ~(unsigned)SM;
  } else {
    l->sm_until = UINT64_MAX;
    l->awake |= SM;
    l->done = sm_done(l->sm);
    show_sm(l);
    l->awake |= changed_SM(l->m, l->in);
  }
}

static inline void clock_memory(struct hd_lazy *l, unsigned meet) {
  l->out->mrsp_ready = (meet & MRSP) != 0;
  l->out->mreq_valid = (meet & MREQ) != 0;
  l->memory_until = l->memory->ops->take(l->memory, l->now, l->in, l->out);
  show_memory(l);
}

static inline void wake_memory(struct hd_lazy *l) {
  l->memory_until = l->memory->ops->wake(l->memory, l->now, l->in);
  show_memory(l);
}

#endif
