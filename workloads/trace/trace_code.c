/* Encoding one block of instructions, and the rare cases of decoding; see trace_code.h. */
#include "workloads/trace/trace_code.h"
#include "base/grow.h"
#include "workloads/trace/trace_statics.h"

#include <stdlib.h>
#include <string.h>

/* Strides of this magnitude or more are written as distances. */
#define STRIDES (INT64_C(1) << 40)

static bool is_stride(int64_t x) {
  return x < STRIDES && x > -STRIDES;
}

/* Signed to unsigned: small magnitudes of either sign give small numbers. */
static uint64_t fold(uint64_t x) {
  return x << 1 ^ (x >> 63 ? UINT64_MAX : 0);
}

/* --- encoding ------------------------------------------------------------------------------------------- */

static void put_byte(struct wl_trace_encoder *e, uint8_t byte) {
  e->bytes[e->used++] = byte;
}

/* Seven bits per byte, lowest first; the top bit is set in all bytes but the last. */
static void put(struct wl_trace_encoder *e, uint64_t x) {
  for (; x >= 128; x >>= 7)
    put_byte(e, (uint8_t)(x | 128));
  put_byte(e, (uint8_t)x);
}

void wl_trace_encode_begin(struct wl_trace_encoder *e) {
  for (uint32_t i = 0; i < e->now.statics; i++) /* usually few */
    e->place[e->place_of[i]] = 0;
  e->now = (struct wl_trace_context){.mask = UINT32_MAX};
  e->used = 0;
}

static bool is(const struct wl_trace_static *s, const struct wl_inst *i) {
  return s->pc == i->pc && s->op == i->op && s->size == i->size && s->dst == i->dst && s->src == i->src;
}

/* Returns the static instruction's entry in the hash table, or the free entry that it would take. */
static uint16_t *find(struct wl_trace_encoder *e, const struct wl_inst *i) {
  uint64_t h = (i->pc ^ i->src << 17 ^ (uint64_t)i->op << 53 ^ (uint64_t)(uint8_t)i->dst << 33);
  h *= UINT64_C(0x9E3779B97F4A7C15);
  uint32_t p = (uint32_t)(h >> 40) % WL_TRACE_HASH;
  while (e->place[p] && !is(&e->known[e->place[p] - 1], i))
    p = (p + 1) % WL_TRACE_HASH;
  return &e->place[p];
}

/* Returns true if the addresses of the active lanes are one stride apart, and the stride. At least two
 * lanes are active. */
static bool find_stride(const struct wl_inst *inst, int64_t *stride) {
  const uint32_t rest = inst->active & (inst->active - 1);
  const unsigned first = (unsigned)__builtin_ctz(inst->active), second = (unsigned)__builtin_ctz(rest);
  const uint64_t base = inst->addr[first];
  const int64_t step = (int64_t)(inst->addr[second] - base);
  const int64_t gap = (int64_t)(second - first);
  *stride = gap == 1 ? step : step / gap; /* avoids the slow division */
  bool even = *stride * gap == step && is_stride(*stride);
  if (inst->active == UINT32_MAX) { /* the usual mask, kept free of tests by lane */
    uint64_t odd = 0;
    for (int l = 0; l + 1 < WL_LANES; l++)
      odd |= (inst->addr[l + 1] - inst->addr[l]) ^ (uint64_t)*stride;
    return even && !odd;
  }
  for (uint32_t lanes = rest; lanes && even; lanes &= lanes - 1) {
    const unsigned l = (unsigned)__builtin_ctz(lanes);
    even = inst->addr[l] == base + (uint64_t)*stride * (l - first);
  }
  return even;
}

static void put_addresses(struct wl_trace_encoder *e, struct wl_trace_last *before,
                          const struct wl_inst *inst, const uint64_t *told) {
  const uint32_t rest = inst->active & (inst->active - 1);
  const unsigned first = (unsigned)__builtin_ctz(inst->active);
  const uint64_t base = inst->addr[first];
  put(e, fold(base - (before->seen ? before->last : e->now.last)));
  *before = (struct wl_trace_last){e->now.last = base, true};
  int64_t stride = rest && told ? (int64_t)*told : 0;
  const bool even = !rest || (told ? is_stride(stride) : find_stride(inst, &stride));
  put(e, even ? fold((uint64_t)stride) << 1 : WL_TRACE_DISTANCES);
  uint64_t from = base;
  for (uint32_t lanes = even ? 0 : rest; lanes; lanes &= lanes - 1) {
    const unsigned l = (unsigned)__builtin_ctz(lanes);
    const uint64_t addr = told ? base + *told * (l - first) : inst->addr[l];
    put(e, fold(addr - from));
    from = addr;
  }
}

bool wl_trace_encode(struct wl_trace_encoder *e, const struct wl_inst *inst, const uint64_t *stride) {
  uint16_t *place = find(e, inst);
  const bool fresh = !*place;
  if (e->used > WL_TRACE_BLOCK - WL_TRACE_INST || (fresh && e->now.statics == WL_TRACE_STATICS))
    return false;
  if (fresh) {
    e->place_of[e->now.statics] = (uint16_t)(place - e->place);
    *place = (uint16_t)++e->now.statics;
  }
  struct wl_trace_static *s = &e->known[*place - 1];
  const bool masked = inst->active != e->now.mask;
  put(e, (uint64_t)(*place - 1) << 1 | masked);
  if (fresh) {
    *s = (struct wl_trace_static){
        .src = inst->src, .pc = inst->pc, .op = (uint8_t)inst->op, .size = inst->size, .dst = inst->dst};
    e->last[s - e->known].seen = false;
    put_byte(e, s->op);
    put_byte(e, s->size);
    put_byte(e, (uint8_t)(s->dst + 1));
    put(e, fold((uint64_t)s->pc - e->now.pc));
    put(e, s->src);
    e->now.pc = s->pc;
  }
  for (int byte = 0; masked && byte < 4; byte++)
    put_byte(e, (uint8_t)(inst->active >> 8 * byte));
  e->now.mask = inst->active;
  if (wl_trace_has_addresses(inst->op, inst->size, inst->active))
    put_addresses(e, &e->last[s - e->known], inst, stride);
  return true;
}

/* --- decoding ------------------------------------------------------------------------------------------- */

static bool get_byte(struct wl_trace_decoder *d, uint8_t *byte) {
  if (d->at == d->end)
    return false;
  *byte = *d->at++;
  return true;
}

bool wl_trace_get_long(struct wl_trace_decoder *d, uint64_t *x) {
  uint8_t byte;
  *x = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (!get_byte(d, &byte))
      return false;
    *x |= (uint64_t)(byte & 127) << shift;
    if (byte < 128)
      return true;
  }
  return false;
}

void wl_trace_decode_begin(struct wl_trace_decoder *d, const uint8_t *bytes, size_t n,
                           struct wl_trace_statics *common) {
  d->now = (struct wl_trace_context){.mask = UINT32_MAX};
  d->at = bytes;
  d->end = bytes + n;
  d->common = common;
  d->known = common->known;
  d->places = 0;
}

void wl_trace_decode_end(struct wl_trace_decoder *d) {
  free(d->own);
  free(d->last);
}

static bool good_size(enum wl_op op, uint8_t size) {
  const bool power = size && size <= 16 && (size & (size - 1)) == 0;
  return power || (!wl_is_memory(op) && !size);
}

/* Adds the next static instruction of the block: shares the entry of `common` if it is equal, else keeps
 * its own. Returns false if memory is out. */
static bool learn(struct wl_trace_decoder *d, const struct wl_trace_static *s) {
  const uint32_t i = d->now.statics;
  const bool shares = d->known == d->common->known;
  if (shares && wl_trace_statics_have(d->common, i, s))
    return true;
  struct wl_trace_static *own = hd_grown(d->own, i + 1, &d->own_room, sizeof *own);
  if (!own) {
    d->no_memory = true;
    return false;
  }
  if (shares)
    memcpy(own, d->known, i * sizeof *own);
  own[i] = *s;
  d->known = d->own = own;
  return true;
}

bool wl_trace_get_static(struct wl_trace_decoder *d) {
  struct wl_trace_static s;
  uint8_t dst;
  uint64_t pc;
  if (d->now.statics == WL_TRACE_STATICS || !get_byte(d, &s.op) || !get_byte(d, &s.size) ||
      !get_byte(d, &dst) || !wl_trace_get(d, &pc) || !wl_trace_get(d, &s.src))
    return false;
  if (s.op > WL_EXIT || dst > 64 || !good_size((enum wl_op)s.op, s.size))
    return false;
  s.dst = (int8_t)(dst - 1);
  s.pc = d->now.pc += (uint32_t)wl_trace_unfold(pc);
  s.plain = !wl_trace_has_addresses((enum wl_op)s.op, s.size, UINT32_MAX) && s.op != WL_EXIT;
  s.place = (uint16_t)d->places;
  if (!s.plain) {
    struct wl_trace_last *last = hd_grown(d->last, d->places + 1, &d->last_room, sizeof *last);
    if (!last) {
      d->no_memory = true;
      return false;
    }
    d->last = last;
    last[d->places++].seen = false;
  }
  if (!learn(d, &s))
    return false;
  d->now.statics++;
  return true;
}
