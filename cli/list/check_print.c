/* Compares a paper's figures with ours, as text and as JSON (docs/json.md); see check.h. */
#include "cli/list/check.h"

#include <math.h>
#include <string.h>

/* The facts that are printed for every application, even if the paper does not give them. */
static const enum wl_fact always[] = {WL_FACT_ctas,     WL_FACT_thread_insts,   WL_FACT_load_pcs,
                                      WL_FACT_lines,    WL_FACT_resident_warps, WL_FACT_miss_rate,
                                      WL_FACT_dead_time};
enum { ALWAYS = sizeof always / sizeof *always };

/* A figure of the paper and ours. */
struct pair {
  const struct wl_paper_row *row;
  bool measured;
  double ours;
  enum hd_verdict verdict;
};

struct printer {
  const struct hd_check *check;
  FILE *f;
  size_t failed;
};

static enum hd_verdict verdict_of(const struct wl_paper_row *row, double ours) {
  const bool ok = row->how == WL_LEAST  ? ours >= row->value
                  : row->how == WL_MOST ? ours <= row->value
                                        : fabs(ours - row->value) <= fabs(row->value) * row->within / 100;
  return ok ? HD_VERDICT_OK : row->must ? HD_VERDICT_FAILS : HD_VERDICT_DIFFERS;
}

static struct pair pair_of(const struct wl_paper_row *row, bool measured, double ours) {
  return (struct pair){row, measured, ours, measured ? verdict_of(row, ours) : HD_VERDICT_NONE};
}

/* --- words ---------------------------------------------------------------------------------------------- */

struct text {
  char text[40];
};

static struct text number(double v) {
  struct text t;
  snprintf(t.text, sizeof t.text, fabs(v) >= 1000 || v == floor(v) ? "%.0f" : "%.3g", v);
  return t;
}

static const char *const hows[] = {"", "at least ", "at most "};
static const char *const verdicts[] = {"", "ok", "differs", "FAILS"};

static void print_pair(struct printer *p, const struct pair *pair) {
  const struct wl_paper_row *row = pair->row;
  char name[40], paper[40];
  snprintf(name, sizeof name, row->n ? "%s %u" : "%s", wl_fact_texts[row->fact].name, row->n);
  snprintf(paper, sizeof paper, "%s%s", hows[row->how], number(row->value).text);
  fprintf(p->f, "  %-20s %16s %10s %-10s %-8s %s\n", name, paper,
          pair->measured ? number(pair->ours).text : "-", wl_fact_texts[row->fact].unit,
          verdicts[pair->verdict], row->text);
}

static json_t *pair_json(const struct pair *pair) {
  static const char *const how_words[] = {"is", "at_least", "at_most"};
  static const char *const verdict_words[] = {NULL, "ok", "differs", "fails"};
  const struct wl_paper_row *row = pair->row;
  return json_pack("{s:s, s:o, s:s, s:s, s:f, s:f, s:o, s:b, s:s?, s:s}", "fact",
                   wl_fact_texts[row->fact].name, "load", row->n ? json_integer(row->n) : json_null(), "unit",
                   wl_fact_texts[row->fact].unit, "how", how_words[row->how], "paper", row->value,
                   "within_percent", row->within, "ours",
                   pair->measured ? json_real(pair->ours) : json_null(), "must", row->must, "verdict",
                   verdict_words[pair->verdict], "source", row->text);
}

static void tell(struct printer *p, const struct wl_paper_row *row, bool measured, double ours, json_t *to) {
  const struct pair pair = pair_of(row, measured, ours);
  p->failed += pair.verdict == HD_VERDICT_FAILS;
  print_pair(p, &pair);
  json_array_append_new(to, pair_json(&pair));
}

/* --- one application ------------------------------------------------------------------------------------ */

static void tell_of(struct printer *p, const struct hd_check_app *app, const struct wl_paper_row *row,
                    json_t *to) {
  double ours = 0;
  const bool measured = hd_check_ours(p->check, app, row->fact, row->n, &ours);
  tell(p, row, measured, ours, to);
}

/* Every slot must be filled, unless the table says why not. */
static void tell_filled(struct printer *p, const struct hd_check_app *app, json_t *to) {
  const struct wl_paper_row row = {.kind = WL_PAPER_SAYS,
                                   .text = app->sparse ? app->sparse : "to fill all slots",
                                   .fact = WL_FACT_filled,
                                   .how = WL_LEAST,
                                   .value = 100,
                                   .must = !app->sparse};
  tell_of(p, app, &row, to);
}

/* The miss rate of the loads in the paper's table, each weighted by its share. */
static void tell_misses(struct printer *p, const struct hd_check_app *app, const struct wl_paper_row *end,
                        json_t *to) {
  enum { TOLERANCE = 25 };
  double misses = 0, shares = 0, share = 0;
  for (const struct wl_paper_row *row = app->row + 1; row < end; row++) {
    if (row->fact == WL_FACT_load_share)
      share = row->value;
    if (row->fact != WL_FACT_load_miss)
      continue;
    misses += share * row->value;
    shares += share;
  }
  const struct wl_paper_row row = {.kind = WL_PAPER_SAYS,
                                   .text = "those loads together; ours: all kernels",
                                   .fact = WL_FACT_miss_rate,
                                   .value = shares > 0 ? misses / shares : 0,
                                   .within = TOLERANCE};
  if (shares > 0)
    tell_of(p, app, &row, to);
}

static json_t *ours_json(const struct printer *p, const struct hd_check_app *app) {
  json_t *o = json_object();
  double ours;
  for (size_t i = 0; i < ALWAYS; i++)
    if (hd_check_ours(p->check, app, always[i], 0, &ours))
      json_object_set_new(o, wl_fact_texts[always[i]].name, json_real(ours));
  return o;
}

static void print_ours(const struct printer *p, const struct hd_check_app *app) {
  double ours;
  const char *separator = "  ours: ";
  for (size_t i = 0; i < ALWAYS; i++) {
    const struct wl_fact_text *t = &wl_fact_texts[always[i]];
    if (!hd_check_ours(p->check, app, always[i], 0, &ours))
      continue;
    fprintf(p->f, "%s%s %s%s%s", separator, t->name, number(ours).text, *t->unit ? " " : "", t->unit);
    separator = ", ";
  }
  fputc('\n', p->f);
}

static json_t *tell_app(struct printer *p, const struct hd_check_app *app) {
  const struct wl_paper *paper = p->check->paper;
  const struct wl_paper_row *row = app->row, *end = row + 1, *last = paper->row + paper->rows;
  json_t *facts = json_array();
  while (end < last && (end->kind == WL_PAPER_SPARSE || end->kind == WL_PAPER_SAYS))
    end++;
  fprintf(p->f, "\n%s, %s: %s (%s)\n  main kernel %s, %u CTAs of %u warps\n", row->name, row->group,
          row->spec, row->text, app->walked.main.name, app->walked.main.ctas, app->walked.main.warps_per_cta);
  print_ours(p, app);
  tell_filled(p, app, facts);
  for (const struct wl_paper_row *r = row + 1; r < end; r++)
    if (r->kind == WL_PAPER_SAYS)
      tell_of(p, app, r, facts);
  tell_misses(p, app, end, facts);
  for (const struct wl_paper_row *r = paper->row; r < last; r++)
    if (r->kind == WL_PAPER_ALL)
      tell_of(p, app, r, facts);
  return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s, s:o, s:o}", "name", row->name, "class", row->group,
                   "workload", row->spec, "why", row->text, "sparse", app->sparse, "kernel",
                   app->walked.main.name, "ours", ours_json(p, app), "facts", facts);
}

size_t hd_check_print(const struct hd_check *check, FILE *f, json_t **json) {
  struct printer p = {.check = check, .f = f};
  const struct wl_paper *paper = check->paper;
  json_t *apps = json_array(), *means = json_array();
  fprintf(f, "%s: %zu applications on %s, %u SMs\n", paper->title, check->apps, paper->machine,
          check->machine->c.gpu.sms);
  for (size_t i = 0; i < check->apps; i++)
    json_array_append_new(apps, tell_app(&p, &check->app[i]));
  for (const struct wl_paper_row *r = paper->row; r < paper->row + paper->rows; r++) {
    double ours = 0;
    if (r->kind != WL_PAPER_MEAN || !check->whole)
      continue;
    fprintf(f, "\nmean of %s\n", *r->group ? r->group : "all");
    const bool measured = hd_check_mean(check, r, &ours);
    json_t *one = json_array();
    tell(&p, r, measured, ours, one);
    json_object_set_new(json_array_get(one, 0), "class", *r->group ? json_string(r->group) : json_null());
    json_array_append(means, json_array_get(one, 0));
    json_decref(one);
  }
  fputc('\n', f);
  *json = json_pack("{s:s, s:s, s:s, s:b, s:o, s:o, s:I}", "paper", paper->name, "title", paper->title,
                    "machine", paper->machine, "simulated", check->simulated, "applications", apps, "means",
                    means, "failed", (json_int_t)p.failed);
  return p.failed;
}
