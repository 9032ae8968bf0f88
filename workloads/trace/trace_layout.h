/* The fixed parts of a .htrace file, byte by byte. Only the writer and the reader include this.
 *
 * Invariant: all numbers are little-endian on any host; a header ends with the CRC-32 of the bytes before
 * it in the header.
 */
#ifndef HEDDLE_WORKLOADS_TRACE_TRACE_LAYOUT_H
#define HEDDLE_WORKLOADS_TRACE_TRACE_LAYOUT_H

#include "workloads/trace/trace_file.h"

/* The header of a block. `packed` and `raw`: bytes after and before compression, equal if the block is not
 * compressed. `last`: the warp ends in this block. `check`: the checksum. */
struct wl_trace_block {
  uint16_t packed, raw;
  bool last;
  uint32_t check;
};

void wl_trace_put_file(uint8_t bytes[WL_TRACE_FILE_HEADER], uint64_t size, uint32_t launches);
bool wl_trace_get_file(const uint8_t bytes[WL_TRACE_FILE_HEADER], uint32_t *version, uint64_t *size,
                       uint32_t *launches);
/* `next` is the offset of the next launch's header; 0 in the last launch. */
void wl_trace_put_launch(uint8_t bytes[WL_TRACE_LAUNCH_HEADER], const struct wl_trace_launch *launch,
                         uint64_t next);
/* Returns false if the checksum is wrong, or if a value is beyond what stream.h or WL_TRACE_REGISTERS
 * allows. */
bool wl_trace_get_launch(const uint8_t bytes[WL_TRACE_LAUNCH_HEADER], struct wl_trace_launch *launch,
                         uint64_t *next);
void wl_trace_put_block(uint8_t bytes[WL_TRACE_BLOCK_HEADER], const struct wl_trace_block *block);
struct wl_trace_block wl_trace_get_block(const uint8_t bytes[WL_TRACE_BLOCK_HEADER]);
/* Stands for the warp number in the block that is the launch's pattern. */
#define WL_TRACE_PATTERN UINT64_MAX
/* Returns the checksum of block `number` of a warp. `warp` is cta * warps_per_cta + warp; `bytes` are as in
 * the file. */
uint32_t wl_trace_check(uint32_t launch, uint64_t warp, uint64_t number, const struct wl_trace_block *block,
                        const uint8_t *bytes);

void wl_trace_put64(uint8_t *bytes, uint64_t x);
uint64_t wl_trace_get64(const uint8_t *bytes);

/* Returns true if stream.h and WL_TRACE_REGISTERS allow the launch, and `ctas` and `warps_per_cta` follow
 * from grid and block. */
bool wl_trace_good_launch(const struct wl_launch *launch);
#endif
