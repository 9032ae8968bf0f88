/* heddle wave: draws ports of a module in a run of its golden model. Lockstep shows that the Verilog does
 * the same. */
#include "cli/wave/wave.h"
#include "base/nearest_name.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cmodel/model/wired.h"
#include "verif/dropin/env_dropin.h"
#include "workloads/workloads.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 16, MAX_TERMS = 8, MOST = 1000000 /* most cycles that are searched */ };

/* --- the request -------------------------------------------------------------------------------------------- */

/* A port, or one element of it. */
struct port {
  const struct hd_row *row;
  unsigned element;
};
/* --when: the condition of one cycle, then of the next, ... */
struct term {
  struct port port;
  uint64_t value;
};
struct step {
  struct term term[MAX_TERMS];
  unsigned terms;
};

struct asked {
  const struct hd_decl *decl;
  struct port port[HD_WAVE_SIGNALS];
  struct step step[MAX_STEPS];
  unsigned ports, steps;
};

/* Reads a whole number from `text` up to `end`. Returns false if the text is something else. */
static bool read_number(const char *text, const char *end, uint64_t *value) {
  char *stop;
  errno = 0;
  *value = strtoull(text, &stop, 0);
  return isdigit((unsigned char)*text) && stop == end && !errno;
}

/* Finds the port of "name" or "name[element]". */
static enum hd_rc find_port(const struct hd_decl *d, const char *option, const char *text, struct port *port,
                            struct hd_why *why) {
  char name[72];
  const size_t n = strcspn(text, "[");
  snprintf(name, sizeof name, "%.*s", (int)n, text);
  struct hd_near near = hd_near_to(name);
  const char *close = text + strlen(text) - 1;
  uint64_t element = 0;
  const bool is_element = !text[n] || (*close == ']' && read_number(text + n + 1, close, &element));
  *port = (struct port){NULL, 0};
  for (size_t i = 0; i < d->n_rows; i++)
    if (hd_is_port(d->rows[i].cls) && d->rows[i].cls != HD_LATE) {
      if (!strcmp(d->rows[i].var, name))
        port->row = &d->rows[i];
      hd_near_try(&near, d->rows[i].var);
    }
  if (!port->row)
    return hd_because(why, HD_INPUT, "--%s: found %s; %sallowed a port of %s; see heddle list modules",
                      option, name, hd_near_text(&near).text, d->module);
  if (!is_element || element >= port->row->count)
    return hd_because(why, HD_INPUT, "--%s: found %s; allowed elements 0 to %u", option, text,
                      port->row->count - 1);
  port->element = (unsigned)element;
  return HD_OK;
}

static enum hd_rc read_signals(struct asked *a, const char *list, struct hd_why *why) {
  char *copy = hd_format("%s", list), *rest;
  enum hd_rc rc = HD_OK;
  for (char *name = strtok_r(copy, ", ", &rest); name && rc == HD_OK; name = strtok_r(NULL, ", ", &rest))
    rc = a->ports == HD_WAVE_SIGNALS
             ? hd_because(why, HD_INPUT, "--signals: found more than %d; allowed so many", HD_WAVE_SIGNALS)
             : find_port(a->decl, "signals", name, &a->port[a->ports++], why);
  free(copy);
  return rc == HD_OK && !a->ports
             ? hd_because(why, HD_INPUT, "--signals: found none; write ports, with commas")
             : rc;
}

static enum hd_rc read_term(struct asked *a, char *text, struct hd_why *why) {
  struct step *s = &a->step[a->steps - 1];
  char *equal = strchr(text, '=');
  if (!equal || s->terms == MAX_TERMS)
    return hd_because(why, HD_INPUT, "--when: found %s; allowed port=value, %d a cycle at most", text,
                      MAX_TERMS);
  struct term *t = &s->term[s->terms++];
  if (!read_number(equal + 1, text + strlen(text), &t->value))
    return hd_because(why, HD_INPUT, "--when: found %s; allowed a number behind the =", text);
  *equal = 0;
  return find_port(a->decl, "when", text, &t->port, why);
}

/* Reads "port=value,port=value; port=value": the conditions of one cycle, then of the next. */
static enum hd_rc read_when(struct asked *a, const char *when, struct hd_why *why) {
  char *copy = hd_format("%s", when), *steps, *terms;
  enum hd_rc rc = HD_OK;
  for (char *step = strtok_r(copy, ";", &steps); step && rc == HD_OK; step = strtok_r(NULL, ";", &steps)) {
    if (a->steps == MAX_STEPS)
      rc = hd_because(why, HD_INPUT, "--when: found more than %d cycles; allowed so many", MAX_STEPS);
    else
      a->steps++;
    for (char *term = strtok_r(step, ", ", &terms); term && rc == HD_OK; term = strtok_r(NULL, ", ", &terms))
      rc = read_term(a, term, why);
  }
  free(copy);
  return rc;
}

/* --- the run ------------------------------------------------------------------------------------------------ */

/* The ports in the last cycles: cycle t is at t % HD_WAVE_CYCLES. */
struct run {
  const struct asked *asked;
  uint64_t shown[HD_WAVE_SIGNALS][HD_WAVE_CYCLES];
  bool held[MAX_STEPS]; /* held[s]: steps 0 to s were seen, step s in the last cycle */
  uint64_t from, found; /* the first cycle to be drawn; UINT64_MAX: not found yet */
  void *in, *out;
};

static uint64_t value_of(const struct run *r, struct port p) {
  return *hd_elem(r->asked->decl, p.row, p.row->cls == HD_IN ? r->in : r->out, 0, p.element);
}

static bool holds(const struct run *r, const struct step *s) {
  for (unsigned i = 0; i < s->terms; i++)
    if (value_of(r, s->term[i].port) != s->term[i].value)
      return false;
  return true;
}

/* Records one cycle. Returns true if all steps were seen in the last cycles, up to this one. */
static bool look(struct run *r, uint64_t t) {
  const struct asked *a = r->asked;
  for (unsigned i = 0; i < a->ports; i++)
    r->shown[i][t % HD_WAVE_CYCLES] = value_of(r, a->port[i]);
  if (!a->steps)
    return true;
  bool all = false;
  for (unsigned s = a->steps; s-- > 0;) {
    const bool now = (s == 0 || r->held[s - 1]) && holds(r, &a->step[s]);
    r->held[s] = now;
    all |= now && s + 1 == a->steps;
  }
  return all;
}

/* The message for a run that ended, or got too long, before all was drawn. */
static enum hd_rc too_short(const struct run *r, uint64_t t, struct hd_why *why) {
  return r->asked->steps && r->found == UINT64_MAX
             ? hd_because(why, HD_CHECK, "--when: not seen in %llu cycles; try another --seed or --workload",
                          (unsigned long long)t)
             : hd_because(why, HD_INPUT, "--from, --cycles: found more than the run's %llu cycles",
                          (unsigned long long)t);
}

/* Runs to the end of the window, or sets `why`. */
static enum hd_rc play(struct run *r, struct hd_model *m, struct hd_env *env, const struct hd_args *args,
                       struct hd_why *why) {
  const struct hd_model_ops *ops = hd_model_ops_of(r->asked->decl);
  const uint64_t end = args->from + MOST, first = args->from + (r->asked->steps ? r->asked->steps - 1 : 0);
  for (uint64_t t = 0; r->found == UINT64_MAX || t < r->from + args->cycles; t++) {
    if (t % 4096 == 0)
      hd_progress((struct hd_pace){.count = (double)t, .unit = "cycles"}, "%s: %.1f M cycles",
                  r->asked->decl->module, 1e-6 * (double)t);
    if (t > end || env->ops->done(env))
      return too_short(r, t, why);
    ops->moore(m, r->out);
    env->ops->drive(env, r->out, r->in);
    if (ops->mealy)
      ops->mealy(m, r->in, r->out);
    const bool seen = look(r, t);
    if (seen && r->found == UINT64_MAX && t >= first) {
      r->found = t;
      const uint64_t back = (r->asked->steps ? r->asked->steps - 1 : 0) + args->before;
      r->from = t > back ? t - back : 0;
    }
    if (!env->ops->clock(env, r->in, r->out))
      return hd_because(why, env->unfit ? HD_INPUT : HD_CHECK, "%s", env->text);
    ops->tick(m, r->in);
  }
  return HD_OK;
}

/* Returns the number of the signal of that name, or -1. */
static int signal_at(const struct hd_wave *w, const char *prefix, size_t n, const char *end) {
  for (unsigned i = 0; i < w->signals; i++)
    if (!strncmp(w->signal[i].name, prefix, n) && !strcmp(w->signal[i].name + n, end))
      return (int)i;
  return -1;
}

/* Finds the valid and ready of each signal, by the longest prefix of its name: mreq_valid, mreq_ready for
 * mreq_line. */
static void find_handshakes(struct hd_wave *w) {
  for (unsigned i = 0; i < w->signals; i++) {
    struct hd_wave_signal *s = &w->signal[i];
    s->valid = s->ready = -1;
    for (size_t n = strlen(s->name); n-- > 0 && s->valid < 0;)
      if (s->name[n] == '_') {
        s->valid = signal_at(w, s->name, n, "_valid");
        s->ready = signal_at(w, s->name, n, "_ready");
      }
  }
}

static void gather(const struct run *r, const struct hd_args *args, const struct hd_config *c,
                   struct hd_wave *w) {
  snprintf(w->title, sizeof w->title, "%.40s of %.40s, %.30s", r->asked->decl->module, c->name,
           args->workload ? args->workload : "random traffic");
  w->signals = r->asked->ports;
  w->cycles = (unsigned)args->cycles;
  w->from = r->from;
  for (unsigned i = 0; i < w->signals; i++) {
    const struct port *p = &r->asked->port[i];
    struct hd_wave_signal *s = &w->signal[i];
    s->width = p->row->width;
    if (p->row->count > 1)
      snprintf(s->name, sizeof s->name, "%s[%u]", p->row->var, p->element);
    else
      snprintf(s->name, sizeof s->name, "%s", p->row->var);
    for (unsigned cycle = 0; cycle < w->cycles; cycle++)
      s->value[cycle] = r->shown[i][(r->from + cycle) % HD_WAVE_CYCLES];
  }
  find_handshakes(w);
}

static enum hd_rc open_run(struct run *r, const struct hd_args *args, const struct hd_design *design,
                           struct wl_source **source, struct hd_model **m, struct hd_env **env,
                           struct hd_why *why) {
  const struct hd_decl *d = r->asked->decl;
  char err[sizeof why->text - 32];
  if (args->workload && !(*source = wl_open(args->workload, err, sizeof err)))
    return hd_because(why, HD_INPUT, "--workload: %s", err);
  r->in = calloc(1, d->in_size);
  r->out = calloc(1, d->out_size);
  *m = hd_model_new(design, d->module, true, NULL);
  if (!r->in || !r->out || !*m || !hd_alloc_in(d, r->in) || !hd_alloc_out(d, r->out))
    return hd_because(why, HD_TOOL, "out of memory");
  const struct hd_env_job job = {.design = design,
                                 .module = d->module,
                                 .seed = args->seed,
                                 .source = *source,
                                 .random = !args->workload};
  return hd_env_open(&job, env, why);
}

static enum hd_rc draw(const struct hd_args *args, const heddle_machine *machine, FILE *report, json_t **json,
                       struct hd_why *why) {
  const struct hd_config *c = &machine->c;
  const struct hd_design *design = machine->design;
  struct asked asked = {.decl = hd_design_find(design, args->top)};
  struct run r = {.asked = &asked, .found = UINT64_MAX};
  struct wl_source *source = NULL;
  struct hd_model *m = NULL;
  struct hd_env *env = NULL;
  struct hd_out svg = {0};
  enum hd_rc rc =
      asked.decl->model_only ? hd_because(why, HD_INPUT, "%s is in the golden model only", args->top) : HD_OK;
  if (rc == HD_OK)
    rc = read_signals(&asked, args->signals, why);
  if (rc == HD_OK && args->when)
    rc = read_when(&asked, args->when, why);
  if (rc == HD_OK)
    rc = hd_out_open(&svg, "out", args->out, why);
  const bool open = rc == HD_OK;
  if (rc == HD_OK)
    rc = open_run(&r, args, design, &source, &m, &env, why);
  if (rc == HD_OK && env)
    rc = play(&r, m, env, args, why);
  hd_progress_end();
  if (rc == HD_OK) {
    struct hd_wave w;
    gather(&r, args, c, &w);
    hd_wave_svg(&w, svg.f);
    *json = hd_wave_json(&w);
    if (svg.f != stdout)
      fprintf(report, "%s: %u ports, cycles %llu to %llu of %s\n", args->out, w.signals,
              (unsigned long long)w.from, (unsigned long long)(w.from + w.cycles - 1), w.title);
  }
  if (open)
    rc = hd_out_close(&svg, rc == HD_OK, rc, why);
  if (env)
    env->ops->close(env);
  hd_model_free(m);
  if (source)
    source->ops->close(source);
  if (r.in)
    hd_free_in(asked.decl, r.in);
  if (r.out)
    hd_free_out(asked.decl, r.out);
  free(r.in);
  free(r.out);
  return rc;
}

static enum hd_rc run(const struct hd_args *args, struct hd_why *why) {
  if (args->cycles < 2 || args->cycles > HD_WAVE_CYCLES)
    return hd_because(why, HD_INPUT, "--cycles: found %llu; allowed 2 to %d",
                      (unsigned long long)args->cycles, HD_WAVE_CYCLES);
  if (args->before >= args->cycles)
    return hd_because(why, HD_INPUT, "--before: found %llu; allowed less than --cycles",
                      (unsigned long long)args->before);
  if (args->workload && strcmp(args->top, "sm_mem") != 0)
    return hd_because(why, HD_INPUT,
                      "--workload: found with module %s; allowed with sm_mem only; leave it out", args->top);
  return hd_cli_answer(args, draw, why);
}

static const struct hd_opt opts[] = {
    HD_OPT_CONFIG(true),
    HD_OPT("module", 'm', HD_OPT_TEXT, false, top, "MODULE", "whose ports (sm_mem)"),
    HD_OPT("signals", 0, HD_OPT_TEXT, true, signals, "PORTS",
           "which, as in the Verilog, with commas: mreq_valid,mreq_ready,mreq_line"),
    HD_OPT("when", 0, HD_OPT_TEXT, false, when, "CYCLES",
           "the first place where ports have these values: 'mreq_valid=1,mreq_ready=0; mreq_ready=1' is a "
           "cycle and the next"),
    HD_OPT("workload", 'w', HD_OPT_TEXT, false, workload, "WORKLOAD",
           "drive sm_mem with this (random traffic)"),
    HD_OPT("seed", 's', HD_OPT_COUNT, false, seed, "N", "of everything random (1)"),
    HD_OPT("from", 0, HD_OPT_COUNT, false, from, "N", "not before this cycle (0)"),
    HD_OPT("before", 0, HD_OPT_COUNT, false, before, "N", "cycles drawn before the place (1)"),
    HD_OPT("cycles", 'n', HD_OPT_COUNT, false, cycles, "N", "cycles drawn in all, 2 to 64 (12)"),
    HD_OPT("out", 'o', HD_OPT_TEXT, true, out, "FILE", "the drawing, as SVG; '-': on stdout"),
    HD_OPT_JSON,
    HD_OPT_END};
const struct hd_verb hd_verb_wave = {
    "wave",
    "a timing diagram of a module's ports, from a run of its golden model",
    NULL,
    "example: heddle wave -c mrpb --signals mreq_valid,mreq_ready,mreq_line -o mreq.svg\n"
    "         heddle wave -c mrpb -m l1d --signals resp_valid,resp_ready,resp_wid \\\n"
    "           --when 'resp_valid=1,resp_ready=0; resp_ready=1' -o resp.svg --json resp.json",
    opts,
    {.top = "sm_mem", .seed = 1, .before = 1, .cycles = 12},
    run};
