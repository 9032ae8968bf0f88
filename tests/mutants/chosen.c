/* Linked into a unit test that has a mutated golden model. HD_MUTANT gives the number of the mutant. Without it the number is 0, the
 * original file. */
#include <stdlib.h>

unsigned hd_mutant;

__attribute__((constructor)) static void choose(void) {
  const char *number = getenv("HD_MUTANT");
  hd_mutant = number ? (unsigned)atoi(number) : 0;
}
