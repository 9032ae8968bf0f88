/* heddle demo: takes one configuration from RTL to price, beside its baseline, step by step.
 *
 * Invariant: the summary holds the measurements of this run; a step that fails ends the demo with that
 * step's code.
 */
#include "cli/demo/demo.h"
#include "cli/price/price.h"
#include "cli/sim/sim.h"
#include "rtl_gen/rtl.h"

#include <stdlib.h>
#include <string.h>

const char *const demo_kernels[DEMO_KERNELS][2] = {/* MRPB Table 2 */
                                                   {"atax", "IW"},    {"bicg", "IW"},  {"mvt", "IW"},
                                                   {"gesummv", "IW"}, {"syrk", "XW"},  {"syr2k", "XW"},
                                                   {"gemm", "CI"},    {"2dconv", "CI"}};

/* Checks for all programs before minutes of work, not after. */
static enum hd_rc find_tools(struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  for (enum hd_program_id i = 0; i < HD_PROGRAMS && rc == HD_OK; i++)
    if (hd_program_needed(i, "demo"))
      rc = hd_program_need(i, why);
  return rc;
}

static enum hd_rc emit_and_lint(struct demo *d, const char *rtl, FILE *f, struct hd_why *why) {
  const enum hd_rc rc = hd_rtl_write(d->with->design, "sm_mem", rtl, why);
  if (rc != HD_OK)
    return rc;
  fprintf(f, "RTL        %s/sm_mem.f: %zu modules of %s\n", rtl, d->with->design->n, d->with->c.name);
  char *log = hd_format("%s/lint.log", rtl);
  const char *const args[] = {"--lint-only", "-Wall", "--top-module", "sm_mem", "-f", "sm_mem.f", NULL};
  const int status = hd_program_run(HD_VERILATOR, args, rtl, log, 600);
  char *text = hd_slurp(log);
  const bool clean = status == 0 && text && !strstr(text, "%Warning"); /* newer ones report run times */
  if (clean)
    fprintf(f, "lint       verilator -Wall: no warning, no waiver\n");
  free(text);
  free(log);
  return clean ? HD_OK : hd_because(why, HD_CHECK, "verilator has complaints: see %s/lint.log", rtl);
}

static enum hd_rc lockstep(struct demo *d, const char *name, const char *workload, const struct hd_args *args,
                           FILE *f, struct hd_why *why) {
  const struct hd_cosim_job job = {.design = d->with->design,
                                   .module = "sm_mem",
                                   .workload = workload,
                                   .seed = args->seed,
                                   .cycles = workload ? 0 : args->cycles,
                                   .work = args->work,
                                   .config_path = d->with->c.path,
                                   .progress = hd_cli_cosim_progress,
                                   .user = (void *)name};
  struct hd_cosim_report *r = &d->run[d->runs];
  d->run_name[d->runs++] = name;
  hd_progress((struct hd_pace){0}, "%s: compiling the RTL", name);
  const enum hd_rc rc = hd_cosim_run(&job, r, why);
  hd_progress_end();
  if (rc == HD_CHECK)
    hd_cosim_print(r, f);
  if (rc == HD_OK)
    fprintf(f,
            "lockstep   %s: %llu cycles, %llu values compared, %llu mismatches, %u of %u events, seed %llu\n",
            name, (unsigned long long)r->cycles, (unsigned long long)r->values_compared,
            (unsigned long long)r->mismatches, r->events_seen, r->n_events, (unsigned long long)r->seed);
  return rc;
}

static enum hd_rc run_kernels(struct demo *d, FILE *f, struct hd_why *why) {
  double seconds = 0, requests = 0;
  for (int i = 0; i < DEMO_KERNELS; i++) {
    struct demo_kernel *k = &d->kernel[i];
    k->name = demo_kernels[i][0];
    k->class = demo_kernels[i][1];
    const struct hd_args one = {.workload = k->name};
    enum hd_rc rc = hd_cli_run(d->base, &one, &k->base, why);
    if (rc == HD_OK)
      rc = hd_cli_run(d->with, &one, &k->with, why);
    if (rc != HD_OK)
      return rc;
    seconds += k->base.seconds + k->with.seconds;
    requests += (double)(k->base.accesses + k->with.accesses);
  }
  hd_progress_end();
  fprintf(f, "kernels    %d on two machines in %.1f s, %.2f million L1 requests a second\n", DEMO_KERNELS,
          seconds, 1e-6 * requests / seconds);
  return HD_OK;
}

/* Prices sm_mem: all its memories, and as logic the modules priced before, each as often as it occurs. The
 * rest of sm_mem is wires. */
static enum hd_rc price_whole(struct demo *d, const struct hd_pricer *pricer, struct hd_why *why) {
  const struct hd_decl *sm_mem = hd_design_find(d->with->design, "sm_mem");
  struct hd_synth_result sum = {.name = "sm_mem"};
  struct hd_synth_report logic = {.result = &sum, .results = 1};
  for (int i = 0; i < d->modules; i++) {
    hd_cli_add_logic(sm_mem, &d->module[i].result[0], &sum);
    snprintf(logic.lib, sizeof logic.lib, "%s", d->module[i].lib);
  }
  static const char *const all[] = {"sm_mem"};
  d->whole_memories = hd_area_memories_of(d->with->design, NULL, all, 1, &d->whole_memory);
  const struct hd_area_job job = {.memory = d->whole_memory,
                                  .memories = d->whole_memories,
                                  .synth = &logic,
                                  .synths = 1,
                                  .pricer = *pricer};
  return hd_area_run(&job, &d->whole, why);
}

/* Prices the mechanism that the paper prices, if this machine has it. Its modules have been synthesised
 * before. */
static enum hd_rc price_mechanism(struct demo *d, const struct hd_pricer *pricer, struct hd_why *why) {
  const struct hd_area_claim *claim = hd_area_claim_in(d->with->design);
  if (!claim)
    return HD_OK;
  struct hd_synth_report logic[HD_CLAIM_MODULES];
  int n = 0;
  for (; n < HD_CLAIM_MODULES && claim->module[n]; n++)
    for (int i = 0; i < d->modules; i++)
      if (!strcmp(d->module[i].result[0].name, claim->module[n]))
        logic[n] = d->module[i];
  d->memories = hd_area_memories_of(d->with->design, claim, claim->module, n, &d->memory);
  const struct hd_area_job job = {.memory = d->memory,
                                  .memories = d->memories,
                                  .synth = logic,
                                  .synths = n,
                                  .pricer = *pricer,
                                  .claim = claim,
                                  .cache = hd_cli_l1(&d->with->c),
                                  .design = d->with->design};
  return hd_area_run(&job, &d->area, why);
}

/* Prices every module without inner modules. Each has its own clock. */
static enum hd_rc price(struct demo *d, const struct hd_args *args, FILE *f, struct hd_why *why) {
  char *work = hd_format("%s/synth", args->out);
  struct hd_pricer pricer = hd_cli_pricer(0, work);
  struct hd_args at = *args;
  at.work = work;
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < d->with->design->n && rc == HD_OK && d->modules < DEMO_MODULES; i++) {
    const struct hd_decl *decl = d->with->design->decls[i];
    if (decl->n_insts)
      continue;
    struct hd_synth_report *s = &d->module[d->modules++];
    rc = hd_cli_synth(&at, d->with->design, decl->module, (struct hd_cli_alone){0, 1}, &pricer, s, why);
    hd_progress_end();
    if (rc != HD_OK)
      break;
    fprintf(f,
            "synthesis  %-13s %7ld cells, %6ld flip-flops, %9.0f um2, %5.0f MHz  (Yosys and OpenSTA, %s)\n",
            decl->module, s->result[0].net.cells, s->result[0].net.flipflops, s->result[0].net.area_um2,
            s->result[0].timing.fmax_mhz, s->lib);
  }
  if (rc == HD_OK)
    rc = price_mechanism(d, &pricer, why);
  if (rc == HD_OK)
    rc = price_whole(d, &pricer, why);
  hd_cli_pricer_free(&pricer);
  free(work);
  return rc;
}

static enum hd_rc write_files(const struct demo *d, const char *dir, FILE *f, struct hd_why *why) {
  char *path = hd_format("%s/kernels.md", dir);
  FILE *md = fopen(path, "w");
  enum hd_rc rc = md ? HD_OK : hd_because(why, HD_INPUT, "%s cannot be written", path);
  if (md) {
    demo_print_kernels(d, md);
    if (!hd_close_written(md))
      rc = hd_because(why, HD_INPUT, "%s cannot be written", path);
  }
  free(path);
  struct hd_why picture;
  if (rc == HD_OK && demo_picture(d, dir, &picture) != HD_OK)
    fprintf(f, "no picture: %s\n", picture.text);
  return rc;
}

static enum hd_rc steps(struct demo *d, const struct hd_args *args, FILE *f, struct hd_why *why) {
  char *rtl = hd_format("%s/rtl", args->out);
  enum hd_rc rc = hd_make_dirs(args->out) ? HD_OK : hd_because(why, HD_INPUT, "%s cannot be made", args->out);
  if (rc == HD_OK && !args->kernels)
    rc = find_tools(why);
  if (rc == HD_OK && !args->kernels)
    rc = emit_and_lint(d, rtl, f, why);
  if (rc == HD_OK && !args->kernels)
    rc = lockstep(d, "random traffic", NULL, args, f, why);
  if (rc == HD_OK && !args->kernels)
    rc = lockstep(d, "atax:n=256, both kernels", "atax:n=256", args, f, why);
  if (rc == HD_OK)
    rc = run_kernels(d, f, why);
  if (rc == HD_OK && !args->kernels)
    rc = price(d, args, f, why);
  if (rc == HD_OK)
    rc = write_files(d, args->out, f, why);
  if (rc == HD_OK) {
    demo_print(d, f);
    fprintf(f, "\nwritten    %s/kernels.md, %s/ipc.svg%s%s%s\n", args->out, args->out,
            args->kernels ? "" : ", ", args->kernels ? "" : rtl, args->kernels ? "" : "/");
  }
  free(rtl);
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  struct demo *d = calloc(1, sizeof *d);
  if (!d)
    return hd_because(why, HD_TOOL, "out of memory");
  struct hd_args base = *args;
  base.config = args->base;
  base.set.n = 0;
  struct hd_answer answer;
  enum hd_rc rc = hd_cli_machine(args, NULL, &d->with, why);
  if (rc == HD_OK)
    rc = hd_cli_machine(&base, NULL, &d->base, why);
  if (rc == HD_OK)
    rc = hd_answer_open(args, &answer, why);
  if (rc == HD_OK) {
    setvbuf(answer.report, NULL, _IOLBF, 0);
    rc = steps(d, args, answer.report, why);
    rc = hd_answer_close(&answer, rc == HD_OK ? demo_json(d) : NULL, rc, why);
  }
  for (int i = 0; i < d->runs; i++)
    hd_cosim_free(&d->run[i]);
  for (int i = 0; i < d->modules; i++)
    hd_synth_free(&d->module[i]);
  hd_area_free(&d->area);
  hd_area_free(&d->whole);
  hd_area_memories_free(d->memory, d->memories);
  hd_area_memories_free(d->whole_memory, d->whole_memories);
  heddle_unload(d->base);
  heddle_unload(d->with);
  free(d);
  return rc;
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(true),
    HD_OPT("baseline", 'b', HD_OPT_TEXT, true, base, "CONFIG", "the machine to compare with"),
    HD_OPT("out", 'o', HD_OPT_TEXT, false, out, "DIR", "where everything goes (build/demo)"),
    HD_OPT("kernels", 'k', HD_OPT_FLAG, false, kernels, NULL,
           "the eight kernels only: no RTL, lockstep, synthesis"),
    HD_OPT("cycles", 'n', HD_OPT_COUNT, false, cycles, "N", "of random traffic in lockstep (300000)"),
    HD_OPT("seed", 's', HD_OPT_COUNT, false, seed, "N", "of it (1)"),
    HD_OPT("work", 0, HD_OPT_TEXT, false, work, "DIR", "Verilator output and failures (build/cosim)"),
    HD_OPT("lib", 'l', HD_OPT_TEXT, false, lib, "LIB", "cells: see heddle synth --help (heddle45)"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_demo = {
    "demo", "a configuration from RTL to price, beside its baseline",
    NULL,   "example: heddle demo -c mrpb -b fermi_16k",
    opts,   {.out = "build/demo", .work = "build/cosim", .cycles = 300000, .seed = 1, .lib = "heddle45"},
    run};
