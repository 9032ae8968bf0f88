/* heddle list: the available configurations, workloads, modules and keys. */
#include "cli/list/list.h"
#include "base/nearest_name.h"
#include "cli/cli.h"
#include "cli/configs.h"
#include "cli/list/check.h"
#include "cli/list/reference.h"
#include "workloads/workloads.h"

#include <stdlib.h>
#include <string.h>

/* The outputs of a listing: lines for people, and an array for programs. */
struct listing {
  FILE *f;
  json_t *all;
};

static void print_config(const char *name, const struct hd_config *c, FILE *f) {
  fprintf(f, "  %-38s %2u SM%s %6g KB L1D, %3u sets x %2u ways, %-10s %s, %2u MSHRs; %u x %s; ", name,
          c->gpu.sms, c->gpu.sms == 1 ? ", " : "s,", c->l1d.sets * c->l1d.ways * c->l1d.line_bytes / 1024.0,
          c->l1d.sets, c->l1d.ways, hd_config_word(c, "l1d", "set_index"),
          hd_config_word(c, "l1d", "allocate"), c->l1d.mshrs, c->sm.schedulers,
          hd_config_word(c, "scheduler", "policy"));
  if (c->request_buffer.kind == HD_SLOT)
    fprintf(f, "slot; ");
  hd_config_describe(c, "", "; ", f);
  if (c->d.SWL)
    fprintf(f, "%u warps a scheduler; ", c->d.LIMIT);
  if (c->prefetch.kind != HD_PF_OFF)
    fprintf(f, "prefetching by %s; ", hd_config_word(c, "prefetch", "kind"));
  if (c->memory.kind == HD_MEM_L2)
    fprintf(f, "L2 %u x %g KB, %u DRAM channels\n", c->l2.banks,
            c->l2.sets * c->l2.ways * c->l1d.line_bytes / 1024.0, c->dram.channels);
  else
    fprintf(f, "memory of %u cycles\n", c->memory.latency);
}

/* Returns the names of its modules, in the order of `list modules`. */
static json_t *module_names(const struct hd_config *c) {
  json_t *names = json_array();
  struct hd_design *design = hd_design_new(c);
  if (!design)
    abort();
  for (size_t i = 0; i < design->n; i++)
    json_array_append_new(names, json_string(design->decls[i]->module));
  hd_design_free(design);
  return names;
}

/* Lists one configuration, or the problems of a file that is none. */
static void list_config(const struct listing *to, const char *name, const char *path) {
  struct hd_config c;
  char *problems = NULL;
  size_t size;
  FILE *err = hd_memory_open(&problems, &size);
  const bool good = hd_config_load(&c, path, err) == 0;
  hd_memory_close(err);
  if (good)
    print_config(name, &c, to->f);
  else
    fprintf(to->f, "  %-38s does not load: heddle list modules -c %s says why\n", name, path);
  json_array_append_new(to->all, json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", hd_cli_text_json(name),
                                           "path", hd_cli_text_json(path), "config",
                                           good ? hd_cli_config_json(&c) : json_null(), "modules",
                                           good ? module_names(&c) : json_null(), "problems",
                                           good ? json_null() : hd_cli_text_json(problems)));
  free(problems);
}

/* Visitors for hd_cli_each_config. */
static void begin_dir(void *user, const char *dir) {
  fprintf(((const struct listing *)user)->f, "%s:\n", dir);
}
static void add_config(void *user, const char *name, const char *path) {
  list_config(user, name, path);
}

static json_t *list_configs(FILE *f) {
  struct listing to = {f, json_array()};
  hd_cli_each_config(&(struct hd_config_visit){begin_dir, add_config, &to});
  fprintf(f, "%s", json_array_size(to.all) ? "" : "no configuration: set HEDDLE_CONFIGS\n");
  return json_pack("{s:o}", "configs", to.all);
}

/* Prints names only, one per line. */
static void name_config(void *user, const char *name, const char *path) {
  (void)path;
  fprintf(user, "%s\n", name);
}
static void list_names(size_t what, const struct hd_design *design, FILE *f) {
  const struct wl_workload *w;
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  if (what == 0)
    hd_cli_each_config(&(struct hd_config_visit){.config = name_config, .user = f});
  for (size_t i = 0; what == 1 && (w = wl_workload(i)); i++)
    fprintf(f, "%s\n", w->name);
  for (size_t i = 0; what == 2 && i < n; i++)
    fprintf(f, "%s.%s\n", keys[i].section, keys[i].key);
  for (size_t i = 0; what == 3 && i < design->n; i++)
    fprintf(f, "%s\n", design->decls[i]->module);
}

static json_t *list_workloads(FILE *f) {
  wl_list(f);
  return json_pack("{s:o}", "workloads", hd_list_workloads_json());
}

static json_t *list_params(bool markdown, FILE *f) {
  if (markdown)
    hd_reference_params(f);
  else
    hd_config_manual(f);
  return json_pack("{s:o}", "params", hd_list_params_json());
}

static json_t *list_modules(const struct hd_design *design, const struct hd_args *args, FILE *f) {
  if (args->dot)
    hd_list_dot(design, f);
  else if (args->markdown)
    hd_reference_page(f);
  else
    hd_reference_modules(design, f);
  return json_pack("{s:o, s:o}", "config", hd_cli_config_json(design->c), "modules",
                   hd_list_modules_json(design));
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  static const char *const whats[] = {"configs", "workloads", "params", "modules"};
  size_t what = 0;
  while (what < 4 && strcmp(args->what, whats[what]) != 0)
    what++;
  if (args->dot && what < 3)
    return hd_because(why, HD_INPUT, "--dot: found with %s; allowed with modules", args->what);
  if (what == 4) {
    struct hd_near near = hd_near_to(args->what);
    for (size_t i = 0; i < 4; i++)
      hd_near_try(&near, whats[i]);
    return hd_because(why, HD_INPUT,
                      "found %s; %sallowed configs, workloads, modules, params; write one of these",
                      args->what, hd_near_text(&near).text);
  }
  if (args->names && (args->json || args->markdown || args->dot || args->check))
    return hd_because(why, HD_INPUT,
                      "--names: found with --json, --markdown, --dot or --check; allowed alone");
  if (args->markdown && what < 2)
    return hd_because(why, HD_INPUT, "--markdown: found with %s; allowed with modules, params", args->what);
  if (args->markdown && args->dot)
    return hd_because(why, HD_INPUT, "--markdown: found with --dot; allowed is one of them");
  if (args->check && what != 1)
    return hd_because(why, HD_INPUT, "--check: found with %s; allowed with workloads", args->what);
  if (args->simulate && !args->check)
    return hd_because(why, HD_INPUT, "--simulate: found alone; allowed with --check PAPER");
  const bool away = strcmp(args->on, "cores") != 0;
  const char *of_runs = args->store   ? "store"
                        : args->jobs  ? "jobs"
                        : args->spool ? "spool"
                        : away        ? "on"
                                      : NULL;
  if (of_runs && !args->simulate)
    return hd_because(why, HD_INPUT, "--%s: found alone; allowed with --check PAPER --simulate", of_runs);
  heddle_machine *machine = NULL;
  enum hd_rc rc = what == 3 ? hd_cli_machine(args, NULL, &machine, why) : HD_OK;
  if (rc != HD_OK) {
    heddle_unload(machine);
    return rc;
  }
  const struct hd_design *design = machine ? machine->design : NULL;
  if (args->names) {
    list_names(what, design, stdout);
    heddle_unload(machine);
    return HD_OK;
  }
  struct hd_answer answer;
  json_t *json = NULL;
  rc = hd_answer_open(args, &answer, why);
  if (rc == HD_OK && args->check)
    rc = hd_list_check(args, answer.report, &json, why);
  else if (rc == HD_OK)
    json = design      ? list_modules(design, args, answer.report)
           : what == 0 ? list_configs(answer.report)
           : what == 1 ? list_workloads(answer.report)
                       : list_params(args->markdown, answer.report);
  if (rc == HD_OK || rc == HD_CHECK)
    rc = hd_answer_close(&answer, json, rc, why);
  heddle_unload(machine);
  return rc;
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(false),
    HD_OPT("markdown", 0, HD_OPT_FLAG, false, markdown, NULL,
           "modules, params: as the pages of docs/ have them"),
    HD_OPT("names", 0, HD_OPT_FLAG, false, names, NULL, "names alone, one a line"),
    HD_OPT("dot", 0, HD_OPT_FLAG, false, dot, NULL, "modules: a block diagram of the machine, for Graphviz"),
    HD_OPT("check", 0, HD_OPT_TEXT, false, check, "PAPER[:APPLICATION]",
           "workloads: what the paper says of its applications beside what ours have; exit 1 if what must "
           "match does not"),
    HD_OPT("simulate", 0, HD_OPT_FLAG, false, simulate, NULL,
           "--check: run each on the paper's machine too, for miss rates and occupancy"),
    HD_OPT("store", 0, HD_OPT_TEXT, false, store, "FILE", "--check --simulate: as for `heddle sim`"),
    HD_OPT("on", 0, HD_OPT_TEXT, false, on, "PLACE", "--check --simulate: as for `heddle sweep` (cores)"),
    HD_OPT("spool", 0, HD_OPT_TEXT, false, spool, "DIR", "of --on slurm: as for `heddle sweep`"),
    HD_OPT("jobs", 'j', HD_OPT_COUNT, false, jobs, "N",
           "--check --simulate: runs, or shards, at a time; 0: as many as there are cores, or as Slurm gives "
           "(0)"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_list = {"list",
                                     "what there is: configs, workloads, modules, params",
                                     "configs|workloads|modules|params",
                                     "example: heddle list configs\n"
                                     "         heddle list modules -c mrpb\n"
                                     "         heddle list modules -c apres --dot | dot -Tsvg > apres.svg\n"
                                     "         heddle list params --json params.json\n"
                                     "         heddle list workloads --check apres",
                                     opts,
                                     {.config = "fermi_16k", .on = "cores", .retries = 3},
                                     run};
