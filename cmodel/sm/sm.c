/* The functions of sm.h: making and freeing an SM, store bytes, and the cycle as cmodel/sm/sm_cycle.h has it. See sm.h and docs/sm.md. */
#include "cmodel/sm/sm_cycle.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* `more`: the most cycles by which a result may be later than the latency. `a_cycle`: the most results that enter in a cycle. */
static bool new_pipe(struct sm_pipe *p, unsigned latency, unsigned more, unsigned a_cycle) {
  p->next = UINT64_MAX;
  p->latency = latency;
  p->size = 1;
  while (p->size <= (latency + more) * a_cycle)
    p->size *= 2;
  p->ring = malloc(p->size * sizeof *p->ring);
  return p->ring != NULL;
}

static bool new_pipes(struct hd_sm *sm) {
  const unsigned n = sm->c->sm.schedulers;
  return new_pipe(&sm->pipe[PIPE_ALU], sm->c->sm.alu_latency, 0, n) &&
         new_pipe(&sm->pipe[PIPE_SFU], sm->c->sm.sfu_latency, 0, n) &&
         new_pipe(&sm->pipe[PIPE_SHARED], sm->c->sm.shared_latency, HD_MOST(sm, schedulers) * SM_MAX_PASSES,
                  n) &&
         new_pipe(&sm->pipe[PIPE_CONST], sm->c->sm.const_latency, 0, n) &&
         new_pipe(&sm->pipe[PIPE_TEX], sm->c->sm.tex_latency, 0, n) &&
         new_pipe(&sm->pipe[PIPE_RETURN], sm->c->sm.return_latency, 0, 1);
}

/* The seed of the SM's predictors. No two SMs of a GPU have the same. */
static uint64_t los_seed(const struct hd_config *c, unsigned number) {
  const unsigned odd = 0x9e37;
  return (wl_rng_mix(c->loscache.seed, 0) + number * odd) & 0xffff;
}

struct hd_sm *hd_sm_new(const struct hd_config *c, struct hd_grid *grid, const struct hd_sm_options *options,
                        const struct hd_sm_watch *watch) {
  struct hd_sm *sm = aligned_alloc(_Alignof(struct hd_sm), sizeof *sm);
  if (!sm)
    return NULL;
  memset(sm, 0, offsetof(struct hd_sm, bytes));
  sm->c = c;
  sm->grid = grid;
  sm->ops = hd_grid_source(grid)->ops;
  sm->options = *options;
  if (watch)
    sm->watch = *watch;
  sm->rng.state = wl_rng_mix(options->seed, 1);
  sm->offered = sm->starting = sm->fetching = SM_NONE;
  sm->last_lsu = c->sm.schedulers - 1;
  sm->next_free = sm->next_result = UINT64_MAX;
  for (unsigned u = 0; u < UNITS; u++)
    sm->unit_free[u] = UINT64_MAX;
  sm->resp_ready = true;
  sm->alu_cycles = WL_LANES / c->sm.simd_width;
  sm->all_slots = (uint16_t)(sm_bit(c->sm.loads) - 1);
  sm->wait_mem = c->d.WAIT_MEM ? UINT64_MAX >> (64 - c->sm.warps) : 0;
  for (unsigned wid = 0; wid < c->sm.warps; wid++) {
    sm->warp[wid].free_slots = sm->all_slots;
    sm->sched_warps[wid % c->sm.schedulers] |= sm_bit(wid);
  }
  if (new_pipes(sm) && (!c->d.APCM_P || (sm->loops = hd_loops_new()))) {
    sm->number = hd_sm_join(sm);
    sm->los_seed = los_seed(c, sm->number);
    if (sm->number != HD_GRID_FULL)
      return sm;
  }
  hd_sm_free(sm);
  return NULL;
}

void hd_sm_tell_stores(struct hd_sm *sm, struct hd_store_bytes *stores) {
  sm->stores = stores;
}

void hd_sm_tell_changes(struct hd_sm *sm) {
  const struct hd_derived *d = &sm->c->d;
  sm->tells_changes =
      sm->ops->stride && d->LANES == WL_LANES && !d->SECTORED && !d->SPLIT && !sm->options.data;
}

void hd_sm_free(struct hd_sm *sm) {
  if (!sm)
    return;
  for (unsigned wid = 0; wid < HD_MOST(sm, warps); wid++)
    if (sm->warp[wid].stream)
      sm->ops->close_warp(sm->warp[wid].stream);
  for (; sm->n_given; sm->n_given--, sm->given_head = (sm->given_head + 1) % HD_MOST(sm, ctas))
    for (unsigned i = 0; i < sm->launch->warps_per_cta; i++)
      if (sm->given[sm->given_head].stream[i])
        sm->ops->close_warp(sm->given[sm->given_head].stream[i]);
  for (unsigned p = 0; p < PIPES; p++)
    free(sm->pipe[p].ring);
  hd_loops_free(sm->loops);
  free(sm);
}

/* Drives the bytes of one store request. The elements' bytes are a hash; where lanes overlap, the highest lane wins. */
static void drive_store(const struct hd_sm *sm, const struct sm_mem_out *out, struct sm_mem_in *in) {
  const struct sm_bytes *bytes = &sm->bytes[out->st_wid][out->st_slot];
  memset(in->st_data, 0, sm->c->d.WORDS * sizeof *in->st_data);
  memset(in->st_mask, 0, sm->c->d.WORDS * sizeof *in->st_mask);
  for (uint64_t lanes = out->st_lanes; lanes; lanes &= lanes - 1) {
    const unsigned l = (unsigned)__builtin_ctzll(lanes);
    for (unsigned b = 0; b < bytes->size; b++) {
      const uint64_t byte = wl_rng_mix(bytes->content, l * 2 + b / 8) >> 8 * (b % 8) & 0xff;
      const unsigned at = bytes->offset[l] + b;
      in->st_data[at / 8] &= ~(UINT64_C(0xff) << 8 * (at % 8));
      in->st_data[at / 8] |= byte << 8 * (at % 8);
      in->st_mask[at / 8] |= sm_bit(at % 8);
    }
  }
}

/* Drives the run-time enables with the values of the configuration. */
static void drive_enables(const struct hd_config *c, struct sm_mem_in *in) {
#define ENABLE(name, when, section_key, changes, of) in->name = c->section_key;
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#include "arch/sm/sm_mem.def"
}

/* Drives all lines, also if the SM knows only those that change (hd_sm_tell_changes). */
static void drive_lines(const struct sm_lsu_entry *entry, unsigned lanes, uint64_t *line) {
  const uint64_t known = entry->changes ? entry->changes | 1 : UINT64_MAX;
  for (unsigned l = 0; l < lanes; l++)
    line[l] = known >> l & 1 ? entry->line[l] : line[l - 1];
}

void hd_sm_drive(struct hd_sm *sm, const struct sm_mem_out *out, struct sm_mem_in *in) {
  sm_drive(sm, in);
  drive_enables(sm->c, in);
  in->los_seed = sm->los_seed;
  if (sm->offer_is_new)
    drive_lines(sm_offered(sm), sm->c->sm.lanes, in->issue_line);
  if (sm->offer_is_new && sm->c->d.SECTORED)
    memcpy(in->issue_sector, sm_offered(sm)->sector, sm->c->sm.lanes * sizeof *in->issue_sector);
  if (sm->options.data && out->st_valid)
    drive_store(sm, out, in);
}

uint32_t hd_sm_pc(const struct hd_sm *sm, unsigned wid, unsigned slot) {
  return sm->warp[wid].slot[slot].pc;
}

bool hd_sm_no_memory(const struct hd_sm *sm) {
  return sm->loops && hd_loops_no_memory(sm->loops);
}

const char *hd_sm_error(const struct hd_sm *sm) {
  return sm->error[0] ? sm->error : hd_grid_error(sm->grid);
}

const struct hd_sm_stats *hd_sm_stats(const struct hd_sm *sm) {
  return &sm->stats;
}

void hd_sm_clock(struct hd_sm *sm, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  sm_clock(sm, in, out);
}

void hd_sm_count_ready(struct hd_sm *sm, uint64_t fails) {
  sm_count_ready(sm, fails);
}

bool hd_sm_done(const struct hd_sm *sm) {
  return sm_done(sm);
}

void hd_sm_skip(struct hd_sm *sm, uint64_t cycles) {
  sm->now += cycles;
  sm->stats.cycles += cycles;
}
