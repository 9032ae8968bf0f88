/* The instructions inside sm_mem, and their requests; see in_flight.h. */
#include "verif/sm/in_flight.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The table is not cleared: an entry is set when its instruction is issued, and other members of an entry that is not live are never
 * read. Clearing it for each new environment took 1.6 % of a lockstep's instructions. */
bool hd_flight_init(struct hd_in_flight *f, const struct hd_config *c) {
  *f = (struct hd_in_flight){.c = c};
  f->table = malloc((size_t)c->d.WARPS * c->sm.loads * sizeof *f->table);
  if (f->table)
    hd_flight_reset(f);
  return f->table != NULL;
}

void hd_flight_free(struct hd_in_flight *f) {
  free(f->table);
}

void hd_flight_reset(struct hd_in_flight *f) {
  for (unsigned i = 0; i < f->c->d.WARPS * f->c->sm.loads; i++)
    f->table[i].live = false;
  f->inside = 0;
}

bool hd_flight_wrong(struct hd_in_flight *f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!f->text[0])
    vsnprintf(f->text, sizeof f->text, format, args);
  va_end(args);
  return false;
}

bool hd_flight_wrong_request(struct hd_in_flight *f, const struct hd_flight_inst *i, unsigned num,
                             const char *wrong) {
  return hd_flight_wrong(f,
                         "%s line 0x%" PRIx64 " (warp %u slot %u number %u, issued in cycle %" PRIu64 ") %s",
                         i->op == HD_UNCACHED         ? "uncached load of"
                         : i->op                      ? "atomic to"
                         : i->what == HD_FLIGHT_STORE ? "store to"
                                                      : "load of",
                         i->request[num].line, i->wid, i->slot, num, i->issued, wrong);
}

static struct hd_flight_inst *find(const struct hd_in_flight *f, uint64_t wid, uint64_t slot) {
  const bool there = wid < f->c->d.WARPS && slot < f->c->sm.loads;
  return there ? &f->table[wid * f->c->sm.loads + slot] : NULL;
}

struct hd_flight_request *hd_flight_named(struct hd_in_flight *f, const char *port, unsigned what,
                                          uint64_t wid, uint64_t slot, uint64_t num,
                                          struct hd_flight_inst **of) {
  struct hd_flight_inst *i = *of = find(f, wid, slot);
  if (i && i->live && i->entered && num < i->n && (i->what & what))
    return &i->request[num];
  hd_flight_wrong(f,
                  "%s names a %s of warp %" PRIu64 " slot %" PRIu64 " number %" PRIu64
                  ", and no such request is in flight",
                  port, what & HD_FLIGHT_STORE ? "store" : "load", wid, slot, num);
  return NULL;
}

void hd_flight_written(const struct hd_in_flight *f, const struct hd_flight_inst *i,
                       const struct hd_flight_request *r, uint64_t *mask) {
  memset(mask, 0, f->c->d.WORDS * sizeof *mask);
  for (uint64_t rest = r->lanes; rest; rest &= rest - 1) {
    const uint64_t at = i->inst.addr[__builtin_ctzll(rest)] & (f->c->d.LINE_BYTES - 1);
    for (uint64_t b = at; b < at + i->inst.size; b++)
      mask[b / 8] |= UINT64_C(1) << b % 8;
  }
}

bool hd_flight_brings(struct hd_in_flight *f, const struct hd_flight_inst *i, unsigned num,
                      const uint64_t *data, const uint64_t *mask) {
  const struct hd_flight_request *r = &i->request[num];
  uint64_t written[HD_MAX_WORDS];
  hd_flight_written(f, i, r, written);
  const size_t n = f->c->d.WORDS * sizeof *written;
  if (memcmp(mask, written, n) || memcmp(mask, r->access.mask, n))
    return hd_flight_wrong_request(f, i, num, "is sent with a byte mask that is not that of its lanes");
  return !memcmp(data, r->access.data, n) ||
         hd_flight_wrong_request(f, i, num, "is sent with other bytes than the SM gave");
}

/* Returns the number of the address's sector in its line. */
static uint64_t sector_of(const struct hd_in_flight *f, uint64_t addr) {
  return (addr & (f->c->d.LINE_BYTES - 1)) / f->c->l1d.sector_bytes;
}

/* Returns a mask of the sectors that the lanes of a request access. */
static uint64_t sectors_of(const struct hd_in_flight *f, const struct hd_flight_inst *i,
                           const struct hd_flight_request *r) {
  uint64_t sectors = 0;
  for (uint64_t rest = r->lanes; rest; rest &= rest - 1)
    sectors |= UINT64_C(1) << sector_of(f, i->inst.addr[__builtin_ctzll(rest)]);
  return sectors;
}

bool hd_flight_wants(struct hd_in_flight *f, const struct hd_flight_inst *i, unsigned num,
                     const struct sreq *q) {
  const struct hd_derived *d = &f->c->d;
  const uint64_t all = hd_ones(d->SECTORS);
  const bool some = d->SECTORED && (q->kind == HD_BYPASSED || (q->kind == HD_STORE && d->SPLIT));
  return q->sectors == (some ? sectors_of(f, i, &i->request[num]) : all) ||
         hd_flight_wrong_request(f, i, num, "is sent for other sectors than its lanes want");
}

bool hd_flight_fetches(struct hd_in_flight *f, const struct sreq *q) {
  const uint64_t all = hd_ones(f->c->d.SECTORS);
  const bool one = q->sectors && !(q->sectors & (q->sectors - 1));
  return (f->c->d.SECTOR_FILL ? one : q->sectors == all) ||
         hd_flight_wrong(f, "of line 0x%" PRIx64 " other sectors are fetched than a miss fetches", q->line);
}

uint64_t hd_flight_unit_of(const struct hd_in_flight *f, const struct hd_flight_inst *i,
                           const struct hd_flight_request *r) {
  return hd_unit(&f->c->d, r->line, f->c->d.SECTOR_FILL ? sectors_of(f, i, r) : 0);
}

void hd_flight_brought(const struct hd_in_flight *f, const struct hd_flight_inst *i,
                       const struct hd_flight_request *r, uint64_t *mask) {
  const bool some = f->c->d.SECTORED && (r->state == RETURNED || f->c->d.SECTOR_FILL);
  const uint64_t sectors = some ? sectors_of(f, i, r) : 0;
  for (unsigned w = 0; w < f->c->d.WORDS; w++)
    mask[w] = !some || sectors >> 8 * w / f->c->l1d.sector_bytes & 1 ? 0xff : 0;
}

/* Returns the op of an instruction. See docs/mechanisms/l1d.md, Request kinds; docs/sm.md, D-SM-9. */
static uint64_t op_of(const struct hd_derived *d, const struct wl_inst *i) {
  if (d->KINDS && i->op == WL_LOAD)
    return i->kind ? HD_UNCACHED : 0;
  if (d->ATOMICS && i->op == WL_ATOMIC)
    return i->kind ? i->kind : HD_ATOM_ADD;
  return 0;
}

void hd_flight_issue(struct hd_in_flight *f, const struct hd_sm_mem_inst *mi) {
  struct hd_flight_inst *i = find(f, mi->wid, mi->slot);
  if (!i || i->live) {
    hd_flight_wrong(f, "the SM issues an instruction to warp %u slot %u, which is not free", mi->wid,
                    mi->slot);
    return;
  }
  i->live = true;
  i->entered = false;
  i->wid = mi->wid;
  i->slot = mi->slot;
  i->n = i->answered = 0;
  i->issued = f->cycle;
  i->who = (struct hd_who){.cta = mi->cta, .place = mi->warp_in_cta, .epoch = mi->epoch};
  i->inst = *mi->inst;
  i->op = op_of(&f->c->d, mi->inst);
  i->what = i->op ? HD_FLIGHT_ASIDE : mi->inst->op == WL_LOAD ? HD_FLIGHT_LOAD : HD_FLIGHT_STORE;
  for (uint32_t rest = mi->inst->active; rest; rest &= rest - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(rest);
    const uint64_t addr = mi->inst->addr[lane], line = addr >> f->c->d.OFFSET_W;
    unsigned k = 0;
    while (k < i->n &&
           !(i->request[k].line == line &&
             (!f->c->d.SPLIT || sectors_of(f, i, &i->request[k]) == UINT64_C(1) << sector_of(f, addr))))
      k++;
    struct hd_flight_request *r = &i->request[k];
    if (k == i->n) {
      i->n++;
      r->state = WAITS;
      r->failed = false;
      r->line = line;
      r->lanes = r->may_bypass = 0;
      r->access.excluded = false;
      r->access.who = &i->who;
    }
    r->lanes |= UINT64_C(1) << lane;
  }
  f->inside++;
}

void hd_flight_done(struct hd_in_flight *f, unsigned wid, unsigned slot) {
  const struct hd_flight_inst *i = find(f, wid, slot);
  if (!i || i->live)
    hd_flight_wrong(
        f, "the SM takes the instruction of warp %u slot %u for done, and %u of its %u requests are answered",
        wid, slot, i ? i->answered : 0, i ? i->n : 0);
}

static uint64_t low_bits(unsigned n) {
  return hd_ones(n);
}

uint64_t hd_flight_pc(const struct hd_in_flight *f, const struct hd_flight_inst *i) {
  return i->inst.pc & low_bits(f->c->d.PC_W);
}

/* Compares the lanes, and the values from which prefetchers learn. */
struct hd_flight_inst *hd_flight_enter(struct hd_in_flight *f, const struct sm_mem_in *in) {
  struct hd_flight_inst *i = find(f, in->issue_wid, in->issue_slot);
  bool same = i && i->live && !i->entered && in->issue_mask == i->inst.active &&
              in->issue_write == (i->what != HD_FLIGHT_LOAD) && (!f->c->d.KINDS || in->issue_op == i->op);
  for (uint64_t rest = same ? in->issue_mask : 0; rest; rest &= rest - 1) {
    const int lane = __builtin_ctzll(rest);
    same = same && in->issue_line[lane] == i->inst.addr[lane] >> f->c->d.OFFSET_W &&
           (!f->c->d.SECTORED || in->issue_sector[lane] == sector_of(f, i->inst.addr[lane]));
  }
  const int first = same ? __builtin_ctzll(in->issue_mask) : 0;
  if (same && (!in->issue_write || f->c->d.LOS))
    same = in->issue_pc == hd_flight_pc(f, i) &&
           (in->issue_write || !f->c->d.STRIDE ||
            in->issue_low == (i->inst.addr[first] & low_bits(f->c->d.LOW_W)));
  if (!same) {
    hd_flight_wrong(
        f, "the SM offers an instruction of warp %" PRIu64 " slot %" PRIu64 " that is not the one it issued",
        in->issue_wid, in->issue_slot);
    return NULL;
  }
  i->entered = true;
  return i;
}

void hd_flight_answer(struct hd_in_flight *f, struct hd_flight_inst *i, struct hd_flight_request *r) {
  r->state = ANSWERED;
  if (++i->answered == i->n) {
    i->live = false;
    f->inside--;
  }
}

bool hd_flight_finish(struct hd_in_flight *f) {
  for (unsigned i = 0; i < f->c->d.WARPS * f->c->sm.loads; i++)
    for (unsigned k = 0; f->table[i].live && k < f->table[i].n; k++)
      if (f->table[i].request[k].state != ANSWERED)
        return hd_flight_wrong_request(f, &f->table[i], k, "was never answered");
  return true;
}

bool hd_flight_busy(const struct hd_in_flight *f, unsigned wid) {
  bool busy = false;
  for (unsigned slot = 0; slot < f->c->sm.loads; slot++)
    busy = busy || f->table[wid * f->c->sm.loads + slot].live;
  return busy;
}
