/* A set of SMs, or of L2 banks: a bit for each port of a crossbar.
 *
 * Invariant: bits of ports that a machine does not have are 0, so only the first hd_port_words words need to be read.
 *
 * Inlined: with calls instead, heddle sim executes 2.0 % more instructions (gpu/fermi on atax:n=256). */
#ifndef HEDDLE_CMODEL_MEMORY_PORT_SET_H
#define HEDDLE_CMODEL_MEMORY_PORT_SET_H

#include <stdbool.h>
#include <stdint.h>

enum { HD_PORTS = 192, HD_PORT_WORDS = HD_PORTS / 64 };

struct hd_port_set {
  uint64_t word[HD_PORT_WORDS];
};

/* Returns the number of words that hold the bits of `ports` ports, 1 to HD_PORTS. */
static inline unsigned hd_port_words(unsigned ports) {
  return (ports + 63) / 64;
}

static inline uint64_t hd_port_bit(unsigned port) {
  return UINT64_C(1) << port % 64;
}

static inline bool hd_port_set_has(const struct hd_port_set *s, unsigned port) {
  return s->word[port / 64] & hd_port_bit(port);
}

static inline void hd_port_set_add(struct hd_port_set *s, unsigned port) {
  s->word[port / 64] |= hd_port_bit(port);
}

static inline void hd_port_set_drop(struct hd_port_set *s, unsigned port) {
  s->word[port / 64] &= ~hd_port_bit(port);
}

static inline bool hd_port_set_any(const struct hd_port_set *s, unsigned words) {
  uint64_t any = 0;
  for (unsigned w = 0; w < words; w++)
    any |= s->word[w];
  return any;
}

/* Returns the lowest port in `rest`, bits of word w. `rest` must not be 0. */
static inline unsigned hd_port_of(unsigned w, uint64_t rest) {
  return w * 64 + (unsigned)__builtin_ctzll(rest);
}

#endif
