/* The library when memory runs out. Each allocation of a program that uses all of the library fails in its turn, alone or with all
 * that follow. Every failure must be returned with a message, and nothing may be left allocated.
 *
 *   no_memory STEP CONFIG.yaml SET WORKLOAD [DROPIN]    STEP: only each STEP-th allocation fails, after the first hundred
 *
 * The allocator is glibc's. Functions of this file stand in front of it for all libraries. */
#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "tests/library/traffic.h"
#include "tests/library/zero_rtl.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static long countdown = -1; /* allocations until one fails; below 0: none fails */
static int ever_after;      /* if set, all later allocations fail too */
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

enum { STORE = 2, LINE_WORDS = 32, MOST_LINES = 256, SM_CYCLES = 400 };

static const char *config, *set, *workload, *dropin;
static char path[] = "/tmp/heddle-no-memory-XXXXXX";

static void wrong(const char *what, heddle_status status, const char *message) {
  countdown = -1;
  fprintf(stderr, "%s: found status %d, \"%s\"; allowed: that memory ran out\n", what, status, message);
  exit(1);
}

/* A workload that can't be opened may be one for which memory ran out. */
static int out_of_memory(const char *message) {
  return strstr(message, "out of memory") || strstr(message, "Cannot allocate memory") ||
         strstr(message, "can't be opened");
}

/* Returns HEDDLE_OK, or the status for exhausted memory. */
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

/* The same for a drop-in. */
static heddle_status use_dropin(const heddle_machine *machine) {
  heddle_model *model;
  heddle_status status = heddle_open(machine, dropin, 0, &model);
  for (int i = 0; i < 20 && status == HEDDLE_OK; i++)
    heddle_tick(model);
  if (status == HEDDLE_OK)
    status = heddle_save_file(model, path);
  if (status == HEDDLE_OK)
    status = heddle_restore_file(model, path);
  if (status && status != HEDDLE_ERR_MEMORY)
    wrong("drop-in", status, heddle_model_message(model));
  heddle_close(model);
  return status;
}

/* A memory without latency. Its lines are kept in the order of first use. */
static struct line {
  uint64_t address;
  uint32_t data[LINE_WORDS];
} lines[MOST_LINES];
static size_t n_lines;

static struct line *line_at(uint64_t address) {
  for (size_t i = 0; i < n_lines; i++)
    if (lines[i].address == address)
      return &lines[i];
  if (n_lines == MOST_LINES)
    return NULL;
  struct line *l = &lines[n_lines++];
  l->address = address;
  for (unsigned w = 0; w < LINE_WORDS; w++)
    l->data[w] = (uint32_t)(heddle_memory_initial(address, w / 2) >> 32 * (w % 2));
  return l;
}

/* The clock edge. A request taken in this cycle is answered in the next. */
static void edge(struct traffic *t, heddle_model *m) {
  const int asked = heddle_get_u64(m, t->mreq_valid) && heddle_get_u64(m, t->mreq_ready);
  const int waits = heddle_get_u64(m, t->mrsp_valid) && !heddle_get_u64(m, t->mrsp_ready);
  struct line *l = asked ? line_at(heddle_get_u64(m, t->mreq_line)) : NULL;
  uint64_t field[ECHO];
  for (size_t i = 0; i < t->echoes; i++)
    field[i] = heddle_get_u64(m, t->mreq[i]);
  if (l && heddle_get_u64(m, t->mreq_kind) == STORE) {
    uint32_t data[LINE_WORDS], mask[LINE_WORDS / 8];
    heddle_get(m, heddle_find(m, "mreq_wdata"), 0, data);
    heddle_get(m, heddle_find(m, "mreq_wmask"), 0, mask);
    for (unsigned b = 0; b < LINE_WORDS * 4; b++)
      if (mask[b / 32] >> b % 32 & 1)
        ((uint8_t *)l->data)[b] = (uint8_t)(data[b / 4] >> 8 * (b % 4));
  }
  heddle_tick(m);
  for (size_t i = 0; l && i < t->echoes; i++)
    heddle_set_u64(m, t->mrsp[i], field[i]);
  if (l)
    heddle_set(m, t->mrsp_data, 0, l->data);
  heddle_set_u64(m, t->mrsp_valid, l || waits);
  heddle_set_u64(m, t->mreq_ready, !l && !waits && n_lines < MOST_LINES);
}

/* Returns HEDDLE_OK, or the status for exhausted memory. */
static heddle_status use_sm(const heddle_machine *machine) {
  static struct traffic t;
  heddle_model *model;
  heddle_sm *sm = NULL;
  heddle_status status = heddle_open(machine, "sm_mem", 0, &model);
  if (status == HEDDLE_OK)
    status = heddle_sm_open(model, workload, &sm);
  n_lines = 0;
  if (status == HEDDLE_OK)
    traffic_begin(&t, machine, model, 1);
  for (int i = 0; i < SM_CYCLES && status == HEDDLE_OK; i++) {
    heddle_sm_drive(sm);
    heddle_eval(model);
    status = heddle_sm_clock(sm);
    edge(&t, model);
    if (i == SM_CYCLES / 2 && status == HEDDLE_OK) { /* in mid-flight; the lines stay */
      status = heddle_sm_reset(sm);
      heddle_set_u64(model, t.mrsp_valid, 0);
      heddle_reset(model);
    }
  }
  if (status == HEDDLE_OK && !heddle_sm_checked(sm))
    wrong("sm", status, "it has checked nothing");
  if (status == HEDDLE_ERR_WORKLOAD && out_of_memory(heddle_sm_message(sm)))
    status = HEDDLE_ERR_MEMORY;
  if (status && status != HEDDLE_ERR_MEMORY)
    wrong("sm", status, heddle_sm_message(sm));
  heddle_sm_close(sm);
  heddle_close(model);
  return status;
}

/* Returns HEDDLE_OK, or the status for exhausted memory. */
static heddle_status use_lockstep(const heddle_machine *machine) {
  static struct traffic t;
  heddle_model *model;
  heddle_lockstep *lockstep = NULL;
  heddle_status status = heddle_open(machine, "sm_mem", 0, &model);
  if (status == HEDDLE_OK)
    status = heddle_lockstep_open(model, zero_rtl_find, model, &lockstep);
  if (status == HEDDLE_OK) {
    heddle_lockstep_align(lockstep);
    traffic_begin(&t, machine, model, 1);
    for (int i = 0; i < 20; i++)
      traffic_cycle(&t, model);
    if (heddle_lockstep_same(lockstep, 1))
      wrong("lockstep", status, "a model with requests inside is equal to an RTL of zeros");
    const char *message = heddle_lockstep_message(lockstep);
    if (!strstr(message, "RTL 0x0, golden model 0x"))
      wrong("lockstep", status, message);
  }
  if (lockstep && status && status != HEDDLE_ERR_MEMORY)
    wrong("lockstep", status, heddle_lockstep_message(lockstep));
  heddle_lockstep_close(lockstep);
  heddle_close(model);
  return status;
}

/* The same for a run. */
static heddle_status use_run(const heddle_machine *machine) {
  heddle_run *run;
  heddle_status status = heddle_run_open(machine, workload, 0, &run);
  if (status == HEDDLE_OK)
    status = heddle_run_go(run);
  if (status == HEDDLE_ERR_WORKLOAD && out_of_memory(heddle_run_message(run)))
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
  if (status == HEDDLE_OK && dropin)
    status = use_dropin(machine);
  if (status == HEDDLE_OK)
    status = use_sm(machine);
  if (status == HEDDLE_OK)
    status = use_lockstep(machine);
  if (status == HEDDLE_OK)
    status = use_run(machine);
  heddle_unload(machine);
  return status;
}

int main(int argc, char **argv) {
  const long step = argc == 5 || argc == 6 ? strtol(argv[1], NULL, 10) : 0;
  if (step < 1)
    return 2;
  config = argv[2];
  set = argv[3];
  workload = argv[4];
  dropin = argv[5];
  close(mkstemp(path));
  if (use_all()) /* allocations that libraries make only once are made here */
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
