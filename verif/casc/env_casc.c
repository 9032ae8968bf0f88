/* The environment of `casc`: instructions as requests of the coalescer. Loads have more runs of lanes than the L1D has ways, or fewer, and
 * as many lines as runs, or fewer. There are stores too; the lines are of one set, of two, or of any. The sink stalls now and then; `en`
 * changes at any time.
 *
 * It checks at the ports. A load is gathered exactly if its first request comes with more runs than ways while `en` is 1. A request that is
 * not gathered passes unchanged in the same cycle if nothing is inside, and waits otherwise. The requests of a gathered load come out once
 * each, in order, with their payload, one a cycle, as soon as possible. Whether they bypass follows from the load's whole list of lines.
 * One load may be gathered while another leaves, but no more. `busy` names the warps inside.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

enum { BANKS = 2 };

/* The requests of one instruction. They share all of the payload except line, number and last. */
struct instruction {
  struct coalesced r;
  uint64_t sig, line[HD_MOST(sm, lanes)], sectors[HD_MOST(sm, lanes)];
  unsigned lines; /* distinct lines, which is the number of its requests */
  bool many;
};

/* A gathered load that is inside. */
struct load {
  struct instruction i;
  unsigned taken, left;
};

struct casc_env {
  struct hd_env_base p;
  struct { /* the mood */
    unsigned offer, accept, stores, many, en, sets, set, warps;
  } m;
  struct instruction next;
  unsigned num;        /* its next request; 0: it has not begun */
  bool offering, mine; /* mine: the instruction is being gathered */
  struct load inside[BANKS];
  unsigned n;   /* oldest first; the last may not be complete */
  bool offered; /* a request of the oldest load is at the output */
};

/* Returns the set of a line: bit i is the parity of those address bits that the index function uses for it. */
static unsigned set_of(const struct hd_config *c, uint64_t line) {
  static const unsigned fermi[] = {6, 7, 8, 10, 12};
  unsigned set = 0;
  for (unsigned i = 0; i < c->d.SET_W; i++) {
    uint64_t bits = UINT64_C(1) << i;
    if (c->l1d.set_index == HD_INDEX_XOR)
      bits |= bits << c->d.SET_W;
    else if (c->l1d.set_index == HD_INDEX_FERMI && i < 5)
      bits |= UINT64_C(1) << fermi[i];
    set |= (unsigned)__builtin_parityll(line & bits) << i;
  }
  return set;
}

static bool has(const struct instruction *i, uint64_t line) {
  for (unsigned j = 0; j < i->lines; j++)
    if (i->line[j] == line)
      return true;
  return false;
}

/* Returns a line that the instruction does not have yet, in one of the mood's sets if one is found there. */
static uint64_t new_line(struct casc_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_config *c = p->c;
  uint64_t line = 0;
  for (unsigned tries = 0; tries < 8; tries++) {
    line = hd_bits(p, c->d.LINE_W);
    if (e->m.sets) /* flipping low bit i of the address flips bit i of the index alone */
      line ^= set_of(c, line) ^ (e->m.set + hd_below(p, e->m.sets)) % c->d.SETS;
    if (!has(&e->next, line))
      return line;
  }
  while (has(&e->next, line))
    line = (line + 1) & hd_ones(c->d.LINE_W);
  return line;
}

static void draw(struct casc_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct instruction *i = &e->next;
  struct hd_request q;
  hd_request_draw(p, e->m.stores, &q);
  i->r = (struct coalesced){.write = q.r.write,
                            .op = q.r.op,
                            .wid = hd_below(p, e->m.warps),
                            .slot = q.r.slot,
                            .gid = q.r.gid,
                            .pc = q.r.pc,
                            .low = q.r.low,
                            .hpc = q.r.hpc,
                            .trk = q.r.trk,
                            .lid = q.r.lid,
                            .pe = q.r.pe};
  i->sig = q.sig;
  i->many = hd_chance(p, e->m.many);
  const unsigned most = i->many ? d->LANES : d->WAYS; /* runs */
  const unsigned near = d->WAYS + hd_below(p, 3) - (d->WAYS > 1);
  const unsigned lines = hd_below(p, 2) ? 1 + hd_below(p, most) : hd_below(p, 2) ? most : near;
  for (i->lines = 0; i->lines < (lines < most ? lines : most); i->lines++)
    i->line[i->lines] = new_line(e), i->sectors[i->lines] = hd_sectors_draw(p);
  e->num = 0;
}

static void new_mood(struct casc_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned sets[] = {0, 1, 1, 2, 1 + hd_below(p, p->c->d.SETS)};
  e->m.offer = hd_density(p, true);
  e->m.accept = hd_density(p, false);
  e->m.stores = hd_below(p, 2) ? 64 : hd_density(p, false);
  e->m.many = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.en = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, false);
  e->m.sets = sets[hd_below(p, 5)];
  e->m.set = hd_below(p, p->c->d.SETS);
  e->m.warps = hd_below(p, 2) ? p->c->d.WARPS : 1 + hd_below(p, 4);
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct casc_env *e = (struct casc_env *)env;
  struct hd_env_base *p = &e->p;
  struct casc_in *in = in_;
  (void)out;
  if (hd_new_mood(p))
    new_mood(e);
  if (!e->offering) {
    if (e->num == 0)
      draw(e);
    e->offering = (!env->stop || e->num) && hd_chance(p, e->m.offer);
  }
  in->en = hd_chance(p, e->m.en);
  in->in_valid = e->offering;
  in->in = e->next.r;
  in->in.line = e->next.line[e->num];
  in->in.sectors = e->next.sectors[e->num];
  in->in.num = e->num;
  in->in.last = e->num + 1 == e->next.lines;
  in->in_sig = e->next.sig;
  in->in_many = e->next.many;
  in->out_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->m.accept);
}

/* Returns true if request j must bypass, by the whole list of lines. */
static bool bypasses(const struct hd_config *c, const struct instruction *i, unsigned j) {
  const unsigned ways = c->d.WAYS;
  unsigned later = 0;
  if (i->lines <= ways)
    return false;
  switch (c->casc.scheme) {
  case HD_CASC_ALL:
    return true;
  case HD_CASC_FIRST:
    return j >= ways;
  case HD_CASC_LAST:
    return j < i->lines - ways;
  default:
    for (unsigned k = j + 1; k < i->lines; k++)
      later += set_of(c, i->line[k]) == set_of(c, i->line[j]);
    return later >= ways;
  }
}

/* Returns the request that the oldest load must send next. */
static struct req due(const struct casc_env *e) {
  const struct load *l = &e->inside[0];
  const struct hd_config *c = e->p.c;
  struct req r = hd_request_of(&l->i.r);
  r.line = l->i.line[l->left];
  r.sectors = l->i.sectors[l->left];
  r.num = l->left;
  r.last = l->left + 1 == l->i.lines;
  r.byp = bypasses(c, &l->i, l->left);
  r.loc = c->casc.scheme == HD_CASC_LOCALITY && l->i.lines > c->d.WAYS && !r.byp;
  return r;
}

static bool complete(const struct load *l) {
  return l->taken == l->i.lines;
}

static bool same(struct casc_env *e, const struct casc_out *out, const struct req *want, uint64_t sig,
                 const char *what) {
  if (memcmp(&out->out, want, sizeof *want) == 0 && out->out_sig == sig)
    return true;
  return hd_fail(&e->p.env,
                 "%s is: %s, byp %" PRIu64 " loc %" PRIu64 " sig %" PRIu64 "; offered is: %s, byp %" PRIu64
                 " loc %" PRIu64 " sig %" PRIu64 ", or the rest of them differs",
                 what, hd_req_words(want).text, want->byp, want->loc, sig, hd_req_words(&out->out).text,
                 out->out.byp, out->out.loc, out->out_sig);
}

/* Returns true if the request at the input must be gathered. */
static bool gathers(const struct casc_env *e, const struct casc_in *in) {
  return in->in_valid && !in->in.write && in->in_many && (e->num ? e->mine : in->en);
}

static bool check(struct casc_env *e, const struct casc_in *in, const struct casc_out *out) {
  struct hd_env *env = &e->p.env;
  const bool mine = gathers(e, in), passes = in->in_valid && !mine && e->n == 0;
  const bool room = e->n < BANKS || !complete(&e->inside[BANKS - 1]);
  const bool ready = mine ? room : e->n == 0 && in->out_ready, valid = e->offered || passes;
  uint64_t busy = 0;
  for (unsigned i = 0; i < e->n; i++)
    busy |= UINT64_C(1) << e->inside[i].i.r.wid;
  if (out->busy != busy)
    return hd_fail(env, "busy is %" PRIx64 ", the warps gathered are %" PRIx64, out->busy, busy);
  if (in->in_valid && out->in_ready != ready)
    return hd_fail(env, "a request that is %s is %s, with %u loads inside%s: number %u of warp %" PRIu64,
                   mine ? "to be gathered" : "not to be gathered", ready ? "not taken" : "taken", e->n,
                   room ? "" : ", all complete", e->num, in->in.wid);
  if (out->out_valid != valid)
    return hd_fail(env, "out_valid is %" PRIu64 ", with %u loads inside%s", out->out_valid, e->n,
                   passes ? " and a request that passes" : "");
  const struct req want = e->offered ? due(e) : hd_request_of(&in->in);
  return !valid || same(e, out, &want, e->offered ? e->inside[0].i.sig : in->in_sig,
                        e->offered ? "the next request of what is inside" : "the request that passes");
}

/* Gathers a request. */
static void gather(struct casc_env *e) {
  if (e->num == 0)
    e->inside[e->n++] = (struct load){.i = e->next};
  e->inside[e->n - 1].taken++;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct casc_env *e = (struct casc_env *)env;
  const struct casc_in *in = in_;
  const struct casc_out *out = out_;
  if (!check(e, in, out))
    return false;
  const bool take = in->in_valid && out->in_ready, give = out->out_valid && in->out_ready;
  const bool leaves = e->offered && give, waits = e->offered && !give, mine = gathers(e, in);
  env->checked += give;
  /* If the output gets free, a complete load sends its next request there; or its complete successor sends the first. */
  const struct load *l = &e->inside[0];
  const bool ends = leaves && l->left + 1 == l->i.lines;
  e->offered =
      waits || (leaves && !ends) || (ends ? e->n > 1 && complete(&e->inside[1]) : e->n && complete(l));
  if (leaves)
    e->inside[0].left++;
  if (ends)
    memmove(&e->inside[0], &e->inside[1], --e->n * sizeof e->inside[0]);
  if (take) {
    if (mine)
      gather(e);
    e->mine = mine;
    e->offering = false;
    e->num = in->in.last ? 0 : e->num + 1;
  }
  if (!hd_cycle_over(&e->p, e->n > 0 || e->offering, take || give))
    return hd_fail(env, "nothing moves any more; %u loads are inside", e->n);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct casc_env *e = (const struct casc_env *)env;
  return env->stop && !e->offering && e->num == 0 && e->n == 0;
}

struct hd_env *casc_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct casc_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  return e ? &e->p.env : NULL;
}
