/* Runs gates beside the RTL; see watch.h. */
#include "synth/power/watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool bit_of(const struct hd_dut_var *v, int b) {
  return v->data[b / 8] >> b % 8 & 1;
}

/* --- parts ------------------------------------------------------------------------------------------------ */

static void add_part(struct hd_power_watch *w, const struct hd_decl *d, const char *top, const char *inst) {
  w->part = hd_resized(w->part, (size_t)w->parts + 1, sizeof *w->part);
  w->part[w->parts++] =
      (struct hd_power_part){.decl = d,
                             .path = inst ? hd_format("%s.", inst) : hd_format("%s", ""),
                             .scope = inst ? hd_format("TOP.%s.%s", top, inst) : hd_format("TOP.TOP")};
}

enum hd_rc hd_power_parts(struct hd_power_watch *w, const struct hd_decl *top, const char *module,
                          struct hd_why *why) {
  w->top = top->module;
  const bool itself = !top->n_insts || (module && !strcmp(module, top->module));
  if (itself && (!module || !strcmp(module, top->module)))
    add_part(w, top, top->module, NULL);
  for (size_t i = 0; i < top->n_insts && !itself; i++)
    if (!module || !strcmp(module, top->insts[i].decl->module))
      add_part(w, top->insts[i].decl, top->module, top->insts[i].name);
  return w->parts ? HD_OK
                  : hd_because(why, HD_INPUT,
                               "--top: found %s; allowed %s or a module of its instances; see heddle "
                               "list modules",
                               module, top->module);
}

/* --- ties between RTL and gates --------------------------------------------------------------------------- */

struct opening {
  struct hd_power_watch *w;
  struct hd_run *run;
  struct hd_why *why;
  enum hd_rc rc;
};

static void refuse(struct opening *o, const struct hd_power_part *p, const char *what, const char *name) {
  if (o->rc == HD_OK)
    o->rc = hd_because(o->why, HD_CHECK, "the netlist of %s has no %s %s of the RTL's width", p->decl->module,
                       what, name);
}

static void add_tie(struct opening *o, const struct hd_power_part *p, struct hd_power_ties *ties, int toggled,
                    const struct hd_named *bus, const char *what, const char *name,
                    const struct hd_dut_var *rdata) {
  const struct hd_bits *bits = hd_bits_find(bus, name);
  const struct hd_dut_var *var = rdata ? rdata : &o->w->toggles.at[toggled].var;
  if (!bits || bits->n != (int)var->bits) {
    refuse(o, p, what, name);
    return;
  }
  struct hd_power_tie tie = {.toggled = toggled, .bits = bits};
  if (rdata) {
    tie.rdata = *rdata;
    tie.was = hd_zeroed(rdata->bytes, 1);
  }
  ties->at = hd_resized(ties->at, (size_t)ties->n + 1, sizeof *ties->at);
  ties->at[ties->n++] = tie;
}

static void add_ports(struct opening *o, struct hd_power_part *p) {
  for (size_t i = 0; i < p->decl->n_rows; i++) {
    const struct hd_row *row = &p->decl->rows[i];
    struct hd_dut_var var;
    if (!hd_is_port(row->cls))
      continue;
    if (!o->run->lib.api->find(o->run->dut, p->scope, row->var, &var)) {
      if (o->rc == HD_OK)
        o->rc =
            hd_because(o->why, HD_CHECK, "the RTL has no %s in %s, which is declared", row->var, p->scope);
      continue;
    }
    hd_toggles_add(&o->w->toggles, p->path, row, &var);
    if (p->netlist)
      add_tie(o, p, row->cls == HD_IN ? &p->in : &p->out, o->w->toggles.n - 1,
              row->cls == HD_IN ? &p->gates.input : &p->gates.output, "port", row->var, NULL);
  }
}

static void add_registers(struct opening *o, struct hd_power_part *p) {
  const struct hd_cells *state = &o->run->table.state;
  const size_t depth = strlen(p->path);
  for (size_t i = 0; i < state->n; i++) {
    const struct hd_cell *c = &state->cell[i];
    if (strncmp(c->path, p->path, depth) != 0)
      continue;
    hd_toggles_add(&o->w->toggles, c->path, c->row, &c->rtl);
    if (!p->netlist)
      continue;
    char *name = hd_format("%s%s", c->path + depth, c->row->var);
    add_tie(o, p, &p->reg, o->w->toggles.n - 1, &p->gates.name, "register", name, NULL);
    free(name);
  }
}

static void add_memories(struct opening *o, struct hd_power_part *p) {
  const size_t depth = strlen(p->path);
  for (struct hd_ram *m = o->run->table.ram; m < o->run->table.ram + o->run->table.n_rams && p->netlist; m++)
    for (unsigned b = 0; b < m->mem->banks && !strncmp(m->path, p->path, depth); b++) {
      char *name = m->mem->banks > 1 ? hd_format("%su_%s_%u", m->path + depth, m->mem->name, b)
                                     : hd_format("%su_%s", m->path + depth, m->mem->name);
      add_tie(o, p, &p->rdata, -1, &p->gates.rdata, "memory", name, &m->bank[b].rdata);
      free(name);
    }
}

/* Checks that every flip-flop is a bit of a register. Else its value at the start would be unknown. */
static void check_registers(struct opening *o, const struct hd_power_part *p) {
  int bits = 0;
  for (int i = 0; i < p->reg.n; i++)
    for (int b = 0; b < p->reg.at[i].bits->n; b++)
      bits += p->gates.driver[p->reg.at[i].bits->net[b]] == HD_BY_FLIPFLOP;
  if (bits != p->gates.flops && o->rc == HD_OK)
    o->rc =
        hd_because(o->why, HD_CHECK, "the netlist of %s has %d flip-flops, of which %d are registers by name",
                   p->decl->module, p->gates.flops, bits);
}

/* Finds the L1D's requests, whichever modules are priced: all results are also given for each load. */
static void find_loads(struct hd_power_watch *w) {
  const struct hd_decl *top = w->run->decl;
  char *scope = !strcmp(top->module, "l1d") ? hd_format("TOP.TOP") : NULL;
  for (size_t i = 0; i < top->n_insts && !scope; i++)
    if (!strcmp(top->insts[i].decl->module, "l1d"))
      scope = hd_format("TOP.%s.%s", top->module, top->insts[i].name);
  if (scope) {
    w->run->lib.api->find(w->run->dut, scope, "req_valid", &w->valid);
    w->run->lib.api->find(w->run->dut, scope, "req_ready", &w->ready);
    w->run->lib.api->find(w->run->dut, scope, "req_write", &w->write);
  }
  free(scope);
}

static void list_memories(struct hd_power_watch *w) {
  for (struct hd_ram *m = w->run->table.ram; m < w->run->table.ram + w->run->table.n_rams; m++)
    for (int i = 0; i < w->parts; i++)
      if (!strncmp(m->path, w->part[i].path, strlen(w->part[i].path))) {
        w->memory = hd_resized(w->memory, (size_t)w->memories + 1, sizeof *w->memory);
        w->memory[w->memories++] = (struct hd_power_memory){
            .name = hd_format("%s%s", m->path, m->mem->name), .mem = m->mem, .of = m};
        break;
      }
}

static enum hd_rc open_watch(void *ctx, struct hd_run *run, struct hd_why *why) {
  struct hd_power_watch *w = ctx;
  struct opening o = {w, run, why, HD_OK};
  if (strcmp(run->decl->module, w->top) != 0)
    return HD_OK;
  w->run = run;
  for (struct hd_power_part *p = w->part; p < w->part + w->parts && o.rc == HD_OK; p++) {
    if (p->netlist)
      o.rc = hd_gates_read(p->netlist, p->decl->module, w->lib, &p->gates, why);
    if (o.rc != HD_OK)
      break;
    p->from = w->toggles.n;
    add_ports(&o, p);
    add_registers(&o, p);
    p->to = w->toggles.n;
    add_memories(&o, p);
    if (p->netlist) {
      check_registers(&o, p);
      p->weight = hd_net_weights(&p->gates);
      p->stale = true;
    }
  }
  find_loads(w);
  list_memories(w);
  return o.rc;
}

/* --- a cycle ------------------------------------------------------------------------------------------------ */

/* Gives values to the gates; `how` is hd_gates_put or hd_gates_set. */
static void give(struct hd_power_watch *w, struct hd_power_part *p, const struct hd_power_ties *ties,
                 bool all, void (*how)(struct hd_gates *g, int net, bool value)) {
  for (struct hd_power_tie *t = ties->at; t < ties->at + ties->n; t++) {
    const struct hd_dut_var *var = t->toggled < 0 ? &t->rdata : &w->toggles.at[t->toggled].var;
    const bool moved =
        t->toggled < 0 ? memcmp(t->was, var->data, var->bytes) != 0 : w->toggles.at[t->toggled].moved;
    if (!moved && !all)
      continue;
    for (int b = 0; b < t->bits->n; b++)
      how(&p->gates, t->bits->net[b], bit_of(var, b));
    if (t->toggled < 0)
      memcpy(t->was, var->data, var->bytes);
  }
}

static bool agree(struct hd_power_watch *w, struct hd_power_part *p, const struct hd_power_ties *ties,
                  bool all, const char *what, struct hd_why *why) {
  for (const struct hd_power_tie *t = ties->at; t < ties->at + ties->n; t++) {
    const struct hd_toggled *g = &w->toggles.at[t->toggled];
    if (!g->moved && !all)
      continue;
    p->compared += (uint64_t)t->bits->n;
    for (int b = 0; b < t->bits->n; b++)
      if (p->gates.value[t->bits->net[b]] != bit_of(&g->var, b)) {
        hd_because(why, HD_CHECK, "gates of %s, cycle %" PRIu64 ": bit %d of %s %s%s is %d, in the RTL %d",
                   p->decl->module, w->run->cycle, b, what, g->path, g->row->name,
                   p->gates.value[t->bits->net[b]], bit_of(&g->var, b));
        return false;
      }
  }
  return true;
}

static double energy_of(const struct hd_power_part *p) {
  double all = 0;
  for (int net = HD_NET_1 + 1; net < p->gates.nets; net++)
    all += (double)p->gates.toggles[net] * p->weight[net];
  return all;
}

static void end_window(struct hd_power_watch *w, struct hd_power_part *p) {
  if (!p->running)
    return;
  p->running = false;
  p->stale = true;
  p->energy = hd_resized(p->energy, (size_t)p->windows + 1, sizeof *p->energy);
  p->activity = hd_resized(p->activity, (size_t)p->windows + 1, sizeof *p->activity);
  p->energy[p->windows] = energy_of(p) - p->began_energy;
  p->activity[p->windows++] = (double)hd_toggles_of(&w->toggles, p->from, p->to) - p->began_activity;
}

static void begin_window(struct hd_power_watch *w, struct hd_power_part *p) {
  p->running = true;
  p->began_energy = energy_of(p);
  p->began_activity = (double)hd_toggles_of(&w->toggles, p->from, p->to);
}

/* Copies the RTL's values to the gates, without counting toggles. */
static void take_values(struct hd_power_watch *w, struct hd_power_part *p) {
  p->stale = false;
  give(w, p, &p->in, true, hd_gates_put);
  give(w, p, &p->reg, true, hd_gates_put);
  give(w, p, &p->rdata, true, hd_gates_put);
  hd_gates_start(&p->gates);
}

static bool step(struct hd_power_watch *w, struct hd_power_part *p, bool active, struct hd_why *why) {
  bool all = w->run->cycle % HD_POWER_LOOK == 0;
  if (!active) {
    end_window(w, p);
    return true;
  }
  if (!p->running)
    begin_window(w, p);
  if (p->stale) {
    take_values(w, p);
    all = true;
  } else {
    give(w, p, &p->in, false, hd_gates_set);
    give(w, p, &p->rdata, false, hd_gates_set);
    hd_gates_settle(&p->gates);
  }
  if (w->replay && p == w->part)
    hd_replay_cycle(w->replay, &p->gates);
  const bool same =
      agree(w, p, &p->out, all, "output", why) && (!all || agree(w, p, &p->reg, true, "register", why));
  hd_gates_edge(&p->gates);
  return same;
}

/* Takes the counts of the golden model so far. With `minus` it subtracts those at the begin of the window,
 * which leaves the accesses in the window. */
static void take_counts(struct hd_power_watch *w, bool minus) {
  for (struct hd_power_memory *p = w->memory; p < w->memory + w->memories; p++) {
    const struct hd_ram *m = p->of;
    const struct hd_accesses *n =
        (const struct hd_accesses *)(const void *)((const char *)m->st + m->mem->n_offset);
    const struct hd_power_memory before = *p;
    p->did = (struct hd_accesses){n->reads - (minus ? before.did.reads : 0),
                                  n->writes - (minus ? before.did.writes : 0),
                                  n->masked - (minus ? before.did.masked : 0)};
    p->sleeps = m->sleeps - (minus ? before.sleeps : 0);
    p->wakes = m->wakes - (minus ? before.wakes : 0);
    p->asleep = m->row_cycles - (minus ? before.asleep : 0);
  }
}

static void begin(struct hd_power_watch *w) {
  w->begun = w->fresh = true;
  take_counts(w, false);
}

static enum hd_watch_says settled(void *ctx, struct hd_run *run, struct hd_why *why) {
  struct hd_power_watch *w = ctx;
  if (run != w->run || run->cycle < w->from)
    return HD_WATCH_GO;
  if (w->to && run->cycle >= w->to)
    return HD_WATCH_ENOUGH;
  if (!w->begun)
    begin(w);
  if (w->fresh)
    hd_toggles_start(&w->toggles);
  else
    hd_toggles_count(&w->toggles);
  w->fresh = false;
  w->loads +=
      w->valid.data && w->ready.data && w->write.data && *w->valid.data && *w->ready.data && !*w->write.data;
  const bool active = (run->cycle - w->from) / HD_POWER_WINDOW % w->sample == 0;
  for (struct hd_power_part *p = w->part; p < w->part + w->parts; p++)
    if (p->netlist && !step(w, p, active, why))
      return HD_WATCH_WRONG;
  return HD_WATCH_GO;
}

static void reset(void *ctx, struct hd_run *run) {
  struct hd_power_watch *w = ctx;
  if (run != w->run)
    return;
  w->fresh = true;
  for (struct hd_power_part *p = w->part; p < w->part + w->parts; p++)
    p->stale = true;
}

static void end(void *ctx, struct hd_run *run) {
  struct hd_power_watch *w = ctx;
  if (run != w->run)
    return;
  for (struct hd_power_part *p = w->part; p < w->part + w->parts; p++)
    end_window(w, p);
  if (w->begun)
    take_counts(w, true);
  w->run = NULL;
}

struct hd_watch hd_power_watch(struct hd_power_watch *w) {
  return (struct hd_watch){w, open_watch, reset, settled, end};
}

static void free_ties(struct hd_power_ties *ties) {
  for (int i = 0; i < ties->n; i++)
    free(ties->at[i].was);
  free(ties->at);
}

void hd_power_free(struct hd_power_watch *w) {
  for (struct hd_power_part *p = w->part; p < w->part + w->parts; p++) {
    hd_gates_free(&p->gates);
    free_ties(&p->in);
    free_ties(&p->out);
    free_ties(&p->reg);
    free_ties(&p->rdata);
    free(p->path);
    free(p->scope);
    free(p->weight);
    free(p->energy);
    free(p->activity);
  }
  free(w->part);
  hd_toggles_free(&w->toggles);
  for (int i = 0; i < w->memories; i++)
    free(w->memory[i].name);
  free(w->memory);
  *w = (struct hd_power_watch){0};
}
