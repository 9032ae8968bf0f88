/* In a unit test that is linked with a mutated golden model: the mutant is the number in HD_MUTANT; 0, the file as it was, if
 * there is none. */
#include <stdlib.h>

unsigned hd_mutant;

__attribute__((constructor)) static void choose(void) {
  const char *number = getenv("HD_MUTANT");
  hd_mutant = number ? (unsigned)atoi(number) : 0;
}
