/* An SM's port at the memory system; see memory_port.h.
 *
 * Invariant: `ready` and `offered` are the values that cycle `now` drives. */
#include "cmodel/memory/memory_port.h"

#include <stdlib.h>

#include "cmodel/memory/memsys.h"

struct memsys_port {
  struct hd_port port;
  struct hd_memsys *ms;
  unsigned sm;
  uint64_t now;
  bool ready, offered;
};

/* Drives cycle `now`. Returns the next cycle in which the driven values may change by themselves, if nothing is
 * handed over. UINT64_MAX: not before the SM gets news. */
static uint64_t drive_now(struct memsys_port *p, struct sm_mem_in *in) {
  const struct hd_memsys_answer *answer = hd_memsys_answer(p->ms, p->sm);
  const uint64_t ready = hd_memsys_ready(p->ms, p->sm), due = answer ? answer->at : UINT64_MAX;
  p->ready = ready <= p->now;
  p->offered = due <= p->now;
  in->mreq_ready = p->ready;
  in->mrsp_valid = p->offered;
  if (p->offered)
    in->mrsp = answer->rsp;
  const uint64_t change = p->offered ? UINT64_MAX : due;
  return p->ready || change < ready ? change : ready;
}

static void drive(struct hd_port *port, struct sm_mem_in *in) {
  drive_now((struct memsys_port *)port, in);
}

static void meet(struct memsys_port *p, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  if (in->mrsp_valid && out->mrsp_ready)
    hd_memsys_take(p->ms, p->sm, p->now);
  if (out->mreq_valid && in->mreq_ready)
    hd_memsys_send(p->ms, p->sm, p->now, &out->mreq);
}

static void clock(struct hd_port *port, const struct sm_mem_in *in, const struct sm_mem_out *out) {
  struct memsys_port *p = (struct memsys_port *)port;
  meet(p, in, out);
  p->now++;
}

static uint64_t wake(struct hd_port *port, uint64_t now, struct sm_mem_in *in) {
  struct memsys_port *p = (struct memsys_port *)port;
  p->now = now;
  return drive_now(p, in);
}

static uint64_t take(struct hd_port *port, uint64_t now, struct sm_mem_in *in, const struct sm_mem_out *out) {
  struct memsys_port *p = (struct memsys_port *)port;
  p->now = now;
  meet(p, in, out);
  return wake(port, now + 1, in);
}

static void free_port(struct hd_port *port) {
  free(port);
}

struct hd_port *hd_memsys_port(struct hd_memsys *ms, unsigned sm) {
  static const struct hd_port_ops ops = {drive, clock, wake, take, free_port};
  struct memsys_port *p = malloc(sizeof *p);
  if (!p)
    return NULL;
  *p = (struct memsys_port){.port = {&ops}, .ms = ms, .sm = sm};
  return &p->port;
}
