/* Cuts RTL or a netlist, as Yosys writes it, at its flip-flops and memories; see equal.h.
 *
 * Invariant: each flip-flop becomes one bit of the ports of one declared register. */
#include <stdlib.h>
#include <string.h>

#include "synth/equal/equal.h"
#include "synth/flow.h"

struct cutting {
  struct hd_cut *cut;
  json_t *ports, *names, *next; /* next: the data input of each flip-flop, by the net of its output */
  json_t *cells, *enables;      /* enables: the enable of each gated clock, by the clock's net */
  json_t *clock;                /* the net of the input clk */
  json_int_t nets;              /* the first free net */
  struct hd_why *why;
};

static struct hd_text key_of(const json_t *net) {
  struct hd_text key;
  snprintf(key.text, sizeof key.text, "%lld", (long long)json_integer_value(net));
  return key;
}

static void add_port(struct cutting *c, const char *name, bool input, json_t *bits) {
  json_object_set_new(c->ports, name,
                      json_pack("{s:s, s:O}", "direction", input ? "input" : "output", "bits", bits));
}

/* Checks the members that are read below. A netlist that Yosys did not write may lack them. */
static enum hd_rc check(const struct cutting *c, json_t *cells) {
  const char *name;
  json_t *is;
  enum hd_rc rc = HD_OK;
  json_object_foreach(c->ports, name, is) {
    if (!json_is_string(json_object_get(is, "direction")) || !json_is_array(json_object_get(is, "bits")))
      rc = hd_because(c->why, HD_INPUT,
                      "%s: found port %s without direction or bits; allowed is what Yosys's "
                      "write_json writes",
                      c->cut->from, name);
  }
  json_object_foreach(cells, name, is) {
    if (!json_is_string(json_object_get(is, "type")))
      rc = hd_because(c->why, HD_INPUT,
                      "%s: found cell %s without a type; allowed is what Yosys's write_json "
                      "writes",
                      c->cut->from, name);
  }
  return rc;
}

/* The pins of a flip-flop. */
struct pins {
  const char *data, *output, *clock;
  bool plain;
};
/* True if the cell is a flip-flop; then `pins` gets its pins. */
static bool is_flipflop(const struct cutting *c, const char *type, struct pins *pins) {
  const struct hd_lib_cell *is = c->cut->lib ? hd_lib_find(c->cut->lib, type) : NULL;
  if (is && is->flipflop)
    *pins = (struct pins){is->data, hd_lib_output(is)->name, is->clock, is->plain};
  else if (!c->cut->lib)
    *pins = (struct pins){"D", "Q", "C", !strcmp(type, "$_DFF_P_")};
  return c->cut->lib ? is && is->flipflop : strstr(type, "DFF") || strstr(type, "dff");
}

/* Turns the pins of a memory into ports, INSTANCE.PIN. */
static void cut_memory(struct cutting *c, const char *name, json_t *cell) {
  const char *pin;
  json_t *bits, *directions = json_object_get(cell, "port_directions");
  json_object_foreach(json_object_get(cell, "connections"), pin, bits) {
    char *port = hd_format("%s.%s", name, pin);
    const char *direction = json_string_value(json_object_get(directions, pin));
    add_port(c, port, direction && !strcmp(direction, "output"), bits);
    free(port);
  }
}

/* The next value of a flip-flop with a gated clock, as a new net: its own value while the enable is 0. */
static json_t *held(struct cutting *c, const char *name, json_t *gives, json_t *takes, json_t *enable) {
  json_t *net = json_integer(c->nets++);
  char *cell = hd_format("%s.held", name);
  json_object_set_new(
      c->cells, cell,
      json_pack("{s:i, s:s, s:{}, s:{}, s:{s:s, s:s, s:s, s:s}, s:{s:[O], s:[O], s:[O], s:[O]}}", "hide_name",
                0, "type", "$_MUX_", "parameters", "attributes", "port_directions", "A", "input", "B",
                "input", "S", "input", "Y", "output", "connections", "A", gives, "B", takes, "S", enable, "Y",
                net));
  free(cell);
  return net;
}

static enum hd_rc cut_flipflop(struct cutting *c, const char *name, const struct pins *pins, json_t *cell) {
  json_t *connections = json_object_get(cell, "connections");
  if (!pins->plain)
    return hd_because(c->why, HD_INPUT,
                      "%s is a %s, which is no plain flip-flop; allowed is one without set, clear, enable",
                      name, json_string_value(json_object_get(cell, "type")));
  json_t *takes = json_array_get(json_object_get(connections, pins->data), 0),
         *gives = json_array_get(json_object_get(connections, pins->output), 0);
  if (!takes || !json_is_integer(gives))
    return hd_because(c->why, HD_INPUT, "%s: found a flip-flop without data or output", name);
  json_t *clock = json_array_get(json_object_get(connections, pins->clock), 0),
         *enable = json_object_get(c->enables, key_of(clock).text);
  if (!enable && !json_equal(clock, c->clock))
    return hd_because(c->why, HD_CHECK, "%s: its clock is neither clk nor a gating cell's", name);
  c->cut->flipflops++;
  if (enable)
    json_object_set_new(c->next, key_of(gives).text, held(c, name, gives, takes, enable));
  else
    json_object_set(c->next, key_of(gives).text, takes);
  return HD_OK;
}

/* Takes out the gating cells and notes the enable of each clock that they give. Their own clock must be clk. */
static enum hd_rc cut_clock_gates(struct cutting *c) {
  const char *name;
  json_t *cell;
  void *tmp;
  json_object_foreach_safe(c->cells, tmp, name, cell) {
    const struct hd_lib_cell *is =
        c->cut->lib ? hd_lib_find(c->cut->lib, json_string_value(json_object_get(cell, "type"))) : NULL;
    if (!is || !is->gate)
      continue;
    json_t *connections = json_object_get(cell, "connections"),
           *clock = json_array_get(json_object_get(connections, is->clock), 0),
           *out = json_array_get(json_object_get(connections, hd_lib_output(is)->name), 0);
    if (!json_equal(clock, c->clock))
      return hd_because(c->why, HD_CHECK, "%s: the clock of this gating cell is not clk", name);
    json_object_set(c->enables, key_of(out).text, json_array_get(json_object_get(connections, is->data), 0));
    json_object_del(c->cells, name);
  }
  return HD_OK;
}

static enum hd_rc cut_cells(struct cutting *c, json_t *cells) {
  c->clock = json_array_get(json_object_get(json_object_get(c->ports, "clk"), "bits"), 0);
  c->cells = cells;
  enum hd_rc rc = cut_clock_gates(c);
  const char *name;
  json_t *cell;
  void *tmp;
  json_object_foreach_safe(cells, tmp, name, cell) {
    const char *type = json_string_value(json_object_get(cell, "type"));
    struct pins pins = {0};
    const bool memory = strstr(type, "hd_ram_") != NULL, flipflop = !memory && is_flipflop(c, type, &pins);
    if (memory)
      cut_memory(c, name, cell);
    else if (flipflop && rc == HD_OK)
      rc = cut_flipflop(c, name, &pins, cell);
    if (memory || flipflop)
      json_object_del(cells, name);
  }
  return rc;
}

/* Cuts a register: its value becomes the input NAME.i, its next value the output NAME. */
static enum hd_rc cut_register(struct cutting *c, const struct hd_row *r, json_t *netnames, long *bits) {
  json_t *holds = json_object_get(json_object_get(netnames, r->var), "bits"), *takes = json_array(), *net;
  size_t i;
  enum hd_rc rc = HD_OK;
  json_array_foreach(holds, i, net) {
    json_t *next = json_is_integer(net) ? json_object_get(c->next, key_of(net).text) : NULL;
    if (!next && rc == HD_OK)
      rc = hd_because(c->why, HD_CHECK, "%s: bit %zu of %s is no flip-flop of it", c->cut->module->module, i,
                      r->var);
    json_array_append(takes, next);
  }
  *bits += (long)json_array_size(holds);
  if (rc == HD_OK && json_array_size(holds) != (size_t)r->width * r->count)
    rc = hd_because(c->why, HD_CHECK, "%s: found %zu bits of %s; declared are %u", c->cut->module->module,
                    json_array_size(holds), r->var, r->width * r->count);
  char *input = hd_format("%s.i", r->var);
  add_port(c, input, true, holds);
  add_port(c, r->var, false, takes);
  free(input);
  json_decref(takes);
  return rc;
}

/* Gives names to the ports only, because points are bits of ports. */
static void name_ports(struct cutting *c, json_t *module) {
  const char *name;
  json_t *port;
  json_object_foreach(c->ports, name, port) {
    json_object_set_new(
        c->names, name,
        json_pack("{s:i, s:O, s:{}}", "hide_name", 0, "bits", json_object_get(port, "bits"), "attributes"));
  }
  json_object_set(module, "netnames", c->names);
}

static void list_outputs(struct cutting *c) {
  const char *name;
  json_t *port;
  c->cut->outputs = json_object();
  json_object_foreach(c->ports, name, port) {
    if (!strcmp(json_string_value(json_object_get(port, "direction")), "output"))
      json_object_set_new(c->cut->outputs, name,
                          json_integer((json_int_t)json_array_size(json_object_get(port, "bits"))));
  }
}

enum hd_rc hd_equal_cut(struct hd_cut *cut, struct hd_why *why) {
  const struct hd_decl *d = cut->module;
  json_error_t error;
  json_t *root = json_load_file(cut->from, 0, &error),
         *module = json_object_get(json_object_get(root, "modules"), d->module);
  struct cutting c = {.cut = cut,
                      .ports = json_object_get(module, "ports"),
                      .names = json_object(),
                      .next = json_object(),
                      .enables = json_object(),
                      .nets = hd_free_net(module),
                      .why = why};
  long bits = 0;
  json_t *cells = json_object_get(module, "cells");
  enum hd_rc rc = module && c.ports ? check(&c, cells)
                                    : hd_because(why, HD_INPUT, "%s: found no netlist of %s: %s", cut->from,
                                                 d->module, root ? "no such module" : error.text);
  if (rc == HD_OK)
    rc = cut_cells(&c, cells);
  for (size_t i = 0; rc == HD_OK && i < d->n_rows; i++)
    if (d->rows[i].cls == HD_REG || d->rows[i].cls == HD_CAM)
      rc = cut_register(&c, &d->rows[i], json_object_get(module, "netnames"), &bits);
  if (rc == HD_OK && bits != cut->flipflops)
    rc = hd_because(why, HD_CHECK, "%s: found %ld flip-flops; its registers have %ld bits", d->module,
                    cut->flipflops, bits);
  if (rc == HD_OK) {
    name_ports(&c, module);
    list_outputs(&c);
    if (json_dump_file(root, cut->to, JSON_COMPACT))
      rc = hd_because(why, HD_TOOL, "%s can't be written", cut->to);
  }
  json_decref(c.names);
  json_decref(c.next);
  json_decref(c.enables);
  json_decref(root);
  return rc;
}
