/* A YAML file that asks for runs: what `heddle sweep` and `heddle explore` read alike. libyaml gives a document whose nodes know
 * their lines, as for configurations; a schema of libcyaml would have to name the keys, and those of axes are any key.
 *
 * Invariant: each mistake is told once, at its line of the file, and counted in load.problems.
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

/* A key with a value for it, as --set has it, and where the file says it. */
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

/* Reads the file; *text is to be freed, behind hd_run_file_close. False: told why, or *text NULL: it cannot be read, and errno says
 * why. */
bool hd_run_file_open(struct hd_run_file *f, const char *path, const char *example, char **text);
/* HD_OK, or what the problems told come to. `opened`: what hd_run_file_open said. */
enum hd_rc hd_run_file_close(struct hd_run_file *f, bool opened, struct hd_why *why);

/* The node of each key of the file: node[k] of keys[k], NULL if it is not there. `needed`: the keys without which there is a
 * problem; keys end with NULL. */
void hd_run_file_keys(struct hd_run_file *f, const char *const *keys, const char *const *needed,
                      const yaml_node_t **node);

/* A node that is not what is allowed. */
void hd_run_file_problem(struct hd_run_file *f, const yaml_node_t *node, const char *key,
                         const char *allowed);
/* What a sentence about an option says, of a line of the file. */
void hd_run_file_sentence(struct hd_run_file *f, const yaml_node_t *node, const char *key,
                          const struct hd_why *why);

/* The text of a scalar that is not empty; NULL: it is none. */
const char *hd_run_file_scalar(const yaml_node_t *node);
/* How many there are in a list, or one that is no list; and the i-th. NULL: none. */
size_t hd_run_file_count(const yaml_node_t *node);
const yaml_node_t *hd_run_file_item(struct hd_run_file *f, const yaml_node_t *node, size_t i);
/* A list of words, or one. */
void hd_run_file_list(struct hd_run_file *f, const yaml_node_t *list, const char *key, const char *allowed);

/* key: value, ... into a choice. */
void hd_run_file_settings(struct hd_run_file *f, const yaml_node_t *node, const char *what,
                          struct hd_choice *to);
/* name: [choice, ...], ... into axes. */
void hd_run_file_axes(struct hd_run_file *f, const yaml_node_t *node, const char *what, struct hd_axes *axes);
void hd_choice_free(struct hd_choice *choice);
void hd_axes_free(struct hd_axes *axes);

/* A configuration and the keys that are changed in it, in order. */
struct hd_recipe {
  const char *config;
  struct hd_list set;
  unsigned line[HD_MAX_LIST];
};
/* Adds the keys of a choice. False: they are too many, which is told. */
bool hd_recipe_put(struct hd_run_file *f, struct hd_recipe *recipe, const struct hd_choice *choice);
/* The machine, as hd_cli_load. *name (to be freed) gets what tables call it: the configuration's name, and the keys from `first`
 * on. */
enum hd_rc hd_recipe_load(const struct hd_recipe *recipe, size_t first, heddle_machine **machine, char **name,
                          struct hd_why *why);
/* The problems of a machine that did not load, those of the n-th key at the line that says it; to be freed. */
char *hd_recipe_problems(const struct hd_run_file *f, const struct hd_recipe *recipe, const char *name,
                         const heddle_machine *machine);
/* The same without the keys from `first` on that change nothing in the machine, which are taken from the recipe; `repair`: nor with those
 * at which there are problems, which go first. */
enum hd_rc hd_recipe_reduce(struct hd_recipe *recipe, size_t first, bool repair, heddle_machine **machine,
                            char **name, struct hd_why *why);

#endif
