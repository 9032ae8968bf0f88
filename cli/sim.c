/* heddle sim: one SM on one workload, cycle for cycle, and what its L1D did; or many such runs (many.h). */
#include "cmodel/sim.h"
#include "cli/many.h"
#include "workloads/workloads.h"

static void progress(void *user, uint64_t cycles, uint64_t instructions) {
  hd_progress("%s: %.1f million cycles, %.1f million instructions", (const char *)user, 1e-6 * (double)cycles,
              1e-6 * (double)instructions);
}

static double per(double a, double b) {
  return b > 0 ? a / b : 0;
}

static void print(const struct hd_config *c, const char *workload, const struct hd_sim_result *r, FILE *f) {
  const struct hd_miss_classes *m = &r->classes;
#define N(x) ((unsigned long long)(x))
  fprintf(f, "%s on %s: one SM, %g KB L1D of %u sets x %u ways, %s index, %s%s%s, %s\n", workload, c->name,
          c->l1d.sets * c->l1d.ways * c->l1d.line_bytes / 1024.0, c->l1d.sets, c->l1d.ways,
          hd_config_word(c, "l1d", "set_index"), hd_config_word(c, "request_buffer", "kind"),
          c->request_buffer.bypass == HD_BYPASS_OFF ? "" : " with bypass on ",
          c->request_buffer.bypass == HD_BYPASS_OFF ? "" : hd_config_word(c, "request_buffer", "bypass"),
          hd_config_word(c, "scheduler", "policy"));
  fprintf(f, "cycles          %14llu   %.1f us at %u MHz\n", N(r->sm.cycles),
          (double)r->sm.cycles / c->sm.clock_mhz, c->sm.clock_mhz);
  fprintf(f, "instructions    %14llu   of warps; IPC %.4f\n", N(r->sm.instructions), r->ipc);
  fprintf(f, "L1D requests    %14llu   %llu loads, %llu stores\n", N(r->accesses), N(r->loads), N(r->stores));
  fprintf(f, "  hits          %14llu\n  hits reserved %14llu   merged into a miss in flight\n", N(r->hits),
          N(r->hit_reserved));
  fprintf(f,
          "  misses        %14llu\n  bypassed      %14llu\n  miss rate     %14.4f   (misses + bypassed + "
          "merged) / loads\n",
          N(r->misses), N(r->bypasses), r->miss_rate);
  fprintf(f, "  evictions     %14llu   %llu by stores besides\n", N(r->evictions), N(r->store_evicts));
  fprintf(f, "misses by kind  compulsory %llu, capacity %llu, conflict %llu\n", N(m->compulsory),
          N(m->capacity), N(m->conflict));
  fprintf(f, "  line taken by the same warp %llu, a warp of the CTA %llu, another CTA %llu, a store %llu\n",
          N(m->intra_warp), N(m->cross_warp), N(m->cross_block), N(m->write_evict));
  fprintf(f, "stalled cycles  line %llu, MSHR %llu, merge %llu, miss queue %llu, bypass slot %llu\n",
          N(r->fail_line_alloc), N(r->fail_mshr), N(r->fail_mshr_merge), N(r->fail_miss_queue),
          N(r->fail_bypass_slots));
  fprintf(f, "load latency    %14.1f   cycles, mean of %llu requests\n",
          per((double)r->sm.load_latency_sum, (double)r->sm.load_requests), N(r->sm.load_requests));
  fprintf(f, "memory          %14llu   bytes read, %llu written\n", N(r->memory.read_bytes),
          N(r->memory.write_bytes));
  fprintf(f, "simulated in %.2f s\n", r->seconds);
#undef N
}

static json_t *to_json(const struct hd_config *c, const char *workload, const struct hd_sim_result *r) {
#define I(x) ((json_int_t)(x))
  const struct hd_miss_classes *m = &r->classes;
  json_t *fails = json_pack("{s:I, s:I, s:I, s:I, s:I}", "line_alloc", I(r->fail_line_alloc), "mshr",
                            I(r->fail_mshr), "mshr_merge", I(r->fail_mshr_merge), "miss_queue",
                            I(r->fail_miss_queue), "bypass_slots", I(r->fail_bypass_slots));
  json_t *l1d = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:I, s:I, s:I}", "accesses",
                          I(r->accesses), "loads", I(r->loads), "stores", I(r->stores), "hits", I(r->hits),
                          "hit_reserved", I(r->hit_reserved), "misses", I(r->misses), "miss_rate",
                          r->miss_rate, "reservation_fails", fails, "bypasses", I(r->bypasses), "evictions",
                          I(r->evictions), "store_evicts", I(r->store_evicts));
  json_t *classes =
      json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "compulsory", I(m->compulsory), "capacity",
                I(m->capacity), "conflict", I(m->conflict), "intra_warp", I(m->intra_warp), "cross_warp",
                I(m->cross_warp), "cross_block", I(m->cross_block), "write_evict", I(m->write_evict));
  json_t *memory =
      json_pack("{s:I, s:I, s:I, s:I}", "reads", I(r->memory.reads), "writes", I(r->memory.writes),
                "read_bytes", I(r->memory.read_bytes), "write_bytes", I(r->memory.write_bytes));
  json_t *o = json_pack("{s:s, s:I, s:I, s:I, s:f, s:f, s:o, s:o, s:o}", "workload", workload, "cycles",
                        I(r->sm.cycles), "instructions", I(r->sm.instructions), "thread_instructions",
                        I(r->sm.thread_instructions), "ipc", r->ipc, "time_us",
                        (double)r->sm.cycles / c->sm.clock_mhz, "l1d", l1d, "miss_classes", classes, "memory",
                        memory);
  json_object_set_new(o, "load_latency",
                      json_real(per((double)r->sm.load_latency_sum, (double)r->sm.load_requests)));
  json_object_set_new(o, "seconds", json_real(r->seconds));
#undef I
  return o;
}

enum hd_rc hd_cli_simulate(const struct hd_args *args, const struct hd_config *c,
                           const struct hd_design *design, FILE *report, json_t **json, struct hd_why *why) {
  char err[sizeof why->text];
  struct wl_source *source = wl_open(args->workload, err, sizeof err);
  if (!source)
    return hd_because(why, HD_INPUT, "--workload: %s", err);
  struct hd_sim_result result;
  const struct hd_sim_job job = {.design = design,
                                 .source = source,
                                 .max_cycles = args->cycles,
                                 .no_skip = args->no_skip,
                                 .progress = progress,
                                 .user = (void *)args->workload};
  const enum hd_rc rc = hd_sim_run(&job, &result, why);
  hd_progress_end();
  if (rc == HD_OK) {
    print(c, args->workload, &result, report);
    *json = to_json(c, args->workload, &result);
  }
  source->ops->close(source);
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  if (!hd_many_single(args))
    return hd_many(args, why);
  struct hd_args one = *args;
  one.config = args->configs.text[0];
  one.workload = args->workloads.text[0];
  return hd_cli_answer(&one, hd_cli_simulate, why);
}

static const struct hd_opt opts[] = {
    HD_OPT("config", 'c', HD_OPT_LIST, true, configs, "CONFIG",
           "machine: a YAML file, or a name of `heddle list configs`; may be repeated; @FILE: one a line"),
    HD_OPT_CHANGES,
    HD_OPT("workload", 'w', HD_OPT_LIST, true, workloads, "WORKLOAD",
           "what runs: see `heddle list workloads`; may be repeated; @FILE: one a line; SUITE[:INPUT]: all "
           "of it"),
    HD_OPT("jobs", 'j', HD_OPT_COUNT, false, jobs, "N", "runs at a time; 0: as many as there are cores (0)"),
    HD_OPT("results", 0, HD_OPT_TEXT, false, results, "DIR",
           "keep each run's result there, and don't run again what is there"),
    HD_OPT("csv", 0, HD_OPT_TEXT, false, csv, "FILE", "the runs as a table; '-': on stdout, instead"),
    HD_OPT("max-cycles", 0, HD_OPT_COUNT, false, cycles, "N", "stop there, exit 1; 0: no limit (0)"),
    HD_OPT("no-skip", 0, HD_OPT_FLAG, false, no_skip, NULL,
           "simulate idle cycles one by one: same figures, slower"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_sim = {
    "sim",
    "run workloads on one SM's golden model: cycles, hits, misses, stalls",
    NULL,
    "example: heddle sim -c mrpb -w atax\n"
    "         heddle sim -c fermi_16k -w gemm:ni=256,nj=256,nk=128 --json gemm.json\n"
    "         heddle sim -c fermi_16k -c mrpb -w polybench --results results --csv polybench.csv",
    opts,
    {0},
    run};
