/* One machine as plain numbers: the configuration, its derived sizes, and the manual of its keys.
 *
 * Invariant: a struct hd_config from hd_config_load or hd_config_default has passed hd_config_check. So every
 * floor may divide, shift and allocate by its fields without a check. */
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

struct hd_config; /* its fields: arch/config/params.def, and params.def of the rooms */

/* The largest value of a number key as a constant, HD_MOST(sm, warps). INT_MAX if the real limit is larger. */
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

/* Limits of the hardware. A machine above them exists in the golden model only. */
enum {
  HD_RTL_L1D_SETS = 256,
  HD_RTL_L1D_WAYS = 32,
  HD_RTL_L1D_LINES = HD_RTL_L1D_SETS * HD_RTL_L1D_WAYS,
  HD_RTL_QUEUE = 64
};

/* The sizes that follow from the keys: arch/config/derived.def. */
struct hd_derived {
#define DERIVED(name, expr, meaning) unsigned name;
#include "arch/config/derived.def"
#undef DERIVED
};

struct hd_config {
  char name[64];  /* `name:` of the file, or the file's stem; used in banners and paths */
  char path[256]; /* the file, "" for built-in defaults */
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

/* The number of bits that number n things: the least w >= 1 with 2^w >= n. */
unsigned hd_clog2(unsigned n);

/* Questions of arch/config/derived.def about the modules inside sm_mem and its connection rows. A module
 * counts if it is an INST row, at any depth, whose condition holds. Ports of sm_mem itself and of an L2 slice
 * do not count. Those conditions, and the widths of ports of that name and direction, may use only sizes that
 * are derived before. Each returns 1 if
 *   hd_hears: a module has an input of this name in Verilog, of at least one bit, or a row reads inst.port
 *   hd_says:  a module has an output of this name, of at least one bit
 *   hd_wired: a WIRE row drives an input of this name
 *   hd_slice_says: as hd_says, for the modules inside l2_top */
unsigned hd_hears(const struct hd_config *c, const char *port);
unsigned hd_says(const struct hd_config *c, const char *port);
unsigned hd_slice_says(const struct hd_config *c, const char *port);
unsigned hd_wired(const struct hd_config *c, const char *port);
/* Also for derived.def: the bits of a field of a bundle (0 if it does not exist), the bits of all its fields,
 * and a mask of the fields that exist (bit i: field i). */
unsigned hd_field_bits(const struct hd_config *c, const char *bundle, const char *field);
unsigned hd_bundle_bits(const struct hd_config *c, const char *bundle);
unsigned hd_there(const struct hd_config *c, const char *bundle);
/* Masks of the SM's run-time enables in this machine. hd_enabled: bit p is 1 if the key of the p-th enable is
 * true. hd_enabled_at_rest: bit p is 1 if the p-th enable may change at rest only. */
unsigned hd_enabled(const struct hd_config *c);
unsigned hd_enabled_at_rest(const struct hd_config *c);
/* The version of Heddle as a number: major, minor and patch, a byte each, from bit 16 down. */
unsigned hd_version_number(void);

/* For arch/config/derived.def: returns 1 if some room needs this key ("sm.pc_bits"), one that several rooms
 * may need (arch/config/rules.h). */
unsigned hd_needed(const struct hd_config *c, const char *key);

/* One key as a table row. `heddle list params`, the reader and the error texts use it. */
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
/* All keys, by section; *n is their number. */
const struct hd_key *hd_keys(size_t *n);
/* The key with the name "section.key", which has `length` bytes. Returns NULL if there is none. */
const struct hd_key *hd_key_called(const char *name, size_t length);

/* The value of key k: a number, the constant of an enum, or 0 or 1 for a bool. */
long hd_config_get(const struct hd_config *c, const struct hd_key *k);
/* A value of key k as a configuration file writes it. */
struct hd_text {
  char text[24];
};
struct hd_text hd_key_text(const struct hd_key *k, long value);
/* The word of a bool or enum key. Returns NULL for a number and for an unknown key. */
const char *hd_config_word(const struct hd_config *c, const char *section, const char *key);

/* Sets every key to its default, and fills the derived sizes. */
void hd_config_default(struct hd_config *c);

/* Reads a YAML file (and its `base:` chain) over the defaults. Prints every problem to `err`, one a line,
 *   FILE:LINE: section.key: found X; allowed Y; do Z
 * and returns their number. *c is usable only if it returns 0. */
unsigned hd_config_load(struct hd_config *c, const char *path, FILE *err);

/* Returns the path of the configuration with this name, to be freed, or NULL if there is none. */
typedef char *hd_config_find(const char *name);

/* As hd_config_load, then sets each of `sets` ("section.key=value"). The place of a problem in one of them is
 * "--set section.key=value". `find` finds a base that is not beside the file that names it; it may be NULL.
 * Returns HD_CONFIG_NO_MEMORY if memory is out; *c is then undefined. */
#define HD_CONFIG_NO_MEMORY UINT_MAX
unsigned hd_config_load_set(struct hd_config *c, const char *path, hd_config_find *find,
                            const char *const *sets, size_t n, FILE *err);

/* The same for a text that is in no file. Messages name it `called`, and a base is looked up as for a file of
 * that name. */
unsigned hd_config_load_text(struct hd_config *c, const char *text, const char *called, hd_config_find *find,
                             const char *const *sets, size_t n_sets, FILE *err);

/* Where a key was set. Layers count from 1: the root of the `base:` chain, ..., the file itself, each --set. */
struct hd_origin {
  const char *file;
  unsigned line, layer;
  bool unusable; /* the value was refused: rules that use this key print nothing */
};
/* Returns NULL if the key was not set. */
typedef const struct hd_origin *(*hd_where)(void *ctx, const char *section, const char *key);

/* Checks the rules between keys, prints each problem to `err` and returns their number. `where` may be NULL.
 * Fills c->d if there is no problem. */
unsigned hd_config_check(struct hd_config *c, hd_where where, void *ctx, FILE *err);

/* The key ("section.key") whose value makes key k have no effect in this machine. Returns NULL if k matters. */
const char *hd_config_idle(const struct hd_config *c, const struct hd_key *k);

/* Prints the mechanisms of this machine, a few words each, with `before` and `after` around each. */
void hd_config_describe(const struct hd_config *c, const char *before, const char *after, FILE *f);

/* The feature of this machine, besides modules, that exists in the golden model only: as a file says it, or in words.
 * Returns NULL if there is none. */
const char *hd_config_model_only(const struct hd_config *c);

/* Recomputes c->d, for callers that change fields by hand. */
void hd_config_derive(struct hd_config *c);

/* `heddle list params`: every key with type, range, default, unit, meaning, source. */
void hd_config_manual(FILE *f);

/* Prints the whole configuration as YAML that reads back as the same machine. Keys without effect in this
 * machine are comments. */
void hd_config_print(const struct hd_config *c, FILE *f);

#endif
