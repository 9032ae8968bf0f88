/* Golden model of the control registers behind APB4. Spec: docs/mechanisms/apb.md.
 *
 * Invariant: bit p of `enable`, and element p of `count`, belong to the p-th enable, or counter, that the machine
 * has. */
#include "arch/config/enables.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { AT = 4, COUNTER_BYTES = 8, LOW = 32, BYTES = 4, NO_THRESHOLD = LOW };
enum { CYCLES, INSTRUCTIONS, OF_EVENTS }; /* counters; from OF_EVENTS on they count events, in order */

/* The address of a register follows from its place in the bundle. */
#define ADDRESS(of) (offsetof(struct apb_registers, of) / sizeof(uint64_t) * AT)

void apb_regs_moore(struct apb_regs *m, struct apb_regs_out *out) {
  const struct apb_regs_st *s = &m->s;
  out->s_apb_pready = s->ready;
  out->s_apb_prdata = s->rdata;
  out->s_apb_pslverr = s->slverr;
#define ROW(name, when, key, changes, of) out->name = s->name;
  HD_ENABLES(ROW)
#undef ROW
#define ROW(name, width, reset, least, most, of) out->name = s->name;
  HD_THRESHOLDS(ROW)
#undef ROW
}

/* ---- Places in the map, and among what is there ---- */

/* `packed`: one bit for each enable or counter that the machine has (`there`). spread() puts these bits at their
 * places in the map; packed() is the inverse. */
static uint64_t spread(uint64_t packed, uint64_t there) {
  uint64_t map = 0;
  for (; there; there &= there - 1, packed >>= 1)
    map |= (packed & 1) << hd_lowest(there);
  return map;
}
static uint64_t packed(uint64_t map, uint64_t there) {
  uint64_t bits = 0;
  for (unsigned place = 0; there; there &= there - 1, place++)
    bits |= (map >> hd_lowest(there) & 1) << place;
  return bits;
}

/* *place gets the number of counter i among the machine's counters. Returns false if the machine has no counter i. */
static bool counter_place(const struct apb_regs *m, uint64_t i, unsigned *place) {
  const uint64_t there = m->base.c->d.COUNTERS_THERE;
  if (i >= LOW || !hd_has(there, i))
    return false;
  *place = (unsigned)__builtin_popcountll(there & hd_ones(i));
  return true;
}

/* Returns the register of threshold i, and its legal range. Returns NULL if the machine has no threshold i. */
struct range {
  uint64_t least, most;
};
static uint64_t *threshold(struct apb_regs *m, uint64_t i, struct range *range) {
  const struct hd_config *c = m->base.c;
#include "arch/config/sizes.h"
  uint64_t place = 0, *reg = NULL;
  if (i >= LOW || !hd_has(c->d.THRESHOLDS_THERE, i))
    return NULL;
#define ROW(name, width, reset, from, to, of)                                                                \
  if (place++ == i) {                                                                                        \
    reg = &m->s.name;                                                                                        \
    *range = (struct range){from, to};                                                                       \
  }
  HD_THRESHOLDS(ROW)
#undef ROW
  return reg;
}

/* Returns the threshold at the address, or NULL. */
static uint64_t *threshold_at(struct apb_regs *m, uint64_t address, struct range *range) {
  const uint64_t from = m->base.c->d.APB_THRESHOLDS_AT;
  return address < from || address % AT ? NULL : threshold(m, (address - from) / AT, range);
}

/* ---- Transfers ---- */

static uint64_t active(const struct apb_regs *m) {
  uint64_t bits = 0;
  unsigned i = 0;
#define ROW(name, when, key, changes, of) bits |= m->s.name << i++;
  HD_ENABLES(ROW)
#undef ROW
  return bits & m->base.c->d.ENABLES_THERE;
}

/* Reads the register at the address. Returns false if there is none. *low: the counter if this is its lower half,
 * else NULL. */
static bool look_up(struct apb_regs *m, uint64_t address, uint64_t *value, const uint64_t **low) {
  const struct hd_derived *d = &m->base.c->d;
  struct range range;
  const uint64_t *const tuned = threshold_at(m, address, &range);
  unsigned place;
  *low = NULL;
  if (tuned) {
    *value = *tuned;
    return true;
  }
  if (address >= d->APB_COUNTERS_AT) {
    const uint64_t in_counter = address % COUNTER_BYTES;
    if (in_counter % AT != 0 || !counter_place(m, (address - d->APB_COUNTERS_AT) / COUNTER_BYTES, &place))
      return false;
    if (in_counter) {
      *value = m->s.high;
      return d->COUNTER_W > LOW;
    }
    *low = &m->s.count[place];
    *value = **low & UINT32_MAX;
    return true;
  }
  switch (address) {
  case ADDRESS(id):
    *value = d->APB_ID;
    return true;
  case ADDRESS(version):
    *value = d->APB_VERSION;
    return true;
  case ADDRESS(has_enables):
    *value = d->ENABLES_THERE;
    return true;
  case ADDRESS(has_counters):
    *value = d->COUNTERS_THERE;
    return true;
  case ADDRESS(has_thresholds):
    *value = d->THRESHOLDS_THERE;
    return true;
  case ADDRESS(control):
    *value = m->s.freeze;
    return true;
  case ADDRESS(enable):
    *value = spread(m->s.enable, d->ENABLES_THERE);
    return true;
  case ADDRESS(active):
    *value = active(m);
    return true;
  case ADDRESS(scratch):
    *value = m->s.scratch;
    return true;
  default:
    return false;
  }
}

/* Returns the word `was` after the write that is held. */
static uint64_t written(const struct apb_regs *m, uint64_t was) {
  uint64_t bytes = 0;
  for (unsigned i = 0; i < BYTES; i++)
    bytes |= (m->s.strb >> i & 1) * UINT64_C(0xff) << 8 * i;
  return (was & ~bytes) | (m->s.wdata & bytes);
}

static void put(struct apb_regs *m) {
  struct apb_regs_st *s = &m->s;
  struct range range;
  uint64_t *const tuned = threshold_at(m, s->addr, &range);
  HD_EV(m, apb_regs_write, s->addr, s->wdata, s->strb, 0);
  if (tuned) {
    *tuned = written(m, *tuned);
  } else if (s->addr == ADDRESS(scratch)) {
    s->scratch = written(m, s->scratch);
  } else if (s->addr == ADDRESS(enable)) {
    const uint64_t there = m->base.c->d.ENABLES_THERE;
    s->enable = packed(written(m, spread(s->enable, there)), there);
  } else if (s->strb & 1) {
    if (s->freeze != (s->wdata & 1))
      HD_EV(m, apb_regs_freeze, s->wdata & 1, 0, 0, 0);
    s->freeze = s->wdata & 1;
    s->clear = s->wdata >> 1 & 1;
  }
}

/* Performs the transfer that is held. */
static void perform(struct apb_regs *m) {
  struct apb_regs_st *s = &m->s;
  const uint64_t *low;
  uint64_t value = 0;
  struct range range;
  const uint64_t *const tuned = threshold_at(m, s->addr, &range);
  const uint64_t next = tuned ? written(m, *tuned) : 0;
  const bool mapped = look_up(m, s->addr, &value, &low);
  const bool writable =
      tuned || s->addr == ADDRESS(control) || s->addr == ADDRESS(enable) || s->addr == ADDRESS(scratch);
  const bool illegal = tuned && (next < range.least || next > range.most);
  s->slverr = !mapped || (s->write && (!writable || illegal));
  s->rdata = 0;
  if (!mapped) {
    HD_EV(m, apb_regs_unmapped, s->addr, 0, 0, 0);
  } else if (s->slverr && !writable) {
    HD_EV(m, apb_regs_refused, s->addr, 0, 0, 0);
  } else if (s->slverr) {
    HD_EV(m, apb_regs_illegal, s->addr, next, 0, 0);
  } else if (s->write) {
    put(m);
  } else {
    s->rdata = value;
    if (low)
      s->high = *low >> LOW;
    HD_EV(m, apb_regs_read, s->addr, value, 0, 0);
  }
}

/* ---- Enables and counters ---- */

/* Loads the enables from `enable`, the register's value at the start of the cycle. */
static void follow(struct apb_regs *m, uint64_t enable, bool flush) {
  struct apb_regs_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t differ = packed(active(m), d->ENABLES_THERE) ^ enable;
  unsigned i = 0;
  if (differ & d->AT_REST && flush)
    HD_EV(m, apb_regs_rest, enable, 0, 0, 0);
  else if (differ & d->AT_REST)
    HD_EV(m, apb_regs_waits, enable, 0, 0, 0);
  const uint64_t map = spread(enable, d->ENABLES_THERE);
#define ROW(name, when, key, changes, of)                                                                    \
  if (d->ENABLES_THERE >> i & 1 && (flush || HD_##changes == HD_ANY_TIME))                                   \
    s->name = map >> i & 1;                                                                                  \
  i++;
  HD_ENABLES(ROW)
#undef ROW
}

static void count(struct apb_regs *m, bool clear, bool freeze) {
  struct apb_regs_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t most = UINT64_MAX >> (64 - d->COUNTER_W);
  if (clear)
    HD_EV(m, apb_regs_clear, 0, 0, 0, 0);
  for (unsigned i = 0; i < d->COUNTERS; i++) {
    const uint64_t more = i == CYCLES ? 1 : i == INSTRUCTIONS ? s->issued : s->seen >> (i - OF_EVENTS) & 1;
    if (clear)
      s->count[i] = 0;
    else if (!freeze)
      s->count[i] = (s->count[i] + more) & most;
  }
}

static void see(struct apb_regs *m, const struct apb_regs_in *in) {
  const struct hd_derived *d = &m->base.c->d;
  uint64_t happens[sizeof in->ev / sizeof(uint64_t)], map = 0;
  memcpy(happens, &in->ev, sizeof happens);
  for (unsigned i = 0; i < sizeof happens / sizeof *happens; i++)
    map |= happens[i] << i;
  m->s.seen = packed(map, d->COUNTERS_THERE >> OF_EVENTS);
  m->s.issued = 0;
  for (unsigned i = 0; i < d->SCHEDS; i++)
    m->s.issued += in->pick_valid[i];
}

uint64_t apb_regs_tick(struct apb_regs *m, const struct apb_regs_in *in) {
  struct apb_regs_st *s = &m->s;
  const bool setup = in->s_apb_psel && !in->s_apb_penable;
  /* A transfer reads the counters and enables as they are at the start of the cycle. The counters and enables follow
   * the control and enable registers of the start of the cycle. */
  const uint64_t enable = s->enable, clear = s->clear, freeze = s->freeze;
  s->clear = 0;
  s->ready = s->held;
  if (s->held)
    perform(m);
  follow(m, enable, in->flush);
  count(m, clear, freeze);
  see(m, in);
  s->held = setup;
  if (setup) {
    s->addr = in->s_apb_paddr;
    s->write = in->s_apb_pwrite;
    s->wdata = in->s_apb_pwdata;
    s->strb = in->s_apb_pstrb;
  }
  return HD_MOVES;
}
