/* The project's pseudo-random numbers: SplitMix64, for everything that must repeat from a seed.
 *
 * Algorithm: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
 * 2014, with the 64-bit mixer known as variant 13. The state counts up by the odd fraction of the golden
 * ratio; an output is the state, mixed. Any state is a good one, so a stream can be made by mixing its
 * coordinates into a seed.
 *
 * Invariant: the sequence of a seed never changes; tests and recorded failures depend on it.
 */
#ifndef HEDDLE_WORKLOADS_RNG_H
#define HEDDLE_WORKLOADS_RNG_H

#include <stdint.h>

struct wl_rng {
  uint64_t state; /* set it to the seed */
};

/* 64 uniform bits. */
uint64_t wl_rng_next(struct wl_rng *rng);

/* 64 uniform bits made into a number in 0..bound-1, bound in 1..2^32, from the upper 32 bits; the bias is
 * below bound/2^32. The lower bits are free for another use. */
uint32_t wl_rng_scale(uint64_t bits, uint64_t bound);

/* Uniform in 0..bound-1, likewise. */
uint32_t wl_rng_below(struct wl_rng *rng, uint64_t bound);

/* A stream of its own for coordinate `key` under `seed`; nest it for several coordinates. */
uint64_t wl_rng_mix(uint64_t seed, uint64_t key);

#endif
