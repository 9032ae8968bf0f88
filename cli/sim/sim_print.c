/* The result of a run, for people and as JSON; see sim.h. */
#include "cli/sim/sim.h"

#define N(x) ((unsigned long long)(x))
#define I(x) ((json_int_t)(x))

/* Interconnect, L2 and DRAM. */
static void print_gpu(const struct hd_memsys_stats *s, FILE *f) {
  const uint64_t requests = s->l2.reads + s->l2.writes, *fails = s->l2.fails;
  fprintf(f, "interconnect    %14llu   flits to L2, %llu to SMs\n", N(s->up_flits), N(s->down_flits));
  fprintf(f, "L2 requests     %14llu   %llu reads, %llu writes; miss rate %.4f\n", N(requests),
          N(s->l2.reads), N(s->l2.writes), hd_per((double)s->l2.misses, (double)requests));
  fprintf(f, "  hits          %14llu   %llu of them writes\n  merged        %14llu\n  misses        %14llu\n",
          N(s->l2.read_hits + s->l2.write_hits), N(s->l2.write_hits), N(s->l2.merges), N(s->l2.misses));
  fprintf(f, "  evictions     %14llu   %llu dirty\n", N(s->l2.evictions), N(s->l2.writebacks));
  fprintf(f, "  stalled       %14llu   cycles of banks: line %llu, MSHR %llu, merge %llu, queue %llu\n",
          N(fails[HD_BANK_LINE] + fails[HD_BANK_MSHR] + fails[HD_BANK_MERGE] + fails[HD_BANK_QUEUE]),
          N(fails[HD_BANK_LINE]), N(fails[HD_BANK_MSHR]), N(fails[HD_BANK_MERGE]), N(fails[HD_BANK_QUEUE]));
  fprintf(f, "DRAM lines      %14llu   read, %llu written; row hits %.1f %%, data bus busy %.1f %%\n",
          N(s->dram_reads), N(s->dram_writes),
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
  hd_sim_print_figures(c, r, HD_FIGURES_L2, f);
  fprintf(
      f,
      "L2 energy       %14.1f   uJ at %u nm (embedded model, memories alone): accesses %.1f, leakage %.1f, "
      "wakes %.1f, LoSCache's own %.1f",
      1e-3 * energy->total_nj, c->energy.node_nm, 1e-3 * energy->access_nj, 1e-3 * energy->leak_nj,
      1e-3 * energy->wake_nj, 1e-3 * energy->added_nj);
  if (energy->ideal)
    fprintf(f, "; with an oracle %.1f", 1e-3 * energy->ideal_nj);
  fprintf(f, "\n");
}

void hd_sim_print(const struct hd_config *c, const char *workload, const struct hd_sim_result *r,
                  const struct hd_l2_energy *energy, FILE *f) {
  const struct hd_miss_classes *m = &r->classes;
  fprintf(f, "%s on %s: %u SM%s, %g KB L1D of %u sets x %u ways, %s index, %s, %s%s%s\n", workload, c->name,
          r->sms, r->sms == 1 ? "" : "s", c->l1d.sets * c->l1d.ways * c->l1d.line_bytes / 1024.0, c->l1d.sets,
          c->l1d.ways, hd_config_word(c, "l1d", "set_index"), hd_config_word(c, "request_buffer", "kind"),
          hd_config_word(c, "scheduler", "policy"), c->prefetch.kind == HD_PF_OFF ? "" : ", prefetching by ",
          c->prefetch.kind == HD_PF_OFF ? "" : hd_config_word(c, "prefetch", "kind"));
  hd_config_describe(c, "  ", "\n", f);
  if (c->d.SWL)
    fprintf(f, "  at most %u warps of a scheduler issue\n", c->d.LIMIT);
  fprintf(f, "cycles          %14llu   %.1f us at %u MHz\n", N(r->sm.cycles),
          (double)r->sm.cycles / c->sm.clock_mhz, c->sm.clock_mhz);
  fprintf(f, "instructions    %14llu   of warps; IPC %.4f\n", N(r->sm.instructions), r->ipc);
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
          N(r->evictions), N(r->evictions_unused), N(r->store_evicts));
  fprintf(f, "misses by kind  compulsory %llu, capacity %llu, conflict %llu\n", N(m->compulsory),
          N(m->capacity), N(m->conflict));
  fprintf(f, "  line taken by the same warp %llu, a warp of the CTA %llu, another CTA %llu, a store %llu",
          N(m->intra_warp), N(m->cross_warp), N(m->cross_block), N(m->write_evict));
  if (c->prefetch.kind != HD_PF_OFF)
    fprintf(f, ", a prefetch %llu", N(m->prefetch));
  fputc('\n', f);
  hd_sim_print_figures(c, r, HD_FIGURES_L1D, f);
  fprintf(f, "stalled cycles  line %llu, MSHR %llu, merge %llu, miss queue %llu, bypass slot %llu\n",
          N(r->fail_line_alloc), N(r->fail_mshr), N(r->fail_mshr_merge), N(r->fail_miss_queue),
          N(r->fail_bypass_slots));
  fprintf(f, "load latency    %14.1f   cycles, mean of %llu requests\n",
          hd_per((double)r->sm.load_latency_sum, (double)r->sm.load_requests), N(r->sm.load_requests));
  fprintf(f, "memory          %14llu   bytes read, %llu written\n", N(r->memory.read_bytes),
          N(r->memory.write_bytes));
  if (c->memory.kind == HD_MEM_L2)
    print_gpu(&r->memsys, f);
  if (energy)
    print_power(c, r, energy, f);
  fprintf(f, "simulated in %.2f s\n", r->seconds);
}

static json_t *power_json(const struct hd_bank_stats *p) {
  return json_pack(
      "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
      "line_cycles", I(p->line_cycles), "awake_cycles", I(p->awake_cycles), "live_cycles",
      I(p->generations.live_cycles), "wakes", I(p->wakes), "closes", I(p->closes_last + p->closes_fill),
      "closes_fill", I(p->closes_fill), "close_writebacks", I(p->close_writebacks), "no_stores",
      I(p->no_store_reads + p->no_store_writes), "early", I(p->early), "queries", I(p->queries),
      "generations", I(p->generations.count), "lived", I(p->generations.lived), "predicted",
      I(p->generations.predicted), "exact", I(p->generations.exact), "looks", I(p->looks), "data_reads",
      I(p->data_reads), "data_writes", I(p->data_writes), "count_writes", I(p->count_writes));
}

static json_t *energy_json(const struct hd_config *c, const struct hd_l2_energy *e) {
  return json_pack("{s:i, s:f, s:f, s:f, s:f, s:f, s:o}", "node_nm", (int)c->energy.node_nm, "access_nj",
                   e->access_nj, "leak_nj", e->leak_nj, "wake_nj", e->wake_nj, "added_nj", e->added_nj,
                   "total_nj", e->total_nj, "ideal_nj", e->ideal ? json_real(e->ideal_nj) : json_null());
}

static json_t *memsys_json(const struct hd_memsys_stats *s) {
  json_t *icnt = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "up_packets", I(s->up_packets), "up_flits",
                           I(s->up_flits), "up_waits", I(s->up_waits), "down_packets", I(s->down_packets),
                           "down_flits", I(s->down_flits), "down_waits", I(s->down_waits));
  json_t *fails = json_pack("{s:I, s:I, s:I, s:I}", "line", I(s->l2.fails[HD_BANK_LINE]), "mshr",
                            I(s->l2.fails[HD_BANK_MSHR]), "merge", I(s->l2.fails[HD_BANK_MERGE]), "queue",
                            I(s->l2.fails[HD_BANK_QUEUE]));
  json_t *l2 = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "reads", I(s->l2.reads), "writes",
                         I(s->l2.writes), "read_hits", I(s->l2.read_hits), "write_hits", I(s->l2.write_hits),
                         "merges", I(s->l2.merges), "misses", I(s->l2.misses), "evictions",
                         I(s->l2.evictions), "writebacks", I(s->l2.writebacks), "fails", fails);
  json_object_set_new(l2, "power", power_json(&s->l2));
  json_t *dram = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "reads", I(s->dram_reads), "writes",
                           I(s->dram_writes), "row_hits", I(s->dram_row_hits), "activates",
                           I(s->dram_activates), "busy_cycles", I(s->dram_busy), "cycles", I(s->dram_cycles));
  return json_pack("{s:o, s:o, s:o}", "icnt", icnt, "l2", l2, "dram", dram);
}

json_t *hd_sim_json(const struct hd_config *c, const char *workload, const struct hd_sim_result *r,
                    const struct hd_l2_energy *energy) {
  const struct hd_miss_classes *m = &r->classes;
  json_t *fails = json_pack("{s:I, s:I, s:I, s:I, s:I}", "line_alloc", I(r->fail_line_alloc), "mshr",
                            I(r->fail_mshr), "mshr_merge", I(r->fail_mshr_merge), "miss_queue",
                            I(r->fail_miss_queue), "bypass_slots", I(r->fail_bypass_slots));
  json_t *l1d =
      json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:o, s:I, s:I, s:I, s:I}", "accesses",
                I(r->accesses), "loads", I(r->loads), "stores", I(r->stores), "hits", I(r->hits),
                "hits_after_hits", I(r->hits_after_hits), "hit_reserved", I(r->hit_reserved), "misses",
                I(r->misses), "miss_rate", r->miss_rate, "miss_rate_gpgpusim", r->miss_rate_gpgpusim,
                "reservation_fails", fails, "bypasses", I(r->bypasses), "evictions", I(r->evictions),
                "evictions_unused", I(r->evictions_unused), "store_evicts", I(r->store_evicts));
  json_t *classes = json_pack(
      "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "compulsory", I(m->compulsory), "capacity", I(m->capacity),
      "conflict", I(m->conflict), "intra_warp", I(m->intra_warp), "cross_warp", I(m->cross_warp),
      "cross_block", I(m->cross_block), "write_evict", I(m->write_evict), "prefetch", I(m->prefetch));
  json_t *memory =
      json_pack("{s:I, s:I, s:I, s:I}", "reads", I(r->memory.reads), "writes", I(r->memory.writes),
                "read_bytes", I(r->memory.read_bytes), "write_bytes", I(r->memory.write_bytes));
  json_t *o = json_pack("{s:s, s:I, s:I, s:I, s:f, s:f, s:o, s:o, s:o}", "workload", workload, "cycles",
                        I(r->sm.cycles), "instructions", I(r->sm.instructions), "thread_instructions",
                        I(r->sm.thread_instructions), "ipc", r->ipc, "time_us",
                        (double)r->sm.cycles / c->sm.clock_mhz, "l1d", l1d, "miss_classes", classes, "memory",
                        memory);
  hd_sim_add_figures(c, &r->figures, HD_FIGURES_L1D, o);
  json_object_set_new(o, "sms", json_integer(r->sms));
  json_object_set_new(o, "launches", json_integer(I(r->sm.launches)));
  json_object_set_new(o, "ctas", json_integer(I(r->sm.ctas)));
  json_object_set_new(o, "barriers", json_integer(I(r->sm.barriers)));
  json_object_set_new(o, "shared_conflicts", json_integer(I(r->sm.shared_conflicts)));
  if (c->memory.kind == HD_MEM_L2)
    json_object_set_new(o, "gpu", memsys_json(&r->memsys));
  hd_sim_add_figures(c, &r->figures, HD_FIGURES_L2, o);
  if (energy)
    json_object_set_new(o, "energy", energy_json(c, energy));
  json_object_set_new(o, "load_latency",
                      json_real(hd_per((double)r->sm.load_latency_sum, (double)r->sm.load_requests)));
  json_object_set_new(o, "seconds", json_real(r->seconds));
  return o;
}
