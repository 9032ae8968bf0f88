/* One machine, as plain numbers: the configuration, its derived sizes, and the manual of its keys.
 *
 * Invariant: a struct hd_config that hd_config_load or hd_config_default gave out has passed hd_config_check,
 * so every floor may divide, shift and allocate by its fields without looking again.
 */
#ifndef HEDDLE_ARCH_CONFIG_CONFIG_H
#define HEDDLE_ARCH_CONFIG_CONFIG_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define VALUE(constant, word, meaning) constant,
#define ENUM_TYPE(type, values) enum type { values };
#include "arch/config/enums.h"
#undef VALUE
#undef ENUM_TYPE

struct hd_config; /* fields: arch/config/params.def and those of the rooms */

/* The most that a number may be, as a constant: HD_MOST(sm, warps); INT_MAX where it is more. */
#define HD_MOST(section, key) HD_MOST_##section##_##key
enum {
#define SECTION(name, meaning)
#define END(name)
#define INT(section, key, dflt, min, max, unit, meaning, source)                                             \
  HD_MOST(section, key) = (max) > INT_MAX ? INT_MAX : (max),
#define BOOL(section, key, dflt, meaning, source)
#define ENUM(section, key, type, dflt, meaning, source)
#include "arch/config/params.h"
#include "arch/config/params_undef.h"
};

/* What the hardware has at most of these; machines with more are in the golden model only. */
enum {
  HD_RTL_L1D_SETS = 256,
  HD_RTL_L1D_WAYS = 32,
  HD_RTL_L1D_LINES = HD_RTL_L1D_SETS * HD_RTL_L1D_WAYS,
  HD_RTL_QUEUE = 64
};

/* The sizes that follow from the keys; see arch/config/derived.def for each. */
struct hd_derived {
#define DERIVED(name, expr, meaning) unsigned name;
#include "arch/config/derived.def"
#undef DERIVED
};

struct hd_config {
  char name[64];  /* `name:` of the file, else the file's stem; used in banners and paths */
  char path[256]; /* the file it came from, "" for built-in defaults */
#define SECTION(name, meaning) struct {
#define END(name)                                                                                            \
  }                                                                                                          \
  name;
#define INT(section, key, dflt, min, max, unit, meaning, source) unsigned key;
#define BOOL(section, key, dflt, meaning, source) bool key;
#define ENUM(section, key, type, dflt, meaning, source) enum type key;
#include "arch/config/params.h"
#include "arch/config/params_undef.h"
  struct hd_derived d;
};

/* Bits that number n things: the least w >= 1 with 2^w >= n. */
unsigned hd_clog2(unsigned n);

/* For arch/config/derived.def, of the modules inside sm_mem (INST rows whose condition holds, at any depth) and its
 * connection rows; sm_mem's own ports and an L2 slice's do not count. Conditions, and widths of ports of that name and
 * direction, may use only what is derived before. 1 if
 *   hd_hears: a module has an input of this name in Verilog, of at least one bit, or a row reads inst.port
 *   hd_says:  a module has an output of this name, of at least one bit
 *   hd_wired: a WIRE row drives an input of this name
 *   hd_slice_says: as hd_says, of the modules inside l2_top */
unsigned hd_hears(const struct hd_config *c, const char *port);
unsigned hd_says(const struct hd_config *c, const char *port);
unsigned hd_slice_says(const struct hd_config *c, const char *port);
unsigned hd_wired(const struct hd_config *c, const char *port);
/* Likewise: bits of a field of a bundle, 0: it is not there; bits of all its fields; and bit i = its field i is there. */
unsigned hd_field_bits(const struct hd_config *c, const char *bundle, const char *field);
unsigned hd_bundle_bits(const struct hd_config *c, const char *bundle);
unsigned hd_there(const struct hd_config *c, const char *bundle);
/* Of the run-time enables of the SM that are there, bit p = the p-th has a key that is true; changes at rest only. */
unsigned hd_enabled(const struct hd_config *c);
unsigned hd_enabled_at_rest(const struct hd_config *c);
/* The version of Heddle as a number: major, minor and patch from bit 16 down, a byte each. */
unsigned hd_version_number(void);

/* For arch/config/derived.def: 1 if a room needs a key ("sm.pc_bits") that several may need (arch/config/rules.h). */
unsigned hd_needed(const struct hd_config *c, const char *key);

/* One key as a table row: what `heddle list params`, the reader and the error texts share. */
enum hd_key_type { HD_KEY_INT, HD_KEY_BOOL, HD_KEY_ENUM };
struct hd_word {
  const char *word, *meaning;
  int value;
};
struct hd_key {
  const char *section, *key, *meaning, *unit, *source;
  enum hd_key_type type;
  long dflt, min, max;          /* enum: the constant; bool: 0 or 1 */
  const struct hd_word *words;  /* enum: its words */
  size_t n_words, offset, size; /* where the field is in struct hd_config */
};
/* All keys, by section; *n gets their number. */
const struct hd_key *hd_keys(size_t *n);
/* The one that is called "section.key", a name of so many bytes; NULL: none is. */
const struct hd_key *hd_key_called(const char *name, size_t length);

/* The value of key k: a number, the constant of an enum, or 0 or 1 of a bool. */
long hd_config_get(const struct hd_config *c, const struct hd_key *k);
/* A value of key k as the file would say it. */
struct hd_text {
  char text[24];
};
struct hd_text hd_key_text(const struct hd_key *k, long value);
/* The word of a bool or enum key; NULL: a number, or no such key. */
const char *hd_config_word(const struct hd_config *c, const char *section, const char *key);

/* Every key at its default, derived sizes filled. */
void hd_config_default(struct hd_config *c);

/* Reads a YAML file (and its `base:` chain) over the defaults. Reports every problem to `err`, one a line:
 *   FILE:LINE: section.key: found X; allowed Y; do Z
 * and returns their number; *c is usable only if that is 0. */
unsigned hd_config_load(struct hd_config *c, const char *path, FILE *err);

/* The path of the configuration of that name, to be freed; NULL: there is none. */
typedef char *hd_config_find(const char *name);

/* The same, then each of `sets` ("section.key=value") over it; problems in one are at --set section.key=value. A base that is not
 * beside the file that names it is where `find` says; `find` may be NULL. HD_CONFIG_NO_MEMORY: out of memory, nothing is
 * certain. */
#define HD_CONFIG_NO_MEMORY UINT_MAX
unsigned hd_config_load_set(struct hd_config *c, const char *path, hd_config_find *find,
                            const char *const *sets, size_t n, FILE *err);

/* The same of a text that is in no file: messages call it `called`, and a base is looked for as if it were a file of that name. */
unsigned hd_config_load_text(struct hd_config *c, const char *text, const char *called, hd_config_find *find,
                             const char *const *sets, size_t n_sets, FILE *err);

/* Where a key was set. Layers count up from 1: the root of the `base:` chain, ..., the file itself, each
 * --set. */
struct hd_origin {
  const char *file;
  unsigned line, layer;
  bool unusable; /* the value was refused: rules that look at this key say nothing */
};
/* NULL: the key was not set. */
typedef const struct hd_origin *(*hd_where)(void *ctx, const char *section, const char *key);

/* Rules between keys; `where` may be NULL. Returns the number of problems, each printed to `err`. Fills c->d
 * when there is none. */
unsigned hd_config_check(struct hd_config *c, hd_where where, void *ctx, FILE *err);

/* The key ("section.key") whose value makes key k change nothing in this machine; NULL: k matters. */
const char *hd_config_idle(const struct hd_config *c, const struct hd_key *k);

/* What the mechanisms of this machine are, in a few words each, with texts around each. */
void hd_config_describe(const struct hd_config *c, const char *before, const char *after, FILE *f);

/* What this machine has that is in the golden model only, besides modules: as a file says it, or in words. NULL: nothing. */
const char *hd_config_model_only(const struct hd_config *c);

/* Recomputes c->d, for who changes fields by hand. */
void hd_config_derive(struct hd_config *c);

/* `heddle list params`: every key with type, range, default, unit, meaning, source. */
void hd_config_manual(FILE *f);

/* The whole configuration as YAML, so that it reads back as the same machine; keys that change nothing in it
 * are comments. */
void hd_config_print(const struct hd_config *c, FILE *f);

#endif
