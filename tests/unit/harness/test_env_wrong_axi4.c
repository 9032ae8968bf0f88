/* The environment of the AXI4 manager: golden models pass on buses of many shapes with every event seen, and errors are caught. */
#include "tests/unit/harness/env_wrong.h"

static struct play of_sm(unsigned line_bytes, unsigned data_bits) {
  struct play p = of("axi4_manager");
  p.c.request_buffer.bypass = HD_BYPASS_ALL;
  p.c.l1d.line_bytes = line_bytes;
  p.c.bus.kind = HD_BUS_AXI4;
  p.c.bus.data_bits = data_bits;
  return p;
}

static struct play of_slice(unsigned data_bits) {
  struct play p = of("axi4_manager");
  p.c.memory.kind = HD_MEM_L2;
  p.c.l2.banks = p.c.dram.channels = 1;
  p.c.bus.kind = HD_BUS_AXI4;
  p.c.bus.data_bits = data_bits;
  return p;
}

static void sees_all(struct play p) {
  p.cycles = 300000;
  p.want_all = true;
  passes(&p);
  assert_int_equal(p.unseen, 0);
}

static void test_pass(void **state) {
  (void)state;
  for (unsigned bytes = 32; bytes <= 256; bytes *= 2)
    for (unsigned bits = 64; bits <= 512 && bits <= 8 * bytes; bits *= 2)
      sees_all(of_sm(bytes, bits));
  for (unsigned bits = 64; bits <= 512; bits *= 2)
    sees_all(of_slice(bits));
  struct play few = of_sm(64, 64);
  few.c.bus.writes = few.c.bus.bypassed = few.c.l1d.mshrs = few.c.l1d.bypass_slots = 2;
  sees_all(few);
  struct play many = of_sm(128, 128);
  many.c.bus.writes = many.c.bus.bypassed = many.c.l1d.mshrs = 64;
  sees_all(many);
}

/* The addresses and the bytes */
SHOWN(ar_line, axi4_manager, out->m_axi_arvalid, out->m_axi_araddr ^= 128)
SHOWN(ar_inside, axi4_manager, out->m_axi_arvalid, out->m_axi_araddr ^= 8)
SHOWN(ar_id, axi4_manager, out->m_axi_arvalid, out->m_axi_arid ^= 1)
SHOWN(ar_user, axi4_manager, out->m_axi_arvalid, out->m_axi_aruser ^= 1)
ALWAYS(ar_long, axi4_manager, true, out->m_axi_arlen++)
ALWAYS(aw_narrow, axi4_manager, true, out->m_axi_awsize--)
ALWAYS(aw_fixed, axi4_manager, true, out->m_axi_awburst = 0)
SHOWN(ar_locks, axi4_manager, out->m_axi_arvalid, out->m_axi_arlock = 1)
SHOWN(aw_caches, axi4_manager, out->m_axi_awvalid, out->m_axi_awcache ^= 8)
SHOWN(ar_instruction, axi4_manager, out->m_axi_arvalid, out->m_axi_arprot ^= 4)
SHOWN(ar_drops, axi4_manager, out->m_axi_arvalid && !in->m_axi_arready, out->m_axi_arvalid = 0)
SHOWN(aw_drops, axi4_manager, out->m_axi_awvalid && !in->m_axi_awready, out->m_axi_awvalid = 0)
SHOWN(w_changes, axi4_manager, out->m_axi_wvalid && !in->m_axi_wready, out->m_axi_wdata[0] ^= 1)
SHOWN(w_last, axi4_manager, out->m_axi_wvalid, out->m_axi_wlast ^= 1)
SHOWN(w_again, axi4_manager, !out->m_axi_wvalid, out->m_axi_wvalid = 1)
SHOWN(aw_again, axi4_manager, !out->m_axi_awvalid && in->m_axi_awready, out->m_axi_awvalid = 1)
SHOWN(ar_again, axi4_manager, !out->m_axi_arvalid && in->m_axi_arready, out->m_axi_arvalid = 1)
SHOWN(w_strobe, axi4_manager, out->m_axi_wvalid, out->m_axi_wstrb[0] ^= 4)
SEEN(w_byte, axi4_manager, in->req_valid, in->req_wmask[0] ^= 1)
/* The answers */
SHOWN(rsp_line, axi4_manager, out->rsp_valid && out->rsp.kind != HD_STORE, out->rsp_data[0] ^= 1)
SHOWN(rsp_field, axi4_manager, out->rsp_valid, out->rsp.num ^= 1)
SHOWN(rsp_again, axi4_manager, !out->rsp_valid, out->rsp_valid = 1)
SHOWN(rsp_drops, axi4_manager, out->rsp_valid && !in->rsp_ready, out->rsp_valid = 0)
SHOWN(rsp_error, axi4_manager, out->rsp_valid, out->rsp_error ^= 2)
SEEN(r_id, axi4_manager, in->m_axi_rvalid, in->m_axi_rid ^= 1)
SEEN(r_lost, axi4_manager, in->m_axi_rvalid, in->m_axi_rvalid = 0)
SEEN(r_byte, axi4_manager, in->m_axi_rvalid, in->m_axi_rdata[0] ^= 1)
SEEN(r_good, axi4_manager, in->m_axi_rvalid && in->m_axi_rresp > 1, in->m_axi_rresp = 0)
SEEN(b_good, axi4_manager, in->m_axi_bvalid && in->m_axi_bresp > 1, in->m_axi_bresp = 0)
SHOWN(fault, axi4_manager, true, out->fault ^= 1)
SHOWN(errors, axi4_manager, true, out->errors++)
/* A read or a write overtakes another of its line, as the manager looks up another line. */
SEEN(overtakes, axi4_manager, in->req_valid, in->req.line ^= 1)
SHOWN(reported, axi4_manager, !out->write_error, out->write_error = 2)
ALWAYS(code, axi4_manager, out->write_error, out->write_error ^= 1)
ALWAYS(b_deaf, axi4_manager, true, out->m_axi_bready = 0)
ALWAYS(unreported, axi4_manager, out->write_error, out->write_error = 0)

static void test_wrong(void **state) {
  (void)state;
  const struct play p = of_sm(128, 128);
  caught_in(p, ar_line, "AR: id");
  caught_in(p, ar_inside, "is not that of a line");
  caught_in(p, ar_id, "AR: id");
  caught_in(p, ar_user, "AR: id");
  caught_in(p, ar_long, "a line of 128 bytes has whole beats of 128 bits");
  caught_in(p, aw_narrow, "a line of 128 bytes has whole beats of 128 bits");
  caught_in(p, aw_fixed, "burst 0");
  caught_in(p, ar_locks, "AxLOCK 1");
  caught_in(p, aw_caches, "AxCACHE 3 and 11");
  caught_in(p, ar_instruction, "AxPROT 6 and 2");
  caught_in(p, ar_drops, "AR changes before it is taken");
  caught_in(p, aw_drops, "AW changes before it is taken");
  caught_in(p, w_changes, "W changes before it is taken");
  caught_in(p, w_last, "WLAST is");
  caught_in(of_sm(64, 512), w_again, "and no write is due");
  caught_in(p, aw_again, "AW: ");
  caught_in(p, ar_again, "AR: ");
  caught_in(p, w_strobe, "is not the write's, or its strobe");
  caught_in(p, w_byte, "is not the write's, or its strobe");
  caught_in(p, rsp_line, "is not as the writes before its read made it");
  caught_in(p, rsp_field, "is the answer to no request");
  caught_in(p, rsp_again, "is the answer to no request");
  caught_in(p, rsp_drops, "rsp changes before it is taken");
  caught_in(p, rsp_error, "rsp: the error of line");
  caught_in(p, r_id, "is the answer to no request");
  caught_in(p, r_lost, "nothing moves any more");
  caught_in(p, r_byte, "is not as the writes before its read made it");
  caught_in(p, r_good, "rsp: the error of line");
  caught_in(p, b_good, "rsp: the error of line");
  caught_in(p, fault, "there were");
  caught_in(p, errors, "there were");
  caught_in(p, overtakes, "is not as the writes before its read made it");
  const struct play l2 = of_slice(256);
  caught_in(l2, reported, "write_error was 2 for");
  caught_in(l2, unreported, "for 0 writes, the bus said so of");
  caught_in(l2, code, "write_error was");
  caught_in(l2, b_deaf, "B is not taken for 2001 cycles");
  caught_in(l2, r_byte, "is not as the writes before its read made it");
  caught_in(l2, b_good, " writes, the bus said so of");
}

static void test_same_seed_same_run(void **state) {
  (void)state;
  struct play a = of_sm(128, 64);
  a.traced = true;
  struct play b = a, c = a;
  c.seed = 2;
  passes(&a);
  passes(&b);
  passes(&c);
  assert_true(a.checked > 100);
  assert_int_equal(a.trace, b.trace);
  assert_true(a.trace != c.trace);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pass), cmocka_unit_test(test_wrong),
                                     cmocka_unit_test(test_same_seed_same_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
