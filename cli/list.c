/* heddle list: what there is to choose from. */
#include "cli/cli.h"
#include "cli/reference.h"
#include "workloads/workloads.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One line on a configuration, or why it is none. */
static void print_config(const char *name, const char *path) {
  struct hd_config c;
  FILE *quiet = fopen("/dev/null", "w");
  const unsigned problems = quiet ? hd_config_load(&c, path, quiet) : 1;
  if (quiet)
    fclose(quiet);
  if (problems) {
    printf("  %-32s does not load: heddle list modules -c %s says why\n", name, path);
    return;
  }
  printf("  %-32s %6g KB L1D, %3u sets x %2u ways, %-10s %s, %2u MSHRs; %u x %s; ", name,
         c.l1d.sets * c.l1d.ways * c.l1d.line_bytes / 1024.0, c.l1d.sets, c.l1d.ways,
         hd_config_word(&c, "l1d", "set_index"), hd_config_word(&c, "l1d", "allocate"), c.l1d.mshrs,
         c.sm.schedulers, hd_config_word(&c, "scheduler", "policy"));
  if (c.request_buffer.kind == HD_MRPB)
    printf("mrpb by %s, %s%s, %u deep, flush %s; ", hd_config_word(&c, "request_buffer", "signature"),
           c.request_buffer.greedy ? "greedy " : "", hd_config_word(&c, "request_buffer", "drain"),
           c.request_buffer.depth, c.request_buffer.flush ? "on" : "off");
  else
    printf("slot; ");
  printf("bypass %s\n", hd_config_word(&c, "request_buffer", "bypass"));
}

static int visible(const struct dirent *e) {
  return *e->d_name != '.';
}

/* The .yaml files of a directory, and of those in it. */
static void list_dir(const char *dir, const char *prefix) {
  struct dirent **entry;
  const int n = scandir(dir, &entry, visible, alphasort);
  for (int i = 0; i < n; i++) {
    char *path = hd_format("%s/%s", dir, entry[i]->d_name);
    const size_t size = strlen(entry[i]->d_name);
    if (size > 5 && !strcmp(entry[i]->d_name + size - 5, ".yaml")) {
      char *name = hd_format("%s%.*s", prefix, (int)size - 5, entry[i]->d_name);
      print_config(name, path);
      free(name);
    } else if (!*prefix) {
      char *inner = hd_format("%s/", entry[i]->d_name);
      list_dir(path, inner);
      free(inner);
    }
    free(path);
    free(entry[i]);
  }
  if (n >= 0)
    free(entry);
}

/* Each directory once, by whatever path. */
static void list_configs(void) {
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
    printf("%s:\n", dir);
    list_dir(dir, "");
  }
  printf("%s", n ? "" : "no directory of configurations: set HEDDLE_CONFIGS\n");
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  if (!strcmp(args->what, "configs"))
    list_configs();
  else if (!strcmp(args->what, "workloads"))
    wl_list(stdout);
  else if (!strcmp(args->what, "params") && args->markdown)
    hd_reference_params(stdout);
  else if (!strcmp(args->what, "params"))
    hd_config_manual(stdout);
  else if (!strcmp(args->what, "modules") && args->markdown)
    hd_reference_page(stdout);
  else if (!strcmp(args->what, "modules")) {
    struct hd_config c;
    struct hd_design *design;
    const enum hd_rc rc = hd_cli_design(args, NULL, &c, &design, why);
    if (rc != HD_OK)
      return rc;
    hd_reference_modules(design, stdout);
    hd_design_free(design);
  } else
    return hd_because(why, HD_INPUT,
                      "found %s; allowed configs, workloads, modules, params; write one of these",
                      args->what);
  return HD_OK;
}

static const struct hd_opt opts[] = {HD_OPT_CONFIG(false),
                                     HD_OPT("markdown", 0, HD_OPT_FLAG, false, markdown, NULL,
                                            "modules, params: as the pages of docs/ have them"),
                                     HD_OPT_END};
const struct hd_verb hd_verb_list = {"list",
                                     "what there is: configs, workloads, modules, params",
                                     "configs|workloads|modules|params",
                                     "example: heddle list configs\n"
                                     "         heddle list modules -c mrpb",
                                     opts,
                                     {.config = "fermi_16k"},
                                     run};
