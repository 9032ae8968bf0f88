/* The directory of a module's RTL for the tools, and their progress; see price.h. */
#include "cli/price/price.h"
#include "rtl_gen/rtl.h"
#include "verif/verilate/build.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* Returns a module's Verilog: the user's from directory `own`, or, if that is NULL, the generated one. */
static char *module_text(const struct hd_design *design, const char *own, const char *module,
                         struct hd_why *why) {
  if (!own)
    return hd_rtl_module_text(design, module, why);
  char *path = hd_format("%s/%s.v", own, module), *text = hd_slurp(path);
  if (!text)
    hd_because(why, HD_INPUT, "--rtl: %s: no such file; allowed: a directory that heddle gen has written",
               path);
  free(path);
  return text;
}

/* Makes the directory of this RTL, and locks it until *lock is closed. */
static enum hd_rc lock_directory(const char *work, const char *own, const struct hd_design *design,
                                 const char *top, const struct hd_synth_module *module, int modules,
                                 char **dir, int *lock, struct hd_why *why) {
  uint64_t hash = HD_HASH_START;
  for (int i = 0; i < modules; i++) {
    char *text = module_text(design, own, module[i].name, why);
    if (!text)
      return own ? HD_INPUT : HD_CHECK;
    hash = hd_hash_text(hash, text);
    free(text);
  }
  *dir = hd_format("%s/%s/%s-%016llx", work, design->c->name, top, (unsigned long long)hash);
  *lock = hd_make_dirs(*dir) ? open(*dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (*lock < 0)
    return hd_because(why, HD_INPUT, "the directory %s can't be written", *dir);
  flock(*lock, LOCK_EX);
  return HD_OK;
}

enum hd_rc hd_cli_place_open(const char *work, const char *own, const struct hd_design *design,
                             const char *top, bool attached, struct hd_cli_place *place, struct hd_why *why) {
  *place = (struct hd_cli_place){.lock = -1};
  if (attached && !(place->group = hd_synth_attached(design, top, why)))
    return HD_INPUT;
  if (place->group)
    top = place->group->of;
  place->n = hd_synth_modules_of(design, top, &place->modules);
  enum hd_rc rc = hd_rtl_there(design, top, why);
  if (rc == HD_OK)
    rc = lock_directory(work, own, design, top, place->modules, place->n, &place->dir, &place->lock, why);
  if (rc == HD_OK) {
    place->rtl = hd_format("%s/rtl", place->dir);
    rc = own ? hd_rtl_take(own, top, place->rtl, why) : hd_rtl_write(design, top, place->rtl, why);
  }
  return rc;
}

void hd_cli_place_close(struct hd_cli_place *place) {
  if (place->lock >= 0)
    close(place->lock);
  free(place->group);
  free(place->modules);
  free(place->rtl);
  free(place->dir);
  *place = (struct hd_cli_place){.lock = -1};
}

/* The flip-flops in a module: the time that it takes depends on them. */
static unsigned flipflops_in(const struct hd_decl *d) {
  unsigned bits = hd_decl_ff_bits(d);
  for (size_t i = 0; i < d->n_insts; i++)
    bits += flipflops_in(d->insts[i].decl);
  return bits;
}

void hd_cli_synth_progress(void *user, const char *module, int done, int of) {
  const struct hd_cli_going *t = user;
  struct hd_pace pace = {.done = t->alone.nth, .of = t->alone.of};
  for (int i = 0; !t->alone.of && i < of; i++) {
    const unsigned bits = flipflops_in(hd_design_find(t->design, t->module[i].name));
    pace.done += i < done ? bits : 0;
    pace.of += bits;
  }
  hd_progress(pace, "synthesis: %s, %d of %d modules done", module, t->alone.of ? t->alone.nth : done,
              t->alone.of ? t->alone.of : of);
}
