/* What the environments share: failing in words, moods, requests with their bytes, and ports that must hold
 * still.
 *
 * A mood is a stretch of cycles of random length in which the densities stay the same, so that a module sees
 * bursts, trickles and long back-pressure and not just their average. Invariant: random numbers come from the
 * environment's own generator only.
 */
#ifndef HEDDLE_VERIF_HARNESS_ENV_COMMON_H
#define HEDDLE_VERIF_HARNESS_ENV_COMMON_H

#include "verif/harness/env.h"
#include "workloads/rng.h"

enum {
  HD_ALWAYS = 1024,   /* densities are counted in 1024ths */
  HD_MAX_WORDS = 32,  /* 64-bit words of the longest line */
  HD_PATIENCE = 20000 /* cycles without a move while something is inside: more than any mood */
};

/* Sets env->text; returns false, so that `return hd_fail(env, ...)` reads well. */
bool hd_fail(struct hd_env *env, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Common to all: the first member of every environment. */
struct hd_env_base {
  struct hd_env env;
  const struct hd_config *c;
  struct wl_rng rng;
  uint64_t cycle;
  unsigned mood_left; /* cycles */
  unsigned quiet;     /* cycles without a move while something is inside */
};

/* An environment of `size` bytes that begins with a struct hd_env_base; NULL and *why if out of memory. */
void *hd_env_base_new(size_t size, const struct hd_env_job *job, const struct hd_env_ops *ops,
                      struct hd_why *why);

/* Counts a cycle of the mood down. True: a new one begins, to be drawn by the caller. */
bool hd_new_mood(struct hd_env_base *p);
/* A density for a mood: never, seldom, ..., always. At least 1/64 if `some`. */
unsigned hd_density(struct hd_env_base *p, bool some);
bool hd_chance(struct hd_env_base *p, unsigned density);
unsigned hd_below(struct hd_env_base *p, unsigned n);
/* `width` random bits. */
uint64_t hd_bits(struct hd_env_base *p, unsigned width);
/* What a threshold's input is to be in this cycle: 0 in a machine without control registers, which has no such input; else
 * *now, which is drawn anew from least to most now and then. */
uint64_t hd_threshold_draw(struct hd_env_base *p, uint64_t *now, uint64_t least, uint64_t most);
/* Each warp with probability 2^-thin; all if thin is 0. */
uint64_t hd_some_warps(struct hd_env_base *p, unsigned thin);
/* Draws the warps that are withheld from the schedulers anew, so often; if a module of this machine withholds any. */
void hd_withhold_draw(struct hd_env_base *p, unsigned density, uint64_t *withhold);
/* The value with one of its lowest `width` bits flipped. */
uint64_t hd_neighbour(struct hd_env_base *p, uint64_t value, unsigned width);

/* The end of clock(): counts the cycle. False: something is inside, and nothing has moved for HD_PATIENCE
 * cycles. */
bool hd_cycle_over(struct hd_env_base *p, bool inside, bool moved);

/* hd_env_ops.done of an environment in which nothing is in flight once it stops; .finish of one that has checked everything
 * by then; .close of one that is a single piece of memory. */
bool hd_env_stopped(const struct hd_env *env);
bool hd_nothing_to_check(struct hd_env *env);
void hd_env_free(struct hd_env *env);

/* A request as it travels between coalescer and L1D. */
struct hd_request {
  struct req r;
  uint64_t sig;                                    /* signature beside the warp id */
  uint64_t cycle;                                  /* in which it was taken */
  uint64_t data[HD_MAX_WORDS], mask[HD_MAX_WORDS]; /* stores */
};
/* What a request with `write` is: a store, or what this machine has besides, of atomics those that are none too. */
uint64_t hd_op_draw(struct hd_env_base *p);
/* Sectors of a line: at least one; exactly one where a miss fetches a sector; 0 where requests say nothing of them. */
uint64_t hd_sectors_draw(struct hd_env_base *p);
/* What the L1D fetches and frees as one, as a number: the line or, where a miss fetches a sector, of that line this one of the sectors;
 * and the line of such a number. */
uint64_t hd_unit(const struct hd_derived *d, uint64_t line, uint64_t sectors);
uint64_t hd_unit_line(const struct hd_derived *d, uint64_t unit);
/* All fields at random. */
void hd_request_draw(struct hd_env_base *p, unsigned stores, struct hd_request *q);
void hd_request_put(const struct hd_env_base *p, const struct hd_request *q, struct req *r, uint64_t *data,
                    uint64_t *mask);
/* Bytes are compared only if it is a store. */
bool hd_request_is(const struct hd_env_base *p, const struct hd_request *q, const struct req *r,
                   const uint64_t *data, const uint64_t *mask);
struct hd_words {
  char text[160];
};
/* "load of line 0x1f, warp 3 slot 1 number 2", for hd_fail. */
struct hd_words hd_req_words(const struct req *r);

/* Random bytes and a byte mask for a store of so many words. */
void hd_store_draw(struct hd_env_base *p, unsigned words, uint64_t *data, uint64_t *mask);

/* Puts the bytes that mask names into a line. */
void hd_merge(uint64_t *line, const uint64_t *data, const uint64_t *mask, unsigned words);

/* An output that was offered and not taken: it must stay, with its payload, of which the hash is kept. */
struct hd_held {
  bool held;
  uint64_t hash;
};
uint64_t hd_hash(uint64_t hash, const void *bytes, size_t n);
/* To be called every cycle; `hash` counts only if valid. False: it went away or changed. */
bool hd_held_ok(struct hd_held *h, bool valid, bool ready, uint64_t hash);
/* Hash of a request, with its bytes if it is a store. */
uint64_t hd_req_hash(const struct hd_env_base *p, const struct req *r, const uint64_t *data,
                     const uint64_t *mask);

#endif
