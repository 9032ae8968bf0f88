/* Energy of memories in a run; see energy.h. */
#include "area/energy.h"

enum hd_rc hd_energy_of(const struct hd_energy_use *use, int n, double seconds, double node_nm,
                        struct hd_energy *energy, struct hd_why *why) {
  const struct hd_pricer model = {.node_nm = node_nm};
  for (int i = 0; i < n; i++) {
    struct hd_mem_price price;
    struct hd_why reason;
    const enum hd_rc rc = hd_mem_price(&model, &use[i].mem, &price, &reason);
    if (rc != HD_OK)
      return hd_because(why, rc, "%s: %s", use[i].name, reason.text);
    energy[i] = (struct hd_energy){.access_nj =
                                       1e-3 * (use[i].reads * price.read_pj + use[i].writes * price.write_pj),
                                   .leak_nj = 1e6 * use[i].copies * price.leak_mw * seconds,
                                   .wake_nj = 1e-3 * use[i].wakes * price.write_pj,
                                   .wake_low_nj = 1e-3 * use[i].wakes * price.wake_pj};
  }
  return HD_OK;
}
