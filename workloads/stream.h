/* The stream interface: where a warp's instructions come from.
 *
 * A workload is a sequence of kernel launches; a launch is a grid of CTAs; a CTA is a number of warps; a warp
 * is a stream of instructions, given one at a time, in program order, as the warp issues them. Everything
 * that makes instructions (the kernel generators here, a trace reader) implements `struct wl_source_ops`;
 * everything that runs them (cmodel/sm/sm.c, the lockstep harness) sees nothing else. One page, on purpose.
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
  WL_ALU,    /* integer or single-precision arithmetic, compares, branches */
  WL_SFU,    /* division, square root, transcendental */
  WL_SHARED, /* shared-memory access: no L1D traffic; longer if lanes meet in a bank */
  WL_CONST,  /* constant-cache read: no L1D traffic, a fixed latency */
  WL_TEX,    /* texture fetch: likewise */
  WL_LOAD,   /* global or local load: goes through the coalescer to the L1D */
  WL_STORE,  /* global or local store: likewise, write-through */
  WL_ATOMIC, /* global read-modify-write, done behind the L1D: travels as a store; dst is there when it is answered */
  WL_FENCE,   /* memory fence: the warp goes on when all its memory instructions are done */
  WL_BARRIER, /* CTA-wide barrier */
  WL_EXIT,    /* the warp ends; always the last instruction of a stream */
};

/* One warp instruction. Registers are numbered 0..63 per warp and stand for true dependences only. */
struct wl_inst {
  enum wl_op op;
  uint32_t pc;     /* byte offset in the kernel; the same static instruction has the same pc in every warp */
  uint32_t active; /* lane mask, bit l = lane l; never 0 for LOAD, STORE and ATOMIC */
  int8_t dst;      /* register written, or WL_NO_REG */
  uint8_t kind;    /* LOAD: 1 = uncached; ATOMIC: which, as at the SM's port, or 0: an addition; else 0 */
  uint8_t
      size; /* LOAD, STORE, ATOMIC: bytes a lane: 1, 2, 4, 8 or 16. SHARED: the same, or 0: no two lanes meet in
                   a bank, and `addr` says nothing */
  uint64_t src; /* mask of the registers read, bit r = register r */
  uint64_t addr
      [WL_LANES]; /* LOAD, STORE, ATOMIC: byte address of each active lane, a multiple of size; SHARED: byte
                              offset in the CTA's shared memory */
};

/* Whether it goes to the coalescer. */
static inline bool wl_is_memory(enum wl_op op) {
  return op == WL_LOAD || op == WL_STORE || op == WL_ATOMIC;
}

/* One kernel launch, as the CTA dispatcher needs it. */
struct wl_launch {
  char name[48];              /* e.g. "atax.k1" */
  uint32_t grid[3], block[3]; /* CTAs in the grid, threads in a CTA, as x, y, z */
  uint32_t ctas;              /* grid[0]*grid[1]*grid[2]; linear id 0..ctas-1, x fastest */
  uint32_t warps_per_cta;     /* of its threads, x fastest, 32 a warp: 1..32 */
  uint32_t shared_bytes;      /* shared memory a CTA holds, bytes */
  uint32_t regs;              /* registers a thread holds; 0 = not a limit */
};

struct wl_source;

struct wl_source_ops {
  /* Moves to the next launch and describes it. False: no more launches. Streams of the previous launch are
   * closed. */
  bool (*next_launch)(struct wl_source *src, struct wl_launch *launch);
  /* Opens the stream of one warp. Called with `cta` ascending (a trace is read forward), each warp once. NULL: it can't
   * be; see `error`. */
  void *(*open_warp)(struct wl_source *src, uint32_t cta, uint32_t warp);
  /* Gives the next instruction, all but its addresses, and does not touch these; after WL_EXIT it is not called again for this
   * stream. Of this, locate and close_warp several calls may run at the same time, each for another stream; but not while any of
   * the others does. */
  void (*next)(void *stream, struct wl_inst *inst);
  /* Fills in the addresses of the instruction that was given last, as often as it is called, if it has some. `inst` is as `next`
   * left it. */
  void (*locate)(void *stream, struct wl_inst *inst);
  /* May be NULL. True: the addresses that locate would give are one stride apart, lane l's is `first` + l * `stride` (modulo 2^64), and
   * all lanes are active. False: they may be so, too. */
  bool (*stride)(void *stream, const struct wl_inst *inst, uint64_t *first, uint64_t *stride);
  void (*close_warp)(void *stream);
  void (*close)(struct wl_source *src);
  /* May be NULL. The name of the array of the current launch that holds byte address `addr`, or NULL if none
   * does; for reports and tests. Valid until the next launch. */
  const char *(*array_name)(const struct wl_source *src, uint64_t addr);
  /* May be NULL. What went wrong, as one line with the file and the place in it, or NULL if nothing did. After an error
   * next_launch gives false, open_warp NULL, and an open stream WL_EXIT. */
  const char *(*error)(const struct wl_source *src);
};

/* What an implementation embeds first. */
struct wl_source {
  const struct wl_source_ops *ops;
};

/* The next instruction with its addresses. */
static inline void wl_next(const struct wl_source *src, void *stream, struct wl_inst *inst) {
  src->ops->next(stream, inst);
  src->ops->locate(stream, inst);
}

/* For a source that makes instructions whole: gives one as `next` does, and its addresses as `locate` does. */
static inline void wl_give(struct wl_inst *inst, const struct wl_inst *whole) {
  memcpy(inst, whole, offsetof(struct wl_inst, addr));
}
static inline void wl_give_addresses(struct wl_inst *inst, const struct wl_inst *whole) {
  memcpy(inst->addr, whole->addr, sizeof inst->addr);
}

#endif
