/* SplitMix64; see rng.h. */
#include "workloads/rng.h"

uint64_t wl_rng_next(struct wl_rng *rng) {
  rng->state += UINT64_C(0x9E3779B97F4A7C15);
  uint64_t z = rng->state;
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return z ^ (z >> 31);
}

uint32_t wl_rng_scale(uint64_t bits, uint64_t bound) {
  return (uint32_t)((bits >> 32) * bound >> 32);
}

uint32_t wl_rng_below(struct wl_rng *rng, uint64_t bound) {
  return wl_rng_scale(wl_rng_next(rng), bound);
}

uint64_t wl_rng_mix(uint64_t seed, uint64_t key) {
  struct wl_rng rng = {seed ^ wl_rng_next(&(struct wl_rng){key})};
  return wl_rng_next(&rng);
}
