/* heddle::l2 with an initiator that breaks the base protocol; and with pin values that no l2_top has after a reset.
 *
 * usage: l2_unruly      prints "N passed, N failed"
 */
#include <stdexcept>

#include "heddle_l2.h"
#include "heddle_memory.h"
#include "l2_top_sc.h"
#include "unruly.h"

static const sc_time period(1, SC_NS);

/* `dead`: the clock of l2_top stands still, and the test writes its outputs. */
struct platform : sc_module {
  sc_clock clk{"clk", period, 0.5, period / 2, false};
  sc_signal<bool> still{"still", false}, rst{"rst", true};
  heddle::l2_top slice{"slice", heddle::side::golden};
  heddle::wires pins{"pins", slice};
  heddle::memory_side behind{"behind", pins};
  heddle::l2 l2{"l2", slice, pins, behind};
  heddle::memory memory{"memory", pins["req_wdata"].bits / 8, 20 * period};
  unruly from{"from"};
  platform(const sc_module_name &name, bool dead) : sc_module(name) {
    behind.socket.bind(memory.socket);
    from.socket.bind(l2.socket[0]);
    sc_signal_inout_if<bool> &clock = dead ? static_cast<sc_signal_inout_if<bool> &>(still) : clk;
    slice.clk(clock), behind.clk(clock), l2.clk(clk);
    slice.rst(rst), behind.rst(rst), l2.rst(rst);
    if (dead)
      rst.write(false);
  }
};

int sc_main(int, char **) {
  sc_report_handler::set_handler(hear);
  platform k("k", false), dead("dead", true);
  sc_start(3 * period);
  k.rst.write(false);
  sc_start(3 * period);
  const unruly_case of_l2{"l2", k.from, k.pins["req_wdata"].bits / 8, period, 100, false};
  of_l2.all();
  is("all is over", !k.l2.in_flight() && !k.behind.in_flight());
  dead.pins["rsp_valid"].number(1);
  sc_start(3 * period);
  says(
      "an answer that nobody asked for",
      "dead.l2: rsp_valid: found an answer with the number 0; allowed: those of requests that the slice has");
  try {
    dead.pins["mreq_valid"].number(0);
  } catch (const std::out_of_range &) { /* fatal errors do not stop this test */
  }
  says("a pin that is not there", "dead.pins: found no pin mreq_valid; allowed: those of the module whose");
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
