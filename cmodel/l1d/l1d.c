/* Golden model of the L1 data cache. Spec: docs/mechanisms/l1d.md; its attachments: docs/mechanisms/hooks.md. The
 * behaviour of a cycle is in cmodel/l1d/l1d_cycle.h. */
#include "cmodel/l1d/l1d_cycle.h"

void l1d_moore(struct l1d *m, struct l1d_out *out) {
  const struct l1d_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  out->req_ready = l1d_req_ready(m);
  out->resp_valid = l1d_resp_valid(m);
  out->resp = l1d_resp(m);
  out->mreq_valid = s->mo_valid;
  out->mreq = s->mq_q;
  out->mrsp_ready = l1d_mrsp_ready(m);
  out->pf_ready = l1d_pf_ready(m);
  out->pf_class = s->pf_c;
  out->fill_set = s->f_set;
  if (d->HOOKED) {
    l1d_show_requests(m, out);
    l1d_show_outcome(m, out);
    l1d_show_lines(m, out);
  }
  out->ecc_found = s->ecc;
  if (m->base.data) {
    const bool of_fill = s->r_fill | (d->BEHIND & !s->resp_v);
    bool lost = false, mended;
    if (d->PROTECT)
      lost = l1d_read_line(m, out->resp_data, &mended);
    if (of_fill || !d->PROTECT)
      hd_copy(out->resp_data, of_fill || d->SECTOR_FILL ? s->f_data : s->data_q, d->WORDS);
    for (unsigned p = 0; d->SECTOR_FILL && !of_fill && p < d->SECTORS; p++)
      hd_copy(out->resp_data + p * d->SECTOR_WORDS, s->sector_data_q, d->SECTOR_WORDS);
    out->resp_poison = lost && s->resp_v && !s->r_fill && !s->r.write;
    hd_copy(out->mreq_wdata, s->sdata_q, d->WORDS);
    hd_copy(out->mreq_wmask, s->smask_q, d->WORDS);
  }
}

uint64_t l1d_tick(struct l1d *m, const struct l1d_in *in) {
  return l1d_cycle(m, in);
}
