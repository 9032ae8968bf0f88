/* The environments of lockstep for a bench in C++; see surround.h. */
#include "tests/systemc/surround.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/dropin/dropin.h"
#include "verif/dropin/env_dropin.h"
#include "verif/harness/bits.h"

struct surround {
  struct hd_config c;
  struct hd_design *design;
  const struct hd_decl *decl;
  struct hd_env *env;
  void *in, *out;
};

/* Returns the declaration of a module or a drop-in. */
static const struct hd_decl *declared(struct hd_design *design, const char *module) {
  const struct hd_decl *decl = hd_design_find(design, module);
  if (!decl)
    hd_dropin_add(design, module, &decl, NULL);
  return decl;
}

struct surround *surround_open(const char *machine, const char *module, uint64_t seed) {
  struct surround *s = calloc(1, sizeof *s);
  struct hd_why why = {""};
  if (!s || hd_config_load(&s->c, machine, stderr) || !(s->design = hd_design_new(&s->c)) ||
      !(s->decl = declared(s->design, module)))
    return NULL;
  const struct hd_env_job job = {.design = s->design, .module = module, .seed = seed, .random = true};
  s->in = calloc(1, s->decl->in_size);
  s->out = calloc(1, s->decl->out_size);
  if (!s->in || !s->out || !hd_alloc_in(s->decl, s->in) || !hd_alloc_out(s->decl, s->out) ||
      hd_env_open(&job, &s->env, &why) != HD_OK) {
    fprintf(stderr, "%s: %s\n", machine, why.text);
    return NULL;
  }
  return s;
}

void surround_close(struct surround *s) {
  s->env->ops->close(s->env);
  hd_free_in(s->decl, s->in);
  hd_free_out(s->decl, s->out);
  free(s->in);
  free(s->out);
  hd_design_free(s->design);
  free(s);
}

size_t surround_port(struct surround *s, const char *name) {
  for (size_t i = 0; i < s->decl->n_rows; i++)
    if (hd_is_port(s->decl->rows[i].cls) && !strcmp(s->decl->rows[i].var, name))
      return i;
  fprintf(stderr, "%s: no such port\n", name);
  abort();
}

static uint64_t *element(const struct surround *s, const struct hd_row *row, unsigned e) {
  return hd_elem(s->decl, row, row->cls == HD_IN ? s->in : s->out, 0, e);
}

void surround_put(struct surround *s, size_t port, const uint32_t *words) {
  const struct hd_row *row = &s->decl->rows[port];
  const size_t bytes = (row->count * row->width + 31) / 32 * sizeof *words;
  for (unsigned e = 0; e < row->count; e++)
    *element(s, row, e) =
        hd_get_bits((const uint8_t *)(const void *)words, bytes, (size_t)e * row->width, row->width);
}

void surround_get(const struct surround *s, size_t port, uint32_t *words) {
  const struct hd_row *row = &s->decl->rows[port];
  const unsigned n = (row->count * row->width + 31) / 32;
  uint8_t image[SURROUND_WORDS * 4 + 8] = {0}; /* hd_put_bits writes 8 bytes */
  for (unsigned e = 0; e < row->count; e++)
    hd_put_bits(image, (size_t)e * row->width, row->width, *element(s, row, e));
  memcpy(words, image, n * sizeof *words);
}

void surround_drive(struct surround *s) {
  s->env->ops->drive(s->env, s->out, s->in);
}

int surround_clock(struct surround *s) {
  const bool good = s->env->ops->clock(s->env, s->in, s->out);
  if (!good)
    fprintf(stderr, "the surroundings: %s\n", s->env->text);
  return good;
}

uint64_t surround_checked(const struct surround *s) {
  return s->env->checked;
}
