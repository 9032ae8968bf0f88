/* The simulation of a netlist; see gates.h. netlist.c reads the netlist. */
#include "synth/power/gates.h"

#include <string.h>

static void changed(struct hd_gates *g, int net) {
  for (const int *f = g->fan + g->fan_from[net]; f < g->fan + g->fan_from[net + 1]; f++) {
    if (*f < 0) {
      if (!g->waiting[~*f]) {
        g->waiting[~*f] = 1;
        g->look[g->n_look++] = ~*f;
      }
    } else if (!g->queued[*f]) {
      const int level = g->gate[*f].level;
      g->queued[*f] = 1;
      g->due[level][g->n_due[level]++] = *f;
    }
  }
}

static inline uint8_t value_of(const struct hd_gates *g, const struct hd_netgate *gate) {
  unsigned at = 0;
  for (int i = 0; i < gate->inputs; i++)
    at |= (unsigned)g->value[gate->in[i]] << i;
  return gate->truth >> at & 1;
}

void hd_gates_put(struct hd_gates *g, int net, bool value) {
  if (net > HD_NET_1)
    g->value[net] = value;
}

void hd_gates_start(struct hd_gates *g) {
  for (int level = 0; level < g->levels; level++) {
    for (int i = 0; i < g->n_due[level]; i++)
      g->queued[g->due[level][i]] = 0;
    g->n_due[level] = 0;
  }
  /* gates are sorted by level */
  for (int i = 0; i < g->gates; i++)
    g->value[g->gate[i].out] = value_of(g, &g->gate[i]);
  g->n_flip = 0;
  g->n_look = g->flops;
  for (int i = 0; i < g->flops; i++) {
    g->look[i] = i;
    g->waiting[i] = 1;
  }
}

void hd_gates_set(struct hd_gates *g, int net, bool value) {
  if (net <= HD_NET_1 || g->value[net] == value)
    return;
  g->value[net] = value;
  g->toggles[net]++;
  changed(g, net);
}

void hd_gates_settle(struct hd_gates *g) {
  for (int i = 0; i < g->n_flip; i++) {
    const int q = g->flop[g->flip[i]].q;
    hd_gates_set(g, q, !g->value[q]);
  }
  g->n_flip = 0;
  for (int level = 0; level < g->levels; level++) {
    for (int i = 0; i < g->n_due[level]; i++) {
      const int at = g->due[level][i];
      const struct hd_netgate *gate = &g->gate[at];
      g->queued[at] = 0;
      hd_gates_set(g, gate->out, value_of(g, gate));
    }
    g->n_due[level] = 0;
  }
  for (int i = 0; i < g->clockgates; i++)
    g->clockgate[i].on += g->value[g->clockgate[i].enable];
  g->cycles++;
}

void hd_gates_edge(struct hd_gates *g) {
  for (int i = 0; i < g->n_look; i++) {
    const struct hd_flop *f = &g->flop[g->look[i]];
    g->waiting[g->look[i]] = 0;
    /* A flip-flop whose clock stands still leaves the list too. A change of its enable brings it back,
     * because it reads the enable */
    if (g->value[f->d] != g->value[f->q] && (f->gate < 0 || g->value[g->clockgate[f->gate].enable]))
      g->flip[g->n_flip++] = g->look[i];
  }
  g->n_look = 0;
}

const struct hd_bits *hd_bits_find(const struct hd_named *bus, const char *name) {
  int low = 0, high = bus->n - 1;
  while (low <= high) {
    const int mid = (low + high) / 2, is = strcmp(name, bus->at[mid].name);
    if (is == 0)
      return &bus->at[mid];
    if (is < 0)
      high = mid - 1;
    else
      low = mid + 1;
  }
  return NULL;
}
