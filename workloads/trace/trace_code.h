/* The coding of a warp's instructions inside one block of a .htrace file; docs/trace.md has it byte by byte.
 *
 * What stands still (operation, pc, registers, size) is said once a block and then referred to by number; an
 * address is said as its distance from the one before at the same static instruction, so that a loop's
 * iterations look alike to the compressor behind this.
 *
 * Invariant: a block decodes without any other; the decoder believes nothing, so any bytes end in instructions
 * that keep the promises of stream.h, or in `false`.
 */
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

/* A static instruction, and the address its last one began with. */
struct wl_trace_static {
  uint64_t src, last;
  uint32_t pc;
  uint8_t op, size;
  int8_t dst;
  bool seen; /* whether `last` says anything */
};

/* The instructions of a block so far. */
struct wl_trace_context {
  uint32_t mask, pc; /* of the instruction before; of the last new static instruction */
  uint64_t last;     /* address the last memory instruction began with */
  uint32_t statics;
};

struct wl_trace_encoder {
  struct wl_trace_context now;
  size_t used; /* bytes of `bytes` */
  uint8_t bytes[WL_TRACE_BLOCK];
  struct wl_trace_static known[WL_TRACE_STATICS];
  uint16_t place[WL_TRACE_HASH]; /* number in `known`, plus 1; 0: free */
};

struct wl_trace_decoder {
  struct wl_trace_context now;
  const uint8_t *at, *end;
  const uint8_t *shape;          /* of the addresses of the last instruction that has some */
  struct wl_trace_static *known; /* grows as the block needs it */
  uint32_t room;
  bool no_memory; /* for `known`: it gives no more */
};

/* Starts an empty block. */
void wl_trace_encode_begin(struct wl_trace_encoder *e);
/* Appends the instruction; false: the block is full, nothing was appended. An empty block takes any. */
bool wl_trace_encode(struct wl_trace_encoder *e, const struct wl_inst *inst);

/* Starts on a block of n bytes, which must stay. The first time `d` is all zeros; free d->known at the end. */
void wl_trace_decode_begin(struct wl_trace_decoder *d, const uint8_t *bytes, size_t n);

#endif
