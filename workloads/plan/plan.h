/* How a kernel is described: its arrays, its grid, and its instructions as a nest of blocks.
 *
 * A kernel is a build function that fills a `struct wl_plan` for one launch by calling, in program order, the
 * functions below; engine.c then steps a warp through it. A memory instruction's addresses are affine in the
 * thread coordinates and the loop counters, or given by a function; a block is a loop, an `if`, or a loop
 * whose lanes drop out one by one. What a compiler would unroll is not unrolled here: a loop body keeps its
 * PCs.
 *
 * Invariant: a plan is a function of (keys, launch number) only and is constant while warps run; addresses
 * stay in WL_BASE .. 2^32-1. A description that breaks a limit below is a programming error and stops the
 * program.
 */
#ifndef HEDDLE_WORKLOADS_PLAN_PLAN_H
#define HEDDLE_WORKLOADS_PLAN_PLAN_H

#include "workloads/catalog.h"
#include "workloads/stream.h"

enum {
  WL_MAX_ARRAYS = 32,
  WL_MAX_STEPS = 2048, /* instructions, calls, and two for each block */
  WL_MAX_DEPTH = 12,   /* nested blocks */
  WL_MAX_LOOPS = 5,    /* nested loops */
  WL_ALIGN = 512,      /* bytes; arrays follow one another, each at a multiple of it */
  WL_BASE = 0x40000000,
};

/* The set with register r in it. */
#define WL_R(r) (UINT64_C(1) << (r))

/* An element number: c + x*X + y*Y + sum of k[d]*K_d, where X and Y are the thread's coordinates in the grid
 * (blockIdx*blockDim + threadIdx) and K_d the counter of the loop at nesting level d, outermost first; and
 * b[i]*blockIdx + t[i]*threadIdx for each dimension i, where X and Y do not say it. */
struct wl_at {
  int64_t c, x, y, k[WL_MAX_LOOPS], b[3], t[3];
};

struct wl_plan;

/* A warp on its way through a plan. Lane, element, address and call functions read the members down to `state`; the
 * rest is the engine's. */
struct wl_warp {
  const struct wl_plan *plan;
  uint32_t cta;                      /* linear id in the grid */
  uint32_t bx, by, bz;               /* the CTA's coordinates */
  uint32_t warp;                     /* number in the CTA */
  uint32_t x[WL_LANES], y[WL_LANES]; /* the lanes' coordinates in the grid: blockIdx*blockDim + threadIdx */
  uint32_t tx[WL_LANES], ty[WL_LANES], tz[WL_LANES]; /* and in the CTA: threadIdx */
  void *
      state; /* plan->state_bytes bytes of its own, zeroed when the warp starts; call functions keep there what its
                  lanes have computed */
  uint32_t k[WL_MAX_LOOPS + 1]; /* loop counters, outermost first; the last one is of the `if`s */
  uint32_t active;              /* lanes that run the current block */
  uint32_t outer[WL_MAX_DEPTH]; /* lanes that ran each enclosing block when it was entered */
  uint32_t at;                  /* the next step */
  bool row;                     /* the lanes are neighbours in x and share y */
};

/* The lanes that run a block, as a mask; called when a warp enters it and before each further iteration.
 * Lanes that do not run the block around it are ignored. No lane: the warp skips the block, or leaves the
 * loop. */
typedef uint32_t (*wl_lanes_fn)(const struct wl_warp *warp);

/* The same for one lane: whether it runs the block. */
typedef bool (*wl_lane_fn)(const struct wl_warp *warp, unsigned lane);

/* The addresses of a memory instruction that is not affine: fills addr[l] for at least the lanes of
 * warp->active. */
typedef void (*wl_addr_fn)(const struct wl_warp *warp, uint64_t addr[WL_LANES]);

/* The same for one lane: the number of the element in the array (of a shared-memory access: in the CTA's shared
 * memory, in units of the access size). */
typedef int64_t (*wl_elem_fn)(const struct wl_warp *warp, unsigned lane);

/* What the lanes of warp->active compute here: brings warp->state up to date. Costs nothing; its instructions are
 * named apart. */
typedef void (*wl_call_fn)(struct wl_warp *warp);

struct wl_array {
  const char *name;
  uint64_t base, bytes;
  uint32_t elem; /* bytes an element: 1, 2, 4, 8 or 16 */
};

struct wl_step {
  enum { WL_STEP_INST, WL_STEP_CALL, WL_STEP_BLOCK, WL_STEP_END } kind;
  /* INST */
  enum wl_op op;
  uint32_t pc;
  int8_t dst;
  uint8_t size;
  uint64_t src;
  uint64_t base; /* bytes; what follows is bytes per unit of the coordinate, modulo 2^64 */
  uint64_t x, y, k[WL_MAX_LOOPS], b[3], t[3];
  /* at most one of the two: in place of the affine form */
  wl_addr_fn addr;
  wl_elem_fn elem; /* its element e is at base + e*size */
  wl_call_fn call; /* CALL */
  /* BLOCK; of an END, only `other` is used */
  uint32_t trips, level, depth;
  /* at most one of the two; neither: every lane */
  wl_lanes_fn lanes;
  wl_lane_fn lane;
  uint32_t other; /* BLOCK: its END; END: its BLOCK */
};

struct wl_plan {
  uint64_t key[WL_MAX_KEYS]; /* the workload's key values, in the order of its table entry */
  const char *file;          /* in `prepare` only: the user's input file, or NULL: the input is made up */
  void *data;           /* what a data-dependent kernel keeps between launches; see catalog.h, `prepare` */
  uint32_t state_bytes; /* of each warp, see struct wl_warp; reset for every launch */
  uint32_t number;      /* of the launch, as given to `build`; lane and address functions read it here */
  struct wl_launch launch;
  uint32_t nx, ny; /* problem extent in threads */
  struct wl_array array[WL_MAX_ARRAYS];
  struct wl_step step[WL_MAX_STEPS];
  uint32_t arrays, steps, insts, depth, loops;
  uint32_t open[WL_MAX_DEPTH]; /* the blocks not yet ended */
  uint64_t top;                /* first free byte after the arrays */
  const char *wrong;           /* what of the description does not fit; NULL: all does */
};

/* Empties the plan before a launch is built, and ends it after: every block ended, and the EXIT. */
void wl_plan_begin(struct wl_plan *plan);
void wl_plan_end(struct wl_plan *plan);

/* Lays out an array of `count` elements of `elem` bytes after the ones before it; returns its number. `name`
 * must outlive the plan. A build function names the same arrays in the same order for every launch. */
int wl_array(struct wl_plan *plan, const char *name, uint64_t count, uint32_t elem);

/* The launch: enough CTAs of block_x * block_y threads to cover nx * ny. */
void wl_grid(struct wl_plan *plan, const char *name, uint32_t nx, uint32_t ny, uint32_t block_x,
             uint32_t block_y);
/* The launch, given as its CTAs and threads a CTA; nx, ny are all of its threads. A size is (struct wl_dim){x, y, z}, 0
 * meaning 1. */
struct wl_dim {
  uint32_t x, y, z;
};
void wl_grid_of(struct wl_plan *plan, const char *name, struct wl_dim grid, struct wl_dim block);
/* What a CTA holds: bytes of shared memory; registers a thread (0: they limit nothing). */
void wl_holds(struct wl_plan *plan, uint32_t shared_bytes, uint32_t regs);

/* Instructions. `dst` is a register or WL_NO_REG, `src` a set of registers (WL_R), `index` the register that
 * holds the address. A load or store is as wide as the array's element. */
void wl_inst(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src);
void wl_load(struct wl_plan *plan, int dst, int index, int array, struct wl_at at);
void wl_store(struct wl_plan *plan, uint64_t value, int index, int array, struct wl_at at);
/* The same where the addresses are not affine: op is WL_LOAD, WL_STORE, WL_ATOMIC or WL_SHARED, size bytes a lane. */
void wl_scatter(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src, uint32_t size, wl_addr_fn addr);
/* And where a function gives the element: of an array (op is WL_LOAD, WL_STORE or WL_ATOMIC; `dst` may be WL_NO_REG), or
 * of shared memory, in units of `size` bytes. */
void wl_access(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src, int array, wl_elem_fn elem);
void wl_shared(struct wl_plan *plan, int dst, uint64_t src, uint32_t size, wl_elem_fn elem);
/* Shared memory where they are affine, likewise. */
void wl_shared_at(struct wl_plan *plan, int dst, uint64_t src, uint32_t size, struct wl_at at);
/* No instruction: brings the warp's state up to date. */
void wl_call(struct wl_plan *plan, wl_call_fn call);

/* Blocks: what follows, up to the matching wl_end. The instructions of the compare and the branch are not
 * implied. */
void wl_loop(struct wl_plan *plan, uint32_t trips);          /* every lane, `trips` times */
void wl_loop_while(struct wl_plan *plan, wl_lanes_fn lanes); /* until no lane is left */
void wl_if(struct wl_plan *plan, wl_lanes_fn lanes);         /* the lanes given, once */
void wl_while_lane(struct wl_plan *plan, wl_lane_fn lane);   /* wl_loop_while, lane by lane */
void wl_if_lane(struct wl_plan *plan, wl_lane_fn lane);      /* wl_if, likewise */
void wl_end(struct wl_plan *plan);

/* For wl_if: the lanes whose thread lies in the problem (x < nx and y < ny). */
uint32_t wl_lanes_inside(const struct wl_warp *warp);

#endif
