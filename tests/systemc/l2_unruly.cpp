/* heddle::l2 with an initiator that breaks the base protocol.
 *
 * usage: l2_unruly      prints "N passed, N failed"
 */
#include "heddle_l2.h"
#include "heddle_memory.h"
#include "l2_top_sc.h"
#include "unruly.h"

static const sc_time period(1, SC_NS);

int sc_main(int, char **) {
  sc_report_handler::set_handler(hear);
  sc_clock clk{"clk", period, 0.5, period / 2, false};
  sc_signal<bool> rst{"rst", true};
  heddle::l2_top slice{"slice", heddle::side::golden};
  heddle::wires pins{"pins", slice};
  heddle::memory_side behind{"behind", pins};
  heddle::l2 l2{"l2", slice, pins, behind};
  heddle::memory memory{"memory", pins["req_wdata"].bits / 8, 20 * period};
  unruly from{"from"};
  behind.socket.bind(memory.socket);
  from.socket.bind(l2.socket[0]);
  slice.clk(clk), behind.clk(clk), l2.clk(clk);
  slice.rst(rst), behind.rst(rst), l2.rst(rst);
  sc_start(3 * period);
  rst.write(false);
  sc_start(3 * period);
  const unruly_case of_l2{"l2", from, pins["req_wdata"].bits / 8, period, 100, false};
  of_l2.all();
  is("all is over", !l2.in_flight() && !behind.in_flight());
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
