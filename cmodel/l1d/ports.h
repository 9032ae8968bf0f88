/* The outputs of the L1D, one function each (cmodel/sm/ports.h). Spec: docs/mechanisms/l1d.md.
 *
 * Invariant: no function here changes the model.
 *
 * Inlined: measured in cmodel/sm/ports.h. */
#ifndef HEDDLE_CMODEL_L1D_PORTS_H
#define HEDDLE_CMODEL_L1D_PORTS_H

#include "cmodel/model/models.h"

/* The elements of `memo`. If an attachment hears LINES (docs/mechanisms/hooks.md), they include the number of tags
 * written, the line of the last one, and the number of fills. What an attachment says of a line gets better only by
 * these, or when the L1D gets room. */
enum { L1D_WAITED, L1D_LINELESS, L1D_TAGS, L1D_TAGGED, L1D_FILLS };

static inline bool l1d_req_ready(const struct l1d *m) {
  return m->s.a_count < 2;
}
/* True if a prefetch waits in p. */
static inline bool l1d_pf_waits(const struct l1d *m) {
  return HD_IS(m, PREF) & m->s.p_valid;
}
static inline bool l1d_pf_ready(const struct l1d *m) {
  return HD_IS(m, PREF) & !m->s.p_valid;
}
/* True if d holds a prefetch. */
static inline bool l1d_pf_decides(const struct l1d *m) {
  return HD_IS(m, PREF) & m->s.d_pf;
}
/* True if f's answer goes to the SM as it is. The answer is at the port if the response register is empty (D-L1-17).
 * Of the kinds that come here only HD_BYPASSED has bit 0. */
static inline bool l1d_direct(const struct l1d *m) {
  return HD_IS(m, BEHIND) & m->s.f_valid & (m->s.f.kind & HD_BYPASSED);
}
static inline bool l1d_mrsp_ready(const struct l1d *m) {
  return !((HD_IS(m, BEHIND) & m->s.g_valid) | (m->s.f_valid & !l1d_direct(m)) | (m->s.resp_v & m->s.r_fill));
}
static inline bool l1d_resp_valid(const struct l1d *m) {
  return m->s.resp_v | l1d_direct(m);
}
static inline struct resp l1d_resp(const struct l1d *m) {
  const struct mrsp *f = &m->s.f;
  return m->s.resp_v || !HD_IS(m, BEHIND)
             ? m->s.r
             : (struct resp){
                   .wid = f->wid, .slot = f->slot, .num = f->num, .last = f->last, .error = f->error};
}

/* The number of cycles in which the request in d lacked a resource (`ev`: event counts), and the events among them. */
static inline uint64_t l1d_fails(const uint64_t *ev) {
  return ev[EV_l1d_fail_line_alloc] + ev[EV_l1d_fail_mshr] + ev[EV_l1d_fail_mshr_merge] +
         ev[EV_l1d_fail_miss_queue] + ev[EV_l1d_fail_bypass_slots];
}
#define L1D_FAIL_EVENTS                                                                                      \
  (hd_bit(EV_l1d_fail_line_alloc) | hd_bit(EV_l1d_fail_mshr) | hd_bit(EV_l1d_fail_mshr_merge) |              \
   hd_bit(EV_l1d_fail_miss_queue) | hd_bit(EV_l1d_fail_bypass_slots))

#endif
