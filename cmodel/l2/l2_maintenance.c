/* Maintenance commands of an L2 slice; see l2_maintenance.h. */
#include "cmodel/l2/l2_maintenance.h"

#include "cmodel/l2/l2_request.h"

enum { IDLE, REST, READ, DEAL, LEAVE };
enum { WRITE_BACK = 1, INVALIDATE = 2 };

struct l2_maintenance l2_maintenance_due(const struct l2_slice *m) {
  const struct l2_slice_st *s = &m->s;
  return (struct l2_maintenance){.at_rest = !s->iq_count && !s->b_req && !s->b_rep && !s->mshr_used,
                                 .room = l2_slice_out_room(m),
                                 .has_left = !s->oq_count && !s->c_out};
}

/* Writes back the lowest of the dirty lines `left`, or a sector of it. */
static void write_back(struct l2_slice *m, uint64_t left) {
  struct l2_slice_st *s = &m->s;
  const unsigned way = hd_lowest(left), sector = l2_first_dirty(m, s->mt_set, way);
  const uint64_t line = l2_line_at(m, s->mt_set, way);
  HD_EV(m, l2_slice_mt_back, line, s->mt_set, way, 0);
  if (m->base.c->d.L2_SECTOR_FILL)
    HD_EV(m, l2_slice_sector_back, line, s->mt_set, way, sector);
  *l2_dirty(m, s->mt_set, sector) &= ~hd_bit(way);
  s->dirty_wr = (int64_t)s->mt_set;
  s->dirty_n.writes++;
  l2_read_line(m, s->mt_set, way, sector);
  l2_to_memory(m, true, line, sector, 0);
  if (m->base.data)
    l2_leave_bytes(m, L2_NO_BYTES);
  s->mt_phase = READ;
}

/* Returns the lines of the set that are still to be written back. */
static uint64_t left_of(const struct l2_slice *m, uint64_t on) {
  const struct l2_slice_st *s = &m->s;
  const uint64_t up = m->base.c->d.L2_SLEEPS ? on : s->valid[s->mt_set];
  return s->mt_op & WRITE_BACK ? s->valid[s->mt_set] & l2_any_dirty(m, s->mt_set) & up : 0;
}

uint64_t l2_maintenance_sleeps(const struct l2_slice *m, uint64_t on) {
  const struct l2_slice_st *s = &m->s;
  if (!m->base.c->d.L2_SLEEPS || s->mt_phase != DEAL || !(s->mt_op & INVALIDATE) || left_of(m, on))
    return 0;
  return on & -on;
}

static void deal(struct l2_slice *m, uint64_t on) {
  struct l2_slice_st *s = &m->s;
  const uint64_t valid = s->valid[s->mt_set], left = left_of(m, on), sleeps = l2_maintenance_sleeps(m, on);
  if (left) {
    write_back(m, left);
    return;
  }
  if (sleeps) {
    HD_EV(m, l2_slice_mt_sleep, s->mt_set, hd_lowest(sleeps), 0, 0);
    return;
  }
  if (s->mt_op & INVALIDATE) {
    HD_EV(m, l2_slice_mt_drop, s->mt_set, valid, 0, 0);
    s->valid[s->mt_set] = 0;
  }
  s->mt_set = (s->mt_set + 1) & hd_ones(m->base.c->d.L2_SET_W);
  s->mt_phase = s->mt_set ? READ : LEAVE;
}

void l2_maintain(struct l2_slice *m, const struct l2_slice_in *in, const struct l2_maintenance *due) {
  struct l2_slice_st *s = &m->s;
  s->mt_done = 0;
  switch (s->mt_phase) {
  case IDLE:
    if (!in->mt_valid)
      return;
    HD_EV(m, l2_slice_mt_begin, in->mt_op, 0, 0, 0);
    s->mt_op = in->mt_op;
    s->mt_phase = REST;
    return;
  case REST:
    if (due->at_rest) {
      s->mt_set = 0;
      s->mt_phase = READ;
    }
    return;
  case READ:
    if (due->room) {
      s->tags_n.reads += m->base.c->d.L2_WAYS;
      s->dirty_n.reads++;
      s->b.line = s->mt_set;
      s->mt_phase = DEAL;
    }
    return;
  case DEAL:
    deal(m, in->on);
    return;
  case LEAVE:
    if (due->has_left) {
      HD_EV(m, l2_slice_mt_end, s->mt_op, 0, 0, 0);
      s->mt_phase = IDLE;
      s->mt_done = 1;
    }
    return;
  default: /* after a fault */
    return;
  }
}
