/* Lazy running of one SM; see lazy.h. The wires are those of cmodel/sm_mem.c.
 *
 * For each module `<module>_moves` says, before the tick, whether a register may change without a handshake:
 * every condition for a change in its page in docs/mechanisms that is not a port's, nor an event that
 * `<module>_moved` sees afterwards. Registers that are shifted or loaded without a valid bit do not matter.
 */
#include "cmodel/lazy.h"

#include <string.h>

#include "cmodel/models.h"

/* The parts as sets of one. */
enum {
  SCHED = 1 << LAZY_SCHED,
  COALESCER = 1 << LAZY_COALESCER,
  BUFFER = 1 << LAZY_BUFFER,
  L1D = 1 << LAZY_L1D,
  SM = 1 << LAZY_SM,
  MEMORY = 1 << LAZY_MEMORY,
  ALL = (1 << LAZY_PARTS) - 1
};

/* ---- What changes by itself ---- */

static bool sched_moves(const struct sched *m) {
  (void)m;
  return false;
}

static bool coalescer_moves(const struct coalescer *m) {
  const struct coalescer_st *s = &m->s;
  return s->p_valid && !s->o_valid;
}

static bool slot_moves(const struct request_slot *m) {
  (void)m;
  return false;
}

/* Entering a queue and choosing one are events. */
static bool mrpb_moves(const struct mrpb *m) {
  const struct hd_derived *d = &m->base.c->d;
  const struct mrpb_st *s = &m->s;
  const bool write_waits =
      !d->WIDE && s->in_valid && s->in.write && !s->count[d->SIG_W ? s->in_q : s->in.wid];
  if (s->sel_valid && !s->o_valid && !write_waits)
    return true;
  for (unsigned i = 0; i < d->DELAY; i++)
    if (s->age_valid[i])
      return true;
  return false;
}

static uint64_t mrpb_moved(const uint64_t *ev) {
  return ev[EV_mrpb_enqueue] + ev[EV_mrpb_forced_full] + ev[EV_mrpb_forced_write] + ev[EV_mrpb_choose];
}

/* A decision is an event. An answer in hand moves, or waits for the SM. */
static bool l1d_moves(const struct l1d *m) {
  const struct l1d_st *s = &m->s;
  return s->f_valid || s->t1_valid || (s->mq_count && !s->mo_valid) ||
         (!s->d_valid && (s->c_valid || s->a_count));
}

static uint64_t l1d_moved(const uint64_t *ev) {
  return ev[EV_l1d_load_hit] + ev[EV_l1d_load_merge] + ev[EV_l1d_load_miss] + ev[EV_l1d_bypass] +
         ev[EV_l1d_store];
}

static uint64_t nothing_moved(const uint64_t *ev) {
  (void)ev;
  return 0;
}

/* ---- Sleep ---- */

/* Brings a sleeper up to date. */
static void rouse(struct hd_lazy *l, enum hd_lazy_name name) {
  struct hd_lazy_part *p = &l->part[name];
  const uint64_t slept = l->now - p->since;
  l->awake |= (1u << name);
  p->until = UINT64_MAX;
  if (name == LAZY_SM)
    hd_sm_skip(l->sm, slept);
  else if (name == LAZY_MEMORY)
    hd_memory_skip(l->memory, slept);
  for (unsigned i = 0; i < p->waits; i++)
    p->ev[p->wait[i]] += slept * p->count[i];
}

static void wake(struct hd_lazy *l, unsigned parts) {
  for (parts &= ~l->awake; parts; parts &= parts - 1)
    rouse(l, (enum hd_lazy_name)__builtin_ctz(parts));
}

/* From the next cycle on, for so many cycles. */
static void sleep(struct hd_lazy *l, enum hd_lazy_name name, uint64_t cycles) {
  struct hd_lazy_part *p = &l->part[name];
  p->since = l->now + 1;
  p->until = cycles == UINT64_MAX ? UINT64_MAX : p->since + cycles;
  l->awake &= ~(1u << name);
}

/* Before a tick that may change nothing, and after one that did not. */
static void watch(struct hd_lazy_part *p) {
  for (unsigned i = 0; i < p->waits; i++)
    p->count[i] = p->ev[p->wait[i]];
}
static void doze_off(struct hd_lazy *l, enum hd_lazy_name name) {
  struct hd_lazy_part *p = &l->part[name];
  for (unsigned i = 0; i < p->waits; i++)
    p->count[i] = p->ev[p->wait[i]] - p->count[i];
  sleep(l, name, UINT64_MAX);
}

/* The clock edge of a module; it falls asleep if nothing changed. `acts`: it has a handshake in this cycle.
 */
#define TICK(name, module, inst, acts, moves, moved)                                                         \
  do {                                                                                                       \
    struct hd_lazy_part *p_ = &l->part[name];                                                                \
    if ((acts) || moves(l->m->inst)) {                                                                       \
      module##_tick(l->m->inst, &l->m->inst##_in);                                                           \
      break;                                                                                                 \
    }                                                                                                        \
    const uint64_t moved_ = moved(p_->ev);                                                                   \
    watch(p_);                                                                                               \
    module##_tick(l->m->inst, &l->m->inst##_in);                                                             \
    if (moved(p_->ev) == moved_)                                                                             \
      doze_off(l, name);                                                                                     \
  } while (0)

static void tick(struct hd_lazy *l, unsigned acts) {
  const unsigned awake = l->awake;
  if (awake & SCHED)
    TICK(LAZY_SCHED, sched, u_sched, acts & SCHED, sched_moves, nothing_moved);
  if (awake & COALESCER)
    TICK(LAZY_COALESCER, coalescer, u_coalescer, acts & COALESCER, coalescer_moves, nothing_moved);
  if (awake & BUFFER) {
    if (l->m->u_mrpb)
      TICK(LAZY_BUFFER, mrpb, u_mrpb, acts & BUFFER, mrpb_moves, mrpb_moved);
    else
      TICK(LAZY_BUFFER, request_slot, u_slot, acts & BUFFER, slot_moves, nothing_moved);
  }
  if (awake & L1D)
    TICK(LAZY_L1D, l1d, u_l1d, acts & L1D, l1d_moves, l1d_moved);
}

/* ---- A cycle ---- */

static void show(struct hd_lazy *l) {
  struct sm_mem *m = l->m;
  struct sm_mem_out *out = l->out;
  if (l->awake & COALESCER) {
    coalescer_moore(m->u_coalescer, &m->u_coalescer_out);
    out->issue_ready = m->u_coalescer_out.issue_ready;
    out->busy = m->u_coalescer_out.busy;
  }
  if (l->awake & BUFFER) {
    if (m->u_mrpb) {
      mrpb_moore(m->u_mrpb, &m->u_mrpb_out);
      out->drained = m->u_mrpb_out.drained;
    } else
      request_slot_moore(m->u_slot, &m->u_slot_out);
  }
  if (l->awake & L1D) {
    const struct l1d_out *lo = &m->u_l1d_out;
    l1d_moore(m->u_l1d, &m->u_l1d_out);
    out->resp_valid = lo->resp_valid;
    if (lo->resp_valid)
      out->resp = lo->resp;
    out->mreq_valid = lo->mreq_valid;
    if (lo->mreq_valid)
      out->mreq = lo->mreq;
    out->mrsp_ready = lo->mrsp_ready;
  }
  if (l->awake & SM)
    hd_sm_drive(l->sm, out, l->in);
  if (l->awake & MEMORY)
    hd_memory_drive(l->memory, out, l->in);
}

static void pick(struct hd_lazy *l) {
  struct sm_mem *m = l->m;
  m->u_sched_in.ready = l->in->ready;
  m->u_sched_in.launch_valid = l->in->launch_valid;
  m->u_sched_in.launch_cta = l->in->launch_cta;
  m->u_sched_in.launch_warps = l->in->launch_warps;
  sched_mealy(m->u_sched, &m->u_sched_in, &m->u_sched_out);
  for (unsigned s = 0; s < m->base.c->d.SCHEDS; s++) {
    l->out->pick_valid[s] = m->u_sched_out.pick_valid[s];
    l->out->pick_wid[s] = m->u_sched_out.pick_wid[s];
  }
}

static void take_instruction(const struct hd_lazy *l) {
  struct coalescer_in *ci = &l->m->u_coalescer_in;
  const struct sm_mem_in *in = l->in;
  ci->issue_write = in->issue_write;
  ci->issue_wid = in->issue_wid;
  ci->issue_slot = in->issue_slot;
  ci->issue_sig = in->issue_sig;
  ci->issue_mask = in->issue_mask;
  memcpy(ci->issue_line, in->issue_line, l->m->base.c->d.LANES * sizeof *ci->issue_line);
}

/* The parts, if valid and ready (0 or 1 each) meet. Without a branch: which do is hard to foresee. */
static unsigned both(uint64_t valid, uint64_t ready, unsigned parts) {
  return parts & (0u - (unsigned)(valid & ready));
}

/* Finds the handshakes of this cycle, wires the modules that have one or are awake, and returns the parts
 * that have one. Payloads are wired only as they are taken. A sleeping buffer shows the same `enq_ready` as
 * ever, unless its request is taken. */
static unsigned shake_hands(struct hd_lazy *l) {
  struct sm_mem *m = l->m;
  const struct sm_mem_in *in = l->in;
  const struct coalescer_out *co = &m->u_coalescer_out;
  const struct l1d_out *lo = &m->u_l1d_out;
  struct l1d_in *li = &m->u_l1d_in;

  li->resp_ready = in->resp_ready;
  li->mreq_ready = in->mreq_ready;
  li->mrsp_valid = in->mrsp_valid;
  if (in->mrsp_valid)
    li->mrsp = in->mrsp;
  unsigned acts = both(in->ready != 0, 1, SM | SCHED) | both(in->launch_valid, 1, SM | SCHED) |
                  both(lo->resp_valid, in->resp_ready, SM | L1D) |
                  both(lo->mreq_valid, in->mreq_ready, MEMORY | L1D) |
                  both(in->mrsp_valid, lo->mrsp_ready, MEMORY | L1D) |
                  both(in->issue_valid, co->issue_ready, SM | COALESCER);

  li->req_valid = *l->buffer.deq_valid;
  *l->buffer.deq_ready = lo->req_ready;
  if (li->req_valid & lo->req_ready) {
    acts |= BUFFER | L1D;
    li->req = *l->buffer.deq;
  }
  if ((l->awake | acts) & BUFFER) {
    if (m->u_mrpb)
      mrpb_mealy(m->u_mrpb, &m->u_mrpb_in, &m->u_mrpb_out);
    else
      request_slot_mealy(m->u_slot, &m->u_slot_in, &m->u_slot_out);
  }
  *l->buffer.enq_valid = co->req_valid;
  m->u_coalescer_in.req_ready = *l->buffer.enq_ready;
  if (co->req_valid & *l->buffer.enq_ready) {
    acts |= COALESCER | BUFFER;
    *l->buffer.enq = co->req;
    m->u_mrpb_in.enq_sig = co->req_sig;
  }
  m->u_coalescer_in.issue_valid = in->issue_valid;
  if (in->issue_valid & co->issue_ready)
    take_instruction(l);
  return acts;
}

/* The SM and the memory fall asleep if they will do nothing for a while, showing then what they will show. */
static void doze(struct hd_lazy *l) {
  const uint64_t idle = l->awake & SM ? hd_sm_idle(l->sm) : 0;
  const uint64_t quiet = l->awake & MEMORY ? hd_memory_quiet(l->memory) : 0;
  if (idle)
    sleep(l, LAZY_SM, idle);
  if (quiet) {
    hd_memory_drive(l->memory, l->out, l->in);
    sleep(l, LAZY_MEMORY, quiet);
  }
}

bool hd_lazy_cycle(struct hd_lazy *l, uint64_t limit) {
  struct hd_lazy_part *const sm = &l->part[LAZY_SM], *const memory = &l->part[LAZY_MEMORY];
  show(l);
  const unsigned acts = shake_hands(l);
  if (acts & ~l->awake)
    wake(l, acts);
  if (l->awake & SCHED)
    pick(l);
  if (l->awake & SM)
    hd_sm_clock(l->sm, l->in, l->out);
  if (l->awake & MEMORY)
    hd_memory_clock(l->memory, l->in, l->out);
  tick(l, acts);
  doze(l);
  l->now++;

  const uint64_t next = sm->until < memory->until ? sm->until : memory->until;
  if (!l->awake) {
    if (next == UINT64_MAX)
      return false;
    l->now = next < limit ? next : limit;
  }
  if (l->now == next)
    wake(l, (sm->until == next ? SM : 0) | (memory->until == next ? MEMORY : 0));
  return true;
}

/* ---- A run ---- */

static void init_part(struct hd_lazy *l, enum hd_lazy_name name, struct hd_model *model, unsigned waits,
                      const unsigned char *wait) {
  struct hd_lazy_part *p = &l->part[name];
  p->ev = model->ev;
  p->waits = waits;
  memcpy(p->wait, wait, waits);
}

/* `...`: the events that can happen while nothing changes. */
#define PART(name, inst, ...)                                                                                \
  init_part(l, name, &m->inst->base, sizeof(const unsigned char[]){__VA_ARGS__},                             \
            (const unsigned char[]){__VA_ARGS__})

#define BUFFER_PORTS(u)                                                                                      \
  l->buffer.deq_valid = &m->u##_out.deq_valid, l->buffer.enq_ready = &m->u##_out.enq_ready,                  \
  l->buffer.deq = &m->u##_out.deq, l->buffer.deq_ready = &m->u##_in.deq_ready,                               \
  l->buffer.enq_valid = &m->u##_in.enq_valid, l->buffer.enq = &m->u##_in.enq

void hd_lazy_init(struct hd_lazy *l, struct sm_mem *m, struct hd_sm *sm, struct hd_memory *memory,
                  struct sm_mem_in *in, struct sm_mem_out *out) {
  *l = (struct hd_lazy){.m = m, .sm = sm, .memory = memory, .in = in, .out = out};
  PART(LAZY_SCHED, u_sched, EV_sched_idle);
  PART(LAZY_COALESCER, u_coalescer, EV_coalescer_stall);
  if (m->u_mrpb) {
    PART(LAZY_BUFFER, u_mrpb, EV_mrpb_full, EV_mrpb_write_wait, EV_mrpb_deq_stall);
    BUFFER_PORTS(u_mrpb);
  } else {
    PART(LAZY_BUFFER, u_slot, EV_request_slot_stall);
    BUFFER_PORTS(u_slot);
  }
  PART(LAZY_L1D, u_l1d, EV_l1d_fail_line_alloc, EV_l1d_fail_mshr, EV_l1d_fail_mshr_merge,
       EV_l1d_fail_miss_queue, EV_l1d_fail_bypass_slots, EV_l1d_hit_wait);
  l->awake = ALL;
  l->part[LAZY_SM].until = l->part[LAZY_MEMORY].until = UINT64_MAX;
}

void hd_lazy_settle(struct hd_lazy *l) {
  wake(l, ALL);
}
