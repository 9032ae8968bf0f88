/* Writes Verilator's list of readable variables; see readable.h. */
#include "verif/harness/readable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(FILE *f, const char *module, const char *var) {
  fprintf(f, "public_flat_rd -module \"%s\" -var \"%s\"\n", module, var);
}

/* A module with several instances is listed several times: Verilator accepts that. */
static void put_module(FILE *f, const struct hd_decl *d, const struct hd_decl *top, bool inside) {
  for (size_t i = 0; i < d->n_insts; i++)
    put_module(f, d->insts[i].decl, top, inside);
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls == HD_REG || d->rows[i].cls == HD_CAM ||
        ((d == top || inside) && d->rows[i].cls != HD_RAM))
      put(f, d->module, d->rows[i].var);
  if (d == top) {
    put(f, d->module, "clk");
    put(f, d->module, "rst");
  }
}

/* Lists the variables of all kinds of memory wrappers, used or not. */
static void put_rams(FILE *f, bool inside) {
  put(f, "hd_table_latch", "q");
  for (enum hd_ports p = 0; p < HD_PORT_KINDS; p++) {
    const bool one = hd_one_port(p);
    const char *const vars[] = {"mem", "rdata", "we", one ? "addr" : "waddr", one ? "en" : NULL};
    char module[32];
    snprintf(module, sizeof module, "hd_ram_%s", hd_ports_name(p));
    for (size_t i = 0; i < sizeof vars / sizeof *vars && vars[i]; i++)
      put(f, module, vars[i]);
    if (inside && !one)
      put(f, module, "re");
    if (inside && hd_masked(p))
      put(f, module, "wmask");
    if (inside && p == HD_1RW_M_SLEEP)
      put(f, module, "sleep");
  }
}

char *hd_readable(const struct hd_decl *top, bool inside) {
  char *text;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  if (!f)
    return NULL;
  fputs("`verilator_config\n", f);
  put_rams(f, inside);
  put_module(f, top, top, inside);
  if (fclose(f) == 0)
    return text;
  free(text);
  return NULL;
}

char *hd_dut_twin(const char *path, const char *var) {
  size_t dots = 0;
  for (const char *at = path; (at = strchr(at, '.')); at++)
    dots++;
  char *name = malloc(strlen(path) + dots + strlen(var) + 1), *to = name;
  for (const char *at = path; name && *at; at++)
    to = *at == '.' ? mempcpy(to, "__", 2) : mempcpy(to, at, 1);
  if (name)
    memcpy(to, var, strlen(var) + 1);
  return name;
}
