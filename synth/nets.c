/* The nets of a netlist in Yosys's JSON, which are numbers; see flow.h. */
#include "synth/flow.h"

static json_int_t above(json_int_t net, json_t *bits) {
  size_t i;
  json_t *bit;
  json_array_foreach(bits, i, bit) {
    if (json_integer_value(bit) >= net)
      net = json_integer_value(bit) + 1;
  }
  return net;
}

json_int_t hd_free_net(json_t *module) {
  json_int_t net = 2; /* Yosys's first number */
  const char *name, *pin;
  json_t *is, *bits;
  json_object_foreach(json_object_get(module, "ports"), name, is) {
    net = above(net, json_object_get(is, "bits"));
  }
  json_object_foreach(json_object_get(module, "netnames"), name, is) {
    net = above(net, json_object_get(is, "bits"));
  }
  json_object_foreach(json_object_get(module, "cells"), name, is) {
    json_object_foreach(json_object_get(is, "connections"), pin, bits) {
      net = above(net, bits);
    }
  }
  return net;
}
