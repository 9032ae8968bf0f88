/* heddle synth: takes the logic through Yosys and OpenSTA, one line per module. */
#include "cli/price/price.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct hd_pricer hd_cli_pricer(double node_nm, const char *work) {
  char path[PATH_MAX];
  const char *wish = getenv("CACTI");
  const bool found = hd_cacti_find(HD_BUILD_DIR, path, sizeof path);
  if (!found && wish && *wish && strcmp(wish, "none"))
    fprintf(
        stderr,
        "heddle: CACTI=%s is no program with tech_params beside it; the embedded model prices the memories\n",
        wish);
  return (struct hd_pricer){node_nm, found ? hd_format("%s", path) : NULL, hd_format("%s/price", work)};
}

void hd_cli_pricer_free(struct hd_pricer *pricer) {
  free((char *)pricer->cacti);
  free((char *)pricer->work_dir);
}

enum hd_rc hd_cli_synth(const struct hd_args *args, const struct hd_design *design, const char *top,
                        struct hd_cli_alone alone, const struct hd_pricer *pricer,
                        struct hd_synth_report *report, struct hd_why *why) {
  *report = (struct hd_synth_report){0};
  struct hd_cli_place place;
  enum hd_rc rc = hd_cli_place_open(args->work, args->rtl, design, top, args->attached, &place, why);
  if (rc == HD_OK) {
    struct hd_cli_going going = {design, place.modules, alone};
    const struct hd_synth_job job = {.rtl_dir = place.rtl,
                                     .module = place.group ? place.group : place.modules,
                                     .modules = alone.of ? 1 : place.n,
                                     .lib = args->lib,
                                     .work = place.dir,
                                     .pricer = *pricer,
                                     .gate = (unsigned)args->clock_gate,
                                     .progress = hd_cli_synth_progress,
                                     .user = &going};
    rc = hd_synth_run(&job, report, why);
  }
  hd_cli_place_close(&place);
  return rc;
}

enum hd_rc hd_cli_netlist(const char *work, unsigned gate, const struct hd_design *design, const char *module,
                          const char *lib_path, const struct hd_lib *lib, char **netlist,
                          struct hd_why *why) {
  struct hd_cli_place place;
  *netlist = NULL;
  enum hd_rc rc = hd_cli_place_open(work, NULL, design, module, false, &place, why);
  if (rc == HD_OK) {
    const struct hd_synth_job job = {.rtl_dir = place.rtl, .work = place.dir, .gate = gate};
    rc = hd_synth_names(&job, place.modules, lib_path, lib, netlist, why);
  }
  hd_cli_place_close(&place);
  return rc;
}

static enum hd_rc synthesise(const struct hd_args *args, const heddle_machine *machine, FILE *report,
                             json_t **json, struct hd_why *why) {
  const struct hd_design *design = machine->design;
  struct hd_pricer pricer = hd_cli_pricer(0, args->work);
  struct hd_synth_report synth;
  const struct hd_cli_alone alone = {0, args->attached ? 1 : 0};
  enum hd_rc rc = hd_cli_synth(args, design, args->top, alone, &pricer, &synth, why);
  hd_progress_end();
  if (rc == HD_OK) {
    unsigned target;
    const double fmax = synth.result[0].timing.fmax_mhz;
    const char *name = synth.result[0].name, *clock = hd_design_clock(design, args->top, &target);
    hd_synth_print(&synth, report);
    double low, high;
    fprintf(report, "%s %u: %s (%s reaches %.0f MHz", clock, target, fmax >= target ? "met" : "missed", name,
            fmax);
    if (hd_synth_tolerance(&synth, &synth.result[0].timing, &low, &high))
      fprintf(report, ", range %.0f to %.0f", low, high);
    fprintf(report, ", before layout)\n");
    *json = hd_synth_json(&synth);
    json_object_set_new(*json, "clock_mhz", json_real(target));
    json_object_set_new(*json, "meets_clock", json_boolean(fmax >= target));
    if (fmax < args->require_mhz)
      rc = hd_because(why, HD_CHECK, "%s reaches %.0f MHz, below the %g required", name, fmax,
                      args->require_mhz);
  }
  hd_synth_free(&synth);
  hd_cli_pricer_free(&pricer);
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  if (!strcmp(args->target, "ecp5") && args->clock_gate)
    return hd_because(
        why, HD_INPUT,
        "--clock-gate: found --target ecp5, whose flip-flops have enables of their own; allowed "
        "with --target asic");
  if (!strcmp(args->target, "ecp5"))
    return hd_cli_answer(args, hd_cli_fpga, why);
  if (strcmp(args->target, "asic"))
    return hd_because(why, HD_INPUT, "--target: found %s; allowed asic, ecp5", args->target);
  if (args->out_of_context)
    return hd_because(why, HD_INPUT, "--out-of-context: found --target asic; allowed with --target ecp5");
  return hd_cli_answer(args, synthesise, why);
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(true),
    HD_OPT_TOP("synthesise this module and each one in it (sm_mem)"),
    HD_OPT("attached", 0, HD_OPT_FLAG, false, attached, NULL,
           "with the modules attached to it (-t l1d: on its hooks), as one module"),
    HD_OPT("lib", 'l', HD_OPT_TEXT, false, lib, "LIB",
           "heddle45, osu018, or the path of a liberty file (heddle45)"),
    HD_OPT("rtl", 0, HD_OPT_TEXT, false, rtl, "DIR",
           "Verilog that heddle gen -t MODULE -o DIR wrote and that was edited since, in place of what is "
           "generated"),
    HD_OPT_GATE,
    HD_OPT("require-mhz", 0, HD_OPT_REAL, false, require_mhz, "N", "exit 1 if the module is slower"),
    HD_OPT("target", 0, HD_OPT_TEXT, false, target, "TARGET",
           "asic: cells of --lib; ecp5: an FPGA, placed and routed by nextpnr (asic)"),
    HD_OPT("device", 0, HD_OPT_TEXT, false, device, "DEVICE", "ecp5: 12k, 25k, 45k, 85k (85k)"),
    HD_OPT("out-of-context", 0, HD_OPT_FLAG, false, out_of_context, NULL,
           "ecp5: the ports stay inside the FPGA, for a module that has more of them than it has pins"),
    HD_OPT("seed", 's', HD_OPT_COUNT, false, seed, "N", "ecp5: of the placement (1)"),
    HD_OPT("work", 0, HD_OPT_TEXT, false, work, "DIR", "RTL, scripts, logs, netlists (build/synth)"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_synth = {
    "synth",
    "cells, area and clock of the logic, by Yosys and OpenSTA; or of an FPGA, by nextpnr",
    NULL,
    "example: heddle synth -c mrpb -t mrpb\n"
    "         heddle synth -c mrpb -t mrpb --require-mhz 1400 --json synth.json\n"
    "         heddle gen -c mrpb -t mrpb -o mine && heddle synth -c mrpb -t mrpb --rtl mine\n"
    "         heddle synth -c mrpb -t mrpb --target ecp5 --out-of-context",
    opts,
    {.top = "sm_mem", .lib = "heddle45", .target = "asic", .device = "85k", .seed = 1, .work = "build/synth"},
    run};
