/* The kinds of input, and what their functions share; see inputs.h. */
#include "tests/fuzz/inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const struct fuzz_target fuzz_targets[] = {
    {"config", "a configuration", fuzz_config},
    {"set", "--set, one a line", fuzz_set},
    {"accel", "Accel-Sim: a kernel, or a list of kernels", fuzz_accel},
    {"htrace", "a trace of our own form", fuzz_htrace},
    {"block", "a block of one, unpacked", fuzz_block},
    {"matrix", "a matrix in Matrix Market's form", fuzz_matrix},
    {"graph", "a graph of any form", fuzz_graph},
    {"data", "other files of workloads: the first byte says whose", fuzz_data},
    {"spec", "a workload, as -w has it", fuzz_spec},
    {"sweep", "what heddle sweep reads", fuzz_sweep},
    {"explore", "what heddle explore reads", fuzz_explore},
    {NULL, NULL, NULL}};

const struct fuzz_target *fuzz_target(const char *name) {
  const struct fuzz_target *t = fuzz_targets;
  while (t->name && strcmp(t->name, name) != 0)
    t++;
  return t->name ? t : NULL;
}

const char *fuzz_plant;

bool fuzz_planted(const char *mistake) {
  return fuzz_plant && !strcmp(fuzz_plant, mistake);
}

void fuzz_need(bool so, const char *sentence) {
  if (so)
    return;
  printf("FAILED: %s\n", sentence);
  fflush(stdout);
  abort();
}

void fuzz_line(const char *message) {
  if (fuzz_planted("no sentence"))
    message = "";
  if (fuzz_planted("two lines"))
    message = "the first\nand another";
  fuzz_need(*message, "refused without a sentence");
  for (; *message; message++)
    fuzz_need((unsigned char)*message >= ' ' && *message != 0x7f, "a message with what cannot be printed");
}

const char *fuzz_file(const uint8_t *bytes, size_t n) {
  enum { NUMBER = 900 }; /* a fixed number, so that an input may name its own file */
  static int fd = -1;
  if (fd < 0)
    fd = dup2(memfd_create("input", MFD_CLOEXEC), NUMBER);
  fuzz_need(fd >= 0 && !ftruncate(fd, 0) && pwrite(fd, bytes, n, 0) == (ssize_t)n, "no file in memory");
  return FUZZ_PATH "900";
}

char *fuzz_text(const uint8_t *bytes, size_t n) {
  char *text = malloc(n + 1);
  fuzz_need(text, "no memory");
  if (n)
    memcpy(text, bytes, n);
  text[n] = 0;
  return text;
}
