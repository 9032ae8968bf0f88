/* An SM's port at the memory system; see memory_port.h.
 *
 * Invariant: `ready` and `offered` are what cycle `now` drives.
 */
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

static void arm(struct memsys_port *p) {
  const struct hd_memsys_answer *answer = hd_memsys_answer(p->ms, p->sm);
  p->ready = hd_memsys_ready(p->ms, p->sm) <= p->now;
  p->offered = answer && answer->at <= p->now;
}

static void drive(struct hd_port *port, struct sm_mem_in *in) {
  struct memsys_port *p = (struct memsys_port *)port;
  arm(p);
  in->mreq_ready = p->ready;
  in->mrsp_valid = p->offered;
  if (p->offered)
    in->mrsp = hd_memsys_answer(p->ms, p->sm)->rsp;
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
  drive(port, in);
  const struct hd_memsys_answer *answer = hd_memsys_answer(p->ms, p->sm);
  const uint64_t due = answer && !p->offered ? answer->at : UINT64_MAX;
  const uint64_t ready = p->ready ? UINT64_MAX : hd_memsys_ready(p->ms, p->sm);
  return ready < due ? ready : due;
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
