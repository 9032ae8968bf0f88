/* Checks the ports of an L2 slice; see l2_checker.h. */
#include "verif/l2/l2_checker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

uint64_t hd_slice_unit(const struct hd_derived *d, uint64_t line, uint64_t sector) {
  return d->L2_SECTOR_FILL ? line << d->SECTOR_W | sector : line;
}

uint64_t hd_slice_line_of(const struct hd_derived *d, uint64_t unit) {
  return unit >> d->L2_SECTOR_FILL * d->SECTOR_W;
}

unsigned hd_slice_sector_of(const struct hd_derived *d, uint64_t unit) {
  return d->L2_SECTOR_FILL ? (unsigned)(unit & hd_ones(d->SECTOR_W)) : 0;
}

struct l2_line *hd_slice_line(const struct l2_env *e, uint64_t unit) {
  struct l2_line *line;
  HASH_FIND(hh, e->by_addr, &unit, sizeof unit, line);
  return line;
}

static size_t line_bytes(const struct l2_env *e) {
  return e->p.c->d.L2_WORDS * sizeof(uint64_t);
}

/* The bound has 32 cycles for each request that may be ahead: in the queues, and merged in all MSHRs. */
uint64_t hd_slice_patience(const struct hd_derived *d) {
  return UINT64_C(32) * (d->L2_IQ + d->L2_RQ + d->L2_FQ + d->L2_MSHRS * d->L2_MERGE + 8);
}

/* A store makes a new version of its line. */
static void store(struct l2_env *e, struct l2_line *line) {
  hd_merge(line->now, e->next.data, e->next.mask, e->p.c->d.L2_WORDS);
  if (line->versions == line->room) {
    line->room = 2 * line->room + 16;
    line->version = hd_resized(line->version, line->room, sizeof *line->version);
  }
  line->version[line->versions++] = hd_hash(0, line->now, line_bytes(e));
  line->stored = true;
}

static void take(struct l2_env *e) {
  const struct l2req *r = &e->next.r;
  struct l2_line *line = e->next_line;
  struct l2_record *rec = hd_zeroed(1, sizeof *rec);
  rec->name = hd_l2rsp_to(r);
  rec->line = line;
  rec->born = e->fair;
  rec->alone = !line->first;
  rec->ending = e->p.env.stop;
  hd_slice_note_taken(e, rec, r->pred);
  if (r->kind == HD_STORE)
    store(e, line);
  memcpy(rec->data, line->now, line_bytes(e));
  struct l2_record **first = r->kind == HD_QUERY ? &e->query : &line->first,
                   **last = r->kind == HD_QUERY ? &e->last_query : &line->last;
  if (*first)
    (*last)->next = rec;
  else
    *first = rec;
  *last = rec;
  HASH_ADD(hh, e->records, name, sizeof rec->name, rec);
  e->offering = false;
}

/* Checks an answer. Returns NULL, or the error. */
static const char *check_answer(struct l2_env *e, const struct l2_outputs *out) {
  struct l2rsp name = *out->rsp;
  struct l2_record *rec;
  name.count = 0;
  HASH_FIND(hh, e->records, &name, sizeof name, rec);
  if (!rec)
    return "is of no request inside, or a second one";
  struct l2_record **first = name.kind == HD_QUERY ? &e->query : &rec->line->first;
  if (rec != *first)
    return name.kind == HD_QUERY ? "overtakes an older query" : "overtakes an older request of its line";
  if (hd_is_load(name.kind) && memcmp(out->rsp_data, rec->data, line_bytes(e)))
    return "has other data than the stores to its line before it left there";
  const char *wrong = e->p.c->d.L2_SLEEPS ? hd_slice_check_early(e, rec, out->rsp) : NULL;
  if (wrong)
    return wrong;
  rec->line->read_back |= rec->ending && hd_is_load(name.kind);
  *first = rec->next;
  HASH_DEL(e->records, rec);
  free(rec);
  e->p.env.checked++;
  return NULL;
}

/* Checks a line that is written to the memory. Returns NULL, or the error. If several versions have these bytes, the oldest is assumed, so
 * that all later versions may still come. */
static const char *check_write(struct l2_env *e, struct l2_line *line, const uint64_t *data) {
  const uint64_t hash = hd_hash(0, data, line_bytes(e));
  unsigned at = 0;
  while (at < line->versions && line->version[at] != hash)
    at++;
  if (!line->versions)
    return "writes what nobody has stored since it was written last";
  if (at == line->versions)
    return "writes what the stores since it was written last never made of the line";
  line->versions -= at + 1;
  memmove(line->version, line->version + at + 1, line->versions * sizeof *line->version);
  memcpy(line->memory, data, line_bytes(e));
  return NULL;
}

/* Checks a read from the memory. Returns NULL, or the error. */
static const char *check_read(struct l2_env *e, struct l2_line *line, uint64_t id) {
  if (id >= e->p.c->d.L2_MSHRS || e->mshrs >> id & 1)
    return "reads for an MSHR that is not there or not free";
  if (line->reading)
    return "reads a line that is being read";
  if (!line->first)
    return "reads a line that no request inside is to";
  e->mshrs |= UINT64_C(1) << id;
  e->asked++;
  line->reading = true;
  line->base = line->accesses;
  for (const struct l2_record *rec = line->first; rec; rec = rec->next)
    line->base--;
  struct l2_read *read = &e->reads[e->n_reads++];
  read->line = line;
  read->id = id;
  memcpy(read->data, line->memory, line_bytes(e));
  return NULL;
}

/* Checks a request to the memory. Returns NULL, or the error. */
static const char *check_out(struct l2_env *e, const struct l2_outputs *out) {
  struct l2_line *line = hd_slice_line(e, hd_slice_unit(&e->p.c->d, out->out->line, out->out->sector));
  if (!line)
    return "is of a line that nobody asked for";
  if (out->out->write && out->out->id)
    return "writes for an MSHR";
  const char *wrong =
      out->out->write ? check_write(e, line, out->out_data) : check_read(e, line, out->out->id);
  e->p.env.checked += !wrong;
  return wrong;
}

static void filled(struct l2_env *e) {
  struct l2_read *read = &e->reads[e->fill];
  e->mshrs &= ~(UINT64_C(1) << read->id);
  read->line->reading = false;
  memmove(read, read + 1, (--e->n_reads - e->fill) * sizeof *read);
  e->filling = false;
}

static bool held_ok(struct l2_env *e, const struct l2_outputs *out) {
  uint64_t hash = hd_hash(0, out->rsp, sizeof *out->rsp);
  if (out->rsp_valid && hd_is_load(out->rsp->kind))
    hash = hd_hash(hash, out->rsp_data, line_bytes(e));
  if (!hd_held_ok(&e->rsp, out->rsp_valid, e->rsp_ready, hash))
    return hd_fail(&e->p.env, "an answer at rsp went away or changed before it was taken");
  hash = hd_hash(0, out->out, sizeof *out->out);
  if (out->out_valid && out->out->write)
    hash = hd_hash(hash, out->out_data, line_bytes(e));
  if (!hd_held_ok(&e->out, out->out_valid, e->out_ready, hash))
    return hd_fail(&e->p.env, "what is offered at out went away or changed before it was taken");
  return true;
}

/* The end of the cycle: returns false if a request waits too long. */
static bool check_wait(struct l2_env *e, bool moved) {
  const bool inside = e->records != NULL;
  if (e->rsp_ready && e->out_ready && !e->bus_moves && (!e->n_reads || (e->n_reads == 1 && e->filling))) {
    e->fair++;
    e->still = inside && !moved ? e->still + 1 : 0;
  } else if (moved)
    e->still = 0;
  if (inside && e->fair - e->records->born > hd_slice_patience(&e->p.c->d))
    return hd_fail(&e->p.env, "a request (kind %" PRIu64 ", line 0x%" PRIx64 ") is not answered",
                   e->records->name.kind, hd_slice_line_of(&e->p.c->d, e->records->line->addr));
  if (e->still > STUCK || !hd_cycle_over(&e->p, inside || e->offering, moved))
    return hd_fail(&e->p.env, "nothing moves any more; %u requests are without an answer",
                   HASH_COUNT(e->records));
  return true;
}

/* A command is done: checks the memory, and lets another writer change lines that became invalid. Returns NULL, or the error. */
static const char *check_command(struct l2_env *e) {
  struct l2_commands *command = &e->command;
  if (!command->going)
    return "is done, and none was taken";
  command->going = false;
  const bool drops = command->taken_op & HD_MT_INVALIDATE;
  const char *wrong = drops && e->p.c->d.L2_SLEEPS ? hd_slice_note_dropped(e) : NULL;
  if (wrong)
    return wrong;
  for (unsigned i = 0; i < e->n_lines && !e->behind_bus; i++) {
    struct l2_line *line = &e->pool[i];
    if (command->taken_op & HD_MT_WRITE_BACK && memcmp(line->now, line->memory, line_bytes(e)))
      return "is done, and a line is not written back";
    if (!drops)
      continue;
    for (unsigned w = 0; hd_below(&e->p, 4) == 0 && w < e->p.c->d.L2_WORDS; w++)
      line->memory[w] = hd_bits(&e->p, 64);
    memcpy(line->now, line->memory, line_bytes(e));
    line->versions = 0;
  }
  e->p.env.checked++;
  return NULL;
}

/* Checks the command port. `taken`: a request is taken in this cycle. Returns NULL, or the error. */
static const char *check_commands(struct l2_env *e, const struct l2_outputs *out, bool taken) {
  struct l2_commands *command = &e->command;
  if (!e->p.c->d.L2_MAINT)
    return NULL;
  const char *wrong = out->mt_done ? check_command(e) : NULL;
  if (wrong)
    return wrong;
  if (command->going && (out->mt_ready || taken))
    return "goes on, and another one, or a request, is taken";
  if (command->going &&
      e->fair - command->born > hd_slice_patience(&e->p.c->d) + 5 * e->p.c->d.L2_LINES * e->sectors)
    return "does not end";
  if (command->offered && out->mt_ready) {
    command->offered = false;
    command->going = true;
    command->taken_op = command->op;
    command->born = e->fair;
  }
  return NULL;
}

bool hd_slice_check(struct l2_env *e, const struct l2_outputs *out) {
  struct hd_env *env = &e->p.env;
  const bool taken = e->offering && out->req_ready, give = out->rsp_valid && e->rsp_ready,
             send = out->out_valid && e->out_ready, fill = e->filling && out->fill_ready;
  if (!held_ok(e, out))
    return false;
  const char *wrong = check_commands(e, out, taken);
  if (wrong)
    return hd_fail(env, "the command (op %" PRIu64 ") %s", e->command.taken_op, wrong);
  wrong = give ? check_answer(e, out) : NULL;
  if (wrong) {
    const struct l2rsp *r = out->rsp;
    return hd_fail(env,
                   "the answer (kind %" PRIu64 ", SM %" PRIu64 ", MSHR %" PRIu64 ", warp %" PRIu64
                   " slot %" PRIu64 " number %" PRIu64 ", entry %" PRIu64 ", count %" PRIu64 ") %s",
                   r->kind, r->sm, r->id, r->wid, r->slot, r->num, r->pe, r->count, wrong);
  }
  if (fill)
    filled(e);
  wrong = send ? check_out(e, out) : NULL;
  if (wrong)
    return hd_fail(env, "what leaves (write %" PRIu64 ", line 0x%" PRIx64 ", MSHR %" PRIu64 ") %s",
                   out->out->write, out->out->line, out->out->id, wrong);
  if (taken)
    take(e);
  e->silent = e->records || out->out_valid || e->bus_moves ? 0 : e->silent + 1;
  return check_wait(e, taken || give || send || fill);
}

bool hd_slice_done(const struct hd_env *env) {
  const struct l2_env *e = (const struct l2_env *)env;
  return env->stop && e->ended == e->n_lines && !e->offering && !e->command.offered && !e->command.going &&
         !e->n_reads && e->silent >= SILENCE;
}

bool hd_slice_finish(struct hd_env *env) {
  const struct l2_env *e = (const struct l2_env *)env;
  for (unsigned i = 0; i < e->n_lines; i++)
    if (!e->pool[i].read_back && memcmp(e->pool[i].now, e->pool[i].memory, line_bytes(e)))
      return hd_fail(env,
                     "line 0x%" PRIx64 " is neither in the slice nor in the memory as the stores made it",
                     hd_slice_line_of(&e->p.c->d, e->pool[i].addr));
  return true;
}
