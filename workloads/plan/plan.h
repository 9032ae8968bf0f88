/* The description of a kernel: its arrays, its grid, and its instructions as nested blocks.
 *
 * A kernel is a build function. It fills a `struct wl_plan` for one launch by calling the functions below
 * in program order. engine.c then steps a warp through the plan. A memory instruction's addresses are
 * affine in the thread coordinates and the loop counters, or a function gives them. A block is a loop, an
 * `if`, or a loop whose lanes drop out one by one. Loops that a compiler would unroll are not unrolled
 * here: a loop body keeps its PCs.
 *
 * Invariant: a plan is a function of (keys, launch number) only and is constant while warps run; addresses
 * stay in WL_BASE .. 2^32-1. A description that breaks a limit below is a programming error: the
 * engine then gives an error instead of the launch.
 */
#ifndef HEDDLE_WORKLOADS_PLAN_PLAN_H
#define HEDDLE_WORKLOADS_PLAN_PLAN_H

#include "workloads/catalog.h"
#include "workloads/stream.h"

enum {
  WL_MAX_ARRAYS = 32,
  WL_MAX_STEPS = 2048, /* instructions, calls, and two per block */
  WL_MAX_DEPTH = 12,   /* nested blocks */
  WL_MAX_LOOPS = 5,    /* nested loops */
  WL_ALIGN = 512,      /* bytes; each array starts at a multiple of it */
  WL_BASE = 0x40000000,
};

/* The mask with register r in it. */
#define WL_R(r) (UINT64_C(1) << (r))

/* An element number: c + x*X + y*Y + sum of k[d]*K_d + sum of b[i]*blockIdx_i + t[i]*threadIdx_i. X and Y
 * are the thread's coordinates in the grid (blockIdx*blockDim + threadIdx). K_d is the counter of the loop
 * at nesting level d, outermost first. b and t (i is the dimension) are for kernels that X and Y cannot
 * describe. */
struct wl_at {
  int64_t c, x, y, k[WL_MAX_LOOPS], b[3], t[3];
};

struct wl_plan;

/* A warp that runs through a plan. Lane, element, address and call functions may read the members down to
 * `active`, and call functions write into `state`. Only the engine uses the rest. */
struct wl_warp {
  const struct wl_plan *plan;
  uint32_t cta;                      /* linear id in the grid */
  uint32_t bx, by, bz;               /* the CTA's coordinates */
  uint32_t warp;                     /* number in the CTA */
  uint32_t x[WL_LANES], y[WL_LANES]; /* the lanes' coordinates in the grid: blockIdx*blockDim + threadIdx */
  uint32_t tx[WL_LANES], ty[WL_LANES], tz[WL_LANES]; /* the lanes' coordinates in the CTA: threadIdx */
  void *
      state; /* plan->state_bytes bytes, zero when the warp starts; call functions keep the lanes' results there */
  uint32_t k[WL_MAX_LOOPS + 1]; /* loop counters, outermost first; the last is for `if`s */
  uint32_t active;              /* mask of the lanes that run the current block */
  uint32_t outer[WL_MAX_DEPTH]; /* for each enclosing block: the lanes that ran when it was entered */
  uint32_t at;                  /* the next step */
  bool row;                     /* the lanes are neighbours in x and share y */
};

/* Returns the mask of the lanes that run a block. Called when a warp enters the block and before each
 * further iteration. Lanes that do not run the enclosing block are ignored. If no lane is left, the warp
 * skips the block or leaves the loop. */
typedef uint32_t (*wl_lanes_fn)(const struct wl_warp *warp);

/* The same for one lane: returns true if it runs the block. */
typedef bool (*wl_lane_fn)(const struct wl_warp *warp, unsigned lane);

/* Fills the addresses of a memory instruction that is not affine: addr[l] for at least the lanes of
 * warp->active. */
typedef void (*wl_addr_fn)(const struct wl_warp *warp, uint64_t addr[WL_LANES]);

/* The same for one lane: returns the element's number in the array, or, for a shared-memory access, in the
 * CTA's shared memory in units of the access size. */
typedef int64_t (*wl_elem_fn)(const struct wl_warp *warp, unsigned lane);

/* Updates warp->state with what the lanes of warp->active compute. Takes no time; the instructions of that
 * work are listed separately. */
typedef void (*wl_call_fn)(struct wl_warp *warp);

struct wl_array {
  const char *name;
  uint64_t base, bytes;
  uint32_t elem; /* bytes per element: 1, 2, 4, 8 or 16 */
};

struct wl_step {
  enum { WL_STEP_INST, WL_STEP_CALL, WL_STEP_BLOCK, WL_STEP_END } kind;
  /* for INST */
  enum wl_op op;
  uint32_t pc;
  int8_t dst;
  uint8_t size;
  uint64_t src;
  uint64_t base; /* in bytes; the members below are bytes per unit of the coordinate, modulo 2^64 */
  uint64_t x, y, k[WL_MAX_LOOPS], b[3], t[3];
  /* at most one of the two, in place of the affine form */
  wl_addr_fn addr;
  wl_elem_fn elem; /* element e is at base + e*size */
  wl_call_fn call; /* for CALL */
  /* for BLOCK; an END uses only `other` */
  uint32_t trips, level, depth;
  /* at most one of the two; if both are NULL, every lane */
  wl_lanes_fn lanes;
  wl_lane_fn lane;
  uint32_t other; /* for a BLOCK its END, for an END its BLOCK */
};

struct wl_plan {
  uint64_t key[WL_MAX_KEYS]; /* the workload's key values, in the order of its table entry */
  const char *file;          /* in `prepare` only: the user's input file; NULL: make up the input */
  void *data;                /* data of a data-dependent kernel; see catalog.h, `prepare` */
  uint32_t state_bytes;      /* size of each warp's state, see struct wl_warp; reset for every launch */
  uint32_t number;           /* launch number, as given to `build`; lane and address functions may read it */
  struct wl_launch launch;
  uint32_t nx, ny; /* extent of the problem, in threads */
  struct wl_array array[WL_MAX_ARRAYS];
  struct wl_step step[WL_MAX_STEPS];
  uint32_t arrays, steps, insts, depth, loops;
  uint32_t open[WL_MAX_DEPTH]; /* the blocks that are still open */
  uint64_t top;                /* first free byte after the arrays */
  const char *wrong;           /* the first mistake in the description; NULL: none */
};

/* Empties the plan before a launch is built. wl_plan_end finishes it: all blocks must be ended; it adds the
 * EXIT. */
void wl_plan_begin(struct wl_plan *plan);
void wl_plan_end(struct wl_plan *plan);

/* Lays out an array of `count` elements of `elem` bytes after the arrays before it. Returns its number.
 * `name` must outlive the plan. A build function names the same arrays in the same order for every launch. */
int wl_array(struct wl_plan *plan, const char *name, uint64_t count, uint32_t elem);

/* Sets the launch: enough CTAs of block_x * block_y threads to cover nx * ny threads. */
void wl_grid(struct wl_plan *plan, const char *name, uint32_t nx, uint32_t ny, uint32_t block_x,
             uint32_t block_y);
/* Sets the launch from the number of CTAs and of threads per CTA; nx and ny then cover all its threads. A
 * size is (struct wl_dim){x, y, z}, where 0 means 1. */
struct wl_dim {
  uint32_t x, y, z;
};
void wl_grid_of(struct wl_plan *plan, const char *name, struct wl_dim grid, struct wl_dim block);
/* Sets the resources of a CTA: bytes of shared memory; registers per thread (0: not a limit). */
void wl_holds(struct wl_plan *plan, uint32_t shared_bytes, uint32_t regs);

/* Instructions. `dst` is a register or WL_NO_REG, `src` a set of registers (WL_R), `index` the register that
 * holds the address. A load or store is as wide as the array's element. */
void wl_inst(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src);
void wl_load(struct wl_plan *plan, int dst, int index, int array, struct wl_at at);
void wl_store(struct wl_plan *plan, uint64_t value, int index, int array, struct wl_at at);
/* The same for addresses that are not affine. op is WL_LOAD, WL_STORE, WL_ATOMIC or WL_SHARED, with size
 * bytes per lane. */
void wl_scatter(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src, uint32_t size, wl_addr_fn addr);
/* The same where a function gives the element. wl_access: an array's element (op is WL_LOAD, WL_STORE or
 * WL_ATOMIC; `dst` may be WL_NO_REG). wl_shared: an element of shared memory, in units of `size` bytes. */
void wl_access(struct wl_plan *plan, enum wl_op op, int dst, uint64_t src, int array, wl_elem_fn elem);
void wl_shared(struct wl_plan *plan, int dst, uint64_t src, uint32_t size, wl_elem_fn elem);
/* Shared memory with affine addresses. */
void wl_shared_at(struct wl_plan *plan, int dst, uint64_t src, uint32_t size, struct wl_at at);
/* Adds no instruction; `call` updates the warp's state. */
void wl_call(struct wl_plan *plan, wl_call_fn call);

/* Blocks: each contains what follows, up to the matching wl_end. The compare and the branch must be added
 * as instructions. */
void wl_loop(struct wl_plan *plan, uint32_t trips);          /* all lanes, `trips` times */
void wl_loop_while(struct wl_plan *plan, wl_lanes_fn lanes); /* until no lane is left */
void wl_if(struct wl_plan *plan, wl_lanes_fn lanes);         /* the lanes that `lanes` returns, once */
void wl_while_lane(struct wl_plan *plan, wl_lane_fn lane);   /* wl_loop_while, with a function for one lane */
void wl_if_lane(struct wl_plan *plan, wl_lane_fn lane);      /* wl_if, with a function for one lane */
void wl_end(struct wl_plan *plan);

/* For wl_if: returns the lanes whose thread is in the problem (x < nx and y < ny). */
uint32_t wl_lanes_inside(const struct wl_warp *warp);

#endif
