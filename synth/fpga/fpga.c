/* Runs both tools for each module; see fpga.h. */
#include "synth/fpga/fpga.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"

#pragma GCC diagnostic ignored "-Woverlength-strings"
/* The wrappers of memories are part of this program. */
static const struct {
  const char *path, *text;
} wrappers[] = {
#include "synth/fpga_text.h"
};

/* The clock target of nextpnr: higher than these modules reach, so that it does not stop early. */
enum { WANTED_MHZ = 250 };

static const struct hd_fpga_part parts[] = {{"12k", "LFE5U-12F", "CABGA381"},
                                            {"25k", "LFE5U-25F", "CABGA381"},
                                            {"45k", "LFE5U-45F", "CABGA554"},
                                            {"85k", "LFE5U-85F", "CABGA756"}};

enum hd_rc hd_fpga_find(const char *name, const struct hd_fpga_part **part, struct hd_why *why) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (!strcmp(parts[i].name, name)) {
      *part = &parts[i];
      return HD_OK;
    }
  return hd_because(why, HD_INPUT, "--device: found %s; allowed 12k, 25k, 45k, 85k", name);
}

/* --- the tools ------------------------------------------------------------------------------------------ */

static enum hd_rc map(const struct hd_flow *flow, struct hd_fpga_result *r, struct hd_why *why) {
  char *read = hd_flow_read(flow);
  char *script = hd_format("read_verilog ram.v\n%ssynth_ecp5 -top %s -json netlist.json\n", read, flow->top);
  const bool good = hd_make_dirs(flow->dir) && hd_flow_rtl(flow) &&
                    hd_flow_write(flow, "ram.v", wrappers[0].text) && hd_flow_write(flow, "synth.ys", script);
  enum hd_rc rc = good ? hd_flow_yosys(flow, "synth.ys", "synth.log", why)
                       : hd_because(why, HD_INPUT, "cannot write to %s", flow->dir);
  if (rc == HD_OK) {
    char *path = hd_flow_file(flow, "synth.log"), *log = hd_slurp(path);
    hd_fpga_read_memories(log, r);
    free(log);
    free(path);
  }
  free(script);
  free(read);
  return rc;
}

static enum hd_rc place_and_route(const struct hd_fpga_job *job, const struct hd_flow *flow,
                                  struct hd_fpga_result *r, struct hd_why *why) {
  char *device = hd_format("--%s", job->part->name), *seed = hd_format("%llu", (unsigned long long)job->seed),
       *wanted = hd_format("%d", WANTED_MHZ), *log = hd_flow_file(flow, "nextpnr.log"),
       *report = hd_flow_file(flow, "report.json");
  unlink(report);
  const int status =
      hd_program_run(HD_NEXTPNR,
                     (const char *const[]){device, "--package", job->part->package, "--json", "netlist.json",
                                           "--report", "report.json", "--freq", wanted, "--timing-allow-fail",
                                           "--lpf-allow-unconstrained", "--seed", seed,
                                           job->out_of_context ? "--out-of-context" : NULL, NULL},
                     flow->dir, log, hd_flow_limit(flow));
  char *text = hd_slurp(log);
  json_t *said = status ? NULL : json_load_file(report, 0, NULL);
  enum hd_rc rc = HD_OK;
  if (status == HD_RUN_NOT_STARTED)
    rc = hd_because(why, HD_TOOL, "nextpnr-ecp5 could not be started");
  else if (status == HD_RUN_TIMEOUT || status == HD_RUN_SIGNAL)
    rc = hd_because(why, HD_TOOL, "nextpnr-ecp5 %s on %s; log: %s",
                    status == HD_RUN_TIMEOUT ? "did not end" : "crashed", flow->top, log);
  else /* nextpnr fails in its own words if the design does not fit; its table has all figures */
    rc = hd_fpga_read_use(text, job->part, job->out_of_context, r, why);
  const char *error = text ? strstr(text, "ERROR:") : NULL;
  if ((rc == HD_OK && !said) || (rc == HD_TOOL && error))
    rc = hd_because(why, HD_TOOL, "nextpnr-ecp5 on %s: %.*s (log: %s)", flow->top,
                    error ? (int)strcspn(error, "\n") : 9, error ? error : "no report", log);
  if (rc == HD_OK)
    hd_fpga_read_timing(said, r);
  json_decref(said);
  free(text);
  free(report);
  free(log);
  free(wanted);
  free(seed);
  free(device);
  return rc;
}

/* --- the job -------------------------------------------------------------------------------------------- */

static enum hd_rc run_module(const struct hd_fpga_job *job, const char *rtl_dir, int i,
                             struct hd_fpga_result *r, struct hd_why *why) {
  struct timespec from, to;
  const struct hd_synth_module *m = &job->module[i];
  char *dir = hd_format("%s/ecp5/%s", job->work, m->name);
  const struct hd_flow flow = {.rtl_dir = rtl_dir,
                               .top = m->name,
                               .of = m->of,
                               .others = m->others,
                               .dir = dir,
                               .timeout_s = job->timeout_s};
  r->declared_bits = m->declared_bits;
  snprintf(r->name, sizeof r->name, "%s", m->name);
  clock_gettime(CLOCK_MONOTONIC, &from);
  enum hd_rc rc = map(&flow, r, why);
  if (rc == HD_OK)
    rc = place_and_route(job, &flow, r, why);
  clock_gettime(CLOCK_MONOTONIC, &to);
  r->seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
  free(dir);
  return rc;
}

enum hd_rc hd_fpga_run(const struct hd_fpga_job *job, struct hd_fpga_report *report, struct hd_why *why) {
  *report =
      (struct hd_fpga_report){.part = job->part, .out_of_context = job->out_of_context, .seed = job->seed};
  enum hd_rc rc = hd_program_need(HD_YOSYS, why);
  if (rc == HD_OK)
    rc = hd_program_need(HD_NEXTPNR, why);
  char *rtl_dir = rc == HD_OK ? realpath(job->rtl_dir, NULL) : NULL;
  if (rc == HD_OK && !rtl_dir)
    rc = hd_because(why, HD_INPUT, "no directory %s", job->rtl_dir);
  if (rc == HD_OK) {
    hd_program_check(HD_NEXTPNR, report->version, sizeof report->version);
    report->work = hd_format("%s", job->work);
    report->result = hd_zeroed((size_t)job->modules, sizeof *report->result);
  }
  for (int i = 0; rc == HD_OK && i < job->modules; i++) {
    if (job->progress)
      job->progress(job->user, job->module[i].name, i, job->modules);
    rc = run_module(job, rtl_dir, i, &report->result[report->results++], why);
  }
  free(rtl_dir);
  return rc;
}

void hd_fpga_free(struct hd_fpga_report *report) {
  for (int i = 0; i < report->results; i++)
    for (enum hd_fpga_place p = 0; p < HD_FPGA_PLACES; p++)
      free(report->result[i].names[p]);
  free(report->result);
  free(report->work);
  *report = (struct hd_fpga_report){0};
}
