/* heddle synth: the logic through Yosys and OpenSTA, one line a module. */
#include "cli/price.h"
#include "rtl_gen/rtl.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct hd_pricer hd_cli_pricer(double node_nm, char *cacti, size_t room) {
  return (struct hd_pricer){node_nm, hd_cacti_find("build", cacti, room) ? cacti : NULL, "build/price"};
}

/* Removes the Verilog of an earlier run: synthesis reads every .v of the directory. */
static void remove_verilog(const char *dir) {
  DIR *d = opendir(dir);
  if (!d)
    return;
  for (struct dirent *e; (e = readdir(d));) {
    const char *dot = strrchr(e->d_name, '.');
    if (dot && !strcmp(dot, ".v"))
      unlinkat(dirfd(d), e->d_name, 0);
  }
  closedir(d);
}

static void progress(void *user, const char *module, int done, int of) {
  (void)user;
  hd_progress("synthesis: %s, %d of %d modules done", module, done, of);
}

enum hd_rc hd_cli_synth(const struct hd_args *args, const struct hd_design *design, const char *top, bool all,
                        const struct hd_pricer *pricer, struct hd_synth_report *report, struct hd_why *why) {
  *report = (struct hd_synth_report){0};
  char *work = hd_format("%s/%s", args->work, design->c->name), *rtl = hd_format("%s/rtl", work);
  remove_verilog(rtl);
  enum hd_rc rc = hd_rtl_write(design, top, rtl, why);
  struct hd_synth_module *modules = NULL;
  if (rc == HD_OK) {
    const int n = hd_synth_modules_of(design, top, &modules);
    const struct hd_synth_job job = {.rtl_dir = rtl,
                                     .module = modules,
                                     .modules = all ? n : 1,
                                     .lib = args->lib,
                                     .work = work,
                                     .pricer = *pricer,
                                     .progress = progress};
    rc = hd_synth_run(&job, report, why);
    hd_progress_end();
  }
  free(modules);
  free(rtl);
  free(work);
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  struct hd_config c;
  struct hd_design *design;
  enum hd_rc rc = hd_cli_design(args, args->top, &c, &design, why);
  if (rc != HD_OK)
    return rc;
  struct hd_answer answer;
  json_t *json = NULL;
  rc = hd_answer_open(args, &answer, why);
  if (rc == HD_OK) {
    char cacti[4096];
    const struct hd_pricer pricer = hd_cli_pricer(0, cacti, sizeof cacti);
    struct hd_synth_report report;
    rc = hd_cli_synth(args, design, args->top, true, &pricer, &report, why);
    if (rc == HD_OK) {
      const double fmax = report.result[0].timing.fmax_mhz, wanted = c.sm.clock_mhz;
      hd_synth_print(&report, answer.report);
      fprintf(answer.report, "sm.clock_mhz %g: %s (%s reaches %.0f MHz, before wires)\n", wanted,
              fmax >= wanted ? "met" : "missed", args->top, fmax);
      json = hd_synth_json(&report);
      json_object_set_new(json, "config", hd_cli_config_json(&c));
      json_object_set_new(json, "clock_mhz", json_real(wanted));
      json_object_set_new(json, "meets_clock", json_boolean(fmax >= wanted));
      if (fmax < args->require_mhz)
        rc = hd_because(why, HD_CHECK, "%s reaches %.0f MHz, below the %g required", args->top, fmax,
                        args->require_mhz);
    }
    hd_synth_free(&report);
  }
  rc = hd_answer_close(&answer, json, rc, why);
  hd_design_free(design);
  return rc;
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(true),
    HD_OPT_TOP("synthesise this module and each one in it (sm_mem)"),
    HD_OPT("lib", 'l', HD_OPT_TEXT, false, lib, "LIB",
           "heddle45, osu018, or the path of a liberty file (heddle45)"),
    HD_OPT("require-mhz", 0, HD_OPT_REAL, false, require_mhz, "N", "exit 1 if the module is slower"),
    HD_OPT("work", 0, HD_OPT_TEXT, false, work, "DIR", "RTL, scripts, logs, netlists (build/synth)"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_synth = {
    "synth",
    "cells, area and clock of the logic, by Yosys and OpenSTA",
    NULL,
    "example: heddle synth -c mrpb -t mrpb\n"
    "         heddle synth -c apres_32k --require-mhz 1400 --json synth.json",
    opts,
    {.top = "sm_mem", .lib = "heddle45", .work = "build/synth"},
    run};
