/* The environment of `sap`: loads of a few PCs, each with a base and a stride (positive, negative, 0, near the ends of the address space
 * and of the allowed pages), and now and then an address that does not fit; CTAs of all sizes start on the warps.
 *
 * It checks at the ports: the environment follows the events one by one, with whole numbers and a division, and with the lengths of the two
 * pipelines by the specification. So it knows which matches find no row in the queue, and which prefetch is at the port in each cycle, for
 * which warp. Hence no prefetch is out of range, comes from loads before the kernel began, or is for a warp of another CTA; and a valid
 * prefetch stays until it is taken.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>

enum {
  STREAMS = HD_MOST(prefetch, table) + 4,
  LENGTH = 4, /* stages between a pick and the port */
  PAGE = 65536
};

/* A load of the program. */
struct stream {
  uint64_t pc;
  int64_t base, stride;
};

/* An entry of the prefetch table. */
struct entry {
  bool used, known;
  uint64_t pc, cycle; /* cycle: its last use */
  unsigned cta;
  int64_t wid, addr, stride;
};

/* A row of the queue. */
struct row {
  bool match;
  uint64_t known_in; /* the cycle from which on its outcome is known */
  uint64_t warps;
  int64_t wid, addr, stride;
};

/* A prefetch on its way to the port. */
struct prefetch {
  bool valid;
  int64_t wid, addr;
};

struct sap_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned event, en, ready, streams, noise, again, group, clear, launch, cta;
    bool in_turn; /* warps load one after the other */
  } m;
  struct stream stream[STREAMS];
  unsigned turn;
  struct entry table[HD_MOST(prefetch, table)];
  unsigned cta[HD_MOST(sm, warps)]; /* the CTA slot of each warp */
  bool arrived;
  struct load_event event; /* if arrived */
  struct row row[HD_MOST(prefetch, queue)];
  unsigned rows;
  struct row turn_row;          /* the row whose prefetches are picked, if it has warps left */
  struct prefetch pipe[LENGTH]; /* the prefetch picked last comes first */
  bool busy;                    /* turn_row is valid */
  bool fresh;                   /* turn_row is new: its first warp is picked two cycles later */
  bool offered;
  uint64_t line, wid; /* if offered: the prefetch at the port */
};

static int64_t wrap(const struct sap_env *e, int64_t addr) {
  return addr & (int64_t)hd_ones(e->p.c->d.ADDR_W);
}

/* Draws a new load. Its base is random, or such that the addresses of neighbouring warps cross a border. */
static void draw_stream(struct sap_env *e, struct stream *s) {
  struct hd_env_base *p = &e->p;
  const struct hd_config *c = p->c;
  const unsigned bits = c->d.ADDR_W;
  const int64_t border[] = {0, INT64_C(1) << bits, (int64_t)c->prefetch.first_page * PAGE,
                            ((int64_t)c->prefetch.last_page + 1) * PAGE};
  const unsigned size = hd_below(p, 4) ? hd_below(p, 14) : hd_below(p, bits);
  s->pc = hd_neighbour(p, e->stream[hd_below(p, STREAMS)].pc, c->d.PC_W);
  if (hd_below(p, 4) == 0)
    s->pc = hd_bits(p, c->d.PC_W);
  s->stride = hd_below(p, 8) ? (int64_t)hd_bits(p, size) : 0;
  s->stride *= 1 << hd_below(p, 2);
  s->stride = hd_below(p, 2) ? -s->stride : s->stride;
  s->base = (int64_t)hd_bits(p, bits);
  if (hd_below(p, 2)) {
    s->base = border[hd_below(p, 4)];
    s->base -= (int64_t)hd_below(p, c->d.WARPS) * s->stride;
  }
}

static void new_mood(struct sap_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned streams[] = {1, 2, p->c->d.PT, p->c->d.PT + 1, p->c->d.PT + 4};
  e->m.event = hd_below(p, 2) ? 8U << hd_below(p, 4) : hd_density(p, true);
  e->m.en = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
  e->m.ready = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.streams = streams[hd_below(p, 5)];
  e->m.noise = hd_below(p, 2) ? 32 : hd_density(p, false);
  e->m.again = hd_below(p, 2) ? 64 : 512;
  e->m.group = hd_below(p, 8);
  e->m.clear = hd_below(p, 2) ? 0 : hd_below(p, 4) ? 8 : 128;
  e->m.in_turn = hd_below(p, 2);
  e->m.launch = hd_below(p, 2) ? 2 : hd_density(p, false);
  e->m.cta = hd_below(p, 2) ? p->c->d.WARPS : 1 + hd_below(p, p->c->d.WARPS);
  for (unsigned i = 0; i < e->m.streams; i++)
    if (hd_below(p, 2))
      draw_stream(e, &e->stream[i]);
}

static void draw_event(struct sap_env *e, struct load_event *ev) {
  struct hd_env_base *p = &e->p;
  const struct stream *s = &e->stream[hd_below(p, e->m.streams)];
  if (!hd_chance(p, e->m.again))
    e->turn = e->m.in_turn ? e->turn + 1 : hd_below(p, p->c->d.WARPS);
  const unsigned w = e->turn % p->c->d.WARPS;
  int64_t addr = s->base + (int64_t)w * s->stride;
  if (hd_chance(p, e->m.noise))
    addr += hd_below(p, 2) ? 1 : (int64_t)hd_bits(p, 12);
  *ev = (struct load_event){.wid = w, .pc = s->pc, .addr = (uint64_t)wrap(e, addr)};
  if (p->c->d.GROUPED) {
    ev->group = hd_ones(p->c->d.WARPS);
    for (unsigned i = e->m.group; i > 0; i--)
      ev->group &= i > 4 ? UINT64_C(1) << w : hd_bits(p, 64); /* above 4: the warp alone, or an empty group */
  }
}

/* Draws the start of a CTA. The warps of a slot are neighbours, as an SM places them, or random. */
static void draw_launch(struct sap_env *e, struct sap_in *in) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  if (!d->CUT)
    return;
  in->launch_valid = hd_chance(p, e->m.launch);
  in->launch_cta = hd_below(p, d->CTAS);
  const unsigned first = (unsigned)in->launch_cta * e->m.cta % d->WARPS;
  in->launch_warps = hd_below(p, 8) ? (UINT64_MAX >> (HD_MOST(sm, warps) - e->m.cta)) << first
                                    : hd_some_warps(p, hd_below(p, 4));
  in->launch_warps &= UINT64_MAX >> (HD_MOST(sm, warps) - d->WARPS);
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct sap_env *e = (struct sap_env *)env;
  struct hd_env_base *p = &e->p;
  struct sap_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  draw_event(e, &in->ev);
  draw_launch(e, in);
  in->en = hd_chance(p, e->m.en);
  in->clear = hd_chance(p, e->m.clear);
  in->ev_valid = !env->stop && hd_chance(p, e->m.event);
  in->pf_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.ready);
}

/* Returns the warps for which SAP prefetches after a load of another warp. */
static uint64_t others(const struct sap_env *e, const struct load_event *ev) {
  const struct hd_config *c = e->p.c;
  uint64_t warps = 0;
  for (unsigned v = 0; v < c->d.WARPS; v++) {
    const bool in = c->prefetch.kind == HD_PF_STR ? v > ev->wid && v <= ev->wid + c->prefetch.degree
                    : c->d.GROUPED                ? ev->group >> v & 1
                                                  : true;
    if (in && v != ev->wid && (!c->d.CUT || e->cta[v] == e->cta[ev->wid]))
      warps |= UINT64_C(1) << v;
  }
  return warps;
}

/* Returns the entry of a load. If it has none, gives it one and returns NULL. */
static struct entry *find(struct sap_env *e, const struct load_event *ev) {
  struct entry *at = e->table; /* unused, or used least recently */
  for (unsigned i = 0; i < e->p.c->d.PT; i++) {
    struct entry *t = &e->table[i];
    if (t->used && t->pc == ev->pc)
      return t;
    if (at->used && (!t->used || t->cycle < at->cycle))
      at = t;
  }
  *at = (struct entry){.used = true, .pc = ev->pc, .wid = (int64_t)ev->wid, .addr = (int64_t)ev->addr};
  at->cta = e->cta[ev->wid];
  at->cycle = e->p.cycle;
  return NULL;
}

/* Updates the table with an event. Returns true if the stride is the same as before. */
static bool learn(struct sap_env *e, const struct load_event *ev, int64_t *stride) {
  const struct hd_config *c = e->p.c;
  struct entry *t = find(e, ev);
  if (!t)
    return false;
  const bool far = c->d.CUT && t->cta != e->cta[ev->wid];
  const int64_t way = (int64_t)ev->addr - t->addr, warps = (int64_t)ev->wid - t->wid;
  t->wid = (int64_t)ev->wid;
  t->cta = e->cta[ev->wid];
  t->addr = (int64_t)ev->addr;
  t->cycle = e->p.cycle;
  if (warps == 0 || far)
    return false;
  const bool exact = way % warps == 0, same = t->known && exact && way / warps == t->stride;
  t->known = exact;
  t->stride = exact ? way / warps : 0;
  *stride = t->stride;
  return same;
}

/* Looks up the event that arrived. It gets a row if there is room. The outcome of the row is known after look, select, differ, align, the
 * divider and store. */
static void look(struct sap_env *e, bool room) {
  const struct load_event *ev = &e->event;
  struct row row = {.wid = (int64_t)ev->wid, .addr = (int64_t)ev->addr, .warps = others(e, ev)};
  row.match = learn(e, ev, &row.stride);
  row.known_in = e->p.cycle + 5 + e->p.c->d.DIV_N;
  if (room)
    e->row[e->rows++] = row;
}

static bool legal(const struct sap_env *e, int64_t addr) {
  const struct hd_config *c = e->p.c;
  return addr >= 0 && addr == wrap(e, addr) && addr / PAGE >= (int64_t)c->prefetch.first_page &&
         addr / PAGE <= (int64_t)c->prefetch.last_page;
}

/* Moves all prefetches on by one stage, and picks the next warp of turn_row. */
static void move(struct sap_env *e) {
  const struct prefetch *last = &e->pipe[LENGTH - 1];
  struct row *row = &e->turn_row;
  e->offered = last->valid && legal(e, last->addr);
  if (e->offered) {
    e->line = (uint64_t)last->addr / e->p.c->d.LINE_BYTES;
    e->wid = (uint64_t)last->wid;
  }
  for (unsigned i = LENGTH - 1; i > 0; i--)
    e->pipe[i] = e->pipe[i - 1];
  e->pipe[0].valid = e->busy && !e->fresh && row->warps;
  if (e->pipe[0].valid) {
    e->pipe[0].wid = __builtin_ctzll(row->warps);
    e->pipe[0].addr = row->addr + (e->pipe[0].wid - row->wid) * row->stride;
    row->warps &= row->warps - 1;
  }
  e->busy = e->busy && row->warps;
  e->fresh = false;
}

static void drop_row(struct sap_env *e) {
  e->rows--;
  for (unsigned i = 0; i < e->rows; i++)
    e->row[i] = e->row[i + 1];
}

static bool check(struct sap_env *e, const struct sap_out *out) {
  if (out->pf_valid != e->offered)
    return hd_fail(&e->p.env,
                   e->offered ? "no prefetch is offered, due is line 0x%" PRIx64 " for warp %" PRIu64
                              : "line 0x%" PRIx64 " is offered for warp %" PRIu64 ", and no prefetch is due",
                   e->offered ? e->line : out->pf_line, e->offered ? e->wid : out->pf_wid);
  if (e->offered && (out->pf_line != e->line || (e->p.c->d.GROUPED && out->pf_wid != e->wid)))
    return hd_fail(&e->p.env,
                   "line 0x%" PRIx64 " is offered for warp %" PRIu64 ", due is line 0x%" PRIx64
                   " for warp %" PRIu64,
                   out->pf_line, out->pf_wid, e->line, e->wid);
  return true;
}

/* A kernel begins: only the prefetch at the port stays. */
static void forget(struct sap_env *e) {
  for (unsigned i = 0; i < HD_MOST(prefetch, table); i++)
    e->table[i].used = false;
  for (unsigned i = 0; i < LENGTH; i++)
    e->pipe[i].valid = false;
  e->rows = 0;
  e->arrived = e->busy = false;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct sap_env *e = (struct sap_env *)env;
  const struct sap_in *in = in_;
  if (!check(e, out_))
    return false;
  const bool room = e->rows < e->p.c->d.DRQ, go = !e->offered || in->pf_ready;
  const bool known = e->rows && e->row[0].known_in <= e->p.cycle;
  const bool turn = known && e->row[0].match && !e->busy && go;
  env->checked += e->offered && go;
  if (go)
    move(e);
  if (turn) {
    e->turn_row = e->row[0];
    e->busy = e->fresh = true;
    env->checked++;
  }
  if (turn || (known && !e->row[0].match))
    drop_row(e);
  if (e->arrived)
    look(e, room);
  for (unsigned v = 0; v < e->p.c->d.WARPS && in->launch_valid; v++)
    if (in->launch_warps >> v & 1)
      e->cta[v] = (unsigned)in->launch_cta;
  e->arrived = in->ev_valid && in->en;
  e->event = in->ev;
  if (in->clear)
    forget(e);
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct sap_env *e = (const struct sap_env *)env;
  bool inside = e->arrived || e->rows || e->busy || e->offered;
  for (unsigned i = 0; i < LENGTH; i++)
    inside |= e->pipe[i].valid;
  return env->stop && !inside;
}

struct hd_env *sap_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct sap_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  for (unsigned i = 0; i < STREAMS; i++)
    draw_stream(e, &e->stream[i]);
  return &e->p.env;
}
