/* Flips bits of the L1D's tags and data in the RTL alone, under random traffic. With check bits (docs/mechanisms/ecc.md) the
 * scoreboard must find every answer right that is not poisoned, and poison only where it may be.
 *
 * usage: protected CONFIG WORK SEED FLIPS BITS      BITS, 1 or 2, of one word or tag with its check bits flip at a time
 * Before the next flip, the last one is flipped back unless its word was overwritten or its line has gone, so that no load reads
 * it. So a code that can tell two flips apart never gets three. Each flip hits a random word or tag, the memories in turn. The
 * RTL's port ecc_found counts the flips found, and its poison port the poisoned answers. Exit code: 0 good; 1 not, or no flip was
 * found, or a single flip of a word is not corrected although it can be; 2 CONFIG is wrong, 3 a tool is missing.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/model/bits.h"
#include "verif/harness/run.h"

enum { FIRST = 700, APART = 40, AFTER = 2500 }; /* cycles; APART on average, of data four times that */

static struct {
  struct hd_run run;
  struct wl_rng rng;
  const struct hd_cell *found, *hit_set, *hit_at;
  uint64_t tags, lost, mended, poisoned;
} t;

/* A memory, and the memory of its check bits. */
static struct code {
  const char *name, *check;
  struct hd_ram *ram[2];
} codes[] = {{.name = "tags", .check = "tags_check"}, {.name = "data", .check = "data_check"}};

static struct hd_ram *ram_of(const char *name) {
  for (struct hd_ram *m = t.run.table.ram; m < t.run.table.ram + t.run.table.n_rams; m++)
    if (!strcmp(m->path, "u_l1d.") && !strcmp(m->mem->name, name))
      return m;
  return NULL;
}

/* Returns NULL if there is none. */
static const struct hd_cell *cell(const struct hd_cells *cells, const char *path, const char *name) {
  for (const struct hd_cell *c = cells->cell; c < cells->cell + cells->n; c++)
    if (!strcmp(c->path, path) && !strcmp(c->row->name, name))
      return c;
  return NULL;
}

static unsigned width_of(const struct hd_ram *m) {
  return m->field->width;
}

/* A word or tag, and its check bits, as the RTL holds them. */
struct coded {
  uint64_t word, check;
};

static struct coded now(const struct code *code, unsigned row, unsigned element) {
  return (struct coded){hd_ram_rtl(code->ram[0], code->ram[0]->field, row, element),
                        hd_ram_rtl(code->ram[1], code->ram[1]->field, row, element)};
}

/* A flip of bit `bit` of word or tag `element` of a row and its check bits. */
static struct hd_fault flip(const struct code *code, unsigned row, unsigned element, unsigned bit) {
  const bool check = bit >= width_of(code->ram[0]);
  struct hd_fault fault;
  char text[200];
  struct hd_why why;
  snprintf(text, sizeof text, "u_l1d.%s[%u][%u].%u@%" PRIu64, check ? code->check : code->name, row, element,
           check ? bit - width_of(code->ram[0]) : bit, t.run.cycle);
  if (hd_fault_find(&t.run.table, text, &fault, &why) != HD_OK) {
    printf("%s\n", why.text);
    abort();
  }
  hd_fault_strike(&fault);
  return fault;
}

static void step(void) {
  hd_run_step(&t.run);
  const uint64_t found = hd_cell_rtl(t.found, 0);
  t.tags += found & 1;
  t.lost += found >> 1 & 1;
  t.mended += found >> 2;
  const struct sm_mem_in *in = t.run.in;
  const struct sm_mem_out *out = t.run.out;
  t.poisoned += out->resp_valid & in->resp_ready & out->resp_poison;
}

/* Returns the row of the line that was hit last. */
static unsigned last_hit(const struct hd_config *c) {
  const uint64_t at = hd_cell_rtl(t.hit_at, 0);
  return (unsigned)(hd_cell_rtl(t.hit_set, 0) * c->d.WAYS + (at ? hd_lowest(at) : 0)) %
         (c->d.SETS * c->d.WAYS);
}

static bool storm(const struct hd_config *c, uint64_t flips, unsigned bits) {
  while (t.run.cycle < FIRST && t.run.stop == HD_RUNS)
    step();
  for (uint64_t n = 0; n < flips && t.run.stop == HD_RUNS; n++) {
    const struct code *code = &codes[n % 2];
    const struct hd_ram *m = code->ram[0];
    const bool hit = n % 2 && wl_rng_below(&t.rng, 4); /* a line that was hit is likely to be hit again */
    const unsigned row = hit ? last_hit(c) : (unsigned)wl_rng_below(&t.rng, m->mem->depth),
                   element = (unsigned)wl_rng_below(&t.rng, m->elements),
                   of = width_of(m) + width_of(code->ram[1]), first = (unsigned)wl_rng_below(&t.rng, of),
                   second = (first + 1 + (unsigned)wl_rng_below(&t.rng, of - 1)) % of;
    struct hd_fault f[2] = {flip(code, row, element, first)};
    if (bits == 2)
      f[1] = flip(code, row, element, second);
    const struct coded with = now(code, row, element);
    for (uint64_t wait = 1 + wl_rng_below(&t.rng, 2 * APART * (n % 2 ? 4 : 1) - 1);
         wait && t.run.stop == HD_RUNS; wait--)
      step();
    const struct coded left = now(code, row, element);
    for (unsigned i = 0; i < bits && left.word == with.word && left.check == with.check; i++)
      hd_fault_strike(&f[i]);
  }
  return t.run.stop == HD_RUNS;
}

int main(int argc, char **argv) {
  struct hd_config c;
  struct hd_why why = {0};
  if (argc != 6) {
    fprintf(stderr, "usage: protected CONFIG WORK SEED FLIPS BITS\n");
    return 2;
  }
  if (hd_config_load(&c, argv[1], stdout) != 0)
    return 2;
  const uint64_t seed = strtoull(argv[3], NULL, 10), flips = strtoull(argv[4], NULL, 10);
  const unsigned bits = (unsigned)strtoul(argv[5], NULL, 10);
  struct hd_design *design = hd_design_new(&c);
  struct hd_dut_lib lib;
  struct hd_cosim_job job = {.design = design,
                             .module = "sm_mem",
                             .seed = seed,
                             .cycles = UINT64_MAX,
                             .segment = UINT64_MAX,
                             .work = argv[2],
                             .no_compare = true,
                             .storm = true};
  t.rng = (struct wl_rng){wl_rng_mix(seed, 0x70726f74)};
  enum hd_rc rc = hd_dut_build(design, "sm_mem", argv[2], (struct hd_dut_want){.quick = true}, &lib, &why);
  if (rc == HD_OK)
    rc = hd_run_attach(&t.run, &job, &lib, NULL, &why);
  if (rc != HD_OK) {
    printf("%s: %s\n", argv[1], why.text);
    return (int)rc;
  }
  hd_run_begin(&t.run, NULL);
  t.found = cell(&t.run.table.out, "", "ecc_found");
  t.hit_set = cell(&t.run.table.state, "u_l1d.", "h_set");
  t.hit_at = cell(&t.run.table.state, "u_l1d.", "h_at");
  for (struct code *code = codes; code < codes + 2; code++) {
    code->ram[0] = ram_of(code->name);
    code->ram[1] = ram_of(code->check);
  }
  if (!t.found) {
    printf("%s: found l1d.protect: none; allowed parity or secded\n", argv[1]);
    return 2;
  }
  bool good = storm(&c, flips, bits);
  if (good) {
    job.cycles = t.run.cycle + AFTER;
    while (t.run.stop == HD_RUNS)
      step();
    good = t.run.stop == HD_ENDED;
  }
  if (!good)
    printf("FAILED: stopped in cycle %" PRIu64 ": %s\n", t.run.cycle, t.run.text);
  const bool mends = c.d.SECDED && bits == 1;
  if (mends ? t.lost || !t.mended : !t.lost || t.mended) {
    printf("FAILED: of words with flipped bits %s\n",
           mends ? "some were lost, or none was mended" : "none was lost, or some were mended");
    good = false;
  }
  if (!t.tags || (t.lost && !t.poisoned)) {
    printf("FAILED: no tag was found, or no answer poisoned\n");
    good = false;
  }
  printf("%s: %" PRIu64 " flips of %u bits in %" PRIu64 " cycles, seed %" PRIu64 ": found %" PRIu64
         " tags, %" PRIu64 " lines with a lost word, %" PRIu64 " mended; %" PRIu64
         " answers were poisoned, of %" PRIu64 " facts none was wrong\n",
         argv[1], flips, bits, t.run.cycle, seed, t.tags, t.lost, t.mended, t.poisoned, t.run.env->checked);
  hd_run_close(&t.run);
  hd_dut_unload(&lib);
  hd_design_free(design);
  return good ? 0 : 1;
}
