/* Files of a synthesis run, in its directory; see flow.h. */
#include "synth/flow.h"

#include <stdio.h>
#include <stdlib.h>

char *hd_flow_file(const struct hd_flow *flow, const char *name) {
  return hd_format("%s/%s", flow->dir, name);
}

bool hd_flow_write(const struct hd_flow *flow, const char *name, const char *text) {
  char *path = hd_flow_file(flow, name);
  FILE *f = fopen(path, "w");
  free(path);
  return f && (fputs(text, f) >= 0) + !fclose(f) == 2;
}
