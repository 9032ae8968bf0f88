/* The nets and their names; see wiring.h. */
#include "arch/wires/wiring.h"

#include <stdlib.h>
#include <string.h>

/* In a wiring of all machines two rows may give an output the same name; one of them counts. */
static struct hd_net *known_net(struct hd_wiring *w, const struct hd_net *net) {
  for (size_t i = 0; w->all && net->row && i < w->n_nets; i++)
    if (w->nets[i].row == net->row && w->nets[i].inst == net->inst && !strcmp(w->nets[i].name, net->name))
      return &w->nets[i];
  return NULL;
}

struct hd_net *hd_wires_add_net(struct hd_wiring_build *b, const char *name, const char *rest,
                                const struct hd_inst *inst, const struct hd_row *row,
                                const struct hd_wire *by) {
  struct hd_wiring *w = b->w;
  struct hd_net *net = &w->nets[w->n_nets];
  *net = (struct hd_net){.inst = inst, .row = row, .by = by};
  snprintf(net->name, sizeof net->name, "%s%s", name, rest);
  struct hd_net *known = known_net(w, net);
  if (known) {
    if (!by) /* no row gives it too, so it has the name in every machine */
      known->by = known->or = NULL;
    else if (known->or)
      hd_wires_wrong(b, by, net->name, "two rows at most that give an output the same name");
    else if (known->by)
      known->or = by;
    return known;
  }
  for (size_t i = 0; !w->all && i < w->n_nets; i++)
    if (!strcmp(w->nets[i].name, net->name)) {
      char found[300];
      snprintf(found, sizeof found, "two drivers of the net %s", net->name);
      hd_wires_wrong(b, by ? by : w->nets[i].by, found, "one; NAME gives an output's net another name");
    }
  w->n_nets++;
  return net;
}

/* How well a row names the net of an output: 3: exactly, 2: as one of several, 1: as part of a channel, 0:
 * not. */
static int names_net(const struct hd_wiring *w, const struct hd_wire *row, const struct hd_inst *inst,
                     const struct hd_row *port, const char **rest) {
  if (hd_wires_counts(w, row, HD_W_NAME) && (*rest = hd_wire_rest(w, row->from, inst, port)))
    return **rest ? 2 : 3;
  if (!hd_wires_counts(w, row, HD_W_CHANNEL))
    return 0;
  if ((*rest = hd_wire_rest(w, row->from, inst, port)))
    return 1;
  return (*rest = hd_wire_rest(w, row->to, inst, port)) && !strcmp(*rest, "_ready") ? 1 : 0;
}

static void name_output(struct hd_wiring_build *b, const struct hd_inst *inst, const struct hd_row *port) {
  struct hd_wiring *w = b->w;
  bool named = false, sure = false;
  for (int level = 3; level > 0 && !(named && !w->all) && !sure; level--) {
    const struct hd_wire *first = NULL;
    for (size_t i = 0; i < w->n_rows; i++) {
      const char *rest;
      if (names_net(w, &w->rows[i], inst, port, &rest) != level)
        continue;
      if (first && !w->all) {
        char found[300];
        snprintf(found, sizeof found, "two names of %s, the other at %s:%d", hd_wires_path(inst, port).text,
                 first->file, first->line);
        hd_wires_wrong(b, &w->rows[i], found, "one");
      } else
        hd_wires_add_net(b, w->rows[i].name, rest, inst, port, &w->rows[i]);
      first = &w->rows[i];
      named = true;
      sure |= hd_wires_always(first);
    }
  }
  if (sure || (named && !w->all))
    return;
  char own[80] = "";
  if (hd_wires_is_hooked(w, port))
    snprintf(own, sizeof own, "%s_", !strncmp(inst->name, "u_", 2) ? inst->name + 2 : inst->name);
  hd_wires_add_net(b, own, port->var, inst, port, NULL);
}

void hd_wires_make_nets(struct hd_wiring_build *b) {
  struct hd_wiring *w = b->w;
  const struct hd_decl *d = w->decl;
  size_t most = d->n_rows;
  for (size_t i = 0; i < d->n_insts; i++)
    most += d->insts[i].decl->n_rows * (w->n_rows + 1);
  w->nets = calloc(most + w->n_rows, sizeof *w->nets);
  if (!w->nets) {
    hd_wires_no_memory(b);
    return;
  }
  for (size_t i = 0; i < d->n_rows; i++)
    if (d->rows[i].cls == HD_IN)
      hd_wires_add_net(b, d->rows[i].var, "", NULL, &d->rows[i], NULL);
  for (size_t i = 0; i < d->n_insts; i++)
    for (size_t k = 0; k < d->insts[i].decl->n_rows; k++)
      if (hd_is_output(d->insts[i].decl->rows[k].cls))
        name_output(b, &d->insts[i], &d->insts[i].decl->rows[k]);
}
