/* The inputs that users give to the program, as functions on bytes. A fuzzer calls them (tests/fuzz/inputs), and so does the replay
 * of its findings (tests/fuzz/run).
 *
 * Invariant: a function returns normally on any bytes, with nothing left allocated: true if they are accepted, false if they are
 * refused with a message. abort() means that a fault was found. */
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
/* All kinds. The last one has no name. */
extern const struct fuzz_target fuzz_targets[];
/* Returns NULL if no kind has that name. */
const struct fuzz_target *fuzz_target(const char *name);

/* The folder of the input file, and of files that a list of kernels beside it names. */
#define FUZZ_PATH "/proc/self/fd/"
/* Returns the path of a regular file with these bytes. It is valid until the next call. */
const char *fuzz_file(const uint8_t *bytes, size_t n);
/* Returns the bytes as a text that ends at the first zero. The caller frees it. */
char *fuzz_text(const uint8_t *bytes, size_t n);
/* Calls abort() with the sentence unless `so`. */
void fuzz_need(bool so, const char *sentence);

/* Calls abort() unless the message is a single line of readable text. */
void fuzz_line(const char *message);

/* Calls abort() if the launch breaks a promise of workloads/stream.h. */
void fuzz_launch(const struct wl_launch *launch);
void fuzz_inst(const struct wl_inst *inst);

/* Returns true if the replay wants this mistake in the program's output. A check must then find it. See tests/fuzz/planted. */
bool fuzz_planted(const char *mistake);
extern const char *fuzz_plant; /* name of the mistake; NULL: none */

/* Changes n > 0 bytes in one of a few ways, chosen by the seed. Returns the new number of bytes: at most `room`, which is at least
 * n. */
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
