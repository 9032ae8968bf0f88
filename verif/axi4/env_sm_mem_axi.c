/* The environment of `sm_mem_axi`: that of `sm_mem` (verif/sm/env_sm_mem.c), with its memory behind an AXI4 subordinate (axi_bridge.c). So
 * the scoreboard checks end to end, and the bus's rules are checked at the pins. A transaction counts as a request at the memory's port
 * when its address has come over the bus; a store also needs all its bytes.
 *
 * The owner of a transaction: the id of a fetch is its MSHR. Reads with higher ids and writes have their owner in AxUSER.
 */
#include "verif/axi4/axi_bridge.h"
#include "verif/sm/env_sm_mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A port that sm_mem_axi and sm_mem both have. */
struct same_port {
  const struct hd_row *here, *inside;
};

struct axi_env {
  struct hd_env_base p;
  const struct hd_decl *decl, *inner; /* of sm_mem_axi, of sm_mem */
  struct same_port *same;
  size_t n_same;
  struct hd_env *sm; /* the environment of sm_mem, and its ports */
  struct sm_mem_in in;
  struct sm_mem_out out;
  struct hd_axi_bridge bus;
};

static void copy(const struct axi_env *e, bool inputs, const void *here, const void *inside) {
  for (const struct same_port *s = e->same; s < e->same + e->n_same; s++)
    for (unsigned i = 0; i < s->here->count && (s->here->cls == HD_IN) == inputs; i++) {
      uint64_t *const a = hd_elem(e->decl, s->here, here, 0, i), *const b = hd_elem(e->inner, s->inside,
                                                                                    inside, 0, i);
      *(inputs ? a : b) = *(inputs ? b : a);
    }
}

/* Sets the fields of *q from AxUSER. From the lowest bit up it has last, num, slot, wid. */
static void name(const struct axi_env *e, uint64_t user, struct sreq *q) {
  const struct hd_derived *d = &e->p.c->d;
#define TAKE(width) user &((UINT64_C(1) << (width)) - 1), user >>= (width)
  q->last = TAKE(1);
  q->num = TAKE(d->LANE_W);
  q->slot = TAKE(d->SLOT_W);
#undef TAKE
  q->wid = user;
}

/* Shows the oldest request from the bus as a request of sm_mem. */
static void show_request(struct axi_env *e) {
  const struct hd_axi_transaction *t = hd_axi_bridge_request(&e->bus);
  e->out.mrsp_ready = 1;
  e->out.mreq_valid = t != NULL;
  if (!t)
    return;
  const bool fill = !t->write && t->id < e->p.c->d.BUS_MSHRS;
  struct sreq *q = &e->out.mreq;
  *q = (struct sreq){.kind = t->write ? HD_STORE : fill ? HD_FILL : HD_BYPASSED, .line = t->line};
  if (fill)
    q->id = t->id;
  else
    name(e, t->user, q);
  memcpy(e->out.mreq_wdata, t->burst.data, e->p.c->d.WORDS * sizeof *t->burst.data);
  memcpy(e->out.mreq_wmask, t->burst.strobe, e->p.c->d.WORDS * sizeof *t->burst.strobe);
}

/* Returns the transaction that the memory answers; NULL if there is none. */
static const struct hd_axi_transaction *answered(const struct axi_env *e, const struct srsp *a) {
  const struct hd_axi_transaction *const all = a->kind == HD_STORE ? e->bus.wrote : e->bus.read;
  for (const struct hd_axi_transaction *t = all; t < all + HD_AXI_IDS; t++) {
    struct sreq q = {0};
    const bool fill = !t->write && t->id < e->p.c->d.BUS_MSHRS;
    if (t->state != HD_AXI_ASKED || fill != (a->kind == HD_FILL))
      continue;
    name(e, t->user, &q);
    if (fill ? t->id == a->id : q.wid == a->wid && q.slot == a->slot && q.num == a->num)
      return t;
  }
  return NULL;
}

static void drive(struct hd_env *env, const void *out_, void *in_) {
  struct axi_env *e = (struct axi_env *)env;
  struct sm_mem_axi_in *in = in_;
  copy(e, false, out_, &e->out);
  show_request(e);
  e->sm->stop = env->stop;
  e->sm->ops->drive(e->sm, &e->out, &e->in);
  copy(e, true, in, &e->in);
  if (hd_new_mood(&e->p))
    hd_axi_bridge_mood(&e->bus);
  hd_axi_bridge_drive(&e->bus, HD_AXI_INPUTS(in), &in->clear);
}

/* The memory takes a request, and may answer another one. */
static bool clock_memory(struct axi_env *e) {
  if (e->out.mreq_valid && e->in.mreq_ready)
    hd_axi_bridge_take(&e->bus);
  if (!e->in.mrsp_valid)
    return true;
  const struct hd_axi_transaction *t = answered(e, &e->in.mrsp);
  if (!t)
    return hd_fail(&e->p.env, "the memory answers what the bus did not bring");
  hd_axi_bridge_answer(&e->bus, t->write, t->id, e->in.mrsp.error, e->in.mrsp_data);
  return true;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct axi_env *e = (struct axi_env *)env;
  const struct sm_mem_axi_in *in = in_;
  const struct sm_mem_axi_out *out = out_;
  copy(e, false, out, &e->out);
  const bool ok = e->sm->ops->clock(e->sm, &e->in, &e->out);
  env->checked = e->sm->checked;
  env->unfit = e->sm->unfit;
  if (!ok)
    return hd_fail(env, "%s", e->sm->text);
  return clock_memory(e) &&
         hd_axi_bridge_clock(&e->bus, HD_AXI_OUTPUTS(out), in->clear, out->errors, out->fault);
}

static bool done(const struct hd_env *env) {
  const struct axi_env *e = (const struct axi_env *)env;
  return e->sm->ops->done(e->sm) && hd_axi_bridge_idle(&e->bus);
}

static bool finish(struct hd_env *env) {
  struct axi_env *e = (struct axi_env *)env;
  return e->sm->ops->finish(e->sm) || hd_fail(env, "%s", e->sm->text);
}

static void close(struct hd_env *env) {
  struct axi_env *e = (struct axi_env *)env;
  if (e->sm)
    e->sm->ops->close(e->sm);
  hd_free_in(e->inner, &e->in);
  hd_free_out(e->inner, &e->out);
  free(e->same);
  free(e);
}

/* Finds the ports that both modules have. Returns false if out of memory. */
static bool find_same(struct axi_env *e) {
  e->same = calloc(e->decl->n_rows, sizeof *e->same);
  for (size_t i = 0; e->same && i < e->decl->n_rows; i++)
    for (size_t k = 0; k < e->inner->n_rows; k++)
      if (!strcmp(e->decl->rows[i].var, e->inner->rows[k].var))
        e->same[e->n_same++] = (struct same_port){&e->decl->rows[i], &e->inner->rows[k]};
  return e->same && hd_alloc_in(e->inner, &e->in) && hd_alloc_out(e->inner, &e->out);
}

struct hd_env *sm_mem_axi_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, finish, close};
  struct axi_env *e = hd_env_base_new(sizeof *e, job, &ops, why);
  if (!e)
    return NULL;
  e->decl = hd_design_find(job->design, job->module);
  e->inner = hd_design_find(job->design, "sm_mem");
  hd_axi_bridge_open(&e->bus, &e->p);
  if (!find_same(e))
    hd_because(why, HD_TOOL, "out of memory");
  else if ((e->sm = hd_sm_mem_env(job, true, why)))
    return &e->p.env;
  close(&e->p.env);
  return NULL;
}
