/* Flipped bits of the L1D's tags and data; see l1d_ecc.h. */
#include "cmodel/l1d/l1d_ecc.h"

#include "cmodel/l1d/l1d_prefetch.h"
#include "cmodel/l1d/ports.h"
#include "cmodel/model/bits.h"
#include "cmodel/model/code.h"

bool l1d_read_line(const struct l1d *m, uint64_t line[], bool *mended) {
  const struct hd_derived *d = &m->base.c->d;
  bool lost = false;
  *mended = false;
  for (unsigned w = 0; w < d->WORDS; w++) {
    uint64_t word = m->s.data_q[w];
    const enum hd_code_state state = hd_code_mend(&word, 64, m->s.data_check_q[w], d->DATA_CHECK_W);
    if (line)
      line[w] = word;
    lost |= state == HD_CODE_LOST;
    *mended |= state == HD_CODE_MENDED;
  }
  return lost;
}

uint64_t l1d_whole_tags(const struct l1d *m, uint64_t set, uint64_t ways) {
  const struct hd_derived *d = &m->base.c->d;
  uint64_t whole = 0;
  for (; ways; ways &= ways - 1) {
    const uint64_t at = set * d->WAYS + hd_lowest(ways);
    if (hd_code_check(m->s.tags[at], d->TAG_W, d->TAG_CHECK_W) == m->s.tags_check[at])
      whole |= ways & -ways;
  }
  return whole;
}

struct l1d_flaws l1d_find_flaws(struct l1d *m) {
  struct l1d_st *s = &m->s;
  struct l1d_flaws found = {.looked_up = s->c_valid, .set = s->c_set};
  if (s->h_new && HD_CARRIES(m))
    found.lost = l1d_read_line(m, NULL, &found.mended);
  if (s->c_valid)
    found.ways = s->valid[s->c_set] & ~l1d_whole_tags(m, s->c_set, s->valid[s->c_set]);
  s->h_new = 0;
  s->tags_check_wr = s->data_check_wr = -1;
  s->tags_check_n.reads += s->a_count | l1d_pf_waits(m) | s->c_valid ? m->base.c->d.WAYS : 0;
  return found;
}

bool l1d_drop_flawed(struct l1d *m, const struct l1d_flaws *found, bool moved) {
  struct l1d_st *s = &m->s;
  const bool of_tags = found->looked_up && moved && !found->lost && found->ways;
  const uint64_t goes = s->valid[s->e_set] & s->e_at;
  for (uint64_t left = goes; left; left &= left - 1)
    l1d_line_goes(m, s->e_set, hd_lowest(left));
  s->valid[s->e_set] &= ~goes;
  s->e_set = found->lost ? s->h_set : found->set;
  s->e_at = found->lost ? s->h_at : of_tags ? found->ways : 0;
  s->ecc = of_tags | (uint64_t)found->lost << 1 | (uint64_t)found->mended << 2;
  return goes;
}

void l1d_code_tag(struct l1d *m, uint64_t set, unsigned way) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t at = set * d->WAYS + way;
  s->tags_check[at] = hd_code_check(s->tags[at], d->TAG_W, d->TAG_CHECK_W);
  s->tags_check_wr = (int64_t)set;
  s->tags_check_n.writes++;
}

void l1d_code_line(struct l1d *m, uint64_t row) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->data_check_n.writes++;
  if (!HD_CARRIES(m))
    return;
  s->data_check_wr = (int64_t)row;
  for (unsigned w = 0; w < d->WORDS; w++)
    s->data_check[row * d->WORDS + w] = hd_code_check(s->data[row * d->WORDS + w], 64, d->DATA_CHECK_W);
}

void l1d_code_read(struct l1d *m, uint64_t row, unsigned way) {
  struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  s->data_check_n.reads++;
  if (HD_CARRIES(m))
    hd_copy(s->data_check_q, s->data_check + row * d->WORDS, d->WORDS);
  s->h_new = 1;
  s->h_set = s->d_set;
  s->h_at = hd_bit(way);
}
