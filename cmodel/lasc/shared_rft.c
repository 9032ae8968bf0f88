/* Shared reuse-frequency tables; see shared_rft.h. A table sleeps while it has no input and no update waits in it. */
#include "cmodel/lasc/shared_rft.h"

#include "base/grow.h"
#include "cmodel/model/models.h"

#include <stdlib.h>
#include <string.h>

/* A message on its way to the table. */
struct message {
  uint64_t cycle; /* in which it is at the SM's port */
  bool flush;
  uint64_t hpc, count;
};

struct hd_rft_port {
  const struct table *table;
  struct message *message; /* n of them from `first` on, in order of their cycles */
  unsigned first, n, room;
  bool no_memory; /* a message is lost */
};

/* The output of a table from a cycle on. */
struct change {
  uint64_t cycle, bypass;
};

struct table {
  struct rft *m;
  struct rft_in in;
  struct rft_out out;
  uint64_t now;
  struct change *change; /* n of them; no SM is before the cycle of the first */
  unsigned n, room;
  bool awake;
  bool no_memory; /* a change is lost */
};

struct hd_shared_rft {
  const struct hd_design *design;
  unsigned tables, sharers;
  uint64_t latency;
  struct table *table;
  struct hd_rft_port *port;
};

static void show(struct table *t, uint64_t cycle) {
  rft_moore(t->m, &t->out);
  if (t->n && t->change[t->n - 1].bypass == t->out.bypass)
    return;
  struct change *change = hd_grown(t->change, t->n + 1, &t->room, sizeof *change);
  if (!change) {
    t->no_memory = true;
    return;
  }
  t->change = change;
  t->change[t->n++] = (struct change){cycle, t->out.bypass};
}

struct hd_shared_rft *hd_shared_rft_new(const struct hd_design *design) {
  const struct hd_config *c = design->c;
  const struct hd_decl *d = hd_design_find(design, "rft");
  struct hd_shared_rft *s = calloc(1, sizeof *s);
  if (!s)
    return NULL;
  *s = (struct hd_shared_rft){.design = design,
                              .tables = c->gpu.sms / c->rft.sharers,
                              .sharers = c->rft.sharers,
                              .latency = c->rft.latency};
  s->table = calloc(s->tables, sizeof *s->table);
  s->port = calloc(c->gpu.sms, sizeof *s->port);
  bool good = s->table && s->port;
  for (unsigned i = 0; good && i < s->tables; i++) {
    struct table *t = &s->table[i];
    t->m = hd_model_new(design, "rft", false, NULL);
    good = t->m && hd_alloc_in(d, &t->in) && hd_alloc_out(d, &t->out);
    if (good)
      show(t, 0);
    good = good && !t->no_memory;
  }
  for (unsigned i = 0; good && i < c->gpu.sms; i++)
    s->port[i].table = &s->table[i / s->sharers];
  if (good)
    return s;
  hd_shared_rft_free(s);
  return NULL;
}

void hd_shared_rft_free(struct hd_shared_rft *s) {
  if (!s)
    return;
  const struct hd_decl *d = hd_design_find(s->design, "rft");
  for (unsigned i = 0; s->table && i < s->tables; i++) {
    hd_model_free(s->table[i].m);
    hd_free_in(d, &s->table[i].in);
    hd_free_out(d, &s->table[i].out);
    free(s->table[i].change);
  }
  for (unsigned i = 0; s->port && i < s->tables * s->sharers; i++)
    free(s->port[i].message);
  free(s->table);
  free(s->port);
  free(s);
}

struct hd_rft_port *hd_shared_rft_port(struct hd_shared_rft *s, unsigned sm) {
  return &s->port[sm];
}

static void send(struct hd_rft_port *p, struct message m) {
  if (p->first && p->first == p->n)
    p->first = p->n = 0;
  struct message *message = hd_grown(p->message, p->n + 1, &p->room, sizeof *message);
  if (!message) {
    p->no_memory = true;
    return;
  }
  p->message = message;
  p->message[p->n++] = m;
}

void hd_rft_port_evicted(struct hd_rft_port *p, uint64_t cycle, uint64_t hpc, uint64_t count) {
  send(p, (struct message){.cycle = cycle, .hpc = hpc, .count = count});
}

void hd_rft_port_flushed(struct hd_rft_port *p, uint64_t cycle) {
  send(p, (struct message){.cycle = cycle, .flush = true});
}

uint64_t hd_rft_port_bypass(const struct hd_rft_port *p, uint64_t cycle) {
  const struct table *t = p->table;
  unsigned i = t->n - 1;
  while (i && t->change[i].cycle > cycle)
    i--;
  return t->change[i].bypass;
}

/* Sets the table's inputs from the messages that arrive in this cycle. Returns the cycle of the next message, or
 * UINT64_MAX. */
static uint64_t wire(struct hd_shared_rft *s, unsigned table, uint64_t cycle) {
  struct rft_in *in = &s->table[table].in;
  uint64_t next = UINT64_MAX;
  in->clear = in->up_valid = 0;
  for (unsigned i = 0; i < s->sharers; i++) {
    struct hd_rft_port *p = &s->port[table * s->sharers + i];
    for (; p->first < p->n && p->message[p->first].cycle + s->latency == cycle; p->first++) {
      const struct message *m = &p->message[p->first];
      if (m->flush) {
        in->clear = 1;
        continue;
      }
      in->up_valid |= UINT64_C(1) << i;
      in->up_hpc[i] = m->hpc;
      in->up_count[i] = m->count;
    }
    if (p->first < p->n && p->message[p->first].cycle + s->latency < next)
      next = p->message[p->first].cycle + s->latency;
  }
  return next;
}

static void run(struct hd_shared_rft *s, unsigned table, uint64_t until) {
  struct table *t = &s->table[table];
  t->change[0] = t->change[t->n - 1]; /* all SMs have passed the changes before the last */
  t->n = 1;
  while (t->now < until) {
    const uint64_t next = wire(s, table, t->now);
    if (t->awake || t->in.clear || t->in.up_valid) {
      t->awake = rft_tick(t->m, &t->in) & HD_MOVES;
      show(t, ++t->now);
    } else
      t->now = next < until ? next : until;
  }
}

void hd_shared_rft_run(struct hd_shared_rft *s, uint64_t until) {
  for (unsigned i = 0; i < s->tables; i++)
    run(s, i, until);
}

bool hd_shared_rft_no_memory(const struct hd_shared_rft *s) {
  bool none = false;
  for (unsigned i = 0; i < s->tables; i++)
    none |= s->table[i].no_memory;
  for (unsigned i = 0; i < s->tables * s->sharers; i++)
    none |= s->port[i].no_memory;
  return none;
}

void hd_shared_rft_events(const struct hd_shared_rft *s, uint64_t *ev) {
  for (unsigned i = 0; i < s->tables; i++)
    for (unsigned e = 0; e < EV_rft_count_; e++)
      ev[e] += s->table[i].m->base.ev[e];
}

static void drive(void *self, uint64_t now, struct sm_mem_in *in) {
  in->rft_bypass = hd_rft_port_bypass(self, now);
}

static void hear(void *self, uint64_t now, const struct sm_mem_in *in, const struct sm_mem *m) {
  const struct line_uses_out *said = &m->u_line_uses_out;
  if (said->evict_valid)
    hd_rft_port_evicted(self, now, said->evict_hpc, said->evict_count);
  if (in->flush)
    hd_rft_port_flushed(self, now);
}

const struct hd_outside hd_rft_port_outside = {drive, hear};
