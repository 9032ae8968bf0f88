/* Traces as inputs. Each gives instructions that keep the promises of stream.h, or an error that names the file. */
#include "tests/fuzz/inputs.h"

#include "workloads/trace/trace_code.h"
#include "workloads/trace/trace_layout.h"
#include "workloads/trace/trace_statics.h"
#include "workloads/trace_open.h"
#include "workloads/walk.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INSTS = 20000, MOST_LAUNCHES = 16, MOST_WARPS = 1000 };

struct trace_check {
  struct wl_walker walker;
  uint32_t left; /* instructions still to read */
};

/* By the rules of stream.h. In a trace the bytes of shared memory are aligned too. */
static void check_shared(const struct wl_inst *i) {
  fuzz_inst(i);
  if (i->op == WL_SHARED && wl_trace_has_addresses(i->op, i->size, i->active))
    for (int l = 0; l < WL_LANES; l++)
      fuzz_need(!(i->active >> l & 1) || i->addr[l] % i->size == fuzz_planted("an odd offset"),
                "an offset that is not aligned");
}

static bool check_launch(struct wl_walker *self, const struct wl_source *source, const struct wl_launch *l) {
  (void)self;
  (void)source;
  fuzz_launch(l);
  return true;
}

static bool check_inst(struct wl_walker *self, const struct wl_inst *i) {
  struct trace_check *c = (struct trace_check *)self;
  check_shared(i);
  return --c->left > 0;
}

static bool read_trace(const char *path) {
  char err[512] = "";
  struct trace_check c = {{check_launch, NULL, check_inst, NULL}, MOST_INSTS};
  struct wl_source *source = wl_trace_open(path, err, sizeof err);
  bool good = false;
  if (source) {
    good = wl_walk(source, &c.walker, err, sizeof err) || !c.left;
    source->ops->close(source);
  }
  if (fuzz_planted("no file"))
    strcpy(err, "something is wrong");
  if (!good)
    fuzz_line(err);
  fuzz_need(good || strstr(err, FUZZ_PATH), "an error without the file's name");
  return good;
}

/* A list may name its own file as /proc/self/fd/900, so both lists and kernels are read. */
bool fuzz_accel(const uint8_t *bytes, size_t n) {
  return read_trace(fuzz_file(bytes, n));
}

static void sign(uint8_t *bytes, size_t n, uint32_t check) {
  for (int i = 0; i < 4; i++)
    bytes[n + (size_t)i] = (uint8_t)(check >> 8 * i);
}

/* Sets the checksums of a warp's blocks, from the first block on. */
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

/* Sets all checksums right. Otherwise nothing behind them would be reached. */
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

/* Reads the input unchanged, and with correct checksums. */
bool fuzz_htrace(const uint8_t *bytes, size_t n) {
  uint8_t *copy = (uint8_t *)fuzz_text(bytes, n);
  read_trace(fuzz_file(bytes, n));
  if (n >= 8)
    memcpy(copy, WL_TRACE_MAGIC, 8);
  sign_all(copy, n);
  const bool good = read_trace(fuzz_file(copy, n));
  free(copy);
  return good;
}

/* The decoder alone. Few changes of bytes would get to it through the compression of a file. */
bool fuzz_block(const uint8_t *bytes, size_t n) {
  static struct wl_trace_statics common = {.mutex = PTHREAD_MUTEX_INITIALIZER};
  struct wl_trace_decoder d = {0};
  struct wl_inst inst;
  bool good = true;
  wl_trace_statics_begin(&common);
  wl_trace_decode_begin(&d, bytes, n, &common);
  while (d.at < d.end && (good = wl_trace_decode(&d, &inst))) {
    wl_trace_locate(&d, &inst);
    check_shared(&inst);
  }
  fuzz_need(d.at + (fuzz_planted("a byte too far") ? n : 0) <= d.end, "read past the end of a block");
  wl_trace_decode_end(&d);
  return good;
}
