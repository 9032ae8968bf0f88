/* The available configurations. */
#ifndef HEDDLE_CLI_CONFIGS_H
#define HEDDLE_CLI_CONFIGS_H

/* Visits the directories in which configurations are searched, in order, and the configurations of each:
 * its .yaml files, and those in its folders. A directory with several paths is visited once. `dir` may be
 * NULL. */
struct hd_config_visit {
  void (*dir)(void *user, const char *dir);
  void (*config)(void *user, const char *name, const char *path);
  void *user;
};
void hd_cli_each_config(const struct hd_config_visit *visit);

#endif
