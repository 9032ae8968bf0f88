/* A slice of the L2 with the power of its lines, as Verilog: nothing but instances and nets. Spec:
 * docs/mechanisms/l2.md.
 *
 * Every port of a module inside goes to the net of its own name, but for the prediction of a request.
 */
#include <string.h>

#include "rtl_gen/emit/nets.h"

static struct hd_net net_of(const struct hd_config *c, const struct hd_inst *inst,
                            const struct hd_row *port) {
  struct hd_net net;
  (void)c;
  (void)inst;
  snprintf(net.name, sizeof net.name, "%s", strcmp(port->var, "req_pred") ? port->var : "taken_pred");
  return net;
}

static void put(FILE *f, const struct hd_design *design, const struct hd_decl *decl) {
  fputc('\n', f);
  if (design->c->d.LOS)
    fputs("  // without the enable no access is predicted, so no line sleeps\n"
          "  wire [CNT_W-1:0] taken_pred = req_pred & {CNT_W{los_en}};\n"
          "\n",
          f);
  hd_put_nets(f, design->c, decl, net_of, 24);
  for (size_t i = 0; i < decl->n_insts; i++)
    hd_put_instance(f, design, &decl->insts[i], net_of);
}

const struct hd_behaviour l2_top_rtl = {"l2_top", put, (const char *const[]){"loscache.gate", NULL}};
