/* Gives files to a kind of input, without a fuzzer: as they are, or changed by a seed.
 *
 * usage: replay TARGET FILE...
 *        replay --change SEED ROUNDS LAST TARGET FILE...    in each round one of the files, changed; LAST gets what it became before
 *                                                           it is given, so the one at fault
 *        replay --plant MISTAKE TARGET FILE...              with a mistake in what the program gives: a check must find it
 * The last line sums up. Exit code: 0 all ended as they must; 1 it took too much memory; 2 no such target, or a file cannot be read.
 * At a fault it is aborted: the last line then says which check failed.
 */
#include "base/text.h"
#include "tests/fuzz/inputs.h"
#include "workloads/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { ROOM = 64, /* that an input may grow by */ MOST_MIB = 512 };

static struct { uint64_t taken, refused; } count;

/* Returns the file's bytes, with ROOM bytes more; the caller frees them. Returns NULL if the file can't be read. */
static uint8_t *read_input(const char *path, size_t *n) {
  struct stat what;
  uint8_t *bytes = (uint8_t *)hd_slurp(path), *more = NULL;
  if (bytes && stat(path, &what) == 0 && (more = malloc((size_t)what.st_size + ROOM)))
    memcpy(more, bytes, *n = (size_t)what.st_size);
  else
    fprintf(stderr, "%s: cannot be read\n", path);
  free(bytes);
  return more;
}

static void give(const struct fuzz_target *target, const uint8_t *bytes, size_t n) {
  fflush(stdout); /* so that the last line printed names the input at fault */
  if (target->take(bytes, n))
    count.taken++;
  else
    count.refused++;
}

static bool replay(const struct fuzz_target *target, const char *path) {
  size_t n;
  uint8_t *bytes = read_input(path, &n);
  if (bytes) {
    printf("%s\n", path);
    give(target, bytes, n);
  }
  free(bytes);
  return bytes;
}

/* Picks one of the files and changes it by the seed of the round. */
static bool change(const struct fuzz_target *target, char **files, int n_files, uint64_t seed, uint64_t round,
                   const char *last) {
  struct wl_rng rng = {wl_rng_mix(seed, round)};
  const char *path = files[wl_rng_below(&rng, (uint64_t)n_files)];
  size_t n;
  uint8_t *bytes = read_input(path, &n);
  if (bytes && n) {
    n = fuzz_mutate(wl_rng_next(&rng), bytes, n, n + ROOM);
    FILE *f = fopen(last, "wb");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) {
      fprintf(stderr, "%s: cannot be written\n", last);
      free(bytes);
      return false;
    }
    printf("%s: round %" PRIu64 " of seed %" PRIu64 "\n", path, round, seed);
    give(target, bytes, n);
  }
  free(bytes);
  return bytes;
}

int main(int argc, char **argv) {
  const bool changes = argc > 6 && !strcmp(argv[1], "--change"),
             plants = argc > 4 && !strcmp(argv[1], "--plant");
  const uint64_t seed = changes ? strtoull(argv[2], NULL, 10) : 0,
                 rounds = changes ? strtoull(argv[3], NULL, 10) : 0;
  char **file = argv + (changes ? 5 : plants ? 3 : 1);
  const int files = argc - (int)(file - argv) - 1;
  const struct fuzz_target *target = files > 0 ? fuzz_target(*file++) : NULL;
  if (!target) {
    fprintf(stderr, "usage: replay [--change SEED ROUNDS LAST | --plant MISTAKE] TARGET FILE...\n");
    return 2;
  }
  fuzz_plant = plants ? argv[2] : NULL;
  for (int i = 0; i < files && !changes; i++)
    if (!replay(target, file[i]))
      return 2;
  for (uint64_t round = 0; round < rounds; round++)
    if (!change(target, file, files, seed, round, argv[4]))
      return 2;
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  printf("%" PRIu64 " taken, %" PRIu64 " refused, %ld MiB\n", count.taken, count.refused,
         use.ru_maxrss / 1024);
  return use.ru_maxrss / 1024 >= MOST_MIB;
}
