/* What the environments share; see env_common.h. */
#include "verif/harness/env_common.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hd_fail(struct hd_env *env, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(env->text, sizeof env->text, format, args);
  va_end(args);
  return false;
}

/* Returns a seed that depends on the job's seed and on the module's name: two modules get different traffic, and a module gets the same
 * traffic from every build. */
static uint64_t seed_of(const struct hd_env_job *job) {
  uint64_t seed = job->seed;
  for (const char *c = job->module; *c; c++)
    seed = wl_rng_mix(seed, (unsigned char)*c);
  return seed;
}

void *hd_env_base_new(size_t size, const struct hd_env_job *job, const struct hd_env_ops *ops,
                      struct hd_why *why) {
  struct hd_env_base *p = calloc(1, size);
  if (!p) {
    hd_because(why, HD_TOOL, "out of memory");
    return NULL;
  }
  p->env.ops = ops;
  p->c = job->design->c;
  p->rng.state = seed_of(job);
  return p;
}

uint64_t hd_bits(struct hd_env_base *p, unsigned width) {
  return width == 0 ? 0 : wl_rng_next(&p->rng) >> (64 - width);
}

uint64_t hd_some_warps(struct hd_env_base *p, unsigned thin) {
  uint64_t mask = hd_ones(p->c->d.WARPS);
  while (thin--)
    mask &= hd_bits(p, 64);
  return mask;
}

void hd_withhold_draw(struct hd_env_base *p, unsigned density, uint64_t *withhold) {
  if (p->c->d.PICKS && hd_chance(p, density))
    *withhold = hd_below(p, 4) ? hd_some_warps(p, hd_below(p, 8)) : 0;
}

uint64_t hd_threshold_draw(struct hd_env_base *p, uint64_t *now, uint64_t least, uint64_t most) {
  if (!p->c->d.APB)
    return 0;
  if (hd_below(p, 64) == 0)
    *now = least + hd_below(p, (unsigned)(most - least) + 1);
  return *now;
}

uint64_t hd_neighbour(struct hd_env_base *p, uint64_t value, unsigned width) {
  return value ^ UINT64_C(1) << hd_below(p, width);
}

unsigned hd_below(struct hd_env_base *p, unsigned n) {
  return wl_rng_below(&p->rng, n);
}

bool hd_chance(struct hd_env_base *p, unsigned density) {
  return hd_below(p, HD_ALWAYS) < density;
}

bool hd_new_mood(struct hd_env_base *p) {
  if (p->mood_left) {
    p->mood_left--;
    return false;
  }
  p->mood_left = 4 + hd_below(p, 8U << hd_below(p, 9)); /* up to some 2000 */
  return true;
}

unsigned hd_density(struct hd_env_base *p, bool some) {
  static const unsigned density[] = {0, 16, 128, 512, 896, HD_ALWAYS, HD_ALWAYS};
  const unsigned n = sizeof density / sizeof density[0];
  return density[some ? 1 + hd_below(p, n - 1) : hd_below(p, n)];
}

bool hd_cycle_over(struct hd_env_base *p, bool inside, bool moved) {
  p->cycle++;
  p->quiet = inside && !moved ? p->quiet + 1 : 0;
  return p->quiet < HD_PATIENCE;
}

void hd_store_draw(struct hd_env_base *p, unsigned words, uint64_t *data, uint64_t *mask) {
  const unsigned how = hd_below(p, 4);
  for (unsigned i = 0; i < words; i++) {
    data[i] = hd_bits(p, 64);
    mask[i] = how == 0 ? 0xff : how == 1 ? hd_bits(p, 8) : 0;
  }
  if (how >= 2) {
    const unsigned word = hd_below(p, words);
    mask[word] |= how == 2 ? 0xf0 : UINT64_C(1) << hd_below(p, 8);
  }
}

/* Returns a word in which byte b is all ones if bit b of the eight-bit mask is 1. A loop over the bits took 1.3 % of a lockstep's
 * instructions. */
static uint64_t bytes_of(uint64_t mask) {
  const uint64_t ones = UINT64_C(0x0101010101010101);
  const uint64_t each = mask * ones & UINT64_C(0x8040201008040201); /* byte b: bit b alone */
  return (((each + 0x7f * ones) >> 7) & ones) * 0xff;
}

void hd_merge(uint64_t *line, const uint64_t *data, const uint64_t *mask, unsigned words) {
  for (unsigned i = 0; i < words; i++) {
    const uint64_t bits = bytes_of(mask[i]);
    line[i] = (line[i] & ~bits) | (data[i] & bits);
  }
}

uint64_t hd_op_draw(struct hd_env_base *p) {
  const struct hd_derived *d = &p->c->d;
  if (!d->KINDS || hd_below(p, 2))
    return 0;
  return d->ATOMICS && hd_below(p, 4) ? 1 + hd_below(p, 15) : 1;
}

uint64_t hd_sectors_draw(struct hd_env_base *p) {
  if (p->c->d.SECTOR_FILL)
    return UINT64_C(1) << hd_below(p, p->c->d.SECTORS);
  return p->c->d.SECTORED ? 1 + hd_below(p, hd_ones(p->c->d.SECTORS)) : 0;
}

uint64_t hd_unit(const struct hd_derived *d, uint64_t line, uint64_t sectors) {
  return d->SECTOR_FILL && sectors ? line << d->SECTOR_W | (unsigned)__builtin_ctzll(sectors) : line;
}

uint64_t hd_unit_line(const struct hd_derived *d, uint64_t unit) {
  return unit >> d->SECTOR_FILL * d->SECTOR_W;
}

void hd_request_draw(struct hd_env_base *p, unsigned stores, struct hd_request *q) {
  const struct hd_derived *d = &p->c->d;
  q->r = (struct req){0};
  q->r.line = hd_bits(p, d->LINE_W);
  q->r.write = hd_chance(p, stores);
  q->r.op = q->r.write ? hd_op_draw(p) : 0;
  q->r.wid = hd_below(p, d->WARPS);
  q->r.slot = hd_below(p, p->c->sm.loads);
  q->r.num = hd_below(p, d->LANES);
  q->r.last = hd_below(p, 2);
  q->r.sectors = hd_sectors_draw(p);
  q->r.gid = hd_bits(p, d->GID_W);
  q->r.pc = hd_bits(p, d->REQ_PC_W);
  q->r.low = hd_bits(p, d->LOW_W);
  q->r.hpc = hd_bits(p, d->HPC_W);
  q->r.trk = hd_bits(p, d->APCM);
  q->r.lid = hd_bits(p, d->LID_W);
  q->r.byp = hd_bits(p, d->CASC);
  q->r.loc = hd_bits(p, d->LOC);
  if (d->LOS)
    q->r.pe = hd_below(p, d->LPT + 1);
  q->sig = hd_bits(p, d->SIG_W);
  if (q->r.write)
    hd_store_draw(p, d->WORDS, q->data, q->mask);
}

void hd_request_put(const struct hd_env_base *p, const struct hd_request *q, struct req *r, uint64_t *data,
                    uint64_t *mask) {
  *r = q->r;
  memcpy(data, q->data, p->c->d.WORDS * sizeof *data);
  memcpy(mask, q->mask, p->c->d.WORDS * sizeof *mask);
}

bool hd_request_is(const struct hd_env_base *p, const struct hd_request *q, const struct req *r,
                   const uint64_t *data, const uint64_t *mask) {
  const size_t bytes = p->c->d.WORDS * sizeof *data;
  return memcmp(&q->r, r, sizeof *r) == 0 &&
         (!r->write || (memcmp(q->data, data, bytes) == 0 && memcmp(q->mask, mask, bytes) == 0));
}

struct hd_words hd_req_words(const struct req *r) {
  struct hd_words w;
  snprintf(w.text, sizeof w.text,
           "%s line 0x%" PRIx64 ", warp %" PRIu64 " slot %" PRIu64 " number %" PRIu64 "%s",
           r->op == HD_UNCACHED ? "uncached load of"
           : r->op              ? "atomic to"
           : r->write           ? "store to"
                                : "load of",
           r->line, r->wid, r->slot, r->num, r->last ? " (last)" : "");
  return w;
}

uint64_t hd_hash(uint64_t hash, const void *bytes, size_t n) {
  for (size_t i = 0; i < n / sizeof(uint64_t); i++)
    hash = wl_rng_mix(hash, ((const uint64_t *)bytes)[i]);
  return hash;
}

bool hd_held_ok(struct hd_held *h, bool valid, bool ready, uint64_t hash) {
  const bool ok = !h->held || (valid && h->hash == hash);
  h->held = valid && !ready;
  h->hash = hash;
  return ok;
}

uint64_t hd_req_hash(const struct hd_env_base *p, const struct req *r, const uint64_t *data,
                     const uint64_t *mask) {
  uint64_t hash = hd_hash(0, r, sizeof *r);
  if (r->write) {
    hash = hd_hash(hash, data, p->c->d.WORDS * sizeof *data);
    hash = hd_hash(hash, mask, p->c->d.WORDS * sizeof *mask);
  }
  return hash;
}

bool hd_env_stopped(const struct hd_env *env) {
  return env->stop;
}

bool hd_nothing_to_check(struct hd_env *env) {
  (void)env;
  return true;
}

void hd_env_free(struct hd_env *env) {
  free(env);
}
