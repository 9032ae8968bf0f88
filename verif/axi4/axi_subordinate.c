/* An AXI4 subordinate; see axi_subordinate.h. Writes are kept in a ring in the order of their addresses. */
#include "verif/axi4/axi_subordinate.h"

#include <inttypes.h>
#include <string.h>

enum { PAGE = 4096, INCR = 1 };

void hd_axi_open(struct hd_axi_subordinate *s, struct hd_env_base *p, const struct hd_axi_watch *watch) {
  s->p = p;
  s->watch = *watch;
}

void hd_axi_mood(struct hd_axi_subordinate *s) {
  struct hd_env_base *p = s->p;
  const bool fast = hd_below(p, 4) == 0, wild = s->watch.stray && hd_below(p, 6) == 0;
  s->m.aw = fast || hd_below(p, 2) ? HD_ALWAYS : hd_density(p, true);
  s->m.w = fast || hd_below(p, 2) ? HD_ALWAYS : hd_density(p, true);
  s->m.b = fast || hd_below(p, 4) ? HD_ALWAYS : hd_density(p, true);
  s->m.ar = fast || hd_below(p, 2) ? HD_ALWAYS : hd_density(p, true);
  s->m.r = fast || hd_below(p, 4) ? HD_ALWAYS : hd_density(p, true);
  s->m.errors = hd_below(p, 2) ? 0 : hd_below(p, 2) ? 32 : hd_density(p, false);
  s->m.order = hd_below(p, 3);
  s->m.whole = hd_below(p, 2);
  s->m.stray = wild ? 64 : 0;
  s->m.odd = wild ? 64 : 0;
}

static uint64_t some_resp(struct hd_axi_subordinate *s) {
  static const uint64_t errors[] = {HD_AXI_SLVERR, HD_AXI_DECERR};
  return hd_chance(s->p, s->m.errors) ? errors[hd_below(s->p, 2)] : hd_below(s->p, 16) ? HD_AXI_GOOD : 1;
}

static bool is_due(const struct hd_axi_subordinate *s, bool write, uint64_t id) {
  return !s->watch.due || s->watch.due(s->watch.ctx, write, id);
}

/* Returns true if a shall be answered rather than b: by the mood's order, or at random among n. */
static bool better(const struct hd_axi_subordinate *s, uint64_t a, uint64_t b, unsigned n) {
  return s->m.order == HD_AXI_OLDEST   ? a < b
         : s->m.order == HD_AXI_NEWEST ? a > b
                                       : hd_below(s->p, n) == 0; /* all of n are equally likely */
}

/* Returns the id of a read that lacks beats; HD_AXI_IDS if there is none. */
static uint64_t some_read(struct hd_axi_subordinate *s) {
  if (s->m.whole && s->reads[s->current].open && s->reads[s->current].beats)
    return s->current;
  uint64_t best = HD_AXI_IDS;
  unsigned n = 0;
  for (uint64_t i = 0; i < HD_AXI_IDS; i++)
    if (s->reads[i].open && is_due(s, false, i) &&
        (!n++ || better(s, s->reads[i].order, s->reads[best].order, n)))
      best = i;
  return best;
}

static uint64_t some_id(struct hd_axi_subordinate *s, bool write) {
  const uint64_t id = hd_bits(s->p, s->p->c->d.BUS_ID_W);
  return s->watch.stray(s->watch.ctx, write, id) ? id : HD_AXI_IDS;
}

static void offer_beat(struct hd_axi_subordinate *s) {
  const struct hd_derived *d = &s->p->c->d;
  const uint64_t stray = hd_chance(s->p, s->m.stray) ? some_id(s, false) : HD_AXI_IDS;
  s->r_offered = true;
  s->r_resp = some_resp(s);
  for (unsigned w = 0; w < d->BUS_WORDS; w++)
    s->r_data[w] = hd_bits(s->p, 64);
  if (stray != HD_AXI_IDS) {
    s->r_fault = HD_AXI_STRAY;
    s->r_id = stray;
    s->r_last = hd_below(s->p, 2);
    return;
  }
  s->r_id = s->current = some_read(s);
  s->r_offered = s->r_id != HD_AXI_IDS;
  if (!s->r_offered) {
    s->current = 0;
    return;
  }
  if (s->watch.resp)
    s->r_resp = s->watch.resp(s->watch.ctx, false, s->r_id);
  struct hd_axi_read *read = &s->reads[s->r_id];
  const bool full = read->beats == d->BEATS - 1, odd = hd_chance(s->p, s->m.odd);
  if (s->r_resp < HD_AXI_SLVERR || s->watch.resp)
    memcpy(s->r_data, s->watch.line(s->watch.ctx, s->r_id) + read->beats * d->BUS_WORDS,
           d->BUS_WORDS * sizeof *s->r_data);
  s->r_last = odd ? !full : full;
  s->r_fault = !odd ? HD_AXI_NO_FAULT : full ? HD_AXI_LONG : HD_AXI_SHORT;
}

/* Returns the place in the ring of a write that has come and is not answered; with `early`, of one that has not come. UINT64_MAX: none. */
static uint64_t some_write(struct hd_axi_subordinate *s, bool early) {
  const uint64_t whole = s->n_addresses < s->n_bursts ? s->n_addresses : s->n_bursts;
  const uint64_t from = early ? whole : s->n_answered, to = early ? s->n_addresses : whole;
  uint64_t best = UINT64_MAX;
  unsigned n = 0;
  for (uint64_t i = from; i < to; i++)
    if (!s->writes[i % HD_AXI_IDS].answering && is_due(s, true, s->writes[i % HD_AXI_IDS].id) &&
        (!n++ || better(s, i, best, n)))
      best = i;
  return best;
}

static void offer_answer(struct hd_axi_subordinate *s) {
  const uint64_t stray = hd_chance(s->p, s->m.stray) ? some_id(s, true) : HD_AXI_IDS;
  const bool early = hd_chance(s->p, s->m.odd);
  const uint64_t at = some_write(s, early);
  s->b_resp = some_resp(s);
  s->b_offered = stray != HD_AXI_IDS || at != UINT64_MAX;
  s->b_fault = stray != HD_AXI_IDS ? HD_AXI_STRAY : early ? HD_AXI_EARLY : HD_AXI_NO_FAULT;
  if (stray != HD_AXI_IDS) {
    s->b_is_strange = true;
    s->b_id = stray;
  } else if (s->b_offered) {
    s->writes[at % HD_AXI_IDS].answering = true;
    s->b_id = s->writes[at % HD_AXI_IDS].id;
    if (s->watch.resp)
      s->b_resp = s->watch.resp(s->watch.ctx, true, s->b_id);
  }
}

void hd_axi_drive(struct hd_axi_subordinate *s, const struct hd_axi_inputs *in) {
  struct hd_env_base *p = s->p;
  const unsigned least = p->env.stop ? HD_ALWAYS / 2 : 0; /* so that the run ends */
#define HD_SPEED(what) (s->m.what > least ? s->m.what : least)
  *in->awready = s->aw_ready = hd_chance(p, HD_SPEED(aw));
  *in->wready = s->w_ready = hd_chance(p, HD_SPEED(w));
  *in->arready = s->ar_ready = hd_chance(p, HD_SPEED(ar));
  if (!s->r_offered && hd_chance(p, HD_SPEED(r)))
    offer_beat(s);
  if (!s->b_offered && hd_chance(p, HD_SPEED(b)))
    offer_answer(s);
#undef HD_SPEED
  *in->rvalid = s->r_offered;
  *in->rid = s->r_offered ? s->r_id : hd_bits(p, p->c->d.BUS_ID_W);
  *in->rresp = s->r_resp;
  *in->rlast = s->r_offered ? s->r_last : hd_below(p, 2);
  memcpy(in->rdata, s->r_data, p->c->d.BUS_WORDS * sizeof *s->r_data);
  *in->bvalid = s->b_offered;
  *in->bid = s->b_offered ? s->b_id : hd_bits(p, p->c->d.BUS_ID_W);
  *in->bresp = s->b_resp;
}

/* ---- From the manager ---- */

static bool check_burst(struct hd_axi_subordinate *s, const char *channel, uint64_t addr, uint64_t len,
                        uint64_t size, uint64_t burst) {
  const struct hd_derived *d = &s->p->c->d;
  struct hd_env *env = &s->p->env;
  const uint64_t bytes = (len + 1) << size;
  if (UINT64_C(1) << size != d->BUS_BITS / 8 || bytes != d->LINE_BYTES || burst != INCR)
    return hd_fail(env,
                   "%s: %" PRIu64 " beats of %" PRIu64 " bytes, burst %" PRIu64
                   "; a line of %u bytes has whole beats of %u bits, INCR",
                   channel, len + 1, UINT64_C(1) << size, burst, d->LINE_BYTES, d->BUS_BITS);
  if (addr % d->LINE_BYTES || addr / PAGE != (addr + bytes - 1) / PAGE)
    return hd_fail(env, "%s: address %" PRIx64 " is not that of a line", channel, addr);
  return true;
}

static bool hear_read(struct hd_axi_subordinate *s, const struct hd_axi_outputs *out) {
  struct hd_axi_read *read = &s->reads[out->arid % HD_AXI_IDS];
  const uint64_t line = out->araddr / s->p->c->d.LINE_BYTES;
  if (!check_burst(s, "AR", out->araddr, out->arlen, out->arsize, out->arburst))
    return false;
  if (read->open)
    return hd_fail(&s->p->env, "AR: read %" PRIu64 " is in flight already", out->arid);
  *read = (struct hd_axi_read){true, line, out->aruser, s->n_reads++, 0};
  return s->watch.read(s->watch.ctx, out->arid, line, out->aruser);
}

static bool hear_write(struct hd_axi_subordinate *s, const struct hd_axi_outputs *out) {
  const uint64_t line = out->awaddr / s->p->c->d.LINE_BYTES;
  if (!check_burst(s, "AW", out->awaddr, out->awlen, out->awsize, out->awburst))
    return false;
  for (uint64_t i = s->n_answered; i < s->n_addresses; i++)
    if (s->writes[i % HD_AXI_IDS].open && s->writes[i % HD_AXI_IDS].id == out->awid)
      return hd_fail(&s->p->env, "AW: write %" PRIu64 " is in flight already", out->awid);
  s->writes[s->n_addresses++ % HD_AXI_IDS] = (struct hd_axi_write){true, false, out->awid, line, out->awuser};
  return s->watch.write(s->watch.ctx, out->awid, line, out->awuser);
}

static bool hear_beat(struct hd_axi_subordinate *s, const struct hd_axi_outputs *out) {
  const struct hd_derived *d = &s->p->c->d;
  memcpy(s->burst.data + s->burst_beats * d->BUS_WORDS, out->wdata, d->BUS_WORDS * sizeof *out->wdata);
  memcpy(s->burst.strobe + s->burst_beats * d->BUS_WORDS, out->wstrb, d->BUS_WORDS * sizeof *out->wstrb);
  const bool last = ++s->burst_beats == d->BEATS;
  if (last != out->wlast)
    return hd_fail(&s->p->env, "W: WLAST is %d in beat %u of %u", out->wlast, s->burst_beats, d->BEATS);
  if (!last)
    return true;
  s->burst_beats = 0;
  return s->watch.bytes(s->watch.ctx, s->n_bursts++, &s->burst);
}

/* ---- To the manager ---- */

static void give_beat(struct hd_axi_subordinate *s) {
  const bool ends = s->r_last || s->r_fault == HD_AXI_LONG;
  s->r_offered = false;
  if (s->r_fault != HD_AXI_STRAY) {
    s->reads[s->r_id].beats++;
    s->reads[s->r_id].open = !ends;
  }
  s->watch.beat(s->watch.ctx, s->r_id, s->r_resp, ends, s->r_fault);
}

static void give_answer(struct hd_axi_subordinate *s) {
  s->b_offered = false;
  for (uint64_t i = s->n_answered; s->b_fault != HD_AXI_STRAY && i < s->n_addresses; i++)
    if (s->writes[i % HD_AXI_IDS].id == s->b_id && s->writes[i % HD_AXI_IDS].answering)
      s->writes[i % HD_AXI_IDS].open = false;
  s->watch.answer(s->watch.ctx, s->b_id, s->b_resp, s->b_fault);
}

static bool check_holds(struct hd_axi_subordinate *s, const struct hd_axi_outputs *out) {
  const unsigned n = s->p->c->d.BUS_WORDS;
  const uint64_t aw[] = {out->awid, out->awaddr, out->awlen, out->awsize, out->awburst, out->awuser};
  const uint64_t ar[] = {out->arid, out->araddr, out->arlen, out->arsize, out->arburst, out->aruser};
  uint64_t w = hd_hash(out->wlast, out->wdata, n * sizeof *out->wdata);
  w = hd_hash(w, out->wstrb, n * sizeof *out->wstrb);
  const char *changed = !hd_held_ok(&s->aw, out->awvalid, s->aw_ready, hd_hash(0, aw, sizeof aw))   ? "AW"
                        : !hd_held_ok(&s->ar, out->arvalid, s->ar_ready, hd_hash(0, ar, sizeof ar)) ? "AR"
                        : !hd_held_ok(&s->w, out->wvalid, s->w_ready, w)                            ? "W"
                                                                                                    : NULL;
  return !changed || hd_fail(&s->p->env, "%s changes before it is taken", changed);
}

bool hd_axi_clock(struct hd_axi_subordinate *s, const struct hd_axi_outputs *out, bool *moved) {
  const bool aw = out->awvalid && s->aw_ready, w = out->wvalid && s->w_ready,
             ar = out->arvalid && s->ar_ready;
  const bool r = s->r_offered && out->rready, b = s->b_offered && out->bready;
  const bool stray_r = s->r_fault == HD_AXI_STRAY, stray_b = s->b_fault == HD_AXI_STRAY;
  s->b_is_strange &= !out->bready || (s->b_offered && stray_b); /* ready again: the manager has handled it */
  s->strayed = (r && stray_r) || (b && stray_b);
  *moved = aw || w || ar || (r && !stray_r) || (b && !stray_b);
  if (!check_holds(s, out))
    return false;
  if ((aw && !hear_write(s, out)) || (w && !hear_beat(s, out)) || (ar && !hear_read(s, out)))
    return false;
  if (r)
    give_beat(s);
  if (b)
    give_answer(s);
  /* A write that has come and is answered leaves the ring. */
  while (s->n_answered < s->n_addresses && s->n_answered < s->n_bursts &&
         !s->writes[s->n_answered % HD_AXI_IDS].open)
    s->n_answered++;
  return true;
}

bool hd_axi_idle(const struct hd_axi_subordinate *s) {
  for (unsigned i = 0; i < HD_AXI_IDS; i++)
    if (s->reads[i].open)
      return false;
  return !s->r_offered && !s->b_offered && s->n_addresses == s->n_bursts && s->n_answered == s->n_addresses &&
         !s->burst_beats;
}
