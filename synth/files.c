/* Files of a synthesis run, in its directory, and how long its tools may take; see flow.h. */
#include "synth/flow.h"

#include <stdio.h>
#include <stdlib.h>

char *hd_flow_file(const struct hd_flow *flow, const char *name) {
  return hd_format("%s/%s", flow->dir, name);
}

bool hd_flow_write(const struct hd_flow *flow, const char *name, const char *text) {
  char *path = hd_flow_file(flow, name);
  const bool good = hd_write_file(path, text);
  free(path);
  return good;
}

/* The limit ends a tool that hangs, and no slow one. An L2 slice behind AXI4 took 20 minutes on two cores
 * that others shared, and more than 30 on busier ones. */
int hd_flow_limit(const struct hd_flow *flow) {
  enum { FOUR_HOURS = 4 * 60 * 60 };
  return flow->timeout_s ? flow->timeout_s : FOUR_HOURS;
}
