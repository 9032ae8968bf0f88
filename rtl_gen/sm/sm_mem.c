/* One SM's memory path, as Verilog: nothing but instances and nets. Spec: docs/mechanisms/sm_mem.md.
 *
 * Every port of a module inside goes to the net of its own name, but for those that `joined` names.
 */
#include <string.h>

#include "rtl_gen/emit/nets.h"

/* Ports of an instance whose names begin with `port`: the net has `net` instead, or an input is that expression. The
 * first that fits counts.
 */
struct joint {
  const char *inst, *port, *net;
};
static const struct joint joined[] = {
    {"u_laws", "en", "laws_en"},
    {"u_laws", "load_valid", "issue_valid && issue_ready && !issue_write"},
    {"u_laws", "load_wid", "issue_wid"},
    {"u_laws", "load_pc", "issue_pc"},
    {"u_laws", "fb_", "verdict_"},
    {"u_laws", "tgt_valid", "pf_valid && pf_ready"},
    {"u_laws", "tgt_wid", "pf_wid"},
    {"u_sap", "en", "pf_en"},
    {"u_sap", "ev_addr", "{verdict_line, verdict_low}"},
    {"u_sap", "ev_group", "miss_group"},
    {"u_sap", "ev_wid", "verdict_wid"},
    {"u_sap", "ev_pc", "verdict_pc"},
    {"u_lat", "clear", "flush"},
    {"u_lat", "load_valid", "issue_valid && issue_ready && !issue_write"},
    {"u_lat", "load_pc", "issue_pc"},
    {"u_mta", "clear", "flush"},
    {"u_cait", "clear", "flush"},
    {"u_cait", "bypass", "m_bypass"},
    {"u_cait", "protect", "m_protect"},
    {"u_cait", "last", "m_last"},
    {"u_psb", "clear", "flush"},
    {"u_coalescer", "issue_gid", "load_gid"},
    {"u_coalescer", "issue_trk", "load_trk"},
    {"u_coalescer", "issue_lid", "load_lid"},
    {"u_coalescer", "req_lanes", "st_lanes"},
    {"u_coalescer", "req_", "enq_"},
    {"u_slot", "enq_wdata", "st_data"},
    {"u_slot", "enq_wmask", "st_mask"},
    {"u_mrpb", "enq_wdata", "st_data"},
    {"u_mrpb", "enq_wmask", "st_mask"},
    {"u_memsched", "enq_wdata", "st_data"},
    {"u_memsched", "enq_wmask", "st_mask"},
    {"u_memsched", "enq", "enq"},
    {"u_memsched", "en", "memsched_en"},
    {"u_l1d", "req_", "deq_"},
    {"u_rrt", "clear", "flush"},
    {"u_rrt", "ev_", "evict_"},
    {"u_rft", "clear", "flush"},
    {"u_rft", "up_", "evict_"},
    {"u_rft", "bypass", "rft_bypass"},
    {"u_rft", "lost", "rft_lost"},
};

/* The same where casc stands behind the coalescer; these come first. */
static const struct joint joined_casc[] = {
    {"u_coalescer", "req_lanes", "st_lanes"},
    {"u_coalescer", "req_", "req_"},
    {"u_coalescer", "busy", "coalescer_busy"},
    {"u_casc", "en", "casc_en"},
    {"u_casc", "in_", "req_"},
    {"u_casc", "out_", "enq_"},
    {"u_casc", "busy", "casc_busy"},
};

/* The same where the prediction table of LoSCache stands between the L1D and the memory; these come first too. */
static const struct joint joined_los[] = {
    {"u_coalescer", "issue_pe", "ld_pe"},
    {"u_pred", "en", "los_en"},
    {"u_pred", "seed", "los_seed"},
    {"u_pred", "ld_valid", "issue_valid && issue_ready"},
    {"u_pred", "ld_wid", "issue_wid"},
    {"u_pred", "ld_pc", "issue_pc"},
    {"u_pred", "mq_taken", "l1d_mreq_valid && mreq_ready && !q_valid"},
    {"u_pred", "mq_waits", "l1d_mreq_valid && !mreq_ready && !q_valid"},
    {"u_pred", "mq_pe", "l1d_mreq_pe"},
    {"u_pred", "mq_line", "l1d_mreq_line"},
    {"u_pred", "q_ready", "mreq_ready"},
    {"u_pred", "ans_valid", "mrsp_valid && mrsp_ready && mrsp_kind == 2'd3"},
    {"u_pred", "ans_", "mrsp_"},
    {"u_pred", "early_valid", "mrsp_valid && mrsp_ready && mrsp_kind != 2'd3 && |mrsp_count"},
    {"u_pred", "early_", "mrsp_"},
    {"u_l1d", "mreq_ready", "mreq_ready && !q_valid"},
    {"u_l1d", "mreq_wdata", "mreq_wdata"},
    {"u_l1d", "mreq_wmask", "mreq_wmask"},
    {"u_l1d", "mreq_", "l1d_mreq_"},
    {"u_l1d", "mrsp_valid", "mrsp_valid && mrsp_kind != 2'd3"},
};

static const struct joint *find(const struct joint *joint, size_t n, const char *inst, const char *port) {
  for (; n; n--, joint++)
    if (!strcmp(joint->inst, inst) && !strncmp(joint->port, port, strlen(joint->port)))
      return joint;
  return NULL;
}

static struct hd_net net_of(const struct hd_config *c, const struct hd_inst *inst,
                            const struct hd_row *port) {
  struct hd_net net;
  const struct joint *at = NULL;
  if (c->d.CASC)
    at = find(joined_casc, sizeof joined_casc / sizeof *joined_casc, inst->name, port->var);
  if (!at && c->d.LOS)
    at = find(joined_los, sizeof joined_los / sizeof *joined_los, inst->name, port->var);
  if (!at)
    at = find(joined, sizeof joined / sizeof *joined, inst->name, port->var);
  if (at)
    snprintf(net.name, sizeof net.name, "%s%s", at->net, port->var + strlen(at->port));
  else
    snprintf(net.name, sizeof net.name, "%s", port->var);
  return net;
}

/* What the memory is asked: the table's queries go before the L1D's requests. */
static void put_memory_port(FILE *f, const struct hd_config *c) {
  fprintf(f,
          "\n"
          "  // a query goes before what the L1D has\n"
          "  assign mreq_valid = q_valid || l1d_mreq_valid;\n"
          "  assign %s =\n"
          "    q_valid ? {2'd3, q_line, {MSHR_W+WID_W+SLOT_W+LANE_W+1{1'b0}}, q_pe, {CNT_W{1'b0}}} :\n"
          "    {%s, mq_pred};\n",
          hd_fields_of(c, "sreq", "mreq_", "").text, hd_fields_of(c, "mreq", "l1d_mreq_", "").text);
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  const struct hd_config *c = design->c;
  fputc('\n', f);
  hd_put_nets(f, c, decl, net_of, 16);
  if (c->d.STRIDE)
    fprintf(f, "\n  wire ev_valid = %s; // the prefetcher learns from it\n",
            c->d.GROUPED                    ? "miss_valid"
            : c->prefetch.kind == HD_PF_SAP ? "verdict_valid && !verdict_hit"
                                            : "verdict_valid");
  for (size_t i = 0; i < decl->n_insts; i++)
    hd_put_instance(f, design, &decl->insts[i], net_of);
  if (c->d.CASC)
    fputs("\n"
          "  assign busy = coalescer_busy | casc_busy;\n",
          f);
  if (c->d.LOS)
    put_memory_port(f, c);
  const char *from = c->d.CASC ? "req" : "enq"; /* the coalescer's request */
  fprintf(f,
          "\n"
          "  // a store's bytes join it on its way into the buffer\n"
          "  assign st_valid = %s_valid && %s_write;\n"
          "  assign {st_wid, st_slot, st_num} = {%s_wid, %s_slot, %s_num};\n",
          from, from, from, from, from);
}

const struct hd_behaviour sm_mem_rtl = {"sm_mem", put, (const char *const[]){"request_buffer.kind", NULL}};
