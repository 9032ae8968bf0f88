/* The environment of `coalescer`: instructions with random masks and line addresses, from one line for all lanes to one line for each
 * lane, and a sink that stalls now and then.
 *
 * It checks at the ports:
 * - Requests come in the order of their instructions, and are numbered from 0. The one that completes the mask is `last`.
 * - A request serves all lanes with its line that are not served yet. (If each sector is a request: with its sector of that line.) So
 *   the lines are distinct, and each lane is served once.
 * - The lowest lane not served yet is among its lanes (lane order).
 * - It carries its instruction's group, program counter, byte offset, hash of the program counter, id and prediction entry, if the
 *   machine has them. It names the sectors of its lanes, and says whether the instruction has more runs of lanes than the L1D has ways.
 * - `busy` names the warps inside. A request at the output stays until it is taken.
 */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <string.h>

enum { INSIDE = 3 }; /* one being split, one waiting, and one whose last request is at the output */

struct instruction {
  uint64_t write, op, wid, slot, sig, gid, pc, low, trk, lid, pe, mask; /* mask: lanes not served yet */
  uint64_t line[HD_MOST(sm, lanes)], sector[HD_MOST(sm, lanes)];
  unsigned num, runs; /* runs: groups of neighbouring active lanes that one request serves */
};

struct coalescer_env {
  struct hd_env_base p;
  unsigned offer, accept, stores, lines; /* the mood; lines: distinct lines of an instruction */
  bool offering;
  struct instruction next;           /* at issue, valid or not */
  struct instruction inside[INSIDE]; /* oldest first */
  unsigned n;
  struct hd_held req;
};

/* Returns true if one request serves both lanes. */
static bool together(const struct hd_derived *d, const struct instruction *i, unsigned a, unsigned b) {
  return i->line[a] == i->line[b] && (!d->SPLIT || i->sector[a] == i->sector[b]);
}

static unsigned runs_of(const struct hd_derived *d, const struct instruction *i) {
  unsigned runs = 0;
  for (unsigned l = 0; l < HD_MOST(sm, lanes); l++)
    runs += i->mask >> l & 1 && !(l && i->mask >> (l - 1) & 1 && together(d, i, l - 1, l));
  return runs;
}

/* Bit b of a program counter is in bit (b - 2) mod HPC_W of its hash. */
static uint64_t hash_of(const struct hd_derived *d, uint64_t pc) {
  uint64_t hash = 0;
  for (unsigned b = 2; b < d->PC_W && d->HPC_W; b++)
    hash ^= (pc >> b & 1) << (b - 2) % d->HPC_W;
  return hash;
}

static void draw(struct coalescer_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct instruction *i = &e->next;
  uint64_t pool[HD_MOST(sm, lanes)];
  for (unsigned l = 0; l < d->LANES; l++) /* lines that differ in one bit test each bit of the compare */
    pool[l] = l && hd_below(p, 2) ? hd_neighbour(p, pool[hd_below(p, l)], d->LINE_W) : hd_bits(p, d->LINE_W);
  const unsigned lines = e->lines ? e->lines : 1 + hd_below(p, d->LANES);
  uint64_t all = 0;
  const unsigned runs = hd_below(p, 4) ? 0 : 1 + hd_below(p, 4); /* lanes A A B B A A ... */
  for (unsigned l = 0; l < d->LANES; l++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): 1 + hd_below(...) is not 0 */
    i->line[l] = lines >= d->LANES ? pool[l] : pool[runs ? l / runs % lines : hd_below(p, lines)];
    i->sector[l] = hd_bits(p, d->SECTOR_W);
    all |= UINT64_C(1) << l;
  }
  const uint64_t one = UINT64_C(1) << hd_below(p, d->LANES);
  const unsigned shape = hd_below(p, 4);
  i->mask = shape == 0 ? one : shape == 1 ? hd_bits(p, d->LANES) | one : all;
  i->write = hd_chance(p, e->stores);
  i->op = i->write ? hd_op_draw(p) : 0;
  i->wid = hd_below(p, d->WARPS);
  i->slot = hd_below(p, p->c->sm.loads);
  i->sig = hd_bits(p, d->SIG_W);
  i->gid = hd_bits(p, d->GID_W);
  i->pc = hd_bits(p, d->ISSUE_PC_W);
  i->low = hd_bits(p, d->LOW_W);
  i->trk = d->APCM && !i->write ? hd_below(p, 2) : 0;
  i->lid = i->trk ? hd_below(p, d->LAT) : 0;
  i->pe = d->LOS ? hd_below(p, d->LPT + 1) : 0;
  i->num = 0;
  i->runs = runs_of(d, i);
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct coalescer_env *e = (struct coalescer_env *)env;
  struct hd_env_base *p = &e->p;
  struct coalescer_in *in = in_;
  (void)out;
  if (hd_new_mood(p)) {
    const unsigned lines[] = {0, 1, 2, p->c->d.LANES};
    e->offer = hd_density(p, true);
    e->accept = hd_density(p, false);
    e->stores = hd_density(p, false);
    e->lines = lines[hd_below(p, 4)];
  }
  if (!e->offering) {
    draw(e);
    e->offering = !env->stop && hd_chance(p, e->offer);
  }
  in->issue_valid = e->offering;
  in->issue_write = e->next.write;
  in->issue_op = e->next.op;
  in->issue_wid = e->next.wid;
  in->issue_slot = e->next.slot;
  in->issue_sig = e->next.sig;
  in->issue_gid = e->next.gid;
  in->issue_pc = e->next.pc;
  in->issue_low = e->next.low;
  in->issue_trk = e->next.trk;
  in->issue_lid = e->next.lid;
  in->issue_pe = e->next.pe;
  in->issue_mask = e->next.mask;
  memcpy(in->issue_line, e->next.line, p->c->d.LANES * sizeof *in->issue_line);
  if (p->c->d.SECTORED)
    memcpy(in->issue_sector, e->next.sector, p->c->d.LANES * sizeof *in->issue_sector);
  in->req_ready = hd_chance(p, env->stop ? HD_ALWAYS / 2 : e->accept);
}

/* Checks a request that is taken, and removes its lanes from its instruction. Returns NULL, or the error. */
static const char *check(struct instruction *i, const struct coalescer_out *out, const struct hd_derived *d) {
  const struct coalesced *r = &out->req;
  const unsigned first = i->mask ? (unsigned)__builtin_ctzll(i->mask) : 0;
  uint64_t same = 0, sectors = 0;
  for (unsigned l = 0; l < HD_MOST(sm, lanes); l++)
    if (i->mask >> l & 1 && i->line[l] == r->line && together(d, i, first, l)) {
      same |= UINT64_C(1) << l;
      sectors |= UINT64_C(1) << i->sector[l];
    }
  if (r->wid != i->wid || r->slot != i->slot || r->write != i->write || r->op != i->op ||
      out->req_sig != i->sig)
    return "does not belong to the oldest instruction inside";
  if (r->gid != i->gid || r->pc != (d->REQ_PC_W ? i->pc : 0) || r->low != i->low)
    return "does not carry its instruction's group, program counter and byte offset";
  if (r->hpc != hash_of(d, i->pc))
    return "does not carry the hash of its instruction's program counter";
  if (r->trk != i->trk || r->lid != i->lid)
    return "does not carry its instruction's id";
  if (r->pe != i->pe)
    return "does not carry its instruction's entry of the prediction table";
  if (d->CASC && out->req_many != (i->runs > d->WAYS))
    return "says wrongly whether its instruction has more runs of lanes than there are ways";
  if (!(same & i->mask & -i->mask))
    return "is not the line of the lowest lane still to be served";
  if (out->req_lanes != same)
    return "does not serve the lanes that have its line";
  if (r->sectors != (d->SECTORED ? sectors : 0))
    return "does not name the sectors of its lanes";
  if (r->num != i->num)
    return "is not numbered in turn";
  i->mask &= ~same;
  i->num++;
  return r->last == (i->mask == 0) ? NULL : "says wrongly whether it is the last";
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct coalescer_env *e = (struct coalescer_env *)env;
  const struct coalescer_in *in = in_;
  const struct coalescer_out *out = out_;
  const bool take = in->issue_valid && out->issue_ready, give = out->req_valid && in->req_ready;
  const struct req req = hd_request_of(&out->req);
  uint64_t hash = hd_hash(out->req_sig, &out->req, sizeof out->req), busy = 0;
  hash = hd_hash(hash + (e->p.c->d.CASC && out->req_many), &out->req_lanes, sizeof out->req_lanes);
  if (!hd_held_ok(&e->req, out->req_valid, in->req_ready, hash))
    return hd_fail(env,
                   "a request that was offered went away or changed before it was taken; there is now: %s",
                   hd_req_words(&req).text);
  for (unsigned i = 0; i < e->n; i++)
    busy |= UINT64_C(1) << e->inside[i].wid;
  if (out->busy != busy)
    return hd_fail(env, "busy is %" PRIx64 ", the warps inside are %" PRIx64, out->busy, busy);
  if (out->req_valid && e->n == 0)
    return hd_fail(env, "a request is offered, but no instruction is inside: %s", hd_req_words(&req).text);
  if (give) {
    const char *wrong = check(&e->inside[0], out, &e->p.c->d);
    if (wrong)
      return hd_fail(env, "the request (%s, lanes %" PRIx64 ") %s", hd_req_words(&req).text, out->req_lanes,
                     wrong);
    if (e->inside[0].mask == 0)
      memmove(&e->inside[0], &e->inside[1], --e->n * sizeof e->inside[0]);
    env->checked++;
  }
  if (take) {
    if (e->n == INSIDE)
      return hd_fail(env, "an instruction is taken while %d are inside", INSIDE);
    e->inside[e->n++] = e->next;
    e->offering = false;
  }
  if (!hd_cycle_over(&e->p, e->n > 0 || e->offering, take || give))
    return hd_fail(env,
                   "nothing moves any more; an instruction of warp %" PRIu64 " slot %" PRIu64 " is not split",
                   e->inside[0].wid, e->inside[0].slot);
  return true;
}

static bool done(const struct hd_env *env) {
  const struct coalescer_env *e = (const struct coalescer_env *)env;
  return env->stop && !e->offering && e->n == 0;
}

struct hd_env *coalescer_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, hd_nothing_to_check, hd_env_free};
  struct coalescer_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  return e ? &e->p.env : NULL;
}
