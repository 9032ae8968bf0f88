/* Checks the hooks' ports in each cycle, and that no load waits without a reason; see l1d_checker.h. */
#include "verif/l1d/l1d_checker_joining.h"

#include <string.h>

enum { PIPELINE = 5 }; /* most requests that are undecided or were decided in the last cycle */

static struct moment moment_of(const struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  return (struct moment){.bypass = in->advice_bypass,
                         .keep = in->advice_keep,
                         .hold = in->hold,
                         .refuse = in->hold_refuse,
                         .lack_line = in->lack_line,
                         .stalls = e->p.c->request_buffer.bypass != HD_BYPASS_OFF &&
                                   (in->lack_bypass || !e->p.c->d.LACK_BYPASS),
                         .again = in->lack_again,
                         .among = in->hold_among,
                         .pins = in->pins,
                         .pin_new = in->pin_new,
                         .hold_fill = in->hold_fill,
                         .answering = !out->mrsp_ready,
                         .filled = e->entering,
                         .look_valid = out->look_valid,
                         .look_set = out->look_set,
                         .decide_set = out->decide_set,
                         .decide_lines = out->decide_lines,
                         .decide_reserved = out->decide_reserved,
                         .decide_pins = out->decide_pins,
                         .look = out->look,
                         .decide = out->decide};
}

/* Checks LOOK. Returns false if no undecided request has these fields. */
static bool check_look(struct l1d_env *e) {
  const struct hd_derived *d = &e->p.c->d;
  bool found = d->PREF;
  for (struct trial *t = e->trial; t < e->trial + e->n_trials; t++)
    if (hd_l1d_is_looked_at(d, t, &e->now)) {
      found = true;
      if (!t->looked || !t->alone)
        hd_l1d_look(t, e->now.pins);
    }
  return found ||
         hd_fail(&e->p.env, "look_valid is 1, and no request inside that is not decided looks like that");
}

/* Returns the cycles in which any load reaches the response port or the memory port if nothing stops it; in that time all earlier answers
 * and requests leave. */
static unsigned patience(const struct hd_derived *d) {
  return 16 + d->MQ + d->MERGE;
}

static bool check_wait(struct l1d_env *e, const struct l1d_in *in) {
  const struct hd_derived *d = &e->p.c->d;
  const struct trial *t = e->trial;
  const bool open =
      in->resp_ready && in->mreq_ready && !in->mrsp_valid && !in->flush && (!d->BYPS || e->away < d->BYPS);
  bool goes = false;
  if (e->outcome_all && open && e->n_trials && !t->r.write) {
    const struct view v = hd_l1d_view_of(e, 0, e->p.cycle);
    goes = !v.perhaps && hd_l1d_may_become(e, t, &v, &e->now, t->all) != 0 && !e->now.answering;
  }
  e->waited = goes ? e->waited + 1 : 0;
  return e->waited < patience(d) ||
         hd_fail(&e->p.env, "the %s waits, and nothing keeps it", hd_req_words(&t->r).text);
}

/* Checks LINES: valid and reserved ways, the way whose tag was written, free MSHRs, and room in the miss queue. */
static const char *check_lines(const struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const unsigned n_mshrs = (unsigned)__builtin_popcountll(e->mshrs);
  if (out->lines_free && n_mshrs == d->MSHRS)
    return "an MSHR is said to be free, and all wait for the memory";
  if (!out->lines_free && e->inside == 0 && e->silent >= SILENCE)
    return "no MSHR is said to be free, and nothing is inside";
  if (!out->lines_room && !out->mreq_valid)
    return "the miss queue is said to be full, and nothing is at the memory port";
  const bool load = out->mreq_valid && out->mreq.kind != HD_STORE &&
                    !hd_l1d_aside(e, &out->mreq); /* it has left the miss queue */
  if (out->lines_room && e->queued + (load && in->mreq_ready) >= d->MQ + load)
    return "the miss queue is said to have room, and more wait than fit";
  if (d->OUTCOME_WRITE && out->outcome_write) {
    const uint64_t valid = out->lines_valid[out->outcome_set],
                   there = d->ON_MISS ? out->lines_reserved[out->outcome_set] : valid;
    if (~there & out->outcome_at || (d->ON_MISS && valid & out->outcome_at))
      return "a tag was written, and its way does not show that";
  }
  for (unsigned i = 0; e->outcome_all && i < d->SETS * d->WAYS; i++) {
    const struct place *p = &e->places[i];
    const bool valid = out->lines_valid[i / d->WAYS] >> i % d->WAYS & 1;
    const bool reserved = d->ON_MISS && out->lines_reserved[i / d->WAYS] >> i % d->WAYS & 1;
    const bool flies = p->unknown || (d->ON_MISS && p->line && p->line->flight.there &&
                                      (!p->line->flight.filled || e->p.cycle <= p->line->flight.when + 1));
    if (reserved != flies || (valid && (flies || !p->line)))
      return "a way is said to be valid or reserved, and is not, or the other way round";
  }
  return NULL;
}

/* Checks lines_waiting and lines_queue. A request in the miss queue comes to the memory port as soon as the port is free; no other request
 * comes there. */
static const char *check_levels(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  const bool queued = e->was_queued, held = e->was_held;
  e->was_queued = out->lines_queue != 0;
  e->was_held = out->mreq_valid && !in->mreq_ready;
  if (d->LINES_WAITING && e->mshrs & ~out->lines_waiting)
    return "an MSHR is said not to wait, and the memory has been asked for it";
  if (d->LINES_WAITING && out->lines_waiting && e->inside == 0 && e->silent >= SILENCE)
    return "an MSHR is said to wait, and nothing is inside";
  if (d->LINES_QUEUE && out->lines_queue > d->MQ)
    return "the miss queue is said to hold more than it can";
  if (d->LINES_QUEUE && !held && queued != (out->mreq_valid != 0))
    return queued ? "the miss queue was said to hold something, and nothing is at the memory port"
                  : "the miss queue was said to be empty, and a request has come to the memory port";
  return NULL;
}

/* Checks fill_set in the cycle in which a fill asks, and keeps the answers. */
static const char *check_fill(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  if (!e->filling || e->filling->flight.when + 1 != e->p.cycle)
    return NULL;
  e->fill_pins = in->fill_pins;
  e->fill_among = in->fill_among;
  return e->p.c->d.FILL_SET && out->fill_set != e->filling->set ? "a fill asks about another set than its own"
                                                                : NULL;
}

bool hd_l1d_check_hooks(struct l1d_env *e, const struct l1d_in *in, const struct l1d_out *out) {
  const struct hd_derived *d = &e->p.c->d;
  e->now = moment_of(e, in, out);
  if ((e->now.bypass && !e->now.keep) || e->now.stalls)
    e->advised = e->p.cycle + 1;
  if (d->OUTCOME_LOAD && e->now.look_valid && !check_look(e))
    return false;
  const char *wrong = d->LINES ? check_lines(e, in, out) : NULL;
  if (!wrong)
    wrong = check_levels(e, in, out);
  if (!wrong && d->FILL)
    wrong = check_fill(e, in, out);
  if (!wrong)
    wrong = hd_l1d_check_late(e, out);
  if (wrong)
    return hd_fail(&e->p.env, "%s", wrong);
  if (!check_wait(e, in))
    return false;
  e->before = e->now;
  return true;
}

void hd_l1d_hooks_take(struct l1d_env *e, const struct req *r, struct line *line) {
  if (!e->p.c->d.OUTCOME_LOAD)
    return;
  while (e->n_trials >= PIPELINE && e->trial[0].r.write) /* this store must be decided by now */
    memmove(&e->trial[0], &e->trial[1], --e->n_trials * sizeof *e->trial);
  if (e->n_trials < UNDECIDED)
    e->trial[e->n_trials] = (struct trial){
        .r = *r, .line = line, .stores = line->stores, .alone = e->n_trials == 0 && !e->p.c->d.PREF};
  e->n_trials += e->n_trials < UNDECIDED;
}

void hd_l1d_hooks_fill(struct l1d_env *e, struct line *line) {
  if (!e->outcome_all || !line->flight.there)
    return;
  line->flight.filled = true;
  line->flight.when = e->p.cycle;
  e->filling = line;
  e->waiting--;
}

/* A fill with an error enters like the fill of a dead MSHR. */
void hd_l1d_hooks_failed(struct line *line) {
  line->flight.dead = true;
  if (line->place)
    line->place->dead = true;
}

/* Valid lines go. Lines in flight do not stay; with on_fill neither does a fill that is entering. */
void hd_l1d_hooks_flush(struct l1d_env *e) {
  e->flushed = e->p.cycle;
  for (struct place *p = e->places; e->outcome_all && p < e->places + e->p.c->d.SETS * e->p.c->d.WAYS; p++)
    p->dead = true;
  for (unsigned i = 0; e->outcome_all && i < e->n_lines; i++)
    e->pool[i].flight.dead = true;
}
