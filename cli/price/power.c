/* heddle power: the power of the logic and the memories on a workload. */
#include "base/version.h"
#include "cli/price/price.h"
#include "rtl_gen/rtl.h"
#include "synth/power/report.h"
#include "verif/harness/cosim.h"

#include <stdlib.h>
#include <string.h>

enum { REPLAYED = 100000 }; /* cycles, of some hundred bytes each */

/* What is run, and which part of it is priced. */
struct question {
  const char *run, *top,
      *part; /* run: the module in lockstep; top: the module whose parts are priced; part: one of these
              * parts, or NULL */
};

static enum hd_rc read_question(const struct hd_args *args, const struct hd_design *design,
                                struct question *q, struct hd_why *why) {
  *q = (struct question){"sm_mem", "sm_mem", args->top};
  if (args->top && !hd_design_find(design, args->top))
    return hd_because(why, HD_INPUT,
                      "--top: found %s; allowed a module of this machine; see heddle list modules",
                      args->top);
  if (args->random && args->top)
    *q = (struct question){args->top, args->top, args->top};
  else if (args->gpu && args->top && hd_design_in_l2(design, args->top))
    q->top = "l2_top";
  const enum hd_rc rc = hd_rtl_there(design, q->run, why);
  return rc == HD_OK ? hd_decl_known_cells(hd_design_find(design, q->run), true, "heddle power", why) : rc;
}

/* Makes a netlist of each module once, however many instances it has. */
static enum hd_rc make_netlists(const struct hd_args *args, const struct hd_design *design,
                                struct hd_power_watch *w, const char *lib_path, struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  for (int i = 0; i < w->parts && rc == HD_OK; i++) {
    struct hd_power_part *p = &w->part[i];
    for (int k = 0; k < i && !p->netlist; k++)
      if (w->part[k].decl == p->decl)
        p->netlist = hd_format("%s", w->part[k].netlist);
    if (p->netlist)
      continue;
    char *netlist;
    hd_progress((struct hd_pace){.done = i, .of = w->parts}, "synthesis: %s, %d of %d modules done",
                p->decl->module, i, w->parts);
    rc = hd_cli_netlist(args->work, (unsigned)args->clock_gate, design, p->decl->module, lib_path, w->lib,
                        &netlist, why);
    p->netlist = netlist;
  }
  return rc;
}

/* saif: the file of --saif, or NULL. */
static enum hd_rc run_and_report(const struct hd_args *args, const heddle_machine *machine,
                                 struct hd_power_watch *w, const struct question *q, FILE *saif, FILE *report,
                                 json_t **json, struct hd_why *why) {
  const struct hd_design *design = machine->design;
  const struct hd_watch watch = hd_power_watch(w);
  const struct hd_cosim_job job = {.design = design,
                                   .module = q->run,
                                   .workload = args->workload,
                                   .gpu = args->gpu,
                                   .seed = args->seed,
                                   .cycles = args->random ? args->cycles : 0,
                                   /* a replay has no reset in the middle */
                                   .segment = args->replay ? args->cycles : 0,
                                   .work = args->work,
                                   .no_waves = true,
                                   .inside = true,
                                   .watch = &watch,
                                   .progress = hd_cli_cosim_progress,
                                   .user = (void *)q->run};
  struct hd_cosim_report found = {0};
  struct hd_power_report power = {0};
  unsigned mhz;
  hd_design_clock(design, q->top, &mhz);
  hd_progress((struct hd_pace){0}, "%s: compiling the RTL", q->run);
  enum hd_rc rc = hd_cosim_run(&job, &found, why);
  hd_progress_end();
  if (rc == HD_OK) {
    struct hd_pricer pricer = hd_cli_pricer(args->node_nm, args->work);
    rc = hd_power_report_make(w, mhz, &pricer, &power, why);
    power.stimulus = args->random ? "random traffic" : args->workload;
    hd_cli_pricer_free(&pricer);
  }
  if (rc == HD_OK && w->replay)
    rc = hd_replay_end(w->replay, &w->part->gates, why);
  if (rc == HD_OK && saif)
    hd_toggles_saif(&w->toggles, w->top, HD_VERSION, 1e6 / mhz, saif);
  if (rc == HD_OK) {
    hd_power_print(&power, report);
    *json = hd_power_json(&power);
    json_object_set_new(*json, "seed", json_integer((json_int_t)args->seed));
    json_object_set_new(*json, "made", hd_cli_now());
    json_object_set_new(*json, "version", json_string(HD_VERSION));
  }
  hd_power_report_free(&power);
  hd_cosim_free(&found);
  return rc;
}

static enum hd_rc measure(const struct hd_args *args, const heddle_machine *machine, FILE *report,
                          json_t **json, struct hd_why *why) {
  struct hd_lib lib = {0};
  struct hd_power_watch w = {
      .lib = &lib, .from = args->from, .to = args->to, .sample = (unsigned)args->sample};
  struct question q;
  struct hd_replay replay = {0};
  struct hd_out saif = {0};
  char *lib_path = NULL;
  enum hd_rc rc = read_question(args, machine->design, &q, why);
  if (rc == HD_OK)
    rc = hd_out_open(&saif, "saif", args->saif, why);
  if (rc == HD_OK && args->replay) {
    rc = hd_replay_open(&replay, args->replay, why);
    w.replay = &replay;
  }
  if (rc == HD_OK)
    rc = hd_synth_lib_path(args->lib, args->work, &lib_path, why);
  if (rc == HD_OK)
    rc = hd_lib_read(lib_path, &lib, why);
  if (rc == HD_OK)
    rc = hd_price_need(&lib, why);
  if (rc == HD_OK)
    rc = hd_power_parts(&w, hd_design_find(machine->design, q.top), q.part, why);
  if (rc == HD_OK)
    rc = make_netlists(args, machine->design, &w, lib_path, why);
  if (rc == HD_OK)
    rc = run_and_report(args, machine, &w, &q, saif.f, report, json, why);
  rc = hd_out_close(&saif, rc == HD_OK, rc, why);
  if (rc != HD_OK) {
    json_decref(*json);
    *json = NULL;
  }
  for (int i = 0; i < w.parts; i++)
    free((char *)w.part[i].netlist);
  hd_power_free(&w);
  hd_replay_close(&replay);
  hd_lib_free(&lib);
  free(lib_path);
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  if (args->of && (args->config || args->workload || args->random))
    return hd_because(why, HD_INPUT, "--run: found with %s; allowed alone; the file says what was run",
                      args->config     ? "--config"
                      : args->workload ? "--workload"
                                       : "--random");
  if (args->of)
    return hd_cli_power_run(args, why);
  if (!args->config)
    return hd_because(why, HD_INPUT,
                      "found neither --config nor --run; allowed one; see heddle power --help");
  if (!args->random == !args->workload)
    return hd_because(why, HD_INPUT,
                      "found %s of --workload and --random; allowed one; see heddle power --help",
                      args->random ? "both" : "none");
  if (args->gpu && args->random)
    return hd_because(why, HD_INPUT,
                      "--gpu: found with --random; allowed with --workload only; the GPU runs a workload");
  if (args->to && args->to <= args->from)
    return hd_because(why, HD_INPUT,
                      "--to: found %llu; allowed a cycle after --from, or 0: the end of the run",
                      (unsigned long long)args->to);
  const uint64_t counted = args->to ? args->to - args->from : args->random ? args->cycles : UINT64_MAX;
  if (args->replay && args->clock_gate)
    return hd_because(why, HD_INPUT,
                      "--replay: found with --clock-gate; allowed without, since a gating cell "
                      "has no function that other simulators read");
  if (args->replay && (!args->top || args->sample != 1 || counted > REPLAYED))
    return hd_because(
        why, HD_INPUT,
        "--replay: found %s; allowed with --top, --sample 1 and up to %d cycles; see --from and --to",
        !args->top          ? "no --top"
        : args->sample != 1 ? "--sample"
                            : "more cycles",
        REPLAYED);
  if (!args->sample || args->sample > 1000000)
    return hd_because(why, HD_INPUT, "--sample: found %llu; allowed 1 to 1000000",
                      (unsigned long long)args->sample);
  return hd_cli_answer(args, measure, why);
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(false),
    HD_OPT("workload", 'w', HD_OPT_TEXT, false, workload, "WORKLOAD", "drive sm_mem with this, to its end"),
    HD_OPT("random", 'r', HD_OPT_FLAG, false, random, NULL, "drive the module with random traffic"),
    HD_OPT("gpu", 0, HD_OPT_FLAG, false, gpu, NULL,
           "the whole GPU on the workload: of it sm_mem of SM 0 is priced, or with -t l2_slice and the like "
           "L2 bank 0"),
    HD_OPT_TOP("price this module alone (all in sm_mem); with --random it alone is run"),
    HD_OPT("from", 0, HD_OPT_COUNT, false, from, "N", "first cycle that counts (0)"),
    HD_OPT("to", 0, HD_OPT_COUNT, false, to, "N",
           "cycle behind the last one, where the run ends; 0: its end (0)"),
    HD_OPT("sample", 0, HD_OPT_COUNT, false, sample, "N",
           "simulate the gates in one of N windows of 1024 cycles; the rest by the toggles of registers and "
           "ports (1)"),
    HD_OPT("saif", 0, HD_OPT_TEXT, false, saif, "FILE",
           "toggles of each bit of registers and ports, as SAIF 2.0"),
    HD_OPT("replay", 0, HD_OPT_TEXT, false, replay, "DIR",
           "the gates of -t, their stimulus and a testbench, for another simulator (docs/power.md)"),
    HD_OPT("run", 0, HD_OPT_TEXT, false, of, "FILE",
           "instead: energy of the GPU in the runs that `heddle sim -c gpu/... --json FILE` wrote"),
    HD_OPT("seed", 's', HD_OPT_COUNT, false, seed, "N", "of everything random (1)"),
    HD_OPT("cycles", 'n', HD_OPT_COUNT, false, cycles, "N", "random: how many, then drain (20000)"),
    HD_OPT_GATE,
    HD_OPT("lib", 'l', HD_OPT_TEXT, false, lib, "LIB",
           "heddle45, osu018, or the path of a liberty file (heddle45)"),
    HD_OPT("node", 0, HD_OPT_REAL, false, node_nm, "NM", "memories at this node, 22 to 90 (45)"),
    HD_OPT("work", 0, HD_OPT_TEXT, false, work, "DIR", "RTL, netlists, Verilator output (build/power)"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_power = {
    "power",
    "energy of logic and memories on a workload, from counted toggles and accesses",
    NULL,
    "example: heddle power -c apcm -t psb --random\n"
    "         heddle power -c mrpb -w atax:tiny -t mrpb --to 20000 --saif mrpb.saif\n"
    "         heddle power -c mrpb -w atax:tiny --sample 16 --json power.json\n"
    "         heddle power --run run.json",
    opts,
    {.lib = "heddle45", .work = "build/power", .seed = 1, .cycles = 20000, .sample = 1, .node_nm = 45},
    run};
