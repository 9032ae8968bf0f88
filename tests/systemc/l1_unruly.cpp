/* heddle::l1_memory_path with an initiator that breaks the base protocol; and with pin values that no sm_mem has after a reset.
 *
 * usage: l1_unruly      prints "N passed, N failed"
 */
#include "heddle_l1.h"
#include "heddle_memory.h"
#include "sm_mem_sc.h"
#include "unruly.h"

static const sc_time period(1, SC_NS);

/* `dead`: the clock of sm_mem stands still, and the test writes its outputs. */
struct platform : sc_module {
  sc_clock clk{"clk", period, 0.5, period / 2, false};
  sc_signal<bool> still{"still", false}, rst{"rst", true};
  heddle::sm_mem path{"path", heddle::side::golden};
  heddle::wires pins{"pins", path};
  heddle::memory_side side{"side", pins};
  heddle::l1_memory_path l1{"l1", pins, side, heddle::sm_mem::machine()};
  heddle::memory memory{"memory", pins["mreq_wdata"].bits / 8, 20 * period};
  unruly from{"from"};
  const unsigned line_bytes = pins["st_mask"].bits;
  platform(const sc_module_name &name, bool dead) : sc_module(name) {
    side.socket.bind(memory.socket);
    from.socket.bind(l1.socket);
    sc_signal_inout_if<bool> &clock = dead ? static_cast<sc_signal_inout_if<bool> &>(still) : clk;
    path.clk(clock), side.clk(clock), l1.clk(clk);
    path.rst(rst), side.rst(rst), l1.rst(rst);
    if (dead)
      rst.write(false);
  }
};

/* All warps and slots that the pins can encode, including those that do not exist. */
static void out_of_bounds(platform &k) {
  k.pins["resp_valid"].number(1);
  k.pins["st_valid"].number(1);
  for (const char *at : {"resp_wid", "resp_slot", "st_wid", "st_slot"})
    k.pins[at].number(UINT64_MAX);
  sc_start(6 * period);
  const auto top = [&k](const char *pin) { return std::to_string((1U << k.pins[pin].bits) - 1); };
  says("an answer of a warp that is not there", "dead.pins: resp_valid: found an answer for warp " +
                                                    top("resp_wid") + " slot " + top("resp_slot") +
                                                    "; allowed: what sm_mem has taken");
  k.pins["resp_valid"].number(0);
  k.pins["st_valid"].number(0);
  sc_start(2 * period);
  said.clear();
}

/* A kernel begins after all transactions that began before flush(), even if one waits for its line, and before those that begin
 * later. */
static void flush(platform &k) {
  payload a(40 * k.line_bytes, tlm::TLM_READ_COMMAND, 4), b(40 * k.line_bytes, tlm::TLM_WRITE_COMMAND, 4),
      c(41 * k.line_bytes, tlm::TLM_READ_COMMAND, 4);
  k.from.answer = [](tlm_generic_payload &, tlm_phase &phase, sc_time &) {
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  };
  const auto until = [&k](const std::function<bool()> &over) {
    for (unsigned i = 0; i < 200 && !over(); i++)
      sc_start(period);
  };
  k.from.send(a, tlm::BEGIN_REQ);
  until([&] { return k.from.times(a, tlm::END_REQ); });
  k.from.send(b, tlm::BEGIN_REQ);
  sc_start(2 * period);
  is("a store waits for its line", !k.from.times(b, tlm::END_REQ) && !k.from.began(a));
  k.l1.flush();
  until([&] { return k.from.times(b, tlm::END_REQ) || k.l1.flushes(); });
  k.from.send(c, tlm::BEGIN_REQ);
  k.l1.flush();
  until([&] { return k.l1.flushes(); });
  is("a kernel begins after what was there", k.from.began(a) && k.from.began(b));
  is("and before what was not", k.l1.flushes() == 1 && !k.from.times(c, tlm::END_REQ));
  until([&] { return k.from.began(c); });
  is("which comes then", k.from.began(c) && k.l1.flushes() == 1);
  says_nothing("a flush");
}

/* A CTA or place that the pins can't encode. */
static void signatures(platform &k) {
  payload p(0, tlm::TLM_READ_COMMAND, 4);
  auto *info = new heddle::warp_info;
  info->cta = info->place = k.pins.has("issue_sig") ? 1U << k.pins["issue_sig"].bits : 0;
  p.set_extension(info);
  k.from.send(p, tlm::BEGIN_REQ);
  sc_start(200 * period);
  is("a CTA that the SM does not have",
     (p.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE) == k.pins.has("issue_sig"));
  p.free_all_extensions();
  says_nothing("a signature");
}

int sc_main(int, char **) {
  sc_report_handler::set_handler(hear);
  platform k("k", false), dead("dead", true);
  sc_start(3 * period);
  k.rst.write(false);
  sc_start(3 * period);
  said.clear();
  const unruly_case of_l1{"l1", k.from, k.line_bytes, period, 100, false};
  of_l1.all();
  is("all is over", !k.l1.in_flight() && !k.side.in_flight());
  flush(k);
  signatures(k);
  out_of_bounds(dead);
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
