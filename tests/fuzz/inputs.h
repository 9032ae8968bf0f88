/* What users may give the program, as functions on bytes: a fuzzer calls them (tests/fuzz/inputs), and so does the replay of what it
 * found (tests/fuzz/run).
 *
 * Invariant: a function ends normally on any bytes, with nothing left allocated: true if they are taken, false if they are refused
 * in a sentence. abort() is a fault found.
 */
#ifndef HEDDLE_TESTS_FUZZ_INPUTS_H
#define HEDDLE_TESTS_FUZZ_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wl_inst;
struct wl_launch;

/* A kind of input. */
struct fuzz_target {
  const char *name, *what;
  bool (*take)(const uint8_t *bytes, size_t n);
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

/* abort(), if it breaks a promise of workloads/stream.h. */
void fuzz_launch(const struct wl_launch *launch);
void fuzz_inst(const struct wl_inst *inst);

/* Whether the replay wants this mistake made in what the program gave, so that a check must find it; see tests/fuzz/planted. */
bool fuzz_planted(const char *mistake);
extern const char *fuzz_plant; /* its name; NULL: none */

/* Changes n > 0 bytes in one of a few ways, by the seed; gives how many there are then, at most `room`, which is at least n. */
size_t fuzz_mutate(uint64_t seed, uint8_t *bytes, size_t n, size_t room);

bool fuzz_config(const uint8_t *bytes, size_t n);
bool fuzz_set(const uint8_t *bytes, size_t n);
bool fuzz_accel(const uint8_t *bytes, size_t n);
bool fuzz_htrace(const uint8_t *bytes, size_t n);
bool fuzz_block(const uint8_t *bytes, size_t n);
bool fuzz_matrix(const uint8_t *bytes, size_t n);
bool fuzz_graph(const uint8_t *bytes, size_t n);
bool fuzz_data(const uint8_t *bytes, size_t n);
bool fuzz_spec(const uint8_t *bytes, size_t n);
bool fuzz_sweep(const uint8_t *bytes, size_t n);
bool fuzz_explore(const uint8_t *bytes, size_t n);

#endif
