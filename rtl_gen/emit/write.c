/* Writes modules and their files into a directory; see rtl.h.
 *
 * Invariant: nothing is written before every text exists, and no file gets its name before all are written. */
#include "rtl_gen/rtl.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/new_files.h"
#include "rtl_gen/emit/emit.h"
#include "rtl_gen/emit/files.h"
#include "rtl_gen/verilog/verilog.h"

static const struct hd_decl *find(const struct hd_design *design, const char *module, struct hd_why *why) {
  const struct hd_decl *decl = hd_design_find(design, module);
  if (!decl)
    hd_because(why, HD_INPUT, "no module %s in configuration %s", module, design->c->name);
  return decl;
}

/* --- one top as texts ----------------------------------------------------------------------------------- */

static bool add(struct hd_set *set, const struct hd_decl *decl, struct hd_why *why) {
  for (size_t i = 0; i < set->modules.n; i++)
    if (set->modules.module[i].decl == decl)
      return true;
  for (size_t i = 0; i < decl->n_insts; i++)
    if (!add(set, decl->insts[i].decl, why))
      return false;
  for (size_t i = 0; i < decl->n_mems; i++)
    set->ports[decl->mems[i].ports] = true;
  for (size_t i = 0; i < decl->n_rows; i++)
    set->latched |= decl->rows[i].latched;
  return hd_emit(set->design, decl, &set->modules, why);
}

static struct hd_set set_of(const struct hd_design *design, const struct hd_decl *top) {
  struct hd_set set = {.design = design, .top = top};
  set.modules.module = hd_zeroed(design->n, sizeof *set.modules.module);
  return set;
}

static void drop(struct hd_set *set) {
  for (size_t i = 0; i < set->modules.n; i++) {
    free(set->modules.module[i].text);
    free(set->modules.module[i].used);
    hd_size_roles_free(set->modules.module[i].roles);
  }
  free(set->modules.module);
}

char *hd_rtl_module_text(const struct hd_design *design, const char *module, struct hd_why *why) {
  const struct hd_decl *decl = find(design, module, why);
  if (!decl)
    return NULL;
  struct hd_set set = set_of(design, decl);
  char *text = add(&set, decl, why) ? hd_format("%s", set.modules.module[set.modules.n - 1].text) : NULL;
  drop(&set);
  return text;
}

/* The first module without RTL: `decl` itself, or one below it. Returns NULL if there is none. */
static const struct hd_decl *model_only(const struct hd_decl *decl) {
  const struct hd_decl *found = decl->model_only ? decl : NULL;
  for (size_t i = 0; i < decl->n_insts && !found; i++)
    found = model_only(decl->insts[i].decl);
  return found;
}

enum hd_rc hd_rtl_there(const struct hd_design *design, const char *top, struct hd_why *why) {
  const struct hd_decl *decl = find(design, top, why), *missing = decl ? model_only(decl) : NULL;
  const char *chosen = hd_config_model_only(design->c), *what = chosen    ? chosen
                                                                : missing ? missing->module
                                                                          : NULL;
  if (decl && what)
    hd_because(why, HD_INPUT,
               "configuration %s has %s, which is in the golden model only: heddle sim runs it, there is no "
               "RTL of it",
               design->c->name, what);
  return decl && !what ? HD_OK : HD_INPUT;
}

/* --- files ---------------------------------------------------------------------------------------------- */

/* Removes the Verilog files that are in the directory's old file list and not in the new one. They were made
 * by an earlier call, so they are Heddle's. */
static void remove_stale(const char *dir, char *old, const char *list) {
  char *lines = hd_format("\n%s", list);
  for (char *name = strtok(old, "\n"); name; name = strtok(NULL, "\n")) {
    char *line = hd_format("\n%s\n", name), *path = hd_format("%s/%s", dir, name);
    if (!strchr(name, '/') && !strstr(lines, line))
      unlink(path);
    free(line);
    free(path);
  }
  free(lines);
}

/* bench_files adds the test bench and its data. remove_bench removes those of an earlier call, if there is
 * none now. */
static void bench_files(struct hd_files *files, const struct hd_set *set, const char *dir) {
  char *stem = hd_format("tb_%s", set->top->module);
  hd_files_add(files, dir, stem, ".v", hd_files_bench(set));
  hd_files_add(files, dir, stem, "_in.hex", hd_format("%s", set->bench->stimulus));
  hd_files_add(files, dir, stem, "_out.hex", hd_format("%s", set->bench->expected));
  free(stem);
}

static void remove_bench(const char *dir, const char *top) {
  static const char *const ends[] = {".v", "_in.hex", "_out.hex"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    char *path = hd_format("%s/tb_%s%s", dir, top, ends[i]);
    unlink(path);
    free(path);
  }
}

/* The module that has a register map. */
#define MAPPED "apb_regs"

/* Removes a file that this design does not have. An earlier design in the same directory may have had it. */
static void remove_one(const char *dir, const char *stem, const char *end) {
  char *path = hd_format("%s/%s%s", dir, stem, end);
  unlink(path);
  free(path);
}

enum hd_rc hd_rtl_write(const struct hd_design *design, const char *top, const char *dir,
                        struct hd_why *why) {
  return hd_rtl_write_with(design, top, dir, NULL, why);
}

enum hd_rc hd_rtl_write_with(const struct hd_design *design, const char *top, const char *dir,
                             const struct hd_rtl_bench *bench, struct hd_why *why) {
  if (hd_rtl_there(design, top, why) != HD_OK)
    return HD_INPUT;
  const struct hd_decl *decl = find(design, top, why);
  struct hd_set set = set_of(design, decl);
  set.bench = bench;
  struct hd_files files = {0};
  enum hd_rc rc = HD_CHECK;
  bool mapped = false;
  if (add(&set, decl, why)) {
    for (size_t i = 0; i < set.modules.n; i++) {
      const struct hd_module *m = &set.modules.module[i];
      hd_files_add(&files, dir, m->decl->module, ".v", hd_format("%s", m->text));
      mapped |= !strcmp(m->decl->module, MAPPED);
    }
    if (mapped)
      hd_files_add(&files, dir, MAPPED, ".rdl", hd_files_rdl(&set));
    struct hd_text wrapper[HD_WRAPPERS];
    const unsigned wrappers = hd_files_wrappers(&set, wrapper);
    for (unsigned i = 0; i < wrappers; i++)
      hd_files_add(&files, dir, wrapper[i].text, ".v", hd_wrapper_text(design, wrapper[i].text));
    hd_files_add(&files, dir, top, ".f", hd_files_list(&set));
    const char *list = files.file[files.n - 1].text;
    char *old = hd_slurp(files.file[files.n - 1].path);
    hd_files_add(&files, dir, top, ".core", hd_files_core(&set));
    hd_files_add(&files, dir, top, ".sdc", hd_files_sdc(&set));
    hd_files_add(&files, dir, top, ".synth.tcl", hd_files_synth());
    hd_files_add(&files, dir, top, ".json", hd_files_signature(&set));
    char *upf = hd_files_upf(&set);
    const bool gated = upf != NULL;
    if (gated)
      hd_files_add(&files, dir, top, ".upf", upf);
    if (bench)
      bench_files(&files, &set, dir);
    rc = hd_files_write(&files, dir, why);
    if (rc == HD_OK && old)
      remove_stale(dir, old, list);
    if (rc == HD_OK && !bench)
      remove_bench(dir, top);
    if (rc == HD_OK && !mapped)
      remove_one(dir, MAPPED, ".rdl");
    if (rc == HD_OK && !gated)
      remove_one(dir, top, ".upf");
    free(old);
  }
  hd_files_free(&files);
  drop(&set);
  return rc;
}
