/* heddle synth: the logic through Yosys and OpenSTA, one line a module. */
#include "cli/price/price.h"
#include "rtl_gen/rtl.h"
#include "verif/harness/build.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

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

/* A module's Verilog: the user's in that directory, or what is generated (NULL: no directory). */
static char *module_text(const struct hd_design *design, const char *own, const char *module,
                         struct hd_why *why) {
  if (!own)
    return hd_rtl_module_text(design, module, why);
  char *path = hd_format("%s/%s.v", own, module), *text = hd_slurp(path);
  if (!text)
    hd_because(why, HD_INPUT, "--rtl: %s: no such file; allowed: a directory that heddle gen has written",
               path);
  free(path);
  return text;
}

/* The directory of this RTL, made and locked until *lock is closed. */
static enum hd_rc open_place(const char *work, const char *own, const struct hd_design *design,
                             const char *top, const struct hd_synth_module *module, int modules, char **dir,
                             int *lock, struct hd_why *why) {
  uint64_t hash = HD_HASH_START;
  for (int i = 0; i < modules; i++) {
    char *text = module_text(design, own, module[i].name, why);
    if (!text)
      return own ? HD_INPUT : HD_CHECK;
    hash = hd_hash_text(hash, text);
    free(text);
  }
  *dir = hd_format("%s/%s/%s-%016llx", work, design->c->name, top, (unsigned long long)hash);
  *lock = hd_make_dirs(*dir) ? open(*dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (*lock < 0)
    return hd_because(why, HD_INPUT, "the directory %s can't be written", *dir);
  flock(*lock, LOCK_EX);
  return HD_OK;
}

/* What the progress line knows of a run. */
struct going {
  const struct hd_design *design;
  const struct hd_synth_module *module;
  struct hd_cli_alone alone;
};

/* How long a module takes goes by what is in it. */
static unsigned flipflops_in(const struct hd_decl *d) {
  unsigned bits = hd_decl_ff_bits(d);
  for (size_t i = 0; i < d->n_insts; i++)
    bits += flipflops_in(d->insts[i].decl);
  return bits;
}

static void progress(void *user, const char *module, int done, int of) {
  const struct going *t = user;
  struct hd_pace pace = {.done = t->alone.nth, .of = t->alone.of};
  for (int i = 0; !t->alone.of && i < of; i++) {
    const unsigned bits = flipflops_in(hd_design_find(t->design, t->module[i].name));
    pace.done += i < done ? bits : 0;
    pace.of += bits;
  }
  hd_progress(pace, "synthesis: %s, %d of %d modules done", module, t->alone.of ? t->alone.nth : done,
              t->alone.of ? t->alone.of : of);
}

enum hd_rc hd_cli_synth(const struct hd_args *args, const struct hd_design *design, const char *top,
                        struct hd_cli_alone alone, const struct hd_pricer *pricer,
                        struct hd_synth_report *report, struct hd_why *why) {
  *report = (struct hd_synth_report){0};
  struct hd_synth_module *modules = NULL, *group = NULL;
  char *dir = NULL, *rtl = NULL;
  int lock = -1;
  if (args->attached && !(group = hd_synth_attached(design, top, why)))
    return HD_INPUT;
  if (group)
    top = group->of;
  const int n = hd_synth_modules_of(design, top, &modules);
  enum hd_rc rc = hd_rtl_there(design, top, why);
  if (rc == HD_OK)
    rc = open_place(args->work, args->rtl, design, top, modules, n, &dir, &lock, why);
  if (rc == HD_OK) {
    rtl = hd_format("%s/rtl", dir);
    rc = args->rtl ? hd_rtl_take(args->rtl, top, rtl, why) : hd_rtl_write(design, top, rtl, why);
  }
  if (rc == HD_OK) {
    struct going going = {design, modules, alone};
    const struct hd_synth_job job = {.rtl_dir = rtl,
                                     .module = group ? group : modules,
                                     .modules = alone.of ? 1 : n,
                                     .lib = args->lib,
                                     .work = dir,
                                     .pricer = *pricer,
                                     .progress = progress,
                                     .user = &going};
    rc = hd_synth_run(&job, report, why);
  }
  if (lock >= 0)
    close(lock);
  free(group);
  free(modules);
  free(rtl);
  free(dir);
  return rc;
}

enum hd_rc hd_cli_netlist(const char *work, const struct hd_design *design, const char *module,
                          const char *lib_path, const struct hd_lib *lib, char **netlist,
                          struct hd_why *why) {
  struct hd_synth_module *modules = NULL;
  char *dir = NULL, *rtl = NULL;
  int lock = -1;
  *netlist = NULL;
  const int n = hd_synth_modules_of(design, module, &modules);
  enum hd_rc rc = hd_rtl_there(design, module, why);
  if (rc == HD_OK)
    rc = open_place(work, NULL, design, module, modules, n, &dir, &lock, why);
  if (rc == HD_OK) {
    rtl = hd_format("%s/rtl", dir);
    rc = hd_rtl_write(design, module, rtl, why);
  }
  if (rc == HD_OK) {
    const struct hd_synth_job job = {.rtl_dir = rtl, .work = dir};
    rc = hd_synth_names(&job, modules, lib_path, lib, netlist, why);
  }
  if (lock >= 0)
    close(lock);
  free(modules);
  free(rtl);
  free(dir);
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
    fprintf(report, ", before wires)\n");
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
    HD_OPT("require-mhz", 0, HD_OPT_REAL, false, require_mhz, "N", "exit 1 if the module is slower"),
    HD_OPT("work", 0, HD_OPT_TEXT, false, work, "DIR", "RTL, scripts, logs, netlists (build/synth)"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_synth = {
    "synth",
    "cells, area and clock of the logic, by Yosys and OpenSTA",
    NULL,
    "example: heddle synth -c mrpb -t mrpb\n"
    "         heddle synth -c mrpb -t mrpb --require-mhz 1400 --json synth.json\n"
    "         heddle gen -c mrpb -t mrpb -o mine && heddle synth -c mrpb -t mrpb --rtl mine",
    opts,
    {.top = "sm_mem", .lib = "heddle45", .work = "build/synth"},
    run};
