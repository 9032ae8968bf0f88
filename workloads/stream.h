/* The stream interface: where a warp's instructions come from.
 *
 * A workload is a sequence of kernel launches; a launch is a grid of CTAs; a CTA is a number of warps. A
 * warp is a stream of instructions, given one at a time, in program order, as the warp issues them. All
 * sources of instructions (the kernel generators here, a trace reader) implement `struct wl_source_ops`.
 * All users (cmodel/sm/sm.c, the lockstep harness) see this interface only. It is one page, on purpose.
 *
 * Invariant: a stream depends on (launch, CTA, warp) only, never on timing, so that every machine runs the
 * same work.
 *
 * Inlined: with calls instead, heddle sim executes 0.5 % more instructions (gpu/loscache on gemm:tiny). */
#ifndef HEDDLE_WORKLOADS_STREAM_H
#define HEDDLE_WORKLOADS_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { WL_LANES = 32, WL_NO_REG = -1 };

enum wl_op {
  WL_ALU,     /* integer or single-precision arithmetic, compares, branches */
  WL_SFU,     /* division, square root, transcendental */
  WL_SHARED,  /* shared-memory access: no L1D traffic; takes longer on bank conflicts between lanes */
  WL_CONST,   /* constant-cache read: no L1D traffic, a fixed latency */
  WL_TEX,     /* texture fetch: no L1D traffic, a fixed latency */
  WL_LOAD,    /* global or local load: goes through the coalescer to the L1D */
  WL_STORE,   /* global or local store: goes through the coalescer to the L1D, write-through */
  WL_ATOMIC,  /* global read-modify-write, done behind the L1D; travels as a store; the response writes dst */
  WL_FENCE,   /* memory fence: the warp waits until all its memory instructions are done */
  WL_BARRIER, /* CTA-wide barrier */
  WL_EXIT,    /* end of the warp; always the last instruction of a stream */
};

/* One warp instruction. Registers are numbered 0..63 per warp and carry true dependences only. */
struct wl_inst {
  enum wl_op op;
  uint32_t pc;     /* byte offset in the kernel; the same static instruction has the same pc in every warp */
  uint32_t active; /* lane mask, bit l = lane l; never 0 for LOAD, STORE and ATOMIC */
  int8_t dst;      /* register written, or WL_NO_REG */
  uint8_t kind;    /* LOAD: 1 = uncached; ATOMIC: operation as at the SM's port, 0 = addition; else 0 */
  uint8_t size;    /* LOAD, STORE, ATOMIC: bytes per lane: 1, 2, 4, 8 or 16. SHARED: the same, or 0: no
                    * bank conflicts, and `addr` is not valid */
  uint64_t src;    /* mask of the registers read, bit r = register r */
  uint64_t addr
      [WL_LANES]; /* LOAD, STORE, ATOMIC: byte address of each active lane, a multiple of size; SHARED: byte
                   * offset in the CTA's shared memory */
};

/* True if the instruction goes to the coalescer. */
static inline bool wl_is_memory(enum wl_op op) {
  return op == WL_LOAD || op == WL_STORE || op == WL_ATOMIC;
}

/* One kernel launch, as the CTA dispatcher needs it. */
struct wl_launch {
  char name[48];              /* e.g. "atax.k1" */
  uint32_t grid[3], block[3]; /* CTAs in the grid, threads in a CTA, as x, y, z */
  uint32_t ctas;              /* grid[0]*grid[1]*grid[2]; linear ids 0..ctas-1, x fastest */
  uint32_t warps_per_cta;     /* 1..32; the threads fill warps of 32, x fastest */
  uint32_t shared_bytes;      /* bytes of shared memory that a CTA holds */
  uint32_t regs;              /* registers that a thread holds; 0 = not a limit */
};

struct wl_source;

struct wl_source_ops {
  /* Moves to the next launch and describes it. Returns false if there is none. All streams of the previous
   * launch are closed before. */
  bool (*next_launch)(struct wl_source *src, struct wl_launch *launch);
  /* Opens the stream of one warp. Calls come with `cta` ascending (a trace is read forward), once for each
   * warp. Returns NULL on failure; see `error`. */
  void *(*open_warp)(struct wl_source *src, uint32_t cta, uint32_t warp);
  /* Gives the next instruction without its addresses, and leaves inst->addr as it is. Not called again on
   * this stream after WL_EXIT. Calls of next, locate and close_warp on different streams may run at the
   * same time, but not at the same time as a call of another function here. */
  void (*next)(void *stream, struct wl_inst *inst);
  /* Fills in the addresses of the last instruction that `next` gave, if it has addresses. May be called
   * several times. `inst` is as `next` left it. */
  void (*locate)(void *stream, struct wl_inst *inst);
  /* May be NULL. Returns true if it knows that all lanes are active and that the addresses are one stride
   * apart: the address of lane l is `first` + l * `stride` (modulo 2^64). On false the addresses may still
   * be so. */
  bool (*stride)(void *stream, const struct wl_inst *inst, uint64_t *first, uint64_t *stride);
  void (*close_warp)(void *stream);
  void (*close)(struct wl_source *src);
  /* May be NULL. Returns the name of the array of the current launch that holds byte address `addr`, or
   * NULL if no array holds it. For reports and tests. Valid until the next launch. */
  const char *(*array_name)(const struct wl_source *src, uint64_t addr);
  /* May be NULL. Returns the error as one line, with the file and the place in it, or NULL if there was
   * none. After an error next_launch returns false, open_warp returns NULL, and an open stream gives
   * WL_EXIT. */
  const char *(*error)(const struct wl_source *src);
};

/* The first member of every implementation. */
struct wl_source {
  const struct wl_source_ops *ops;
};

/* Gives the next instruction with its addresses. */
static inline void wl_next(const struct wl_source *src, void *stream, struct wl_inst *inst) {
  src->ops->next(stream, inst);
  src->ops->locate(stream, inst);
}

/* For a source that makes whole instructions: copies all but the addresses, as `next` must, or the
 * addresses, as `locate` must. */
static inline void wl_give(struct wl_inst *inst, const struct wl_inst *whole) {
  memcpy(inst, whole, offsetof(struct wl_inst, addr));
}
static inline void wl_give_addresses(struct wl_inst *inst, const struct wl_inst *whole) {
  memcpy(inst->addr, whole->addr, sizeof inst->addr);
}

#endif
