/* heddle cosim: runs RTL, generated or from a directory, and the golden model in lockstep. */
#include "verif/harness/cosim.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void hd_cli_cosim_progress(void *user, uint64_t cycles, uint64_t of) {
  const struct hd_pace pace = {(double)cycles, (double)of, (double)cycles, "cycles"};
  if (of)
    hd_progress(pace, "%s: %.1f of %.1f M cycles", (const char *)user, 1e-6 * (double)cycles,
                1e-6 * (double)of);
  else
    hd_progress(pace, "%s: %.1f M cycles", (const char *)user, 1e-6 * (double)cycles);
}

/* For a whole GPU: prints the figures of both clocks. */
static void print_gpu(const struct hd_cosim_report *r, FILE *report, json_t *json) {
  if (!r->failure)
    fprintf(report, "clocks           SM 0 %llu cycles, L2 bank 0 %llu; the workload takes %llu\n",
            (unsigned long long)r->cycles, (unsigned long long)r->l2_cycles,
            (unsigned long long)r->gpu_cycles);
  json_object_set_new(json, "l2_cycles", json_integer((json_int_t)r->l2_cycles));
  json_object_set_new(json, "gpu_cycles", json_integer((json_int_t)r->gpu_cycles));
}

static void print_accesses(const struct hd_cosim_report *r, FILE *report, json_t *json) {
  if (!r->failure)
    fprintf(report, "accesses         %llu of memories, counted alike on both sides\n",
            (unsigned long long)r->accesses);
  json_object_set_new(json, "accesses", json_integer((json_int_t)r->accesses));
}

/* Two threads if a core is idle: the model then runs ahead of the RTL. */
static unsigned threads(const struct hd_args *args) {
  double load;
  if (args->jobs)
    return args->jobs > 1 ? 2 : 1;
  return getloadavg(&load, 1) == 1 && load + 1 < (double)hd_cli_jobs(args) ? 2 : 1;
}

static enum hd_rc compare(const struct hd_args *args, const heddle_machine *machine, FILE *report,
                          json_t **json, struct hd_why *why) {
  const struct hd_config *c = &machine->c;
  const struct hd_design *design = machine->design;
  const struct hd_cosim_job job = {.design = design,
                                   .module = args->top,
                                   .workload = args->workload,
                                   .gpu = args->gpu,
                                   .seed = args->seed,
                                   .cycles = args->random && !args->cycles ? 200000 : args->cycles,
                                   .work = args->work,
                                   .segment = args->segment,
                                   .program = program_invocation_name,
                                   .config_path = args->set.n ? NULL : c->path,
                                   .fault = args->fault,
                                   .rtl = args->rtl,
                                   .no_waves = args->no_waves,
                                   .threads = threads(args),
                                   .inside = args->accesses,
                                   .progress = hd_cli_cosim_progress,
                                   .user = (void *)args->top};
  struct hd_cosim_report found = {0};
  hd_progress((struct hd_pace){0}, "%s: compiling the RTL", args->top);
  enum hd_rc rc = hd_cosim_run(&job, &found, why);
  if (rc == HD_OK && args->all_events && found.events_seen < found.n_events) {
    const struct hd_event_count *unseen = found.events;
    while (unseen->count)
      unseen++;
    rc = hd_because(why, HD_CHECK, "--all-events: %u of %u events were not seen, the first is %s",
                    found.n_events - found.events_seen, found.n_events, unseen->name);
  }
  hd_progress_end();
  if (rc == HD_OK || rc == HD_CHECK) {
    hd_cosim_print(&found, report);
    *json = hd_cosim_json(&found);
    if (job.gpu)
      print_gpu(&found, report, *json);
    if (job.inside)
      print_accesses(&found, report, *json);
  }
  hd_cosim_free(&found);
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  if (!args->random == !args->workload)
    return hd_because(why, HD_INPUT,
                      "found %s of --workload and --random; allowed one; see heddle cosim --help",
                      args->random ? "both" : "none");
  if (args->workload && strcmp(args->top, "sm_mem") != 0)
    return hd_because(why, HD_INPUT,
                      "--workload: found with module %s; allowed with sm_mem only; use --random", args->top);
  if (args->gpu && args->random)
    return hd_because(why, HD_INPUT,
                      "--gpu: found with --random; allowed with --workload only; the GPU runs a workload");
  if (args->workload && args->segment)
    return hd_because(why, HD_INPUT,
                      "--segment: found with --workload; allowed with --random only; remove it");
  return hd_cli_answer(args, compare, why);
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(true),
    HD_OPT("workload", 'w', HD_OPT_TEXT, false, workload, "WORKLOAD", "drive sm_mem with this, to its end"),
    HD_OPT("random", 'r', HD_OPT_FLAG, false, random, NULL, "drive the module with random traffic"),
    HD_OPT("gpu", 0, HD_OPT_FLAG, false, gpu, NULL,
           "the whole GPU on the workload: sm_mem of SM 0 and l2_top of L2 bank 0 are run so"),
    HD_OPT("module", 'm', HD_OPT_TEXT, false, top, "MODULE", "the module that is run (sm_mem)"),
    HD_OPT("seed", 's', HD_OPT_COUNT, false, seed, "N", "of everything random (1)"),
    HD_OPT("cycles", 'n', HD_OPT_COUNT, false, cycles, "N",
           "random: how many, then drain (200000); a workload: a limit, exit 1"),
    HD_OPT("segment", 0, HD_OPT_COUNT, false, segment, "N",
           "random: most cycles from reset to reset (half the run, 1000 to 100000)"),
    HD_OPT("all-events", 0, HD_OPT_FLAG, false, all_events, NULL,
           "exit 1 when a declared event was not seen"),
    HD_OPT("accesses", 0, HD_OPT_FLAG, false, accesses, NULL,
           "count reads, writes and masked writes of every memory on both sides, and compare the counts too"),
    HD_OPT("no-waves", 0, HD_OPT_FLAG, false, no_waves, NULL,
           "a mismatch: no waveform, which takes longer than the rest"),
    HD_OPT(
        "jobs", 'j', HD_OPT_COUNT, false, jobs, "N",
        "2 or more: the model runs ahead of the RTL on a thread of its own; 1: it does not; 0: if a core is "
        "idle (0)"),
    HD_OPT("work", 0, HD_OPT_TEXT, false, work, "DIR", "RTL, Verilator output and failures (build/cosim)"),
    HD_OPT("rtl", 0, HD_OPT_TEXT, false, rtl, "DIR",
           "compare the Verilog in DIR, that of `heddle gen -t MODULE` edited since, in place of what is "
           "generated"),
    HD_OPT("fault", 0, HD_OPT_TEXT, false, fault, "F",
           "flip a bit, which must be found: NAME[element].BIT@CYCLE; see docs/lockstep.md"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_cosim = {
    "cosim",
    "compare RTL and golden model, every output and state bit, every cycle",
    NULL,
    "example: heddle cosim -c mrpb --random --cycles 1000000 --seed 7\n"
    "         heddle cosim -c mrpb -w atax:tiny\n"
    "         heddle cosim -c loscache/adaptive -w mm:tiny --gpu\n"
    "         heddle cosim -c mrpb -m mrpb --random --fault count[3].0@5000\n"
    "         heddle gen -c mrpb -t mrpb -o mine && heddle cosim -c mrpb -m mrpb --random --rtl mine",
    opts,
    {.top = "sm_mem", .work = "build/cosim", .seed = 1},
    run};
