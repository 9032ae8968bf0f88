/* What an L2 slice holds of a line. Spec: docs/mechanisms/l2.md; see l2_peek.h.
 *
 * Bytes of a line are on their way to the memory (oq, c), in the slice (data; while the line is in flight, what has come and
 * the store buffer), and in requests that are not done (iq). Invariant: they are laid over one another in this order, the
 * oldest first. */
#include "cmodel/l2/l2_peek.h"

#include "cmodel/l2/l2_decide.h"
#include "cmodel/l2/l2_queues.h"

struct newest {
  uint64_t *word, *known;
};

static void put(const struct l2_slice *m, const struct newest *n, const uint64_t *word,
                const uint64_t *mask) {
  const unsigned words = m->base.c->d.WORDS;
  l2_patch(n->word, word, mask, words);
  for (unsigned i = 0; i < words; i++)
    n->known[i] |= mask[i];
}

static void put_line(const struct l2_slice *m, const struct newest *n, const uint64_t *word) {
  const unsigned words = m->base.c->d.WORDS;
  hd_copy(n->word, word, words);
  for (unsigned i = 0; i < words; i++)
    n->known[i] = 0xff;
}

/* Row k, from the oldest, of a ring. */
static uint64_t ring_at(uint64_t head, uint64_t k, uint64_t size) {
  return (head + k) % size;
}

/* Written back, and not taken by the memory yet. */
static void leaving(const struct l2_slice *m, uint64_t line, const struct newest *n) {
  const struct l2_slice_st *s = &m->s;
  if (s->oo_valid && s->oq_q.write && s->oq_q.line == line)
    put_line(m, n, s->oq_data_q);
  for (uint64_t k = 0; k < s->oq_count - s->oo_valid; k++) {
    const uint64_t at = ring_at(s->oq_head, k, m->base.c->d.L2_IQ);
    if (s->oq[at].write && s->oq[at].line == line)
      put_line(m, n, l2_row(m, s->oq_data, at));
  }
  if (s->c_out && s->co.write && s->co.line == line) {
    l2_leave_line(m, n->word);
    put_line(m, n, n->word);
  }
}

/* What the memory has sent for an MSHR, and the steps of its fill have made of it. NULL: nothing yet. */
static const uint64_t *come(const struct l2_slice *m, unsigned mshr) {
  const struct l2_slice_st *s = &m->s;
  if (s->f_valid && s->f_id == mshr)
    return s->f_data;
  if (s->fo_valid && *s->fq_id_q == mshr)
    return s->fq_data_q;
  for (uint64_t k = 0; k < s->fq_count - s->fo_valid; k++) {
    const uint64_t at = ring_at(s->fq_head, k, m->base.c->d.L2_FQ);
    if (s->fq_id[at] == mshr)
      return l2_row(m, s->fq_data, at);
  }
  return NULL;
}

static void in_flight(const struct l2_slice *m, unsigned mshr, const struct newest *n) {
  const uint64_t *line = come(m, mshr);
  if (line)
    put_line(m, n, line);
  if (hd_has(m->s.mshr_store, mshr))
    put(m, n, l2_row(m, m->s.sb, mshr), l2_row(m, m->s.sb_mask, mshr));
}

static void waiting(const struct l2_slice *m, uint64_t line, const struct newest *n) {
  const struct l2_slice_st *s = &m->s;
  for (uint64_t k = 0; k < s->iq_count; k++) {
    const uint64_t at = ring_at(s->iq_head, k, m->base.c->d.L2_IQ);
    if (s->iq[at].kind == HD_STORE && s->iq[at].line == line)
      put(m, n, l2_row(m, s->iq_wdata, at), l2_row(m, s->iq_wmask, at));
  }
}

void l2_peek(const struct l2_slice *m, uint64_t line, uint64_t powered, uint64_t *word, uint64_t *known) {
  const struct hd_derived *d = &m->base.c->d;
  const struct newest n = {word, known};
  memset(word, 0, d->WORDS * sizeof *word);
  memset(known, 0, d->WORDS * sizeof *known);
  leaving(m, line, &n);
  const uint64_t match = l2_match(m, line), flight = l2_flight(m, line, match != 0);
  if (flight)
    in_flight(m, hd_lowest(flight), &n);
  else if (match & powered)
    put_line(m, &n, l2_row(m, m->s.data, l2_set_of(d, line) * d->L2_WAYS + hd_lowest(match)));
  waiting(m, line, &n);
}
