/* Rules between keys: which machines can be built, and which settings would change nothing.
 *
 * Invariant: a rule whose keys include one that was refused already says nothing, so that one mistake is one
 * line.
 */
#include "arch/config/rules.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct hd_check {
  const struct hd_config *c;
  hd_where where;
  void *ctx;
  FILE *err;
  unsigned problems;
};

static struct hd_origin origin_of(const struct hd_check *k, const char *path) {
  const struct hd_origin unset = {*k->c->path ? k->c->path : k->c->name, 0, 0, false};
  const size_t n = strcspn(path, ".");
  char section[64];
  snprintf(section, sizeof section, "%.*s", (int)n, path);
  const struct hd_origin *at = k->where ? k->where(k->ctx, section, path + n + 1) : NULL;
  return at ? *at : unset;
}

void hd_rule(struct hd_check *k, bool broken, const char *const keys[], const char *format, ...) {
  struct hd_origin last = origin_of(k, keys[0]);
  for (size_t i = 0; keys[i]; i++) {
    const struct hd_origin at = origin_of(k, keys[i]);
    broken = broken && !at.unusable;
    if (at.layer > last.layer)
      last = at;
  }
  if (!broken)
    return;
  k->problems++;
  fprintf(k->err, "%s:", last.file);
  if (last.line)
    fprintf(k->err, "%u:", last.line);
  fprintf(k->err, " %s: ", keys[0]);
  va_list args;
  va_start(args, format);
  vfprintf(k->err, format, args);
  va_end(args);
  fputc('\n', k->err);
}

void hd_power_of_two(struct hd_check *k, const char *key, unsigned value) {
  const unsigned above = 1u << hd_clog2(value);
  hd_rule(k, value & (value - 1), HD_KEYS(key), "found %u; allowed a power of two; set it to %u or %u", value,
          above / 2, above);
}

#define ROOM(room) extern const struct hd_rules room##_rules;
#include "arch/config/rooms.h"
#undef ROOM
static const struct hd_rules *const rooms[] = {
#define ROOM(room) &room##_rules,
#include "arch/config/rooms.h"
#undef ROOM
};
enum { ROOMS = sizeof rooms / sizeof *rooms };

unsigned hd_needed(const struct hd_config *c, const char *key) {
  for (size_t i = 0; i < ROOMS; i++) {
    bool now = false;
    if (rooms[i]->needs && rooms[i]->needs(c, key, &now) && now)
      return 1;
  }
  return 0;
}

/* The key that decides that no room needs this one; NULL: some room does, or none ever would. */
static const char *not_needed(const struct hd_config *c, const char *key) {
  const char *off = NULL;
  bool now;
  for (size_t i = 0; i < ROOMS && !off; i++)
    off = rooms[i]->needs ? rooms[i]->needs(c, key, &now) : NULL;
  return off && hd_needed(c, key) ? NULL : off;
}

static const char *idle_of_machine(const struct hd_config *c, const char *section, const char *key) {
  if (!strcmp(section, "prefetch"))
    return strcmp(key, "kind") != 0 && c->prefetch.kind == HD_PF_OFF ? "prefetch.kind" : NULL;
  if (!strcmp(section, "memory") && strcmp(key, "kind") != 0)
    return c->memory.kind == HD_MEM_L2 ? "memory.kind" : NULL;
  if (!strcmp(section, "icnt") || !strcmp(section, "l2") || !strcmp(section, "dram") ||
      !strcmp(section, "energy"))
    return c->memory.kind == HD_MEM_LINK ? "memory.kind" : NULL;
  return NULL;
}

const char *hd_config_idle(const struct hd_config *c, const struct hd_key *k) {
  char name[64];
  snprintf(name, sizeof name, "%s.%s", k->section, k->key);
  const char *off = idle_of_machine(c, k->section, k->key);
  for (size_t i = 0; i < ROOMS && !off; i++)
    off = rooms[i]->idle ? rooms[i]->idle(c, k->section, k->key) : NULL;
  return off ? off : not_needed(c, name);
}

void hd_config_describe(const struct hd_config *c, const char *before, const char *after, FILE *f) {
  for (size_t i = 0; i < ROOMS; i++) {
    char *words = NULL;
    size_t size;
    FILE *room = open_memstream(&words, &size);
    if (!room)
      abort();
    if (rooms[i]->describe)
      rooms[i]->describe(c, room);
    fclose(room);
    if (*words)
      fprintf(f, "%s%s%s", before, words, after);
    free(words);
  }
}

const char *hd_config_model_only(const struct hd_config *c) {
  const char *what = c->l1d.ways > 32 ? "an L1D of more than 32 ways" : NULL;
  for (size_t i = 0; i < ROOMS && !what; i++)
    what = rooms[i]->model_only ? rooms[i]->model_only(c) : NULL;
  return what;
}

/* The value of a key by its name, as a file would say it. */
static struct hd_text value_of(const struct hd_config *c, const char *name) {
  size_t n;
  const struct hd_key *key = hd_keys(&n);
  const size_t section = strcspn(name, ".");
  while (strncmp(key->section, name, section) || key->section[section] ||
         strcmp(key->key, name + section + 1) != 0)
    key++;
  return hd_key_text(key, hd_config_get(c, key));
}

/* A key set where another key has switched off what it configures. One that was set in a base, before a later
 * file switched it off, is no mistake. */
static void set_in_vain(struct hd_check *k) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  for (size_t i = 0; i < n; i++) {
    const char *off = hd_config_idle(k->c, &keys[i]);
    if (!off)
      continue;
    char name[64];
    snprintf(name, sizeof name, "%s.%s", keys[i].section, keys[i].key);
    const struct hd_origin set = origin_of(k, name), by = origin_of(k, off);
    hd_rule(k, set.layer && set.layer >= by.layer && !by.unusable, HD_KEYS(name),
            "found %s, which changes nothing while %s is %s; allowed only where it has an effect; remove "
            "it, or change %s",
            hd_key_text(&keys[i], hd_config_get(k->c, &keys[i])).text, off, value_of(k->c, off).text, off);
  }
}

unsigned hd_config_check(struct hd_config *c, hd_where where, void *ctx, FILE *err) {
  struct hd_check k = {c, where, ctx, err, 0};
  const unsigned line_w = c->sm.addr_bits - hd_clog2(c->l1d.line_bytes), set_w = hd_clog2(c->l1d.sets);

  hd_rule(&k, c->sm.schedulers == 3, HD_KEYS("sm.schedulers"),
          "found 3; allowed 1, 2 or 4; set it to one of these");
  hd_rule(&k, c->sm.ctas > c->sm.warps, HD_KEYS("sm.ctas", "sm.warps"),
          "found %u with sm.warps: %u; allowed at most one CTA a warp slot; lower it to %u", c->sm.ctas,
          c->sm.warps, c->sm.warps);
  hd_power_of_two(&k, "l1d.sets", c->l1d.sets);
  hd_power_of_two(&k, "l1d.line_bytes", c->l1d.line_bytes);
  hd_rule(
      &k,
      c->l1d.set_index == HD_INDEX_FERMI &&
          ((c->l1d.sets != 32 && c->l1d.sets != 64) || c->l1d.line_bytes != 128),
      HD_KEYS("l1d.set_index", "l1d.sets", "l1d.line_bytes"),
      "found fermi_hash with %u sets of %u-byte lines; allowed with 32 or 64 sets of 128-byte lines, as on "
      "the GTX480; use xor or linear",
      c->l1d.sets, c->l1d.line_bytes);
  hd_rule(
      &k, c->l1d.set_index == HD_INDEX_XOR && line_w < 2 * set_w,
      HD_KEYS("l1d.set_index", "l1d.sets", "l1d.line_bytes", "sm.addr_bits"),
      "found xor with %u-bit line addresses and %u sets; allowed where a line address has %u bits or more; "
      "raise sm.addr_bits, or use linear",
      line_w, c->l1d.sets, 2 * set_w);
  hd_rule(
      &k, c->gpu.sms > 1 && c->gpu.dispatch_latency < 2, HD_KEYS("gpu.dispatch_latency", "gpu.sms"),
      "found 1 with gpu.sms: %u; allowed at least 2, since SMs and dispatcher are apart; set it to 2 or more",
      c->gpu.sms);
  const unsigned members = (c->sm.warps + c->sm.schedulers - 1) / c->sm.schedulers;
  hd_rule(&k, c->scheduler.limit >= members, HD_KEYS("scheduler.limit", "sm.warps", "sm.schedulers"),
          "found %u where a scheduler has %u warps; allowed fewer than these, or 0; lower it",
          c->scheduler.limit, members);
  hd_rule(&k, c->memory.kind == HD_MEM_L2 && line_w <= hd_clog2(c->l2.sets),
          HD_KEYS("l2.sets", "sm.addr_bits", "l1d.line_bytes"),
          "found %u with %u-bit line addresses; allowed up to %llu, so that something is left for the tag; "
          "lower it, or raise sm.addr_bits",
          c->l2.sets, line_w, 1ull << (line_w - 1)); /* computed even if it is not said */
  hd_power_of_two(&k, "sm.simd_width", c->sm.simd_width);
  hd_power_of_two(&k, "sm.shared_banks", c->sm.shared_banks);
  if (c->memory.kind == HD_MEM_L2) {
    hd_power_of_two(&k, "l2.sets", c->l2.sets);
    hd_power_of_two(&k, "dram.banks", c->dram.banks);
    hd_power_of_two(&k, "dram.row_bytes", c->dram.row_bytes);
    hd_power_of_two(&k, "dram.interleave", c->dram.interleave);
    const unsigned sector = c->icnt.sector_bytes;
    hd_rule(
        &k, sector && (sector < 16 || sector & (sector - 1) || sector > c->l1d.line_bytes),
        HD_KEYS("icnt.sector_bytes", "l1d.line_bytes"),
        "found %u with lines of %u bytes; allowed 0, or a power of two from 16 bytes to a line; set it to 0 "
        "or 32",
        sector, c->l1d.line_bytes);
    hd_rule(
        &k, c->l2.banks % c->dram.channels, HD_KEYS("l2.banks", "dram.channels"),
        "found %u with dram.channels: %u; allowed a multiple, so that each bank has a channel; set it to %u",
        c->l2.banks, c->dram.channels, (c->l2.banks / c->dram.channels + 1) * c->dram.channels);
    hd_rule(&k, c->dram.interleave < c->l1d.line_bytes, HD_KEYS("dram.interleave", "l1d.line_bytes"),
            "found %u with lines of %u bytes; allowed at least a line, which is never split; raise it",
            c->dram.interleave, c->l1d.line_bytes);
    hd_rule(&k, c->dram.row_bytes < c->dram.interleave, HD_KEYS("dram.row_bytes", "dram.interleave"),
            "found %u with dram.interleave: %u; allowed at least that; raise it", c->dram.row_bytes,
            c->dram.interleave);
  }
  for (size_t i = 0; i < ROOMS; i++)
    if (rooms[i]->check)
      rooms[i]->check(&k, c);
  set_in_vain(&k);

  if (!k.problems)
    hd_config_derive(c);
  return k.problems;
}
