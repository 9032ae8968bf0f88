/* Inside the reader: declarations that its files share, and that readers of other YAML files use. The files
 * are load.c (files, inheritance, the struct), load_set.c (--set), parse.c (libyaml) and validate.c (checks
 * of one file).
 *
 * Invariant: text[i] is always a value that key i may have. */
#ifndef HEDDLE_ARCH_CONFIG_LOAD_H
#define HEDDLE_ARCH_CONFIG_LOAD_H

#include "arch/config/config.h"
#include "base/text.h"

#include <sys/stat.h>
#include <yaml.h>

/* The characters that a machine's name may have: the name becomes part of paths and of Verilog comments. */
#define HD_NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."

/* One file of the chain, or one --set. */
struct hd_layer {
  char *file;
  unsigned line;   /* the line of every position; 0: positions are those in the document */
  const char *set; /* the text of a --set, which has no lines; NULL: the layer is a file */
  unsigned number; /* as hd_origin.layer */
  struct stat id;
  yaml_document_t doc;
};

struct hd_load {
  hd_config_find *find; /* finds a base that is not beside its file; may be NULL */
  const char *given;    /* the text of the first of the chain; NULL: read it from its file */
  FILE *err;
  unsigned problems;
  const char *example; /* an example of a right file, for messages */
  bool no_memory;      /* memory was out: ignore everything else */
  const struct hd_key *keys;
  size_t n;
  struct hd_origin *origin; /* of each key */
  char **text;              /* of each key, the value that wins */
  char name[64];            /* of the last file that gives a name, or "" */
};

/* Prints one problem. `line` 0, and section and key NULL, are left out. */
void hd_problem(struct hd_load *l, const char *file, unsigned line, const char *section, const char *key,
                const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Parses text into at->doc, which the caller deletes. Returns false after printing the reason if the text is
 * no YAML or no mapping, or if memory is out; there is no document then. */
bool hd_parse(struct hd_load *l, struct hd_layer *at, const char *text);

/* The place of problems in a --set: "--set sm.warps=3", cut, with unprintable bytes as '?'. */
struct hd_set_place {
  char text[96];
};
struct hd_set_place hd_set_place(const char *set);
/* Checks a --set, which is layer `number`, as hd_walk does. `place` must live as long as the origins of the
 * keys. */
void hd_walk_set(struct hd_load *l, const char *set, const struct hd_set_place *place, unsigned number);
/* The line of the byte at `offset` of the text, from 1. */
unsigned hd_line_at(const char *text, size_t offset);

/* The line of a node in its file, from 1; 0 for a --set. */
unsigned hd_line(const struct hd_layer *at, const yaml_node_t *node);

/* A node as "found ..." shows it: its text, cut, with unprintable bytes as '?', or its kind. */
struct hd_shown {
  char text[64];
};
struct hd_shown hd_show(const yaml_node_t *node);

/* Checks a layer whose root is a mapping. It prints problems, and puts good values into origin, text and
 * name. */
void hd_walk(struct hd_load *l, struct hd_layer *at);

#endif
