/* Lazy running of one SM; see lazy.h. The wires are those of cmodel/sm_mem.c.
 *
 * A part's ports are looked at when its registers have changed, and its inputs are wired when it ticks: a valid
 * or a ready as 1 only if the port's other side agrees, which no module can tell, and a payload only then.
 */
#include "cmodel/lazy.h"

#include "cmodel/models.h"
#include "cmodel/ports.h"

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

/* The ports between them, likewise: a set of those that are valid; shifted by READY, of those that are ready;
 * by READY_IF, of those that are if DEQ meets. A port meets if it is valid and ready. PICK: a warp may issue,
 * or a CTA is launched. */
enum {
  PICK = 1,
  ISSUE = 2,
  ENQ = 4,
  DEQ = 8,
  RESP = 16,
  MREQ = 32,
  MRSP = 64,
  READY = 8,
  READY_IF = 16,
  PORTS = 127
};

/* Who takes part if these ports meet. */
static unsigned takes_part(unsigned meet) {
  return (meet & PICK ? SM | SCHED : 0) | (meet & ISSUE ? SM | COALESCER : 0) |
         (meet & ENQ ? COALESCER | BUFFER : 0) | (meet & DEQ ? BUFFER | L1D : 0) |
         (meet & RESP ? L1D | SM : 0) | (meet & (MREQ | MRSP) ? L1D | MEMORY : 0);
}

/* ---- What they show ---- */

/* `of`: the bits that a part decides; `now`: those that are set. */
static void show(struct hd_lazy *l, unsigned of, unsigned now) {
  l->ports = (l->ports & ~of) | now;
}

static void show_coalescer(struct hd_lazy *l) {
  const struct coalescer *m = l->m->u_coalescer;
  show(l, ENQ | ISSUE << READY, (unsigned)m->s.o_valid * ENQ | coalescer_issue_ready(m) * (ISSUE << READY));
}

static void show_buffer(struct hd_lazy *l) {
  bool valid, ready, ready_if;
  if (l->m->u_mrpb) {
    const struct mrpb *m = l->m->u_mrpb;
    const enum mrpb_input input = mrpb_input(m);
    valid = mrpb_deq_valid(m, input);
    ready = mrpb_enq_ready(m, input, false);
    ready_if = mrpb_enq_ready(m, input, true);
  } else {
    const struct request_slot *m = l->m->u_slot;
    valid = m->s.valid;
    ready = request_slot_enq_ready(m, false);
    ready_if = request_slot_enq_ready(m, true);
  }
  show(l, DEQ | ENQ << READY | ENQ << READY_IF,
       valid * DEQ | ready * (ENQ << READY) | ready_if * (ENQ << READY_IF));
}

static void show_l1d(struct hd_lazy *l) {
  const struct l1d *m = l->m->u_l1d;
  show(l, RESP | MREQ | (DEQ | MRSP) << READY,
       (unsigned)m->s.resp_v * RESP | (unsigned)m->s.mo_valid * MREQ | l1d_req_ready(m) * (DEQ << READY) |
           l1d_mrsp_ready(m) * (MRSP << READY));
}

static void show_sm(struct hd_lazy *l) {
  const struct sm_mem_in *in = l->in;
  hd_sm_drive(l->sm, l->out, l->in);
  show(l, PICK | ISSUE | RESP << READY,
       (in->ready || in->launch_valid) * PICK | (unsigned)in->issue_valid * ISSUE |
           (unsigned)in->resp_ready * (RESP << READY));
}

static void show_memory(struct hd_lazy *l) {
  hd_memory_drive(l->memory, l->out, l->in);
  show(l, MREQ << READY | MRSP,
       (unsigned)l->in->mreq_ready * (MREQ << READY) | (unsigned)l->in->mrsp_valid * MRSP);
}

/* ---- Sleep ---- */

/* Brings sleepers up to date. */
static void wake(struct hd_lazy *l, unsigned parts) {
  l->awake |= parts;
  for (; parts; parts &= parts - 1) {
    const enum hd_lazy_name name = (enum hd_lazy_name)__builtin_ctz(parts);
    const uint64_t slept = l->now - l->part[name].since;
    if (name == LAZY_SM) {
      l->sm_until = UINT64_MAX;
      hd_sm_skip(l->sm, slept);
    } else if (name == LAZY_MEMORY) {
      l->memory_until = UINT64_MAX;
      hd_memory_skip(l->memory, slept);
    } else
      for (uint64_t rest = l->part[name].events; rest; rest &= rest - 1)
        l->part[name].ev[hd_lowest(rest)] += slept * l->part[name].times;
  }
}

/* From the next cycle on. */
static void sleep(struct hd_lazy *l, enum hd_lazy_name name) {
  l->part[name].since = l->now + 1;
  l->awake &= ~(1u << name);
}

/* A module has ticked; it sleeps if nothing changed. True: it is awake. */
static bool went_on(struct hd_lazy *l, enum hd_lazy_name name, uint64_t events) {
  if (events & HD_CHANGED)
    return true;
  l->part[name].events = events;
  sleep(l, name);
  return false;
}

/* ---- The clock edge ---- */

static void pick(const struct hd_lazy *l) {
  struct sm_mem *m = l->m;
  m->u_sched_in.ready = l->in->ready;
  m->u_sched_in.launch_valid = l->in->launch_valid;
  m->u_sched_in.launch_cta = l->in->launch_cta;
  m->u_sched_in.launch_warps = l->in->launch_warps;
  sched_mealy(m->u_sched, &m->u_sched_in, &m->u_sched_out);
  hd_copy(l->out->pick_valid, m->u_sched_out.pick_valid, m->base.c->d.SCHEDS);
  hd_copy(l->out->pick_wid, m->u_sched_out.pick_wid, m->base.c->d.SCHEDS);
}

static void clock_sm(struct hd_lazy *l, unsigned meet) {
  struct sm_mem_out *out = l->out;
  out->issue_ready = (meet & ISSUE) != 0;
  out->resp_valid = (meet & RESP) != 0;
  if (meet & RESP)
    out->resp = l->m->u_l1d->s.r;
  if (hd_sm_orders(l->sm)) {
    out->busy = coalescer_busy(l->m->u_coalescer);
    if (l->m->u_mrpb)
      out->drained = mrpb_drained(l->m->u_mrpb);
  }
  hd_sm_clock(l->sm, l->in, out);
  l->done = hd_sm_done(l->sm);
}

static void clock_memory(struct hd_lazy *l, unsigned meet) {
  struct sm_mem_out *out = l->out;
  out->mrsp_ready = (meet & MRSP) != 0;
  out->mreq_valid = (meet & MREQ) != 0;
  if (meet & MREQ)
    out->mreq = l->m->u_l1d->s.mq_q;
  hd_memory_clock(l->memory, l->in, out);
}

static uint64_t tick_l1d(const struct hd_lazy *l, unsigned meet) {
  struct l1d_in *in = &l->m->u_l1d_in;
  in->resp_ready = (meet & RESP) != 0;
  in->mreq_ready = (meet & MREQ) != 0;
  in->mrsp_valid = (meet & MRSP) != 0;
  if (meet & MRSP)
    in->mrsp = l->in->mrsp;
  in->req_valid = (meet & DEQ) != 0;
  if (meet & DEQ)
    in->req = l->m->u_mrpb ? *mrpb_deq(l->m->u_mrpb) : l->m->u_slot->s.r;
  return l1d_tick(l->m->u_l1d, in);
}

static uint64_t tick_buffer(const struct hd_lazy *l, unsigned meet) {
  const struct coalescer_st *from = &l->m->u_coalescer->s;
  if (l->m->u_mrpb) {
    struct mrpb_in *in = &l->m->u_mrpb_in;
    in->deq_ready = (meet & DEQ) != 0;
    in->enq_valid = (meet & ENQ) != 0;
    if (meet & ENQ) {
      in->enq = from->o;
      in->enq_sig = from->o_sig;
    }
    return mrpb_tick(l->m->u_mrpb, in);
  }
  struct request_slot_in *in = &l->m->u_slot_in;
  in->deq_ready = (meet & DEQ) != 0;
  in->enq_valid = (meet & ENQ) != 0;
  if (meet & ENQ)
    in->enq = from->o;
  return request_slot_tick(l->m->u_slot, in);
}

static uint64_t tick_coalescer(const struct hd_lazy *l, unsigned meet) {
  const struct sm_mem_in *sm = l->in;
  struct coalescer_in *in = &l->m->u_coalescer_in;
  in->req_ready = (meet & ENQ) != 0;
  in->issue_valid = (meet & ISSUE) != 0;
  if (meet & ISSUE) {
    in->issue_write = sm->issue_write;
    in->issue_wid = sm->issue_wid;
    in->issue_slot = sm->issue_slot;
    in->issue_sig = sm->issue_sig;
    in->issue_mask = sm->issue_mask;
    hd_copy(in->issue_line, sm->issue_line, l->m->base.c->d.LANES);
  }
  return coalescer_tick(l->m->u_coalescer, in);
}

/* The SM and the memory fall asleep if they will do nothing for a while, showing what they show. */
static void doze_sm(struct hd_lazy *l) {
  const uint64_t idle = hd_sm_idle(l->sm);
  if (idle) {
    sleep(l, LAZY_SM);
    l->sm_until = idle == UINT64_MAX ? UINT64_MAX : l->now + 1 + idle;
  } else
    show_sm(l);
}

static void doze_memory(struct hd_lazy *l) {
  show_memory(l);
  const uint64_t quiet = hd_memory_quiet(l->memory);
  if (quiet) {
    sleep(l, LAZY_MEMORY);
    l->memory_until = quiet == UINT64_MAX ? UINT64_MAX : l->now + 1 + quiet;
  }
}

/* Who gives a payload ticks after who takes it; the SM and the memory change theirs only as they show it. */
static bool cycle(struct hd_lazy *l, uint64_t limit) {
  const unsigned ports = l->ports;
  unsigned meet = ports & ports >> READY & PORTS;
  if (meet & DEQ)
    meet |= ports & ports >> READY_IF;
  const unsigned acts = l->takes_part[meet];
  if (acts & ~l->awake)
    wake(l, acts & ~l->awake);
  const unsigned awake = l->awake;
  if (awake & SCHED)
    pick(l);
  if (awake & SM)
    clock_sm(l, meet);
  if (awake & MEMORY)
    clock_memory(l, meet);
  if (awake & L1D) {
    if (went_on(l, LAZY_L1D, tick_l1d(l, meet)))
      show_l1d(l);
  }
  if (awake & BUFFER) {
    if (went_on(l, LAZY_BUFFER, tick_buffer(l, meet)))
      show_buffer(l);
  }
  if (awake & COALESCER) {
    if (went_on(l, LAZY_COALESCER, tick_coalescer(l, meet)))
      show_coalescer(l);
  }
  if (awake & SCHED)
    went_on(l, LAZY_SCHED, sched_tick(l->m->u_sched, &l->m->u_sched_in));
  if (awake & SM)
    doze_sm(l);
  if (awake & MEMORY)
    doze_memory(l);
  l->now++;

  const uint64_t next = l->sm_until < l->memory_until ? l->sm_until : l->memory_until;
  if (!l->awake && !(l->ports & l->ports >> READY & PORTS)) {
    if (next == UINT64_MAX)
      return false;
    l->now = next < limit ? next : limit;
  }
  if (l->now == next) {
    wake(l, (l->sm_until == next ? SM : 0) | (l->memory_until == next ? MEMORY : 0));
    show_memory(l);
  }
  return true;
}

bool hd_lazy_run(struct hd_lazy *l, uint64_t limit, unsigned rounds) {
  for (; rounds && l->now < limit && !l->done; rounds--)
    if (!cycle(l, limit))
      return false;
  return true;
}

/* ---- A run ---- */

static void init_part(struct hd_lazy *l, enum hd_lazy_name name, const struct hd_model *model,
                      unsigned times) {
  l->part[name].ev = model->ev;
  l->part[name].times = times;
}

void hd_lazy_init(struct hd_lazy *l, struct sm_mem *m, struct hd_sm *sm, struct hd_memory *memory,
                  struct sm_mem_in *in, struct sm_mem_out *out) {
  *l = (struct hd_lazy){.m = m, .sm = sm, .memory = memory, .in = in, .out = out};
  init_part(l, LAZY_SCHED, &m->u_sched->base, m->base.c->d.SCHEDS); /* each of them is idle */
  init_part(l, LAZY_COALESCER, &m->u_coalescer->base, 1);
  init_part(l, LAZY_BUFFER, m->u_mrpb ? &m->u_mrpb->base : &m->u_slot->base, 1);
  init_part(l, LAZY_L1D, &m->u_l1d->base, 1);
  for (unsigned meet = 0; meet < 1 << LAZY_PORTS; meet++)
    l->takes_part[meet] = (unsigned char)takes_part(meet);
  l->awake = ALL;
  l->sm_until = l->memory_until = UINT64_MAX;
  l->ports = PICK << READY;
  show_sm(l);
  show_memory(l);
  show_coalescer(l);
  show_buffer(l);
  show_l1d(l);
}

void hd_lazy_settle(struct hd_lazy *l) {
  wake(l, ALL & ~l->awake);
}
