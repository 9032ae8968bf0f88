/* A size that a FREE row names is free: the text is the same for every value, except the parameters' defaults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "rtl_gen/rtl.h"
#include "rtl_gen/verilog/sizes.h"

enum { MODULES = 32, VALUES = 4 };

/* Keys that change a size, and values of the size, powers of two and others. */
static const struct way {
  const char *size, *section, *key;
  unsigned value[VALUES];
} ways[] = {
    {"WARPS", "sm", "warps", {8, 24, 33, 64}},
    {"WID_W", "sm", "warps", {8, 24, 33, 64}},
    {"CTAS", "sm", "ctas", {2, 3, 8, 13}},
    {"LANES", "sm", "lanes", {4, 12, 16, 31}},
    {"LANE_W", "sm", "lanes", {4, 12, 16, 31}},
    {"SCHEDS", "sm", "schedulers", {1, 2, 4}},
    {"LIMIT", "scheduler", "limit", {1, 3, 5, 8}},
    {"SLOT_W", "sm", "loads", {2, 3, 8, 16}},
    {"ADDR_W", "sm", "addr_bits", {24, 31, 33, 48}},
    {"LINE_W", "sm", "addr_bits", {24, 31, 33, 48}},
    {"LINE_BYTES", "l1d", "line_bytes", {32, 64, 128, 256}},
    {"WORDS", "l1d", "line_bytes", {32, 64, 128, 256}},
    {"LOW_W", "l1d", "line_bytes", {32, 64, 128, 256}},
    {"PC_W", "sm", "pc_bits", {12, 16, 31, 32}},
    {"REQ_PC_W", "sm", "pc_bits", {12, 16, 31, 32}},
    {"SETS", "l1d", "sets", {8, 32, 64, 128}},
    {"SET_W", "l1d", "sets", {8, 32, 64, 128}},
    {"WAYS", "l1d", "ways", {2, 3, 7, 16}},
    {"MSHRS", "l1d", "mshrs", {2, 5, 32, 33}},
    {"MSHR_W", "l1d", "mshrs", {2, 5, 32, 33}},
    {"MERGE", "l1d", "mshr_merge", {1, 3, 8, 11}},
    {"MQ", "l1d", "miss_queue", {2, 5, 8, 12}},
    {"BYPS", "l1d", "bypass_slots", {1, 5, 32, 100}},
    {"RR_W", "l1d", "count_bits", {1, 2, 3, 5}},
    {"RR_BITS", "l1d", "count_bits", {1, 2, 3, 5}},
    {"PC_BITS", "sm", "pc_bits", {12, 16, 31, 32}},
    {"HASH_BITS", "casc", "pc_bits", {3, 5, 6, 8}},
    {"DEPTH", "request_buffer", "depth", {4, 8, 11, 33}},
    {"DELAY", "request_buffer", "latency", {5, 6, 8, 15}},
    {"SIG_W", "sm", "ctas", {2, 3, 8, 13}},
    {"HPC_W", "casc", "pc_bits", {3, 5, 7, 8}},
    {"HPC_W", "rft", "entries", {4, 16, 32, 64}},
    {"SAMPLE_W", "casc", "sample_bits", {2, 3, 8, 11}},
    {"RFT", "rft", "entries", {4, 16, 32, 64}},
    {"THRESHOLD", "rft", "threshold", {16, 17, 32, 50}},
    {"FORGET", "rft", "forget", {1, 2, 3, 5}},
    {"SHARERS", "rft", "sharers", {2, 3, 5, 16}},
    {"UQ", "rft", "queue", {2, 3, 8, 11}},
    {"RESAMPLE", "rft", "resample", {2, 3, 16, 100}},
    {"WGT", "laws", "groups", {2, 3, 4, 7}},
    {"GID_W", "laws", "groups", {1, 3, 4, 7}},
    {"LAT", "apcm", "loads", {4, 7, 16, 29}},
    {"LID_W", "apcm", "loads", {4, 7, 16, 29}},
    {"MTA", "apcm", "entries", {8, 24, 64, 128}},
    {"ENOUGH", "apcm", "threshold", {2, 3, 8, 15}},
    {"PT", "prefetch", "table", {2, 3, 16, 31}},
    {"DRQ", "prefetch", "queue", {2, 5, 16, 33}},
    {"DEGREE", "prefetch", "degree", {1, 3, 4, 60}},
    {"LPT", "loscache", "table", {2, 5, 16, 33}},
    {"PE_W", "loscache", "table", {2, 5, 16, 33}},
    {"CNT_W", "loscache", "count_bits", {2, 3, 5, 8}},
    {"PHASE", "loscache", "phase", {1, 5, 64, 1000}},
    {"EXTRA", "loscache", "extra", {1, 2, 4, 5}},
    {"SM_W", "gpu", "sms", {2, 3, 8, 20}},
    {"L2_SETS", "l2", "sets", {2, 32, 128, 512}},
    {"L2_WAYS", "l2", "ways", {2, 3, 7, 32}},
    {"L2_MSHRS", "l2", "mshrs", {2, 5, 16, 33}},
    {"L2_MERGE", "l2", "mshr_merge", {1, 3, 8, 11}},
    {"L2_IQ", "l2", "queue", {2, 5, 16, 33}},
    {"L2_RQ", "l2", "replies", {2, 5, 16, 33}},
    {"L2_FQ", "l2", "fills", {2, 5, 16, 33}},
};

static const struct hd_key *key_of(const struct way *w) {
  size_t n;
  const struct hd_key *keys = hd_keys(&n);
  for (size_t i = 0; i < n; i++)
    if (!strcmp(keys[i].section, w->section) && !strcmp(keys[i].key, w->key))
      return &keys[i];
  fail_msg("no key %s.%s", w->section, w->key);
  return NULL;
}

static size_t size_named(const char *name) {
  size_t i = 0;
  while (i < hd_n_sizes && strcmp(hd_sizes[i].name, name) != 0)
    i++;
  if (i == hd_n_sizes)
    fail_msg("no size %s", name);
  return i;
}

/* Returns the text without the values behind parameter names. */
static char *masked(char *text) {
  char *out = strdup(text), *to = out;
  for (const char *line = text; *line;) {
    const size_t n = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
    const bool is = !strncmp(line, "  parameter ", 12);
    const size_t kept = is ? 12 + strcspn(line + 12, " ") : n;
    memcpy(to, line, kept);
    to += kept;
    if (is)
      *to++ = '\n';
    line += n;
  }
  *to = '\0';
  free(text);
  return out;
}

struct machine {
  struct hd_config c;
  struct hd_design *design;
  char *text[MODULES]; /* of design->decls, masked; NULL: not made yet */
};

static void make(struct machine *m) {
  m->design = hd_design_new(&m->c);
  assert_non_null(m->design);
  assert_true(m->design->n <= MODULES);
  memset(m->text, 0, sizeof m->text);
}

static const char *text_of(struct machine *m, size_t i) {
  struct hd_why why;
  if (!m->text[i]) {
    char *text = hd_rtl_module_text(m->design, m->design->decls[i]->module, &why);
    if (!text)
      fail_msg("%s: %s", m->c.name, why.text);
    m->text[i] = masked(text);
  }
  return m->text[i];
}

static void drop(struct machine *m) {
  for (size_t i = 0; i < m->design->n; i++)
    free(m->text[i]);
  hd_design_free(m->design);
}

static size_t index_of(const struct machine *m, const char *module) {
  size_t i = 0;
  while (i < m->design->n && strcmp(m->design->decls[i]->module, module) != 0)
    i++;
  return i;
}

/* Returns true if the module has the size as a parameter. */
static bool has(struct machine *m, size_t module, const char *size) {
  char *row = hd_format("\n  parameter %s\n", size);
  const bool found = strstr(text_of(m, module), row);
  free(row);
  return found;
}

static unsigned errors;

/* The FREE rows of all machines, and the values for which texts were compared: bit v stands for value v of the row's way. */
static struct row {
  const char *module, *size;
  unsigned proven;
} rows[600];
static size_t n_rows;

static struct row *row_of(const char *module, const char *size) {
  size_t i = 0;
  while (i < n_rows && (strcmp(rows[i].module, module) != 0 || strcmp(rows[i].size, size) != 0))
    i++;
  assert_true(i < sizeof rows / sizeof *rows);
  if (i == n_rows)
    rows[n_rows++] = (struct row){module, size, 0};
  return &rows[i];
}

static const struct hd_free *free_of(const struct hd_decl *d, const char *size) {
  for (size_t i = 0; i < d->n_frees; i++)
    if (!strcmp(d->frees[i].name, size))
      return &d->frees[i];
  return NULL;
}

static void differ(const char *a, const char *b, const char *top, const struct way *w, unsigned value,
                   const char *module, const char *machine) {
  size_t line = 1, i = 0, from = 0;
  for (; a[i] == b[i]; i++)
    if (a[i] == '\n') {
      line++;
      from = i + 1;
    }
  errors++;
  print_error("%s: FREE(%s) of %s with %s.%s %u: %s.v:%zu:\n  %.*s\n  %.*s\n", machine, w->size, top,
              w->section, w->key, value, module, line, (int)strcspn(a + from, "\n"), a + from,
              (int)strcspn(b + from, "\n"), b + from);
}

/* Checks that the texts of a module and of all modules inside it are the same in both machines. The inner modules must allow all
 * values that the module allows. */
static void same(struct machine *a, struct machine *b, const struct hd_decl *d, const struct hd_decl *top,
                 const struct way *w, unsigned value) {
  const size_t i = index_of(a, d->module), k = index_of(b, d->module);
  const struct hd_free *inner = free_of(d, w->size);
  const char *was = text_of(a, i), *is = k == b->design->n ? "" : text_of(b, k);
  if (strcmp(was, is) != 0)
    differ(was, is, top->module, w, value, d->module, a->c.name);
  if (inner && inner->least > free_of(top, w->size)->least) {
    print_error("FREE(%s) of %s: from %u, and from %u of %s that is inside\n", w->size, top->module,
                free_of(top, w->size)->least, inner->least, d->module);
    errors++;
  }
  for (size_t n = 0; n < d->n_insts; n++)
    same(a, b, d->insts[n].decl, top, w, value);
}

static unsigned turn; /* of the machine: where its values begin */

/* Returns true if a row of the module is to be compared at value v of its way. Each machine compares one value, `first`. In all
 * machines together, each row is compared at one value at least; with EVERY=1, as in tests/every/long, at all values. */
static bool wanted(struct machine *a, size_t module, const struct way *w, size_t v, bool first) {
  if (!has(a, module, w->size))
    return false;
  const unsigned proven = row_of(a->design->decls[module]->module, w->size)->proven;
  return first || !(getenv("EVERY") ? proven >> v & 1 : proven);
}

static void prove(struct machine *a, const struct way *w) {
  const size_t size = size_named(w->size);
  bool first = true;
  for (unsigned n = 0; n < VALUES; n++) {
    const size_t v = (n + turn) % VALUES;
    static struct machine b;
    const struct hd_key *key = key_of(w);
    bool some = false;
    b.c = a->c;
    *(unsigned *)((char *)&b.c + key->offset) = w->value[v];
    for (size_t i = 0; i < a->design->n && w->value[v]; i++)
      some |= wanted(a, i, w, v, first);
    FILE *null = fopen("/dev/null", "w");
    const bool good = some && hd_config_check(&b.c, NULL, NULL, null) == 0;
    fclose(null);
    if (!good || hd_size_of(&b.c, size) == hd_size_of(&a->c, size))
      continue;
    make(&b);
    bool compared = false;
    for (size_t i = 0; i < a->design->n; i++)
      if (wanted(a, i, w, v, first) &&
          hd_size_of(&b.c, size) >= free_of(a->design->decls[i], w->size)->least) {
        const struct hd_decl *d = a->design->decls[i];
        same(a, &b, d, d, w, w->value[v]);
        row_of(d->module, w->size)->proven |= 1U << v;
        compared = true;
      }
    first &= !compared;
    drop(&b);
  }
}

/* Together these machines have every module and every free size. */
static const struct {
  const char *path, *set, *more;
} machines[] = {
    {"configs/axi4.yaml", NULL, NULL},
    {"configs/apres.yaml", NULL, NULL},
    {"configs/apcm_kepler.yaml", NULL, NULL},
    {"configs/axi4_l2.yaml", "gpu.sms=4", "gpu.dispatch_latency=2"},
    {"configs/lockstep/apb/apb_mix.yaml", "scheduler.limit=1", NULL},
    {"configs/lockstep/choo/choo_all.yaml", NULL, NULL},
    {"configs/lockstep/apcm/apcm_mrpb_all.yaml", NULL, NULL},
    {"configs/lockstep/apcm/apcm_odd_ways.yaml", NULL, NULL},
    {"configs/lockstep/apres/apres_list.yaml", NULL, NULL},
    {"configs/lockstep/apres/apres_mrpb.yaml", NULL, NULL},
    {"configs/lockstep/mrpb/block_longest.yaml", NULL, NULL},
    {"configs/lockstep/casc/casc_locality_laws.yaml", NULL, NULL},
    {"configs/lockstep/casc/casc_per_set_sap.yaml", NULL, NULL},
    {"configs/lockstep/choo/choo_laws.yaml", NULL, NULL},
    {"configs/lockstep/l2/l2_odd_ways.yaml", NULL, NULL},
    {"configs/lockstep/loscache/los_four_sms.yaml", NULL, NULL},
    {"configs/lockstep/loscache/los_sm_apres.yaml", NULL, NULL},
    {"configs/lockstep/loscache/los_sm_casc_locality.yaml", NULL, NULL},
    {"configs/lockstep/loscache/los_sm_lasc.yaml", NULL, NULL},
    {"configs/lockstep/loscache/los_sm_memsched.yaml", NULL, NULL},
    {"configs/lockstep/loscache/los_sm_mrpb.yaml", NULL, NULL},
    {"configs/lockstep/loscache/los_sm_slot.yaml", NULL, NULL},
    {"configs/lockstep/loscache/los_wake.yaml", NULL, NULL},
    {"configs/lockstep/apres/str_laws.yaml", NULL, NULL},
    {"configs/lockstep/sm/swl_gto.yaml", "sm.schedulers=1", NULL},
    {"configs/lockstep/mix/mix_limit_laws.yaml", "laws.queue=list", NULL},
    {"configs/lasc.yaml", "request_buffer.kind=mrpb", NULL},
    {"configs/lockstep/lasc/lasc_shared.yaml", "gpu.sms=30", NULL},
    {"configs/casc.yaml", "request_buffer.kind=mrpb", "request_buffer.signature=block"},
    {"configs/lockstep/apcm/apcm_casc_locality.yaml", NULL, NULL},
    {"configs/lockstep/apcm/apcm_memsched.yaml", NULL, NULL},
    {"configs/lockstep/mix/mix_fill_lasc.yaml", NULL, NULL},
};

static void look_at(const char *path, const char *set, const char *more) {
  static struct machine a;
  struct hd_why why;
  if (hd_config_load_set(&a.c, path, NULL, (const char *[]){set, more}, more ? 2 : set ? 1 : 0, stderr))
    fail_msg("%s does not load", path);
  a.design = hd_design_new(&a.c);
  assert_non_null(a.design);
  const bool there = hd_rtl_there(a.design, "sm_mem", &why) == HD_OK;
  hd_design_free(a.design);
  if (!there)
    return;
  make(&a);
  for (size_t i = 0; i < a.design->n; i++) {
    const struct hd_decl *d = a.design->decls[i];
    for (size_t k = 0; k < d->n_frees; k++)
      if (strcmp(d->module, "sm_mem_axi") != 0 || has(&a, i, d->frees[k].name)) /* else it is sm_mem's row */
        row_of(d->module, d->frees[k].name);
  }
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
    prove(&a, &ways[w]);
  turn++;
  drop(&a);
}

static void free_sizes_are_free(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
    look_at(machines[i].path, machines[i].set, machines[i].more);
  for (size_t i = 0; i < n_rows; i++)
    if (!rows[i].proven && ++errors)
      print_error("FREE(%s) of %s: no machine above has it, or `ways` has no key for it\n", rows[i].size,
                  rows[i].module);
  assert_int_equal(errors, 0);
}

/* Returns the text of a size in the Verilog of a module. Returns NULL if it is a parameter or absent. */
static char *constant(const struct hd_config *c, const char *module, const char *size) {
  struct hd_design *design = hd_design_new(c);
  struct hd_why why;
  char *text = hd_rtl_module_text(design, module, &why), *row = hd_format("\n  localparam %s ", size);
  assert_non_null(text);
  const char *at = strstr(text, row);
  char *found = NULL;
  if (at) {
    at = strstr(at, "= ") + 2;
    found = hd_format("%.*s", (int)strcspn(at, ";"), at);
  }
  free(row);
  free(text);
  hd_design_free(design);
  return found;
}

static void is(const struct hd_config *c, const char *module, const char *size, const char *text) {
  char *found = constant(c, module, size);
  if (!found || strcmp(found, text) != 0)
    fail_msg("%s of %s: found %s, and not %s", size, module, found ? found : "no localparam", text);
  free(found);
}

/* An expression loses the parts that the configuration decides. hd_clog2 is 1 where $clog2 is 0. */
static void expressions_become_verilog(void **state) {
  (void)state;
  struct hd_config c;
  if (hd_config_load(&c, "configs/mrpb.yaml", stderr))
    fail_msg("configs/mrpb.yaml");
  is(&c, "mrpb", "DEPTH_W", "$clog2(DEPTH)");
  is(&c, "mrpb", "COUNT_W", "$clog2(DEPTH + 1)");
  is(&c, "mrpb", "QUEUES", "WARPS"); /* !QUEUED ? 1 : ... signature == HD_SIG_WARP ? WARPS ... */
  is(&c, "l1d", "SD_W", "$clog2(SD)");
  is(&c, "l1d", "TAG_W", "LINE_W - SET_W"); /* the index is linear */
  is(&c, "l1d", "LRU_C", "6");              /* ways are bound */
  is(&c, "sched", "MEMBER_W", "MEMBERS > 1 ? $clog2(MEMBERS) : 1");
  is(&c, "sm_mem", "WORDS", "LINE_BYTES / 8");
  if (hd_config_load(&c, "configs/apres.yaml", stderr))
    fail_msg("configs/apres.yaml");
  is(&c, "sap", "PT_N", "PT_W <= 64 ? 1 : PT % 2 != 0 ? PT : PT - 1");
  is(&c, "sm_mem", "LOW_W", "OFFSET_W"); /* STRIDE * OFFSET_W */
  is(&c, "sm_mem", "WARPS", "48");       /* FREE(WARPS, 8, !MATRIX) */
  assert_null(constant(&c, "sap", "WARPS"));
  c.prefetch.table = 1; /* FREE(PT, 2, 1) */
  assert_int_equal(hd_config_check(&c, NULL, NULL, stderr), 0);
  is(&c, "sap", "PT", "1");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(expressions_become_verilog),
                                     cmocka_unit_test(free_sizes_are_free)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
