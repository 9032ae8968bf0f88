/* The mismatch report; see mismatch_report.h. */
#include "verif/report/mismatch_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "verif/harness/readable.h"

struct hd_number hd_commas(uint64_t n) {
  struct hd_number c;
  char plain[24];
  const int len = snprintf(plain, sizeof plain, "%" PRIu64, n);
  char *to = c.text;
  for (int i = 0; i < len; i++) {
    if (i && (len - i) % 3 == 0)
      *to++ = ',';
    *to++ = plain[i];
  }
  *to = 0;
  return c;
}

/* Prints an argument of a command, quoted if a shell would change it. */
static void argument(FILE *f, const char *option, const char *text) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:=,@+-";
  fprintf(f, " %s", option);
  if (text[strspn(text, plain)] == 0) {
    fprintf(f, " %s", text);
    return;
  }
  fputs(" '", f);
  for (; *text; text++)
    fputs(*text == '\'' ? "'\\''" : (char[]){*text, 0}, f);
  fputc('\'', f);
}

char *hd_mismatch_command(const struct hd_scene *s) {
  const struct hd_cosim_job *job = s->again;
  char *text = NULL;
  size_t size;
  FILE *f = hd_memory_open(&text, &size);
  fprintf(f, "%s cosim", job->program ? job->program : "build/heddle");
  argument(f, "-c", s->config);
  if (strcmp(job->module, "sm_mem") != 0)
    argument(f, "-m", job->module);
  if (job->gpu)
    fprintf(f, " --gpu");
  if (job->workload)
    argument(f, "-w", job->workload);
  else
    fprintf(f, " --random");
  fprintf(f, " --seed %" PRIu64 " --cycles %" PRIu64, job->seed, job->cycles);
  if (job->segment && !job->workload)
    fprintf(f, " --segment %" PRIu64, job->segment);
  if (job->fault)
    argument(f, "--fault", job->fault);
  if (job->rtl)
    argument(f, "--rtl", job->rtl);
  argument(f, "--work", job->work);
  hd_memory_close(f);
  return text;
}

/* Prints the memory row that contains a difference, of both sides. */
static void whole_row(const struct hd_diff *d, FILE *f) {
  const struct hd_ram *m = d->ram;
  for (unsigned side = 0; side < 2; side++) {
    fprintf(f, "      row %u, %-5s", d->r, side ? "model" : "rtl");
    for (const struct hd_row *row = m->field; row < m->field + m->n_fields; row++)
      for (unsigned e = 0; e < row->count * m->mem->banks && e < 8; e++)
        fprintf(f, " %s%s%0*" PRIx64, row->bundle && e == 0 ? strchr(row->name, '.') + 1 : "",
                row->bundle && e == 0 ? "=" : "", (int)(row->width + 3) / 4,
                side ? *hd_ram_model(m, row, d->r, e) : hd_ram_rtl(m, row, d->r, e));
    fputc('\n', f);
  }
}

static void differences(const struct hd_run *run, FILE *f) {
  const struct hd_ram *ram = NULL;
  int widest = 0;
  const size_t shown = run->diffs < HD_DIFFS ? run->diffs : HD_DIFFS;
  for (size_t i = 0; i < shown; i++)
    if ((int)strlen(run->diff[i].name) > widest)
      widest = (int)strlen(run->diff[i].name);
  for (size_t i = 0; i < shown; i++) {
    const struct hd_diff *d = &run->diff[i];
    const int digits = (int)(d->row->width + 3) / 4;
    fprintf(f, "  %-8s  %-*s   rtl %0*" PRIx64 "   model %0*" PRIx64 "   xor %0*" PRIx64 "   %s\n", d->kind,
            widest, d->name, digits, d->rtl, digits, d->model, digits, d->rtl ^ d->model, d->row->meaning);
  }
  if (run->diffs > shown)
    fprintf(f, "  and %zu more\n", run->diffs - shown);
  for (size_t i = 0; i < shown; i++)
    if (run->diff[i].ram && run->diff[i].ram != ram) {
      ram = run->diff[i].ram;
      whole_row(&run->diff[i], f);
    }
}

static void event(const struct hd_logged *e, char *text, size_t size) {
  const struct hd_event *declared = &e->decl->events[e->event];
  snprintf(text, size, declared->format, (unsigned long long)e->arg[0], (unsigned long long)e->arg[1],
           (unsigned long long)e->arg[2], (unsigned long long)e->arg[3]);
}

static uint64_t first_latest(const struct hd_run *run) {
  return run->n_latest > HD_LATEST ? run->n_latest - HD_LATEST : 0;
}

static void events(const struct hd_run *run, FILE *f) {
  fprintf(f, "\n  model says, last events\n");
  for (uint64_t i = first_latest(run); i < run->n_latest; i++) {
    const struct hd_latest *latest = &run->latest[i % HD_LATEST];
    char text[256], name[80];
    event(&latest->e, text, sizeof text);
    snprintf(name, sizeof name, "%s.%s", latest->e.decl->module,
             latest->e.decl->events[latest->e.event].name);
    fprintf(f, "  %10" PRIu64 "  %-22s %s", latest->e.cycle, name, text);
    if (latest->until > latest->e.cycle)
      fprintf(f, ", until %" PRIu64, latest->until);
    fputc('\n', f);
  }
}

static uint64_t first_remembered(const struct hd_run *run) {
  const uint64_t since = run->cycle - run->started;
  return since < HD_HISTORY ? run->started : run->cycle - HD_HISTORY + 1;
}

static void history(const struct hd_run *run, FILE *f) {
  fprintf(f, "\n  last cycles ");
  for (unsigned i = 0; i < run->columns; i++)
    fprintf(f, " %s", run->column[i]->row->name);
  fputc('\n', f);
  for (uint64_t c = first_remembered(run); !run->after_reset && c <= run->cycle; c++) {
    fprintf(f, "  %10" PRIu64 "  ", c);
    for (unsigned i = 0; i < run->columns; i++)
      fprintf(f, " %*" PRIx64, (int)strlen(run->column[i]->row->name), run->history[c % HD_HISTORY][i]);
    fprintf(f, "%s\n", c == run->cycle ? "  <- here" : "");
  }
}

static const char *title(const struct hd_run *run) {
  return run->stop == HD_DIFFERS ? "MISMATCH" : run->stop == HD_DEADLOCK ? "DEADLOCK" : "FAILED CHECK";
}

char *hd_mismatch_text(const struct hd_run *run, const struct hd_scene *s) {
  char *text = NULL, *command = hd_mismatch_command(s);
  size_t size;
  FILE *f = hd_memory_open(&text, &size);
  const struct hd_cosim_job *job = run->job;
  fprintf(f, "LOCKSTEP %s   module %s   cycle %" PRIu64 "   seed %" PRIu64 "   config %s\n", title(run),
          job->module, run->cycle, job->seed, job->design->c->name);
  if (job->fault)
    fprintf(f, "A fault was injected: %s\n", job->fault);
  fprintf(f, "%s values agreed before this.\n\n", hd_commas(run->values).text);
  if (run->after_reset)
    fprintf(f, "  right after reset\n");
  if (run->stop == HD_DIFFERS)
    differences(run, f);
  else
    fprintf(f, "  RTL and model agree; %s: %s\n", run->stop == HD_WRONG ? "the environment says" : "but",
            run->text);
  events(run, f);
  history(run, f);
  fprintf(f, "\n  again    %s\n", command);
  fprintf(f, "           %s; it shows in cycle %" PRIu64 "\n",
          s->alone ? "only the stretch from the last reset on" : "the whole run", s->again_cycle);
  if (s->waves)
    fprintf(f, "  waves    none: %s\n", s->waves);
  else
    fprintf(f, "  waves    cd %s && gtkwave wave.%s      (cycles %" PRIu64 "..%" PRIu64 " of that)\n", s->dir,
            s->listed ? "gtkw" : "fst", s->wave_from, s->wave_to);
  if (!run->job->rtl)
    fprintf(f, "  rtl      %s/rtl\n", run->lib.dir);
  else
    fprintf(f, "  rtl      %s/%s.v\n", run->job->rtl,
            run->diffs ? run->diff[0].decl->module : run->job->module);
  fprintf(f, "  saved    %s/{report.txt,report.json,config.yaml%s}\n", s->dir,
          s->waves ? "" : ",wave.fst,wave.gtkw");
  if (s->unsaved)
    fprintf(f, "  but      %s\n", s->unsaved);
  fprintf(f, "end of report\n");
  hd_memory_close(f);
  free(command);
  return text;
}

static json_t *hex(uint64_t v, unsigned width) {
  char text[24];
  snprintf(text, sizeof text, "%0*" PRIx64, (int)(width + 3) / 4, v);
  return json_string(text);
}

static json_t *differences_json(const struct hd_run *run) {
  json_t *all = json_array();
  for (size_t i = 0; i < run->diffs && i < HD_DIFFS; i++) {
    const struct hd_diff *d = &run->diff[i];
    json_array_append_new(all,
                          json_pack("{s:s, s:s, s:i, s:o, s:o, s:o, s:s}", "kind", d->kind, "name", d->name,
                                    "width", (int)d->row->width, "rtl", hex(d->rtl, d->row->width), "model",
                                    hex(d->model, d->row->width), "xor",
                                    hex(d->rtl ^ d->model, d->row->width), "meaning", d->row->meaning));
  }
  return all;
}

static json_t *events_json(const struct hd_run *run) {
  json_t *all = json_array();
  for (uint64_t i = first_latest(run); i < run->n_latest; i++) {
    const struct hd_latest *latest = &run->latest[i % HD_LATEST];
    char text[256];
    event(&latest->e, text, sizeof text);
    json_array_append_new(all,
                          json_pack("{s:I, s:I, s:s, s:s, s:s}", "cycle", (json_int_t)latest->e.cycle,
                                    "until", (json_int_t)latest->until, "module", latest->e.decl->module,
                                    "event", latest->e.decl->events[latest->e.event].name, "text", text));
  }
  return all;
}

static json_t *history_json(const struct hd_run *run) {
  json_t *all = json_array();
  for (uint64_t c = first_remembered(run); !run->after_reset && c <= run->cycle; c++) {
    json_t *row = json_pack("{s:I}", "cycle", (json_int_t)c);
    for (unsigned i = 0; i < run->columns; i++)
      json_object_set_new(row, run->column[i]->row->name,
                          hex(run->history[c % HD_HISTORY][i], run->column[i]->row->width));
    json_array_append_new(all, row);
  }
  return all;
}

json_t *hd_mismatch_json(const struct hd_run *run, const struct hd_scene *s) {
  char *command = hd_mismatch_command(s);
  json_t *o = json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:s, s:b, s:o, s:o, s:o, s:o?, s:I}", "failure",
                        title(run), "module", run->job->module, "config", run->job->design->c->name, "cycle",
                        (json_int_t)run->cycle, "seed", (json_int_t)run->job->seed, "values_agreed",
                        (json_int_t)run->values, "differing", (json_int_t)run->diffs, "text", run->text,
                        "after_reset", run->after_reset, "differences", differences_json(run), "events",
                        events_json(run), "last_cycles", history_json(run), "command", json_string(command),
                        "command_cycle", (json_int_t)s->again_cycle);
  free(command);
  return o;
}

/* --- GTKWave -------------------------------------------------------------------------------------------- */

/* Adds a signal under its name in Verilator's wave file, shown in hexadecimal. */
static void wave_signal(FILE *f, const struct hd_run *run, const char *path, const char *var, unsigned bits) {
  fprintf(f, "@%s\nTOP.%s.%s%s", bits > 1 ? "22" : "28", run->decl->module, path, var);
  if (bits > 1)
    fprintf(f, "[%u:0]", bits - 1);
  fputc('\n', f);
}

/* A memory that differs is shown by its write port. */
static void ram_signals(const struct hd_run *run, FILE *f) {
  const struct hd_ram *last = NULL;
  for (size_t i = 0; i < run->diffs && i < HD_DIFFS; i++) {
    const struct hd_ram *m = run->diff[i].ram;
    for (unsigned b = 0; m && m != last && b < m->mem->banks; b++) {
      char number[16] = "";
      if (m->mem->banks > 1)
        snprintf(number, sizeof number, "_%u", b);
      char *path = hd_format("%su_%s%s.", m->path, m->mem->name, number);
      wave_signal(f, run, path, "we", 1);
      wave_signal(f, run, path, hd_one_port(m->mem->ports) ? "addr" : "waddr", m->bank[b].addr.bits);
      wave_signal(f, run, path, "wdata", m->mem->width);
      if (hd_masked(m->mem->ports))
        wave_signal(f, run, path, "wmask", 8 * m->field->count);
      if (m->mem->ports == HD_1RW_M_SLEEP)
        wave_signal(f, run, path, "sleep", m->mem->depth);
      free(path);
    }
    last = m;
  }
}

void hd_mismatch_gtkw(const struct hd_run *run, const struct hd_scene *s, FILE *f) {
  const struct hd_table *t = &run->table;
  fprintf(f, "[dumpfile] \"wave.fst\"\n[savefile] \"wave.gtkw\"\n[timestart] %" PRIu64 "\n",
          2 * s->wave_from);
  fprintf(f, "*-4.0 %" PRIu64 "\n", 2 * s->again_cycle); /* zoom and marker */
  fprintf(f, "@200\n-differs in cycle %" PRIu64 " (time %" PRIu64 ")\n", s->again_cycle, 2 * s->again_cycle);
  for (size_t i = 0; i < run->diffs && i < HD_DIFFS; i++)
    for (size_t k = 0; k < t->state.n + t->out.n; k++) {
      const struct hd_cell *c = k < t->state.n ? &t->state.cell[k] : &t->out.cell[k - t->state.n];
      if (c->row != run->diff[i].row || (i > 0 && c->row == run->diff[i - 1].row))
        continue;
      char *twin = hd_dut_twin(c->path, c->row->var);
      wave_signal(f, run, c->path, c->row->var, c->row->count * c->row->width);
      if (twin)
        wave_signal(f, run, "model.", twin, c->row->count * c->row->width);
      free(twin);
    }
  ram_signals(run, f);
  fprintf(f, "@200\n-ports\n");
  wave_signal(f, run, "", "clk", 1);
  for (size_t i = 0; i < t->in.n; i++)
    wave_signal(f, run, "", t->in.cell[i].row->var, t->in.cell[i].rtl.bits);
  for (size_t i = 0; i < t->out.n; i++)
    wave_signal(f, run, "", t->out.cell[i].row->var, t->out.cell[i].rtl.bits);
  const struct hd_decl *d = NULL;
  for (size_t i = 0; i < t->state.n; i++) {
    const struct hd_cell *c = &t->state.cell[i];
    if (c->decl != d)
      fprintf(f, "@200\n-%s\n", (d = c->decl)->module);
    wave_signal(f, run, c->path, c->row->var, c->rtl.bits);
  }
}
