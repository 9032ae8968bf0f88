/* Construction of the memory system, its observers, and its figures; see memsys.h. */
#include "cmodel/memory/memsys_state.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/model/counts.h"

enum { HOST_LINE = 64 /* bytes of a line of the host's cache */ };

/* Returns n elements, all zero, alone in their lines of the host's cache. NULL: no memory. */
static void *own_lines(size_t n, size_t size) {
  const size_t bytes = (n * size + HOST_LINE - 1) / HOST_LINE * HOST_LINE;
  void *p = aligned_alloc(HOST_LINE, bytes);
  return p ? memset(p, 0, bytes) : NULL;
}

static unsigned flits(const struct hd_config *c, unsigned bytes) {
  return (bytes + c->icnt.flit_bytes - 1) / c->icnt.flit_bytes;
}

static bool new_units(struct hd_memsys *ms, const struct hd_design *design) {
  if (!hd_xbar_init(&ms->up, ms->sms, ms->map.banks, ms->depth) ||
      !hd_xbar_init(&ms->down, ms->map.banks, ms->sms, ms->depth))
    return false;
  ms->flits_with = malloc(ms->line_bytes + 1);
  for (unsigned bytes = 0; ms->flits_with && bytes <= ms->line_bytes; bytes++)
    ms->flits_with[bytes] = (uint8_t)flits(design->c, design->c->icnt.header_bytes + bytes);
  ms->port = aligned_alloc(_Alignof(struct port), ms->sms * sizeof *ms->port);
  for (unsigned i = 0; ms->port && i < ms->sms; i++)
    ms->port[i] = (struct port){0};
  ms->bank = calloc(ms->map.banks, sizeof(struct hd_bank *));
  ms->bank_next = calloc(ms->map.banks, sizeof *ms->bank_next);
  ms->channel = calloc(ms->map.channels, sizeof(struct hd_dram *));
  ms->channel_turn = calloc(ms->map.channels, sizeof *ms->channel_turn);
  ms->pull_next = calloc(ms->map.channels, sizeof *ms->pull_next);
  ms->command_next = calloc(ms->map.channels, sizeof *ms->command_next);
  if (!ms->flits_with || !ms->port || !ms->bank || !ms->bank_next || !ms->channel || !ms->channel_turn ||
      !ms->pull_next || !ms->command_next)
    return false;
  for (unsigned i = 0; i < ms->sms; i++) {
    struct port *p = &ms->port[i];
    const size_t n = (size_t)ms->mask + 1;
    p->sending = own_lines(n, sizeof *p->sending);
    p->ready_at = own_lines(n, sizeof *p->ready_at);
    p->room_at = own_lines(n, sizeof *p->room_at);
    p->answers = own_lines(n, sizeof *p->answers);
    const bool asks = ms->full || ms->segments;
    p->stores = asks ? calloc(HD_MOST(sm, warps) * HD_MOST(sm, loads) * WL_LANES, sizeof *p->stores) : NULL;
    if (!p->sending || !p->ready_at || !p->room_at || !p->answers || (asks && !p->stores))
      return false;
  }
  for (unsigned b = 0; b < ms->map.banks; b++) {
    if (!(ms->bank[b] = hd_bank_new(design)))
      return false;
    ms->bank_next[b] = UINT64_MAX;
  }
  for (unsigned d = 0; d < ms->map.channels; d++) {
    if (!(ms->channel[d] = hd_dram_new(design->c)))
      return false;
    ms->pull_next[d] = ms->command_next[d] = UINT64_MAX;
  }
  ms->banks_next = ms->pulls_next = ms->commands_next = ms->channels_next = UINT64_MAX;
  return true;
}

struct hd_memsys *hd_memsys_new(const struct hd_design *design, bool no_skip) {
  const struct hd_config *c = design->c;
  struct hd_memsys *ms = aligned_alloc(_Alignof(struct hd_memsys), sizeof *ms);
  if (!ms)
    return NULL;
  memset(ms, 0, sizeof *ms);
  ms->map = hd_memmap_of(c);
  ms->no_skip = no_skip;
  ms->full = c->d.LOS;
  ms->segments = c->icnt.stores == HD_STORES_SEGMENT;
  ms->sms = c->gpu.sms;
  ms->sm_words = hd_port_words(ms->sms);
  ms->line_bytes = c->l1d.line_bytes;
  ms->depth = c->icnt.queue;
  while (ms->mask + 1 < ms->depth)
    ms->mask = 2 * ms->mask + 1;
  ms->latency = c->icnt.latency;
  ms->far = c->icnt.far_latency;
  ms->l2_latency = c->l2.latency;
  ms->back = c->dram.latency - c->dram.latency / 2;
  ms->short_flits = flits(c, c->icnt.header_bytes);
  ms->sector_bytes = c->d.SECTORED * c->l1d.sector_bytes;
  ms->up_clock = ms->down_clock = ms->link_clock = hd_clock_of(c->sm.clock_mhz, c->icnt.clock_mhz);
  ms->l2_clock = hd_clock_of(c->sm.clock_mhz, c->l2.clock_mhz);
  ms->dram_clock = hd_clock_of(c->sm.clock_mhz, c->dram.clock_mhz);
  ms->pushes = c->icnt.clock_mhz / c->sm.clock_mhz + 2;
  if (new_units(ms, design)) {
    ms->alone = no_skip ? 0 : hd_bank_lead(ms->bank[0]);
    return ms;
  }
  hd_memsys_free(ms);
  return NULL;
}

void hd_memsys_free(struct hd_memsys *ms) {
  if (!ms)
    return;
  hd_xbar_free(&ms->up);
  hd_xbar_free(&ms->down);
  for (unsigned i = 0; ms->port && i < ms->sms; i++) {
    free(ms->port[i].sending);
    free(ms->port[i].ready_at);
    free(ms->port[i].room_at);
    free(ms->port[i].answers);
    free(ms->port[i].stores);
  }
  for (unsigned b = 0; ms->bank && b < ms->map.banks; b++)
    hd_bank_free(ms->bank[b]);
  for (unsigned d = 0; ms->channel && d < ms->map.channels; d++)
    hd_dram_free(ms->channel[d]);
  free(ms->flits_with);
  free(ms->port);
  free(ms->bank);
  free(ms->bank_next);
  free(ms->channel);
  free(ms->channel_turn);
  free(ms->pull_next);
  free(ms->command_next);
  free(ms);
}

bool hd_memsys_watch(struct hd_memsys *ms, unsigned bank, const struct hd_bank_watch *watch) {
  if (!hd_bank_set_watch(ms->bank[bank], watch))
    return false;
  ms->bank_next[bank] = ms->banks_next = ms->alone = 0; /* the observer sees cycle by cycle */
  return true;
}

void hd_memsys_set_accesses(struct hd_memsys *ms, const struct hd_access_watch *accesses) {
  for (unsigned b = 0; b < ms->map.banks; b++)
    hd_bank_set_accesses(ms->bank[b], b, &ms->map, accesses);
  ms->alone = 0; /* accesses are told in the order of their cycles */
}

void hd_memsys_warm(struct hd_memsys *ms, uint64_t line, unsigned sector, bool store) {
  uint64_t local;
  const unsigned bank = hd_memmap_bank(&ms->map, line, &local);
  hd_bank_warm(ms->bank[bank], local, sector, store);
}

static void add_channel(struct hd_memsys_stats *s, const struct hd_dram_stats *d) {
  s->dram_reads += d->reads;
  s->dram_writes += d->writes;
  s->dram_row_hits += d->row_hits;
  s->dram_activates += d->activates;
  s->dram_busy += d->busy;
}

const struct hd_memsys_stats *hd_memsys_stats(struct hd_memsys *ms) {
  struct hd_memsys_stats s = {.reads = ms->stats.reads,
                              .writes = ms->stats.writes,
                              .read_bytes = ms->stats.read_bytes,
                              .write_bytes = ms->stats.write_bytes};
  hd_xbar_settle(&ms->up, hd_clock_cycle(&ms->up_clock, ms->now));
  hd_xbar_settle(&ms->down, hd_clock_cycle(&ms->down_clock, ms->now));
  s.up_packets = ms->up.packets;
  s.up_flits = ms->up.flits;
  s.up_waits = ms->up.waits;
  s.down_packets = ms->down.packets;
  s.down_flits = ms->down.flits;
  s.down_waits = ms->down.waits;
  for (unsigned b = 0; b < ms->map.banks; b++)
    hd_add_counts(&s.l2, hd_bank_stats(ms->bank[b], hd_clock_cycle(&ms->l2_clock, ms->now)), sizeof s.l2);
  const uint64_t cycles = hd_clock_cycle(&ms->dram_clock, ms->now);
  for (unsigned d = 0; d < ms->map.channels; d++)
    add_channel(&s, hd_dram_stats(ms->channel[d]));
  s.dram_cycles = cycles * ms->map.channels;
  ms->stats = s;
  return &ms->stats;
}
