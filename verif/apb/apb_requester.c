/* An APB4 requester and its copy of the control registers; see apb_requester.h. Written from docs/mechanisms/apb.md. */
#include "verif/apb/apb_requester.h"

#include <inttypes.h>

#include "arch/config/enables.h"
#include "base/version.h"

enum {
  ID = 0x000,
  VERSION = 0x004,
  HAS_ENABLES = 0x008,
  HAS_COUNTERS = 0x00c,
  CONTROL = 0x010,
  ENABLE = 0x014,
  ACTIVE = 0x018,
  SCRATCH = 0x01c,
  HAS_THRESHOLDS = 0x020,
  THRESHOLDS = 0x080,
  SPACE_W = 12
};

/* ---- The registers ---- */

static uint64_t version(void) {
  unsigned major = 0, minor = 0, patch = 0;
  sscanf(HD_VERSION, "%u.%u.%u", &major, &minor, &patch);
  return major << 16 | minor << 8 | patch;
}

/* Returns a mask of the enables that change only at a flush. */
static uint64_t at_rest(void) {
  uint64_t bits = 0;
  unsigned i = 0;
#define ROW(name, when, key, changes, of) bits |= (uint64_t)(HD_##changes == HD_AT_REST) << i++;
  HD_ENABLES(ROW)
#undef ROW
  return bits;
}

void hd_apb_open(struct hd_apb_requester *r, struct hd_env_base *p) {
  const struct hd_config *c = p->c;
#include "arch/config/sizes.h"
  unsigned i = 0;
  *r = (struct hd_apb_requester){.p = p, .known = UINT64_MAX, .high_known = true};
#define ROW(name, when, key, changes, of)                                                                    \
  if (when) {                                                                                                \
    r->there |= UINT64_C(1) << i;                                                                            \
    r->enable |= (uint64_t)c->key << i;                                                                      \
  }                                                                                                          \
  i++;
  HD_ENABLES(ROW)
#undef ROW
  r->active = r->enable;
  i = 0;
#define ROW(name, width, reset, from, to, of)                                                                \
  if (width) {                                                                                               \
    r->threshold[i].now = reset;                                                                             \
    r->threshold[i].least = from;                                                                            \
    r->threshold[i].most = to;                                                                               \
  }                                                                                                          \
  i++;
  HD_THRESHOLDS(ROW)
#undef ROW
  i = 0;
#define ROW(field, width) r->counters |= (uint64_t)((width) != 0) << i++;
#include "verif/apb/counters.h"
  hd_apb_mood(r);
}

void hd_apb_know(struct hd_apb_requester *r, uint64_t known) {
  r->known = known;
}

/* ---- Transfers ---- */

void hd_apb_mood(struct hd_apb_requester *r) {
  struct hd_env_base *p = r->p;
  r->m.begin = hd_below(p, 2) ? HD_ALWAYS : hd_density(p, true);
  r->m.writes = hd_density(p, false);
  r->m.wild = hd_below(p, 2) ? 32 : hd_density(p, false);
}

static uint64_t some_address(struct hd_env_base *p) {
  if (hd_below(p, 4) == 0)
    return p->c->d.APB_COUNTERS_AT + 4 * hd_below(p, 2 * HD_APB_COUNTERS);
  if (hd_below(p, 2))
    return hd_below(p, 2) ? CONTROL : ENABLE;
  return hd_below(p, 2) ? 4 * hd_below(p, 9) : p->c->d.APB_COUNTERS_AT + 4 * hd_below(p, 40);
}

/* Returns the number of the threshold at the address; HD_APB_THRESHOLDS if this machine has none there. */
static unsigned threshold_at(const struct hd_apb_requester *r, uint64_t address) {
  for (unsigned i = 0; i < HD_APB_THRESHOLDS; i++)
    if (r->threshold[i].most && address == THRESHOLDS + 4 * i)
      return i;
  return HD_APB_THRESHOLDS;
}

/* Returns a value to write to a threshold: its least, its most, one beyond these, or one between. In 1 of 8 calls one bit is flipped. */
static uint64_t some_value(struct hd_apb_requester *r, unsigned i) {
  struct hd_env_base *p = r->p;
  const uint64_t least = r->threshold[i].least, most = r->threshold[i].most;
  const uint64_t some[] = {least, most, least - 1, most + 1,
                           least + hd_below(p, (unsigned)(most - least) + 1)};
  const uint64_t value = some[hd_below(p, 5)] & UINT32_MAX;
  return hd_below(p, 8) ? value : hd_neighbour(p, value, 32);
}

static void draw(struct hd_apb_requester *r) {
  struct hd_env_base *p = r->p;
  r->write = hd_chance(p, r->m.writes);
  r->address = some_address(p);
  if (p->c->d.THRESHOLDS && hd_below(p, 4) == 0)
    r->address = THRESHOLDS + 4 * hd_below(p, HD_APB_THRESHOLDS + 1);
  if (hd_chance(p, r->m.wild))
    r->address = hd_below(p, 2) ? hd_bits(p, SPACE_W) : hd_neighbour(p, r->address, SPACE_W);
  r->wdata = hd_bits(p, 32);
  r->strb = r->write ? hd_below(p, 2) ? 15 : hd_bits(p, 4) : 0;
  if (!r->write)
    return;
  if (threshold_at(r, r->address) < HD_APB_THRESHOLDS)
    r->wdata = some_value(r, threshold_at(r, r->address));
  if (r->address == CONTROL) /* most writes neither stop nor clear the counters */
    r->wdata &= ~UINT64_C(3) | (hd_below(p, 4) == 0) | (uint64_t)(hd_below(p, 4) == 0) << 1;
}

void hd_apb_drive(struct hd_apb_requester *r, const struct hd_apb_inputs *in) {
  struct hd_env_base *p = r->p;
  if (r->state == HD_APB_IDLE && !p->env.stop && hd_chance(p, r->m.begin)) {
    draw(r);
    r->state = HD_APB_SETUP;
  }
  *in->psel = r->state != HD_APB_IDLE;
  if (r->state == HD_APB_IDLE) { /* the pins show the transfer of another completer */
    *in->penable = hd_below(p, 2);
    *in->paddr = hd_bits(p, SPACE_W);
    *in->pwrite = hd_below(p, 2);
    *in->pwdata = hd_bits(p, 32);
    *in->pstrb = hd_bits(p, 4);
    return;
  }
  *in->penable = r->state != HD_APB_SETUP;
  *in->paddr = r->address;
  *in->pwrite = r->write;
  *in->pwdata = r->wdata;
  *in->pstrb = r->strb;
}

/* ---- Their results ---- */

static bool is_counter(const struct hd_apb_requester *r, unsigned *i, bool *upper) {
  const uint64_t at = r->address - r->p->c->d.APB_COUNTERS_AT;
  *i = (unsigned)(at / 8);
  *upper = at % 8 == 4;
  return r->address >= r->p->c->d.APB_COUNTERS_AT && at % 4 == 0 && *i < HD_APB_COUNTERS &&
         r->counters >> *i & 1 && (!*upper || r->p->c->bus.counter_bits > 32);
}

static void read_counter(struct hd_apb_requester *r, unsigned i, bool upper) {
  const bool known = r->known >> i & 1;
  r->due.any = upper ? !r->high_known : !known;
  r->due.rdata = upper ? r->high : r->count[i] & UINT32_MAX;
  if (!upper) {
    r->high = r->count[i] >> 32;
    r->high_known = known;
  }
}

static void read(struct hd_apb_requester *r) {
  const unsigned tuned = threshold_at(r, r->address);
  unsigned i;
  bool upper;
  if (tuned < HD_APB_THRESHOLDS) {
    r->due.rdata = r->threshold[tuned].now;
    return;
  }
  switch (r->address) {
  case ID:
    r->due.rdata = r->p->c->d.APB_ID;
    break;
  case VERSION:
    r->due.rdata = version();
    break;
  case HAS_ENABLES:
    r->due.rdata = r->there;
    break;
  case HAS_COUNTERS:
    r->due.rdata = r->counters;
    break;
  case HAS_THRESHOLDS:
    for (i = 0; i < HD_APB_THRESHOLDS; i++)
      r->due.rdata |= (uint64_t)(r->threshold[i].most != 0) << i;
    break;
  case CONTROL:
    r->due.rdata = r->freeze;
    break;
  case ENABLE:
    r->due.rdata = r->enable;
    break;
  case ACTIVE:
    r->due.rdata = r->active;
    break;
  case SCRATCH:
    r->due.rdata = r->scratch;
    break;
  default:
    if (is_counter(r, &i, &upper))
      read_counter(r, i, upper);
    else
      r->due.error = true;
  }
}

/* Returns the register's value with the written bytes. */
static uint64_t with_bytes(const struct hd_apb_requester *r, uint64_t word) {
  for (unsigned i = 0; i < 32; i++)
    if (r->strb >> i / 8 & 1)
      word = (word & ~(UINT64_C(1) << i)) | (r->wdata & UINT64_C(1) << i);
  return word;
}

static void write(struct hd_apb_requester *r) {
  const unsigned tuned = threshold_at(r, r->address);
  if (tuned < HD_APB_THRESHOLDS) {
    const uint64_t next = with_bytes(r, r->threshold[tuned].now);
    r->due.error = next < r->threshold[tuned].least || next > r->threshold[tuned].most;
    if (!r->due.error)
      r->threshold[tuned].now = next;
  } else if (r->address == ENABLE) {
    r->enable = with_bytes(r, r->enable) & r->there;
  } else if (r->address == SCRATCH) {
    r->scratch = with_bytes(r, r->scratch);
  } else if (r->address != CONTROL) {
    r->due.error = true;
  } else if (r->strb & 1) {
    r->freeze = r->wdata & 1;
    r->clear = r->wdata & 2;
  }
}

/* Counters and active enables follow the registers' values of the cycle before the edge. */
static void follow(struct hd_apb_requester *r, uint64_t enable, bool freeze, bool clear,
                   const struct hd_apb_cycle *cycle) {
  const uint64_t moves = cycle->flush ? UINT64_MAX : ~at_rest();
  const uint64_t most = hd_ones(r->p->c->bus.counter_bits);
  r->active = (r->active & ~moves) | (enable & moves);
  for (unsigned i = 0; i < HD_APB_COUNTERS; i++) {
    if (clear)
      r->count[i] = 0;
    else if (!freeze)
      r->count[i] += i == HD_APB_cycles         ? 1
                     : i == HD_APB_instructions ? r->last.instructions
                                                : (r->last.events >> i & 1);
    r->count[i] &= most;
  }
  r->last = *cycle;
}

static bool check_answer(struct hd_apb_requester *r, const struct hd_apb_outputs *out) {
  struct hd_env *env = &r->p->env;
  const char *what = r->write ? "write" : "read";
  if (out->pslverr != r->due.error)
    return hd_fail(env, "PSLVERR of a %s of %03" PRIx64 " is %" PRIu64 ", allowed %d", what, r->address,
                   out->pslverr, r->due.error);
  if (!r->write && !r->due.error && !r->due.any && out->prdata != r->due.rdata)
    return hd_fail(env, "register %03" PRIx64 " is read as %08" PRIx64 ", it is %08" PRIx64, r->address,
                   out->prdata, r->due.rdata);
  env->checked++;
  return true;
}

bool hd_apb_clock(struct hd_apb_requester *r, const struct hd_apb_outputs *out,
                  const struct hd_apb_cycle *cycle, bool *moved) {
  const uint64_t enable = r->enable;
  const bool freeze = r->freeze, clear = r->clear;
  *moved = r->state == HD_APB_END;
  if (out->pready != *moved)
    return hd_fail(&r->p->env,
                   "PREADY is %" PRIu64 " in cycle %d of a transfer (0: none), it ends in its third",
                   out->pready, r->state);
  if (*moved && !check_answer(r, out))
    return false;
  r->clear = false;
  if (r->state == HD_APB_WAIT) {
    r->due.error = r->due.any = false;
    r->due.rdata = 0;
    if (r->write)
      write(r);
    else
      read(r);
  }
  follow(r, enable, freeze, clear, cycle);
  r->state = r->state == HD_APB_IDLE || *moved ? HD_APB_IDLE : r->state + 1;
  return true;
}

bool hd_apb_is_idle(const struct hd_apb_requester *r) {
  return r->state == HD_APB_IDLE;
}
