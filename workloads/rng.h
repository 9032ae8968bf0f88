/* The project's pseudo-random numbers: SplitMix64, for everything that must repeat from a seed.
 *
 * Algorithm: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
 * 2014, with the 64-bit mixer known as variant 13. The state counts up by the odd fraction of the golden
 * ratio; an output is the state, mixed. Every state is good, so mixing coordinates into a seed gives a
 * stream for these coordinates.
 *
 * Invariant: the sequence of a seed never changes; tests and recorded failures depend on it.
 */
#ifndef HEDDLE_WORKLOADS_RNG_H
#define HEDDLE_WORKLOADS_RNG_H

#include <stdint.h>

struct wl_rng {
  uint64_t state; /* set it to the seed */
};

/* Returns 64 uniform bits. */
uint64_t wl_rng_next(struct wl_rng *rng);

/* Maps 64 uniform bits to a number in 0..bound-1; `bound` is 1..2^32. Uses the upper 32 bits only, so the
 * lower bits are free for another use. The bias is below bound/2^32. */
uint32_t wl_rng_scale(uint64_t bits, uint64_t bound);

/* Returns a uniform number in 0..bound-1, in the same way. */
uint32_t wl_rng_below(struct wl_rng *rng, uint64_t bound);

/* Returns the seed of a separate stream for coordinate `key` under `seed`. Nest it for several coordinates. */
uint64_t wl_rng_mix(uint64_t seed, uint64_t key);

#endif
