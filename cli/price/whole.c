/* The logic of a module as the sum of the modules in it, which are synthesised alone; see price.h. */
#include "cli/price/price.h"

#include <string.h>

int hd_cli_times_in(const struct hd_decl *d, const char *module) {
  int n = !strcmp(d->module, module);
  for (size_t i = 0; i < d->n_insts; i++)
    n += hd_cli_times_in(d->insts[i].decl, module);
  return n;
}

void hd_cli_add_logic(const struct hd_decl *of, const struct hd_synth_result *leaf,
                      struct hd_synth_result *sum) {
  const int n = hd_cli_times_in(of, leaf->name);
  sum->net.area_um2 += n * leaf->net.area_um2;
  sum->net.leak_nw += n * leaf->net.leak_nw;
  if (!sum->timing.fmax_mhz || (leaf->timing.fmax_mhz && leaf->timing.fmax_mhz < sum->timing.fmax_mhz))
    sum->timing.fmax_mhz = leaf->timing.fmax_mhz;
}
