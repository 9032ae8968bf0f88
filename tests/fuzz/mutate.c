/* Seeded changes of an input, for the replay without a fuzzer (tests/fuzz/run). */
#include "tests/fuzz/inputs.h"
#include "workloads/rng.h"

#include <string.h>

size_t fuzz_mutate(uint64_t seed, uint8_t *bytes, size_t n, size_t room) {
  struct wl_rng rng = {seed};
  const size_t at = wl_rng_below(&rng, n), to = wl_rng_below(&rng, n);
  size_t size = 1 + wl_rng_below(&rng, 40);
  switch (wl_rng_below(&rng, 6)) {
  case 0:
    return at; /* cut off */
  case 1:      /* moves a piece */
    size = size < n - at ? size : n - at;
    size = size < n - to ? size : n - to;
    memmove(bytes + to, bytes + at, size);
    return n;
  case 2: /* doubles a piece */
    size = size < n - at ? size : n - at;
    size = size < room - n ? size : room - n;
    memmove(bytes + at + size, bytes + at, n - at);
    return n + size;
  case 3: /* removes a piece */
    size = size < n - at ? size : n - at;
    memmove(bytes + at, bytes + at + size, n - at - size);
    return n - size;
  case 4: /* changes bytes */
    for (; size && at + size <= n; size--)
      bytes[at + size - 1] = (uint8_t)wl_rng_next(&rng);
    return n;
  default: /* flips single bits */
    for (size = 1 + size % 3; size; size--)
      bytes[wl_rng_below(&rng, n)] ^= (uint8_t)(1U << wl_rng_below(&rng, 8));
    return n;
  }
}
