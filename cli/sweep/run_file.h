/* A YAML file that describes runs: the common part of `heddle sweep` and `heddle explore`. libyaml gives a
 * document whose nodes know their lines, as for configurations. A schema of libcyaml would have to name the
 * keys, but axes may have any key.
 *
 * Invariant: each mistake is reported once, with its line of the file, and counted in load.problems.
 */
#ifndef HEDDLE_CLI_RUN_FILE_H
#define HEDDLE_CLI_RUN_FILE_H

#include "arch/config/load.h"
#include "cli/sim/run_set.h"

struct hd_run_file {
  const char *path;
  struct hd_load load; /* for messages */
  struct hd_layer at;
};

/* A key with its value, as in --set, and its line in the file. */
struct hd_setting {
  char *text;
  unsigned line;
};
/* A value of an axis: one key, or several together. */
struct hd_choice {
  struct hd_setting *set;
  size_t n;
};
struct hd_axis {
  char *name;
  struct hd_choice *choice;
  size_t n;
};
enum { HD_MOST_AXES = 32 };
struct hd_axes {
  struct hd_axis axis[HD_MOST_AXES];
  size_t n;
};

/* Reads the file. *text is to be freed after hd_run_file_close. Returns false after reporting a problem, or
 * with *text NULL and errno set if the file cannot be read. */
bool hd_run_file_open(struct hd_run_file *f, const char *path, const char *example, char **text);
/* Returns HD_OK, or the code of the reported problems. `opened`: the result of hd_run_file_open. */
enum hd_rc hd_run_file_close(struct hd_run_file *f, bool opened, struct hd_why *why);

/* Gives the node of each key of the file: node[k] for keys[k], NULL if the key is missing. A missing key of
 * `needed` is a problem. `keys` ends with NULL. */
void hd_run_file_keys(struct hd_run_file *f, const char *const *keys, const char *const *needed,
                      const yaml_node_t **node);

/* Reports a node whose value is not allowed. */
void hd_run_file_problem(struct hd_run_file *f, const yaml_node_t *node, const char *key,
                         const char *allowed);
/* Reports a message about an option as a problem at a line of the file. */
void hd_run_file_sentence(struct hd_run_file *f, const yaml_node_t *node, const char *key,
                          const struct hd_why *why);

/* Returns the text of a non-empty scalar, or NULL. */
const char *hd_run_file_scalar(const yaml_node_t *node);
/* Return the number of elements of a list (a node that is no list counts as one), and the i-th. NULL has no
 * elements. */
size_t hd_run_file_count(const yaml_node_t *node);
const yaml_node_t *hd_run_file_item(struct hd_run_file *f, const yaml_node_t *node, size_t i);
/* Checks that the node is a list of words, or one word. */
void hd_run_file_list(struct hd_run_file *f, const yaml_node_t *list, const char *key, const char *allowed);

/* Reads `key: value, ...` into a choice. */
void hd_run_file_settings(struct hd_run_file *f, const yaml_node_t *node, const char *what,
                          struct hd_choice *to);
/* Reads `name: [choice, ...], ...` into axes. */
void hd_run_file_axes(struct hd_run_file *f, const yaml_node_t *node, const char *what, struct hd_axes *axes);
void hd_choice_free(struct hd_choice *choice);
void hd_axes_free(struct hd_axes *axes);

/* A configuration and the changed keys, in order. */
struct hd_recipe {
  const char *config;
  struct hd_list set;
  unsigned line[HD_MAX_LIST];
};
/* Adds the keys of a choice. Returns false after reporting that they are too many. */
bool hd_recipe_put(struct hd_run_file *f, struct hd_recipe *recipe, const struct hd_choice *choice);
/* Loads the machine, as hd_cli_load. *name (to be freed) gets its name in tables: the configuration's name,
 * and the keys from number `first` on. */
enum hd_rc hd_recipe_load(const struct hd_recipe *recipe, size_t first, heddle_machine **machine, char **name,
                          struct hd_why *why);
/* Returns the problems of a machine that did not load, to be freed. Problems of a key are at that key's
 * line. */
char *hd_recipe_problems(const struct hd_run_file *f, const struct hd_recipe *recipe, const char *name,
                         const heddle_machine *machine);
/* Loads the machine as hd_recipe_load, but removes keys from number `first` on from the recipe: with
 * `repair`, first those with problems; then those that change nothing in the machine. */
enum hd_rc hd_recipe_reduce(struct hd_recipe *recipe, size_t first, bool repair, heddle_machine **machine,
                            char **name, struct hd_why *why);

#endif
