/* A genome, and queries to look for in it: made up from a seed, or read from the user's FASTA file.
 *
 * Invariant: reference[0] is a blank, followed by `length` letters 0..3 (A, C, G, T) and WL_SUFFIX_END.
 * Query q is query[at[q]..at[q+1]-1]: a blank, its letters (at least `least`), an end mark.
 */
#ifndef HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_GENOME_H
#define HEDDLE_WORKLOADS_RODINIA_RODINIA_DATA_GENOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  WL_GENOME_LENGTH = 4000000,    /* most letters of a reference */
  WL_GENOME_QUERIES = 100000000, /* most bytes of the queries */
  WL_GENOME_OTHER = 5,           /* in a query: any letter other than A, C, G, T */
};

struct wl_genome {
  uint8_t *reference, *query;
  uint32_t length, queries, *at;
};

/* The size of a made-up input: `length` letters, and queries of `letters` letters each. */
struct wl_genome_size {
  uint32_t length, queries, letters, least;
};

/* Reads `file`: its first sequence is the reference, the others are the queries, except those shorter than
 * `least`. Without a file, reference and queries are made up; without further sequences, only the queries.
 * Returns false with one line in err, and with nothing left in *g. */
bool wl_genome_get(struct wl_genome *g, const char *file, const struct wl_genome_size *size, uint64_t seed,
                   char *err, size_t errlen);
void wl_genome_free(struct wl_genome *g);

#endif
