/* A golden model in its environment, for test_env.c and test_env_wrong.c. */
#ifndef HEDDLE_TESTS_UNIT_ENV_RIG_H
#define HEDDLE_TESTS_UNIT_ENV_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "cmodel/model/models.h"
#include "verif/harness/env.h"

/* A saboteur changes the inputs of the model (`in`, with `out` NULL) or the outputs that the environment sees (`out`). */
typedef void (*saboteur)(void *in, void *out);

struct play {
  struct hd_config c;
  const char *module;
  uint64_t seed, cycles;
  saboteur saboteur;
  void (*late)(void *late); /* changes the LATE outputs that the environment gets */
  bool
      want_all; /* ends when all events were seen, but after a fifth of the cycles at least; EVERY=1 runs all cycles */
  bool traced;
  struct wl_source *source;
  /* results */
  char text[1024];         /* "" = passed */
  uint64_t checked, trace; /* trace: a digest of all inputs, if traced */
  unsigned unseen;
};

static inline unsigned unseen(const struct hd_model *m, bool named) {
  unsigned n = 0;
  for (size_t i = 0; i < m->decl->n_events; i++)
    if (m->decl->events[i].when && !m->ev[i]) {
      if (named)
        print_message("unseen: %s.%s\n", m->decl->module, m->decl->events[i].name);
      n++;
    }
  for (size_t i = 0; i < m->decl->n_insts; i++)
    n += unseen(*(struct hd_model *const *)((const char *)m + m->decl->insts[i].offset), named);
  return n;
}

static inline void copy_inputs(const struct hd_decl *d, void *to, const void *from) {
  for (size_t i = 0; i < d->n_rows; i++)
    for (unsigned e = 0; d->rows[i].cls == HD_IN && e < d->rows[i].count; e++)
      *hd_elem(d, &d->rows[i], to, 0, e) = *hd_elem(d, &d->rows[i], from, 0, e);
}

/* With a saboteur the model gets `seen` instead of `in`. */
static inline void cycle(struct play *p, const struct hd_model_ops *ops, struct hd_model *m,
                         struct hd_env *env, void *in, void *out, void *seen) {
  ops->moore(m, out);
  env->ops->drive(env, out, in);
  for (size_t i = 0; p->traced && i < m->decl->n_rows; i++)
    for (unsigned e = 0; m->decl->rows[i].cls == HD_IN && e < m->decl->rows[i].count; e++)
      p->trace = p->trace * 31 + *hd_elem(m->decl, &m->decl->rows[i], in, 0, e);
  if (p->saboteur) {
    copy_inputs(m->decl, seen, in);
    p->saboteur(seen, NULL);
  } else
    seen = in;
  if (ops->mealy)
    ops->mealy(m, seen, out);
  if (p->saboteur)
    p->saboteur(in, out);
  if (!env->ops->clock(env, in, out))
    strcpy(p->text, *env->text ? env->text : "no reason given");
  ops->tick(m, seen);
  if (!env->late || (p->saboteur && !p->late)) /* the other checks find the work of a saboteur */
    return;
  uint64_t late[64]; /* a copy, because the model reads its own in the next cycle */
  assert_true(m->decl->late_size <= sizeof late);
  memcpy(late, (const char *)m + m->decl->late_offset, m->decl->late_size);
  if (p->late)
    p->late(late);
  env->late(env, late);
}

static inline void run(struct play *p) {
  struct hd_why why;
  struct hd_env *env;
  assert_int_equal(hd_config_check(&p->c, NULL, NULL, stderr), 0);
  struct hd_design *design = hd_design_new(&p->c);
  const struct hd_decl *decl = hd_design_find(design, p->module);
  const struct hd_model_ops *ops = hd_model_ops(p->module);
  struct hd_model *m = hd_model_new(design, p->module, true, NULL);
  void *in = calloc(1, decl->in_size), *seen = calloc(1, decl->in_size), *out = calloc(1, decl->out_size);
  assert_true(m && hd_alloc_in(decl, in) && hd_alloc_in(decl, seen) && hd_alloc_out(decl, out));
  const struct hd_env_job job = {.design = design, .module = p->module, .seed = p->seed, .source = p->source};
  if (hd_env_new(&job, &env, &why) != HD_OK)
    fail_msg("%s", why.text);
  uint64_t t = 0;
  uint64_t end = p->cycles;
  const uint64_t looks_from = p->want_all && !getenv("EVERY") ? p->cycles / 5 : end;
  for (; !*p->text && !env->ops->done(env); t++) {
    assert_true(t < p->cycles + 200000);
    if (t >= looks_from && t < end && t % 4096 == 0 && !unseen(m, false))
      end = t;
    env->stop = t >= end;
    cycle(p, ops, m, env, in, out, seen);
  }
  if (!*p->text && !env->ops->finish(env))
    strcpy(p->text, env->text);
  p->checked = env->checked;
  p->unseen = p->want_all ? unseen(m, true) : 0;
  env->ops->close(env);
  hd_free_in(decl, in);
  hd_free_in(decl, seen);
  hd_free_out(decl, out);
  free(in);
  free(seen);
  free(out);
  hd_model_free(m);
  hd_design_free(design);
}

/* A machine that has the module. */
static inline struct play of(const char *module) {
  struct play p = {.module = module, .seed = 1, .cycles = 20000};
  hd_config_default(&p.c);
  if (strcmp(module, "mrpb") == 0)
    p.c.request_buffer.kind = HD_MRPB;
  else if (strcmp(module, "memsched") == 0 || strcmp(module, "tag_probe") == 0) {
    p.c.request_buffer.kind = HD_MEMSCHED;
    p.c.request_buffer.drain = HD_DRAIN_GRR;
  } else if (strcmp(module, "casc") == 0 || strcmp(module, "rrt") == 0 || strcmp(module, "line_uses") == 0 ||
             strcmp(module, "locality_degree") == 0)
    p.c.casc.scheme = HD_CASC_LOCALITY;
  else if (strcmp(module, "rft") == 0 || strcmp(module, "rft_line") == 0)
    p.c.rft.form = HD_RFT_AVERAGE;
  else if (strcmp(module, "warp_limit") == 0)
    p.c.scheduler.limit = 2;
  else if (strcmp(module, "apcm_line") == 0)
    p.c.apcm.manage = HD_APCM_BOTH;
  else if (strncmp(module, "ccws_", 5) == 0)
    p.c.ccws.throttle = HD_CCWS_ON;
  else if (strcmp(module, "mascar") == 0)
    p.c.mascar.priority = HD_MASCAR_ON;
  else if (strcmp(module, "reexec") == 0)
    p.c.request_buffer.kind = HD_REEXEC;
  return p;
}

/* A machine with LAWS and SAP, with one of the two, or with STR. */
static inline struct play apres(const char *module, enum hd_policy policy, enum hd_prefetch prefetch) {
  struct play p = of(module);
  p.c.scheduler.policy = policy;
  p.c.prefetch.kind = prefetch;
  return p;
}

/* Runs the model in its environment and fails unless the run passes. */
static inline void passes(struct play *p) {
  run(p);
  if (*p->text)
    fail_msg("%s: %s", p->module, p->text);
  assert_true(p->checked > 0);
}

#endif
