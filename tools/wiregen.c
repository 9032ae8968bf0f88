/* At build time: checks the connection rows of arch/ (docs/connections.md) in every machine of a list, and of all machines
 * together; and writes the C that is made from them.
 *
 * usage: wiregen check CONFIG...
 *        wiregen full MODULE FILE
 *        wiregen lazy MODULE FILE CONFIG...
 * exit code 1 and a sentence, with file and line where one row is to blame: the rows are wrong
 */
#include <stdlib.h>
#include <string.h>

#include "tools/wiregen.h"
#include "tools/wiregen_parts.h"

/* The module's rows in this design; true also if it has none. */
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

/* Those beside the L1D in this machine, by their numbers in the wiring of everything. */
static uint64_t company(const struct hd_wiring *w, const struct hd_decl *machine) {
  uint64_t set = 0;
  for (size_t i = 0; i < w->decl->n_insts; i++) {
    const struct hd_inst *inst = &w->decl->insts[i];
    for (size_t k = 0; k < machine->n_insts; k++)
      if (!strcmp(machine->insts[k].name, inst->name) && hd_parts_is_beside(w, inst) &&
          !strcmp(hd_part_row(w, inst)->name, "L1D"))
        set |= UINT64_C(1) << i;
  }
  return set;
}

/* The companies that the L1D has in these machines, each once: the lazy run has code of its own for each. */
static bool write_companies(FILE *f, const struct hd_wiring *w, char **configs, int n) {
  uint64_t *seen = calloc((size_t)n + 1, sizeof *seen);
  size_t companies = 1; /* seen[0]: nobody */
  bool ok = seen != NULL;
  fprintf(f, "\n/* Those beside the L1D in the machines of configs/. */\n#define COMPANIES_L1D(X)");
  for (int i = 0; i < n && ok; i++) {
    struct hd_config c;
    struct hd_design *design = hd_config_load(&c, configs[i], stderr) == 0 ? hd_design_new(&c) : NULL;
    ok = design != NULL;
    const uint64_t set = ok ? company(w, hd_design_find(design, w->decl->module)) : 0;
    size_t k = 0;
    while (k < companies && seen[k] != set)
      k++;
    if (k == companies) {
      seen[companies++] = set;
      fprintf(f, " X(0x%llx)", (unsigned long long)set);
    }
    hd_design_free(design);
  }
  fprintf(f, "\n");
  free(seen);
  return ok;
}

static bool write(const char *what, const char *module, const char *path, char **configs, int n_configs) {
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
                                        : hd_write_lazy(f, w, hd_design_find(plain, module), &why) &&
                                              write_companies(f, w, configs, n_configs));
  ok = f && fclose(f) == 0 && ok;
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
  if ((argc == 4 && !strcmp(argv[1], "full")) || (argc >= 4 && !strcmp(argv[1], "lazy")))
    return !write(argv[1], argv[2], argv[3], argv + 4, argc - 4);
  fprintf(stderr, "usage: wiregen check CONFIG...\n       wiregen full MODULE FILE\n"
                  "       wiregen lazy MODULE FILE CONFIG...\n");
  return 2;
}
