/* Modules and their files into a directory; see rtl.h.
 *
 * Invariant: nothing is written before every text is there, and no file gets its name before all are written.
 */
#include "rtl_gen/rtl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rtl_gen/emit/emit.h"
#include "rtl_gen/emit/files.h"

static const struct hd_decl *find(const struct hd_design *design, const char *module, struct hd_why *why) {
  const struct hd_decl *decl = hd_design_find(design, module);
  if (!decl)
    hd_because(why, HD_INPUT, "no module %s in configuration %s", module, design->c->name);
  return decl;
}

char *hd_rtl_module_text(const struct hd_design *design, const char *module, struct hd_why *why) {
  const struct hd_decl *decl = find(design, module, why);
  return decl ? hd_emit(design, decl, why) : NULL;
}

/* --- one top as texts ----------------------------------------------------------------------------------- */

static bool add(struct hd_set *set, const struct hd_decl *decl, struct hd_why *why) {
  for (size_t i = 0; i < set->n; i++)
    if (set->decls[i] == decl)
      return true;
  for (size_t i = 0; i < decl->n_insts; i++)
    if (!add(set, decl->insts[i].decl, why))
      return false;
  for (size_t i = 0; i < decl->n_mems; i++)
    set->ports[decl->mems[i].ports] = true;
  set->decls[set->n] = decl;
  set->texts[set->n] = hd_emit(set->design, decl, why);
  return set->texts[set->n++] != NULL;
}

static void drop(struct hd_set *set) {
  for (size_t i = 0; i < set->n; i++)
    free(set->texts[i]);
  free(set->decls);
  free(set->texts);
}

/* A module under `decl`, or itself, of which there is no RTL; NULL: none. */
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

struct file {
  char *part, *path, *text; /* part: the name while not all files are written */
};
struct files {
  struct file *file;
  size_t n;
};

static void more(struct files *files, const char *dir, const char *stem, const char *end, char *text) {
  files->file = realloc(files->file, (files->n + 1) * sizeof *files->file);
  if (!files->file || !text)
    abort();
  files->file[files->n++] =
      (struct file){hd_format("%s/.%s%s.part", dir, stem, end), hd_format("%s/%s%s", dir, stem, end), text};
}

static bool put(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  if (!f)
    return false;
  const bool written = fputs(text, f) >= 0;
  return fclose(f) == 0 && written;
}

static enum hd_rc put_all(const struct files *files, struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  for (size_t i = 0; i < files->n && rc == HD_OK; i++)
    if (!put(files->file[i].part, files->file[i].text))
      rc = hd_because(why, HD_INPUT, "cannot write %s: %s", files->file[i].path, strerror(errno));
  for (size_t i = 0; i < files->n && rc == HD_OK; i++)
    if (rename(files->file[i].part, files->file[i].path))
      rc = hd_because(why, HD_INPUT, "cannot write %s: %s", files->file[i].path, strerror(errno));
  for (size_t i = 0; i < files->n && rc != HD_OK; i++)
    unlink(files->file[i].part);
  return rc;
}

/* Removes the Verilog that the directory's old file list names and the new one does not: the next *.v is ours. */
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

enum hd_rc hd_rtl_write(const struct hd_design *design, const char *top, const char *dir,
                        struct hd_why *why) {
  if (hd_rtl_there(design, top, why) != HD_OK)
    return HD_INPUT;
  const struct hd_decl *decl = find(design, top, why);
  struct hd_set set = {.design = design,
                       .top = decl,
                       .decls = calloc(design->n, sizeof *set.decls),
                       .texts = calloc(design->n, sizeof *set.texts)};
  struct files files = {NULL, 0};
  enum hd_rc rc = HD_CHECK;
  if (!set.decls || !set.texts)
    abort();
  if (add(&set, decl, why)) {
    for (size_t i = 0; i < set.n; i++)
      more(&files, dir, set.decls[i]->module, ".v", hd_format("%s", set.texts[i]));
    for (enum hd_ports p = 0; p < HD_PORT_KINDS; p++)
      if (set.ports[p])
        more(&files, dir, hd_ram_name(p).text, ".v", hd_ram_text(design, p));
    more(&files, dir, top, ".f", hd_files_list(&set));
    const char *list = files.file[files.n - 1].text;
    char *old = hd_slurp(files.file[files.n - 1].path);
    more(&files, dir, top, ".core", hd_files_core(&set));
    more(&files, dir, top, ".json", hd_files_signature(&set));
    rc = hd_make_dirs(dir)
             ? put_all(&files, why)
             : hd_because(why, HD_INPUT, "cannot make the directory %s: %s", dir, strerror(errno));
    if (rc == HD_OK && old)
      remove_stale(dir, old, list);
    free(old);
  }
  for (size_t i = 0; i < files.n; i++) {
    free(files.file[i].part);
    free(files.file[i].path);
    free(files.file[i].text);
  }
  free(files.file);
  drop(&set);
  return rc;
}
