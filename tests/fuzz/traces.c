/* Traces as inputs: they end in instructions that keep the promises of stream.h, or in a sentence with the file's name. */
#include "tests/fuzz/inputs.h"

#include "workloads/trace/trace.h"
#include "workloads/trace/trace_code.h"
#include "workloads/trace/trace_layout.h"
#include "workloads/walk.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INSTS = 20000, MOST_LAUNCHES = 16, MOST_WARPS = 1000 };

struct trace_check {
  struct wl_walker walker;
  uint32_t left; /* instructions until it is enough */
};

static bool check_launch(struct wl_walker *self, const struct wl_source *source, const struct wl_launch *l) {
  (void)self;
  (void)source;
  fuzz_need((uint64_t)l->grid[0] * l->grid[1] * l->grid[2] == l->ctas && l->ctas > 0, "CTAs of a launch");
  fuzz_need(l->warps_per_cta >= 1 && l->warps_per_cta <= 32, "warps of a CTA");
  fuzz_need(memchr(l->name, 0, sizeof l->name), "a name without an end");
  return true;
}

static bool check_inst(struct wl_walker *self, const struct wl_inst *i) {
  struct trace_check *c = (struct trace_check *)self;
  fuzz_need(i->op <= WL_EXIT && i->dst >= WL_NO_REG && i->dst < 64, "an operation or register");
  fuzz_need(!wl_is_memory(i->op) || (i->active && i->size && i->size <= 16 && !(i->size & (i->size - 1))),
            "lanes or size");
  if (wl_trace_has_addresses(i->op, i->size, i->active))
    for (int l = 0; l < WL_LANES; l++)
      fuzz_need(!(i->active >> l & 1) || i->addr[l] % i->size == 0, "an address that is not aligned");
  return c->left-- > 0;
}

static void read_trace(const char *path) {
  char err[512] = "";
  struct trace_check c = {{check_launch, NULL, check_inst, NULL}, MOST_INSTS};
  struct wl_source *source = wl_trace_open(path, err, sizeof err);
  bool good = false;
  if (source) {
    good = wl_walk(source, &c.walker, err, sizeof err);
    good |= !*err; /* it was enough */
    source->ops->close(source);
  }
  if (!good)
    fuzz_line(err);
  fuzz_need(good || strstr(err, FUZZ_PATH), "an error without the file's name");
}

/* A list may name the file that it is in, as /proc/self/fd/900, so lists and kernels are both read. */
void fuzz_accel(const uint8_t *bytes, size_t n) {
  read_trace(fuzz_file(bytes, n));
}

static void sign(uint8_t *bytes, size_t n, uint32_t check) {
  for (int i = 0; i < 4; i++)
    bytes[n + (size_t)i] = (uint8_t)(check >> 8 * i);
}

/* The checksums of a warp's blocks, from the first on. */
static void sign_blocks(uint8_t *bytes, size_t n, uint32_t launch, uint64_t warp, uint64_t at) {
  bool last = false;
  for (uint64_t number = 0; !last && at < n && n - at > WL_TRACE_BLOCK_HEADER; number++) {
    struct wl_trace_block block = wl_trace_get_block(bytes + at);
    if (block.packed > n - at - WL_TRACE_BLOCK_HEADER)
      return;
    block.check = wl_trace_check(launch, warp, number, &block, bytes + at + WL_TRACE_BLOCK_HEADER);
    wl_trace_put_block(bytes + at, &block);
    at += WL_TRACE_BLOCK_HEADER + block.packed;
    last = block.last || warp == WL_TRACE_PATTERN;
  }
}

/* Makes all checksums right, else nothing behind them would be reached. */
static void sign_all(uint8_t *bytes, size_t n) {
  if (n < WL_TRACE_FILE_HEADER)
    return;
  uint32_t version, launches;
  uint64_t size, at = WL_TRACE_FILE_HEADER;
  wl_trace_get_file(bytes, &version, &size, &launches);
  wl_trace_put_file(bytes, n, launches);
  for (uint32_t launch = 0; launch < MOST_LAUNCHES && at < n && n - at >= WL_TRACE_LAUNCH_HEADER; launch++) {
    struct wl_trace_launch l;
    uint64_t next;
    uint8_t *header = bytes + at;
    const size_t end = WL_TRACE_LAUNCH_HEADER - 4;
    wl_trace_put64(header, UINT64_C(0x0a0d48434e55414c)); /* LAUNCH\r\n */
    sign(header, end, lzma_crc32(header, end, 0));
    if (!wl_trace_get_launch(header, &l, &next))
      return;
    const uint64_t warps = (uint64_t)l.launch.ctas * l.launch.warps_per_cta,
                   index = at + WL_TRACE_LAUNCH_HEADER;
    for (uint64_t w = 0; w < warps && w < MOST_WARPS && index + 8 * w + 8 <= n; w++)
      sign_blocks(bytes, n, launch, w, wl_trace_get64(bytes + index + 8 * w));
    if (warps < n / 8)
      sign_blocks(bytes, n, launch, WL_TRACE_PATTERN, index + 8 * warps);
    if (next <= at)
      return;
    at = next;
  }
}

/* As it is, and with right checksums. */
void fuzz_htrace(const uint8_t *bytes, size_t n) {
  uint8_t *copy = (uint8_t *)fuzz_text(bytes, n);
  read_trace(fuzz_file(bytes, n));
  if (n >= 8)
    memcpy(copy, WL_TRACE_MAGIC, 8);
  sign_all(copy, n);
  read_trace(fuzz_file(copy, n));
  free(copy);
}
