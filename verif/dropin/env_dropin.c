/* The environment of a drop-in under lockstep. The golden models of the modules from which it is taken (sm_mem, l2_top) run beside it in
 * their own environments. Each input of the drop-in gets the value that the same wire has there.
 *
 * So the drop-in gets the same inputs as its modules there, and these inputs keep the contracts of all ports. Its outputs are compared with
 * its own model, which is wired by the same rows as its Verilog. tests/unit/dropin/test_dropin.c compares them with the modules' outputs
 * there.
 */
#include "verif/dropin/env_dropin.h"

#include <stdlib.h>
#include <string.h>

#include "arch/dropin/dropin.h"
#include "base/alloc.h"
#include "cmodel/model/wired.h"

struct world {
  const struct hd_dropin_part *part;
  const struct hd_model_ops *ops;
  struct hd_model *model;
  void *in, *out;
  struct hd_env *env;
};

struct dropin_env {
  struct hd_env env;
  const struct hd_decl *decl;
  struct world world[HD_DROPIN_PARTS];
  bool wrong;
};

/* Fills in all outputs of the instances. The model itself skips some: it reads them in place, or computes them only when they are used. */
static void show_inside(const struct world *w, bool mealy) {
  const struct hd_decl *d = w->part->decl;
  for (const struct hd_inst *inst = d->insts; inst < d->insts + d->n_insts; inst++) {
    const struct hd_model_ops *ops = hd_model_ops(inst->decl->module);
    char *const m = (char *)w->model;
    void *const inner = *(void **)(void *)(m + inst->offset);
    if (!mealy)
      ops->moore(inner, m + inst->out_offset);
    else if (ops->mealy)
      ops->mealy(inner, m + inst->in_offset, m + inst->out_offset);
  }
}

static bool run_world(struct dropin_env *e, struct world *w) {
  w->env->stop = e->env.stop;
  w->ops->moore(w->model, w->out);
  show_inside(w, false);
  w->env->ops->drive(w->env, w->out, w->in);
  if (w->ops->mealy)
    w->ops->mealy(w->model, w->in, w->out);
  show_inside(w, true);
  const bool ok = w->env->ops->clock(w->env, w->in, w->out);
  if (!ok)
    memcpy(e->env.text, w->env->text, sizeof e->env.text);
  w->ops->tick(w->model, w->in);
  return ok;
}

static void drive(struct hd_env *env, const void *out, void *in) {
  struct dropin_env *e = (struct dropin_env *)env;
  const struct hd_dropin *dropin = e->decl->dropin;
  (void)out;
  env->checked = 0;
  for (size_t i = 0; i < dropin->n_parts; i++) {
    e->wrong |= !run_world(e, &e->world[i]);
    env->checked += e->world[i].env->checked;
  }
  for (size_t i = 0; i < e->decl->n_rows; i++) {
    const struct hd_row *row = &e->decl->rows[i];
    if (row->cls != HD_IN)
      continue;
    const struct world *w = &e->world[dropin->input[i].part - dropin->part];
    for (unsigned k = 0; k < row->count; k++)
      *hd_elem(e->decl, row, in, 0, k) = hd_wired_value(w->model, w->in, dropin->input[i].from, k);
  }
}

static bool clock(struct hd_env *env, const void *in, const void *out) {
  (void)in;
  (void)out;
  return !((struct dropin_env *)env)->wrong;
}

static bool done(const struct hd_env *env) {
  const struct dropin_env *e = (const struct dropin_env *)env;
  bool all = true;
  for (size_t i = 0; i < e->decl->dropin->n_parts; i++)
    all &= e->world[i].env->ops->done(e->world[i].env);
  return all;
}

static bool finish(struct hd_env *env) {
  (void)env; /* the worlds are not checked at the end */
  return true;
}

static void close(struct hd_env *env) {
  struct dropin_env *e = (struct dropin_env *)env;
  for (size_t i = 0; i < e->decl->dropin->n_parts; i++) {
    struct world *w = &e->world[i];
    if (w->env)
      w->env->ops->close(w->env);
    if (w->in)
      hd_free_in(w->part->decl, w->in);
    if (w->out)
      hd_free_out(w->part->decl, w->out);
    free(w->in);
    free(w->out);
    hd_model_free(w->model);
  }
  free(e);
}

static struct hd_env *dropin_env(const struct hd_env_job *job, const struct hd_decl *decl,
                                 struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, finish, close};
  struct dropin_env *e = hd_zeroed(1, sizeof *e);
  e->env.ops = &ops;
  e->decl = decl;
  for (size_t i = 0; i < decl->dropin->n_parts; i++) {
    struct world *w = &e->world[i];
    w->part = &decl->dropin->part[i];
    struct hd_env_job inner = *job;
    inner.module = w->part->decl->module;
    inner.random = true;
    w->ops = hd_model_ops_of(w->part->decl);
    w->model = hd_model_new(job->design, inner.module, true, NULL);
    w->in = hd_zeroed(1, w->part->decl->in_size);
    w->out = hd_zeroed(1, w->part->decl->out_size);
    if (!w->model || !hd_alloc_in(w->part->decl, w->in) || !hd_alloc_out(w->part->decl, w->out))
      abort();
    if (hd_env_new(&inner, &w->env, why) != HD_OK) {
      close(&e->env);
      return NULL;
    }
  }
  return &e->env;
}

enum hd_rc hd_env_open(const struct hd_env_job *job, struct hd_env **env, struct hd_why *why) {
  const struct hd_decl *decl = hd_design_find(job->design, job->module);
  if (!decl || !decl->dropin)
    return hd_env_new(job, env, why);
  *env = dropin_env(job, decl, why);
  return *env ? HD_OK : HD_INPUT;
}
