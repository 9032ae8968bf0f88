/* heddle::memory_side alone, between pins that the test drives and a scripted target: when its messages reach the pins.
 *
 * usage: memory_side      prints "N passed, N failed"
 */
#include "heddle_checker.h"
#include "heddle_tlm.h"
#include "unruly.h"

static const sc_time period(10, SC_NS);
static const unsigned LATE = 3; /* cycles */

/* The pins of a memory side, as sm_mem has them. */
struct memory_port : sc_module {
  sc_out<bool> mreq_valid{"mreq_valid"}, mrsp_ready{"mrsp_ready"};
  sc_out<sc_dt::sc_uint<2>> mreq_kind{"mreq_kind"};
  sc_out<sc_dt::sc_uint<25>> mreq_line{"mreq_line"};
  sc_out<sc_dt::sc_uint<5>> mreq_id{"mreq_id"};
  sc_out<sc_dt::sc_bv<8 * LINE>> mreq_wdata{"mreq_wdata"};
  sc_out<sc_dt::sc_bv<LINE>> mreq_wmask{"mreq_wmask"};
  sc_in<bool> mreq_ready{"mreq_ready"}, mrsp_valid{"mrsp_valid"};
  sc_in<sc_dt::sc_uint<5>> mrsp_id{"mrsp_id"};
  sc_in<sc_dt::sc_bv<8 * LINE>> mrsp_data{"mrsp_data"};
  explicit memory_port(const sc_module_name &name) : sc_module(name) {}
  template <class F> void each_port(F &&f) {
    f(mreq_valid, false), f(mrsp_ready, false), f(mreq_kind, false), f(mreq_line, false), f(mreq_id, false);
    f(mreq_wdata, false), f(mreq_wmask, false), f(mreq_ready, false), f(mrsp_valid, false), f(mrsp_id, false);
    f(mrsp_data, false);
  }
};

/* As in a machine with atomics and errors. */
struct atomic_port : memory_port {
  sc_out<sc_dt::sc_uint<4>> mreq_op{"mreq_op"};
  sc_in<bool> mrsp_error{"mrsp_error"};
  using memory_port::memory_port;
  template <class F> void each_port(F &&f) {
    memory_port::each_port(f);
    f(mreq_op, false), f(mrsp_error, false);
  }
};

struct platform {
  sc_clock clk{"clk", period, 0.5, period / 2, true};
  sc_signal<bool> rst{"rst", true};
  memory_port port{"port"};
  heddle::wires pins{"pins", port};
  heddle::memory_side side{"side", pins};
  heddle::protocol_checker checker{"checker"};
  puppet to{"to"}, atomic_to{"atomic_to"};
  atomic_port atomic{"atomic"};
  heddle::wires atomic_pins{"atomic_pins", atomic};
  heddle::memory_side atomic_side{"atomic_side", atomic_pins};
  std::vector<tlm_generic_payload *> got; /* BEGIN_REQ, each acquired */
  unsigned ended = 0;                     /* END_RESP */
  platform() {
    side.socket.bind(checker.target);
    checker.initiator.bind(to.socket);
    atomic_side.socket.bind(atomic_to.socket);
    side.clk(clk), atomic_side.clk(clk);
    side.rst(rst), atomic_side.rst(rst);
  }
  void cycles(unsigned n) { sc_start(n * period); }
  uint64_t at(const char *pin) const { return pins[pin].number(); }
  void answers(tlm_sync_enum said, const tlm_phase &then, const sc_time &after,
               tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE) {
    to.answer = [=](tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
      if (phase == tlm::END_RESP) {
        ended++;
        return tlm::TLM_COMPLETED;
      }
      p.acquire();
      got.push_back(&p);
      if (said == tlm::TLM_COMPLETED || (said == tlm::TLM_UPDATED && then == tlm::BEGIN_RESP))
        p.set_response_status(status);
      if (said == tlm::TLM_UPDATED)
        phase = then;
      delay += after;
      return said;
    };
  }
  void forget() {
    for (tlm_generic_payload *p : got)
      p->release();
    got.clear();
    ended = 0;
  }
  /* Sends one request, which is taken at the next edge. */
  void request(unsigned id) {
    pins["mreq_id"].number(id);
    pins["mreq_valid"].number(1);
    cycles(1);
    pins["mreq_valid"].number(0);
  }
  void reset(unsigned n) {
    rst.write(true);
    cycles(n);
    rst.write(false);
    cycles(1);
  }
};

/* An answer that comes with the return value, late. The pins have it in the cycle after. */
static void late(platform &k, tlm_sync_enum said, bool end_resp) {
  k.answers(said, tlm::BEGIN_RESP, LATE * period);
  is("ready before", k.at("mreq_ready"));
  k.request(7);
  for (unsigned i = 0; i < LATE; i++) {
    is("not ready, and no answer, before its delay is over", !k.at("mreq_ready") && !k.at("mrsp_valid"));
    k.cycles(1);
  }
  is("then both", k.at("mreq_ready") && k.at("mrsp_valid") && k.at("mrsp_id") == 7);
  k.pins["mrsp_ready"].number(1);
  k.cycles(1);
  k.pins["mrsp_ready"].number(0);
  is("taken, and ended as is due", !k.at("mrsp_valid") && k.ended == end_resp);
  k.forget();
  is("the payload is back", !k.side.in_flight());
  says_nothing("a late answer");
}

/* BEGIN_REQ is open, then END_REQ comes with a delay. */
static void held(platform &k) {
  k.answers(tlm::TLM_ACCEPTED, tlm_phase(), SC_ZERO_TIME);
  k.request(1);
  k.cycles(5);
  is("not ready before END_REQ", !k.at("mreq_ready") && k.got.size() == 1);
  k.to.send(*k.got[0], tlm::END_REQ, LATE * period);
  k.cycles(LATE);
  is("nor before its delay is over", !k.at("mreq_ready"));
  k.cycles(1);
  is("ready after it", k.at("mreq_ready"));
  k.got[0]->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  k.to.send(*k.got[0], tlm::BEGIN_RESP);
  k.cycles(1);
  is("an answer that is an error is counted", k.at("mrsp_valid") && k.side.errors() == 1);
  k.pins["mrsp_ready"].number(1);
  k.cycles(1);
  k.pins["mrsp_ready"].number(0);
  k.forget();
  says_nothing("a request that is held");
}

/* Four requests are in flight at the reset: at the pins, ended, just begun. Later answers to them are dropped. */
static void reset(platform &k) {
  const uint64_t dropped = k.side.dropped();
  k.answers(tlm::TLM_UPDATED, tlm::END_REQ, SC_ZERO_TIME);
  k.request(1), k.request(2), k.request(3);
  for (tlm_generic_payload *p : k.got)
    p->set_response_status(tlm::TLM_OK_RESPONSE);
  k.to.send(*k.got[0], tlm::BEGIN_RESP);
  k.answers(tlm::TLM_ACCEPTED, tlm_phase(), SC_ZERO_TIME);
  k.request(4);
  is("an answer is at the pins", k.at("mrsp_valid") && k.at("mrsp_id") == 1 && !k.ended);
  k.reset(2);
  is("it is dropped, and ended", !k.at("mrsp_valid") && k.ended == 1);
  is("a request that was open is still", !k.at("mreq_ready"));
  k.to.send(*k.got[3], tlm::END_REQ);
  k.cycles(1);
  is("until its END_REQ", k.at("mreq_ready"));
  k.answers(tlm::TLM_UPDATED, tlm::END_REQ, SC_ZERO_TIME);
  k.request(5);
  k.to.send(*k.got[1], tlm::BEGIN_RESP);
  k.cycles(1);
  is("an answer of before is dropped", !k.at("mrsp_valid") && k.ended == 2);
  k.to.send(*k.got[2], tlm::BEGIN_RESP, period / 2);
  k.cycles(2);
  is("also one with a delay", !k.at("mrsp_valid") && k.ended == 3);
  k.got[4]->set_response_status(tlm::TLM_OK_RESPONSE);
  k.to.send(*k.got[4], tlm::BEGIN_RESP);
  k.cycles(1);
  is("that of after comes", k.at("mrsp_valid") && k.at("mrsp_id") == 5);
  k.pins["mrsp_ready"].number(1);
  k.cycles(1);
  k.pins["mrsp_ready"].number(0);
  k.got[3]->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  const uint64_t errors = k.side.errors();
  k.to.send(*k.got[3], tlm::BEGIN_RESP);
  k.cycles(1);
  is("the last of before, which is no error of after", k.ended == 5 && k.side.errors() == errors);
  k.forget();
  is("all payloads are back", !k.side.in_flight() && !k.checker.open() && k.side.dropped() == dropped + 4);
  says_nothing("a reset");
}

/* A target that breaks the protocol and declares phases of its own. None of this reaches the pins. */
static void unruly_target(platform &k) {
  k.answers(tlm::TLM_UPDATED, SOME_PHASE, SC_ZERO_TIME);
  k.request(1);
  is("a declared phase in answer to BEGIN_REQ is no END_REQ", !k.at("mreq_ready"));
  k.to.send(*k.got[0], SOME_PHASE);
  k.to.send(*k.got[0], SOME_PHASE, period / 2);
  k.cycles(2);
  is("nor is one that is sent", !k.at("mreq_ready") && !k.at("mrsp_valid"));
  says_nothing("declared phases");
  k.to.send(*k.got[0], tlm::BEGIN_REQ);
  says("BEGIN_REQ by the target", "BEGIN_REQ where none is due");
  k.to.send(*k.got[0], tlm::END_REQ);
  k.to.send(*k.got[0], tlm::END_REQ, period);
  says("a doubled END_REQ", "END_REQ where none is due");
  k.cycles(1);
  k.answers(tlm::TLM_ACCEPTED, tlm_phase(), SC_ZERO_TIME);
  k.request(2);
  k.to.send(*k.got[0], tlm::END_REQ);
  says("an END_REQ of another", "END_REQ where none is due");
  k.cycles(2);
  is("which ends nothing", !k.at("mreq_ready"));
  for (tlm_generic_payload *p : k.got)
    p->set_response_status(tlm::TLM_OK_RESPONSE);
  k.to.send(*k.got[0], tlm::BEGIN_RESP, period);
  k.to.send(*k.got[0], tlm::BEGIN_RESP, 2 * period);
  says("a doubled BEGIN_RESP", "BEGIN_RESP where none is due");
  k.to.send(*k.got[1], tlm::BEGIN_RESP, 2 * period);
  k.pins["mrsp_ready"].number(1);
  k.cycles(6);
  k.pins["mrsp_ready"].number(0);
  is("each is answered once", k.ended == 2 && k.at("mreq_ready"));
  k.to.send(*k.got[0], tlm::BEGIN_RESP);
  says("a late BEGIN_RESP", "BEGIN_RESP where none is due");
  payload other;
  k.to.send(other, tlm::END_REQ);
  says("a payload of another initiator", "side: address 0x0: END_REQ of a payload that is not from here");
  k.forget();
  is("all payloads are back", !k.side.in_flight());
  said.clear(); /* messages of the checker */
}

/* An atomic is a read with its operands in the extension. The target performs it, ignores it, or fails. */
static void atomics(platform &k) {
  enum { PERFORMS, IGNORES, FAILS };
  for (const int how : {PERFORMS, IGNORES, FAILS}) {
    heddle::request_info *seen = nullptr;
    bool is_read = false;
    k.atomic_to.answer = [&](tlm_generic_payload &p, tlm_phase &, sc_time &) {
      seen = p.get_extension<heddle::request_info>();
      is_read = p.is_read() && !p.get_byte_enable_ptr();
      seen->performed = how == PERFORMS;
      p.set_response_status(how == FAILS ? tlm::TLM_GENERIC_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
      return tlm::TLM_COMPLETED;
    };
    const uint64_t errors = k.atomic_side.errors();
    std::vector<uint32_t> words(LINE / 4 + 2);
    words[1] = 0x01020304;
    k.atomic_pins["mreq_wdata"].set(words.data());
    words.assign(words.size(), 0);
    words[0] = 0xf0;
    k.atomic_pins["mreq_wmask"].set(words.data());
    k.atomic_pins["mreq_kind"].number(1);
    k.atomic_pins["mreq_op"].number(2);
    k.atomic_pins["mreq_valid"].number(1);
    k.cycles(1);
    k.atomic_pins["mreq_valid"].number(0);
    is("an atomic is a read", is_read && seen->atomic() == 2);
    is("it has its operands", seen->operand.size() == LINE && seen->operand[4] == 4 &&
                                  seen->operand[7] == 1 && !seen->enabled[3] && seen->enabled[4] &&
                                  !seen->enabled[8]);
    if (how == IGNORES)
      says("an atomic that is ignored", "the target has not performed an atomic");
    says_nothing("an atomic");
    is("the pins say an error", k.atomic_pins["mrsp_valid"].number() == 1 &&
                                    k.atomic_pins["mrsp_error"].number() == (how != PERFORMS) &&
                                    k.atomic_side.errors() == errors + (how != PERFORMS));
    k.atomic_pins["mrsp_ready"].number(1);
    k.cycles(1);
    k.atomic_pins["mrsp_ready"].number(0);
  }
  is("all payloads are back", !k.atomic_side.in_flight());
}

int sc_main(int, char **) {
  sc_report_handler::set_handler(hear);
  platform k;
  k.reset(2);
  late(k, tlm::TLM_COMPLETED, false);
  late(k, tlm::TLM_UPDATED, true);
  held(k);
  reset(k);
  unruly_target(k);
  atomics(k);
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
