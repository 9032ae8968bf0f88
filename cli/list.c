/* heddle list: what there is to choose from. */
#include "cli/list.h"
#include "cli/cli.h"
#include "cli/reference.h"
#include "workloads/workloads.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where a listing goes: lines for people, and an array for programs. */
struct listing {
  FILE *f;
  json_t *all;
};

static void print_config(const char *name, const struct hd_config *c, FILE *f) {
  fprintf(f, "  %-32s %2u SM%s %6g KB L1D, %3u sets x %2u ways, %-10s %s, %2u MSHRs; %u x %s; ", name,
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

/* One configuration, or that it is none and why. */
static void list_config(const struct listing *to, const char *name, const char *path) {
  struct hd_config c;
  char *problems = NULL;
  size_t size;
  FILE *err = open_memstream(&problems, &size);
  if (!err)
    abort();
  const bool good = hd_config_load(&c, path, err) == 0;
  fclose(err);
  if (good)
    print_config(name, &c, to->f);
  else
    fprintf(to->f, "  %-32s does not load: heddle list modules -c %s says why\n", name, path);
  json_array_append_new(to->all, json_pack("{s:o, s:o, s:o, s:o}", "name", hd_cli_text_json(name), "path",
                                           hd_cli_text_json(path), "config",
                                           good ? hd_cli_config_json(&c) : json_null(), "problems",
                                           good ? json_null() : hd_cli_text_json(problems)));
  free(problems);
}

static int visible(const struct dirent *e) {
  return *e->d_name != '.';
}

/* The .yaml files of a directory, and of those in it. */
static void list_dir(const struct listing *to, const char *dir, const char *prefix) {
  struct dirent **entry;
  const int n = scandir(dir, &entry, visible, alphasort);
  for (int i = 0; i < n; i++) {
    char *path = hd_format("%s/%s", dir, entry[i]->d_name);
    const size_t size = strlen(entry[i]->d_name);
    if (size > 5 && !strcmp(entry[i]->d_name + size - 5, ".yaml")) {
      char *name = hd_format("%s%.*s", prefix, (int)size - 5, entry[i]->d_name);
      list_config(to, name, path);
      free(name);
    } else if (!*prefix) {
      char *inner = hd_format("%s/", entry[i]->d_name);
      list_dir(to, path, inner);
      free(inner);
    }
    free(path);
    free(entry[i]);
  }
  if (n >= 0)
    free(entry);
}

/* Each directory once, by whatever path. */
static json_t *list_configs(FILE *f) {
  const struct listing to = {f, json_array()};
  struct stat seen[8], at;
  size_t n = 0;
  const char *dir;
  for (size_t i = 0; n < sizeof seen / sizeof *seen && (dir = hd_cli_config_dir(i)); i++) {
    bool again = stat(dir, &at) != 0;
    for (size_t k = 0; k < n; k++)
      again = again || (seen[k].st_dev == at.st_dev && seen[k].st_ino == at.st_ino);
    if (again)
      continue;
    seen[n++] = at;
    fprintf(f, "%s:\n", dir);
    list_dir(&to, dir, "");
  }
  fprintf(f, "%s", n ? "" : "no directory of configurations: set HEDDLE_CONFIGS\n");
  return json_pack("{s:o}", "configs", to.all);
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
  if (what == 4)
    return hd_because(why, HD_INPUT,
                      "found %s; allowed configs, workloads, modules, params; write one of these",
                      args->what);
  struct hd_config c;
  struct hd_design *design = NULL;
  enum hd_rc rc = what == 3 ? hd_cli_design(args, NULL, &c, &design, why) : HD_OK;
  if (rc != HD_OK)
    return rc;
  struct hd_answer answer;
  json_t *json = NULL;
  rc = hd_answer_open(args, &answer, why);
  if (rc == HD_OK)
    json = design      ? list_modules(design, args, answer.report)
           : what == 0 ? list_configs(answer.report)
           : what == 1 ? list_workloads(answer.report)
                       : list_params(args->markdown, answer.report);
  if (rc == HD_OK)
    rc = hd_answer_close(&answer, json, rc, why);
  hd_design_free(design);
  return rc;
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(false),
    HD_OPT("markdown", 0, HD_OPT_FLAG, false, markdown, NULL,
           "modules, params: as the pages of docs/ have them"),
    HD_OPT("dot", 0, HD_OPT_FLAG, false, dot, NULL, "modules: a block diagram of the machine, for Graphviz"),
    HD_OPT_JSON, HD_OPT_END};
const struct hd_verb hd_verb_list = {"list",
                                     "what there is: configs, workloads, modules, params",
                                     "configs|workloads|modules|params",
                                     "example: heddle list configs\n"
                                     "         heddle list modules -c mrpb\n"
                                     "         heddle list modules -c apres --dot | dot -Tsvg > apres.svg\n"
                                     "         heddle list params --json params.json",
                                     opts,
                                     {.config = "fermi_16k"},
                                     run};
