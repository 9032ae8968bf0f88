/* The lazy run of one SM: how it begins, stops in between, and is brought up to date; see lazy.h. The cycles are in cmodel/step/run.c,
 * the parts in cmodel/step/lazy_parts.h. */
#include "cmodel/step/lazy_parts.h"
#include "cmodel/step/specialized_machines.h"

/* The code for each machine of SPECIALIZED in the Makefile, and the code for all machines. */
#define CODE(name, config) extern const struct hd_lazy_code hd_lazy_code_##name;
EACH_SPECIALIZED(CODE)
CODE(any, )
#undef CODE

const struct hd_lazy_code *hd_lazy_code_for(const struct sm_mem *m) {
#define CODE(name, config)                                                                                   \
  if (hd_lazy_code_##name.fits(m))                                                                           \
    return &hd_lazy_code_##name;
  EACH_SPECIALIZED(CODE)
#undef CODE
  return &hd_lazy_code_any;
}

void hd_lazy_run(struct hd_lazy *l, uint64_t limit) {
  l->code->run(l, limit);
}

void hd_lazy_look(struct hd_lazy *l, bool memory) {
  if (memory)
    wake_memory(l);
  const uint64_t cta = sm_next_cta(l->sm);
  if (cta < l->sm_until && !(l->awake & SM))
    l->sm_until = cta;
  if (l->sm_until <= l->now)
    l->awake |= SM;
}

void hd_lazy_forwarded(struct hd_lazy *l) {
  l->sm_until = UINT64_MAX;
  l->awake |= SM;
  l->orders = sm_orders(l->sm);
  sm_drive(l->sm, l->in);
  show_sm(l);
  l->awake |= changed_SM(l->m, l->in) | SCHED;
  if (withholds(l->m))
    show_picks(l);
}

/* ---- A run ---- */

static void init_part(struct hd_lazy *l, enum hd_lazy_name name, const struct hd_model *model,
                      unsigned times) {
  l->part[name].ev = model->ev;
  l->part[name].times = times;
}

void hd_lazy_init(struct hd_lazy *l, struct sm_mem *m, struct hd_sm *sm, struct hd_port *memory,
                  struct sm_mem_in *in, struct sm_mem_out *out) {
  *l = (struct hd_lazy){.m = m, .sm = sm, .memory = memory, .in = in, .out = out};
  const struct hd_derived *d = &m->base.c->d;
  init_part(l, LAZY_SCHED, model_SCHED(m), d->SCHEDS); /* each scheduler is idle */
  init_part(l, LAZY_COALESCER, &m->u_coalescer->base, 1);
  init_part(l, LAZY_BUFFER, model_BUFFER(m), 1);
  init_part(l, LAZY_L1D, &m->u_l1d->base, 1);
  if (d->PREF)
    init_part(l, LAZY_PREFETCH, model_PREFETCH(m), 1);
  if (d->CASC)
    init_part(l, LAZY_CASC, &m->u_casc->base, 1);
  l->code = hd_lazy_code_for(m);
  l->there = all_beside(m);
  begin_beside(m, in);
  for (enum hd_lazy_name name = 0; name < LAZY_SM; name++)
    l->busy[name] = (struct hd_lazy_busy){.moves = UINT64_MAX};
  l->attachments_hear_for = l->attachments_hear = 1;
  l->pulses_heard = takes_part(m, PULSES_L1D) & ~(unsigned)L1D ? PULSES_L1D : 0;
  /* 16,384 entries in all: the loop is written for vector instructions. */
  for (unsigned one = 1; one < 1 << LAZY_PORTS; one *= 2) {
    const unsigned char parts = (unsigned char)takes_part(m, one);
    unsigned char *const with = l->takes_part + one;
    for (unsigned rest = 0; rest < one; rest++)
      with[rest] = l->takes_part[rest] | parts;
  }
  l->levels_heard = is_level_heard_L1D(m) || follows(m, ALL);
  for (unsigned parts = 0; parts < 1 << LAZY_PARTS; parts++)
    l->follows[parts] = (unsigned char)follows(m, parts);
  l->tries_pass =
      reexec_may_pass(m) && !(l->there & (ALL_BESIDE_L1D | ALL_BESIDE_BUFFER)) && !follows(m, L1D | BUFFER);
  l->awake = ALL & ~MEMORY & ~(d->PREF ? 0 : PREFETCH) & ~(d->CASC ? 0 : CASC);
  l->sm_until = l->alone_until = UINT64_MAX;
  l->ports = (PULSES_SM | PULSES_L1D) << READY;
  hd_sm_tell_changes(sm);
  hd_sm_drive(sm, out, in);
  show_sm(l);
  wake_memory(l);
  show_coalescer(l);
  show_buffer(l);
  show_l1d(l);
}

void hd_lazy_settle(struct hd_lazy *l) {
  pass_slept(l);
  for (enum hd_lazy_name name = 0; name < LAZY_SM; name++) {
    count_slept(l, name);
    l->part[name].since = l->now;
  }
  settle_alone(l->m, l->busy, l->now);
  if (withholds(l->m))
    count_held(l, l->now);
  tell_fails(l, l->now);
  hd_sm_skip(l->sm, l->now - hd_sm_stats(l->sm)->cycles);
}
