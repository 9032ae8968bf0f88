/* Prints the result of a run, for people and as JSON; see sim.h. */
#include "cli/sim/sim.h"

#include <math.h>
#include <string.h>

#define N(x) ((unsigned long long)(x))

/* Prints interconnect, L2 and DRAM. */
static void print_gpu(const struct hd_config *c, const struct hd_memsys_stats *s, FILE *f) {
  const uint64_t requests = s->l2.reads + s->l2.writes, *fails = s->l2.fails;
  fprintf(f, "interconnect    %14llu   flits to L2, %llu to SMs\n", N(s->up_flits), N(s->down_flits));
  fprintf(f, "L2 requests     %14llu   %llu reads, %llu writes; miss rate %.4f\n", N(requests),
          N(s->l2.reads), N(s->l2.writes), hd_per((double)s->l2.misses, (double)requests));
  fprintf(f, "  hits          %14llu   %llu of them writes\n  merged        %14llu\n  misses        %14llu\n",
          N(s->l2.read_hits + s->l2.write_hits), N(s->l2.write_hits), N(s->l2.merges), N(s->l2.misses));
  fprintf(f, "  evictions     %14llu   %llu dirty%s\n", N(s->l2.evictions), N(s->l2.writebacks),
          c->d.L2_SECTOR_FILL ? " sectors" : "");
  fprintf(f, "  stalled       %14llu   cycles of banks: line %llu, MSHR %llu, merge %llu, queue %llu\n",
          N(fails[HD_BANK_LINE] + fails[HD_BANK_MSHR] + fails[HD_BANK_MERGE] + fails[HD_BANK_QUEUE]),
          N(fails[HD_BANK_LINE]), N(fails[HD_BANK_MSHR]), N(fails[HD_BANK_MERGE]), N(fails[HD_BANK_QUEUE]));
  fprintf(f, "DRAM %s    %14llu   read, %llu written; row hits %.1f %%, data bus busy %.1f %%\n",
          c->d.L2_SECTOR_FILL ? "sectors" : "lines  ", N(s->dram_reads), N(s->dram_writes),
          100 * hd_per((double)s->dram_row_hits, (double)(s->dram_reads + s->dram_writes)),
          100 * hd_per((double)s->dram_busy, (double)s->dram_cycles));
}

static void print_power(const struct hd_config *c, const struct hd_sim_result *r,
                        const struct hd_l2_energy *energy, FILE *f) {
  const struct hd_bank_stats *p = &r->memsys.l2;
  const double lines = (double)p->line_cycles;
  fprintf(f, "L2 lines        %13.1f%%   of the time powered; %.1f%% of it still to be used\n",
          100 * hd_per((double)p->awake_cycles, lines),
          100 * hd_per((double)p->generations.live_cycles, lines));
  if (c->d.WAKE)
    fprintf(f,
            "  rows woken    %14llu   lines waited for their row in %llu cycles, misses for a row to begin "
            "in %llu\n",
            N(p->wakes), N(p->fill_waits), N(p->fails[HD_BANK_WAKE]));
  hd_sim_print_figures(c, r, HD_FIGURES_L2, f);
  fprintf(
      f,
      "L2 energy       %14.1f   uJ at %u nm (embedded model, memories alone): accesses %.1f, leakage %.1f, "
      "wakes %.1f (at least %.1f), LoSCache's own %.1f",
      1e-3 * energy->total_nj, c->energy.node_nm, 1e-3 * energy->access_nj, 1e-3 * energy->leak_nj,
      1e-3 * energy->wake_nj, 1e-3 * energy->wake_low_nj, 1e-3 * energy->added_nj);
  if (energy->ideal)
    fprintf(f, "; with an oracle %.1f", 1e-3 * energy->ideal_nj);
  fprintf(f, "\n");
}

static void print_sampling(const struct hd_sampling_result *s, FILE *f) {
  fprintf(f,
          "simulated       %14llu   cycles, 1 in %.1f, and %llu instructions; all but cycles and IPC is of "
          "these\n",
          N(s->cycles_simulated), s->cycles / (double)s->cycles_simulated, N(s->simulated));
  fprintf(f, "samples         %14llu   and %llu launches passed; ", N(s->samples), N(s->launches_passed));
  if (s->leads_walk)
    fprintf(f,
            "CTAs of an SM come apart more and more, which samples follow poorly: no confidence interval\n");
  else if (isnan(s->margin))
    fprintf(f, "too few for a confidence interval: a smaller --sample, or a longer workload, has more\n");
  else
    fprintf(f, "IPC within %.2f %% (95 %%, by how samples differ)\n", 100 * s->margin);
}

void hd_sim_print(const struct hd_config *c, const char *workload, const struct hd_sim_result *r,
                  const struct hd_l2_energy *energy, FILE *f) {
  const struct hd_miss_classes *m = &r->classes;
  fprintf(f, "%s on %s: %u SM%s, %g KB L1D of %u sets x %u ways, %s index, %s, %s%s%s\n", workload, c->name,
          r->sms, r->sms == 1 ? "" : "s", c->l1d.sets * c->l1d.ways * c->l1d.line_bytes / 1024.0, c->l1d.sets,
          c->l1d.ways, hd_config_word(c, "l1d", "set_index"), hd_config_word(c, "request_buffer", "kind"),
          hd_config_word(c, "scheduler", "policy"), c->prefetch.kind == HD_PF_OFF ? "" : ", prefetching by ",
          c->prefetch.kind == HD_PF_OFF ? "" : hd_config_word(c, "prefetch", "kind"));
  if (c->d.SECTOR_FILL)
    fprintf(f, "  a miss of the L1D fetches a sector of %u bytes%s\n", c->l1d.sector_bytes,
            c->d.L2_SECTOR_FILL ? ", and one of the L2" : "");
  hd_config_describe(c, "  ", "\n", f);
  if (c->d.SWL)
    fprintf(f, "  at most %u warps of a scheduler issue\n", c->d.LIMIT);
  if (r->sampling.cycles > 0)
    print_sampling(&r->sampling, f);
  fprintf(f, "cycles          %14llu   %.1f us at %u MHz\n", N(r->sm.cycles),
          (double)r->sm.cycles / c->sm.clock_mhz, c->sm.clock_mhz);
  fprintf(f, "instructions    %14llu   of warps; IPC %.4f\n", N(r->sm.instructions), r->ipc);
  fprintf(f, "resident warps  %14.2f   of %u on an SM, mean over all SMs and cycles\n", r->resident_warps,
          c->sm.warps);
  fprintf(f, "L1D requests    %14llu   %llu loads, %llu stores\n", N(r->accesses), N(r->loads), N(r->stores));
  fprintf(f,
          "  hits          %14llu   %llu of them right behind another\n  hits reserved %14llu   merged into "
          "a miss in flight\n",
          N(r->hits), N(r->hits_after_hits), N(r->hit_reserved));
  fprintf(f,
          "  misses        %14llu\n  bypassed      %14llu\n  miss rate     %14.4f   (misses + bypassed + "
          "merged) / loads; GPGPU-Sim's %.4f\n",
          N(r->misses), N(r->bypasses), r->miss_rate, r->miss_rate_gpgpusim);
  fprintf(f, "  evictions     %14llu   %llu of lines not used again; %llu by stores besides\n",
          N(r->evictions), N(r->evicted_uses[HD_USED_ONCE]), N(r->store_evicts));
  fprintf(f, "misses by kind  compulsory %llu, capacity %llu, conflict %llu\n", N(m->compulsory),
          N(m->capacity), N(m->conflict));
  fprintf(f, "  line taken by the same warp %llu, a warp of the CTA %llu, another CTA %llu, a store %llu",
          N(m->intra_warp), N(m->cross_warp), N(m->cross_block), N(m->write_evict));
  if (c->prefetch.kind != HD_PF_OFF)
    fprintf(f, ", a prefetch %llu", N(m->prefetch));
  fputc('\n', f);
  hd_sim_print_figures(c, r, HD_FIGURES_L1D, f);
  fprintf(f,
          "stalled cycles  line %llu, MSHR %llu, merge %llu, miss queue %llu, bypass slot %llu; %.1f "
          "warps were ready\n",
          N(r->fail_line_alloc), N(r->fail_mshr), N(r->fail_mshr_merge), N(r->fail_miss_queue),
          N(r->fail_bypass_slots), r->ready_while_stalled);
  fprintf(f, "load latency    %14.1f   cycles, mean of %llu requests\n",
          hd_per((double)r->sm.load_latency_sum, (double)r->sm.load_requests), N(r->sm.load_requests));
  fprintf(f, "memory          %14llu   bytes read, %llu written\n", N(r->memory.read_bytes),
          N(r->memory.write_bytes));
  if (c->memory.kind == HD_MEM_L2)
    print_gpu(c, &r->memsys, f);
  if (energy)
    print_power(c, r, energy, f);
  fprintf(f, "simulated in %.2f s\n", r->seconds);
}

static json_t *energy_json(const struct hd_config *c, const struct hd_l2_energy *e) {
  return json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "node_nm", (int)c->energy.node_nm, "access_nj",
                   e->access_nj, "leak_nj", e->leak_nj, "wake_nj", e->wake_nj, "wake_low_nj", e->wake_low_nj,
                   "added_nj", e->added_nj, "total_nj", e->total_nj, "ideal_nj",
                   e->ideal ? json_real(e->ideal_nj) : json_null());
}

/* Returns the object that holds a figure, from one name of its path to the next, and makes missing objects.
 * *name becomes the last name. */
static json_t *holder(json_t *o, const char **name) {
  const char *dot;
  while ((dot = strchr(*name, '.'))) {
    char part[64];
    snprintf(part, sizeof part, "%.*s", (int)(dot - *name), *name);
    json_t *inner = json_object_get(o, part);
    if (!inner)
      json_object_set_new(o, part, inner = json_object());
    o = inner;
    *name = dot + 1;
  }
  return o;
}

json_t *hd_sim_json(const heddle_run *run, const char *workload, const struct hd_l2_energy *energy) {
  json_t *o = json_pack("{s:s}", "workload", workload);
  for (size_t i = 0; o && i < heddle_figure_count(run); i++) {
    const heddle_figure *f = heddle_figure_at(run, i);
    const char *name = f->name;
    json_t *in = holder(o, &name);
    json_object_set_new(in, name,
                        f->counts          ? json_integer((json_int_t)f->count)
                        : isnan(f->number) ? json_null()
                                           : json_real(f->number));
  }
  if (energy)
    json_object_set_new(o, "energy", energy_json(&run->machine->c, energy));
  return o;
}
