/* What only some instructions need when they issue (cmodel/sm/sm_issue.h). */
#include "cmodel/sm/sm_state.h"

unsigned hd_sm_passes(const struct hd_sm *sm, const struct wl_inst *i) {
  const unsigned banks = sm->c->sm.shared_banks, words = i->size <= 4 ? 1 : i->size / 4u;
  uint64_t seen[SM_MAX_PASSES]; /* the words wanted */
  uint8_t count[64] = {0};
  unsigned n = 0, most = 1;
  if (!i->size)
    return 1;
  for (uint32_t lanes = i->active; lanes; lanes &= lanes - 1)
    for (unsigned k = 0; k < words; k++) {
      const uint64_t word = i->addr[__builtin_ctz(lanes)] / 4 + k;
      const unsigned bank = word & (banks - 1);
      unsigned s = 0;
      while (s < n && seen[s] != word)
        s++;
      if (s < n)
        continue;
      seen[n++] = word;
      most = ++count[bank] > most ? count[bank] : most;
    }
  return most;
}

void hd_sm_keep_store(struct hd_sm *sm, const struct sm_warp *w, const struct wl_inst *i,
                      struct sm_bytes *bytes) {
  const uint64_t cta = wl_rng_mix(sm->launch_number, sm->cta[w->cta].id);
  bytes->content = wl_rng_mix(wl_rng_mix(sm->options.seed, cta), w->seq << 8 | w->place);
  bytes->size = i->size;
  for (uint32_t lanes = i->active; lanes; lanes &= lanes - 1) {
    const int l = __builtin_ctz(lanes);
    bytes->offset[l] = (uint8_t)(i->addr[l] & (sm->c->l1d.line_bytes - 1));
  }
}

void hd_sm_follow(struct hd_sm *sm, unsigned wid, uint32_t pc) {
  const struct sm_warp *next = &sm->warp[wid];
  if (next->op == WL_EXIT)
    hd_loops_end(sm->loops, wid, pc);
  else
    hd_loops_go(sm->loops, wid, pc, next->pc);
}
