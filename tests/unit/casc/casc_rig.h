/* What the tests of casc share: the machine, and the module on the bench with all ports free. */
#define RIG casc
#include "tests/unit/rig.h"

static inline struct hd_config machine(enum hd_casc scheme, unsigned sets, unsigned ways, unsigned lanes) {
  struct hd_config c = defaults();
  c.casc.scheme = scheme;
  c.l1d.sets = sets;
  c.l1d.ways = ways;
  c.sm.lanes = lanes;
  return c;
}

static inline void build_ready(struct hd_config c) {
  build(c);
  rig.in.en = 1;
  rig.in.out_ready = 1;
}
