/* What the environments share: failure texts, moods, requests with their bytes, and the check that an output which was not taken
 * stays the same.
 *
 * A mood is a stretch of cycles of random length in which the densities stay the same. So a module sees bursts, trickles and long
 * back-pressure, not only their average. Invariant: random numbers come only from the environment's own generator.
 */
#ifndef HEDDLE_VERIF_HARNESS_ENV_COMMON_H
#define HEDDLE_VERIF_HARNESS_ENV_COMMON_H

#include "cmodel/model/bits.h"
#include "verif/harness/env.h"
#include "workloads/rng.h"

enum {
  HD_ALWAYS = 1024,   /* densities are counted in 1024ths */
  HD_MAX_WORDS = 32,  /* 64-bit words of the longest line */
  HD_PATIENCE = 20000 /* most cycles without a move while something is inside: longer than any mood */
};

/* Sets env->text. Returns false always, for `return hd_fail(env, ...)`. */
bool hd_fail(struct hd_env *env, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The first member of every environment. */
struct hd_env_base {
  struct hd_env env;
  const struct hd_config *c;
  struct wl_rng rng;
  uint64_t cycle;
  unsigned mood_left; /* cycles */
  unsigned quiet;     /* cycles without a move while something is inside */
};

/* Returns an environment of `size` bytes that begins with a struct hd_env_base. Returns NULL and sets *why if out of memory. */
void *hd_env_base_new(size_t size, const struct hd_env_job *job, const struct hd_env_ops *ops,
                      struct hd_why *why);

/* Counts one cycle of the mood. Returns true if a new mood begins; the caller draws its densities. */
bool hd_new_mood(struct hd_env_base *p);
/* Returns a density for a mood: never, seldom, ..., always. At least 1/64 if `some`. */
unsigned hd_density(struct hd_env_base *p, bool some);
bool hd_chance(struct hd_env_base *p, unsigned density);
unsigned hd_below(struct hd_env_base *p, unsigned n);
/* `width` random bits. */
uint64_t hd_bits(struct hd_env_base *p, unsigned width);
/* Returns the value of a threshold input for this cycle. It is *now, which is redrawn from `least` to `most` in 1 of 64 cycles. A
 * machine without control registers has no such input: then it is 0. */
uint64_t hd_threshold_draw(struct hd_env_base *p, uint64_t *now, uint64_t least, uint64_t most);
/* Returns a mask of warps, each in it with probability 2^-thin; all warps if `thin` is 0. */
uint64_t hd_some_warps(struct hd_env_base *p, unsigned thin);
/* With probability `density` redraws the mask of warps that are withheld from the schedulers. Does nothing if no module of this
 * machine withholds warps. */
void hd_withhold_draw(struct hd_env_base *p, unsigned density, uint64_t *withhold);
/* Returns the value with one of its lowest `width` bits flipped. */
uint64_t hd_neighbour(struct hd_env_base *p, uint64_t value, unsigned width);

/* Counts the cycle; call it at the end of clock(). Returns false if something is inside and nothing has moved for HD_PATIENCE cycles. */
bool hd_cycle_over(struct hd_env_base *p, bool inside, bool moved);

/* Ready functions for struct hd_env_ops. `done`, if nothing is in flight once the environment stops; `finish`, if nothing is left to
 * check at the end; `close`, if the environment is a single piece of memory. */
bool hd_env_stopped(const struct hd_env *env);
bool hd_nothing_to_check(struct hd_env *env);
void hd_env_free(struct hd_env *env);

/* A request as it travels between coalescer and L1D. */
struct hd_request {
  struct req r;
  uint64_t sig;                                    /* signature beside the warp id */
  uint64_t cycle;                                  /* the cycle in which it was taken */
  uint64_t data[HD_MAX_WORDS], mask[HD_MAX_WORDS]; /* stores */
};
/* Returns a random `op` for a request with `write`: 0 for a store, or the code of an uncached load or atomic if this machine has them.
 * Codes that name no atomic are drawn too. */
uint64_t hd_op_draw(struct hd_env_base *p);
/* Returns a mask of a line's sectors: at least one; exactly one if a miss fetches a sector; 0 if requests carry no sectors. */
uint64_t hd_sectors_draw(struct hd_env_base *p);
/* Returns the number of a unit, which the L1D fetches and frees as a whole. A unit is a line; if a miss fetches a sector, it is the
 * lowest sector in `sectors` of that line. hd_unit_line returns the line of a unit. */
uint64_t hd_unit(const struct hd_derived *d, uint64_t line, uint64_t sectors);
uint64_t hd_unit_line(const struct hd_derived *d, uint64_t unit);
/* Draws all fields at random; `stores` is the density of requests with `write`. */
void hd_request_draw(struct hd_env_base *p, unsigned stores, struct hd_request *q);
void hd_request_put(const struct hd_env_base *p, const struct hd_request *q, struct req *r, uint64_t *data,
                    uint64_t *mask);
/* Returns true if the two requests are equal. Bytes are compared only if `write` is set. */
bool hd_request_is(const struct hd_env_base *p, const struct hd_request *q, const struct req *r,
                   const uint64_t *data, const uint64_t *mask);
struct hd_words {
  char text[160];
};
/* Returns the request in words for hd_fail: "load of line 0x1f, warp 3 slot 1 number 2". */
struct hd_words hd_req_words(const struct req *r);

/* Draws the bytes and the byte mask of a store of `words` words. */
void hd_store_draw(struct hd_env_base *p, unsigned words, uint64_t *data, uint64_t *mask);

/* Writes the bytes that `mask` selects into a line. */
void hd_merge(uint64_t *line, const uint64_t *data, const uint64_t *mask, unsigned words);

/* An output that was valid and not taken: it must stay valid with the same payload. The hash of the payload is kept. */
struct hd_held {
  bool held;
  uint64_t hash;
};
uint64_t hd_hash(uint64_t hash, const void *bytes, size_t n);
/* Call it every cycle; `hash` matters only if `valid`. Returns false if a held output went away or changed. */
bool hd_held_ok(struct hd_held *h, bool valid, bool ready, uint64_t hash);
/* Returns the hash of a request, with its bytes if `write` is set. */
uint64_t hd_req_hash(const struct hd_env_base *p, const struct req *r, const uint64_t *data,
                     const uint64_t *mask);

#endif
