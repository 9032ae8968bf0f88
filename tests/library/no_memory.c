/* The library when memory runs out: each allocation of a program that uses all of it fails in its turn, alone or with all that
 * follow. Every failure must come back as an answer, and nothing may be left allocated.
 *
 *   no_memory STEP CONFIG.yaml SET WORKLOAD    STEP: only each STEP-th allocation fails, after the first hundred
 *
 * The allocator is glibc's, behind functions of this file that take its place for all libraries. */
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "tests/library/traffic.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static long countdown = -1; /* allocations until one fails; below 0: none does */
static int ever_after;      /* then all that follow do */
static long live;           /* blocks allocated and not freed */

static int fails(void) {
  if (countdown < 0)
    return 0;
  if (countdown > 0) {
    countdown--;
    return 0;
  }
  if (!ever_after)
    countdown = -1;
  errno = ENOMEM;
  return 1;
}
static void *counted(void *block) {
  live += block != NULL;
  return block;
}

void *malloc(size_t size) {
  return fails() ? NULL : counted(__libc_malloc(size));
}
void *calloc(size_t n, size_t size) {
  return fails() ? NULL : counted(__libc_calloc(n, size));
}
void *realloc(void *old, size_t size) {
  if (fails())
    return NULL;
  void *block = __libc_realloc(old, size);
  live += block && !old;
  return block;
}
void *aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : counted(__libc_memalign(alignment, size));
}
void free(void *block) {
  live -= block != NULL;
  __libc_free(block);
}

/* ---- A program that uses all of the library ---- */

static const char *config, *set, *workload;
static char path[] = "/tmp/heddle-no-memory-XXXXXX";

static void wrong(const char *what, heddle_status status, const char *message) {
  countdown = -1;
  fprintf(stderr, "%s: found status %d, \"%s\"; allowed: that memory ran out\n", what, status, message);
  exit(1);
}

/* HEDDLE_OK, or that memory ran out. */
static heddle_status use_model(const heddle_machine *machine) {
  static struct traffic t;
  heddle_model *model;
  heddle_status status = heddle_open(machine, "sm_mem", 0, &model);
  if (status == HEDDLE_OK) {
    traffic_begin(&t, machine, model, 1);
    for (int i = 0; i < 20; i++)
      traffic_cycle(&t, model);
    status = heddle_save_file(model, path);
    if (status == HEDDLE_OK)
      status = heddle_restore_file(model, path);
  }
  if (status && status != HEDDLE_ERR_MEMORY)
    wrong("model", status, heddle_model_message(model));
  heddle_close(model);
  return status;
}

/* The same. A workload that cannot be opened for want of memory is one that cannot be opened. */
static heddle_status use_run(const heddle_machine *machine) {
  heddle_run *run;
  heddle_status status = heddle_run_open(machine, workload, 0, &run);
  if (status == HEDDLE_OK)
    status = heddle_run_go(run);
  if (status == HEDDLE_ERR_WORKLOAD && (strstr(heddle_run_message(run), "out of memory") ||
                                        strstr(heddle_run_message(run), "can't be opened")))
    status = HEDDLE_ERR_MEMORY;
  if (status && status != HEDDLE_ERR_MEMORY)
    wrong("run", status, heddle_run_message(run));
  heddle_run_close(run);
  return status;
}

static heddle_status use_all(void) {
  heddle_machine *machine;
  heddle_status status = heddle_load(config, &set, 1, &machine);
  if (status == HEDDLE_OK)
    status = use_model(machine);
  else if (status != HEDDLE_ERR_MEMORY || !strstr(heddle_machine_message(machine), "out of memory"))
    wrong("machine", status, heddle_machine_message(machine));
  if (status == HEDDLE_OK)
    status = use_run(machine);
  heddle_unload(machine);
  return status;
}

int main(int argc, char **argv) {
  const long step = argc == 5 ? strtol(argv[1], NULL, 10) : 0;
  if (step < 1)
    return 2;
  config = argv[2];
  set = argv[3];
  workload = argv[4];
  close(mkstemp(path));
  if (use_all()) /* what libraries allocate once is there from now on */
    wrong("all", HEDDLE_OK, "it fails with memory enough");
  long failed = 0;
  for (ever_after = 0; ever_after < 2; ever_after++)
    for (long n = 0;; n += n < 100 ? 1 : step) {
      const long before = live;
      countdown = n;
      const heddle_status status = use_all();
      const int over = countdown > 0;
      countdown = -1;
      if (live != before) {
        fprintf(stderr, "allocation %ld fails: found %ld blocks left; allowed: none\n", n, live - before);
        return 1;
      }
      if (over)
        break;
      failed += status != HEDDLE_OK;
    }
  unlink(path);
  printf("%ld failures came back\n", failed);
  return failed < 100;
}
