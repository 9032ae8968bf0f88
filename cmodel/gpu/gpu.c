/* Making a GPU's parts, and running them in windows; see gpu.h and docs/gpu.md. */
#include "cmodel/gpu/gpu.h"

#include <stdlib.h>

enum { LONGEST = 1 << 14 /* cycles of an SM alone between two looks at how it goes */ };

uint64_t hd_gpu_window(const struct hd_config *c) {
  uint64_t cycles = LONGEST;
  if (c->gpu.sms > 1 && c->gpu.dispatch_latency - 1 < cycles)
    cycles = c->gpu.dispatch_latency - 1;
  if (c->memory.kind == HD_MEM_L2 && 2 * c->icnt.latency < cycles)
    cycles = 2 * c->icnt.latency;
  if (c->d.RFT_OUT && c->rft.latency < cycles)
    cycles = c->rft.latency;
  return cycles;
}

enum hd_rc hd_gpu_open(struct hd_gpu *gpu, const struct hd_design *design, struct wl_source *source,
                       bool no_skip, struct hd_why *why) {
  const struct hd_config *c = design->c;
  *gpu = (struct hd_gpu){.design = design, .c = c, .no_skip = no_skip};
  const enum hd_rc rc = hd_grid_new(c, source, &gpu->grid, why);
  if (rc != HD_OK)
    return rc;
  gpu->core = calloc(c->gpu.sms, sizeof *gpu->core);
  gpu->memory = calloc(c->gpu.sms, sizeof(struct hd_memory *));
  gpu->sm = calloc(c->gpu.sms, sizeof(struct hd_sm *));
  bool good = gpu->core && gpu->memory && gpu->sm;
  if (good && c->memory.kind == HD_MEM_L2)
    good = (gpu->memsys = hd_memsys_new(design, no_skip)) != NULL;
  if (good && c->d.RFT_OUT)
    good = (gpu->rft = hd_shared_rft_new(design)) != NULL;
  return good ? HD_OK : hd_because(why, HD_TOOL, "out of memory");
}

void hd_gpu_set_accesses(struct hd_gpu *gpu, const struct hd_access_watch *accesses) {
  gpu->accesses = accesses;
  if (gpu->memsys)
    hd_memsys_set_accesses(gpu->memsys, accesses);
}

/* True if several threads run the GPU. */
static bool is_shared(const struct hd_gpu *gpu) {
  return gpu->threads > 1;
}

static struct hd_port *open_port(struct hd_gpu *gpu, unsigned i) {
  if (gpu->memsys)
    return hd_memsys_port(gpu->memsys, i);
  gpu->memory[i] = hd_memory_new(gpu->c, &(struct hd_memory_options){0});
  return gpu->memory[i] ? hd_memory_port(gpu->memory[i]) : NULL;
}

/* The memory system takes longest, so it is the first task. The SMs come after it. One thread alone tells them what it has done. */
static void run_task(void *ctx, unsigned number) {
  struct hd_gpu *gpu = ctx;
  const unsigned sms_from = gpu->memsys != NULL;
  if (number >= sms_from) {
    hd_core_run(&gpu->core[gpu->first + number - sms_from], gpu->until, gpu->no_skip);
    return;
  }
  hd_memsys_run(gpu->memsys, gpu->memsys_until);
  if (!is_shared(gpu))
    hd_memsys_exchange(gpu->memsys);
}

/* A task, if several threads run the GPU. The SM after this one is the next one as a rule. */
static void run_shared_task(void *ctx, unsigned number) {
  const struct hd_gpu *gpu = ctx;
  if (gpu->memsys && gpu->first + number < gpu->cores)
    hd_memsys_expect(gpu->memsys, gpu->first + number);
  run_task(ctx, number);
}

/* Runs all tasks; several threads run them at the same time. Then no SM runs further than icnt.latency beyond where the memory
 * system is. */
static void run_tasks(struct hd_gpu *gpu, uint64_t memsys_until, uint64_t until) {
  if (gpu->memsys && is_shared(gpu))
    hd_memsys_expect_all(gpu->memsys);
  if (gpu->memsys)
    hd_memsys_exchange(gpu->memsys);
  gpu->memsys_until = memsys_until;
  gpu->until = until;
  hd_team_run(gpu->team);
  gpu->now = until;
}

bool hd_gpu_cores(struct hd_gpu *gpu, unsigned first) {
  gpu->first = gpu->cores = first;
  while (gpu->cores < gpu->c->gpu.sms) {
    const unsigned i = gpu->cores++;
    struct hd_core *core = &gpu->core[i];
    if (!hd_core_open(core, gpu->design, gpu->grid, open_port(gpu, i),
                      gpu->rft ? hd_shared_rft_port(gpu->rft, i) : NULL, gpu->spans))
      return false;
    core->number = i;
    core->accesses = gpu->accesses;
    gpu->sm[i] = core->sm;
    if (gpu->memsys)
      core->news = hd_memsys_news(gpu->memsys, i);
    if (gpu->memsys)
      hd_sm_tell_stores(core->sm, hd_memsys_stores(gpu->memsys, i));
  }
  const unsigned tasks = (gpu->memsys != NULL) + gpu->cores - first;
  gpu->team = hd_team_new(gpu->threads, (uint16_t)tasks, is_shared(gpu) ? run_shared_task : run_task, gpu);
  if (gpu->team && gpu->share_always)
    hd_team_share_always(gpu->team);
  return gpu->team != NULL;
}

void hd_gpu_close(struct hd_gpu *gpu) {
  hd_team_free(gpu->team);
  for (unsigned i = gpu->first; i < gpu->cores; i++)
    hd_core_close(&gpu->core[i]);
  hd_memsys_free(gpu->memsys);
  hd_shared_rft_free(gpu->rft);
  hd_grid_free(gpu->grid);
  free(gpu->memory);
  free(gpu->sm);
  free(gpu->core);
}

void hd_gpu_run(struct hd_gpu *gpu, uint64_t until) {
  const uint64_t way = gpu->memsys ? gpu->c->icnt.latency : UINT64_MAX, cycles = until - gpu->now;
  const bool halves = is_shared(gpu) && cycles > way;
  if (gpu->rft)
    hd_shared_rft_run(gpu->rft, until);
  run_tasks(gpu, gpu->now + way, halves ? gpu->now + way : until);
  if (halves)
    run_tasks(gpu, until, until);
}

void hd_gpu_catch_up(struct hd_gpu *gpu) {
  if (!gpu->memsys)
    return;
  hd_memsys_exchange(gpu->memsys);
  hd_memsys_run(gpu->memsys, gpu->now);
}

void hd_gpu_settle(struct hd_gpu *gpu) {
  if (gpu->c->gpu.sms > 1)
    hd_grid_settle(gpu->grid);
}

struct hd_gpu_counts hd_gpu_count(const struct hd_gpu *gpu) {
  struct hd_gpu_counts c = {.cycle = gpu->now};
  for (unsigned i = 0; i < gpu->c->gpu.sms; i++) {
    const struct hd_sm_stats *of = hd_sm_stats(gpu->sm[i]);
    c.instructions += of->instructions;
    c.requests += of->load_requests + of->store_requests;
    c.loads += of->load_requests;
    c.load_latency += of->load_latency_sum;
  }
  c.work = c.instructions + c.requests;
  return c;
}

const char *hd_gpu_error(const struct hd_gpu *gpu) {
  const char *error = NULL;
  for (unsigned i = 0; i < gpu->c->gpu.sms && !error; i++)
    error = hd_sm_error(gpu->sm[i]);
  return error;
}

bool hd_gpu_no_memory(const struct hd_gpu *gpu) {
  bool none = gpu->rft && hd_shared_rft_no_memory(gpu->rft);
  for (unsigned i = gpu->first; i < gpu->cores; i++)
    none = none || hd_core_no_memory(&gpu->core[i]) || (!gpu->memsys && hd_memory_no_memory(gpu->memory[i]));
  return none;
}
