/* Requests of an L1D or of an L2 slice for `axi4_manager`; see manager_env.h.
 *
 * Invariant: a fill, or a slice's read, has a free MSHR. No more bypassed loads are inside than the L1D may have. No two bypassed loads or
 * stores have the same name. */
#include "verif/axi4/manager_env.h"

#include <string.h>

void hd_manager_pool(struct manager_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  while (e->n_lines < POOL) {
    struct line *l = &e->pool[e->n_lines];
    l->addr = e->n_lines && hd_below(p, 2) ? hd_neighbour(p, l[-1].addr, d->LINE_W) : hd_bits(p, d->LINE_W);
    unsigned same = 0;
    while (e->pool[same].addr != l->addr)
      same++;
    if (same < e->n_lines)
      continue;
    for (unsigned w = 0; w < d->WORDS; w++)
      l->now[w] = l->memory[w] = hd_bits(p, 64);
    e->n_lines++;
  }
}

/* Some moods run for long with one thing: errors until their count is full, or writes without an answer. */
static void extreme_mood(struct manager_env *e) {
  struct hd_env_base *p = &e->p;
  const unsigned which = hd_below(p, 12);
  if (which > 1)
    return;
  p->mood_left += 2000;
  e->m.offer = e->m.accept = HD_ALWAYS;
  e->m.lines = POOL;
  if (which == 0) {
    e->m.clear = 0;
    e->bus.m.errors = e->bus.m.r = e->bus.m.b = e->bus.m.ar = HD_ALWAYS;
    e->bus.m.aw = e->bus.m.w = HD_ALWAYS;
  } else {
    p->mood_left = 50 + 8 * p->c->d.BUS_WRITES * p->c->d.BEATS;
    e->m.stores = HD_ALWAYS;
    e->m.sweep = true;
    e->bus.m.aw = e->bus.m.w = HD_ALWAYS;
    e->bus.m.b = 0;
  }
}

static void new_mood(struct manager_env *e) {
  struct hd_env_base *p = &e->p;
  hd_axi_mood(&e->bus);
  e->m.offer = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, true);
  e->m.stores = hd_below(p, 2) ? HD_ALWAYS / 4 : hd_density(p, false);
  e->m.bypassed = hd_density(p, false);
  e->m.accept = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, true);
  e->m.lines = hd_below(p, 2) ? POOL : 1 + hd_below(p, 4);
  e->m.first = hd_below(p, POOL);
  e->m.sweep = hd_below(p, 4) == 0;
  e->m.clear = hd_below(p, 4) ? 1 : hd_below(p, 8) ? 0 : 64;
  extreme_mood(e);
}

/* ---- Requests ---- */

/* Finds a free MSHR. Returns false if there is none. */
static bool some_mshr(struct manager_env *e, uint64_t *id) {
  const unsigned n = e->p.c->d.BUS_MSHRS, first = hd_below(&e->p, n);
  for (unsigned i = 0; i < n; i++) {
    *id = (first + i) % n;
    if (!(e->mshrs >> *id & 1))
      return true;
  }
  return false;
}

/* Returns true if another bypassed load or store with these fields is inside. An SM never has two. */
static bool named_alike(const struct manager_env *e, const struct busreq *r) {
  for (uint64_t i = e->oldest; i < e->n_txn; i++) {
    const struct txn *t = &e->txn[i % INSIDE];
    if (t->state != FREE && t->r.kind == r->kind && t->r.wid == r->wid && t->r.slot == r->slot &&
        t->r.num == r->num)
      return true;
  }
  return false;
}

/* Draws the next request. Returns false if such a request cannot be offered now. */
static bool draw(struct manager_env *e) {
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  struct txn *t = &e->next;
  const bool write = hd_chance(p, e->m.stores);
  const bool bypass = !write && d->BUS_BYPS && hd_chance(p, e->m.bypassed);
  *t = (struct txn){.state = TAKEN, .write = write};
  t->line = &e->pool[(e->m.first + (e->m.sweep ? (unsigned)e->n_txn : hd_below(p, e->m.lines))) % POOL];
  t->r.line = t->line->addr;
  if (d->BUS_SM) {
    t->r.kind = write ? HD_STORE : bypass ? HD_BYPASSED : HD_FILL;
    t->r.wid = hd_below(p, d->WARPS);
    t->r.slot = hd_bits(p, d->SLOT_W);
    t->r.num = hd_bits(p, d->LANE_W);
    t->r.last = hd_below(p, 2);
  } else {
    t->r.write = write;
  }
  if (write) {
    hd_store_draw(p, p->c->d.WORDS, t->data, t->mask);
    for (unsigned w = 0; d->BUS_L2 && w < d->WORDS; w++)
      t->mask[w] = 255;
  }
  if (e->n_txn - e->oldest >= INSIDE - 1)
    return false;
  if (write && e->bus.b_is_strange) /* ids go round: this write could get the stray answer's id */
    return false;
  if (!write && !bypass && !some_mshr(e, &t->r.id))
    return false;
  if (bypass && e->bypasses == d->BYPS)
    return false;
  return !d->BUS_SM || t->r.kind == HD_FILL || !named_alike(e, &t->r);
}

void hd_manager_drive(struct hd_env *env, const void *out_, void *in_) {
  struct manager_env *e = (struct manager_env *)env;
  struct hd_env_base *p = &e->p;
  const struct hd_derived *d = &p->c->d;
  const struct axi4_manager_out *out = out_;
  struct axi4_manager_in *in = in_;
  if (hd_new_mood(p))
    new_mood(e);
  if (!e->offering)
    e->offering = draw(e) && !env->stop && hd_chance(p, e->m.offer);
  in->req_valid = e->offering;
  in->req = e->next.r;
  memcpy(in->req_wdata, e->next.data, d->WORDS * sizeof *in->req_wdata);
  if (d->BUS_SM)
    memcpy(in->req_wmask, e->next.mask, d->WORDS * sizeof *in->req_wmask);
  in->rsp_ready = hd_chance(p, env->stop && e->m.accept < HD_ALWAYS / 2 ? HD_ALWAYS / 2 : e->m.accept);
  /* A full count is cleared too, sometimes in the cycle of one more error. */
  in->clear = hd_chance(p, out->errors == UINT8_MAX && e->m.clear == 0 ? 16 : e->m.clear);
  hd_axi_drive(&e->bus, HD_AXI_INPUTS(in));
}

void hd_manager_take(struct manager_env *e) {
  const struct hd_derived *d = &e->p.c->d;
  struct txn *t = &e->txn[e->n_txn++ % INSIDE];
  *t = e->next;
  e->offering = false;
  if (t->write) {
    t->id = e->n_written++ % d->BUS_WRITES;
    hd_merge(t->line->now, t->data, t->mask, d->WORDS);
    return;
  }
  memcpy(t->data, t->line->now, sizeof t->data);
  if (d->BUS_SM && t->r.kind == HD_BYPASSED) {
    t->id = d->BUS_MSHRS + e->n_bypassed++ % d->BUS_BYPS;
    e->bypasses++;
  } else {
    t->id = t->r.id;
    e->mshrs |= UINT64_C(1) << t->r.id;
  }
}
