/* The cycles of a lazy run (cmodel/step/lazy.h): which parts take part in a cycle, in which order, and where the clock jumps to. The
 * parts are in cmodel/step/lazy_parts.h.
 *
 * This file is compiled for any machine, and once more for each machine that the Makefile names. There what the machine has is constant
 * (cmodel/model/specialized.h). Without that heddle sim executes 17 % more instructions on fermi_16k, 12 % on apcm (syrk:small, 1.5
 * million cycles).
 *
 * Invariant: it makes no difference to what a run counts (tests/unit/gpu/test_specialized.c). */
#include "cmodel/step/lazy_parts.h"

/* The part that gives a payload ticks after the part that takes it. What the L1D gives to the SM and the memory, it leaves in l->out.
 * Parts that hear what the L1D tells are wired before it ticks. */
static void run(struct hd_lazy *l, unsigned parts, unsigned meet) {
  if (parts & (SCHED | PREFETCH | SM)) {
    if (parts & SCHED)
      pick(l, meet);
    if (parts & PREFETCH)
      wire_prefetcher(l, meet);
    if (parts & SM && l->orders)
      show_order(l);
  }
  if (parts & L1D) {
    tick_l1d(l, meet);
    if (HD_HAS(l->m, u_probe) && l->m->u_memsched->base.memo[MEMSCHED_VAIN] && tag_probe_stirs(l->m))
      parts |= BUFFER;
  }
  if (!(parts & ~(unsigned)L1D)) /* the usual case */
    return;
  if (parts & BUFFER)
    tick_buffer(l, meet);
  if (parts & COALESCER)
    tick_coalescer(l, meet);
  if (parts & SCHED)
    tick_sched(l, meet);
  if (parts & PREFETCH)
    tick_prefetcher(l, meet);
  if (parts & SM)
    clock_sm(l, meet);
  if (parts & MEMORY)
    clock_memory(l, meet);
  if (withholds(l->m) && parts & (SCHED | SM))
    show_picks(l);
  if (l->orders && parts & (COALESCER | BUFFER) && order_changed(l))
    l->awake |= SM;
}

/* MASCAR: loads are tried in vain, and only L1D and queue are awake. Returns how many such cycles are passed before something else happens.
 * That is a cycle away at least: a part whose cycle has come is awake, or has been woken. */
static uint64_t pass_tries(const struct hd_lazy *l, unsigned parts, unsigned meet, uint64_t limit) {
  if (!HD_HAS(l->m, u_reexec) || parts != (L1D | BUFFER) || meet != (DEQ | TRIED) || !l->tries_pass ||
      l->outside)
    return 0;
  const uint64_t next = l->sm_until < l->memory_until ? l->sm_until : l->memory_until;
  return reexec_pass(l->m, (next < limit ? next : limit) - l->now);
}

static void cycle(struct hd_lazy *l, uint64_t limit) {
  unsigned meet = l->ports & l->ports >> READY & PORTS;
  if (meet & DEQ)
    meet |= l->ports & l->ports >> READY_IF;
  const unsigned parts = l->awake | l->takes_part[meet];
  const uint64_t passed = pass_tries(l, parts, meet, limit);
  if (passed)
    l->now += passed;
  else if (parts) {
    run(l, parts, meet);
    if (l->levels_heard)
      l->awake |= l->follows[parts] | (parts & L1D ? changed_L1D(l->m) : 0);
    if (is_somebody_alone(l->m) && parts & (L1D | SCHED))
      l->alone_until = alone_until(l->m, l->busy);
    l->now++;
  } else {
    uint64_t next = l->sm_until < l->memory_until ? l->sm_until : l->memory_until;
    next = is_somebody_alone(l->m) && l->alone_until < next ? l->alone_until : next;
    l->now = next < limit ? next : limit;
  }
  if (l->now == l->sm_until)
    l->awake |= SM;
  if (l->now == l->memory_until)
    wake_memory(l);
  if (is_somebody_alone(l->m) && l->now == l->alone_until) {
    l->awake |= wake_alone(l->m, l->busy, l->now);
    l->attachments_hear = 1;
  }
}

static void run_to(struct hd_lazy *l, uint64_t limit) {
  while (l->now < limit && !l->done)
    cycle(l, limit);
}

#ifdef HD_SPECIALIZED
/* True if all constants are true of this machine. */
static bool fits(const struct sm_mem *m) {
#define SAME(inst) &&HD_HAS_##inst == (m->inst != NULL)
#define SPECIALIZED(size) &&HD_SIZE_##size == m->base.c->d.size
#define SPECIALIZED_SOME(size) &&HD_SOME_##size == (m->base.c->d.size != 0)
  return true EACH_INST(SAME)
#include "arch/config/specialized.def"
      ;
#undef SAME
#undef SPECIALIZED
#undef SPECIALIZED_SOME
}
#else
#define HD_SPECIALIZED_AS any
static bool fits(const struct sm_mem *m) {
  (void)m;
  return true;
}
#endif

#define CODE(machine)                                                                                        \
  extern const struct hd_lazy_code hd_lazy_code_##machine;                                                   \
  const struct hd_lazy_code hd_lazy_code_##machine = {#machine, fits, run_to};
#define CODE_OF(machine) CODE(machine)
CODE_OF(HD_SPECIALIZED_AS)
