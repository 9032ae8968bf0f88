/* Checks the promises of every source of instructions (workloads/stream.h) on inputs of several kinds. */
#include "tests/fuzz/inputs.h"
#include "workloads/stream.h"

#include <string.h>

void fuzz_launch(const struct wl_launch *launch) {
  struct wl_launch l = *launch;
  l.ctas += fuzz_planted("a CTA more");
  l.warps_per_cta += fuzz_planted("a warp more");
  if (fuzz_planted("a name without an end"))
    memset(l.name, 'x', sizeof l.name);
  fuzz_need((uint64_t)l.grid[0] * l.grid[1] * l.grid[2] == l.ctas && l.ctas > 0, "CTAs of a launch");
  const uint64_t threads = (uint64_t)l.block[0] * l.block[1] * l.block[2];
  fuzz_need(l.warps_per_cta >= 1 && l.warps_per_cta <= WL_LANES &&
                l.warps_per_cta == (threads + WL_LANES - 1) / WL_LANES,
            "warps of a CTA");
  fuzz_need(memchr(l.name, 0, sizeof l.name), "a name without an end");
}

static bool is_size(unsigned size) {
  return size && size <= 16 && !(size & (size - 1));
}

void fuzz_inst(const struct wl_inst *inst) {
  struct wl_inst i = *inst;
  if (fuzz_planted("no such operation"))
    i.op = WL_EXIT + 1;
  if (fuzz_planted("no such register"))
    i.dst = 64;
  if (wl_is_memory(i.op)) {
    i.active = fuzz_planted("no lane") ? 0 : i.active;
    i.size = fuzz_planted("no such size") ? 3 : i.size;
    if (fuzz_planted("an odd address"))
      i.addr[__builtin_ctz(i.active)] = 1; /* legal if the size is one byte */
  } else
    i.kind = fuzz_planted("no such kind") ? 1 : i.kind;
  fuzz_need(i.op <= WL_EXIT, "an operation");
  fuzz_need(i.dst >= WL_NO_REG && i.dst < 64, "a register");
  fuzz_need(i.op == WL_ATOMIC || i.kind <= (i.op == WL_LOAD), "a kind of access");
  if (!wl_is_memory(i.op))
    return;
  fuzz_need(i.active, "no lane accesses the memory");
  fuzz_need(is_size(i.size), "a size");
  for (int l = 0; l < WL_LANES; l++)
    fuzz_need(!(i.active >> l & 1) || i.addr[l] % i.size == 0, "an address that is not aligned");
}
