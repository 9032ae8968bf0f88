/* Headers and checksums of .htrace; see trace_layout.h. */
#include "workloads/trace/trace_layout.h"
#include "workloads/trace/trace_code.h"

#include <lzma.h>
#include <string.h>

/* The offsets of the fields of a launch header. */
enum {
  AT_MAGIC = 0,
  AT_NEXT = 8,
  AT_NAME = 16,
  AT_GRID = 64,
  AT_BLOCK = 76,
  AT_SHARED = 88,
  AT_REGS = 92,
  AT_INSTS = 96, /* 16 of them, some for future operations */
  AT_LANES = 224,
  AT_BYTES = 232,
  AT_CODED = 240,
  AT_NOTES = 256, /* 16 of them */
  AT_UNKNOWN = 384,
  AT_CHECK = WL_TRACE_LAUNCH_HEADER - 4
};
#define LAUNCH_MAGIC "LAUNCH\r\n"
enum { LAST = 0x8000, MAX_WARPS = 32, NOTES = 6 };

static void put32(uint8_t *bytes, uint32_t x) {
  for (int i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(x >> 8 * i);
}

static uint32_t get32(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Without the terminating zero. */
static void put_text(uint8_t *bytes, const char *text, size_t most) {
  for (size_t i = 0; i < most && text[i]; i++)
    bytes[i] = (uint8_t)text[i];
}

void wl_trace_put64(uint8_t *bytes, uint64_t x) {
  put32(bytes, (uint32_t)x);
  put32(bytes + 4, (uint32_t)(x >> 32));
}

uint64_t wl_trace_get64(const uint8_t *bytes) {
  return get32(bytes) | (uint64_t)get32(bytes + 4) << 32;
}

bool wl_trace_count_launch(struct wl_launch *l) {
  uint64_t ctas = 1, threads = 1;
  for (int d = 0; d < 3; d++) {
    if (!l->grid[d] || !l->block[d] || l->block[d] > MAX_WARPS * WL_LANES)
      return false;
    ctas *= l->grid[d];
    threads *= l->block[d];
    if (ctas > UINT32_MAX)
      return false;
  }
  l->ctas = (uint32_t)ctas;
  l->warps_per_cta = (uint32_t)((threads + WL_LANES - 1) / WL_LANES);
  return threads <= MAX_WARPS * WL_LANES;
}

bool wl_trace_good_launch(const struct wl_launch *launch) {
  struct wl_launch counted = *launch;
  return wl_trace_count_launch(&counted) && counted.ctas == launch->ctas &&
         counted.warps_per_cta == launch->warps_per_cta && launch->regs <= WL_TRACE_REGISTERS;
}

void wl_trace_put_file(uint8_t bytes[WL_TRACE_FILE_HEADER], uint64_t size, uint32_t launches) {
  memset(bytes, 0, WL_TRACE_FILE_HEADER);
  put_text(bytes, WL_TRACE_MAGIC, 8);
  put32(bytes + 8, WL_TRACE_VERSION);
  put32(bytes + 12, launches);
  wl_trace_put64(bytes + 16, size);
  put32(bytes + 28, lzma_crc32(bytes, 28, 0));
}

bool wl_trace_get_file(const uint8_t bytes[WL_TRACE_FILE_HEADER], uint32_t *version, uint64_t *size,
                       uint32_t *launches) {
  *version = get32(bytes + 8);
  *launches = get32(bytes + 12);
  *size = wl_trace_get64(bytes + 16);
  return get32(bytes + 28) == lzma_crc32(bytes, 28, 0);
}

static void notes_out(const struct wl_trace_notes *n, uint64_t out[NOTES]) {
  const uint64_t all[NOTES] = {n->unknown,    n->off,       n->misaligned,
                               n->early_exit, n->registers, n->destinations};
  memcpy(out, all, sizeof all);
}

void wl_trace_put_launch(uint8_t bytes[WL_TRACE_LAUNCH_HEADER], const struct wl_trace_launch *t,
                         uint64_t next) {
  const struct wl_launch *l = &t->launch;
  uint64_t notes[NOTES];
  notes_out(&t->notes, notes);
  memset(bytes, 0, WL_TRACE_LAUNCH_HEADER);
  put_text(bytes + AT_MAGIC, LAUNCH_MAGIC, 8);
  wl_trace_put64(bytes + AT_NEXT, next);
  put_text(bytes + AT_NAME, l->name, sizeof l->name - 1);
  for (int d = 0; d < 3; d++) {
    put32(bytes + AT_GRID + 4 * d, l->grid[d]);
    put32(bytes + AT_BLOCK + 4 * d, l->block[d]);
  }
  put32(bytes + AT_SHARED, l->shared_bytes);
  put32(bytes + AT_REGS, l->regs);
  for (int op = 0; op < WL_OPS; op++)
    wl_trace_put64(bytes + AT_INSTS + 8 * op, t->insts[op]);
  wl_trace_put64(bytes + AT_LANES, t->lanes);
  wl_trace_put64(bytes + AT_BYTES, t->bytes);
  wl_trace_put64(bytes + AT_CODED, t->coded);
  for (int n = 0; n < NOTES; n++)
    wl_trace_put64(bytes + AT_NOTES + 8 * n, notes[n]);
  put_text(bytes + AT_UNKNOWN, t->notes.unknown_names, WL_TRACE_UNKNOWN - 1);
  put32(bytes + AT_CHECK, lzma_crc32(bytes, AT_CHECK, 0));
}

/* Makes printable text of any bytes. */
static void get_text(char *text, const uint8_t *bytes, size_t size) {
  size_t n = 0;
  for (; n < size - 1 && bytes[n]; n++)
    text[n] = (char)(bytes[n] >= ' ' && bytes[n] <= '~' ? bytes[n] : '?');
  text[n] = 0;
}

bool wl_trace_get_launch(const uint8_t bytes[WL_TRACE_LAUNCH_HEADER], struct wl_trace_launch *t,
                         uint64_t *next) {
  struct wl_launch *l = &t->launch;
  if (memcmp(bytes + AT_MAGIC, LAUNCH_MAGIC, 8) != 0 ||
      get32(bytes + AT_CHECK) != lzma_crc32(bytes, AT_CHECK, 0))
    return false;
  *t = (struct wl_trace_launch){.lanes = wl_trace_get64(bytes + AT_LANES)};
  *next = wl_trace_get64(bytes + AT_NEXT);
  get_text(l->name, bytes + AT_NAME, sizeof l->name);
  for (int d = 0; d < 3; d++) {
    l->grid[d] = get32(bytes + AT_GRID + 4 * d);
    l->block[d] = get32(bytes + AT_BLOCK + 4 * d);
  }
  l->shared_bytes = get32(bytes + AT_SHARED);
  l->regs = get32(bytes + AT_REGS);
  for (int op = 0; op < WL_OPS; op++)
    t->insts[op] = wl_trace_get64(bytes + AT_INSTS + 8 * op);
  t->bytes = wl_trace_get64(bytes + AT_BYTES);
  t->coded = wl_trace_get64(bytes + AT_CODED);
  uint64_t *const notes[NOTES] = {&t->notes.unknown,    &t->notes.off,       &t->notes.misaligned,
                                  &t->notes.early_exit, &t->notes.registers, &t->notes.destinations};
  for (int n = 0; n < NOTES; n++)
    *notes[n] = wl_trace_get64(bytes + AT_NOTES + 8 * n);
  get_text(t->notes.unknown_names, bytes + AT_UNKNOWN, WL_TRACE_UNKNOWN);
  return wl_trace_count_launch(l) && l->regs <= WL_TRACE_REGISTERS;
}

void wl_trace_put_block(uint8_t bytes[WL_TRACE_BLOCK_HEADER], const struct wl_trace_block *block) {
  put32(bytes, block->packed | (uint32_t)(block->raw | (block->last ? LAST : 0)) << 16);
  put32(bytes + 4, block->check);
}

struct wl_trace_block wl_trace_get_block(const uint8_t bytes[WL_TRACE_BLOCK_HEADER]) {
  const uint32_t sizes = get32(bytes);
  return (struct wl_trace_block){.packed = (uint16_t)sizes,
                                 .raw = (uint16_t)(sizes >> 16 & (LAST - 1)),
                                 .last = sizes >> 31,
                                 .check = get32(bytes + 4)};
}

uint32_t wl_trace_check(uint32_t launch, uint64_t warp, uint64_t number, const struct wl_trace_block *block,
                        const uint8_t *bytes) {
  uint8_t who[24];
  put32(who, launch);
  put32(who + 4, block->packed | (uint32_t)(block->raw | (block->last ? LAST : 0)) << 16);
  wl_trace_put64(who + 8, warp);
  wl_trace_put64(who + 16, number);
  return lzma_crc32(bytes, block->packed, lzma_crc32(who, sizeof who, 0));
}
