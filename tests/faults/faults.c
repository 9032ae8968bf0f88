/* Flips bits of predictor state in both sides of a lockstep run on random traffic (D-MIX-3): the scoreboard must find every answer
 * right, and the two sides equal, for the rest of the run; and of every row a flip must be read.
 *
 * usage: faults HINTS WORK SEED LIMIT STORM      HINTS: tests/faults/hints
 * Of each machine two runs go side by side. At each of two moments, for each register or memory that is a hint, a process of its own
 * flips a bit of it in one of the two and looks when anything else differs from the other run: then it was read, and the rest of the
 * run is judged. A bit that is overwritten unread, or not read for a while, is flipped back, and the next one's turn comes, up to
 * LIMIT cycles after the moment; a row of which no flip is read has failed. Then STORM flips of all hints, one every few cycles, in
 * one run. Exit code: 0 good, 1 not, 2 HINTS is wrong, 3 a tool is missing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verif/harness/bits.h"
#include "verif/harness/run.h"

enum {
  PATIENCE = 300, /* cycles in which a flip is to be read; then another bit's turn comes */
  AFTER = 2500,   /* cycles that are judged after a read */
  APART = 20,     /* cycles between two flips of a storm, on average */
  MOST_ROWS = 1000
};
static const uint64_t moments[] = {700, 9000};

/* A row of a declaration: a register, or a field of a memory. */
struct hint {
  char name[200];
  unsigned rows; /* of a memory; a register: 0 */
  unsigned elements, width;
};

static struct {
  uint64_t seed, limit, storm;
  const char *config;
  char *kept; /* " INSTANCE.NAME INSTANCE.NAME " of rows that are no hints */
  struct hd_cosim_job job[2];
  struct hd_run run[2]; /* with the flip; without */
  struct hint hint[MOST_ROWS];
  size_t hints;
  struct wl_rng rng;
  unsigned passed, failed, flips, read;
} t;

/* --- flips ------------------------------------------------------------------------------------------------ */

/* A bit of the row, any one. */
static void aim(const struct hint *h, struct hd_fault fault[2], char text[300]) {
  const unsigned e = (unsigned)wl_rng_below(&t.rng, h->elements), bit = (unsigned)wl_rng_below(&t.rng, h->width);
  if (h->rows)
    snprintf(text, 300, "both:%s[%u][%u].%u@%" PRIu64, h->name, (unsigned)wl_rng_below(&t.rng, h->rows), e, bit,
             t.run[0].cycle);
  else
    snprintf(text, 300, "both:%s[%u].%u@%" PRIu64, h->name, e, bit, t.run[0].cycle);
  for (unsigned i = 0; i < 2; i++) {
    struct hd_why why;
    if (hd_fault_find(&t.run[i].table, text, &fault[i], &why) != HD_OK) {
      printf("%s\n", why.text);
      exit(2);
    }
  }
}

/* In the first run, both sides. What hangs on it combinationally sees it at once. */
static void flip(const struct hd_fault *fault) {
  hd_fault_strike(fault);
  t.run[0].lib.api->settle(t.run[0].dut);
}

/* --- one hint --------------------------------------------------------------------------------------------- */

static bool good(const struct hd_run *run) {
  if (run->stop == HD_ENDED)
    return true;
  printf("stopped in cycle %" PRIu64 ": %s", run->cycle, run->stop == HD_DIFFERS ? "the sides differ:" : run->text);
  for (size_t i = 0; run->stop == HD_DIFFERS && i < run->diffs && i < HD_DIFFS; i++)
    printf(" %s (%" PRIx64 ", %" PRIx64 ")", run->diff[i].name, run->diff[i].rtl, run->diff[i].model);
  printf("\n");
  return false;
}

/* The first run to its end, which is so many cycles away. */
static bool to_the_end(uint64_t cycles) {
  t.job[0].cycles = t.run[0].cycle + cycles;
  while (t.run[0].stop == HD_RUNS)
    hd_run_step(&t.run[0]);
  return good(&t.run[0]);
}

/* Whether the two runs are equal but for the flip. */
static bool equal_but(const struct hd_fault fault[2], bool memories) {
  return t.run[0].stop == t.run[1].stop &&
         hd_equal_but(&t.run[0].table, &t.run[1].table, &fault[0].rtl, &fault[1].rtl, memories);
}

/* Flips one bit of the row after the other, until one is read or the time is up. */
static bool read_one(const struct hint *h, char text[300]) {
  const uint64_t end = t.run[0].cycle + t.limit;
  struct hd_fault fault[2];
  while (t.run[0].cycle < end) {
    const uint64_t wait = t.run[0].cycle + PATIENCE;
    aim(h, fault, text);
    flip(&fault[0]);
    t.flips++;
    for (bool there = true, equal = false; !equal && t.run[0].cycle < end;) {
      hd_run_step(&t.run[0]);
      hd_run_step(&t.run[1]);
      if (!equal_but(fault, false))
        return true;
      there = (*fault[0].rtl.byte ^ *fault[1].rtl.byte) & fault[0].rtl.mask;
      /* a memory may have been read, or hold more than the flip: then its time goes on */
      equal = (!there || t.run[0].cycle >= wait) && equal_but(fault, true);
      if (there && equal)
        flip(&fault[0]);
    }
  }
  return false;
}

/* In a process of its own. Exit code: 0 good, 1 not. */
static int one_hint(const struct hint *h) {
  char text[300];
  const uint64_t begun = t.run[0].cycle;
  if (!read_one(h, text)) {
    printf("FAILED: %s, seed %" PRIu64 ": none of %u flips of %s was read in cycles %" PRIu64 " to %" PRIu64 "\n", t.config, t.seed,
           t.flips, h->name, begun, t.run[0].cycle);
    return 1;
  }
  if (to_the_end(AFTER))
    return 0;
  printf("FAILED: %s, seed %" PRIu64 ", %s, flip %u\n", t.config, t.seed, text, t.flips);
  return 1;
}

/* --- a storm ---------------------------------------------------------------------------------------------- */

static int storm(void) {
  struct hd_fault fault[2];
  char text[300] = "none";
  t.job[0].cycles = UINT64_MAX;
  for (uint64_t n = 0; n < t.storm && t.run[0].stop == HD_RUNS; n++) {
    for (uint64_t wait = 1 + wl_rng_below(&t.rng, 2 * APART - 1); wait && t.run[0].stop == HD_RUNS; wait--)
      hd_run_step(&t.run[0]);
    aim(&t.hint[wl_rng_below(&t.rng, t.hints)], fault, text);
    flip(&fault[0]);
  }
  if (t.run[0].stop == HD_RUNS && to_the_end(AFTER))
    return 0;
  printf("FAILED: %s, seed %" PRIu64 ", a storm of flips, the last %s\n", t.config, t.seed, text);
  return t.run[0].stop == HD_RUNS || good(&t.run[0]);
}

/* --- a machine -------------------------------------------------------------------------------------------- */

/* In a process of its own, so that the runs here stay as they are. h NULL: a storm. */
static void apart(const struct hint *h) {
  fflush(stdout);
  const pid_t child = hd_fork();
  if (child == 0) {
    const int status = h ? one_hint(h) : storm();
    fflush(stdout);
    _exit(status);
  }
  int status;
  const bool ended = child > 0 && waitpid(child, &status, 0) == child;
  if (ended && WIFEXITED(status) && !WEXITSTATUS(status)) {
    t.passed++;
    return;
  }
  t.failed++;
  if (!ended || !WIFEXITED(status))
    printf("FAILED: %s, seed %" PRIu64 ", %s: no answer\n", t.config, t.seed, h ? h->name : "a storm of flips");
}

/* The row, if it is one of the instance ("u_x.") and is not left out. */
static void add_hint(const char *instance, const char *path, const struct hd_row *row, unsigned rows,
                     unsigned elements) {
  struct hint *h = &t.hint[t.hints];
  if (strcmp(path, instance) != 0)
    return;
  snprintf(h->name, sizeof h->name, "%s%s", path, row->name);
  h->rows = rows;
  h->elements = elements;
  h->width = row->width;
  char *word = hd_format(" %s ", h->name), *at = strstr(t.kept, word);
  if (at)
    memset(at + 1, '.', strlen(h->name)); /* was there */
  else if (++t.hints == MOST_ROWS)
    abort();
  free(word);
}

/* The hints of "u_x u_y". False: an instance has none, or a row left out is not there. */
static bool find_hints(char *instances) {
  const struct hd_table *table = &t.run[0].table;
  t.hints = 0;
  for (char *name; (name = strsep(&instances, " "));) {
    char *instance = hd_format("%s.", name);
    const size_t before = t.hints;
    for (const struct hd_cell *c = table->state.cell; c < table->state.cell + table->state.n; c++)
      add_hint(instance, c->path, c->row, 0, c->row->count);
    for (const struct hd_ram *m = table->ram; m < table->ram + table->n_rams; m++)
      for (const struct hd_row *field = m->field; field < m->field + m->n_fields; field++)
        add_hint(instance, m->path, field, m->mem->depth, field->count * m->mem->banks);
    free(instance);
    if (t.hints == before) {
      printf("%s: found %s, allowed an instance with registers or memories\n", t.config, name);
      return false;
    }
  }
  const char *left = t.kept + strspn(t.kept, " .");
  if (*left)
    printf("%s: found %s, allowed a register or memory of these instances, once\n", t.config, left);
  return !*left;
}

static enum hd_rc machine(char *instances, const char *work) {
  struct hd_config c;
  struct hd_why why;
  struct hd_dut_lib lib = {0};
  if (hd_config_load(&c, t.config, stdout) != 0)
    return HD_INPUT;
  struct hd_design *design = hd_design_new(&c);
  const struct hd_cosim_job job = {.design = design, .module = "sm_mem", .seed = t.seed, .cycles = UINT64_MAX, .segment = UINT64_MAX, .work = work};
  enum hd_rc rc = hd_dut_build(design, job.module, work, (struct hd_dut_want){0}, &lib, &why);
  for (unsigned i = 0; rc == HD_OK && i < 2; i++) {
    struct hd_dut_lib one = lib;
    t.job[i] = job;
    rc = hd_run_attach(&t.run[i], &t.job[i], &one, &why);
    if (rc == HD_OK)
      hd_run_begin(&t.run[i], NULL);
  }
  if (rc != HD_OK)
    printf("%s: %s\n", t.config, why.text);
  if (rc == HD_OK && !find_hints(instances))
    rc = HD_INPUT;
  t.rng = (struct wl_rng){wl_rng_mix(t.seed, 0x666c6970)};
  for (size_t m = 0; rc == HD_OK && m < sizeof moments / sizeof *moments; m++) {
    while (t.run[0].cycle < moments[m] && t.run[0].stop == HD_RUNS && t.run[1].stop == HD_RUNS) {
      hd_run_step(&t.run[0]);
      hd_run_step(&t.run[1]);
    }
    if (t.run[0].stop != HD_RUNS || t.run[1].stop != HD_RUNS) {
      printf("FAILED: %s, seed %" PRIu64 ", without a flip\n", t.config, t.seed);
      good(&t.run[0]);
      t.failed++;
      break;
    }
    for (size_t h = 0; h < t.hints; h++, wl_rng_next(&t.rng))
      apart(&t.hint[h]);
  }
  if (rc == HD_OK && t.storm)
    apart(NULL);
  if (rc == HD_OK)
    printf("%s: %zu registers and memories, seed %" PRIu64 "\n", t.config, t.hints, t.seed);
  for (unsigned i = 0; i < 2; i++) {
    t.run[i].lib.handle = t.run[i].lib.dir = NULL; /* one for both */
    hd_run_close(&t.run[i]);
  }
  hd_dut_unload(&lib);
  hd_design_free(design);
  return rc;
}

/* A line of the file without the newline, to be freed; NULL: there is none. */
static char *next_line(FILE *f) {
  char *line = NULL;
  size_t size = 0;
  const ssize_t n = getline(&line, &size, f);
  if (n > 0) {
    line[strcspn(line, "\n")] = 0;
    return line;
  }
  free(line);
  return NULL;
}

int main(int argc, char **argv) {
  FILE *f = argc == 6 ? fopen(argv[1], "r") : NULL;
  if (!f) {
    fprintf(stderr, "usage: faults HINTS WORK SEED LIMIT STORM\n");
    return 2;
  }
  t.seed = strtoull(argv[3], NULL, 10);
  t.limit = strtoull(argv[4], NULL, 10);
  t.storm = strtoull(argv[5], NULL, 10);
  enum hd_rc rc = HD_OK;
  char *line = next_line(f);
  while (rc == HD_OK && line) {
    char *own = line, *instances = strchr(own, ' ');
    if (*own == '#' || !instances) {
      line = next_line(f);
      free(own);
      continue;
    }
    *instances++ = 0;
    t.config = own;
    t.kept = hd_format(" ");
    while ((line = next_line(f)) && !strncmp(line, "- ", 2)) {
      char *more = hd_format("%s%.*s ", t.kept, (int)strcspn(line + 2, ":"), line + 2);
      free(t.kept);
      free(line);
      t.kept = more;
    }
    rc = machine(instances, argv[2]);
    free(t.kept);
    free(own);
  }
  free(line);
  fclose(f);
  printf("%u passed, %u failed\n", t.passed, t.failed);
  return rc != HD_OK ? (int)rc : t.failed || !t.passed;
}
