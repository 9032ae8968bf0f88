/* Rules between keys, and which keys matter: the questions of arch/config/check.c to every room.
 * arch/<room>/check.c defines `const struct hd_rules <room>_rules`; members may be NULL. */
#ifndef HEDDLE_ARCH_CONFIG_RULES_H
#define HEDDLE_ARCH_CONFIG_RULES_H

#include "arch/config/config.h"

/* One check of a configuration: where its keys were set, and the problems so far. */
struct hd_check {
  const struct hd_config *c;
  hd_where where;
  void *ctx;
  FILE *err;
  unsigned problems;
};

/* Where the key ("section.key") was set. If it was not set: the machine's file, layer 0. */
struct hd_origin hd_origin_of(const struct hd_check *k, const char *path);

#define HD_KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* If `broken`, prints what is wrong with keys[0], at the place of the key in `keys` that was set last. Prints
 * nothing if one of the keys was refused before. */
void hd_rule(struct hd_check *k, bool broken, const char *const keys[], const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void hd_power_of_two(struct hd_check *k, const char *key, unsigned value);

/* The value of a key ("section.key") as a configuration file writes it. */
struct hd_text hd_value_of(const struct hd_config *c, const char *name);

/* If `does`, prints that the choice of this key ("section.key") needs lines that are filled as a whole, if
 * l1d.fill is sectors. */
void hd_wants_lines(struct hd_check *k, const char *key, bool does);

struct hd_rules {
  void (*check)(struct hd_check *k, const struct hd_config *c);
  /* The key ("section.key") whose value makes this key of the room have no effect. NULL: the key matters, or
   * is of another room. */
  const char *(*idle)(const struct hd_config *c, const char *section, const char *key);
  /* For a key that several rooms may need ("l1d.count_bits"): the room's own key that decides if this room
   * needs it. NULL: this room never needs it. *now: the room needs it in this machine. */
  const char *(*needs)(const struct hd_config *c, const char *key, bool *now);
  /* The shared key that also decides if this key ("section.key") of the room matters. NULL: there is none. */
  const char *(*follows)(const char *key);
  /* Prints in a few words what the room does in this machine; nothing if it does nothing. */
  void (*describe)(const struct hd_config *c, FILE *f);
  /* The choice in the room that exists in the golden model only, in a file's words. NULL: there is none. */
  const char *(*model_only)(const struct hd_config *c);
};

/* The rules of all rooms (rooms.c). */
void hd_rooms_check(struct hd_check *k);

#endif
