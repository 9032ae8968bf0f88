/* Toggles of registers and ports; see toggles.h. */
#include "synth/power/toggles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void hd_toggles_add(struct hd_toggles *t, const char *path, const struct hd_row *row,
                    const struct hd_dut_var *var) {
  t->at = hd_resized(t->at, (size_t)t->n + 1, sizeof *t->at);
  t->at[t->n++] = (struct hd_toggled){.path = path,
                                      .row = row,
                                      .var = *var,
                                      .was = hd_zeroed(var->bytes, 1),
                                      .toggles = hd_zeroed(8 * var->bytes, sizeof(uint64_t)),
                                      .high = hd_zeroed(8 * var->bytes, sizeof(uint64_t)),
                                      .since = hd_zeroed(8 * var->bytes, sizeof(uint64_t))};
}

void hd_toggles_start(struct hd_toggles *t) {
  for (struct hd_toggled *g = t->at; g < t->at + t->n; g++) {
    for (unsigned b = 0; b < g->var.bits; b++) {
      if (g->was[b / 8] >> b % 8 & 1)
        g->high[b] += t->cycles - g->since[b];
      g->since[b] = t->cycles;
    }
    memcpy(g->was, g->var.data, g->var.bytes);
    g->moved = true;
  }
}

void hd_toggles_count(struct hd_toggles *t) {
  t->cycles++;
  for (struct hd_toggled *g = t->at; g < t->at + t->n; g++) {
    const uint8_t *now = g->var.data;
    g->moved = memcmp(g->was, now, g->var.bytes) != 0;
    for (size_t i = 0; g->moved && i < g->var.bytes; i++) {
      for (unsigned left = g->was[i] ^ now[i]; left; left &= left - 1) {
        const size_t b = i * 8 + (unsigned)__builtin_ctz(left);
        g->toggles[b]++;
        if (g->was[i] >> b % 8 & 1)
          g->high[b] += t->cycles - g->since[b];
        g->since[b] = t->cycles;
      }
      g->was[i] = now[i];
    }
  }
}

void hd_toggles_free(struct hd_toggles *t) {
  for (struct hd_toggled *g = t->at; g < t->at + t->n; g++) {
    free(g->was);
    free(g->toggles);
    free(g->high);
    free(g->since);
  }
  free(t->at);
  *t = (struct hd_toggles){0};
}

uint64_t hd_toggles_of(const struct hd_toggles *t, int from, int to) {
  uint64_t all = 0;
  for (const struct hd_toggled *g = t->at + from; g < t->at + to; g++)
    for (unsigned b = 0; b < g->var.bits; b++)
      all += g->toggles[b];
  return all;
}

/* --- SAIF ------------------------------------------------------------------------------------------------ */

static void put_net(const struct hd_toggles *t, const struct hd_toggled *g, unsigned b, double period_ps,
                    FILE *f) {
  char bit[16] = "";
  if (g->var.bits > 1)
    snprintf(bit, sizeof bit, "\\[%u\\]", b);
  const uint64_t high = g->high[b] + (g->was[b / 8] >> b % 8 & 1 ? t->cycles - g->since[b] : 0);
  fprintf(f, "(%s%s (T0 %.0f) (T1 %.0f) (TX 0) (TC %" PRIu64 ") (IG 0))\n", g->row->var, bit,
          period_ps * (double)(t->cycles - high), period_ps * (double)high, g->toggles[b]);
}

/* Writes the instance whose path is the first `depth` characters of the path of entry `from`. Returns the
 * first entry after it. */
static int put_instance(const struct hd_toggles *t, int from, size_t depth, const char *name, int name_n,
                        double period_ps, FILE *f) {
  const char *path = t->at[from].path;
  fprintf(f, "(INSTANCE %.*s\n", name_n, name);
  int i = from;
  bool nets = false;
  while (i < t->n && !strncmp(t->at[i].path, path, depth)) {
    const char *rest = t->at[i].path + depth;
    if (!*rest) {
      if (!nets)
        fprintf(f, "(NET\n");
      nets = true;
      for (unsigned b = 0; b < t->at[i].var.bits; b++)
        put_net(t, &t->at[i], b, period_ps, f);
      i++;
      continue;
    }
    if (nets)
      fprintf(f, ")\n");
    nets = false;
    const size_t inner = strcspn(rest, ".");
    i = put_instance(t, i, depth + inner + 1, rest, (int)inner, period_ps, f);
  }
  fprintf(f, "%s)\n", nets ? ")\n" : "");
  return i;
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const struct hd_toggled *)a)->path, ((const struct hd_toggled *)b)->path);
}

void hd_toggles_saif(const struct hd_toggles *t, const char *top, const char *version, double period_ps,
                     FILE *f) {
  struct hd_toggles sorted = *t;
  sorted.at = hd_zeroed((size_t)t->n, sizeof *t->at);
  memcpy(sorted.at, t->at, (size_t)t->n * sizeof *t->at);
  qsort(sorted.at, (size_t)t->n, sizeof *t->at, by_path);
  fprintf(
      f,
      "(SAIFILE\n(SAIFVERSION \"2.0\")\n(DIRECTION \"backward\")\n(DESIGN \"%s\")\n(VENDOR \"heddle\")\n"
      "(PROGRAM_NAME \"heddle power\")\n(VERSION \"%s\")\n(DIVIDER /)\n(TIMESCALE 1 ps)\n(DURATION %.0f)\n",
      top, version, period_ps * (double)t->cycles);
  if (sorted.n)
    put_instance(&sorted, 0, 0, top, (int)strlen(top), period_ps, f);
  fprintf(f, ")\n");
  free(sorted.at);
}
