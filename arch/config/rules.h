/* Rules between keys, and which keys matter: what arch/config/check.c asks of every room. arch/<room>/check.c defines
 * `const struct hd_rules <room>_rules`; members that are NULL say nothing.
 */
#ifndef HEDDLE_ARCH_CONFIG_RULES_H
#define HEDDLE_ARCH_CONFIG_RULES_H

#include "arch/config/config.h"

/* One checking: the configuration, where its keys were set, the problems so far. */
struct hd_check {
  const struct hd_config *c;
  hd_where where;
  void *ctx;
  FILE *err;
  unsigned problems;
};

/* Where the key ("section.key") was set: the machine's file, layer 0, if nowhere. */
struct hd_origin hd_origin_of(const struct hd_check *k, const char *path);

#define HD_KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Says, if `broken`, what is wrong with keys[0], at the place of whichever of the keys was set last. Silent if one of
 * them was refused already. */
void hd_rule(struct hd_check *k, bool broken, const char *const keys[], const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void hd_power_of_two(struct hd_check *k, const char *key, unsigned value);

/* The value of a key ("section.key"), as a file would say it. */
struct hd_text hd_value_of(const struct hd_config *c, const char *name);

/* Says, if `does`, that what the key ("section.key") chooses follows lines that come whole, where l1d.fill is sectors. */
void hd_wants_lines(struct hd_check *k, const char *key, bool does);

struct hd_rules {
  void (*check)(struct hd_check *k, const struct hd_config *c);
  /* The key ("section.key") whose value makes this key of the room's change nothing; NULL: it matters, or is not the
   * room's. */
  const char *(*idle)(const struct hd_config *c, const char *section, const char *key);
  /* Whether a key that several rooms may need ("l1d.count_bits") is one that this room may need: the room's own key that
   * decides it, else NULL. *now: it needs the key in this machine. */
  const char *(*needs)(const struct hd_config *c, const char *key, bool *now);
  /* The shared key that decides whether this key ("section.key") of the room's matters as well; NULL: none does. */
  const char *(*follows)(const char *key);
  /* What the room does in this machine, in a few words; nothing if it does nothing. */
  void (*describe)(const struct hd_config *c, FILE *f);
  /* What of the room is chosen that is in the golden model only, as a file says it; NULL: nothing. */
  const char *(*model_only)(const struct hd_config *c);
};

/* The rules of all rooms (rooms.c). */
void hd_rooms_check(struct hd_check *k);

#endif
