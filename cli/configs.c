/* The places of configurations, and the machine of -c and --set. */
#include "cli/configs.h"
#include "arch/dropin/dropin.h"
#include "base/nearest_name.h"
#include "cli/cli.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIRS = 3 };

/* Returns the directory of the configurations installed with this program, or of the tree that it was built
 * in. */
static const char *own_dir(void) {
  static char path[PATH_MAX];
  char program[PATH_MAX];
  const ssize_t n = *path ? 0 : readlink("/proc/self/exe", program, sizeof program - 1);
  if (n > 0) {
    program[n] = 0;
    *strrchr(program, '/') = 0;
    char *share = hd_format("%s/../share/heddle/configs", program);
    if (!realpath(share, path))
      *path = 0;
    free(share);
  }
  if (!*path)
    strcpy(path, HD_CONFIG_DIR);
  return path;
}

/* Lists the directories in order; NULL: there is none. */
static void find_dirs(const char *dirs[DIRS]) {
  const char *named = getenv("HEDDLE_CONFIGS");
  dirs[0] = named && *named ? named : NULL;
  dirs[1] = own_dir();
  dirs[2] = "configs";
}

static bool is_file(const char *path) {
  struct stat what;
  return stat(path, &what) == 0 && !S_ISDIR(what.st_mode);
}

/* Returns the path of the configuration `name`, to be freed, or NULL if there is none. */
static char *find_config(const char *name) {
  const char *dirs[DIRS];
  find_dirs(dirs);
  for (size_t i = 0; i <= DIRS; i++) {
    const char *dir = i ? dirs[i - 1] : "";
    for (int ending = 0; dir && ending < 2; ending++) {
      char *path = hd_format("%s%s%s%s", dir, i ? "/" : "", name, ending ? ".yaml" : "");
      if (is_file(path))
        return path;
      free(path);
    }
  }
  return NULL;
}

static int visible(const struct dirent *e) {
  return *e->d_name != '.';
}

/* Visits the .yaml files of a directory, and of `depth` levels in it: configs/lockstep/ has two. */
static void visit_dir(const struct hd_config_visit *visit, const char *dir, const char *prefix, int depth) {
  struct dirent **entry;
  const int n = scandir(dir, &entry, visible, alphasort);
  for (int i = 0; i < n; i++) {
    char *path = hd_format("%s/%s", dir, entry[i]->d_name);
    const size_t size = strlen(entry[i]->d_name);
    if (size > 5 && !strcmp(entry[i]->d_name + size - 5, ".yaml")) {
      char *name = hd_format("%s%.*s", prefix, (int)size - 5, entry[i]->d_name);
      visit->config(visit->user, name, path);
      free(name);
    } else if (depth) {
      char *inner = hd_format("%s%s/", prefix, entry[i]->d_name);
      visit_dir(visit, path, inner, depth - 1);
      free(inner);
    }
    free(path);
    free(entry[i]);
  }
  if (n >= 0)
    free(entry);
}

void hd_cli_each_config(const struct hd_config_visit *visit) {
  const char *dirs[DIRS];
  struct stat seen[DIRS];
  size_t n = 0;
  find_dirs(dirs);
  for (size_t i = 0; i < DIRS; i++) {
    bool again = !dirs[i] || stat(dirs[i], &seen[n]) != 0;
    for (size_t k = 0; k < n && !again; k++)
      again = seen[k].st_dev == seen[n].st_dev && seen[k].st_ino == seen[n].st_ino;
    if (again)
      continue;
    n++;
    if (visit->dir)
      visit->dir(visit->user, dirs[i]);
    visit_dir(visit, dirs[i], "", 2);
  }
}

/* A configuration that does not exist, and the nearest name to it. */
struct missing {
  struct hd_near near;
  char *name; /* a copy of the nearest */
};
static void compare(void *user, const char *name, const char *path) {
  (void)path;
  struct missing *m = user;
  const char *before = m->near.name;
  hd_near_try(&m->near, name);
  if (m->near.name == before)
    return;
  free(m->name);
  m->near.name = m->name = hd_format("%s", name);
}

static enum hd_rc say_missing(const char *config, struct hd_why *why) {
  struct missing m = {hd_near_to(config), NULL};
  hd_cli_each_config(&(struct hd_config_visit){.config = compare, .user = &m});
  hd_because(why, HD_INPUT,
             "--config: found %s, but no such file here, in $HEDDLE_CONFIGS or in %s; %sallowed a path, or a "
             "name of `heddle list configs`; write one",
             config, own_dir(), hd_near_text(&m.near).text);
  free(m.name);
  return HD_INPUT;
}

enum hd_rc hd_cli_load(const struct hd_args *args, heddle_machine **machine, struct hd_why *why) {
  *machine = NULL;
  char *path = find_config(args->config);
  if (!path)
    return say_missing(args->config, why);
  unsigned problems;
  const heddle_status status =
      hd_machine_load(machine, NULL, path, find_config, args->set.text, args->set.n, &problems);
  free(path);
  return status == HEDDLE_ERR_CONFIG
             ? hd_because(why, HD_INPUT, "%s: %u problem%s", args->config, problems, problems > 1 ? "s" : "")
         : status ? hd_because(why, HD_TOOL, "%s", heddle_machine_message(*machine))
                  : HD_OK;
}

enum hd_rc hd_cli_machine(const struct hd_args *args, const char *module, heddle_machine **machine,
                          struct hd_why *why) {
  const enum hd_rc loaded = hd_cli_load(args, machine, why);
  if (loaded == HD_INPUT && *machine)
    fputs(heddle_machine_message(*machine), stderr);
  if (loaded != HD_OK)
    return loaded;
  struct hd_design *design = (*machine)->design;
  if (!module || hd_design_find(design, module))
    return HD_OK;
  const struct hd_decl *dropin;
  return hd_dropin_add(design, module, &dropin, why);
}
