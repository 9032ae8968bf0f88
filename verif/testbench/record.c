/* Records stimulus and expected outputs; see record.h. */
#include "verif/testbench/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cmodel/model/wired.h"
#include "verif/dropin/env_dropin.h"
#include "verif/harness/bits.h"

/* The ports of each cycle as a string of bits, the first port in the lowest bits. */
struct bits {
  size_t n, bytes;
  uint8_t *in_cycle; /* cycle i starts at i * bytes */
};

struct recording {
  const struct hd_decl *decl;
  const struct hd_model_ops *ops;
  unsigned cycles;
  void (*progress)(unsigned done, unsigned of);
  void *model, *in, *out;
  struct bits stimulus, want;
};

static struct bits bits_of(const struct recording *r, bool input) {
  struct bits b = {0};
  for (size_t i = 0; i < r->decl->n_rows; i++)
    if (hd_is_port(r->decl->rows[i].cls) && (r->decl->rows[i].cls == HD_IN) == input)
      b.n += (size_t)r->decl->rows[i].count * r->decl->rows[i].width;
  b.bytes = (b.n + 7) / 8;
  b.in_cycle = hd_zeroed(r->cycles, b.bytes + 1);
  return b;
}

/* Returns the struct that holds the value of a port. */
static void *base_of(const struct recording *r, const struct hd_row *row) {
  return row->cls == HD_IN ? r->in : row->cls == HD_LATE ? (char *)r->model + r->decl->late_offset : r->out;
}

/* Packs the inputs or the outputs into a string, which must have 8 spare bytes. */
static void pack(const struct recording *r, bool input, uint8_t *to) {
  size_t lsb = 0;
  for (const struct hd_row *row = r->decl->rows; row < r->decl->rows + r->decl->n_rows; row++)
    for (unsigned e = 0; hd_is_port(row->cls) && (row->cls == HD_IN) == input && e < row->count; e++) {
      hd_put_bits(to, lsb, row->width, *hd_elem(r->decl, row, base_of(r, row), 0, e));
      lsb += row->width;
    }
}

/* The widest register or memory row that is drawn, in bits. */
enum { MOST = 1 << 20 };

/* Draws the power-up values of state without a reset value, in this order: registers of a module, its memories, its inner modules. The test
 * bench draws the same numbers in the same order (rtl_gen/emit/testbench.c). */
struct draw {
  uint32_t state;
  uint8_t *bits; /* the drawn bits of a register or of a memory row */
};

static void draw(struct draw *d, unsigned bits) {
  if (bits > MOST)
    abort();
  for (unsigned i = 0; i < (bits + 31) / 32; i++) {
    d->state = d->state * HD_BENCH_TIMES + HD_BENCH_PLUS;
    memcpy(d->bits + 4 * i, &d->state, 4);
  }
}

/* Powers up a memory bank by bank, because each bank is a macro. */
static void power_up_memory(const struct hd_decl *d, void *st, size_t number, struct draw *from) {
  const struct hd_mem *mem = &d->mems[number];
  char *q = (char *)st + mem->q_offset;
  for (unsigned bank = 0; bank < mem->banks; bank++)
    for (unsigned r = 0; r < mem->depth; r++) {
      draw(from, mem->width);
      for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++)
        for (unsigned e = 0; row->mem == (int)number && e < row->count; e++) {
          const unsigned at = bank * row->count + e;
          const uint64_t value =
              hd_get_bits(from->bits, MOST / 8, row->lsb + (size_t)e * row->width, row->width);
          *hd_elem(d, row, st, r, at) = value;
          *(row->bundle ? (uint64_t *)(void *)(q + row->field) : *(uint64_t **)(void *)q + at) = value;
        }
    }
}

static void power_up(struct hd_model *m, struct draw *from) {
  const struct hd_decl *d = m->decl;
  void *st = (char *)m + d->st_offset;
  for (const struct hd_row *row = d->rows; row < d->rows + d->n_rows; row++) {
    if ((row->cls != HD_REG && row->cls != HD_CAM) || row->reset != NORESET)
      continue;
    draw(from, row->count * row->width);
    for (unsigned e = 0; e < row->count; e++)
      *hd_elem(d, row, st, 0, e) = hd_get_bits(from->bits, MOST / 8, (size_t)e * row->width, row->width);
  }
  for (size_t i = 0; i < d->n_mems; i++)
    power_up_memory(d, st, i, from);
  for (size_t i = 0; i < d->n_insts; i++)
    power_up(*(struct hd_model **)(void *)((char *)m + d->insts[i].offset), from);
}

static enum hd_rc run(struct recording *r, struct hd_env *env, struct hd_why *why) {
  uint8_t *stimulus = hd_zeroed(r->stimulus.bytes + 8, 1), *want = hd_zeroed(r->want.bytes + 8, 1);
  struct draw from = {.bits = hd_zeroed(MOST / 8 + 8, 1)};
  enum hd_rc rc = HD_OK;
  power_up(r->model, &from);
  for (unsigned i = 0; i < HD_BENCH_RESET; i++) {
    r->ops->moore(r->model, r->out);
    if (r->ops->mealy)
      r->ops->mealy(r->model, r->in, r->out);
    r->ops->tick(r->model, r->in);
    hd_model_reset(r->model);
  }
  for (unsigned i = 0; i < r->cycles && rc == HD_OK; i++) {
    if (i % 4096 == 0 && r->progress)
      r->progress(i, r->cycles);
    r->ops->moore(r->model, r->out);
    env->ops->drive(env, r->out, r->in);
    if (r->ops->mealy)
      r->ops->mealy(r->model, r->in, r->out);
    if (!env->ops->clock(env, r->in, r->out))
      rc = hd_because(why, HD_CHECK, "%s, cycle %u: %s", r->decl->module, i, env->text);
    r->ops->tick(r->model, r->in); /* sets the late outputs */
    pack(r, true, stimulus);
    pack(r, false, want);
    memcpy(r->stimulus.in_cycle + i * r->stimulus.bytes, stimulus, r->stimulus.bytes);
    memcpy(r->want.in_cycle + i * r->want.bytes, want, r->want.bytes);
  }
  free(stimulus);
  free(want);
  free(from.bits);
  return rc;
}

/* Returns the strings as hexadecimal text, a line for each cycle. */
static char *hex(const struct recording *r, const struct bits *b) {
  char *text;
  size_t size;
  FILE *f = hd_memory_open(&text, &size);
  for (unsigned cycle = 0; cycle < r->cycles; cycle++) {
    for (size_t digit = (b->n + 3) / 4; digit > 0; digit--)
      fputc("0123456789abcdef"[b->in_cycle[cycle * b->bytes + (digit - 1) / 2] >> (digit - 1) % 2 * 4 & 15],
            f);
    fputc('\n', f);
  }
  hd_memory_close(f);
  return text;
}

enum hd_rc hd_record(const struct hd_design *design, const char *module, unsigned cycles, uint64_t seed,
                     void (*progress)(unsigned done, unsigned of), struct hd_rtl_bench *bench,
                     struct hd_why *why) {
  struct recording r = {.decl = hd_design_find(design, module), .cycles = cycles, .progress = progress};
  const struct hd_env_job job = {.design = design, .module = module, .seed = seed, .random = true};
  struct hd_env *env = NULL;
  *bench = (struct hd_rtl_bench){.cycles = cycles};
  r.ops = r.decl ? hd_model_ops_of(r.decl) : NULL;
  if (!r.ops)
    return hd_because(why, HD_INPUT, "%s: no such module in this machine", module);
  enum hd_rc rc = hd_env_open(&job, &env, why);
  if (rc != HD_OK)
    return rc;
  r.model = hd_model_new(design, module, true, NULL);
  r.in = hd_zeroed(1, r.decl->in_size);
  r.out = hd_zeroed(1, r.decl->out_size);
  if (!r.model || !hd_alloc_in(r.decl, r.in) || !hd_alloc_out(r.decl, r.out))
    abort();
  r.stimulus = bits_of(&r, true);
  r.want = bits_of(&r, false);
  rc = run(&r, env, why);
  env->ops->close(env);
  if (rc == HD_OK) {
    bench->stimulus = hex(&r, &r.stimulus);
    bench->expected = hex(&r, &r.want);
  }
  hd_free_in(r.decl, r.in);
  hd_free_out(r.decl, r.out);
  free(r.in);
  free(r.out);
  free(r.stimulus.in_cycle);
  free(r.want.in_cycle);
  hd_model_free(r.model);
  return rc;
}

void hd_record_free(struct hd_rtl_bench *bench) {
  free(bench->stimulus);
  free(bench->expected);
  *bench = (struct hd_rtl_bench){0};
}
