/* Loads for `sap`: a few PCs, each with a base and a stride (positive, negative, 0, near the ends of the
 * address space and of the pages that may be prefetched from) and now and then an address that does not fit.
 *
 * Checked at the ports: the environment follows the events that are taken one by one, with whole numbers and
 * a division, and with the length of each by the specification; so it knows which events find the queue full,
 * and which prefetch is at the port in each cycle, to the warp and the cycle. Hence none goes out of range,
 * none comes of loads before a kernel began, and one that is offered stays until it is taken.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>

enum { MAX_TABLE = 32, MAX_QUEUE = 64, STREAMS = MAX_TABLE + 4, PAGE = 65536 };

/* A load of the program. */
struct stream {
  uint64_t pc;
  int64_t base, stride;
};

/* What is known of a load. */
struct entry {
  bool used, known;
  uint64_t pc, cycle; /* cycle: of its last use */
  int64_t wid, addr, stride;
};

struct sap_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned event, en, ready, streams, noise, again, group, clear;
    bool in_turn; /* warps one after the other */
  } m;
  struct stream stream[STREAMS];
  unsigned turn;
  struct entry table[MAX_TABLE];
  struct load_event queue[MAX_QUEUE];
  unsigned queued;
  unsigned busy; /* cycles before the next event, or the first prefetch of this one */
  struct {
    uint64_t warps; /* still to be done */
    unsigned wid;   /* the one in turn */
    int64_t addr, stride;
  } gen; /* addr is that of warp wid */
  bool offered;
  uint64_t line, wid; /* at the port, if offered */
};

static int64_t wrap(const struct sap_env *e, int64_t addr) {
  return addr & (int64_t)(UINT64_MAX >> (64 - e->p.c->d.ADDR_W));
}

/* A new load: its first warp somewhere, or where the warps beside it cross a border. */
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
  e->m.event = hd_below(p, 4) ? 8U << hd_below(p, 4) : hd_density(p, true); /* events are slow */
  e->m.en = hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
  e->m.ready = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.streams = streams[hd_below(p, 5)];
  e->m.noise = hd_below(p, 2) ? 32 : hd_density(p, false);
  e->m.again = hd_below(p, 2) ? 64 : 512;
  e->m.group = hd_below(p, 8);
  e->m.clear = hd_below(p, 2) ? 0 : hd_below(p, 4) ? 8 : 128;
  e->m.in_turn = hd_below(p, 2);
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
    ev->group = UINT64_MAX >> (64 - p->c->d.WARPS);
    for (unsigned i = e->m.group; i > 0; i--)
      ev->group &= i > 4 ? UINT64_C(1) << w : hd_bits(p, 64); /* above 4: the warp alone, or not even it */
  }
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct sap_env *e = (struct sap_env *)env;
  struct hd_env_base *p = &e->p;
  struct sap_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  draw_event(e, &in->ev);
  in->en = hd_chance(p, e->m.en);
  in->clear = hd_chance(p, e->m.clear);
  in->ev_valid = !env->stop && hd_chance(p, e->m.event);
  in->pf_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.ready);
}

/* The warps that are prefetched for beside the one that loads. */
static uint64_t others(const struct sap_env *e, const struct load_event *ev) {
  const struct hd_config *c = e->p.c;
  uint64_t warps = 0;
  for (unsigned v = 0; v < c->d.WARPS; v++) {
    const bool in = c->prefetch.kind == HD_PF_STR ? v > ev->wid && v <= ev->wid + c->prefetch.degree
                    : c->d.GROUPED                ? ev->group >> v & 1
                                                  : true;
    if (in && v != ev->wid)
      warps |= UINT64_C(1) << v;
  }
  return warps;
}

/* The entry of a load; NULL: it had none, and has one now. */
static struct entry *find(struct sap_env *e, const struct load_event *ev) {
  struct entry *at = NULL;
  for (unsigned i = 0; i < e->p.c->d.PT; i++) {
    struct entry *t = &e->table[i];
    if (t->used && t->pc == ev->pc)
      return t;
    if (!at || (at->used && (!t->used || t->cycle < at->cycle)))
      at = t;
  }
  *at = (struct entry){.used = true, .pc = ev->pc, .wid = (int64_t)ev->wid, .addr = (int64_t)ev->addr};
  at->cycle = e->p.cycle;
  return NULL;
}

/* What an event does; returns the cycles that this takes from the one after its read until the next read, or
 * until the first prefetch is made: look, select, differ, a multiplication, match, a division, store. */
static unsigned learn(struct sap_env *e, const struct load_event *ev) {
  const struct hd_config *c = e->p.c;
  const unsigned multiply = c->d.WID_W + 1;
  const unsigned divide = c->prefetch.divider == HD_DIV_ITERATIVE ? c->d.ADDR_W : 1;
  struct entry *t = find(e, ev);
  if (!t)
    return 2;
  const int64_t way = (int64_t)ev->addr - t->addr, warps = (int64_t)ev->wid - t->wid;
  t->wid = (int64_t)ev->wid;
  t->addr = (int64_t)ev->addr;
  t->cycle = e->p.cycle;
  if (warps == 0)
    return 3;
  const bool exact = way % warps == 0;
  if (t->known && exact && way / warps == t->stride) {
    e->gen.warps = others(e, ev);
    e->gen.wid = e->gen.warps ? (unsigned)__builtin_ctzll(e->gen.warps) : 0;
    e->gen.stride = t->stride;
    e->gen.addr = t->addr + ((int64_t)e->gen.wid - t->wid) * t->stride;
    return 4 + multiply;
  }
  t->known = exact;
  t->stride = exact ? way / warps : 0;
  return 5 + multiply + divide;
}

/* The warp in turn: its prefetch is offered if its address is legal. */
static void generate(struct sap_env *e) {
  const struct hd_config *c = e->p.c;
  const int64_t addr = e->gen.addr, page = addr / PAGE;
  if (e->gen.warps >> e->gen.wid & 1 && addr >= 0 && addr == wrap(e, addr) &&
      page >= (int64_t)c->prefetch.first_page && page <= (int64_t)c->prefetch.last_page) {
    e->offered = true;
    e->line = (uint64_t)addr / c->d.LINE_BYTES;
    e->wid = e->gen.wid;
  }
  e->gen.warps &= ~(UINT64_C(1) << e->gen.wid);
  e->gen.addr += e->gen.stride;
  e->gen.wid++;
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

/* A kernel begins: what is at the port is all that is left. */
static void forget(struct sap_env *e) {
  for (unsigned i = 0; i < MAX_TABLE; i++)
    e->table[i].used = false;
  e->queued = e->busy = 0;
  e->gen.warps = 0;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct sap_env *e = (struct sap_env *)env;
  const struct sap_in *in = in_;
  if (!check(e, out_))
    return false;
  const bool push = in->ev_valid && in->en && e->queued < e->p.c->d.DRQ;
  const bool waits = e->offered && !in->pf_ready;
  env->checked += e->offered && !waits;
  e->offered = waits;
  if (e->busy) {
    e->busy--;
  } else if (e->gen.warps) {
    if (!waits)
      generate(e);
  } else if (e->queued) {
    e->busy = learn(e, &e->queue[0]);
    e->queued--;
    for (unsigned i = 0; i < e->queued; i++)
      e->queue[i] = e->queue[i + 1];
    env->checked++;
  }
  if (push)
    e->queue[e->queued++] = in->ev;
  if (in->clear)
    forget(e);
  hd_cycle_over(&e->p, false, true);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct sap_env *e = (const struct sap_env *)env;
  return env->stop && !e->queued && !e->busy && !e->gen.warps && !e->offered;
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
