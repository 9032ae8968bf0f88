/* The environments of the tops with AXI4 pins: golden models pass on buses of several shapes, and errors are caught. */
#include "tests/unit/harness/env_wrong.h"

static struct play of_sm(void) {
  struct play p = of("sm_mem_axi");
  p.c.request_buffer.bypass = HD_BYPASS_ALL;
  p.c.l1d.bypass_slots = 8;
  p.c.bus.kind = HD_BUS_AXI4;
  p.c.bus.writes = 3;
  p.c.bus.bypassed = 2;
  return p;
}

static struct play of_slice(void) {
  struct play p = of("l2_top_axi");
  p.c.memory.kind = HD_MEM_L2;
  p.c.l2.banks = p.c.dram.channels = 1;
  p.c.l2.sets = 8;
  p.c.bus.kind = HD_BUS_AXI4;
  p.c.bus.writes = 4;
  return p;
}

static void test_pass(void **state) {
  (void)state;
  for (unsigned bits = 64; bits <= 512; bits *= 2) {
    struct play sm = of_sm(), slice = of_slice();
    sm.c.bus.data_bits = slice.c.bus.data_bits = bits;
    sm.c.bus.control = bits == 256 ? HD_CONTROL_APB4 : HD_CONTROL_OFF;
    slice.c.l2.maintenance = bits == 256;
    sm.seed = slice.seed = bits;
    passes(&sm);
    passes(&slice);
  }
}

/* The pins. */
SHOWN(ar_drops, sm_mem_axi, out->m_axi_arvalid && !in->m_axi_arready, out->m_axi_arvalid = 0)
SHOWN(ar_long, sm_mem_axi, out->m_axi_arvalid, out->m_axi_arlen++)
SHOWN(ar_line, sm_mem_axi, out->m_axi_arvalid, out->m_axi_araddr ^= 128)
SHOWN(aw_user, sm_mem_axi, out->m_axi_awvalid, out->m_axi_awuser ^= 2)
SHOWN(w_last, sm_mem_axi, out->m_axi_wvalid, out->m_axi_wlast ^= 1)
SHOWN(w_byte, sm_mem_axi, out->m_axi_wvalid && out->m_axi_wstrb[0] & 1, out->m_axi_wdata[0] ^= 1)
SHOWN(w_strobe, sm_mem_axi, out->m_axi_wvalid, out->m_axi_wstrb[0] ^= 4)
SEEN(r_byte, sm_mem_axi, in->m_axi_rvalid && in->m_axi_rresp < 2, in->m_axi_rdata[0] ^= 1)
SEEN(r_lost, sm_mem_axi, in->m_axi_rvalid, in->m_axi_rvalid = 0)
/* Errors. */
HEARD(r_good, sm_mem_axi, m_axi_rresp, 0)
HEARD(b_good, sm_mem_axi, m_axi_bresp, 0)
SEEN(b_bad, sm_mem_axi, in->m_axi_bvalid && in->m_axi_bresp < 2, in->m_axi_bresp = 3)
ALWAYS(resp_good, sm_mem_axi, out->resp_valid && out->resp.error, out->resp.error = 0)
SHOWN(resp_bad, sm_mem_axi, out->resp_valid && !out->resp.error, out->resp.error = 1)
SHOWN(fault, sm_mem_axi, true, out->fault = 1)
SHOWN(errors, sm_mem_axi, true, out->errors++)
HEARD(never_clear, sm_mem_axi, clear, 0)
/* The SM's side. */
SHOWN(loses, sm_mem_axi, out->resp_valid && in->resp_ready, out->resp_valid = 0)

SHOWN(l2_aw_line, l2_top_axi, out->m_axi_awvalid, out->m_axi_awaddr ^= 128)
SHOWN(l2_w_byte, l2_top_axi, out->m_axi_wvalid, out->m_axi_wdata[0] ^= 1)
SHOWN(l2_strobe, l2_top_axi, out->m_axi_wvalid, out->m_axi_wstrb[0] ^= 4)
SEEN(l2_r_byte, l2_top_axi, in->m_axi_rvalid, in->m_axi_rdata[0] ^= 1)
ALWAYS(l2_unreported_read, l2_top_axi, out->read_error, out->read_error = 0)
SHOWN(l2_reported_read, l2_top_axi, !out->read_error, out->read_error = 2)
ALWAYS(l2_read_code, l2_top_axi, out->read_error, out->read_error ^= 1)
ALWAYS(l2_unreported_write, l2_top_axi, out->write_error, out->write_error = 0)
SHOWN(l2_reported_write, l2_top_axi, !out->write_error, out->write_error = 2)
ALWAYS(l2_write_code, l2_top_axi, out->write_error, out->write_error ^= 1)
HEARD(l2_r_good, l2_top_axi, m_axi_rresp, 0)
HEARD(l2_b_good, l2_top_axi, m_axi_bresp, 0)
HEARD(l2_r_bad, l2_top_axi, m_axi_rresp, 3)
HEARD(l2_b_bad, l2_top_axi, m_axi_bresp, 3)
SEEN(l2_b_lost, l2_top_axi, in->m_axi_bvalid, in->m_axi_bvalid = 0)
SEEN(l2_r_lost, l2_top_axi, in->m_axi_rvalid, in->m_axi_rvalid = 0)
/* No address of a write arrives, so its bytes wait forever. */
ALWAYS(l2_aw_lost, l2_top_axi, true, out->m_axi_awvalid = 0)
SHOWN(l2_errors, l2_top_axi, true, out->errors++)
SHOWN(l2_fault, l2_top_axi, true, out->fault = 1)
HEARD(l2_never_clear, l2_top_axi, clear, 0)

static void test_wrong(void **state) {
  (void)state;
  const struct play p = of_sm();
  caught_in(p, ar_drops, "AR changes before it is taken");
  caught_in(p, ar_long, "has whole beats");
  caught_in(p, ar_line, "is fetched, and no load waits for it");
  caught_in(p, aw_user, "no such request is in flight");
  caught_in(p, w_last, "WLAST is");
  caught_in(p, w_byte, "is sent with other bytes than the SM gave");
  caught_in(p, w_strobe, "is sent with a byte mask that is not that of its lanes");
  caught_in(p, r_byte, "returns a wrong byte");
  caught_in(p, r_lost, "was never answered");
  caught_in(p, r_good, "is answered without the error that the memory gave");
  caught_in(p, b_good, "is answered without the error that the memory gave");
  caught_in(p, b_bad, "is answered with an error that the memory did not give");
  caught_in(p, resp_good, "is answered without the error that the memory gave");
  caught_in(p, resp_bad, "is answered with an error that the memory did not give");
  caught_in(p, fault, "the bus has kept its rules");
  caught_in(p, errors, "there were");
  caught_in(p, never_clear, "there were");
  caught_in(p, loses, "was never answered");
}

static void test_wrong_slice(void **state) {
  (void)state;
  const struct play p = of_slice();
  caught_in(p, l2_aw_line, "is of a line that nobody asked for");
  caught_in(p, l2_w_byte, "never made of the line");
  caught_in(p, l2_strobe, "not all of its bytes");
  caught_in(p, l2_r_byte, "has other data than the stores");
  caught_in(p, l2_unreported_read, "read_error was");
  caught_in(p, l2_reported_read, "read_error was 2 for");
  caught_in(p, l2_unreported_write, "write_error was");
  caught_in(p, l2_reported_write, "write_error was 2 for");
  caught_in(p, l2_read_code, "read_error was");
  caught_in(p, l2_write_code, "write_error was");
  caught_in(p, l2_r_good, "errors is 0, there were");
  caught_in(p, l2_b_good, "errors is 0, there were");
  caught_in(p, l2_r_bad, "read_error was 3 for");
  caught_in(p, l2_b_bad, "write_error was 3 for");
  caught_in(p, l2_b_lost, "requests are without an answer");
  caught_in(p, l2_r_lost, "requests are without an answer");
  caught_in(p, l2_aw_lost, "nothing moves any more on the bus");
  caught_in(p, l2_errors, "there were");
  caught_in(p, l2_fault, "the bus has kept its rules");
  caught_in(p, l2_never_clear, "there were");
}

static void test_same_seed_same_run(void **state) {
  (void)state;
  for (unsigned slice = 0; slice < 2; slice++) {
    struct play a = slice ? of_slice() : of_sm();
    a.traced = true;
    struct play b = a, c = a;
    c.seed = 2;
    passes(&a);
    passes(&b);
    passes(&c);
    assert_int_equal(a.trace, b.trace);
    assert_true(a.trace != c.trace);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pass), cmocka_unit_test(test_wrong),
                                     cmocka_unit_test(test_wrong_slice),
                                     cmocka_unit_test(test_same_seed_same_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
