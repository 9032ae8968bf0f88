/* Interconnect, L2 banks and DRAM channels, and their clocks; see memsys.h and docs/gpu.md.
 *
 * A unit's neighbour sees what the unit hands over in a core cycle, or a place that it frees, in the next core cycle
 * or later. In a core cycle the units run in the direction of requests, and nothing is sent the other way before the
 * next cycle. So freed places are seen late enough without a second copy.
 *
 * A bank runs several cycles in a row, ahead of the crossbars and DRAM: what reaches the bank in these cycles is on
 * its way already. So the bank's state is brought into the host's cache once for all of them. This pays if banks have
 * pauses. A bank that always has work waits for places for its answers, and runs cycle by cycle.
 *
 * Invariant: no unit can do anything before its `next`, so a core cycle before all of them is skipped. */
#include "cmodel/memory/memsys_state.h"

#include <stdatomic.h>

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Returns the core cycle of the next run of a unit that can do nothing before cycle `next` of its clock. */
static uint64_t by_cycle(const struct hd_clock *c, uint64_t next) {
  return next <= c->cycle ? c->at : hd_clock_core(c, next);
}

/* Returns the core cycle of the next run of a unit that can do nothing before core cycle `next`. */
static uint64_t by_core(const struct hd_clock *c, uint64_t next) {
  return next <= c->at ? c->at : hd_clock_core(c, hd_clock_cycle(c, next));
}

/* ---- The SMs' side ---- */

void hd_memsys_expect(const struct hd_memsys *ms, unsigned sm) {
  __builtin_prefetch(&ms->port[sm].link_at, 1);
}

void hd_memsys_expect_all(const struct hd_memsys *ms) {
  for (unsigned w = 0; w < ms->sm_words; w++)
    for (uint64_t rest = ms->changed.word[w] | ms->acted[w]; rest; rest &= rest - 1)
      hd_memsys_expect(ms, hd_port_of(w, rest));
}

void hd_memsys_exchange(struct hd_memsys *ms) {
  for (unsigned w = 0; w < ms->sm_words; w++) {
    const uint64_t acted = ms->acted[w];
    for (uint64_t rest = ms->changed.word[w]; rest; rest &= rest - 1) {
      struct port *p = &ms->port[hd_port_of(w, rest)];
      p->news = true;
      p->known_left = p->left;
      p->known_given = p->given;
    }
    for (uint64_t rest = acted; rest; rest &= rest - 1) {
      struct port *p = &ms->port[hd_port_of(w, rest)];
      p->acted = false;
      p->known_sent = p->sent;
      p->known_taken = p->taken;
    }
    ms->news.word[w] |= acted;
    ms->changed.word[w] = 0;
    if (acted)
      ms->acted[w] = 0;
  }
}

/* Notes, once per exchange, that the SM has done something. */
static void act(struct hd_memsys *ms, unsigned sm) {
  if (ms->port[sm].acted)
    return;
  ms->port[sm].acted = true;
  atomic_fetch_or_explicit(&ms->acted[sm / 64], hd_port_bit(sm), memory_order_relaxed);
}

bool *hd_memsys_news(const struct hd_memsys *ms, unsigned sm) {
  return &ms->port[sm].news;
}

uint64_t hd_memsys_ready(const struct hd_memsys *ms, unsigned sm) {
  const struct port *p = &ms->port[sm];
  if (p->sent - p->known_left == ms->depth)
    return UINT64_MAX;
  const uint64_t at = p->ready_at[p->sent & ms->mask];
  return p->link_at > at ? p->link_at : at;
}

/* Most often there is one sector, which needs no call of a library function. */
static unsigned bytes_of(const struct hd_memsys *ms, uint64_t sectors) {
  const unsigned n = sectors & (sectors - 1) ? (unsigned)__builtin_popcountll(sectors) : sectors != 0;
  return n * ms->sector_bytes;
}

static unsigned flits_with(const struct hd_memsys *ms, unsigned bytes) {
  return ms->flits_with[bytes];
}

/* Returns what the byte mask of the store's request says. */
static const struct hd_store_bytes *bytes_of_store(const struct port *p, const struct sreq *q) {
  return &p->stores[(q->wid * HD_MOST(sm, loads) + q->slot) * WL_LANES + q->num];
}

/* Returns the line bytes that the packet of a store brings. */
static unsigned brought(const struct hd_memsys *ms, const struct port *p, const struct sreq *q) {
  if (ms->segments)
    return bytes_of_store(p, q)->segment < ms->line_bytes ? bytes_of_store(p, q)->segment : ms->line_bytes;
  return ms->sector_bytes ? bytes_of(ms, q->sectors) : ms->line_bytes;
}

/* Returns the additional core cycles of the way between an SM and a bank, before the crossbar. */
static uint64_t far(const struct hd_memsys *ms, unsigned sm, unsigned bank) {
  if (!ms->far)
    return 0;
  const bool second_sm = 2 * sm >= ms->sms, second_bank = 2 * bank >= ms->map.banks;
  return second_sm == second_bank ? 0 : ms->far;
}

void hd_memsys_send(struct hd_memsys *ms, unsigned sm, uint64_t at, const struct sreq *q) {
  struct port *p = &ms->port[sm];
  const struct hd_clock *clock = &ms->link_clock;
  struct sending *s = &p->sending[p->sent & ms->mask];
  s->packet.up = hd_l2req_of(q, sm);
  s->bank = hd_memmap_bank(&ms->map, q->line, &s->packet.up.line);
  if (ms->full && q->kind == HD_STORE)
    s->packet.up.full = bytes_of_store(p, q)->full;
  s->flits = ms->short_flits;
  s->bytes = 0;
  if (q->kind == HD_STORE) {
    s->bytes = brought(ms, p, q);
    s->flits = flits_with(ms, s->bytes);
  }
  s->at = hd_clock_cycle(clock, at + ms->latency + far(ms, sm, s->bank));
  /* the first core cycle in which no icnt cycle belongs to the packet */
  p->link_at = hd_clock_core(clock, hd_clock_cycle(clock, at) + s->flits - 1) + 1;
  p->sent++;
  act(ms, sm);
}

struct hd_store_bytes *hd_memsys_stores(struct hd_memsys *ms, unsigned sm) {
  return ms->port[sm].stores;
}

const struct hd_memsys_answer *hd_memsys_answer(const struct hd_memsys *ms, unsigned sm) {
  const struct port *p = &ms->port[sm];
  return p->taken != p->known_given ? &p->answers[p->taken & ms->mask] : NULL;
}

void hd_memsys_take(struct hd_memsys *ms, unsigned sm, uint64_t at) {
  struct port *p = &ms->port[sm];
  p->room_at[(p->taken + ms->depth) & ms->mask] = at + ms->latency;
  p->taken++;
  act(ms, sm);
}

/* ---- A core cycle, unit by unit ---- */

/* Tells the crossbar from when on the next answer to the SM has a place. */
static void renew_room(struct hd_memsys *ms, unsigned sm) {
  const struct port *p = &ms->port[sm];
  const uint64_t at = p->given - p->freed == ms->depth ? UINT64_MAX : p->room_at[p->given & ms->mask];
  hd_xbar_room(&ms->down, sm, hd_clock_cycle(&ms->down_clock, at));
}

/* Processes what the SM has handed over and taken, as far as the last exchange has told. */
static void enter(struct hd_memsys *ms, unsigned sm) {
  struct port *p = &ms->port[sm];
  for (; p->entered != p->known_sent; p->entered++) {
    const struct sending *s = &p->sending[p->entered & ms->mask];
    ms->stats.write_bytes += s->bytes;
    *hd_xbar_place(&ms->up, sm) = s->packet;
    hd_xbar_push(&ms->up, sm, s->bank, s->flits, s->at);
  }
  const bool waits = p->given - p->freed == ms->depth && p->freed != p->known_taken;
  p->freed = p->known_taken;
  if (waits)
    renew_room(ms, sm);
}

/* Updates the bank's next cycle: something is on its way to the bank, or a place that it waited for is free. The bank
 * sees this in core cycle `from` or later. */
static void look_again(struct hd_memsys *ms, unsigned b, uint64_t from) {
  const uint64_t next = hd_bank_next(ms->bank[b], ms->depth > ms->down.count[b]);
  const uint64_t at = next < from ? hd_clock_core(&ms->l2_clock, hd_clock_cycle(&ms->l2_clock, from)) : next;
  ms->bank_next[b] = least(ms->bank_next[b], at);
  ms->banks_next = least(ms->banks_next, at);
}

static void run_up(struct hd_memsys *ms, uint64_t now) {
  struct hd_clock *clock = &ms->up_clock;
  for (hd_clock_seek(clock, now); clock->at == now; hd_clock_step(clock)) {
    if (!ms->no_skip && ms->up.next > clock->cycle)
      continue;
    const unsigned n = hd_xbar_cycle(&ms->up, clock->cycle, ms->moves);
    for (const struct hd_xbar_move *m = ms->moves; m < ms->moves + n; m++) {
      const uint64_t at = hd_clock_core(clock, clock->cycle + m->flits - 1) + ms->l2_latency;
      struct port *p = &ms->port[m->input];
      if (hd_bank_push(ms->bank[m->output], &m->packet->up, at))
        look_again(ms, m->output, now);
      if (hd_bank_full(ms->bank[m->output]))
        hd_xbar_room(&ms->up, m->output, UINT64_MAX);
      p->ready_at[(p->left + ms->depth) & ms->mask] = now + ms->latency;
      p->left++;
      hd_port_set_add(&ms->changed, m->input);
    }
  }
}

/* Updates the core cycle in which a request can next be pulled into the window of channel d. */
static void renew_pull(struct hd_memsys *ms, unsigned d) {
  uint64_t first = UINT64_MAX;
  for (unsigned b = d; !hd_dram_full(ms->channel[d]) && b < ms->map.banks; b += ms->map.channels) {
    const struct hd_bank_fetch *f = hd_bank_fetch(ms->bank[b]);
    if (f && f->at < first)
      first = f->at;
  }
  ms->pull_next[d] = first;
  ms->pulls_next = least(ms->pulls_next, first);
}

static void renew_channels(struct hd_memsys *ms) {
  const struct hd_clock *clock = &ms->dram_clock;
  ms->channels_next = least(by_cycle(clock, ms->commands_next), by_core(clock, ms->pulls_next));
}

/* Returns the flits of the answer: the header, and the sectors that it brings. */
static unsigned answer_flits(struct hd_memsys *ms, const struct l2rsp *a) {
  if (!hd_is_load(a->kind))
    return ms->short_flits;
  const unsigned bytes = ms->sector_bytes ? bytes_of(ms, a->sectors) : ms->line_bytes;
  ms->stats.read_bytes += bytes;
  return flits_with(ms, bytes);
}

/* Passes on what has left a bank. An answer is in `room`. */
static void pass_on(struct hd_memsys *ms, unsigned b, const struct hd_bank_moves *moves,
                    const union hd_packet *room) {
  if (moves->answered && room) { /* an answer always has room */
    const struct l2rsp *a = &room->down;
    const unsigned sm = (unsigned)a->sm;
    const uint64_t at = moves->at + 1 + far(ms, sm, b);
    hd_xbar_push(&ms->down, b, sm, answer_flits(ms, a), hd_clock_cycle(&ms->down_clock, at));
  }
  if (moves->made_room)
    hd_xbar_room(&ms->up, b, hd_clock_cycle(&ms->up_clock, moves->at + 1));
  if (moves->sent) {
    renew_pull(ms, b % ms->map.channels);
    renew_channels(ms);
  }
}

/* Runs the bank in core cycle `now`, and on to before `until`, as far as no other unit can make a difference. What
 * comes to the bank by then is on its way already. If the bank lacks a place, it looks again when that cycle has
 * come. */
static void run_bank(struct hd_memsys *ms, unsigned b, uint64_t now, uint64_t until) {
  struct hd_bank *bank = ms->bank[b];
  union hd_packet *room = hd_xbar_place(&ms->down, b);
  if (ms->no_skip)
    hd_bank_wake(bank);
  if (!room || !hd_bank_has_places(bank, ms->pushes * (unsigned)(until - now)))
    until = now;
  do {
    const struct hd_bank_moves moves = hd_bank_run(bank, now, until, room ? &room->down : NULL);
    now = moves.at;
    if (!moves.any)
      break;
    pass_on(ms, b, &moves, room);
    now = hd_bank_next(bank, ms->depth > ms->down.count[b]);
  } while (now < until && (room = hd_xbar_place(&ms->down, b)) && !hd_bank_is_stuck(bank));
  ms->bank_next[b] = now;
}

static void run_banks(struct hd_memsys *ms, uint64_t now, uint64_t until) {
  if (!ms->no_skip && ms->banks_next > now)
    return;
  /* Local variables, because this loop is hot. */
  const uint64_t *const next = ms->bank_next;
  const unsigned banks = ms->map.banks;
  uint64_t first = UINT64_MAX;
  until = least(until, now + ms->alone);
  for (unsigned b = 0; b < banks; b++) {
    while (next[b] <= now || (ms->no_skip && hd_bank_at(ms->bank[b]) <= now))
      run_bank(ms, b, now, until);
    first = least(first, next[b]);
  }
  ms->banks_next = first;
}

/* Pulls at most one request a cycle into the window. The banks of a channel take turns. */
static void pull(struct hd_memsys *ms, unsigned d, uint64_t now, uint64_t cycle) {
  const struct hd_memmap *map = &ms->map;
  unsigned turn = ms->channel_turn[d];
  for (unsigned i = 0; i < map->slices; i++) {
    const unsigned b = turn * map->channels + d;
    turn = turn + 1 == map->slices ? 0 : turn + 1;
    const struct hd_bank_fetch *f = hd_bank_fetch(ms->bank[b]);
    if (!f || f->at > now)
      continue;
    struct hd_dram_request q = {.from = b, .id = f->mshr, .write = f->write};
    q.bank = hd_memmap_dram(map, b, f->line, &q.row);
    hd_dram_push(ms->channel[d], &q, cycle);
    hd_bank_fetched(ms->bank[b]);
    if (hd_bank_wake(ms->bank[b]))
      look_again(ms, b, now + 1);
    ms->channel_turn[d] = turn;
    return;
  }
}

static void run_channel(struct hd_memsys *ms, unsigned d, uint64_t now, uint64_t cycle) {
  struct hd_dram *channel = ms->channel[d];
  struct hd_dram_request done;
  uint64_t last;
  const bool full = hd_dram_full(channel);
  if (hd_dram_cycle(channel, cycle, &done, &last) && !done.write) {
    const uint64_t at = hd_clock_core(&ms->dram_clock, last) + ms->back;
    if (hd_bank_fill(ms->bank[done.from], done.id, at))
      look_again(ms, done.from, now + 1);
  }
  if (!full)
    pull(ms, d, now, cycle);
  renew_pull(ms, d);
  ms->command_next[d] = hd_dram_next(channel);
}

static void run_channels(struct hd_memsys *ms, uint64_t now) {
  struct hd_clock *clock = &ms->dram_clock;
  for (hd_clock_seek(clock, now); clock->at == now; hd_clock_step(clock)) {
    ms->commands_next = ms->pulls_next = UINT64_MAX;
    for (unsigned d = 0; d < ms->map.channels; d++) {
      if (ms->no_skip || ms->command_next[d] <= clock->cycle || ms->pull_next[d] <= now)
        run_channel(ms, d, now, clock->cycle);
      ms->commands_next = least(ms->commands_next, ms->command_next[d]);
      ms->pulls_next = least(ms->pulls_next, ms->pull_next[d]);
    }
  }
  renew_channels(ms);
}

static void arrive(struct hd_memsys *ms, const struct hd_xbar_move *m, uint64_t at) {
  struct port *p = &ms->port[m->output];
  const struct l2rsp *a = &m->packet->down;
  p->answers[p->given & ms->mask] = (struct hd_memsys_answer){.at = at, .rsp = hd_srsp_of(a)};
  p->given++;
  hd_port_set_add(&ms->changed, m->output);
  renew_room(ms, m->output);
  ms->stats.writes += a->kind == HD_STORE;
  ms->stats.reads += hd_is_load(a->kind);
}

static void run_down(struct hd_memsys *ms, uint64_t now) {
  struct hd_clock *clock = &ms->down_clock;
  for (hd_clock_seek(clock, now); clock->at == now; hd_clock_step(clock)) {
    if (!ms->no_skip && ms->down.next > clock->cycle)
      continue;
    const unsigned n = hd_xbar_cycle(&ms->down, clock->cycle, ms->moves);
    for (const struct hd_xbar_move *m = ms->moves; m < ms->moves + n; m++) {
      arrive(ms, m, hd_clock_core(clock, clock->cycle + m->flits - 1) + ms->latency);
      if (ms->down.count[m->input] == ms->depth - 1) { /* the bank's queue was full */
        hd_bank_wake(ms->bank[m->input]);
        look_again(ms, m->input, now + 1);
      }
    }
  }
}

/* ---- Time ---- */

uint64_t hd_memsys_next(const struct hd_memsys *ms) {
  const uint64_t icnt = least(by_cycle(&ms->up_clock, ms->up.next), by_cycle(&ms->down_clock, ms->down.next));
  return least(least(icnt, ms->channels_next), ms->banks_next);
}

void hd_memsys_run(struct hd_memsys *ms, uint64_t until) {
  uint64_t now;
  for (unsigned w = 0; w < ms->sm_words; w++)
    for (uint64_t *rest = &ms->news.word[w]; *rest; *rest &= *rest - 1)
      enter(ms, hd_port_of(w, *rest));
  while ((now = ms->no_skip ? ms->now : hd_memsys_next(ms)) < until) {
    run_up(ms, now);
    run_banks(ms, now, until);
    if (ms->no_skip || ms->channels_next <= now)
      run_channels(ms, now);
    run_down(ms, now);
    ms->now = now + 1;
  }
  if (ms->now < until)
    ms->now = until;
}

bool hd_memsys_idle(const struct hd_memsys *ms) {
  bool busy = false;
  for (unsigned sm = 0; sm < ms->sms; sm++)
    busy = busy || ms->port[sm].sent != ms->port[sm].taken;
  for (unsigned b = 0; b < ms->map.banks; b++)
    busy = busy || hd_bank_sending(ms->bank[b]);
  for (unsigned d = 0; d < ms->map.channels; d++)
    busy = busy || !hd_dram_idle(ms->channel[d]);
  return !busy;
}
