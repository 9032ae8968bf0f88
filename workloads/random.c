/* The random workload: streams that stress a cache, for lockstep runs of the model against the RTL.
 *
 * A warp's instructions come in phases. All warps of a launch go through the phases together, by
 * instruction number. A phase fixes an address pattern (below); a warp's own generator decides the rest.
 * The memory instructions of a warp in a phase use a few PCs; a PC keeps its kind and access size, as in a
 * program. Key `strided` makes some of the loads regular over the warps instead, for prefetchers to find.
 *
 * Invariant: everything is a function of (keys, launch, CTA, warp, instruction number). Whether instruction
 * i is a barrier depends only on the launch, the CTA and i, so that the warps of a CTA meet at every
 * barrier.
 */
#include "workloads/catalog.h"
#include "workloads/rng.h"
#include "workloads/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED, LAUNCHES, CTAS, WARPS, INSTS, MEMORY, STORES, BARRIERS, LINES, SETS, STRIDED_LOADS, LOAD_PCS };

/* Byte addresses start at POOL. The pool and the patterns are counted in lines of LINE bytes. */
enum { POOL = 0x40000000, LINE = 128 };

enum {
  PHASE = 64,  /* instructions */
  STEPS = 8,   /* instructions for which a strided load keeps its base */
  HOT = 4,     /* lines in the hot set */
  RECENT = 8,  /* lines that a warp remembers of those it loaded */
  REGS = 16,   /* few, so that dependences are close */
  PCS = 8,     /* static instructions of each kind, for each pattern */
  KINDS = 5,   /* kinds of instructions that have their own PCs */
  ONE_SET = 32 /* lines that share a set in ONE_SET_LINES */
};

/* The address patterns of a phase. */
enum pattern {
  ONE_SET_LINES, /* each lane in one of 32 lines of one set */
  HOT_LINES,     /* all lanes in one of a few lines that all warps share */
  RECENT_LINES,  /* loads: one uniform line per instruction; stores: lines that this warp loaded lately */
  UNIFORM,       /* each lane anywhere in the pool */
  STRIDED,       /* lanes a constant distance apart */
  PATTERNS
};

struct random_source {
  struct wl_source source;
  uint64_t key[WL_MAX_KEYS];
  uint64_t seed; /* seed of the current launch */
  uint32_t launches;
};

struct random_warp {
  const struct random_source *src;
  struct wl_rng rng;
  uint64_t cta_seed;
  int64_t number;          /* of the warp in the launch */
  uint32_t count;          /* instructions given */
  enum pattern pattern;    /* pattern of the current phase */
  uint64_t phase;          /* random bits of the phase, the same in all warps */
  uint64_t recent[RECENT]; /* numbers of lines loaded lately */
  uint64_t written;        /* mask of the registers written so far */
  struct wl_inst inst;     /* the last instruction */
};

static bool next_launch(struct wl_source *source, struct wl_launch *launch) {
  struct random_source *src = (struct random_source *)source;
  if (src->launches == src->key[LAUNCHES])
    return false;
  src->seed = wl_rng_mix(src->key[SEED], src->launches++);
  const uint32_t ctas = (uint32_t)src->key[CTAS], warps = (uint32_t)src->key[WARPS];
  *launch = (struct wl_launch){.name = "random",
                               .grid = {ctas, 1, 1},
                               .block = {warps * WL_LANES, 1, 1},
                               .ctas = ctas,
                               .warps_per_cta = warps};
  return true;
}

static void *open_warp(struct wl_source *source, uint32_t cta, uint32_t warp) {
  const struct random_source *src = (const struct random_source *)source;
  struct random_warp *w = calloc(1, sizeof *w);
  if (!w)
    return NULL;
  w->src = src;
  w->cta_seed = wl_rng_mix(src->seed, cta);
  w->rng.state = wl_rng_mix(w->cta_seed, warp);
  w->number = (int64_t)(cta * src->key[WARPS] + warp);
  return w;
}

static uint64_t in_pool(const struct random_warp *w, uint64_t line) {
  return line % w->src->key[LINES];
}

static uint64_t any_line(struct random_warp *w) {
  return wl_rng_below(&w->rng, w->src->key[LINES]);
}

/* Returns a byte offset in a line, a multiple of `size`, from the lower bits. LINE and size are powers of
 * two. */
static uint64_t offset(uint64_t bits, uint32_t size) {
  return bits & (LINE - size);
}

/* Fills the addresses of all lanes, by the pattern of the phase. */
static void addresses(struct random_warp *w, struct wl_inst *inst) {
  const uint64_t phase = w->phase >> 32, pool = w->src->key[LINES] * LINE;
  const uint32_t size = inst->size;
  uint64_t base = 0, stride = 0;
  switch (w->pattern) {
  case ONE_SET_LINES:
    for (int l = 0; l < WL_LANES; l++) {
      const uint64_t bits = wl_rng_next(&w->rng);
      const uint64_t line = in_pool(w, phase + w->src->key[SETS] * wl_rng_scale(bits, ONE_SET));
      inst->addr[l] = line * LINE + offset(bits, size);
    }
    break;
  case UNIFORM:
    for (int l = 0; l < WL_LANES; l++) {
      const uint64_t bits = wl_rng_next(&w->rng);
      inst->addr[l] = (uint64_t)wl_rng_scale(bits, w->src->key[LINES]) * LINE + offset(bits, size);
    }
    break;
  case HOT_LINES:
    base = in_pool(w, phase + wl_rng_below(&w->rng, HOT) * (w->phase & 0xffff)) * LINE;
    for (int l = 0; l < WL_LANES; l++)
      inst->addr[l] = base + offset(wl_rng_next(&w->rng), size);
    break;
  case RECENT_LINES:
    base = (inst->op == WL_STORE ? w->recent[wl_rng_below(&w->rng, RECENT)] : any_line(w)) * LINE;
    for (int l = 0; l < WL_LANES; l++)
      inst->addr[l] = base + offset(wl_rng_next(&w->rng), size);
    break;
  default: /* STRIDED: lanes are 1 to 128 access sizes apart */
    base = any_line(w) * LINE;
    stride = (uint64_t)size << wl_rng_below(&w->rng, 8);
    for (uint64_t l = 0; l < WL_LANES; l++)
      inst->addr[l] = (base + l * stride) % pool;
  }
  for (int l = 0; l < WL_LANES; l++)
    inst->addr[l] += POOL;
}

static void remember(struct random_warp *w, const struct wl_inst *inst) {
  const int l = __builtin_ctz(inst->active);
  w->recent[wl_rng_below(&w->rng, RECENT)] = (inst->addr[l] - POOL) / LINE;
}

/* For some PCs: fills the addresses so that the lowest active lane moves in equal steps from warp to warp
 * during the phase, with the lanes side by side. Returns false for the other PCs, and changes nothing. The
 * step is 0, or up to some lines in either direction. Every STEPS instructions the warps start elsewhere;
 * half of the time so that some warps pass the begin of the pool and wrap around. */
static bool step_by_warp(const struct random_warp *w, struct wl_inst *inst) {
  struct wl_rng shared = {wl_rng_mix(w->phase, inst->pc)};
  if (wl_rng_below(&shared, 100) >= w->src->key[STRIDED_LOADS])
    return false;
  const int64_t pool = (int64_t)w->src->key[LINES] * LINE, first = __builtin_ctz(inst->active);
  int64_t step = wl_rng_below(&shared, 8) ? (int64_t)inst->size << wl_rng_below(&shared, 9) : 0;
  step = wl_rng_below(&shared, 2) ? step : -step;
  struct wl_rng here = {wl_rng_mix(shared.state, w->count / STEPS)};
  int64_t base = (int64_t)in_pool(w, wl_rng_next(&here)) * LINE;
  if (wl_rng_below(&here, 2))
    base = -(int64_t)wl_rng_below(&here, WL_LANES) * step;
  for (int64_t l = 0; l < WL_LANES; l++) {
    const int64_t at = (base + w->number * step + (l - first) * inst->size) % pool;
    inst->addr[l] = (uint64_t)(at < 0 ? at + pool : at) + POOL;
  }
  return true;
}

/* Returns a lane mask: all lanes half of the time; else one lane, a run of lanes, or random lanes. */
static uint32_t any_lanes(struct wl_rng *rng) {
  const uint32_t bits = wl_rng_below(rng, UINT64_C(1) << 32), lane = UINT32_C(1) << (bits & 31);
  switch (wl_rng_below(rng, 6)) {
  case 0:
    return lane;
  case 1:
    return lane | (lane - 1);
  case 2:
    return bits | lane;
  default:
    return UINT32_MAX;
  }
}

/* Returns a mask of one register that has been written, or 0 if the drawn register has not been written
 * yet. */
static uint64_t any_source(struct random_warp *w) {
  const uint64_t reg = UINT64_C(1) << wl_rng_below(&w->rng, REGS);
  return reg & w->written;
}

/* Makes one instruction of `op`, at one of the PCs of its kind in the current pattern. */
static void make(struct random_warp *w, enum wl_op op, uint32_t kind, struct wl_inst *inst) {
  const uint32_t pcs = op == WL_LOAD ? (uint32_t)w->src->key[LOAD_PCS] : PCS;
  inst->op = op;
  inst->active = UINT32_MAX;
  inst->pc = 8 * (1 + ((uint32_t)w->pattern * KINDS + kind) * PCS + wl_rng_below(&w->rng, pcs));
  inst->src = any_source(w);
  inst->src |= any_source(w);
  inst->dst = WL_NO_REG;
  inst->size = 0;
  if (op != WL_STORE) {
    inst->dst = (int8_t)wl_rng_below(&w->rng, REGS);
    w->written |= UINT64_C(1) << inst->dst;
  }
  if (op == WL_LOAD || op == WL_STORE) {
    inst->size = (uint8_t)(1U << wl_rng_mix(w->src->key[SEED], inst->pc) % 5);
    inst->active = any_lanes(&w->rng);
    if (op == WL_STORE || !step_by_warp(w, inst))
      addresses(w, inst);
    if (op == WL_LOAD)
      remember(w, inst);
  }
}

static void make_next(struct random_warp *w, struct wl_inst *inst) {
  const uint64_t *key = w->src->key;
  const uint32_t number = w->count++;
  if (number % PHASE == 0) {
    w->phase = wl_rng_mix(w->src->seed, ~(uint64_t)number);
    w->pattern = (enum pattern)(wl_rng_mix(w->phase, 0) % PATTERNS);
  }
  struct wl_rng shared = {wl_rng_mix(w->cta_seed, ~(uint64_t)number)};
  if (number == key[INSTS] || wl_rng_below(&shared, 1000) < key[BARRIERS]) {
    const bool last = number == key[INSTS];
    *inst = (struct wl_inst){.op = last ? WL_EXIT : WL_BARRIER, .active = UINT32_MAX, .dst = WL_NO_REG};
    inst->pc = 8 * (1 + PATTERNS * KINDS * PCS + last);
    return;
  }
  if (wl_rng_below(&w->rng, 100) < key[MEMORY]) {
    if (wl_rng_below(&w->rng, 100) < key[STORES])
      make(w, WL_STORE, 0, inst);
    else
      make(w, WL_LOAD, 1, inst);
    return;
  }
  switch (wl_rng_below(&w->rng, 16)) {
  case 0:
    make(w, WL_SFU, 2, inst);
    break;
  case 1:
    make(w, WL_SHARED, 4, inst);
    break;
  default:
    make(w, WL_ALU, 3, inst);
  }
}

static void next(void *stream, struct wl_inst *inst) {
  struct random_warp *w = stream;
  make_next(w, &w->inst);
  wl_give(inst, &w->inst);
}

static void locate(void *stream, struct wl_inst *inst) {
  const struct random_warp *w = stream;
  wl_give_addresses(inst, &w->inst);
}

static void close_warp(void *stream) {
  free(stream);
}

static void close_source(struct wl_source *source) {
  free(source);
}

static const char *array_name(const struct wl_source *source, uint64_t addr) {
  const struct random_source *src = (const struct random_source *)source;
  return addr >= POOL && addr - POOL < src->key[LINES] * LINE ? "pool" : NULL;
}

static const struct wl_source_ops ops = {
    .next_launch = next_launch,
    .open_warp = open_warp,
    .next = next,
    .locate = locate,
    .close_warp = close_warp,
    .close = close_source,
    .array_name = array_name,
};

static struct wl_source *open_random(const struct wl_workload *workload, const struct wl_input_values *input,
                                     char *err, size_t errlen) {
  struct random_source *src = calloc(1, sizeof *src);
  if (!src) {
    snprintf(err, errlen, "%s: out of memory", workload->name);
    return NULL;
  }
  src->source.ops = &ops;
  memcpy(src->key, input->value, sizeof src->key);
  return &src->source;
}

const struct wl_workload wl_random[] = {
    {"random",
     "as many as key launches says",
     "constrained random, for lockstep runs",
     {{"seed", 0, UINT64_MAX, "another seed, another stream"},
      {"launches", 1, 16, "kernel launches"},
      {"ctas", 1, 4096, "CTAs a launch"},
      {"warps", 1, 32, "warps a CTA"},
      {"insts", 1, 1000000, "instructions a warp before its EXIT"},
      {"mem", 0, 100, "loads and stores, percent of the instructions"},
      {"stores", 0, 100, "stores, percent of the loads and stores"},
      {"barriers", 0, 1000, "barriers, per thousand instructions"},
      {"lines", 1, 1048576, "128-byte lines in the pool that is accessed"},
      {"sets", 1, 4096, "sets of the cache under test, for the one-set pattern"},
      {"strided", 0, 100, "loads that step evenly from warp to warp, percent"},
      {"pcs", 1, PCS, "loads in the code of an address pattern"}},
     {{"tiny", {1, 2, 2, 4, 200, 50, 30, 20, 512, 32, 0, PCS}},
      {"small", {1, 2, 12, 8, 2000, 50, 30, 10, 2048, 32, 0, PCS}}},
     .open = open_random},
    {0},
};
