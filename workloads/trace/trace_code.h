/* The coding of a warp's instructions inside one block of a .htrace file; docs/trace.md has it byte by
 * byte.
 *
 * The constant parts of an instruction (operation, pc, registers, size) are written once per block; a
 * number refers to them afterwards. An address is written as its distance from the last address of the same
 * static instruction, so that the iterations of a loop look alike to the compressor that follows.
 *
 * Invariant: a block decodes without any other. The decoder checks everything: any bytes give either
 * instructions that keep the promises of stream.h, or `false`.
 *
 * Inlined: with calls instead, heddle sim executes 0.6 % more instructions (gpu/gtx480 on Accel-Sim's trace of gemm). */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_CODE_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_CODE_H

#include "workloads/stream.h"

#include <stddef.h>

enum {
  WL_TRACE_BLOCK = 32000,  /* largest size of a block in bytes */
  WL_TRACE_INST = 400,     /* largest size of an instruction in bytes */
  WL_TRACE_STATICS = 1024, /* most static instructions in a block */
  WL_TRACE_HASH = 2048     /* entries in the encoder's hash table of them */
};

/* A static instruction. */
struct wl_trace_static {
  uint64_t src;
  uint32_t pc;
  uint8_t op, size;
  int8_t dst;
  bool plain;     /* decoder: has no addresses and is no EXIT */
  uint16_t place; /* decoder: index in `last`, if not plain */
};
/* For a static instruction: the first address of its last execution. */
struct wl_trace_last {
  uint64_t last;
  bool seen; /* true if `last` is valid */
};

/* The state of a block so far. */
struct wl_trace_context {
  uint64_t last; /* first address of the last instruction with addresses */
  uint32_t statics;
  uint32_t mask, pc; /* lane mask of the last instruction; pc of the last new static instruction */
};

struct wl_trace_encoder {
  struct wl_trace_context now;
  size_t used; /* bytes used of `bytes` */
  uint8_t bytes[WL_TRACE_BLOCK];
  struct wl_trace_static known[WL_TRACE_STATICS];
  struct wl_trace_last last[WL_TRACE_STATICS];
  uint16_t place[WL_TRACE_HASH];       /* index in `known`, plus 1; 0: free */
  uint16_t place_of[WL_TRACE_STATICS]; /* for each in `known`: its index in `place` */
};

struct wl_trace_statics; /* see workloads/trace/trace_statics.h */
/* The members that most instructions need come first: 56 bytes, up to now.mask. */
struct wl_trace_decoder {
  const uint8_t *at, *end;
  /* The static instructions of the block so far. Points into `common` while that has all of them; after the
   * first that it lacks, to `own`, which then holds all. */
  const struct wl_trace_static *known;
  struct wl_trace_last *last; /* of the static instructions that are not plain */
  uint64_t shape;             /* for the last instruction with addresses: the word after the first address */
  struct wl_trace_context now;
  const uint8_t *distances; /* for the same instruction: the bytes after that word */
  struct wl_trace_statics *common;
  struct wl_trace_static *own; /* this and `last` grow as blocks need it */
  uint32_t own_room, places, last_room;
  bool no_memory; /* memory is out; the decoder gives no more */
};

/* Starts an empty block. Before the first call `e` must be all zeros. */
void wl_trace_encode_begin(struct wl_trace_encoder *e);
/* Appends the instruction. Returns false if the block is full; then nothing was appended. An empty block
 * takes any instruction. If `stride` is not NULL, it is the distance between neighbouring lanes, and only
 * the first active lane's address is read. */
bool wl_trace_encode(struct wl_trace_encoder *e, const struct wl_inst *inst, const uint64_t *stride);

/* Starts on a block of n bytes. The bytes and `common` must stay valid. Before the first call `d` must be
 * all zeros; call wl_trace_decode_end at the end. */
void wl_trace_decode_begin(struct wl_trace_decoder *d, const uint8_t *bytes, size_t n,
                           struct wl_trace_statics *common);
void wl_trace_decode_end(struct wl_trace_decoder *d);

/* ---- Decoding ---- */

/* The word after the first address. WL_TRACE_DISTANCES: distances from lane to lane follow. Else it is
 * twice the folded stride. */
enum { WL_TRACE_DISTANCES = 1 };

/* Reads a number of more than one byte. Returns false if there is none. */
bool wl_trace_get_long(struct wl_trace_decoder *d, uint64_t *x);
/* Reads a static instruction that is new in the block. Returns false as wl_trace_decode does. */
bool wl_trace_get_static(struct wl_trace_decoder *d);

/* True if the instruction's `addr` is valid. */
static inline bool wl_trace_has_addresses(enum wl_op op, uint8_t size, uint32_t active) {
  return active && (wl_is_memory(op) || (op == WL_SHARED && size));
}

static inline uint64_t wl_trace_unfold(uint64_t x) {
  return x >> 1 ^ (x & 1 ? UINT64_MAX : 0);
}

/* Most numbers are one byte. */
static inline bool wl_trace_get(struct wl_trace_decoder *d, uint64_t *x) {
  if (d->at == d->end || *d->at >= 128)
    return wl_trace_get_long(d, x);
  *x = *d->at++;
  return true;
}

/* Skips the addresses of the lanes in `active`, and checks them. wl_trace_locate gives them later. */
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
  else if (rest && ((base | wl_trace_unfold(shape >> 1)) & (s->size - 1U))) /* rare: check lane by lane */
    for (uint32_t lanes = rest; lanes; lanes &= lanes - 1)
      any |= base + wl_trace_unfold(shape >> 1) * (unsigned)(__builtin_ctz(lanes) - __builtin_ctz(active));
  return (any & (s->size - 1U)) == 0;
}

/* Gives the addresses of the last decoded instruction, if it has some. */
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

/* The same as `stride` of stream.h, for the last decoded instruction. */
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

/* wl_trace_decode for the common case: a known, plain static instruction with the lane mask of the
 * instruction before, which is not the last of the block. Returns false and changes nothing in all other
 * cases. Without this function heddle sim executes 1.4 % more instructions (gpu/gtx480 on Accel-Sim's trace
 * of gemm). */
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

/* Gives the next instruction without its addresses. Returns false if the bytes are no instruction, or with
 * d->no_memory set. Not to be called at the end, when d->at == d->end. */
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
