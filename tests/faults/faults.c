/* Flips bits of predictor state in both sides of a lockstep run on random traffic (D-MIX-3). For the rest of the run the scoreboard
 * must find every answer right and the two sides equal. Of every row at least one flip must be read.
 *
 * usage: faults HINTS WORK SEED SEEDS TURNS STORM      HINTS: tests/faults/hints
 * For each machine two runs go side by side. At a moment, for each hint (a register or memory), a process flips one of its bits in
 * one run and looks when anything else differs from the other run. Then the bit was read, and the rest of the run is judged. A bit
 * that is overwritten unread, or not read for a while, is flipped back, and the next bit has its turn. All hints have their turn at
 * TURNS moments. Hints without a read flip have more turns later, in a run of each of SEEDS. A hint never read has failed. Then
 * follow STORM flips of all hints, one every few cycles, in the RTL alone. Hints that HINTS marks as flipped in the RTL alone have
 * no other turn, and their reads are not known. Exit code: 0 good, 1 not, 2 HINTS is wrong, 3 a tool is missing.
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
  FIRST = 700, /* cycle of the first moment */
  NEXT = 4000, /* cycles between two moments */
  MOMENTS = 15,
  LONGEST = 1500, /* cycles in which flips of a row are tried at a moment */
  AFTER = 2500,   /* cycles that are judged after a read */
  APART = 20,     /* cycles between two flips of a storm, on average */
  MOST_ROWS = 1000
};
/* A flip must be read within one of these numbers of cycles, then another bit has its turn. Values that pass through are read soon
 * or never. */
static const uint64_t patience[] = {10, 10, 60, 400};

/* A row of a declaration: a register, or a field of a memory. */
struct hint {
  char name[200];
  unsigned rows; /* of a memory; a register: 0 */
  unsigned elements, width;
  bool alone;     /* flipped in the RTL alone */
  unsigned reads; /* moments in which a flip was read */
};

static struct {
  uint64_t seed, seeds, turns, storm;
  const char *config;
  char *kept;  /* " INSTANCE.NAME INSTANCE.NAME " of rows that are no hints */
  char *apart; /* of rows that are flipped in the RTL alone */
  struct hd_cosim_job job[2];
  struct hd_dut_lib lib;
  struct hd_run run[2]; /* with the flip; without */
  struct hint hint[MOST_ROWS];
  size_t hints;
  struct wl_rng rng;
  unsigned passed, failed;
} t;

/* --- flips ------------------------------------------------------------------------------------------------ */

/* Picks any bit of the row. */
static void aim(const struct hint *h, struct hd_fault fault[2], char text[300]) {
  const unsigned e = (unsigned)wl_rng_below(&t.rng, h->elements),
                 bit = (unsigned)wl_rng_below(&t.rng, h->width);
  if (h->rows)
    snprintf(text, 300, "both:%s[%u][%u].%u@%" PRIu64, h->name, (unsigned)wl_rng_below(&t.rng, h->rows), e,
             bit, t.run[0].cycle);
  else
    snprintf(text, 300, "both:%s[%u].%u@%" PRIu64, h->name, e, bit, t.run[0].cycle);
  for (unsigned i = 0; i < 2; i++) {
    struct hd_why why;
    if (hd_fault_find(&t.run[i].table, text, &fault[i], &why) != HD_OK) {
      printf("%s\n", why.text);
      abort(); /* in the child: neither good nor unread */
    }
  }
}

/* Flips the bit in the first run, on both sides. Combinational readers see it at once. */
static void flip(const struct hd_fault *fault) {
  hd_fault_strike(fault);
  t.run[0].lib.api->settle(t.run[0].dut);
}

/* --- one hint --------------------------------------------------------------------------------------------- */

static bool good(const struct hd_run *run) {
  if (run->stop == HD_ENDED)
    return true;
  printf("stopped in cycle %" PRIu64 ": %s", run->cycle,
         run->stop == HD_DIFFERS ? "the sides differ:" : run->text);
  for (size_t i = 0; run->stop == HD_DIFFERS && i < run->diffs && i < HD_DIFFS; i++)
    printf(" %s (%" PRIx64 ", %" PRIx64 ")", run->diff[i].name, run->diff[i].rtl, run->diff[i].model);
  printf("\n");
  return false;
}

/* Runs the first run to its end, `cycles` cycles away. */
static bool to_the_end(uint64_t cycles) {
  t.job[0].cycles = t.run[0].cycle + cycles;
  while (t.run[0].stop == HD_RUNS)
    hd_run_step(&t.run[0]);
  return good(&t.run[0]);
}

/* Returns true if the two runs are equal except for the flip. */
static bool equal_but(const struct hd_fault fault[2], bool memories) {
  return t.run[0].stop == t.run[1].stop &&
         hd_equal_but(&t.run[0].table, &t.run[1].table, &fault[0].rtl, &fault[1].rtl, memories);
}

/* Flips the bits of the row one after the other until one is read or the time is up. */
static bool read_one(const struct hint *h, char text[300]) {
  const uint64_t end = t.run[0].cycle + LONGEST;
  struct hd_fault fault[2];
  while (t.run[0].cycle < end) {
    const uint64_t wait = t.run[0].cycle + patience[wl_rng_below(&t.rng, sizeof patience / sizeof *patience)];
    aim(h, fault, text);
    flip(&fault[0]);
    for (bool there = true, equal = false; !equal && t.run[0].cycle < end;) {
      hd_run_step(&t.run[0]);
      hd_run_step(&t.run[1]);
      if (!equal_but(fault, false))
        return true;
      there = (*fault[0].rtl.byte ^ *fault[1].rtl.byte) & fault[0].rtl.mask;
      /* a memory may have been read, or hold more than the flip: its time goes on */
      equal = (!there || t.run[0].cycle >= wait) && equal_but(fault, true);
      if (there && equal)
        flip(&fault[0]);
    }
  }
  return false;
}

/* How a process ends. */
enum { GOOD, BAD, UNREAD };

static int one_hint(const struct hint *h) {
  char text[300];
  if (!read_one(h, text))
    return UNREAD;
  if (to_the_end(AFTER))
    return GOOD;
  printf("FAILED: %s, seed %" PRIu64 ", %s\n", t.config, t.seed, text);
  return BAD;
}

/* --- a storm ---------------------------------------------------------------------------------------------- */

/* Flips in the RTL alone, so that the environment is also judged in states in which the two sides need not agree. */
static int storm(void) {
  struct hd_fault fault[2];
  char text[300] = "none";
  struct hd_run *run = &t.run[0];
  while (run->cycle < FIRST && run->stop == HD_RUNS)
    hd_run_step(run);
  for (uint64_t n = 0; n < t.storm && run->stop == HD_RUNS; n++) {
    for (uint64_t wait = 1 + wl_rng_below(&t.rng, 2 * APART - 1); wait && run->stop == HD_RUNS; wait--)
      hd_run_step(run);
    aim(&t.hint[wl_rng_below(&t.rng, t.hints)], fault, text);
    flip(&fault[0]);
  }
  if (run->stop == HD_RUNS && to_the_end(AFTER))
    return GOOD;
  good(run);
  printf("FAILED: %s, seed %" PRIu64 ", a storm of flips, the last %s\n", t.config, t.seed, text);
  return BAD;
}

/* --- a machine -------------------------------------------------------------------------------------------- */

/* Runs in a separate process, so that the runs here stay unchanged. h NULL: a storm. */
static void apart(struct hint *h) {
  fflush(stdout);
  const pid_t child = hd_fork();
  if (child == 0) {
    const int how = h ? one_hint(h) : storm();
    fflush(stdout);
    _exit(how);
  }
  int status;
  const bool ended = child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status);
  const int how = ended ? WEXITSTATUS(status) : BAD;
  if (!ended)
    printf("FAILED: %s, seed %" PRIu64 ", %s: no answer\n", t.config, t.seed,
           h ? h->name : "a storm of flips");
  t.passed += how == GOOD;
  t.failed += how == BAD;
  if (h)
    h->reads += how != UNREAD;
}

/* Advances both runs to a cycle. */
static bool step_to(uint64_t cycle) {
  while (t.run[0].cycle < cycle && t.run[0].stop == HD_RUNS && t.run[1].stop == HD_RUNS) {
    hd_run_step(&t.run[0]);
    hd_run_step(&t.run[1]);
  }
  if (t.run[0].stop == HD_RUNS && t.run[1].stop == HD_RUNS)
    return true;
  good(&t.run[0]);
  printf("FAILED: %s, seed %" PRIu64 ", without a flip\n", t.config, t.seed);
  t.failed++;
  return false;
}

/* All hints at the first t.turns moments of the first seed; then the hints without a read flip. Returns false if none are left, or
 * if something is wrong without a flip. */
static bool moments(bool first) {
  size_t unread = 0;
  for (const struct hint *h = t.hint; h < t.hint + t.hints; h++)
    unread += !h->alone && !h->reads;
  for (uint64_t m = 0; m < MOMENTS && ((first && m < t.turns) || unread); m++) {
    if (!step_to(FIRST + m * NEXT))
      return false;
    for (struct hint *h = t.hint; h < t.hint + t.hints; h++) {
      const bool was_read = h->reads;
      if (!h->alone && ((first && m < t.turns) || !was_read))
        apart(h);
      unread -= !was_read && h->reads;
      wl_rng_next(&t.rng);
    }
  }
  return unread;
}

static void tell_unread(void) {
  for (const struct hint *h = t.hint; h < t.hint + t.hints; h++)
    if (!h->reads && !h->alone) {
      printf("FAILED: %s, %" PRIu64 " seeds from %" PRIu64 " on, %s: none of its flips was read\n", t.config,
             t.seeds, t.seed, h->name);
      t.failed++;
    }
}

/* Returns true if the name is one of the words, which is then overwritten with points. */
static bool take_word(char *words, const char *name) {
  char *word = hd_format(" %s ", name), *at = strstr(words, word);
  if (at)
    memset(at + 1, '.', strlen(name));
  free(word);
  return at;
}

/* Adds the row if it is `name`, or belongs to the instance of that name, and is not left out. */
static void add_hint(const char *name, const char *path, const struct hd_row *row, unsigned rows,
                     unsigned elements) {
  struct hint *h = &t.hint[t.hints];
  const size_t n = strlen(path);
  snprintf(h->name, sizeof h->name, "%s%s", path, row->name);
  if (strcmp(name, h->name) != 0 && (!n || strlen(name) + 1 != n || strncmp(name, path, n - 1) != 0))
    return;
  h->rows = rows;
  h->elements = elements;
  h->width = row->width;
  h->reads = 0;
  h->alone = take_word(t.apart, h->name);
  if (!take_word(t.kept, h->name) && ++t.hints == MOST_ROWS)
    abort();
}

/* Finds the hints of "u_x u_y.NAME". Returns HD_INPUT if the machine has no such word, or if a row that is left out does not exist. */
static enum hd_rc find_hints(char *words) {
  const struct hd_table *table = &t.run[0].table;
  t.hints = 0;
  for (char *name; (name = strsep(&words, " "));) {
    const size_t before = t.hints;
    for (const struct hd_cell *c = table->state.cell; c < table->state.cell + table->state.n; c++)
      add_hint(name, c->path, c->row, 0, c->row->count);
    for (const struct hd_ram *m = table->ram; m < table->ram + table->n_rams; m++)
      for (const struct hd_row *field = m->field; field < m->field + m->n_fields; field++)
        add_hint(name, m->path, field, m->mem->depth, field->count * m->mem->banks);
    if (t.hints == before) {
      printf("%s: found %s, allowed an instance with registers or memories, or one of them\n", t.config,
             name);
      return HD_INPUT;
    }
  }
  const char *left = t.kept + strspn(t.kept, " .");
  if (!*left)
    left = t.apart + strspn(t.apart, " .");
  if (*left)
    printf("%s: found %s, allowed a register or memory of these instances, once\n", t.config, left);
  return *left ? HD_INPUT : HD_OK;
}

/* Opens two runs of the machine from their first reset, or one of the RTL alone. The caller calls close_runs in any case. */
static enum hd_rc open_runs(const struct hd_design *design, const char *work, uint64_t seed, bool alone,
                            struct hd_why *why) {
  enum hd_rc rc = HD_OK;
  for (unsigned i = 0; rc == HD_OK && i < 2; i++) {
    struct hd_dut_lib one = t.lib;
    t.job[i] = (struct hd_cosim_job){.design = design,
                                     .module = "sm_mem",
                                     .seed = seed,
                                     .cycles = UINT64_MAX,
                                     .segment = UINT64_MAX,
                                     .work = work,
                                     .no_compare = alone,
                                     .storm = alone};
    rc = hd_run_attach(&t.run[i], &t.job[i], &one, NULL, why);
    if (rc == HD_OK)
      hd_run_begin(&t.run[i], NULL);
  }
  return rc;
}

static void close_runs(void) {
  for (unsigned i = 0; i < 2; i++) {
    t.run[i].lib.handle = t.run[i].lib.dir = NULL; /* both runs share one */
    hd_run_close(&t.run[i]);
    t.run[i] = (struct hd_run){0};
  }
}

static enum hd_rc machine(char *words, const char *work) {
  struct hd_config c;
  struct hd_why why = {0};
  if (hd_config_load(&c, t.config, stdout) != 0)
    return HD_INPUT;
  struct hd_design *design = hd_design_new(&c);
  t.rng = (struct wl_rng){wl_rng_mix(t.seed, 0x666c6970)};
  enum hd_rc rc = hd_dut_build(design, "sm_mem", work, (struct hd_dut_want){.quick = true}, &t.lib, &why);
  bool more = true;
  for (uint64_t i = 0; rc == HD_OK && more && i < t.seeds; i++) {
    rc = open_runs(design, work, t.seed + i, false, &why);
    if (rc == HD_OK && !i)
      rc = find_hints(words);
    more = rc == HD_OK && moments(!i);
    close_runs();
  }
  if (rc == HD_OK)
    tell_unread();
  if (rc == HD_OK && t.storm) {
    rc = open_runs(design, work, t.seed, true, &why);
    if (rc == HD_OK)
      apart(NULL);
    close_runs();
  }
  if (rc == HD_OK)
    printf("%s: %zu registers and memories, seed %" PRIu64 "\n", t.config, t.hints, t.seed);
  else if (*why.text)
    printf("%s: %s\n", t.config, why.text);
  hd_dut_unload(&t.lib);
  hd_design_free(design);
  return rc;
}

/* Returns a line of the file without the newline; the caller frees it. Returns NULL at the end of the file. */
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
  FILE *f = argc == 7 ? fopen(argv[1], "r") : NULL;
  if (!f) {
    fprintf(stderr, "usage: faults HINTS WORK SEED SEEDS TURNS STORM\n");
    return 2;
  }
  t.seed = strtoull(argv[3], NULL, 10);
  t.seeds = strtoull(argv[4], NULL, 10);
  t.turns = strtoull(argv[5], NULL, 10);
  t.storm = strtoull(argv[6], NULL, 10);
  enum hd_rc rc = HD_OK;
  char *line = next_line(f);
  while (rc == HD_OK && line) {
    char *own = line, *words = strchr(own, ' ');
    if (*own == '#' || !words) {
      line = next_line(f);
      free(own);
      continue;
    }
    *words++ = 0;
    t.config = own;
    t.kept = hd_format(" ");
    t.apart = hd_format(" ");
    while ((line = next_line(f)) && (!strncmp(line, "- ", 2) || !strncmp(line, "! ", 2))) {
      char **words_of = *line == '!' ? &t.kept : &t.apart,
           *more = hd_format("%s%.*s ", *words_of, (int)strcspn(line + 2, ":"), line + 2);
      free(*words_of);
      free(line);
      *words_of = more;
    }
    rc = machine(words, argv[2]);
    free(t.kept);
    free(t.apart);
    free(own);
  }
  free(line);
  fclose(f);
  printf("%u passed, %u failed\n", t.passed, t.failed);
  return rc != HD_OK ? (int)rc : t.failed || !t.passed;
}
