/* What users may give the program, as functions on bytes: a fuzzer calls them (tests/fuzz/inputs), and so does the replay of what it
 * found (tests/fuzz/run).
 *
 * Invariant: a function ends normally on any bytes, with nothing left allocated; abort() is a fault found.
 */
#ifndef HEDDLE_TESTS_FUZZ_INPUTS_H
#define HEDDLE_TESTS_FUZZ_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A kind of input. */
struct fuzz_target {
  const char *name, *what;
  void (*take)(const uint8_t *bytes, size_t n);
};
/* All of them; the last has no name. */
extern const struct fuzz_target fuzz_targets[];
/* NULL: there is none of that name. */
const struct fuzz_target *fuzz_target(const char *name);

/* Where the file is, as are those that a list of kernels beside it names. */
#define FUZZ_PATH "/proc/self/fd/"
/* The path of a regular file with these bytes, valid until the next call. */
const char *fuzz_file(const uint8_t *bytes, size_t n);
/* The bytes as a text that ends at the first zero, to be freed. */
char *fuzz_text(const uint8_t *bytes, size_t n);
/* abort(), with the sentence, if it is not so. */
void fuzz_need(bool so, const char *sentence);

/* abort(), if the message is not one line for people. */
void fuzz_line(const char *message);

void fuzz_config(const uint8_t *bytes, size_t n);
void fuzz_set(const uint8_t *bytes, size_t n);
void fuzz_accel(const uint8_t *bytes, size_t n);
void fuzz_htrace(const uint8_t *bytes, size_t n);
void fuzz_matrix(const uint8_t *bytes, size_t n);
void fuzz_graph(const uint8_t *bytes, size_t n);
void fuzz_data(const uint8_t *bytes, size_t n);
void fuzz_spec(const uint8_t *bytes, size_t n);
void fuzz_sweep(const uint8_t *bytes, size_t n);
void fuzz_explore(const uint8_t *bytes, size_t n);

#endif
