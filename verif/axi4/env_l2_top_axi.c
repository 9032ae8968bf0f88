/* The environment of `l2_top_axi`: that of a slice (verif/l2/l2_checker.h), with its memory behind an AXI4 subordinate (axi_bridge.c). A
 * transaction counts as a request at `out` when its address has come over the bus; a write also needs its bytes.
 * Now and then a transaction fails, but its bytes are right. read_error and write_error report each failure once, with its code.
 */
#include "verif/axi4/axi_bridge.h"
#include "verif/l2/l2_checker.h"

#include <inttypes.h>
#include <string.h>

struct axi_l2_env {
  struct l2_env e;
  struct hd_axi_bridge bus;
  struct l2out out;
  uint64_t fill_valid, fill_id, fill_data[HD_MAX_WORDS], out_ready; /* the memory's outputs */
  uint64_t reported[2][4]; /* reported errors of reads and of writes, by their code */
};

static bool fails(struct axi_l2_env *a) {
  return hd_below(&a->e.p, 16) == 0;
}

static void drive(struct hd_env *env, const void *out, void *in_) {
  struct axi_l2_env *a = (struct axi_l2_env *)env;
  struct l2_top_axi_in *in = in_;
  (void)out;
  const struct l2_inputs ports = {&in->req_valid, in->req_wdata,  in->req_wmask, &in->rsp_ready,
                                  &a->out_ready,  &a->fill_valid, &a->fill_id,   a->fill_data,
                                  &in->mt_valid,  &in->mt_op,     &in->req};
  if (hd_slice_drive(&a->e, &ports))
    hd_axi_bridge_mood(&a->bus);
#define ENABLE(name, when, key, changes, of) in->name = a->e.enabled;
#define HD_ROWS_BEGIN
#include "arch/declaration/rows_undef.h"
#define HD_MEMORY_PORTS
#include "arch/l2/l2_ports.def"
#undef HD_MEMORY_PORTS
  hd_axi_bridge_drive(&a->bus, HD_AXI_INPUTS(in), &in->clear);
}

/* Checks that each error is reported at most once, with its code; `all`: that all have been reported. */
static bool check_reported(struct axi_l2_env *a, bool all) {
  for (unsigned w = 0; w < 2; w++)
    for (unsigned code = 1; code < 4; code++)
      if (a->reported[w][code] > a->bus.failed[w][code] ||
          (all && a->reported[w][code] != a->bus.failed[w][code]))
        return hd_fail(&a->e.p.env, "%s_error was %u for %" PRIu64 " lines, the bus said so of %" PRIu64,
                       w ? "write" : "read", code, a->reported[w][code], a->bus.failed[w][code]);
  return true;
}

static bool clock(struct hd_env *env, const void *in_, const void *out_) {
  struct axi_l2_env *a = (struct axi_l2_env *)env;
  struct l2_env *e = &a->e;
  const struct l2_top_axi_in *in = in_;
  const struct l2_top_axi_out *out = out_;
  const struct hd_axi_transaction *t = hd_axi_bridge_request(&a->bus);
  if (e->p.c->d.L2_SLEEPS && !hd_slice_check_power(e, out->sleep, out->awake))
    return false;
  if (t)
    a->out = (struct l2out){.write = t->write, .line = t->line, .id = t->write ? 0 : t->id};
  const struct l2_outputs ports = {
      out->req_ready, out->rsp_valid,          t != NULL, 1, out->mt_ready, out->mt_done, &out->rsp, &a->out,
      out->rsp_data,  t ? t->burst.data : NULL};
  const bool filling = e->filling, sends = t && e->out_ready;
  const uint64_t id = a->fill_id;
  e->bus_moves =
      out->m_axi_arvalid || out->m_axi_awvalid || out->m_axi_wvalid || !hd_axi_bridge_idle(&a->bus);
  if (!hd_slice_check(e, &ports))
    return false;
  if (filling)
    hd_axi_bridge_answer(&a->bus, false, id, fails(a), a->fill_data);
  if (sends)
    hd_axi_bridge_take(&a->bus);
  for (unsigned w = 0; sends && t->write && w < e->p.c->d.WORDS; w++)
    if (t->burst.strobe[w] != 0xff)
      return hd_fail(env, "line 0x%" PRIx64 " is written, and not all of its bytes", t->line);
  if (sends && t->write)
    hd_axi_bridge_answer(&a->bus, true, t->id, fails(a), NULL);
  a->reported[0][out->read_error]++;
  a->reported[1][out->write_error]++;
  return check_reported(a, false) &&
         hd_axi_bridge_clock(&a->bus, HD_AXI_OUTPUTS(out), in->clear, out->errors, out->fault);
}

static bool done(const struct hd_env *env) {
  const struct axi_l2_env *a = (const struct axi_l2_env *)env;
  return hd_slice_done(env) && hd_axi_bridge_idle(&a->bus);
}

static bool finish(struct hd_env *env) {
  return check_reported((struct axi_l2_env *)env, true) && hd_slice_finish(env);
}

struct hd_env *l2_top_axi_env(const struct hd_env_job *job, struct hd_why *why) {
  static const struct hd_env_ops ops = {drive, clock, done, finish, hd_slice_close};
  struct axi_l2_env *a = hd_slice_new(sizeof *a, true, job, &ops, why);
  if (!a)
    return NULL;
  a->e.behind_bus = true;
  hd_axi_bridge_open(&a->bus, &a->e.p);
  return &a->e.p.env;
}
