/* Runs at build time. It checks the connection rows of arch/ (docs/connections.md) in every machine of a
 * list, and in all machines together. It also writes the C that is made from them.
 *
 * usage: wiregen check CONFIG...
 *        wiregen full MODULE FILE
 *        wiregen lazy MODULE FILE
 *        wiregen specialized MODULE FILE CONFIG
 * If rows are wrong, the exit code is 1, after a sentence with the file and line of the row at fault, if
 * there is one. */
#include <stdlib.h>
#include <string.h>

#include "tools/wiregen.h"
#include "tools/wiregen_parts.h"

/* Checks the module's rows in this design. Returns true also if it has none. */
static bool check_module(const struct hd_design *design, const struct hd_decl *decl, const char *machine) {
  size_t n;
  struct hd_why why;
  struct hd_wire *rows = hd_wires_of(design->c, decl->module, &n);
  if (!rows && !n)
    return true;
  struct hd_wiring *w = hd_wiring_new(decl, rows, n, design->all, &why);
  if (!w)
    fprintf(stderr, "%s (%s)\n", why.text, machine);
  const bool ok = w != NULL;
  hd_wiring_free(w);
  free(rows);
  return ok;
}

static bool check_design(struct hd_design *design, const char *machine) {
  if (!design) {
    fprintf(stderr, "wiregen: out of memory\n");
    return false;
  }
  bool ok = true;
  for (size_t i = 0; i < design->n && ok; i++)
    ok = check_module(design, design->decls[i], machine);
  hd_design_free(design);
  return ok;
}

static bool check(char **configs, int n) {
  struct hd_config c;
  hd_config_default(&c);
  hd_config_derive(&c);
  bool ok = check_design(hd_design_all(&c), "all machines");
  for (int i = 0; i < n && ok; i++)
    ok = hd_config_load(&c, configs[i], stderr) == 0 && check_design(hd_design_new(&c), configs[i]);
  return ok;
}

/* Writes the constants of one machine. The lazy run, or a bank's cycle, is compiled with them for that
 * machine (cmodel/model/specialized.h). */
static bool write_specialized(const char *module, const char *path, const char *config) {
  struct hd_config c;
  hd_config_default(&c);
  hd_config_derive(&c);
  struct hd_design *all = hd_design_all(&c);
  struct hd_design *machine = hd_config_load(&c, config, stderr) == 0 ? hd_design_new(&c) : NULL;
  const struct hd_decl *decl = all ? hd_design_find(all, module) : NULL;
  const struct hd_decl *own = machine ? hd_design_find(machine, module) : NULL;
  FILE *f = decl && own ? fopen(path, "w") : NULL;
  if (f)
    fprintf(f, "/* Made by tools/wiregen.c of %s. */\n", config);
  for (size_t i = 0; f && i < decl->n_insts; i++) {
    bool there = false;
    for (size_t k = 0; k < own->n_insts; k++)
      there |= !strcmp(own->insts[k].name, decl->insts[i].name);
    fprintf(f, "#define HD_HAS_%s %d\n", decl->insts[i].name, there);
  }
#define SPECIALIZED(size)                                                                                    \
  if (f)                                                                                                     \
    fprintf(f, "#define HD_SIZE_" #size " %uu\n", c.d.size);
#define SPECIALIZED_SOME(size)                                                                               \
  if (f)                                                                                                     \
    fprintf(f, "#define HD_SOME_" #size " %d\n", c.d.size != 0);
#include "arch/config/specialized.def"
#include "arch/config/specialized_l2.def"
#undef SPECIALIZED
#undef SPECIALIZED_SOME
  const bool ok = f && hd_close_written(f);
  if (!ok)
    fprintf(stderr, "%s: no such module or machine, or it can't be written\n", path);
  hd_design_free(all);
  hd_design_free(machine);
  return ok;
}

static bool write(const char *what, const char *module, const char *path) {
  struct hd_config c;
  hd_config_default(&c);
  hd_config_derive(&c);
  struct hd_design *design = hd_design_all(&c), *plain = hd_design_new(&c);
  const struct hd_decl *decl = design && plain ? hd_design_find(design, module) : NULL;
  struct hd_why why = {"no such module, or out of memory"};
  size_t n = 0;
  struct hd_wire *rows = hd_wires_of(&c, module, &n);
  struct hd_wiring *w = decl ? hd_wiring_new(decl, rows, n, true, &why) : NULL;
  FILE *f = w ? fopen(path, "w") : NULL;
  if (f)
    fprintf(f, "/* Made by tools/wiregen.c from the connection rows of %s. */\n", module);
  bool ok = f && (!strcmp(what, "full") ? hd_write_full(f, w, &why)
                                        : hd_write_lazy(f, w, hd_design_find(plain, module), &why));
  ok = f && hd_close_written(f) && ok;
  if (!ok)
    fprintf(stderr, "%s: %s\n", path, why.text);
  hd_wiring_free(w);
  free(rows);
  hd_design_free(design);
  hd_design_free(plain);
  return ok;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "check"))
    return !check(argv + 2, argc - 2);
  if (argc == 4 && (!strcmp(argv[1], "full") || !strcmp(argv[1], "lazy")))
    return !write(argv[1], argv[2], argv[3]);
  if (argc == 5 && !strcmp(argv[1], "specialized"))
    return !write_specialized(argv[2], argv[3], argv[4]);
  fprintf(stderr, "usage: wiregen check CONFIG...\n       wiregen full MODULE FILE\n"
                  "       wiregen lazy MODULE FILE\n       wiregen specialized MODULE FILE CONFIG\n");
  return 2;
}
