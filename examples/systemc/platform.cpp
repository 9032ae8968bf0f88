/* A platform: an SM runs a workload, with its memory path connected by pins. Behind TLM-2.0 sockets is a memory, or an L2 slice and its
 * memory:
 *
 *   sm == pins == sm_mem == pins == memory_side -- TLM -- memory
 *   sm == pins == sm_mem == pins == memory_side -- TLM -- l2 == pins == l2_top == pins == memory_side -- TLM -- memory
 *
 * sm is a C model, on any workload or trace. sm_mem and l2_top are the RTL, the golden model or both. -DHAS_L2 includes the L2 slice,
 * for machines with memory.kind: l2.
 *
 * usage: platform rtl|golden|both WORKLOAD
 * It prints cycles, warp instructions and transactions, which are the same with each side. It prints the speed to stderr. Exit code 1:
 * an answer was wrong, or the two sides differ. examples/systemc/run builds and runs the platform.
 */
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <string>

#include "heddle_checker.h"
#include "heddle_memory.h"
#include "heddle_tlm.h"
#include "sm_mem_sc.h"
#ifdef OUTSIDE_CHECKER
#include "tlm2_base_protocol_checker.h"
#endif
#ifdef HAS_L2
#include "heddle_l2.h"
#include "l2_top_sc.h"
#endif

using namespace sc_core;

static int run(const std::string &which, const std::string &workload) {
  const heddle::side side = which == "rtl"      ? heddle::side::rtl
                            : which == "golden" ? heddle::side::golden
                                                : heddle::side::both;
  const sc_time period(1, SC_NS);
  sc_clock clk("clk", period, 0.5, period / 2, false);
  sc_signal<bool> rst("rst", true);

  heddle::sm_mem path("path", side);
  heddle::wires pins("pins", path);
  heddle::sm sm("sm", pins, heddle::sm_mem::machine(), workload);
  heddle::memory_side side_of_memory("side_of_memory", pins);
  heddle::protocol_checker checker("checker");
  heddle::memory memory("memory", pins["mreq_wdata"].bits / 8, 100 * period);
  side_of_memory.socket.bind(checker.target);
  path.clk(clk), sm.clk(clk), side_of_memory.clk(clk);
  path.rst(rst), sm.rst(rst), side_of_memory.rst(rst);
#ifdef HAS_L2
  heddle::l2_top slice("slice", side);
  heddle::wires pins_of_slice("pins_of_slice", slice);
  heddle::memory_side behind("behind", pins_of_slice);
  heddle::l2 l2("l2", slice, pins_of_slice, behind);
  heddle::protocol_checker checker_behind("checker_behind");
  behind.socket.bind(checker_behind.target);
  checker_behind.initiator.bind(memory.socket);
  slice.clk(clk), behind.clk(clk), l2.clk(clk);
  slice.rst(rst), behind.rst(rst), l2.rst(rst);
  auto &next = l2.socket[0];
#else
  auto &next = memory.socket;
#endif
#ifdef OUTSIDE_CHECKER
  tlm_utils::tlm2_base_protocol_checker<> outside("outside");
  outside.set_num_checks(UINT64_MAX);
  checker.initiator.bind(outside.target_socket);
  outside.initiator_socket.bind(next);
#else
  checker.initiator.bind(next);
#endif

  const auto start = std::chrono::steady_clock::now();
  sc_start(3 * period);
  rst.write(false);
  while (!sm.done() && sm.cycles() < 100 * 1000 * 1000)
    sc_start(1000 * period);
  sc_stop();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  printf("%s: cycles %" PRIu64 " instructions %" PRIu64 " transactions %" PRIu64 " reads %" PRIu64
         " writes %" PRIu64 " checked %" PRIu64 "\n",
         workload.c_str(), sm.cycles(), sm.instructions(), checker.transactions(), memory.reads(),
         memory.writes(), sm.checked());
  fprintf(stderr, "%s: %.0f cycles, %.0f transactions a second; %" PRIu64 " values compared\n", which.c_str(),
          (double)sm.cycles() / seconds, (double)checker.transactions() / seconds, path.values());
  if (!sm.done())
    fprintf(stderr, "the workload did not end\n");
  bool compared = side != heddle::side::both || (path.values() && !path.mismatch());
#ifdef HAS_L2
  compared &= side != heddle::side::both || (slice.values() && !slice.mismatch());
  compared &= !behind.errors();
#endif
  return !(sm.done() && sm.checked() && compared && !side_of_memory.errors());
}

int sc_main(int argc, char **argv) {
  const std::string which = argc == 3 ? argv[1] : "";
  if (which != "rtl" && which != "golden" && which != "both") {
    fprintf(stderr, "usage: platform rtl|golden|both WORKLOAD\nexample: platform both atax:tiny\n");
    return 2;
  }
  sc_report_handler::set_actions(SC_FATAL, SC_THROW); /* printed below, without a core dump */
  sc_report_handler::set_actions(SC_INFO, SC_DO_NOTHING);
  try {
    return run(which, argv[2]);
  } catch (const sc_report &r) {
    fprintf(stderr, "%s: %s\n", r.get_msg_type(), r.get_msg());
    return 1;
  }
}
