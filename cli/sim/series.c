/* Writes one row per interval; see series.h. */
#include "cli/sim/series.h"
#include "cmodel/gpu/figures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum hd_rc hd_series_open(const struct hd_args *args, struct hd_series *s, struct hd_why *why) {
  *s = (struct hd_series){0};
  const char *path = args->series;
  if (path && !strcmp(path, "-"))
    return hd_because(why, HD_INPUT, "--series: found -; allowed the name of a file");
  if (path && !args->interval)
    return hd_because(why, HD_INPUT, "--interval: found 0; allowed 1 or more");
  const char *dot = path ? strrchr(path, '.') : NULL;
  s->json = dot && !strcmp(dot, ".json");
  return hd_out_open(&s->out, "series", path, why);
}

/* The figures with a column are those that count up with time. */
static bool has_column(const heddle_figure *f) {
  return f->counts && strcmp(f->name, "cycles") != 0 && strcmp(f->name, "sms") != 0;
}

static void write_header(const heddle_run *run, FILE *f) {
  fputs("from,to,ipc", f);
  for (size_t i = 0; i < heddle_figure_count(run); i++)
    if (has_column(heddle_figure_at(run, i)))
      fprintf(f, ",%s", heddle_figure_at(run, i)->name);
  fputc('\n', f);
}

/* The change of a figure in this row. It is negative if a remainder falls, such as the prefetches that are
 * unused so far. */
static int64_t of_row(const struct hd_series *s, const heddle_run *run, size_t figure) {
  return (int64_t)(heddle_figure_at(run, figure)->count - s->before[figure]);
}

/* Returns the number of a figure that every run has. */
static size_t figure_of(const heddle_run *run, const char *name) {
  size_t i = 0;
  while (strcmp(heddle_figure_at(run, i)->name, name) != 0)
    i++;
  return i;
}

static void write_row(const struct hd_series *s, const heddle_run *run) {
  FILE *f = s->out.f;
  const size_t cycles = figure_of(run, "cycles");
  const uint64_t from = s->before[cycles], to = heddle_figure_at(run, cycles)->count;
  const double ipc = hd_per((double)of_row(s, run, figure_of(run, "instructions")), (double)(to - from));
  if (s->json)
    fprintf(f, "%s  {\"from\": %" PRIu64 ", \"to\": %" PRIu64 ", \"ipc\": %.6g", s->rows ? ",\n" : "[\n",
            from, to, ipc);
  else
    fprintf(f, "%" PRIu64 ",%" PRIu64 ",%.6g", from, to, ipc);
  for (size_t i = 0; i < heddle_figure_count(run); i++) {
    if (!has_column(heddle_figure_at(run, i)))
      continue;
    if (s->json)
      fprintf(f, ", \"%s\": %" PRId64, heddle_figure_at(run, i)->name, of_row(s, run, i));
    else
      fprintf(f, ",%" PRId64, of_row(s, run, i));
  }
  fputs(s->json ? "}" : "\n", f);
}

void hd_series_row(void *user, const heddle_run *run) {
  struct hd_series *s = user;
  const size_t n = heddle_figure_count(run);
  if (!s->before)
    s->before = calloc(n, sizeof *s->before);
  if (!s->before) {
    s->no_memory = true;
    return;
  }
  if (!s->rows && !s->json)
    write_header(run, s->out.f);
  write_row(s, run);
  for (size_t i = 0; i < n; i++)
    s->before[i] = heddle_figure_at(run, i)->count;
  s->rows++;
}

enum hd_rc hd_series_close(struct hd_series *s, enum hd_rc rc, struct hd_why *why) {
  if (rc == HD_OK && s->no_memory)
    rc = hd_because(why, HD_TOOL, "--series: out of memory");
  if (s->out.f && s->json)
    fputs("\n]\n", s->out.f);
  free(s->before);
  return hd_out_close(&s->out, rc == HD_OK, rc, why);
}
