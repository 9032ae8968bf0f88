/* The environment of L2 bank 0 in a GPU; see bank_env.h. */
#include "verif/gpu/bank_env.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cmodel/memory/memmap.h"
#include "cmodel/memory/memory.h"
#include "verif/l2/l2_checker.h"

struct bank_env {
  struct l2_env e;
  struct hd_memmap map;
  struct hd_bytes *sm0;
  const struct l2_top *model;
  const struct l2_top_in *in;   /* of this cycle */
  const struct l2_top_out *gpu; /* the outputs of the GPU's bank in this cycle */
};

static size_t line_bytes(const struct bank_env *b) {
  return b->e.p.c->d.L2_WORDS * sizeof(uint64_t);
}

/* Returns the address that the SMs use for a line of the bank. */
static uint64_t global(const struct bank_env *b, uint64_t local) {
  const uint64_t in_chunk = local & ((UINT64_C(1) << b->map.chunk_w) - 1);
  return (local >> b->map.chunk_w) * b->map.banks << b->map.chunk_w | in_chunk;
}

/* Returns the number, in its line, of the first word of a request or answer. */
static unsigned first_word(const struct hd_derived *d, uint64_t unit) {
  return hd_slice_sector_of(d, unit) * d->L2_WORDS;
}

static struct l2_line *line_of(struct bank_env *b, uint64_t unit) {
  struct l2_env *e = &b->e;
  const struct hd_derived *d = &e->p.c->d;
  struct l2_line *line = hd_slice_line(e, unit);
  if (line)
    return line;
  line = hd_zeroed(1, sizeof *line);
  line->addr = unit;
  for (unsigned w = 0; w < d->L2_WORDS; w++)
    line->now[w] = line->memory[w] =
        hd_memory_initial(global(b, hd_slice_line_of(d, unit)), first_word(d, unit) + w);
  HASH_ADD(hh, e->by_addr, addr, sizeof line->addr, line);
  return line;
}

/* ---- Bytes ---- */

/* Draws random bytes for a store of another SM. The mask has at least one byte; it is full exactly if the request says `full`. (Without
 * LoSCache no request does.) */
static void invent(struct bank_env *b, struct l2_offer *o) {
  const struct hd_derived *d = &b->e.p.c->d;
  uint64_t all = 0xff;
  for (unsigned w = 0; w < d->L2_WORDS; w++) {
    o->data[w] = hd_bits(&b->e.p, 64);
    o->mask[w] = o->r.full ? 0xff : hd_bits(&b->e.p, 8);
    all &= o->mask[w];
  }
  const unsigned some = hd_below(&b->e.p, 8 * d->L2_WORDS);
  if (!o->r.full && all == 0xff)
    o->mask[some / 8] = 0;
  o->mask[some / 8] |= UINT64_C(1) << some % 8;
}

/* A new request is offered: sets its line and bytes. */
static void begin(struct bank_env *b, const struct l2req *q) {
  struct l2_env *e = &b->e;
  const struct hd_derived *d = &e->p.c->d;
  struct l2_offer *o = &e->next;
  const struct hd_carried *own =
      q->sm == 0 && q->kind == HD_STORE ? hd_bytes_of(b->sm0, q->kind, q->id, q->wid, q->slot, q->num) : NULL;
  o->r = *q;
  e->next_line =
      line_of(b, hd_slice_unit(d, q->line, q->sectors ? (unsigned)__builtin_ctzll(q->sectors) : 0));
  if (q->kind != HD_STORE) {
    memset(o->data, 0, sizeof o->data);
    memset(o->mask, 0, sizeof o->mask);
  } else if (own) {
    memcpy(o->data, own->data + first_word(d, e->next_line->addr), line_bytes(b));
    memcpy(o->mask, own->mask + first_word(d, e->next_line->addr), line_bytes(b));
  } else
    invent(b, o);
}

static unsigned read_for(const struct l2_env *e, uint64_t id) {
  unsigned i = 0;
  while (i < e->n_reads && e->reads[i].id != id)
    i++;
  return i;
}

void hd_bank_env_bytes(struct hd_env *env, struct l2_top_in *in) {
  struct bank_env *b = (struct bank_env *)env;
  struct l2_env *e = &b->e;
  if (in->req_valid) {
    if (!e->offering)
      begin(b, &in->req);
    memcpy(in->req_wdata, e->next.data, line_bytes(b));
    memcpy(in->req_wmask, e->next.mask, line_bytes(b));
  }
  e->offering = in->req_valid;
  e->rsp_ready = in->rsp_ready;
  e->out_ready = in->out_ready;
#define ENABLE(name, when, key, changes, of) e->enabled = in->name;
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include "arch/l2/l2_top.def"
  e->fill = in->fill_valid ? read_for(e, in->fill_id) : e->n_reads;
  e->filling = e->fill < e->n_reads; /* if no read waits, clock() reports it */
  if (e->filling)
    memcpy(in->fill_data, e->reads[e->fill].data, line_bytes(b));
}

void hd_bank_env_cycle(struct hd_env *env, const struct l2_top_in *in, const struct l2_top_out *out) {
  struct bank_env *b = (struct bank_env *)env;
  b->in = in;
  b->gpu = out;
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  const struct bank_env *b = (const struct bank_env *)env;
  const struct l2_top_in *from = b->in;
  struct l2_top_in *in = in_, to = *from;
  (void)out;
  to.req_wdata = in->req_wdata;
  to.req_wmask = in->req_wmask;
  to.fill_data = in->fill_data;
  *in = to;
  memcpy(in->req_wdata, from->req_wdata, line_bytes(b));
  memcpy(in->req_wmask, from->req_wmask, line_bytes(b));
  memcpy(in->fill_data, from->fill_data, line_bytes(b));
}

/* ---- Checks ---- */

/* A store is taken. Notes the bytes of other SMs. Returns false if SM 0 did not send the store, or `full` is wrong. */
static bool note_store(struct bank_env *b) {
  const struct l2_offer *o = &b->e.next;
  uint64_t all = 0xff;
  if (o->r.sm) {
    uint64_t mask[HD_MAX_WORDS] = {0}; /* of the line */
    memcpy(mask + first_word(&b->e.p.c->d, b->e.next_line->addr), o->mask, line_bytes(b));
    hd_bytes_foreign(b->sm0, global(b, o->r.line), mask);
    return true;
  }
  if (!hd_bytes_of(b->sm0, o->r.kind, o->r.id, o->r.wid, o->r.slot, o->r.num))
    return hd_fail(&b->e.p.env, "bank 0 gets a store to line 0x%" PRIx64 " that SM 0 has not sent",
                   o->r.line);
  for (unsigned w = 0; w < b->e.p.c->d.L2_WORDS; w++)
    all &= o->mask[w];
  b->e.p.env.checked++;
  return !o->r.full || all == 0xff ||
         hd_fail(&b->e.p.env, "SM 0's store to line 0x%" PRIx64 " is said to write all of it, and does not",
                 o->r.line);
}

/* Checks that SM 0 gets back the bytes that it stored, except those that other SMs have written. */
static bool check_own(struct bank_env *b, const struct l2_top_out *out) {
  const struct l2rsp *r = &out->rsp;
  if (!out->rsp_valid || !b->in->rsp_ready || r->sm || !hd_is_load(r->kind))
    return true;
  const struct hd_carried *sent = hd_bytes_of(b->sm0, r->kind, r->id, r->wid, r->slot, r->num);
  struct l2_record *rec;
  struct l2rsp name = *r;
  name.count = 0;
  HASH_FIND(hh, b->e.records, &name, sizeof name, rec);
  if (!sent || !rec)
    return hd_fail(&b->e.p.env, "bank 0 answers a load that SM 0 has not sent");
  const struct hd_derived *d = &b->e.p.c->d;
  const uint64_t line = hd_slice_line_of(d, rec->line->addr);
  const unsigned first = first_word(d, rec->line->addr);
  uint64_t own[HD_MAX_WORDS], here[HD_MAX_WORDS], there[HD_MAX_WORDS];
  hd_bytes_own(b->sm0, global(b, line), own);
  memset(here, 0, sizeof here);
  memset(there, 0, sizeof there);
  hd_merge(here, out->rsp_data, own + first, d->L2_WORDS);
  hd_merge(there, sent->data + first, own + first, d->L2_WORDS);
  b->e.p.env.checked++;
  return !memcmp(here, there, line_bytes(b)) ||
         hd_fail(&b->e.p.env,
                 "SM 0's load of line 0x%" PRIx64
                 " brings other bytes than SM 0 has stored, and no other SM has written them",
                 line);
}

/* NULL, or where the GPU's bank shows something else. */
static const char *check_same(const struct bank_env *b, const struct l2_top_out *out) {
  const struct l2_top_out *gpu = b->gpu;
  const struct hd_derived *d = &b->e.p.c->d;
  if (out->req_ready != gpu->req_ready || out->rsp_valid != gpu->rsp_valid ||
      out->out_valid != gpu->out_valid || out->fill_ready != gpu->fill_ready)
    return "a valid or a ready";
  if (out->rsp_valid && (memcmp(&out->rsp, &gpu->rsp, sizeof out->rsp) ||
                         (hd_is_load(out->rsp.kind) && memcmp(out->rsp_data, gpu->rsp_data, line_bytes(b)))))
    return "the answer";
  if (out->out_valid && (memcmp(&out->out, &gpu->out, sizeof out->out) ||
                         (out->out.write && memcmp(out->out_data, gpu->out_data, line_bytes(b)))))
    return "what leaves for the memory";
  if (d->LOS && (out->awake != gpu->awake || memcmp(out->sleep, gpu->sleep, d->L2_SETS * sizeof *out->sleep)))
    return "which lines are powered";
  return NULL;
}

static bool clock(struct hd_env *env, const void *in, const void *out_) {
  struct bank_env *b = (struct bank_env *)env;
  const struct l2_top_out *out = out_;
  (void)in;
  if (b->in->fill_valid && !b->e.filling)
    return hd_fail(env, "the GPU's memory brings a line for MSHR %" PRIu64 ", which waits for none",
                   b->in->fill_id);
  const bool store = b->e.offering && out->req_ready && b->e.next.r.kind == HD_STORE;
  if (!check_own(b, out) || (store && !note_store(b)) || !hd_slice_check(&b->e, HD_L2_OUTPUTS(out)))
    return false;
  const char *other = check_same(b, out);
  return !other || hd_fail(env, "bank 0 of the GPU, the same model, shows something else: %s", other);
}

/* ---- The end ---- */

bool hd_bank_env_idle(const struct hd_env *env) {
  const struct l2_env *e = (const struct l2_env *)env;
  return !e->offering && !e->n_reads && e->silent >= SILENCE;
}

static bool done(const struct hd_env *env) {
  (void)env;
  return false;
}

/* Checks the bytes of a powered line of the slice, or of a sector of it. */
static bool audit_row(struct bank_env *b, uint64_t set, unsigned way, unsigned sector) {
  const struct hd_derived *d = &b->e.p.c->d;
  const struct l2_slice_st *s = &b->model->u_slice->s;
  const unsigned sectors = d->L2_SECTOR_FILL ? d->SECTORS : 1;
  const uint64_t at = set * d->L2_WAYS + way, row = at * sectors + sector,
                 addr = s->tags[at] << d->L2_SET_W | set;
  if (d->L2_SECTOR_FILL && !(s->present[set * sectors + sector] >> way & 1))
    return true;
  struct l2_line *line = hd_slice_line(&b->e, hd_slice_unit(d, addr, sector));
  if (!line)
    return hd_fail(&b->e.p.env, "set %" PRIu64 " way %u has line 0x%" PRIx64 ", which nobody asked for", set,
                   way, addr);
  b->e.p.env.checked++;
  if (memcmp(&s->data[row * d->L2_WORDS], line->now, line_bytes(b)))
    return hd_fail(&b->e.p.env,
                   "set %" PRIu64 " way %u has line 0x%" PRIx64 " otherwise than the stores made it", set,
                   way, addr);
  line->read_back = s->dirty[set * sectors + sector] >> way & 1;
  return true;
}

static bool finish(struct hd_env *env) {
  struct bank_env *b = (struct bank_env *)env;
  const struct hd_derived *d = &b->e.p.c->d;
  for (uint64_t set = 0; set < d->L2_SETS; set++)
    for (unsigned way = 0; way < d->L2_WAYS; way++) {
      const bool on = !d->LOS || b->model->u_gate->s.power[set] >> way & 1;
      for (unsigned t = 0; on && t < (d->L2_SECTOR_FILL ? d->SECTORS : 1); t++)
        if (b->model->u_slice->s.valid[set] >> way & 1 && !audit_row(b, set, way, t))
          return false;
    }
  struct l2_line *line, *next;
  HASH_ITER(hh, b->e.by_addr, line, next) {
    env->checked += line->stored;
    if (!line->read_back && memcmp(line->now, line->memory, line_bytes(b)))
      return hd_fail(env,
                     "bytes of line 0x%" PRIx64
                     " are lost: stored, and neither in the memory nor dirty in the slice",
                     hd_slice_line_of(d, line->addr));
  }
  return true;
}

static void close(struct hd_env *env) {
  struct bank_env *b = (struct bank_env *)env;
  struct l2_line *line, *next;
  HASH_ITER(hh, b->e.by_addr, line, next) {
    HASH_DEL(b->e.by_addr, line);
    free(line->version);
    free(line);
  }
  hd_slice_close(env);
}

void hd_bank_env_model(struct hd_env *env, const struct l2_top *model) {
  ((struct bank_env *)env)->model = model;
}

struct hd_env *hd_bank_env(const struct hd_env_job *job, struct hd_bytes *sm0, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, finish, close};
  struct bank_env *b = hd_env_base_new(sizeof *b, job, &ops, why);
  if (!b)
    return NULL;
  b->map = hd_memmap_of(b->e.p.c);
  b->sm0 = sm0;
  b->e.enable = true;
  b->e.sectors = b->e.p.c->d.L2_SECTOR_FILL ? b->e.p.c->d.SECTORS : 1;
  b->e.reads = calloc(b->e.p.c->d.L2_MSHRS, sizeof *b->e.reads);
  if (b->e.reads)
    return &b->e.p.env;
  close(&b->e.p.env);
  hd_because(why, HD_TOOL, "out of memory");
  return NULL;
}
