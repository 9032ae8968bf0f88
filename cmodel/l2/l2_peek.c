/* The bytes of a line that an L2 slice holds. Spec: docs/mechanisms/l2.md; see l2_peek.h.
 *
 * Bytes of a line are on their way to the memory (oq, c), in the slice (data; for a line in flight, its fill and the
 * store buffer), and in requests that are not done (iq). Invariant: newer bytes overwrite older ones, because the
 * copies are laid over one another in this order. */
#include "cmodel/l2/l2_peek.h"

#include "cmodel/l2/l2_decide.h"
#include "cmodel/l2/l2_queues.h"

/* The newest bytes found so far of a line, or of a sector of it. */
struct newest {
  uint64_t line;
  unsigned sector; /* 0 if lines come whole */
  uint64_t *word, *known;
};

static void put(const struct l2_slice *m, const struct newest *n, const uint64_t *word,
                const uint64_t *mask) {
  const unsigned words = m->base.c->d.L2_WORDS;
  l2_patch(n->word, word, mask, words);
  for (unsigned i = 0; i < words; i++)
    n->known[i] |= mask[i];
}

static void put_line(const struct l2_slice *m, const struct newest *n, const uint64_t *word) {
  const unsigned words = m->base.c->d.L2_WORDS;
  hd_copy(n->word, word, words);
  for (unsigned i = 0; i < words; i++)
    n->known[i] = 0xff;
}

/* Returns the place of entry k of a ring, counted from the oldest. */
static uint64_t ring_at(uint64_t head, uint64_t k, uint64_t size) {
  return (head + k) % size;
}

static bool is_written(const struct l2out *out, const struct newest *n) {
  return out->write && out->line == n->line && out->sector == n->sector;
}

/* Adds bytes that were written back and that the memory has not taken yet. */
static void leaving(const struct l2_slice *m, const struct newest *n) {
  const struct l2_slice_st *s = &m->s;
  if (s->oo_valid && is_written(&s->oq_q, n))
    put_line(m, n, s->oq_data_q);
  for (uint64_t k = 0; k < s->oq_count - s->oo_valid; k++) {
    const uint64_t at = ring_at(s->oq_head, k, m->base.c->d.L2_IQ);
    if (is_written(&s->oq[at], n))
      put_line(m, n, l2_row(m, s->oq_data, at));
  }
  if (s->c_out && is_written(&s->co, n)) {
    l2_leave_line(m, n->word);
    put_line(m, n, n->word);
  }
}

/* Returns the line that the memory has sent for an MSHR, as the steps of its fill have left it. NULL: none yet. */
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

static void waiting(const struct l2_slice *m, const struct newest *n) {
  const struct l2_slice_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  for (uint64_t k = 0; k < s->iq_count; k++) {
    const uint64_t at = ring_at(s->iq_head, k, d->L2_IQ);
    const struct l2req *q = &s->iq[at];
    if (q->kind == HD_STORE && q->line == n->line && l2_sector_of(m, q->sectors) == n->sector)
      put(m, n, l2_row(m, s->iq_wdata, at), l2_row(m, s->iq_wmask, at));
  }
}

static void find(const struct l2_slice *m, uint64_t powered, const struct newest *n) {
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t set = l2_set_of(d, n->line), match = l2_match(m, n->line),
                 there = d->L2_SECTOR_FILL ? match & m->s.present[set * d->SECTORS + n->sector] : match,
                 flight = l2_flight(m, n->line, n->sector, match != 0);
  leaving(m, n);
  if (flight)
    in_flight(m, hd_lowest(flight), n);
  else if (there & powered)
    put_line(m, n, l2_row(m, m->s.data, l2_row_of(m, set, hd_lowest(there), n->sector)));
  waiting(m, n);
}

void l2_peek(const struct l2_slice *m, uint64_t line, uint64_t powered, uint64_t *word, uint64_t *known) {
  const struct hd_derived *d = &m->base.c->d;
  memset(word, 0, d->WORDS * sizeof *word);
  memset(known, 0, d->WORDS * sizeof *known);
  for (unsigned t = 0; t < l2_sectors(m); t++)
    find(m, powered, &(const struct newest){line, t, word + t * d->L2_WORDS, known + t * d->L2_WORDS});
}
