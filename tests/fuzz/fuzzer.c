/* The entry of libFuzzer: $TARGET names the kind of input. */
#include "tests/fuzz/inputs.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const struct fuzz_target *target;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *name = getenv("TARGET");
  (void)argc;
  (void)argv;
  target = name ? fuzz_target(name) : NULL;
  if (target)
    return 0;
  fprintf(stderr, "TARGET: found %s; allowed:\n", name ? name : "nothing");
  for (const struct fuzz_target *t = fuzz_targets; t->name; t++)
    fprintf(stderr, "  %-8s %s\n", t->name, t->what);
  exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  target->take(bytes, n);
  return 0;
}
