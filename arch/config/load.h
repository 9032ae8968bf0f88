/* Inside the reader: what load.c (files, inheritance, the struct), load_set.c (--set), parse.c (libyaml) and validate.c (checking one
 * file) share, and readers of other YAML files use.
 *
 * Invariant: text[i] is always a value that key i may have.
 */
#ifndef HEDDLE_ARCH_CONFIG_LOAD_H
#define HEDDLE_ARCH_CONFIG_LOAD_H

#include "arch/config/config.h"
#include "base/text.h"

#include <sys/stat.h>
#include <yaml.h>

/* What a machine's name may consist of: it is part of paths and of Verilog comments. */
#define HD_NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."

/* One file of the chain, or one --set. */
struct hd_layer {
  char *file;
  unsigned line;   /* every position is this line; 0: as in the document */
  const char *set; /* the text of a --set, which has no lines; NULL: it is a file */
  unsigned number; /* as hd_origin.layer */
  struct stat id;
  yaml_document_t doc;
};

struct hd_load {
  hd_config_find *find; /* where a base is that is not beside its file; may be NULL */
  const char *given;    /* the text of the first of the chain; NULL: it is a file */
  FILE *err;
  unsigned problems;
  const char *example; /* of what a file may say, for messages */
  bool no_memory;      /* nothing else counts then */
  const struct hd_key *keys;
  size_t n;
  struct hd_origin *origin; /* of each key */
  char **text;              /* of each key, the one that wins */
  char name[64];            /* of the last file that gives one, or "" */
};

/* Reports one problem. `line` 0, section and key NULL: left out. */
void hd_problem(struct hd_load *l, const char *file, unsigned line, const char *section, const char *key,
                const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Parses text into at->doc, to be deleted. False: not YAML, or no mapping, or out of memory, and said so (then there is no document). */
bool hd_parse(struct hd_load *l, struct hd_layer *at, const char *text);

/* Where the problems of a --set are: "--set sm.warps=3", cut and with unprintable bytes as '?'. */
struct hd_set_place {
  char text[96];
};
struct hd_set_place hd_set_place(const char *set);
/* Checks a --set, a layer of that number, as hd_walk does; `place` stays as long as the origins of keys. */
void hd_walk_set(struct hd_load *l, const char *set, const struct hd_set_place *place, unsigned number);
/* The line of a byte of the text, from 1. */
unsigned hd_line_at(const char *text, size_t offset);

/* The line of a node in its file, from 1; of a --set 0. */
unsigned hd_line(const struct hd_layer *at, const yaml_node_t *node);

/* What a node is, for "found ...": its text, cut and with unprintable bytes as '?', or its kind. */
struct hd_shown {
  char text[64];
};
struct hd_shown hd_show(const yaml_node_t *node);

/* Checks the layer, whose root is a mapping: problems are reported, good values go into origin, text and
 * name. */
void hd_walk(struct hd_load *l, struct hd_layer *at);

#endif
