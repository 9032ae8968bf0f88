/* The coding of a warp's instructions inside one block of a .htrace file; docs/trace.md has it byte by byte.
 *
 * What stands still (operation, pc, registers, size) is said once a block and then referred to by number; an
 * address is said as its distance from the one before at the same static instruction, so that a loop's
 * iterations look alike to the compressor behind this.
 *
 * Invariant: a block decodes without any other; the decoder believes nothing, so any bytes end in instructions
 * that keep the promises of stream.h, or in `false`.
 *
 * Inlined: with calls instead, heddle sim executes 0.6 % more instructions (gpu/gtx480 on Accel-Sim's trace of gemm). */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_CODE_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_CODE_H

#include "workloads/stream.h"

#include <stddef.h>

enum {
  WL_TRACE_BLOCK = 32000,  /* bytes in a block, at most */
  WL_TRACE_INST = 400,     /* bytes of one instruction, at most */
  WL_TRACE_STATICS = 1024, /* static instructions a block knows, at most */
  WL_TRACE_HASH = 2048     /* places in the encoder's table of them */
};

/* A static instruction. */
struct wl_trace_static {
  uint64_t src;
  uint32_t pc;
  uint8_t op, size;
  int8_t dst;
  bool plain;     /* decoder: it has no addresses and ends no warp */
  uint16_t place; /* decoder: in `last`, if it is not plain */
};
/* Of a static instruction: the address its last one began with. */
struct wl_trace_last {
  uint64_t last;
  bool seen; /* whether `last` says anything */
};

/* The instructions of a block so far. */
struct wl_trace_context {
  uint64_t last; /* address the last memory instruction began with */
  uint32_t statics;
  uint32_t mask, pc; /* of the instruction before; of the last new static instruction */
};

struct wl_trace_encoder {
  struct wl_trace_context now;
  size_t used; /* bytes of `bytes` */
  uint8_t bytes[WL_TRACE_BLOCK];
  struct wl_trace_static known[WL_TRACE_STATICS];
  struct wl_trace_last last[WL_TRACE_STATICS];
  uint16_t place[WL_TRACE_HASH];       /* number in `known`, plus 1; 0: free */
  uint16_t place_of[WL_TRACE_STATICS]; /* of each in `known` */
};

struct wl_trace_statics; /* workloads/trace/trace_statics.h */
/* What most instructions need comes first: 56 bytes, up to now.mask. */
struct wl_trace_decoder {
  const uint8_t *at, *end;
  /* The block's so far: of `common`, or `own` from the first on that is not in there. */
  const struct wl_trace_static *known;
  struct wl_trace_last *last; /* of those that are not plain */
  uint64_t shape; /* of the addresses of the last instruction that has some: the word after the first, */
  struct wl_trace_context now;
  const uint8_t *distances; /* and what comes after that */
  struct wl_trace_statics *common;
  struct wl_trace_static *own; /* this and `last` grow as blocks need it */
  uint32_t own_room, places, last_room;
  bool no_memory; /* it gives no more */
};

/* Starts an empty block. The first time `e` is all zeros. */
void wl_trace_encode_begin(struct wl_trace_encoder *e);
/* Appends the instruction; false: the block is full, nothing was appended. An empty block takes any. `stride`: NULL; or that of the
 * addresses of its active lanes, of which only the first is looked at then. */
bool wl_trace_encode(struct wl_trace_encoder *e, const struct wl_inst *inst, const uint64_t *stride);

/* Starts on a block of n bytes, which must stay, as must `common`. The first time `d` is all zeros; wl_trace_decode_end at the end. */
void wl_trace_decode_begin(struct wl_trace_decoder *d, const uint8_t *bytes, size_t n,
                           struct wl_trace_statics *common);
void wl_trace_decode_end(struct wl_trace_decoder *d);

/* ---- Decoding ---- */

/* The word after an address: distances from lane to lane follow; else it is twice the folded stride. */
enum { WL_TRACE_DISTANCES = 1 };

/* A number of more than a byte, or none. */
bool wl_trace_get_long(struct wl_trace_decoder *d, uint64_t *x);
/* A static instruction that the block has not had; false as wl_trace_decode. */
bool wl_trace_get_static(struct wl_trace_decoder *d);

/* Whether `addr` of the instruction says anything. */
static inline bool wl_trace_has_addresses(enum wl_op op, uint8_t size, uint32_t active) {
  return active && (wl_is_memory(op) || (op == WL_SHARED && size));
}

static inline uint64_t wl_trace_unfold(uint64_t x) {
  return x >> 1 ^ (x & 1 ? UINT64_MAX : 0);
}

/* Most are one byte. */
static inline bool wl_trace_get(struct wl_trace_decoder *d, uint64_t *x) {
  if (d->at == d->end || *d->at >= 128)
    return wl_trace_get_long(d, x);
  *x = *d->at++;
  return true;
}

/* Passes over the addresses of the lanes of `active`, which wl_trace_locate gives. */
static inline bool wl_trace_pass_addresses(struct wl_trace_decoder *d, const struct wl_trace_static *s,
                                           uint32_t active) {
  struct wl_trace_last *before = &d->last[s->place];
  uint64_t word, shape;
  if (!wl_trace_get(d, &word) || !wl_trace_get(d, &shape))
    return false;
  d->shape = shape;
  d->distances = d->at;
  const uint64_t base = wl_trace_unfold(word) + (before->seen ? before->last : d->now.last);
  const uint32_t rest = active & (active - 1);
  uint64_t addr = base, any = base;
  *before = (struct wl_trace_last){d->now.last = base, true};
  if (shape & WL_TRACE_DISTANCES)
    for (uint32_t lanes = rest; lanes; lanes &= lanes - 1) {
      if (!wl_trace_get(d, &word))
        return false;
      any |= addr += wl_trace_unfold(word);
    }
  else if (rest &&
           ((base | wl_trace_unfold(shape >> 1)) & (s->size - 1U))) /* rare: to be looked at by lane */
    for (uint32_t lanes = rest; lanes; lanes &= lanes - 1)
      any |= base + wl_trace_unfold(shape >> 1) * (unsigned)(__builtin_ctz(lanes) - __builtin_ctz(active));
  return (any & (s->size - 1U)) == 0;
}

/* Gives the addresses of the instruction that was decoded last, if it has some. */
static inline void wl_trace_locate(const struct wl_trace_decoder *d, struct wl_inst *inst) {
  if (!wl_trace_has_addresses(inst->op, inst->size, inst->active))
    return;
  const unsigned first = (unsigned)__builtin_ctz(inst->active);
  uint64_t addr = d->now.last, word = 0;
  if (!(d->shape & WL_TRACE_DISTANCES)) { /* the usual shape, kept free of tests by lane */
    const uint64_t stride = wl_trace_unfold(d->shape >> 1);
    addr -= first * stride;
    for (int l = 0; l < WL_LANES; l++, addr += stride)
      inst->addr[l] = addr;
    return;
  }
  struct wl_trace_decoder again = {.at = d->distances, .end = d->end};
  inst->addr[first] = addr;
  for (uint32_t rest = inst->active & (inst->active - 1); rest; rest &= rest - 1) {
    wl_trace_get(&again, &word);
    inst->addr[__builtin_ctz(rest)] = addr += wl_trace_unfold(word);
  }
}

/* As `stride` of stream.h, for the instruction that was decoded last. */
static inline bool wl_trace_stride(const struct wl_trace_decoder *d, const struct wl_inst *inst,
                                   uint64_t *first, uint64_t *stride) {
  if (inst->active != UINT32_MAX || !wl_trace_has_addresses(inst->op, inst->size, inst->active))
    return false;
  *first = d->now.last;
  *stride = wl_trace_unfold(d->shape >> 1);
  return !(d->shape & WL_TRACE_DISTANCES);
}

static inline void wl_trace_give(const struct wl_trace_static *s, uint32_t active, struct wl_inst *inst) {
  inst->op = (enum wl_op)s->op;
  inst->pc = s->pc;
  inst->active = active;
  inst->dst = s->dst;
  inst->kind = 0;
  inst->size = s->size;
  inst->src = s->src;
}

/* As wl_trace_decode, of what most instructions are: known, plain, of the lanes of the one before, and not the last of the block.
 * False: it is another, and nothing has happened. Without it heddle sim executes 1.4 % more instructions (gpu/gtx480 on Accel-Sim's
 * trace of gemm). */
static inline bool wl_trace_decode_plain(struct wl_trace_decoder *d, struct wl_inst *inst) {
  if (d->end - d->at < 2 || *d->at & (128 | 1))
    return false;
  const unsigned ref = *d->at >> 1;
  if (ref >= d->now.statics || !d->known[ref].plain)
    return false;
  d->at++;
  wl_trace_give(&d->known[ref], d->now.mask, inst);
  return true;
}

/* Gives the next instruction, all but its addresses; false: the bytes are no instruction, or d->no_memory. Not called at the end,
 * when d->at == d->end. */
static inline bool wl_trace_decode(struct wl_trace_decoder *d, struct wl_inst *inst) {
  uint64_t ref;
  if (!wl_trace_get(d, &ref) || ref >> 1 > d->now.statics ||
      (ref >> 1 == d->now.statics && !wl_trace_get_static(d)))
    return false;
  const struct wl_trace_static *s = &d->known[ref >> 1];
  if (ref & 1) {
    if (d->end - d->at < 4)
      return false;
    d->now.mask = d->at[0] | (uint32_t)d->at[1] << 8 | (uint32_t)d->at[2] << 16 | (uint32_t)d->at[3] << 24;
    d->at += 4;
  }
  wl_trace_give(s, d->now.mask, inst);
  if (wl_trace_has_addresses(inst->op, inst->size, inst->active))
    return wl_trace_pass_addresses(d, s, inst->active);
  return !wl_is_memory(inst->op);
}

#endif
