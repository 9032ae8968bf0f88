/* A genome and queries to look for in it: made up from a seed, or read from the user's FASTA file.
 *
 * Invariant: reference[0] is a blank, then come `length` letters 0..3 (A, C, G, T) and WL_SUFFIX_END; query q
 * is query[at[q]..at[q+1]-1]: a blank, its letters, an end mark, with at least `least` letters.
 */
#ifndef HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_GENOME_H
#define HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_GENOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  WL_GENOME_LENGTH = 4000000,    /* the most letters of a reference */
  WL_GENOME_QUERIES = 100000000, /* the most bytes of the queries */
  WL_GENOME_OTHER = 5,           /* in a query: a letter but A, C, G, T */
};

struct wl_genome {
  uint8_t *reference, *query;
  uint32_t length, queries, *at;
};

/* What is made up: `length` letters, and queries of `letters` each. */
struct wl_genome_size {
  uint32_t length, queries, letters, least;
};

/* Reads `file`: its first sequence is the reference, the others, those shorter than `least` left out, are
 * the queries. Without others, and without a file, they are made up. False: nothing is left in *g, err
 * says why. */
bool wl_genome_get(struct wl_genome *g, const char *file, const struct wl_genome_size *size, uint64_t seed,
                   char *err, size_t errlen);
void wl_genome_free(struct wl_genome *g);

#endif
