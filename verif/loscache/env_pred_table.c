/* The environment of `pred_table`: kernels whose CTAs start, issue memory instructions of a few program counters or of more than there are
 * entries, send some requests to the L2, and end, warp by warp or all at once. Answers to queries come in any order and late, some to
 * queries of earlier kernels. Some lines are reported as gated too early. In some moods kernels follow so fast that one begins during a
 * walk, with a query still offered. Moods set the enable; in some runs it is low from the reset on.
 *
 * It checks at the ports. The environment keeps the table as a list of instructions in the order in which they came, each with its line,
 * its count, and the extra that was added. So it knows in every cycle the entry of an instruction, the prediction of a request, and the
 * warps that go first. When a phase ends, the entries with a line must be queried, in order. Each query comes once, in its turn, as soon
 * as possible, and stays until it is taken. A new kernel cancels the queries that are not offered yet.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

enum {
  MAX_POOL = 128,
  MAX_ASKED = 256,
  NOBODY = MAX_ASKED,
  STEPS = 8,
  FIRST = 44257 /* the first value of the LFSR */
};

/* An instruction of the predictor. */
struct entry {
  uint64_t pc, line;
  bool has; /* it has a line */
  unsigned count, extra;
};

/* A query: offered, or taken and not answered. */
struct query {
  uint64_t line, pe;
};

struct pred_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned kernel, en, launch, exit, load, own, pool, send, carry, take, answer, stray, early, ctas, most;
    bool newest, late, end_all, fresh; /* fresh: the mood begins with a kernel */
  } m;
  bool never; /* the enable is low from the reset on */
  uint64_t seed;
  uint64_t pc[MAX_POOL];         /* of the kernel's memory instructions; some may be the same */
  unsigned ctas, warps, started; /* the kernel's first CTAs; warps of each; first CTAs that have started */
  uint64_t live;                 /* warps that have started and not ended */

  struct entry entry[HD_MOST(loscache, table)];
  unsigned n; /* entries given */
  uint64_t lfsr;
  bool phase, seek;
  unsigned pick, seen;
  uint64_t length; /* requests of the phase */
  uint64_t predictor;
  bool walking;
  unsigned at; /* the next entry of the walk; it is queried if it has a line */
  bool offered;
  struct query offer;
  struct query asked[MAX_ASKED]; /* queries taken and not answered, oldest first */
  unsigned n_asked, answering;   /* answering: the index in `asked` of this cycle's answer, or NOBODY */
};

static uint64_t step(uint64_t lfsr) {
  const uint64_t in = lfsr ^ lfsr >> 2 ^ lfsr >> 3 ^ lfsr >> 5;
  return lfsr >> 1 | (in & 1) << 15;
}

/* Returns the CTA slot that becomes the predictor of a kernel with so many CTAs. */
static unsigned drawn(const struct pred_env *e, uint64_t ctas) {
  const uint64_t x = e->lfsr ^ e->seed;
  return (unsigned)(((x >> 8 ^ x) & 0xff) * ctas >> 8);
}

static void new_mood(struct pred_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const unsigned pools[] = {2, d->LPT, d->LPT + 2, MAX_POOL}, kernels[] = {0, 0, 4, 16, 64, 256};
  e->m.kernel = kernels[hd_below(p, 6)];
  e->m.en = e->never ? 0 : hd_below(p, 4) ? HD_ALWAYS : hd_density(p, false);
  e->m.launch = hd_density(p, true);
  e->m.exit = hd_below(p, 2) ? 1 + hd_below(p, 32) : hd_density(p, false) / 4;
  e->m.end_all = hd_below(p, 2);
  e->m.load = hd_density(p, true);
  e->m.own = hd_density(p, false); /* how often an instruction is the predictor's */
  e->m.pool = pools[hd_below(p, 4)];
  e->m.send = hd_density(p, false);
  e->m.send /= hd_below(p, 2) ? 16 : 1;
  e->m.carry = hd_density(p, false); /* how often a request has an entry */
  e->m.take = hd_density(p, false);
  e->m.answer = hd_density(p, false);
  e->m.answer /= hd_below(p, 2) ? 8 : 1;
  e->m.stray = hd_below(p, 2) ? 0 : 16; /* answers to queries of earlier kernels */
  e->m.newest = hd_below(p, 2);
  e->m.early = hd_density(p, false) / 2;
  e->m.most = 1U << hd_below(p, d->CNT_W + 1); /* answered counts are below this, or near all ones */
  e->m.ctas = 1 + hd_below(p, d->CTAS);
  e->m.late = hd_below(p, 4) == 0; /* a kernel begins before its first CTA */
  e->m.fresh = hd_below(p, 3) == 0;
  if (!e->m.fresh)
    return;
  e->m.kernel = e->m.exit = 0; /* so that the phase reaches its end */
  e->m.launch = HD_ALWAYS / 2;
  e->m.send = hd_density(p, true);
  e->m.carry = hd_density(p, true);
  p->mood_left += hd_below(p, 8 * d->PHASE);
}

/* Draws a new kernel and its instructions. */
static void draw_kernel(struct pred_env *e, struct pred_table_in *in) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  in->kernel = 1;
  in->kernel_ctas = e->ctas = e->m.ctas;
  e->warps = 1 + hd_below(p, d->WARPS / e->ctas);
  e->started = 0;
  for (unsigned i = 0; i < MAX_POOL; i++)
    if (hd_below(p, 4) == 0)
      e->pc[i] = hd_bits(p, d->PC_W);
    else if (hd_below(p, 4) == 0)
      e->pc[i] = hd_neighbour(p, e->pc[hd_below(p, MAX_POOL)], d->PC_W);
}

/* Draws the start of a CTA. The first CTAs start in turn; a later one starts in a slot whose CTA has ended. */
static void draw_launch(struct pred_env *e, struct pred_table_in *in) {
  struct hd_env_base *p = &e->p;
  in->launch_cta = hd_below(p, p->c->d.CTAS);
  in->launch_warps = hd_bits(p, p->c->d.WARPS);
  in->launch_valid = 0;
  if (!e->ctas || (in->kernel ? e->m.late : !hd_chance(p, e->m.launch)))
    return;
  const unsigned slot = e->started < e->ctas ? e->started : hd_below(p, e->ctas);
  const uint64_t warps = hd_ones(e->warps) << slot * e->warps;
  if (!in->kernel && e->live & warps)
    return;
  in->launch_valid = 1;
  in->launch_cta = slot;
  in->launch_warps = warps;
  e->started += e->started < e->ctas;
}

/* Draws the warps that end: one, some or all, often of the predictor. */
static uint64_t draw_exits(struct pred_env *e) {
  struct hd_env_base *p = &e->p;
  if (!hd_chance(p, e->m.exit))
    return 0;
  const uint64_t of = hd_below(p, 2) && e->predictor ? e->predictor : e->live;
  const uint64_t some = e->m.end_all ? of : of & hd_bits(p, p->c->d.WARPS);
  return hd_below(p, 2) ? some : some & -some;
}

/* Draws a memory instruction of the predictor's warps or of any, valid or not. */
static void draw_load(struct pred_env *e, struct pred_table_in *in) {
  struct hd_env_base *p = &e->p;
  unsigned wid = hd_below(p, p->c->d.WARPS);
  if (e->predictor && hd_chance(p, e->m.own))
    while (!(e->predictor >> wid & 1))
      wid = (wid + 1) % p->c->d.WARPS;
  in->ld_valid = !p->env.stop && hd_chance(p, e->m.load);
  in->ld_wid = wid;
  in->ld_pc = hd_below(p, 16) ? e->pc[hd_below(p, e->m.pool)] : hd_bits(p, p->c->d.PC_W);
}

/* Returns the prediction for the lines of an entry's instruction, before it is limited to its width. */
static unsigned sum_of(const struct entry *i) {
  return i->count + i->extra;
}

static uint64_t some_entry(struct pred_env *e) {
  struct hd_env_base *p = &e->p;
  return 1 + hd_below(p, e->n && hd_below(p, 4) ? e->n : p->c->d.LPT);
}

static unsigned some_count(struct pred_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned all = (1U << p->c->d.CNT_W) - 1, n = hd_below(p, e->m.most);
  return hd_below(p, 2) ? n : all - n % 4;
}

/* Draws the inputs from the L2: answers to queries, and reports of lines that were gated too early. */
static void draw_answers(struct pred_env *e, struct pred_table_in *in) {
  struct hd_env_base *p = &e->p;
  const bool answered = e->n_asked && hd_chance(p, p->env.stop ? HD_ALWAYS / 2 : e->m.answer);
  e->answering = !answered ? NOBODY : e->m.newest ? e->n_asked - 1 : 0;
  in->ans_valid = answered || (!p->env.stop && hd_chance(p, e->m.stray));
  in->ans_pe = answered ? e->asked[e->answering].pe : some_entry(e);
  in->ans_count = some_count(e);
  if (!p->c->d.ADAPT)
    return;
  in->early_valid = hd_chance(p, e->m.early);
  in->early_pe = hd_below(p, 8) ? some_entry(e) : 0;
  in->early_count = 1 + hd_below(p, (1U << p->c->d.CNT_W) - 1);
  if (in->early_pe && in->early_pe <= e->n && hd_below(p, 4)) { /* near the prediction */
    const unsigned near = sum_of(&e->entry[in->early_pe - 1]) + hd_below(p, 3);
    in->early_count = near > 1 && near >> p->c->d.CNT_W == 0 ? near - 1 : 1;
  }
}

static void drive(struct hd_env *env, const void *out_, void *in_) {
  struct pred_env *e = (struct pred_env *)env;
  struct hd_env_base *p = &e->p;
  struct pred_table_in *in = in_;
  const struct pred_table_out *out = out_;
  if (hd_new_mood(p))
    new_mood(e);
  in->en = hd_chance(p, e->m.en);
  in->los_phase = hd_threshold_draw(p, &e->length, 1, hd_ones(p->c->d.PHASE_W));
  in->seed = e->seed;
  in->kernel = 0;
  in->kernel_ctas = 1 + hd_below(p, p->c->d.CTAS);
  if (!env->stop && (e->m.fresh || (!e->live && hd_below(p, 16) == 0) || hd_chance(p, e->m.kernel)))
    draw_kernel(e, in);
  e->m.fresh = false;
  draw_launch(e, in);
  in->exit = draw_exits(e);
  draw_load(e, in);
  in->mq_taken = !env->stop && hd_chance(p, e->m.send);
  in->mq_waits = !in->mq_taken && !out->q_valid && hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.send);
  in->mq_pe = hd_chance(p, e->m.carry) ? some_entry(e) : 0;
  in->mq_line = hd_bits(p, p->c->d.LINE_W);
  in->q_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.take) && e->n_asked < MAX_ASKED;
  draw_answers(e, in);
}

/* Returns an instruction's place in the list, or the list's length. */
static unsigned place_of(const struct pred_env *e, uint64_t pc) {
  unsigned i = 0;
  while (i < e->n && e->entry[i].pc != pc)
    i++;
  return i;
}

/* Returns 1 + the entry that the instruction at the port has, or is about to get; 0 if none. */
static uint64_t entry_of(const struct pred_env *e, const struct pred_table_in *in) {
  const unsigned i = place_of(e, in->ld_pc);
  const bool of_predictor = e->predictor >> in->ld_wid & 1;
  if (!in->en || (e->phase && !of_predictor))
    return 0;
  return i < e->n || (e->phase && i < e->p.c->d.LPT) ? i + 1 : 0;
}

static uint64_t prediction(const struct pred_env *e, uint64_t pe) {
  const unsigned all = (1U << e->p.c->d.CNT_W) - 1;
  if (pe == 0 || pe > e->n || e->entry[pe - 1].count == 0)
    return 0;
  const unsigned sum = sum_of(&e->entry[pe - 1]);
  return sum < all ? sum : all;
}

static bool check(struct pred_env *e, const struct pred_table_in *in, const struct pred_table_out *out) {
  struct hd_env *env = &e->p.env;
  const bool boosting = in->en && e->phase;
  const uint64_t pe = entry_of(e, in), pred = prediction(e, in->mq_pe);
  if (out->prefer != e->predictor || out->boosting != boosting)
    return hd_fail(env, "prefer is %" PRIx64 " and boosting %" PRIu64 ", it should be %" PRIx64 " and %d",
                   out->prefer, out->boosting, e->predictor, boosting);
  if (out->ld_pe != pe)
    return hd_fail(env,
                   "ld_pe is %" PRIu64 " for warp %" PRIu64 " at 0x%" PRIx64 ", it should be %" PRIu64
                   "; %u entries are given",
                   out->ld_pe, in->ld_wid, in->ld_pc, pe, e->n);
  if (out->mq_pred != pred)
    return hd_fail(env, "mq_pred is %" PRIu64 " for entry %" PRIu64 " - 1, it should be %" PRIu64,
                   out->mq_pred, in->mq_pe, pred);
  if (out->q_valid != e->offered)
    return hd_fail(env,
                   out->q_valid ? "a query is offered, and none is due: line 0x%" PRIx64 ", entry %" PRIu64
                                  " - 1"
                                : "no query is offered, due is: line 0x%" PRIx64 ", entry %" PRIu64 " - 1",
                   e->offered ? e->offer.line : out->q_line, e->offered ? e->offer.pe : out->q_pe);
  if (e->offered && (out->q_line != e->offer.line || out->q_pe != e->offer.pe))
    return hd_fail(env,
                   "the query is of line 0x%" PRIx64 " for entry %" PRIu64 " - 1, due is: line 0x%" PRIx64
                   ", entry %" PRIu64 " - 1",
                   out->q_line, out->q_pe, e->offer.line, e->offer.pe);
  env->checked += (in->ld_valid && pe) + (in->mq_taken && pred) + (e->offered && in->q_ready);
  return true;
}

/* A kernel begins: the list is cleared, but an offered query stays. */
static void kernel_begins(struct pred_env *e, const struct pred_table_in *in) {
  e->pick = drawn(e, in->kernel_ctas);
  for (unsigned i = 0; i < STEPS; i++)
    e->lfsr = step(e->lfsr);
  e->n = e->seen = 0;
  e->phase = e->seek = in->en;
  e->predictor = 0;
  e->walking = false;
}

/* Updates entries that existed before this cycle, by the requests and the L2. */
static void learn(struct pred_env *e, const struct pred_table_in *in) {
  if (in->mq_taken && in->mq_pe && e->phase) {
    e->seen++;
    struct entry *i = &e->entry[in->mq_pe - 1];
    if (in->mq_pe <= e->n && !i->has) {
      i->has = true;
      i->line = in->mq_line;
    }
  }
  if (e->p.c->d.ADAPT && in->early_valid && in->early_pe && in->early_pe <= e->n) {
    struct entry *i = &e->entry[in->early_pe - 1];
    if (i->count && sum_of(i) < in->early_count && i->extra < e->p.c->d.EXTRA)
      i->extra++;
  }
  if (in->ans_valid && in->ans_pe <= e->n)
    e->entry[in->ans_pe - 1].count =
        in->ans_count || e->p.c->loscache.gone == HD_GONE_UNKNOWN ? (unsigned)in->ans_count : 1;
}

/* Adds a new instruction of the predictor to the list. */
static void note(struct pred_env *e, const struct pred_table_in *in) {
  if (in->ld_valid && e->phase && entry_of(e, in) > e->n)
    e->entry[e->n++] = (struct entry){.pc = in->ld_pc};
}

/* The turn of one entry of the walk, if the query before has been taken. */
static void ask(struct pred_env *e, const struct pred_table_in *in, bool walking) {
  if (e->offered && !in->q_ready)
    return;
  if (e->offered)
    e->asked[e->n_asked++] = e->offer;
  e->offered = false;
  if (!walking)
    return;
  if (e->at < e->n && e->entry[e->at].has) {
    e->offered = true;
    e->offer = (struct query){e->entry[e->at].line, e->at + 1};
  }
  e->walking = ++e->at < e->n;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct pred_env *e = (struct pred_env *)env;
  const struct pred_table_in *in = in_;
  if (!check(e, in, out_))
    return false;
  const bool walking = e->walking && !in->kernel && !in->mq_waits, took = e->offered && in->q_ready,
             phase = e->phase;
  const uint64_t old = e->predictor;
  const unsigned seen = e->seen;
  if (e->answering != NOBODY)
    memmove(&e->asked[e->answering], &e->asked[e->answering + 1],
            (--e->n_asked - e->answering) * sizeof *e->asked);
  if (!in->kernel) {
    learn(e, in);
    note(e, in);
  } else {
    kernel_begins(e, in);
  }
  const bool starts = in->launch_valid && e->seek && in->launch_cta == e->pick;
  e->predictor = starts ? in->launch_warps : in->kernel ? 0 : e->predictor & ~in->exit;
  e->seek = e->seek && !starts;
  ask(e, in, walking);
  if (phase && !in->kernel &&
      ((e->seen > seen && e->seen >= e->length) || (!starts && old && !e->predictor))) {
    e->phase = e->seek = false;
    e->walking = true;
    e->at = 0;
  }
  e->live = (in->kernel ? 0 : e->live & ~in->exit) | (in->launch_valid ? in->launch_warps : 0);
  if (!hd_cycle_over(&e->p, e->offered || e->walking || e->n_asked, walking || took || in->ans_valid))
    return hd_fail(env, "nothing moves any more; %u queries are not answered", e->n_asked);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct pred_env *e = (const struct pred_env *)env;
  return env->stop && !e->offered && !e->walking && e->n_asked == 0;
}

struct hd_env *pred_table_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct pred_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->lfsr = FIRST;
  e->length = e->p.c->loscache.phase;
  e->seed = hd_bits(&e->p, 16);
  e->never = hd_below(&e->p, 16) == 0;
  for (unsigned i = 0; i < MAX_POOL; i++)
    e->pc[i] = hd_bits(&e->p, e->p.c->d.PC_W);
  return &e->p.env;
}
