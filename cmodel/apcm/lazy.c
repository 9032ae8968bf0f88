/* Sets the input of the protection status board in a lazy run; see lazy.h. */
#include "cmodel/apcm/lazy.h"
#include "cmodel/apcm/ports.h"

void psb_asks(struct sm_mem *m) {
  m->u_psb_in.ask_pc = lat_ask_pc(m->u_lat, m->u_psb->s.l_id);
}
