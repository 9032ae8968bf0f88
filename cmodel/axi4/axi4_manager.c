/* Golden model of the AXI4 manager. Spec: docs/mechanisms/axi4.md.
 *
 * Invariant: a read or write that is open is used as well; one that is used and not open is in the queue. Of a place that is not there,
 * by a wrong bit, nothing is noted: the hardware's sets of places have no bit for it. */
#include "cmodel/model/bits.h"
#include "cmodel/model/models.h"

enum { INCR = 1, BUFFERABLE = 3, DATA = 2, ODD = 2, MOST_ERRORS = 255 };

/* The results of the answers that arrived in this cycle. */
struct cycle {
  bool enters; /* `entry` enters the queue */
  uint64_t entry;
  bool bad, wrong; /* a transaction ends with an error; an answer breaks the protocol */
};

static bool req_ready(const struct axi4_manager *m) {
  const struct axi4_manager_st *s = &m->s;
  return (s->may_read && !s->ar_valid) || (s->may_write && !s->aw_valid && !s->w_valid);
}

void axi4_manager_moore(struct axi4_manager *m, struct axi4_manager_out *out) {
  const struct axi4_manager_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  out->req_ready = req_ready(m);
  out->rsp_valid = s->o_valid;
  out->rsp_error = s->o_error;
  out->rsp = s->echo_q;
  out->write_error = s->write_error;
  out->errors = s->errors;
  out->fault = s->fault;
  out->m_axi_awuser = s->aw_user;
  out->m_axi_aruser = s->ar_user;
  out->m_axi_awvalid = s->aw_valid;
  out->m_axi_awid = s->aw_id;
  out->m_axi_awaddr = s->aw_line << d->OFFSET_W;
  out->m_axi_arvalid = s->ar_valid;
  out->m_axi_arid = s->ar_id;
  out->m_axi_araddr = s->ar_line << d->OFFSET_W;
  out->m_axi_awlen = out->m_axi_arlen = d->BEATS - 1;
  out->m_axi_awsize = out->m_axi_arsize = d->BUS_SIZE;
  out->m_axi_awburst = out->m_axi_arburst = INCR;
  out->m_axi_awlock = out->m_axi_arlock = 0;
  out->m_axi_awcache = out->m_axi_arcache = BUFFERABLE;
  out->m_axi_awprot = out->m_axi_arprot = DATA;
  out->m_axi_wvalid = s->w_valid;
  out->m_axi_wlast = d->BEATS > 1 ? s->w_last : 1;
  out->m_axi_bready = !s->b_valid;
  out->m_axi_rready = 1;
  if (!m->base.data)
    return;
  hd_copy(out->rsp_data, s->lines_q, d->WORDS);
  hd_copy(out->m_axi_wdata, s->w_data, d->BUS_WORDS);
  for (unsigned i = 0; i < d->BUS_WORDS; i++)
    out->m_axi_wstrb[i] = d->BUS_SM ? s->w_mask[i] : hd_ones(8);
}

/* ---- Requests ---- */

static bool is_write(const struct axi4_manager *m, const struct busreq *r) {
  return m->base.c->d.BUS_SM ? r->kind == HD_STORE : r->write;
}

static uint64_t place_of(const struct axi4_manager *m, const struct busreq *r) {
  const struct hd_derived *d = &m->base.c->d;
  if (is_write(m, r))
    return m->s.write_next;
  return d->BUS_BYPS && r->kind == HD_BYPASSED ? (d->BUS_MSHRS + m->s.bypass_next) & hd_ones(d->BUS_ID_W)
                                               : r->id;
}

static bool in_flight(const uint64_t *open, const uint64_t *lines, unsigned n, uint64_t line) {
  for (unsigned i = 0; i < n; i++)
    if (open[i] && lines[i] == line)
      return true;
  return false;
}

static bool place_is_used(const struct axi4_manager *m, bool write, uint64_t id) {
  const struct hd_derived *d = &m->base.c->d;
  if (!write)
    return id < d->BUS_READS && m->s.read_used[id];
  return id < d->BUS_WRITES && (d->BUS_SM ? m->s.write_used[id] : m->s.write_open[id]);
}

/* Returns true if the request may go. If not, an event says why. */
static bool may_go(struct axi4_manager *m, const struct busreq *r) {
  const struct axi4_manager_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool write = is_write(m, r);
  const uint64_t id = place_of(m, r);
  if (in_flight(s->write_open, s->write_line, d->BUS_WRITES, r->line)) {
    HD_EV(m, axi4_manager_wait_write, r->line, 0, 0, 0);
    return false;
  }
  if (write && in_flight(s->read_open, s->read_line, d->BUS_READS, r->line)) {
    HD_EV(m, axi4_manager_wait_read, r->line, 0, 0, 0);
    return false;
  }
  if (!place_is_used(m, write, id))
    return true;
  if (write)
    HD_EV(m, axi4_manager_wait_place, r->line, id, 0, 0);
  else if (id >= d->BUS_MSHRS)
    HD_EV(m, axi4_manager_wait_bypass, r->line, id - d->BUS_MSHRS, 0, 0);
  return false;
}

static void look_up(struct axi4_manager *m, const struct axi4_manager_in *in, bool take) {
  const bool may = in->req_valid && !take && may_go(m, &in->req), write = is_write(m, &in->req);
  m->s.may_read = may && !write;
  m->s.may_write = may && write;
}

/* Returns the row of `echo` for a read or a write. */
static uint64_t echo_row(const struct axi4_manager *m, bool write, uint64_t id) {
  return write ? m->base.c->d.BUS_READS + id : id;
}

static void echo(struct axi4_manager *m, const struct busreq *r, bool write, uint64_t id) {
  struct axi4_manager_st *s = &m->s;
  const uint64_t row = echo_row(m, write, id);
  s->echo_n.writes++;
  if (row >= m->base.c->d.BUS_ECHOES)
    return;
  s->echo[row] = (struct busrsp){
      .kind = r->kind, .id = r->id, .wid = r->wid, .slot = r->slot, .num = r->num, .last = r->last};
  s->echo_wr = (int64_t)row;
}

/* Returns the request's warp, slot, number and `last`, packed for AxUSER. */
static uint64_t user_of(const struct axi4_manager *m, const struct busreq *r) {
  const struct hd_derived *d = &m->base.c->d;
  return d->BUS_SM ? ((r->wid << d->SLOT_W | r->slot) << d->LANE_W | r->num) << 1 | r->last : 0;
}

static void take_read(struct axi4_manager *m, const struct busreq *r, uint64_t id) {
  struct axi4_manager_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  HD_EV(m, axi4_manager_read, id, r->line, 0, 0);
  if (id < d->BUS_READS) {
    s->read_used[id] = s->read_open[id] = 1;
    s->read_line[id] = r->line;
    s->read_error[id] = 0;
    if (d->BEAT_W)
      s->read_beat[id] = 0;
  }
  echo(m, r, false, id);
  s->ar_valid = 1;
  s->ar_id = id;
  s->ar_line = r->line;
  s->ar_user = user_of(m, r);
  if (d->BUS_BYP_W && r->kind == HD_BYPASSED)
    s->bypass_next = hd_next(s->bypass_next, d->BUS_BYPS, d->BUS_BYP_W);
}

static void take_write(struct axi4_manager *m, const struct axi4_manager_in *in, uint64_t id) {
  struct axi4_manager_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  HD_EV(m, axi4_manager_write, id, in->req.line, 0, 0);
  if (id < d->BUS_WRITES) {
    s->write_open[id] = 1;
    s->write_line[id] = in->req.line;
    if (d->BUS_SM)
      s->write_used[id] = 1;
  }
  if (d->BUS_SM)
    echo(m, &in->req, true, id);
  s->aw_valid = s->w_valid = 1;
  s->aw_id = id;
  s->aw_line = in->req.line;
  s->aw_user = user_of(m, &in->req);
  s->w_left = d->BEATS - 1;
  s->w_last = d->BEATS == 1;
  if (m->base.data) {
    hd_copy(s->w_data, in->req_wdata, d->WORDS);
    if (d->BUS_SM)
      hd_copy(s->w_mask, in->req_wmask, d->WORDS);
  }
  s->write_next = hd_next(s->write_next, d->BUS_WRITES, d->BUS_WRITE_W);
}

/* ---- AR, AW, W ---- */

static void send(struct axi4_manager *m, const struct axi4_manager_in *in) {
  struct axi4_manager_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool last = d->BEATS == 1 || s->w_last;
  s->ar_valid &= !in->m_axi_arready;
  s->aw_valid &= !in->m_axi_awready;
  if (!s->w_valid || !in->m_axi_wready)
    return;
  if (last) {
    s->w_valid = 0;
  } else {
    s->w_last = s->w_left == 1;
    s->w_left--;
  }
  for (unsigned i = d->BUS_WORDS; m->base.data && i < d->WORDS; i++) {
    s->w_data[i - d->BUS_WORDS] = s->w_data[i];
    if (d->BUS_SM)
      s->w_mask[i - d->BUS_WORDS] = s->w_mask[i];
  }
}

/* ---- R and B ---- */

static uint64_t error_of(uint64_t resp) {
  return resp & 2 ? resp : 0;
}

static uint64_t entry_of(const struct axi4_manager *m, uint64_t error, bool write, uint64_t id) {
  const struct hd_derived *d = &m->base.c->d;
  return error << (d->BUS_ENTRY_W - 2) | (uint64_t)write << d->BUS_ID_W | id;
}

static void ends(struct axi4_manager *m, struct cycle *cy, bool write, uint64_t id, uint64_t error) {
  if (error) {
    cy->bad = true;
    HD_EV(m, axi4_manager_error, write, id, error, 0);
  }
  if (write && m->base.c->d.BUS_L2) {
    m->s.write_error = error;
    return;
  }
  cy->enters = true;
  cy->entry = entry_of(m, error, write, id);
}

static bool another_has_begun(const struct axi4_manager *m, uint64_t id) {
  const struct hd_derived *d = &m->base.c->d;
  for (unsigned i = 0; d->BEAT_W && i < d->BUS_READS; i++)
    if (i != id && m->s.read_open[i] && m->s.read_beat[i])
      return true;
  return false;
}

static void keep_beat(struct axi4_manager *m, uint64_t id, uint64_t beat) {
  struct axi4_manager_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  if (m->base.data)
    hd_copy(s->lines + id * d->WORDS + beat * d->BUS_WORDS, s->r_data, d->BUS_WORDS);
  s->lines_wr = (int64_t)id;
  s->lines_n.writes++;
  if (d->BEAT_W)
    s->read_beat[id] = (beat + 1) & hd_ones(d->BEAT_W);
}

/* Processes a beat that has come. Returns true if a read ends. */
static bool hear_read(struct axi4_manager *m, struct cycle *cy) {
  struct axi4_manager_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t id = s->r_id;
  if (!s->r_valid)
    return false;
  if (id >= d->BUS_READS || !s->read_open[id]) {
    HD_EV(m, axi4_manager_stray_read, id, 0, 0, 0);
    cy->wrong = true;
    return false;
  }
  const uint64_t beat = d->BEAT_W ? s->read_beat[id] : 0;
  const bool full = beat == d->BEATS - 1, odd = full != s->r_last;
  const uint64_t error = s->read_error[id] | error_of(s->r_resp) | (odd ? ODD : 0);
  if (another_has_begun(m, id))
    HD_EV(m, axi4_manager_interleave, id, 0, 0, 0);
  keep_beat(m, id, beat);
  if (odd && s->r_last)
    HD_EV(m, axi4_manager_short_burst, id, beat, 0, 0);
  else if (odd)
    HD_EV(m, axi4_manager_long_burst, id, 0, 0, 0);
  cy->wrong |= odd;
  if (!full && !s->r_last) {
    s->read_error[id] = error;
    return false;
  }
  HD_EV(m, axi4_manager_read_done, id, 0, 0, 0);
  s->read_open[id] = 0;
  ends(m, cy, false, id, error);
  return true;
}

static void hear_write(struct axi4_manager *m, struct cycle *cy) {
  struct axi4_manager_st *s = &m->s;
  const uint64_t id = s->b_id;
  if (id >= m->base.c->d.BUS_WRITES || !s->write_open[id]) {
    HD_EV(m, axi4_manager_stray_write, id, 0, 0, 0);
    cy->wrong = true;
    return;
  }
  const bool early = (s->aw_valid || s->w_valid) && s->aw_id == id;
  if (early)
    HD_EV(m, axi4_manager_early_answer, id, 0, 0, 0);
  cy->wrong |= early;
  HD_EV(m, axi4_manager_write_done, id, 0, 0, 0);
  s->write_open[id] = 0;
  ends(m, cy, true, id, error_of(s->b_resp) | (early ? ODD : 0));
}

/* Processes R and B. An answer at B waits in a cycle in which a read ends. */
static void hear(struct axi4_manager *m, const struct axi4_manager_in *in, struct cycle *cy) {
  struct axi4_manager_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool read_ends = hear_read(m, cy), had_b = s->b_valid;
  if (had_b && read_ends) {
    HD_EV(m, axi4_manager_write_waits, s->b_id, 0, 0, 0);
  } else if (had_b) {
    s->b_valid = 0;
    hear_write(m, cy);
  }
  if (in->m_axi_bvalid && !had_b) {
    s->b_valid = 1;
    s->b_id = in->m_axi_bid;
    s->b_resp = in->m_axi_bresp;
  }
  s->r_valid = in->m_axi_rvalid;
  if (!in->m_axi_rvalid)
    return;
  s->r_id = in->m_axi_rid;
  for (unsigned i = 0; i < d->BUS_READS; i++)
    s->r_at[i] = i == in->m_axi_rid;
  s->r_resp = in->m_axi_rresp;
  s->r_last = in->m_axi_rlast;
  if (m->base.data)
    hd_copy(s->r_data, in->m_axi_rdata, d->BUS_WORDS);
}

/* ---- Answers ---- */

static void show(struct axi4_manager *m, uint64_t entry) {
  struct axi4_manager_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const uint64_t id = entry & hd_ones(d->BUS_ID_W);
  const bool write = d->BUS_SM && hd_has(entry, d->BUS_ID_W);
  s->o_error = entry >> (d->BUS_ENTRY_W - 2);
  if (echo_row(m, write, id) < d->BUS_ECHOES)
    s->echo_q = s->echo[echo_row(m, write, id)];
  s->echo_n.reads++;
  if (write) {
    if (id < d->BUS_WRITES)
      s->write_used[id] = 0;
    return;
  }
  s->lines_n.reads += d->BEATS;
  if (id >= d->BUS_READS)
    return;
  s->read_used[id] = 0;
  if (m->base.data)
    hd_copy(s->lines_q, s->lines + id * d->WORDS, d->WORDS);
}

static void answer(struct axi4_manager *m, const struct axi4_manager_in *in, const struct cycle *cy) {
  struct axi4_manager_st *s = &m->s;
  const struct hd_derived *d = &m->base.c->d;
  const bool free = !s->o_valid || in->rsp_ready, shows = free && s->queue_count;
  if (free)
    s->o_valid = shows;
  if (shows) {
    show(m, s->head);
    s->queue_head = hd_next(s->queue_head, d->BUS_QUEUE, d->BUS_QUEUE_W);
    s->queue_count--;
  }
  if (cy->enters) {
    if (s->queue_tail < d->BUS_QUEUE)
      s->queue[s->queue_tail] = cy->entry;
    s->queue_tail = hd_next(s->queue_tail, d->BUS_QUEUE, d->BUS_QUEUE_W);
    s->queue_count++;
  }
  if (s->queue_count)
    s->head = s->queue_head < d->BUS_QUEUE ? s->queue[s->queue_head] : 0;
}

static void count_errors(struct axi4_manager *m, bool clear, const struct cycle *cy) {
  struct axi4_manager_st *s = &m->s;
  if (clear)
    s->errors = s->fault = 0;
  s->fault |= cy->wrong;
  if (cy->bad && s->errors == MOST_ERRORS)
    HD_EV(m, axi4_manager_errors_full, MOST_ERRORS, 0, 0, 0);
  else if (cy->bad)
    s->errors++;
}

uint64_t axi4_manager_tick(struct axi4_manager *m, const struct axi4_manager_in *in) {
  struct axi4_manager_st *s = &m->s;
  const bool take = in->req_valid && req_ready(m), read = take && s->may_read;
  const uint64_t id = place_of(m, &in->req);
  struct cycle cy = {0};
  s->echo_wr = s->lines_wr = -1;
  s->write_error = 0;
  look_up(m, in, take);
  hear(m, in, &cy);
  answer(m, in, &cy);
  count_errors(m, in->clear, &cy);
  send(m, in);
  if (read)
    take_read(m, &in->req, id);
  else if (take)
    take_write(m, in, id);
  return HD_MOVES;
}
