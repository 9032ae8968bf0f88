/* heddle report: gathers Heddle's data of machines as JSON, and makes one HTML page of it (page.py,
 * page.html).
 *
 * Invariant: every figure of the page is in the JSON (--json), as this program computed or measured it. The
 * page only adds means and shares of these figures.
 */
#include "base/programs.h"
#include "base/version.h"
#include "cli/demo/demo.h"
#include "cli/list/list.h"
#include "cli/price/price.h"
#include "cli/report/given.h"
#include "cli/sim/run_set.h"
#include "cli/sim/sim.h"
#include "rtl_gen/rtl.h"
#include "verif/harness/cosim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Woverlength-strings"
/* The page's program and template are embedded in this program: {path, text} each. */
static const struct {
  const char *path, *text;
} texts[] = {
#include "cli/report/text.h"
};

enum { ROWS = 150 /* rows of a run over time */, PAGE_S = 600 };

/* --- one machine ---------------------------------------------------------------------------------------- */

static enum hd_rc cannot(const char *path, struct hd_why *why) {
  return hd_because(why, HD_INPUT, "%s cannot be written: %s", path, strerror(errno));
}

static json_t *diagram(const heddle_machine *machine) {
  char *text = NULL;
  size_t size;
  FILE *f = hd_memory_open(&text, &size);
  hd_list_dot(machine->design, f);
  hd_memory_close(f);
  json_t *dot = json_string(text);
  free(text);
  return dot;
}

/* Adds lines and bytes of each module's Verilog; null if a module has none. */
static enum hd_rc sizes(const heddle_machine *machine, const char *dir, json_t *modules, struct hd_why *why) {
  if (hd_rtl_there(machine->design, "sm_mem", NULL) != HD_OK)
    return HD_OK;
  const enum hd_rc rc = hd_rtl_write(machine->design, "sm_mem", dir, why);
  size_t i;
  json_t *module;
  json_array_foreach(modules, i, module) {
    char *path = hd_format("%s/%s.v", dir, json_string_value(json_object_get(module, "name")));
    char *text = rc == HD_OK ? hd_slurp(path) : NULL;
    json_int_t lines = 0;
    for (const char *at = text; at && (at = strchr(at, '\n')); at++)
      lines++;
    json_object_set_new(module, "verilog_lines", text ? json_integer(lines) : json_null());
    json_object_set_new(module, "verilog_bytes", text ? json_integer((json_int_t)strlen(text)) : json_null());
    free(text);
    free(path);
  }
  return rc;
}

static enum hd_rc lockstep(const struct hd_args *args, const heddle_machine *machine, json_t *to,
                           struct hd_why *why) {
  char *work = hd_format("%s/cosim", args->work);
  const struct hd_cosim_job job = {.design = machine->design,
                                   .module = "sm_mem",
                                   .seed = args->seed,
                                   .cycles = args->cycles,
                                   .work = work,
                                   .config_path = machine->c.path,
                                   .progress = hd_cli_cosim_progress,
                                   .user = (void *)machine->c.name};
  struct hd_cosim_report found = {0};
  hd_progress((struct hd_pace){0}, "%s: compiling the RTL", machine->c.name);
  enum hd_rc rc = hd_cosim_run(&job, &found, why);
  hd_progress_end();
  if (rc == HD_OK || rc == HD_CHECK) {
    json_t *lockstep = hd_cosim_json(&found);
    json_object_set_new(lockstep, "error", rc == HD_OK ? json_null() : json_string(why->text));
    json_object_set_new(to, "lockstep", lockstep);
    rc = HD_OK; /* the page shows the error */
  }
  hd_cosim_free(&found);
  free(work);
  return rc;
}

/* Prices every module without inner modules alone, and the area of what a paper prices. */
static enum hd_rc price(const struct hd_args *args, const heddle_machine *machine, json_t *to,
                        struct hd_why *why) {
  struct hd_args at = *args;
  char *work = hd_format("%s/price", args->work);
  at.work = work;
  struct hd_pricer pricer = hd_cli_pricer(0, work);
  json_t *all = json_array(), *area = NULL;
  const struct hd_design *design = machine->design;
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < design->n && rc == HD_OK && !args->no_logic; i++) {
    struct hd_synth_report synth;
    if (design->decls[i]->n_insts)
      continue;
    rc = hd_cli_synth(&at, design, design->decls[i]->module, (struct hd_cli_alone){(int)i, (int)design->n},
                      &pricer, &synth, why);
    if (rc == HD_OK)
      json_array_append_new(all, hd_synth_json(&synth));
    hd_synth_free(&synth);
  }
  hd_progress_end();
  hd_cli_pricer_free(&pricer);
  if (rc == HD_OK) {
    FILE *nowhere = fopen("/dev/null", "w");
    rc = nowhere ? hd_cli_area(&at, machine, nowhere, &area, why) : cannot("/dev/null", why);
    if (nowhere)
      fclose(nowhere);
  }
  json_object_set_new(to, "synth", all);
  json_object_set_new(to, "area", area ? area : json_null());
  free(work);
  return rc;
}

/* Runs the first workload once more, over time. */
static enum hd_rc over_time(const struct hd_args *args, const struct hd_run *run, const char *dir, json_t *to,
                            struct hd_why *why) {
  char *path = hd_format("%s/series.json", dir);
  const json_int_t cycles = json_integer_value(json_object_get(run->result, "cycles"));
  struct hd_args one = *args;
  one.workload = run->workload;
  one.cycles = 0;
  one.series = path;
  one.interval = cycles > ROWS ? (uint64_t)(cycles / ROWS) : 1;
  FILE *nowhere = fopen("/dev/null", "w");
  json_t *again = NULL;
  enum hd_rc rc =
      nowhere ? hd_cli_simulate(&one, run->machine, nowhere, &again, why) : cannot("/dev/null", why);
  if (nowhere)
    fclose(nowhere);
  json_decref(again);
  json_t *rows = rc == HD_OK ? json_load_file(path, 0, NULL) : NULL;
  if (rc == HD_OK && !rows)
    rc = hd_because(why, HD_TOOL, "%s is no JSON", path);
  json_object_set_new(to, "series",
                      json_pack("{s:s, s:o}", "workload", run->workload, "rows", rows ? rows : json_null()));
  free(path);
  return rc;
}

static enum hd_rc of_machine(const struct hd_args *args, const struct hd_run_set *set, size_t number,
                             json_t *machines, struct hd_why *why) {
  const heddle_machine *machine = set->machine[number];
  json_t *modules = hd_list_modules_json(machine->design);
  json_t *one = json_pack("{s:s, s:o, s:o, s:O, s:n, s:n, s:n, s:s?}", "name", machine->c.name, "config",
                          hd_cli_config_json(&machine->c), "dot", diagram(machine), "modules", modules,
                          "lockstep", "synth", "area", "model_only", hd_config_model_only(&machine->c));
  json_array_append_new(machines, one);
  char *dir = hd_format("%s/%zu", args->work, number), *rtl = hd_format("%s/rtl", dir);
  const bool there = hd_rtl_there(machine->design, "sm_mem", NULL) == HD_OK;
  enum hd_rc rc = hd_make_dirs(dir) ? sizes(machine, rtl, modules, why) : cannot(dir, why);
  if (rc == HD_OK && there && !args->no_lockstep)
    rc = lockstep(args, machine, one, why);
  if (rc == HD_OK && there)
    rc = price(args, machine, one, why);
  const struct hd_run *first = &set->run[number * set->workloads];
  if (rc == HD_OK && hd_run_rc(first) == HD_OK)
    rc = over_time(args, first, dir, one, why);
  json_decref(modules);
  free(dir);
  free(rtl);
  return rc;
}

/* --- the page ------------------------------------------------------------------------------------------- */

static enum hd_rc write_text(const char *path, const char *text, struct hd_why *why) {
  return hd_write_file(path, text) ? HD_OK : cannot(path, why);
}

/* Runs page.py DATA PAGE, with its template beside it, and copies the page to f. */
static enum hd_rc make_page(const struct hd_args *args, const json_t *data, FILE *f, struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < sizeof texts / sizeof *texts && rc == HD_OK; i++) {
    char *path = hd_format("%s/%s", args->work, strrchr(texts[i].path, '/') + 1);
    rc = write_text(path, texts[i].text, why);
    free(path);
  }
  char *json = hd_format("%s/report.json", args->work), *page = hd_format("%s/report.html", args->work),
       *script = hd_format("%s/page.py", args->work), *log = hd_format("%s/page.log", args->work);
  if (rc == HD_OK && json_dump_file(data, json, JSON_INDENT(1)))
    rc = cannot(json, why);
  if (rc == HD_OK) {
    hd_progress((struct hd_pace){0}, "drawing the page");
    const char *const argv[] = {script, json, page, args->store ? args->store : "", NULL};
    const int status = hd_program_run(HD_PYTHON, argv, NULL, log, PAGE_S);
    hd_progress_end();
    char *said = status ? hd_last_line(log) : NULL, *html = status ? NULL : hd_slurp(page);
    rc = status
             ? hd_because(why, HD_TOOL, "the page cannot be drawn: %s; see %s and heddle doctor --for report",
                          *said ? said : "Python failed", log)
         : html ? HD_OK
                : cannot(page, why);
    if (rc == HD_OK)
      fputs(html, f);
    free(said);
    free(html);
  }
  free(json);
  free(page);
  free(script);
  free(log);
  return rc;
}

/* Gathers the runs, then the data of each machine. */
static enum hd_rc gather(const struct hd_args *args, struct hd_run_set *set, json_t *data,
                         struct hd_why *why) {
  struct hd_why failed = {""};
  enum hd_rc rc = set->machines ? hd_run_set_go(set, hd_run_set_pool, &failed) : HD_OK;
  size_t open = 0;
  if (set->machines)
    free(hd_run_set_open(set, &open));
  if (open)
    return hd_because(why, rc == HD_OK ? HD_TOOL : rc, "%s", failed.text);
  json_t *table = hd_table_json(set), *machines = json_array();
  json_object_update(data, table);
  json_decref(table);
  json_object_set_new(data, "machines", machines);
  rc = HD_OK; /* a failed run has a row */
  for (size_t i = 0; i < set->machines && rc == HD_OK; i++)
    rc = of_machine(args, set, i, machines, why);
  return rc;
}

/* The answer once the page exists. Returns HD_CHECK if a run or lockstep failed: a difference, a failed
 * check of the environment, or nothing compared. */
static enum hd_rc verdict(const struct hd_run_set *set, const json_t *data, struct hd_why *why) {
  size_t failed = 0, differ = 0, i;
  for (i = 0; i < set->runs; i++)
    failed += hd_run_rc(&set->run[i]) != HD_OK;
  const json_t *machine;
  json_array_foreach(json_object_get(data, "machines"), i, machine) {
    const json_t *lockstep = json_object_get(machine, "lockstep");
    differ += json_is_object(lockstep) && !json_is_null(json_object_get(lockstep, "error"));
  }
  return !failed && !differ
             ? HD_OK
             : hd_because(why, HD_CHECK,
                          "%zu of %zu runs failed; lockstep failed on %zu of %zu machines; the "
                          "page says which",
                          failed, set->runs, differ, set->machines);
}

/* Checks for the programs before minutes of work, not after. */
static enum hd_rc find_tools(const struct hd_args *args, struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  for (enum hd_program_id i = 0; i < HD_PROGRAMS && rc == HD_OK; i++)
    if (hd_program_needed(i, "report") &&
        !((args->no_lockstep || !args->configs.n) && hd_program_needed(i, "cosim")) &&
        !((args->no_logic || !args->configs.n) && hd_program_needed(i, "synth")))
      rc = hd_program_need(i, why);
  char version[64];
  if (rc == HD_OK && hd_program_check(HD_JINJA, version, sizeof version) != HD_PROGRAM_GOOD)
    rc = hd_because(why, HD_TOOL, "Jinja2 of %s or later is not there: %s; see heddle doctor --for report",
                    hd_programs[HD_JINJA].oldest, hd_programs[HD_JINJA].get);
  return rc;
}

/* A page of the papers' figures alone has no machines, and runs nothing. */
static enum hd_rc without_machines(const struct hd_args *args, struct hd_why *why) {
  if (args->configs.n)
    return HD_OK;
  if (!args->papers)
    return hd_because(why, HD_INPUT,
                      "--config CONFIG is missing; a page without machines has --papers; see heddle report "
                      "--help");
  const char *of_machines = args->workloads.n ? "workload"
                            : args->store     ? "store"
                            : args->set.n     ? "set"
                                              : NULL;
  return of_machines ? hd_because(why, HD_INPUT, "--%s: found without --config; allowed with it", of_machines)
                     : HD_OK;
}

static enum hd_rc run(const struct hd_args *given, struct hd_why *why) {
  struct hd_args args = *given;
  for (size_t i = 0; !given->workloads.n && i < DEMO_KERNELS; i++)
    args.workloads.text[args.workloads.n++] = demo_kernels[i][0];
  struct hd_args runs = args; /* --cycles is for lockstep only */
  runs.cycles = 0;
  struct hd_run_set set = {.args = &runs, .verb = "report"};
  struct hd_answer answer;
  struct hd_out page = {0};
  enum hd_rc rc = without_machines(given, why);
  if (rc == HD_OK)
    rc = find_tools(&args, why);
  json_t *data = json_pack("{s:s, s:o, s:s, s:o}", "version", HD_VERSION, "made", hd_cli_now(), "out",
                           args.out, "params", hd_list_params_json());
  if (rc == HD_OK)
    rc = hd_report_given(&args, data, why);
  if (rc == HD_OK && args.configs.n)
    rc = hd_run_set_load(&set, why);
  if (rc == HD_OK && !hd_make_dirs(args.work))
    rc = cannot(args.work, why);
  if (rc == HD_OK)
    rc = hd_out_open(&page, "out", args.out, why);
  if (rc == HD_OK && (rc = hd_answer_open(&args, &answer, why)) != HD_OK)
    hd_out_close(&page, false, rc, why);
  if (rc != HD_OK)
    json_decref(data);
  else {
    rc = gather(&args, &set, data, why);
    if (rc == HD_OK)
      rc = make_page(&args, data, page.f, why);
    rc = hd_out_close(&page, rc == HD_OK, rc, why);
    if (rc == HD_OK)
      fprintf(answer.report, "%s: %zu machines, %zu workloads\n", args.out, set.machines, set.workloads);
    if (rc != HD_OK) {
      json_decref(data);
      data = NULL;
    } else
      rc = verdict(&set, data, why);
    rc = hd_answer_close(&answer, data, rc, why);
  }
  hd_run_set_free(&set);
  return rc;
}

static const struct hd_opt opts[] = {
    HD_OPT("config", 'c', HD_OPT_LIST, false, configs, "CONFIG",
           "machine, as for `heddle sim`; several are compared, with the first one; none: --papers alone"),
    HD_OPT_CHANGES,
    HD_OPT(
        "workload", 'w', HD_OPT_LIST, false, workloads, "WORKLOAD",
        "what runs, as for `heddle sim`; the first one also over time (the eight kernels of `heddle demo`)"),
    HD_OPT("out", 'o', HD_OPT_TEXT, true, out, "FILE.html", "the page: one file"),
    HD_OPT("store", 0, HD_OPT_TEXT, false, store, "FILE",
           "results are taken from there and kept there; curves of the keys that its machines differ in"),
    HD_OPT("papers", 0, HD_OPT_TEXT, false, papers, "FILE",
           "the papers' figures, ours beside theirs: docs/results/figures.json"),
    HD_OPT("campaign", 0, HD_OPT_LIST, false, campaign, "FILE",
           "lockstep that was run before: what make campaign keeps; may be repeated"),
    HD_OPT("proofs", 0, HD_OPT_LIST, false, proofs, "FILE",
           "what heddle prove --json wrote; may be repeated"),
    HD_OPT("power", 0, HD_OPT_LIST, false, power, "FILE",
           "what heddle power --json wrote, of hardware or with --run; may be repeated"),
    HD_OPT("jobs", 'j', HD_OPT_COUNT, false, jobs, "N", "runs at a time; 0: as many as there are cores (0)"),
    HD_OPT("no-logic", 0, HD_OPT_FLAG, false, no_logic, NULL,
           "no synthesis: no clock, area of memories only"),
    HD_OPT("no-lockstep", 0, HD_OPT_FLAG, false, no_lockstep, NULL, "no lockstep"),
    HD_OPT("cycles", 'n', HD_OPT_COUNT, false, cycles, "N", "of random traffic in lockstep (100000)"),
    HD_OPT("seed", 's', HD_OPT_COUNT, false, seed, "N", "of it (1)"),
    HD_OPT("lib", 'l', HD_OPT_TEXT, false, lib, "LIB", "cells: see heddle synth --help (heddle45)"),
    HD_OPT("work", 0, HD_OPT_TEXT, false, work, "DIR", "RTL, logs, netlists (build/report)"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_report = {
    "report",
    "one HTML page about a machine, or about several beside each other",
    NULL,
    "example: heddle report -c fermi_16k -c mrpb -o mrpb.html\n"
    "         heddle report -c apres -w apres -o apres.html --store apres.db --no-logic\n"
    "         heddle report --papers docs/results/figures.json -o papers.html\n"
    "         heddle report -c mrpb -o mrpb.html --campaign build/campaign.jsonl --proofs proofs.json "
    "--power power.json",
    opts,
    {.work = "build/report", .cycles = 100000, .seed = 1, .lib = "heddle45"},
    run};
