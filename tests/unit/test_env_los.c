/* The environments of the SM's side of LoSCache: what is wrong with predictions, now and then or always, is caught. */
#include "env_wrong.h"

static struct play los(const char *module) {
  struct play p = of(module);
  p.c.memory.kind = HD_MEM_L2;
  p.c.l2.hardware = true;
  p.c.loscache.gate = HD_GATE_ADAPTIVE;
  return p;
}

/* Phases that end often, in a table that is soon full. */
__attribute__((unused)) static struct play brief(const char *module) {
  struct play p = los(module);
  p.c.loscache.phase = 12;
  p.c.loscache.table = 5;
  return p;
}

int main(void) {
  struct play p=los("pred_table"); p.want_all=true; passes(&p); 
  printf("%d unseen %lu\n", p.unseen, p.checked);
  return 0;
}
