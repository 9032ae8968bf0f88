/* Makes the declaration and the wiring of a drop-in; see dropin.h. */
#include "arch/dropin/dropin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/dropin/extract.h"
#include "base/nearest_name.h"

static const char *const mechanisms[] = {
#define ROOM(room) #room,
#include "arch/config/rooms.h"
#undef ROOM
};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };
static const char *const tops[HD_DROPIN_PARTS] = {"sm_mem", "l2_top"};

static bool has_room(const struct hd_design *design, const char *room) {
  for (size_t t = 0; t < HD_DROPIN_PARTS; t++) {
    const struct hd_decl *top = hd_design_find(design, tops[t]);
    for (size_t i = 0; top && i < top->n_insts; i++)
      if (!strcmp(top->insts[i].decl->room, room))
        return true;
  }
  return false;
}

/* The room that a drop-in's name means. Returns NULL if there is none. */
static const char *room_of(const struct hd_design *design, const char *name) {
  for (size_t i = 0; i < MECHANISMS; i++) {
    const size_t n = strlen(mechanisms[i]);
    const bool meant = !strncmp(name, mechanisms[i], n) && (!name[n] || !strcmp(name + n, "_top"));
    if (meant && has_room(design, mechanisms[i]))
      return mechanisms[i];
  }
  return NULL;
}

void hd_dropins(const struct hd_design *design, void (*visit)(void *user, const char *name), void *user) {
  for (size_t i = 0; i < MECHANISMS; i++)
    if (has_room(design, mechanisms[i])) {
      char name[HD_DROPIN_NAME];
      snprintf(name, sizeof name, "%s_top", mechanisms[i]);
      visit(user, name);
    }
}

static bool is_module(const char *name) {
  static const char *const modules[] = {
#define MODULE_MOORE(X, room) #X,
#define MODULE_MEALY(X, room) #X,
#define MODEL_MOORE(X, room) #X,
#define MODEL_MEALY(X, room) #X,
#include "arch/declaration/modules.def"
  };
  for (size_t i = 0; i < sizeof modules / sizeof *modules; i++)
    if (!strcmp(name, modules[i]))
      return true;
  return false;
}

/* The names that a machine has, for the message about an unknown name. */
struct names {
  struct hd_near near;
  char list[700];
  char dropin[MECHANISMS][HD_DROPIN_NAME]; /* names of drop-ins; near.name may point to one */
  size_t dropins;
};

static void add_name(struct names *names, const char *name) {
  const size_t used = strlen(names->list);
  snprintf(names->list + used, sizeof names->list - used, "%s%s", used ? ", " : "", name);
  hd_near_try(&names->near, name);
}

static void add_dropin(void *user, const char *name) {
  struct names *names = user;
  char *kept = names->dropin[names->dropins++];
  snprintf(kept, HD_DROPIN_NAME, "%s", name);
  add_name(names, kept);
}

static enum hd_rc refuse(const struct hd_design *design, const char *name, struct hd_why *why) {
  struct names names = {.near = hd_near_to(name)};
  for (size_t i = 0; i < design->n; i++)
    add_name(&names, design->decls[i]->module);
  hd_dropins(design, add_dropin, &names);
  const bool elsewhere = is_module(name);
  return hd_because(why, HD_INPUT, "module: found %s%s; %sallowed, in %s: %s; write one of these", name,
                    elsewhere ? ", which this machine does not have" : "",
                    elsewhere ? "" : hd_near_text(&names.near).text, design->c->name, names.list);
}

static void end(struct hd_decl *decl) {
  struct hd_dropin *dropin = decl->dropin;
  if (!dropin)
    return;
  for (size_t i = 0; i < dropin->n_parts; i++) {
    hd_wiring_free(dropin->part[i].wiring);
    free(dropin->part[i].rows);
  }
  hd_wiring_free(dropin->wiring);
  free(dropin->input);
  free(dropin);
}

/* Adds the sizes that are free in all modules that the drop-in is taken from. Returns false if memory is out. */
static bool free_sizes(struct hd_decl *decl, const struct hd_dropin *dropin) {
  const struct hd_decl *first = dropin->part[0].decl;
  decl->frees = calloc(first->n_frees + 1, sizeof *decl->frees);
  if (!decl->frees)
    return false;
  for (const struct hd_free *f = first->frees; f < first->frees + first->n_frees; f++) {
    struct hd_free both = *f;
    bool in_all = true;
    for (size_t p = 1; p < dropin->n_parts; p++) {
      const struct hd_decl *other = dropin->part[p].decl;
      size_t i = 0;
      while (i < other->n_frees && strcmp(other->frees[i].name, f->name) != 0)
        i++;
      in_all &= i < other->n_frees;
      if (in_all && other->frees[i].least > both.least)
        both.least = other->frees[i].least;
    }
    if (in_all)
      decl->frees[decl->n_frees++] = both;
  }
  return true;
}

/* Finds the modules that have instances of the room, and makes their wirings. */
static enum hd_rc find_parts(struct hd_dropin *dropin, const struct hd_design *design, const char *room,
                             struct hd_why *why) {
  for (size_t t = 0; t < HD_DROPIN_PARTS; t++) {
    struct hd_dropin_part *p = &dropin->part[dropin->n_parts];
    size_t n;
    p->decl = hd_design_find(design, tops[t]);
    if (!p->decl || !hd_dropin_takes(p->decl, room))
      continue;
    dropin->n_parts++;
    p->rows = hd_wires_of(design->c, tops[t], &n);
    p->wiring = hd_wiring_new(p->decl, p->rows, n, false, why);
    if (!p->wiring) /* only memory can be out: the build has checked the rows */
      return HD_TOOL;
  }
  return HD_OK;
}

static enum hd_rc make(struct hd_decl *decl, const struct hd_design *design, const char *room,
                       struct hd_why *why) {
  struct hd_dropin *dropin = calloc(1, sizeof *dropin);
  if (!dropin)
    return hd_because(why, HD_TOOL, "out of memory");
  snprintf(dropin->name, sizeof dropin->name, "%s_top", room);
  snprintf(dropin->title, sizeof dropin->title, "the modules of %s alone, for a cache of another kind", room);
  *decl = (struct hd_decl){
      .module = dropin->name, .room = room, .title = dropin->title, .dropin = dropin, .end = end};
  enum hd_rc rc = find_parts(dropin, design, room, why);
  if (rc == HD_OK)
    rc = hd_dropin_take(decl, dropin, why);
  if (rc == HD_OK && !free_sizes(decl, dropin))
    rc = hd_because(why, HD_TOOL, "out of memory");
  return rc;
}

enum hd_rc hd_dropin_add(struct hd_design *design, const char *name, const struct hd_decl **decl,
                         struct hd_why *why) {
  const char *const room = room_of(design, name);
  *decl = NULL;
  if (!room)
    return refuse(design, name, why);
  struct hd_decl **more = realloc(design->decls, (design->n + 1) * sizeof *more);
  struct hd_decl *made = more ? calloc(1, sizeof *made) : NULL;
  if (more)
    design->decls = more;
  if (!made)
    return hd_because(why, HD_TOOL, "out of memory");
  const enum hd_rc rc = make(made, design, room, why);
  if (rc == HD_OK)
    *decl = design->decls[design->n++] = made;
  else
    hd_decl_free(made);
  return rc;
}
