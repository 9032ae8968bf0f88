/* Gives files to a kind of input, without a fuzzer.
 *
 * usage: replay TARGET FILE...      exit code 0: all ended as they must; 2: no such target, or a file cannot be read
 */
#include "base/text.h"
#include "tests/fuzz/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
  const struct fuzz_target *target = argc > 2 ? fuzz_target(argv[1]) : NULL;
  if (!target) {
    fprintf(stderr, "usage: replay TARGET FILE...\n");
    return 2;
  }
  for (int i = 2; i < argc; i++) {
    struct stat what;
    uint8_t *bytes = (uint8_t *)hd_slurp(argv[i]);
    if (!bytes || stat(argv[i], &what) != 0) {
      fprintf(stderr, "%s: cannot be read\n", argv[i]);
      return 2;
    }
    printf("%s\n", argv[i]); /* the last one is at fault */
    fflush(stdout);
    target->take(bytes, (size_t)what.st_size);
    free(bytes);
  }
  return 0;
}
