/* The configurations there are. */
#ifndef HEDDLE_CLI_CONFIGS_H
#define HEDDLE_CLI_CONFIGS_H

/* The directories a configuration's name is looked for in, in order, each once by whatever path, and the configurations of
 * each: its .yaml files, and those in its folders. `dir` may be NULL. */
struct hd_config_visit {
  void (*dir)(void *user, const char *dir);
  void (*config)(void *user, const char *name, const char *path);
  void *user;
};
void hd_cli_each_config(const struct hd_config_visit *visit);

#endif
