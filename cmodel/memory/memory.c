/* The memory behind the port: a link each way, a latency between them, and the lines stored to. See memory.h.
 *
 * A request is performed (bytes written, or read for the answer) when it is accepted. So requests to one line are
 * performed in the order in which they came, whatever the order of their answers. Times on the links are counted in
 * bytes: byte b of a link passes in cycle b / bytes_per_cycle.
 *
 * Invariant: `flights` is in order of acceptance. `ready` and `offered` are the values that the current cycle drives.
 * They do not depend on when or how often they are driven. */
#include "cmodel/memory/memory.h"

#include <stdlib.h>
#include <string.h>
/* uthash calls this if memory runs out. `mem` is the struct hd_memory at each place that uses it. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(line) mem->no_memory = true
#include <uthash.h>
#ifndef NDEBUG
#define NDEBUG /* utlist has asserts, and the library must not abort */
#endif
#include <utlist.h>

#include "cmodel/memory/atomics.h"
#include "cmodel/model/bits.h"
#include "workloads/rng.h"

enum { HEADER = 8 };
enum { PHASE = 256, EIGHTHS = 8 }; /* random mode: cycles between changes of mood; a mood is in eighths */

struct line {
  uint64_t line;
  UT_hash_handle hh;
  uint64_t word[];
};

/* An answer on its way. */
struct flight {
  struct flight *prev, *next;
  struct srsp rsp;
  uint64_t line, due; /* due: first cycle in which it can be offered */
  uint64_t sectors;   /* the sectors that it brings */
  uint64_t word[];
};

struct hd_memory {
  struct hd_port port;
  struct hd_memory_options options;
  unsigned words, line_bytes, sector_bytes; /* sector_bytes: 0 if requests have no sectors */
  bool fails;                               /* random mode: answers may be errors */
  bool gated;             /* random mode with LoSCache: answers say that lines slept; queries come */
  uint64_t most_count;    /* the largest count in a query's answer */
  uint64_t latency, rate; /* cycles; bytes a cycle */
  uint64_t now;
  uint64_t up_free, down_free; /* byte times from which the links are free */
  uint64_t up_start;           /* first cycle in which another request can start: the cycle of up_free */
  struct flight *flights, *spare;
  struct flight *offered;
  bool ready;
  struct wl_rng rng;
  unsigned ready_mood, answer_mood; /* random mode: active cycles of eight */
  struct line *lines;
  struct hd_memory_stats stats;
  bool no_memory; /* a request, or a stored line, is lost */
};

uint64_t hd_memory_initial(uint64_t line, unsigned word) {
  return wl_rng_mix(line, word);
}

static unsigned draw(struct hd_memory *mem, uint64_t bound) {
  return wl_rng_below(&mem->rng, bound);
}

/* Returns the answer to offer: draws one of those that are due, and takes the oldest for its line, which is due too. */
static struct flight *choose(struct hd_memory *mem) {
  struct flight *f;
  unsigned due = 0;
  DL_FOREACH(mem->flights, f) {
    due += f->due <= mem->now;
  }
  if (!due)
    return NULL;
  unsigned k = draw(mem, due);
  DL_FOREACH(mem->flights, f) {
    if (f->due <= mem->now && k-- == 0)
      break;
  }
  const uint64_t line = f->line;
  DL_FOREACH(mem->flights, f) {
    if (f->line == line)
      break;
  }
  return f;
}

static void arm_random(struct hd_memory *mem) {
  if (mem->now % PHASE == 0) {
    mem->ready_mood = 1 + draw(mem, EIGHTHS);
    mem->answer_mood = 1 + draw(mem, EIGHTHS);
  }
  mem->ready = draw(mem, EIGHTHS) < mem->ready_mood;
  if (!mem->offered && draw(mem, EIGHTHS) < mem->answer_mood)
    mem->offered = choose(mem);
}

/* Decides what cycle `now` drives. An answer that was offered and not taken stays. */
static inline void arm(struct hd_memory *mem) {
  if (mem->options.random) {
    arm_random(mem);
    return;
  }
  mem->ready = mem->now >= mem->up_start;
  mem->offered = mem->flights && mem->flights->due <= mem->now ? mem->flights : NULL;
}

void hd_memory_free(struct hd_memory *mem) {
  if (!mem)
    return;
  struct flight *f, *next_f;
  LL_CONCAT(mem->flights, mem->spare);
  LL_FOREACH_SAFE(mem->flights, f, next_f) {
    free(f);
  }
  struct line *l = mem->lines, *next_l;
  HASH_CLEAR(hh, mem->lines);
  for (; l; l = next_l) {
    next_l = l->hh.next;
    free(l);
  }
  free(mem);
}

bool hd_memory_no_memory(const struct hd_memory *mem) {
  return mem->no_memory;
}

static void drive(struct hd_port *port, struct sm_mem_in *in) {
  const struct hd_memory *mem = (const struct hd_memory *)port;
  in->mreq_ready = mem->ready;
  in->mrsp_valid = mem->offered != NULL;
  if (!mem->offered)
    return;
  in->mrsp = mem->offered->rsp;
  if (!mem->options.data || !hd_is_load(mem->offered->rsp.kind))
    return;
  /* sectors that the answer does not bring are inverted, so nothing can depend on them */
  const uint64_t brought = mem->offered->rsp.error ? 0
                           : mem->sector_bytes     ? mem->offered->sectors
                                                   : UINT64_MAX;
  const unsigned in_sector = mem->sector_bytes ? mem->sector_bytes / 8 : mem->words;
  const uint64_t *word = mem->offered->word;
  for (unsigned s = 0; s * in_sector < mem->words; s++) {
    const uint64_t flip = hd_has(brought, s) ? 0 : UINT64_MAX;
    for (unsigned w = s * in_sector; w < (s + 1) * in_sector; w++)
      in->mrsp_data[w] = word[w] ^ flip;
  }
}

static struct line *find(struct hd_memory *mem, uint64_t line) {
  struct line *l;
  HASH_FIND(hh, mem->lines, &line, sizeof line, l);
  return l;
}

/* Returns the line, for a change. Returns NULL if memory runs out. */
static struct line *find_or_add(struct hd_memory *mem, uint64_t line) {
  struct line *l = find(mem, line);
  if (l)
    return l;
  l = malloc(sizeof *l + mem->words * sizeof *l->word);
  if (!l) {
    mem->no_memory = true;
    return NULL;
  }
  l->line = line;
  for (unsigned w = 0; w < mem->words; w++)
    l->word[w] = hd_memory_initial(l->line, w);
  HASH_ADD(hh, mem->lines, line, sizeof l->line, l);
  if (l->hh.tbl)
    return l;
  free(l);
  return NULL;
}

static void change(struct hd_memory *mem, const struct sm_mem_out *out) {
  struct line *l = find_or_add(mem, out->mreq.line);
  if (l)
    hd_atomic(out->mreq.op, l->word, out->mreq_wdata, out->mreq_wmask, mem->words);
}

static void store(struct hd_memory *mem, const struct sm_mem_out *out) {
  struct line *l = find_or_add(mem, out->mreq.line);
  if (!l)
    return;
  for (unsigned w = 0; w < mem->words; w++) {
    uint64_t bits = 0;
    for (unsigned b = 0; b < 8; b++)
      if (out->mreq_wmask[w] >> b & 1)
        bits |= UINT64_C(0xff) << 8 * b;
    l->word[w] = (l->word[w] & ~bits) | (out->mreq_wdata[w] & bits);
  }
}

static void load(struct hd_memory *mem, struct flight *f) {
  const struct line *l = find(mem, f->line);
  for (unsigned w = 0; w < mem->words; w++)
    f->word[w] = l ? l->word[w] : hd_memory_initial(f->line, w);
}

/* Returns the line bytes that the answer to a load, or a store's request, brings. */
static uint64_t bytes_for(const struct hd_memory *mem, const struct sreq *q) {
  return mem->sector_bytes ? (unsigned)__builtin_popcountll(q->sectors) * mem->sector_bytes : mem->line_bytes;
}

/* Puts the request on the up-link and reserves the answer's place on the down-link. Returns the cycle in which the
 * answer is there. */
static uint64_t fixed_due(struct hd_memory *mem, uint64_t up_bytes, uint64_t down_bytes) {
  const uint64_t start = mem->now * mem->rate, soonest = (mem->now + mem->latency) * mem->rate;
  mem->up_free = (mem->up_free > start ? mem->up_free : start) + up_bytes;
  mem->up_start = mem->up_free / mem->rate;
  mem->down_free += down_bytes;
  if (mem->down_free < soonest)
    mem->down_free = soonest;
  return (mem->down_free + mem->rate - 1) / mem->rate;
}

static uint64_t random_due(struct hd_memory *mem, uint64_t line) {
  uint64_t due = mem->now + 1 + draw(mem, 2 * mem->latency);
  struct flight *f;
  DL_FOREACH(mem->flights, f) {
    if (f->line == line && f->due > due)
      due = f->due;
  }
  return due;
}

/* Draws what a prediction table may hear: counts of every kind, and sometimes that a line was powered off. */
static void random_gating(struct hd_memory *mem, struct srsp *rsp) {
  enum { FEW = 3 }; /* a count has at least two bits */
  if (rsp->kind != HD_QUERY)
    rsp->count = draw(mem, EIGHTHS) == 0 ? 1 + draw(mem, 8) % mem->most_count : 0;
  else
    switch (draw(mem, EIGHTHS)) {
    case 0:
    case 1:
      rsp->count = 0;
      break;
    case 2:
      rsp->count = mem->most_count - draw(mem, 2);
      break;
    case 3:
      rsp->count = draw(mem, mem->most_count + 1);
      break;
    default:
      rsp->count = 1 + draw(mem, FEW);
    }
}

static void random_answer(struct hd_memory *mem, struct flight *f) {
  enum { FAILS = 32 }; /* one answer in this many */
  if (mem->fails)
    f->rsp.error = draw(mem, FAILS) == 0;
  if (mem->gated)
    random_gating(mem, &f->rsp);
  f->due = random_due(mem, f->line);
}

static void accept(struct hd_memory *mem, const struct sm_mem_out *out) {
  const struct sreq *q = &out->mreq;
  const bool write = q->kind == HD_STORE, atomic = q->kind == HD_BYPASSED && q->op >= HD_ATOM_ADD;
  struct flight *f = mem->spare;
  if (f)
    mem->spare = f->next;
  else if (!(f = malloc(sizeof *f + (mem->options.data ? mem->words * sizeof *f->word : 0)))) {
    mem->no_memory = true;
    return;
  }
  f->rsp = hd_srsp_to(q);
  f->line = q->line;
  f->sectors = q->sectors;
  if (mem->options.random)
    random_answer(mem, f);
  else
    f->due = fixed_due(mem, HEADER + (write || atomic ? bytes_for(mem, q) : 0),
                       hd_is_load(q->kind) ? bytes_for(mem, q) : HEADER);
  DL_APPEND(mem->flights, f);

  if (q->kind == HD_QUERY)
    return;
  if (mem->options.data && write)
    store(mem, out);
  else if (mem->options.data)
    load(mem, f);
  if (mem->options.data && atomic)
    change(mem, out);
  mem->stats.reads += !write;
  mem->stats.writes += write;
  *(write ? &mem->stats.write_bytes : &mem->stats.read_bytes) += bytes_for(mem, q);
}

/* The clock edge at the ports. */
static inline void meet(struct hd_memory *mem, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  if (in->mrsp_valid && out->mrsp_ready) {
    DL_DELETE(mem->flights, mem->offered);
    LL_PREPEND(mem->spare, mem->offered);
    mem->offered = NULL;
  }
  if (out->mreq_valid && in->mreq_ready)
    accept(mem, out);
}

static void clock(struct hd_port *port, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  struct hd_memory *mem = (struct hd_memory *)port;
  meet(mem, in, out);
  mem->now++;
  arm(mem);
}

bool hd_memory_idle(const struct hd_memory *mem) {
  return !mem->flights;
}

const struct hd_memory_stats *hd_memory_stats(const struct hd_memory *mem) {
  return &mem->stats;
}

static uint64_t wake(struct hd_port *port, uint64_t now, struct sm_mem_in *in) {
  struct hd_memory *mem = (struct hd_memory *)port;
  mem->now = now;
  arm(mem);
  drive(port, in);
  const uint64_t due = mem->flights && !mem->offered ? mem->flights->due : UINT64_MAX;
  return mem->ready || due < mem->up_start ? due : mem->up_start;
}

static uint64_t take(struct hd_port *port, uint64_t now, struct sm_mem_in *in, const struct sm_mem_out *out) {
  struct hd_memory *mem = (struct hd_memory *)port;
  mem->now = now;
  meet(mem, in, out);
  return wake(port, now + 1, in);
}

static void free_port(struct hd_port *port) {
  hd_memory_free((struct hd_memory *)port);
}

struct hd_port *hd_memory_port(struct hd_memory *mem) {
  return &mem->port;
}

struct hd_memory *hd_memory_new(const struct hd_config *c, const struct hd_memory_options *options) {
  static const struct hd_port_ops ops = {drive, clock, wake, take, free_port};
  struct hd_memory *mem = calloc(1, sizeof *mem);
  if (!mem)
    return NULL;
  mem->port.ops = &ops;
  mem->options = *options;
  mem->words = c->d.WORDS;
  mem->line_bytes = c->l1d.line_bytes;
  mem->sector_bytes = c->d.SECTORED * c->l1d.sector_bytes;
  mem->fails = c->d.ERRORS && options->random;
  mem->gated = c->d.LOS && options->random;
  mem->most_count = hd_ones(c->d.CNT_W);
  mem->latency = c->memory.latency;
  mem->rate = c->memory.bytes_per_cycle;
  mem->rng.state = wl_rng_mix(options->seed, 0);
  arm(mem);
  return mem;
}
