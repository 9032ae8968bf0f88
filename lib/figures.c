/* The figures of a run by name. This is the only list of them; `heddle sim --json` uses it too.
 *
 * Invariant: a figure's name is its path in docs/json.md. The figures of mechanisms follow from
 * arch/ROOM/figures.def. */
#include "base/nearest_name.h"
#include "lib/objects.h"

#include <stdlib.h>
#include <string.h>

struct list {
  heddle_figure *figure; /* NULL: only count them */
  size_t n;
};

static void put(struct list *l, heddle_figure figure) {
  if (l->figure)
    l->figure[l->n] = figure;
  l->n++;
}
static void count(struct list *l, const char *name, uint64_t n) {
  put(l, (heddle_figure){name, (double)n, n, 1});
}
static void real(struct list *l, const char *name, double number) {
  put(l, (heddle_figure){.name = name, .number = number});
}

static void add_l1d(struct list *l, const struct hd_sim_result *r) {
  count(l, "l1d.accesses", r->accesses);
  count(l, "l1d.loads", r->loads);
  count(l, "l1d.stores", r->stores);
  count(l, "l1d.hits", r->hits);
  count(l, "l1d.hits_after_hits", r->hits_after_hits);
  count(l, "l1d.hit_reserved", r->hit_reserved);
  count(l, "l1d.misses", r->misses);
  real(l, "l1d.miss_rate", r->miss_rate);
  real(l, "l1d.miss_rate_gpgpusim", r->miss_rate_gpgpusim);
  count(l, "l1d.reservation_fails.line_alloc", r->fail_line_alloc);
  count(l, "l1d.reservation_fails.mshr", r->fail_mshr);
  count(l, "l1d.reservation_fails.mshr_merge", r->fail_mshr_merge);
  count(l, "l1d.reservation_fails.miss_queue", r->fail_miss_queue);
  count(l, "l1d.reservation_fails.bypass_slots", r->fail_bypass_slots);
  real(l, "l1d.ready_while_stalled", r->ready_while_stalled);
  count(l, "l1d.bypasses", r->bypasses);
  count(l, "l1d.evictions", r->evictions);
  count(l, "l1d.evictions_unused", r->evicted_uses[HD_USED_ONCE]);
  count(l, "l1d.evictions_used.twice", r->evicted_uses[HD_USED_TWICE]);
  count(l, "l1d.evictions_used.to_4", r->evicted_uses[HD_USED_TO_4]);
  count(l, "l1d.evictions_used.to_8", r->evicted_uses[HD_USED_TO_8]);
  count(l, "l1d.evictions_used.more", r->evicted_uses[HD_USED_MORE]);
  count(l, "l1d.store_evicts", r->store_evicts);
}

static void add_classes(struct list *l, const struct hd_miss_classes *m) {
  count(l, "miss_classes.compulsory", m->compulsory);
  count(l, "miss_classes.capacity", m->capacity);
  count(l, "miss_classes.conflict", m->conflict);
  count(l, "miss_classes.intra_warp", m->intra_warp);
  count(l, "miss_classes.cross_warp", m->cross_warp);
  count(l, "miss_classes.cross_block", m->cross_block);
  count(l, "miss_classes.write_evict", m->write_evict);
  count(l, "miss_classes.prefetch", m->prefetch);
}

static void add_power(struct list *l, const struct hd_bank_stats *p) {
  count(l, "gpu.l2.power.line_cycles", p->line_cycles);
  count(l, "gpu.l2.power.awake_cycles", p->awake_cycles);
  count(l, "gpu.l2.power.live_cycles", p->generations.live_cycles);
  count(l, "gpu.l2.power.wakes", p->wakes);
  count(l, "gpu.l2.power.fill_waits", p->fill_waits);
  count(l, "gpu.l2.power.closes", p->closes_last + p->closes_fill);
  count(l, "gpu.l2.power.closes_fill", p->closes_fill);
  count(l, "gpu.l2.power.close_writebacks", p->close_writebacks);
  count(l, "gpu.l2.power.no_stores", p->no_store_reads + p->no_store_writes);
  count(l, "gpu.l2.power.early", p->early);
  count(l, "gpu.l2.power.queries", p->queries);
  count(l, "gpu.l2.power.generations", p->generations.count);
  count(l, "gpu.l2.power.lived", p->generations.lived);
  count(l, "gpu.l2.power.predicted", p->generations.predicted);
  count(l, "gpu.l2.power.exact", p->generations.exact);
  count(l, "gpu.l2.power.enough", p->generations.enough);
  count(l, "gpu.l2.power.looks", p->looks);
  count(l, "gpu.l2.power.data_reads", p->data_reads);
  count(l, "gpu.l2.power.data_writes", p->data_writes);
  count(l, "gpu.l2.power.count_writes", p->count_writes);
}

static void add_gpu(struct list *l, const struct hd_memsys_stats *s) {
  count(l, "gpu.icnt.up_packets", s->up_packets);
  count(l, "gpu.icnt.up_flits", s->up_flits);
  count(l, "gpu.icnt.up_waits", s->up_waits);
  count(l, "gpu.icnt.down_packets", s->down_packets);
  count(l, "gpu.icnt.down_flits", s->down_flits);
  count(l, "gpu.icnt.down_waits", s->down_waits);
  count(l, "gpu.l2.reads", s->l2.reads);
  count(l, "gpu.l2.writes", s->l2.writes);
  count(l, "gpu.l2.read_hits", s->l2.read_hits);
  count(l, "gpu.l2.write_hits", s->l2.write_hits);
  count(l, "gpu.l2.merges", s->l2.merges);
  count(l, "gpu.l2.misses", s->l2.misses);
  count(l, "gpu.l2.evictions", s->l2.evictions);
  count(l, "gpu.l2.writebacks", s->l2.writebacks);
  count(l, "gpu.l2.fails.line", s->l2.fails[HD_BANK_LINE]);
  count(l, "gpu.l2.fails.mshr", s->l2.fails[HD_BANK_MSHR]);
  count(l, "gpu.l2.fails.merge", s->l2.fails[HD_BANK_MERGE]);
  count(l, "gpu.l2.fails.queue", s->l2.fails[HD_BANK_QUEUE]);
  count(l, "gpu.l2.fails.wake", s->l2.fails[HD_BANK_WAKE]);
  add_power(l, &s->l2);
  count(l, "gpu.dram.reads", s->dram_reads);
  count(l, "gpu.dram.writes", s->dram_writes);
  count(l, "gpu.dram.row_hits", s->dram_row_hits);
  count(l, "gpu.dram.activates", s->dram_activates);
  count(l, "gpu.dram.busy_cycles", s->dram_busy);
  count(l, "gpu.dram.cycles", s->dram_cycles);
}

enum place { AT_L1D, AT_L2 };

static void add_mechanisms(struct list *l, const struct hd_config *c, const struct hd_figures *figures,
                           enum place place) {
#include "arch/config/sizes.h"
#define GROUP(group, when, at, meaning) if ((when) && place == AT_##at) {
#define FIGURE(group, name, value, meaning) count(l, #group "." #name, figures->group.name);
#define END(group) }
#include "arch/config/figures.h"
}

static void add_sampling(struct list *l, const struct hd_sampling_result *s) {
  count(l, "sampling.cycles_simulated", s->cycles_simulated);
  count(l, "sampling.instructions_simulated", s->simulated);
  count(l, "sampling.samples", s->samples);
  count(l, "sampling.launches_passed", s->launches_passed);
  real(l, "sampling.ipc_margin", s->margin);
}

static void add_all(struct list *l, const struct hd_config *c, const struct hd_sim_result *r, bool sampled) {
  count(l, "cycles", r->sm.cycles);
  count(l, "instructions", r->sm.instructions);
  count(l, "thread_instructions", r->sm.thread_instructions);
  real(l, "ipc", r->ipc);
  real(l, "resident_warps", r->resident_warps);
  real(l, "time_us", (double)r->sm.cycles / c->sm.clock_mhz);
  if (sampled)
    add_sampling(l, &r->sampling);
  add_l1d(l, r);
  add_classes(l, &r->classes);
  count(l, "memory.reads", r->memory.reads);
  count(l, "memory.writes", r->memory.writes);
  count(l, "memory.read_bytes", r->memory.read_bytes);
  count(l, "memory.write_bytes", r->memory.write_bytes);
  add_mechanisms(l, c, &r->figures, AT_L1D);
  count(l, "sms", r->sms);
  count(l, "launches", r->sm.launches);
  count(l, "ctas", r->sm.ctas);
  count(l, "barriers", r->sm.barriers);
  count(l, "shared_conflicts", r->sm.shared_conflicts);
  if (c->memory.kind == HD_MEM_L2)
    add_gpu(l, &r->memsys);
  add_mechanisms(l, c, &r->figures, AT_L2);
  real(l, "load_latency", hd_per((double)r->sm.load_latency_sum, (double)r->sm.load_requests));
  real(l, "seconds", r->seconds);
}

bool hd_figures_list(heddle_run *r) {
  struct list l = {NULL, 0};
  add_all(&l, &r->machine->c, &r->result, r->job.sampling.one_in);
  r->figures = l.n;
  r->figure = calloc(l.n, sizeof *r->figure);
  return r->figure;
}

void hd_figures_fill(heddle_run *r) {
  struct list l = {.figure = r->figure};
  add_all(&l, &r->machine->c, &r->result, r->job.sampling.one_in);
}

size_t heddle_figure_count(const heddle_run *r) {
  return r->figures;
}

const heddle_figure *heddle_figure_at(const heddle_run *r, size_t figure) {
  return figure < r->figures ? &r->figure[figure] : NULL;
}

const heddle_figure *heddle_figure_find(heddle_run *r, const char *name) {
  struct hd_near near = hd_near_to(name);
  for (size_t i = 0; i < r->figures; i++) {
    if (!strcmp(r->figure[i].name, name))
      return &r->figure[i];
    hd_near_try(&near, r->figure[i].name);
  }
  hd_say(&r->said, HEDDLE_ERR_NAME,
         "figure: found %s; %sallowed are the names of heddle_figure_at; correct the name", name,
         hd_near_text(&near).text);
  return NULL;
}
