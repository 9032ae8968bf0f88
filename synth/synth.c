/* Runs modules through the flow, and checks that they have the declared bits; see synth.h. */
#include "synth/synth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

enum hd_rc hd_synth_lib_path(const char *choice, const char *work, char **path, struct hd_why *why) {
  static const char osu018[] = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";
  *path = NULL;
  if (!choice || !strcmp(choice, "heddle45")) {
    if (!hd_make_dirs(work))
      return hd_because(why, HD_INPUT, "cannot make the directory %s", work);
    char *file = hd_format("%s/heddle45.lib", work);
    const enum hd_rc rc = hd_heddle45_write(file, why);
    *path = realpath(file, NULL);
    free(file);
    return rc;
  }
  const bool osu = !strcmp(choice, "osu018");
  const char *file = osu ? osu018 : choice;
  if (access(file, R_OK))
    return osu ? hd_because(why, HD_TOOL, "%s is missing (Debian: apt install qflow-tech-osu018)", file)
               : hd_because(why, HD_INPUT, "library %s: neither heddle45, osu018 nor a readable liberty file",
                            choice);
  *path = realpath(file, NULL);
  return HD_OK;
}

enum hd_rc hd_synth_check_bits(const struct hd_synth_result *r, struct hd_why *why) {
  const long found = r->net.flipflops + r->net.latches + r->net.macro_bits;
  if (r->net.latches != r->declared_latches || r->net.rows != r->declared_rows)
    return hd_because(
        why, HD_CHECK,
        "%s: %ld latches in %ld rows declared, %ld found with %ld clock-gating cells; the RTL leaves a "
        "register unassigned in some branch, or a row is constant or unused",
        r->name, r->declared_latches, r->declared_rows, r->net.latches, r->net.rows);
  if (r->declared_bits < 0 || r->declared_bits == found)
    return HD_OK;
  return hd_because(why, HD_CHECK,
                    "%s: %ld bits declared, %ld found (%ld flip-flops + %ld latches + %ld bits in RAM "
                    "macros); a register is constant, "
                    "unused or missing from the declaration",
                    r->name, r->declared_bits, found, r->net.flipflops, r->net.latches, r->net.macro_bits);
}

/* The suffix of the directory of a run with gated clocks, to be freed. */
static char *gated(unsigned gate) {
  return gate ? hd_format("-gated%u", gate) : hd_format("%s", "");
}

static enum hd_rc can_gate(const struct hd_synth_job *job, const struct hd_lib *lib, struct hd_why *why) {
  if (!job->gate || *lib->gate)
    return HD_OK;
  return hd_because(why, HD_INPUT,
                    "library %s: found no clock-gating cell (clock_gating_integrated_cell : latch_posedge); "
                    "allowed a library with one, e.g. heddle45",
                    lib->name);
}

static enum hd_rc can_latch(const struct hd_synth_module *module, const struct hd_lib *lib,
                            struct hd_why *why) {
  if (!module->latches || (*lib->latch && *lib->gate))
    return HD_OK;
  return hd_because(
      why, HD_INPUT,
      "library %s: found no %s for the memories of latches of %s; allowed a library with one, e.g. "
      "heddle45; or set their keys of storage to ff",
      lib->name, *lib->latch ? "clock-gating cell" : "plain latch that is open while its clock is 1",
      module->name);
}

enum hd_rc hd_synth_names(const struct hd_synth_job *job, const struct hd_synth_module *module,
                          const char *lib_path, const struct hd_lib *lib, char **netlist,
                          struct hd_why *why) {
  struct hd_synth_result r = {.declared_bits = module->declared_bits,
                              .declared_latches = module->latches,
                              .declared_rows = module->rows};
  char *more = gated(job->gate),
       *dir = hd_format("%s/%s/%s-names%s", job->work, lib->name, module->name, more),
       *rtl_dir = realpath(job->rtl_dir, NULL);
  snprintf(r.name, sizeof r.name, "%s", module->name);
  const struct hd_flow flow = {.rtl_dir = rtl_dir,
                               .top = module->name,
                               .lib_path = lib_path,
                               .lib = lib,
                               .dir = dir,
                               .names = true,
                               .latches = module->latches > 0,
                               .gate = job->gate,
                               .timeout_s = job->timeout_s};
  enum hd_rc rc =
      rtl_dir ? hd_program_need(HD_YOSYS, why) : hd_because(why, HD_INPUT, "no directory %s", job->rtl_dir);
  if (rc == HD_OK)
    rc = can_gate(job, lib, why);
  if (rc == HD_OK)
    rc = can_latch(module, lib, why);
  if (rc == HD_OK && !hd_yosys_kept(&flow)) {
    rc = hd_yosys(&flow, &r.net, why);
    if (rc == HD_OK)
      rc = hd_synth_check_bits(&r, why);
    if (rc == HD_OK)
      hd_yosys_keep(&flow);
  }
  hd_netlist_free(&r.net);
  *netlist = rc == HD_OK ? hd_format("%s/netlist.json", dir) : NULL;
  free(dir);
  free(more);
  free(rtl_dir);
  return rc;
}

static enum hd_rc run_module(const struct hd_synth_job *job, const struct hd_flow *flow,
                             struct hd_synth_result *r, struct hd_why *why) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  enum hd_rc rc = hd_yosys(flow, &r->net, why);
  if (rc == HD_OK)
    rc = hd_synth_check_bits(r, why);
  for (int i = 0; rc == HD_OK && i < r->net.macros; i++) {
    struct hd_macro *m = &r->net.macro[i];
    const struct hd_memory mem = hd_memory_of((unsigned)m->depth, (unsigned)m->width, m->ports);
    rc = hd_mem_price(&job->pricer, &mem, &m->price, why);
  }
  if (rc == HD_OK)
    rc = hd_opensta(flow, &r->net, &r->timing, why);
  clock_gettime(CLOCK_MONOTONIC, &to);
  r->seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
  return rc;
}

enum hd_rc hd_synth_run(const struct hd_synth_job *job, struct hd_synth_report *report, struct hd_why *why) {
  memset(report, 0, sizeof *report);
  enum hd_rc rc = hd_program_need(HD_YOSYS, why);
  if (rc == HD_OK)
    rc = hd_program_need(HD_OPENSTA, why);
  if (rc != HD_OK)
    return rc;

  char *lib_path, *rtl_dir = realpath(job->rtl_dir, NULL);
  struct hd_lib lib = {0};
  rc = hd_synth_lib_path(job->lib, job->work, &lib_path, why);
  if (rc == HD_OK)
    rc = hd_lib_read(lib_path, &lib, why);
  if (rc == HD_OK && !rtl_dir)
    rc = hd_because(why, HD_INPUT, "no directory %s", job->rtl_dir);
  if (rc == HD_OK)
    rc = can_gate(job, &lib, why);
  char *more = gated(job->gate);
  if (rc == HD_OK) {
    report->gate = job->gate;
    snprintf(report->lib, sizeof report->lib, "%s", lib.name);
    snprintf(report->corner, sizeof report->corner, "%s", lib.corner);
    report->wires = lib.wires;
    report->work = hd_format("%s", job->work);
    report->macro_nm = job->pricer.node_nm ? job->pricer.node_nm : 45;
    report->result = hd_zeroed((size_t)job->modules, sizeof *report->result);
  }
  for (int i = 0; rc == HD_OK && i < job->modules; i++) {
    char *dir = hd_format("%s/%s/%s%s", job->work, lib.name, job->module[i].name, more);
    struct hd_synth_result *r = &report->result[report->results++];
    r->declared_bits = job->module[i].declared_bits;
    r->declared_latches = job->module[i].latches;
    r->declared_rows = job->module[i].rows;
    snprintf(r->name, sizeof r->name, "%s", job->module[i].name);
    const struct hd_flow flow = {.rtl_dir = rtl_dir,
                                 .top = r->name,
                                 .of = job->module[i].of,
                                 .others = job->module[i].others,
                                 .lib_path = lib_path,
                                 .lib = &lib,
                                 .dir = dir,
                                 .latches = job->module[i].latches > 0,
                                 .gate = job->gate,
                                 .timeout_s = job->timeout_s};
    if (job->progress)
      job->progress(job->user, r->name, i, job->modules);
    rc = can_latch(&job->module[i], &lib, why);
    if (rc == HD_OK)
      rc = run_module(job, &flow, r, why);
    free(dir);
  }
  hd_lib_free(&lib);
  free(more);
  free(lib_path);
  free(rtl_dir);
  return rc;
}

bool hd_synth_tolerance(const struct hd_synth_report *report, const struct hd_timing *timing, double *low_mhz,
                        double *high_mhz) {
  const double path_ps = timing->path[HD_PATH_REG_REG].delay_ps;
  if (strcmp(report->lib, "heddle45") != 0 || !timing->path[HD_PATH_REG_REG].there || path_ps <= 0)
    return false;
  hd_heddle45_clock(1e6 / path_ps, low_mhz, high_mhz);
  const double most = timing->macro_cycle_ns > 0 ? 1000 / timing->macro_cycle_ns : INFINITY;
  *low_mhz = fmin(*low_mhz, most);
  *high_mhz = fmin(*high_mhz, most);
  return true;
}

void hd_synth_free(struct hd_synth_report *report) {
  for (int i = 0; i < report->results; i++)
    hd_netlist_free(&report->result[i].net);
  free(report->result);
  free(report->work);
  memset(report, 0, sizeof *report);
}
