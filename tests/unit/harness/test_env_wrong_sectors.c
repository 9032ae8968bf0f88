/* The environments of machines whose bypassed loads ask for sectors catch a module that asks for other sectors or loses a mask. */
#include "tests/unit/harness/env_wrong.h"

static struct play sectored(const char *module) {
  struct play p = of(module);
  p.c.request_buffer.bypass = HD_BYPASS_ALL;
  p.c.l1d.sector_bytes = p.c.l1d.line_bytes / 4;
  return p;
}

SEEN(coalescer_other_sector, coalescer, in->issue_valid && in->issue_mask & 8, in->issue_sector[3] ^= 1)
SHOWN(coalescer_more, coalescer, out->req_valid && in->req_ready && out->req.sectors != 15,
      out->req.sectors = 15)
SEEN(coalescer_joined, coalescer, in->issue_valid && in->issue_mask & 2,
     in->issue_sector[1] = in->issue_sector[0])
SEEN(slot_mask, request_slot, in->enq_valid, in->enq.sectors ^= 2)
SEEN(l1d_mask, l1d, in->req_valid, in->req.sectors ^= 4)
SHOWN(l1d_whole, l1d, out->mreq_valid && out->mreq.sectors != 15, out->mreq.sectors = 15)
SHOWN(l1d_part, l1d, out->mreq_valid && out->mreq.kind == HD_FILL, out->mreq.sectors = 1)
SHOWN(sm_mask, sm_mem, out->mreq_valid && out->mreq.kind == HD_BYPASSED, out->mreq.sectors ^= 1)
SHOWN(sm_part, sm_mem, out->mreq_valid && out->mreq.kind == HD_FILL, out->mreq.sectors ^= 1)
SHOWN(l1d_store, l1d, out->mreq_valid && out->mreq.kind == HD_STORE && out->mreq.sectors != 15,
      out->mreq.sectors = 15)
SHOWN(sm_store, sm_mem, out->mreq_valid && out->mreq.kind == HD_STORE, out->mreq.sectors ^= 8)
SHOWN(slice_mask, l2_slice, out->rsp_valid && in->rsp_ready, out->rsp.sectors ^= 1)

/* Changes a byte in two sectors of an answer. A sector that a bypassed load did not ask for does not count. */
SHOWN(sm_other_bytes, sm_mem, out->resp_valid && !out->resp.write,
      (out->resp_data[0] ^= 1, out->resp_data[8] ^= 1))

/* An L1D whose misses fetch sectors. */
static struct play filled(const char *module) {
  struct play p = sectored(module);
  p.c.request_buffer.bypass = HD_BYPASS_OFF;
  p.c.sm.coalesce = HD_COALESCE_SECTORS;
  p.c.l1d.fill = HD_L1D_FILL_SECTOR;
  return p;
}
SEEN(fill_seen, l1d, in->req_valid && !in->req.write, in->req.sectors = in->req.sectors == 1 ? 2 : 1)
SHOWN(fill_two, l1d, out->mreq_valid && out->mreq.kind == HD_FILL,
      out->mreq.sectors |= out->mreq.sectors == 1 ? 2 : 1)
SHOWN(fill_bytes, l1d, out->resp_valid && !out->resp.write,
      (out->resp_data[0] ^= 1, out->resp_data[4] ^= 1, out->resp_data[8] ^= 1, out->resp_data[12] ^= 1))
SHOWN(sm_fill_two, sm_mem, out->mreq_valid && out->mreq.kind == HD_FILL, out->mreq.sectors = 3)
SHOWN(sm_fill_other, sm_mem, out->mreq_valid && out->mreq.kind == HD_FILL,
      out->mreq.sectors = out->mreq.sectors == 8 ? 1 : 2 * out->mreq.sectors)
/* Changes a byte in every sector. Bytes of other sectors have no meaning, but one changed byte belongs to the lanes. */
SHOWN(sm_fill_bytes, sm_mem, out->resp_valid && !out->resp.write,
      (out->resp_data[0] ^= 1, out->resp_data[4] ^= 1, out->resp_data[8] ^= 1, out->resp_data[12] ^= 1))

static void wrong_fills(void **state) {
  (void)state;
  caught_in(filled("l1d"), fill_seen, "nobody asked for");
  caught_in(filled("l1d"), fill_two, "other sectors than a miss fetches");
  caught_in(filled("l1d"), fill_bytes, "other data than the stores to its line");
  caught_in(filled("sm_mem"), sm_fill_two, "other sectors are fetched");
  caught_in(filled("sm_mem"), sm_fill_other, "waits for it");
  caught_in(filled("sm_mem"), sm_fill_bytes, "wrong byte");
}

/* A slice whose lines have sectors. */
static struct play sliced(const char *module) {
  struct play p = filled(module);
  p.c.memory.kind = HD_MEM_L2;
  p.c.l2.banks = p.c.dram.channels = 1;
  p.c.l2.sets = 2;
  p.c.l2.ways = 2;
  p.c.l2.mshrs = 6;
  p.c.l2.fill = HD_L2_FILL_SECTOR;
  return p;
}
SEEN(slice_other_sector, l2_slice, in->req_valid && in->req.kind != HD_STORE,
     in->req.sectors = in->req.sectors == 8 ? 1 : 2 * in->req.sectors)
SHOWN(slice_reads_other, l2_slice, out->out_valid && in->out_ready && !out->out.write, out->out.sector ^= 1)
SHOWN(slice_writes_other, l2_slice, out->out_valid && in->out_ready && out->out.write, out->out.sector ^= 1)
SHOWN(slice_byte, l2_slice, out->rsp_valid && in->rsp_ready && hd_is_load(out->rsp.kind),
      out->rsp_data[3] ^= 1)
SHOWN(top_reads_other, l2_top, out->out_valid && in->out_ready && !out->out.write, out->out.sector ^= 2)

static void wrong_slices(void **state) {
  (void)state;
  caught_in(sliced("l2_slice"), slice_other_sector, "");
  caught_in(sliced("l2_slice"), slice_reads_other, "reads a line");
  caught_in(sliced("l2_slice"), slice_writes_other, "writes what");
  caught_in(sliced("l2_slice"), slice_byte, "other data than the stores to its line");
  caught_in(sliced("l2_top"), top_reads_other, "reads a line");
}

static void wrong_masks(void **state) {
  (void)state;
  caught_in(sectored("coalescer"), coalescer_other_sector, "the sectors of its lanes");
  caught_in(sectored("coalescer"), coalescer_more, "the sectors of its lanes");
  struct play split = sectored("coalescer");
  split.c.sm.coalesce = HD_COALESCE_SECTORS;
  caught_in(split, coalescer_other_sector, "does not serve the lanes");
  caught_in(split, coalescer_joined, "does not serve the lanes");
  caught_in(sectored("request_slot"), slot_mask, "");
  caught_in(sectored("l1d"), l1d_mask, "other sectors than its request");
  caught_in(sectored("l1d"), l1d_whole, "other sectors than its request");
  struct play stores = sectored("l1d");
  stores.c.sm.coalesce = HD_COALESCE_SECTORS;
  caught_in(stores, l1d_store, "other sectors than its request");
  caught_in(sectored("l1d"), l1d_part, "other sectors than a miss fetches");
  caught_in(sectored("sm_mem"), sm_mask, "other sectors than its lanes");
  caught_in(sectored("sm_mem"), sm_part, "other sectors are fetched");
  caught_in(sectored("sm_mem"), sm_store, "other sectors than its lanes");
  caught_in(sectored("sm_mem"), sm_other_bytes, "wrong byte");
  struct play slice = sectored("l2_slice");
  slice.c.memory.kind = HD_MEM_L2;
  caught_in(slice, slice_mask, "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_masks), cmocka_unit_test(wrong_fills),
                                     cmocka_unit_test(wrong_slices)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
