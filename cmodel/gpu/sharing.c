/* See sharing.h. A host that is busy for a moment stalls one round; this should cost few rounds alone. A host that stays busy stalls
 * again and again; this should cost few trials. So the number of rounds alone doubles, until sharing wins. */
#include "cmodel/gpu/sharing.h"

static void begin(struct hd_sharing *p, enum hd_sharing_phase phase, unsigned rounds) {
  p->phase = phase;
  p->left = rounds;
}

static void go_alone(struct hd_sharing *p) {
  begin(p, HD_ALONE, p->patience);
  p->patience = 2 * p->patience < HD_SHARING_STRETCH ? 2 * p->patience : HD_SHARING_STRETCH;
}

static void next_phase(struct hd_sharing *p, bool stalled, uint64_t now) {
  const uint64_t took = now - p->since;
  p->since = now;
  if (stalled || (p->phase == HD_TRY_SHARING && p->alone < took)) {
    go_alone(p);
  } else if (p->phase == HD_TRY_SHARING) {
    begin(p, HD_SHARING, HD_SHARING_STRETCH);
  } else if (p->phase == HD_TRY_ALONE) {
    p->alone = took;
    begin(p, HD_TRY_SHARING, HD_SHARING_TRIAL);
  } else {
    if (p->phase == HD_SHARING)
      p->patience = HD_ALONE_FIRST;
    begin(p, HD_TRY_ALONE, HD_SHARING_TRIAL);
  }
}

bool hd_round_is_shared(struct hd_sharing *p, bool stalled, uint64_t (*now)(void)) {
  if (!p->left || stalled)
    next_phase(p, stalled, now());
  p->left--;
  return p->phase == HD_TRY_SHARING || p->phase == HD_SHARING;
}
