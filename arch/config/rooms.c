/* The rules of all rooms together: which keys matter, the machine in words, and its features without RTL; see
 * rules.h. */
#include "arch/config/rules.h"

#include <stdlib.h>
#include <string.h>

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
  if (!strcmp(key, "l1d.bypass_slots") && c->l1d.request_kinds != HD_KINDS_PLAIN)
    return 1;
  for (size_t i = 0; i < ROOMS; i++) {
    bool now = false;
    if (rooms[i]->needs && rooms[i]->needs(c, key, &now) && now)
      return 1;
  }
  return 0;
}

/* The key that decides that no room needs this one. Returns NULL if a room needs it, or if no room ever
 * could. */
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
  /* with l1d.fill: sectors, check.c reports l1d.fill instead */
  if (!strcmp(section, "sm") && !strcmp(key, "coalesce") && !c->l1d.sector_bytes)
    return c->l1d.fill == HD_L1D_FILL_SECTOR ? NULL : "l1d.sector_bytes";
  if (!strcmp(section, "l1d") && !strcmp(key, "errors"))
    return c->memory.kind == HD_MEM_L2 ? "memory.kind" : c->bus.kind != HD_BUS_OFF ? "bus.kind" : NULL;
  if (!strcmp(section, "memory") && strcmp(key, "kind") != 0)
    return c->memory.kind == HD_MEM_L2 ? "memory.kind" : NULL;
  if (!strcmp(section, "storage") && !strncmp(key, "l2_slice_", strlen("l2_slice_")))
    return c->memory.kind == HD_MEM_LINK ? "memory.kind" : NULL;
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
  if (!off && (!strcmp(name, "l1d.sector_bytes") || !strcmp(name, "sm.coalesce")))
    return c->l1d.fill == HD_L1D_FILL_SECTOR || hd_needed(c, "l1d.bypass_slots") ? NULL : "l1d.fill";
  const char *same = name;
  for (size_t i = 0; i < ROOMS; i++)
    if (rooms[i]->follows && rooms[i]->follows(name))
      same = rooms[i]->follows(name);
  return off ? off : not_needed(c, same);
}

void hd_config_describe(const struct hd_config *c, const char *before, const char *after, FILE *f) {
  for (size_t i = 0; i < ROOMS; i++) {
    char *words = NULL;
    size_t size;
    FILE *room = open_memstream(&words, &size);
    if (!room) {
      fprintf(f, "%sout of memory%s", before, after);
      return;
    }
    if (rooms[i]->describe)
      rooms[i]->describe(c, room);
    fclose(room);
    if (*words)
      fprintf(f, "%s%s%s", before, words, after);
    free(words);
  }
}

const char *hd_config_model_only(const struct hd_config *c) {
  const char *what = c->l1d.ways > HD_RTL_L1D_WAYS       ? "an L1D of more than 32 ways"
                     : c->l1d.sets > HD_RTL_L1D_SETS     ? "an L1D of more than 256 sets"
                     : c->l1d.set_index == HD_INDEX_FULL ? "a fully associative L1D"
                     : c->request_buffer.kind != HD_SLOT && c->request_buffer.depth > HD_RTL_QUEUE
                         ? "queues of more than 64 entries"
                     : c->request_buffer.kind == HD_MEMSCHED && c->request_buffer.depth == 1
                         ? "queues of one entry"
                         : NULL;
  for (size_t i = 0; i < ROOMS && !what; i++)
    what = rooms[i]->model_only ? rooms[i]->model_only(c) : NULL;
  return what;
}

void hd_rooms_check(struct hd_check *k) {
  for (size_t i = 0; i < ROOMS; i++)
    if (rooms[i]->check)
      rooms[i]->check(k, k->c);
}
