/* TLM-2.0 of systemc/ without a machine: a memory behind the protocol checker, and initiators and targets that break the protocol.
 *
 * usage: tlm      prints "N passed, N failed"
 */
#include <memory>

#include "heddle_checker.h"
#include "heddle_memory.h"
#include "unruly.h"

#include <heddle.h>

static const sc_time latency(100, SC_NS);

/* A sender, a checker and a puppet. Each case has its own, since a broken transaction stays open. */
struct broken : sc_module {
  sender from{"from"};
  heddle::protocol_checker checker{"checker"};
  puppet to{"to"};
  payload a{0x100}, b{0x200}, c{0x400};
  explicit broken(const sc_module_name &name) : sc_module(name) {
    from.socket.bind(checker.target);
    checker.initiator.bind(to.socket);
  }
  void answers(tlm_sync_enum answer) {
    to.answer = [answer](tlm_generic_payload &, tlm_phase &, sc_time &) { return answer; };
  }
  void request(payload &p) {
    from.send(p, tlm::BEGIN_REQ);
    to.send(p, tlm::END_REQ);
  }
  void respond(payload &p) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    to.send(p, tlm::BEGIN_RESP);
  }
};

static uint8_t initial(uint64_t address) {
  return (uint8_t)(heddle_memory_initial(address / LINE, (unsigned)(address % LINE / 8)) >> address % 8 * 8);
}

/* A fault, and the checker's message about it. */
struct fault {
  const char *says;
  std::function<void(broken &)> commit;
};
static const std::vector<fault> faults = {
    {"BEGIN_REQ before the END_REQ of the last",
     [](broken &k) { k.from.send(k.a, tlm::BEGIN_REQ), k.from.send(k.b, tlm::BEGIN_REQ); }},
    {"BEGIN_REQ of a payload whose transaction is not over",
     [](broken &k) { k.request(k.a), k.from.send(k.a, tlm::BEGIN_REQ); }},
    {"no memory manager",
     [](broken &k) {
       payload loose(0x300, tlm::TLM_READ_COMMAND, LINE, nullptr);
       k.from.send(loose, tlm::BEGIN_REQ);
     }},
    {"END_RESP where none is due", [](broken &k) { k.request(k.a), k.from.send(k.a, tlm::END_RESP); }},
    {"a phase of a transaction that did not begin", [](broken &k) { k.from.send(k.a, tlm::END_RESP); }},
    {"a phase of a transaction that did not begin",
     [](broken &k) {
       k.request(k.a), k.respond(k.a), k.from.send(k.a, tlm::END_RESP);
       k.from.send(k.a, tlm::END_RESP);
     }},
    {"BEGIN_REQ on the backward path", [](broken &k) { k.to.send(k.a, tlm::BEGIN_REQ); }},
    {"END_REQ where none is due", [](broken &k) { k.request(k.a), k.to.send(k.a, tlm::END_REQ); }},
    {"BEGIN_RESP where none is due", [](broken &k) { k.request(k.a), k.respond(k.a), k.respond(k.a); }},
    {"BEGIN_RESP before the END_RESP of the last",
     [](broken &k) { k.request(k.a), k.request(k.b), k.respond(k.a), k.respond(k.b); }},
    {"BEGIN_RESP without a response status",
     [](broken &k) { k.request(k.a), k.to.send(k.a, tlm::BEGIN_RESP); }},
    {"changed in mid-transaction", [](broken &k) { k.request(k.a), k.a.set_data_length(4), k.respond(k.a); }},
    {"TLM_UPDATED without a new phase",
     [](broken &k) { k.answers(tlm::TLM_UPDATED), k.from.send(k.a, tlm::BEGIN_REQ); }},
    {"TLM_COMPLETED without a response status",
     [](broken &k) { k.answers(tlm::TLM_COMPLETED), k.from.send(k.a, tlm::BEGIN_REQ); }},
    {"the response status is not TLM_INCOMPLETE_RESPONSE at the begin",
     [](broken &k) {
       k.a.set_response_status(tlm::TLM_OK_RESPONSE);
       k.from.send(k.a, tlm::BEGIN_REQ);
     }},
    {"a streaming width of 0",
     [](broken &k) { k.a.set_streaming_width(0), k.from.send(k.a, tlm::BEGIN_REQ); }},
    {"byte enables without a length",
     [](broken &k) {
       k.a.set_byte_enable_ptr(k.a.data.data());
       k.from.send(k.a, tlm::BEGIN_REQ);
     }},
    {"no data", [](broken &k) { k.a.set_data_ptr(nullptr), k.from.send(k.a, tlm::BEGIN_REQ); }},
    {"b_transport left no response status",
     [](broken &k) {
       sc_time delay = SC_ZERO_TIME;
       k.from.socket->b_transport(k.a, delay);
     }},
    {"b_transport changed",
     [](broken &k) {
       sc_time delay = SC_ZERO_TIME;
       k.to.block = [](tlm_generic_payload &p) { p.set_write(); };
       k.from.socket->b_transport(k.a, delay);
     }},
    {"b_transport of a payload whose transaction is not over",
     [](broken &k) {
       sc_time delay = SC_ZERO_TIME;
       k.request(k.a), k.from.socket->b_transport(k.a, delay);
     }},
    {"a payload that is not acquired",
     [](broken &k) {
       payload loose(0x300);
       loose.release();
       k.from.send(loose, tlm::BEGIN_REQ);
     }},
    {"the DMI hint is set at the begin",
     [](broken &k) { k.a.set_dmi_allowed(true), k.from.send(k.a, tlm::BEGIN_REQ); }},
    {"a phase that comes before the last one, with both delays",
     [](broken &k) {
       k.from.send(k.a, tlm::BEGIN_REQ), k.to.send(k.a, tlm::END_REQ, latency);
       k.respond(k.a);
     }},
    {"UNINITIALIZED_PHASE is none to send", [](broken &k) { k.request(k.a), k.to.send(k.a, tlm_phase()); }},
    {"a phase of a transaction that did not begin", [](broken &k) { k.from.send(k.a, SOME_PHASE); }},
    {"END_REQ where none is due",
     [](broken &k) { /* a declared phase does not replace another */
                     k.request(k.a), k.to.send(k.a, SOME_PHASE), k.to.send(k.a, tlm::END_REQ);
     }},
    {"BEGIN_REQ before the END_REQ of the last",
     [](broken &k) {
       k.from.send(k.a, tlm::BEGIN_REQ), k.from.send(k.a, SOME_PHASE), k.from.send(k.b, tlm::BEGIN_REQ);
     }},
    {"BEGIN_RESP before the END_RESP of the last",
     [](broken &k) { /* an END_RESP that is not due ends no other response */
                     k.request(k.a), k.request(k.b), k.request(k.c);
                     k.respond(k.a), k.from.send(k.b, tlm::END_RESP), k.respond(k.c);
     }},
};

/* Cases that the checker must accept: short forms, and phases of other modules, which may be ignored. */
static const std::vector<std::function<void(broken &)>> allowed = {
    [](broken &k) {
      k.from.send(k.a, tlm::BEGIN_REQ), k.to.send(k.a, SOME_PHASE), k.to.send(k.a, tlm::END_REQ);
      k.from.send(k.a, SOME_PHASE), k.respond(k.a), k.from.send(k.a, tlm::END_RESP);
    },
    [](broken &k) { k.from.send(k.a, tlm::BEGIN_REQ), k.respond(k.a), k.from.send(k.a, tlm::END_RESP); },
    [](broken &k) {
      k.to.answer = [](tlm_generic_payload &p, tlm_phase &, sc_time &) {
        p.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
      };
      k.from.send(k.a, tlm::BEGIN_REQ), k.from.send(k.b, tlm::BEGIN_REQ);
    },
    [](broken &k) { /* an interconnect may change the address */
                    k.request(k.a), k.a.set_address(0), k.respond(k.a), k.from.send(k.a, tlm::END_RESP);
    },
};

struct platform : sc_module {
  sender from{"from"};
  heddle::protocol_checker checker{"checker"};
  heddle::memory memory{"memory", LINE, latency}, alone{"alone", LINE, latency};
  unruly to_alone{"to_alone"};
  SC_CTOR(platform) {
    from.socket.bind(checker.target);
    checker.initiator.bind(memory.socket);
    to_alone.socket.bind(alone.socket);
  }
  tlm::tlm_response_status blocking(payload &p, sc_time *took = nullptr) {
    sc_time delay = SC_ZERO_TIME;
    from.socket->b_transport(p, delay);
    if (took)
      *took = delay;
    return p.get_response_status();
  }
};

/* Blocking and debug transport see the same memory. */
static void blocking(platform &k) {
  payload write(0x1000, tlm::TLM_WRITE_COMMAND), read(0x1000);
  uint8_t enable[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
  for (unsigned i = 0; i < LINE; i++)
    write.data[i] = (uint8_t)(i + 1);
  write.set_byte_enable_ptr(enable);
  write.set_byte_enable_length(sizeof enable);
  sc_time took;
  is("b_transport writes", k.blocking(write, &took) == tlm::TLM_OK_RESPONSE);
  is("b_transport takes the memory's latency", took == latency);
  is("b_transport reads", k.blocking(read) == tlm::TLM_OK_RESPONSE);
  payload seen(0x1000 - 8, tlm::TLM_READ_COMMAND, 16);
  is("transport_dbg reads all, across lines", k.from.socket->transport_dbg(seen) == 16);
  bool right = true, shown = true;
  for (unsigned i = 0; i < LINE; i++)
    right &= read.data[i] == (i % 4 % 3 ? initial(0x1000 + i) : i + 1);
  for (unsigned i = 0; i < 16; i++)
    shown &= seen.data[i] == (i < 8 ? initial(0x1000 - 8 + i) : read.data[i - 8]);
  is("a read has the bytes that were enabled, and the initial others", right);
  is("transport_dbg sees what was written", shown);
  payload poke(0x1004, tlm::TLM_WRITE_COMMAND, 1), peek(0x1004, tlm::TLM_READ_COMMAND, 1);
  poke.data[0] = 0xa5;
  is("transport_dbg writes", k.from.socket->transport_dbg(poke) == 1);
  is("a read sees it", k.blocking(peek) == tlm::TLM_OK_RESPONSE && peek.data[0] == 0xa5);
  payload none(0x1000, tlm::TLM_IGNORE_COMMAND);
  is("transport_dbg of TLM_IGNORE_COMMAND moves nothing", k.from.socket->transport_dbg(none) == 0);
  is("reads and writes are counted", k.memory.reads() == 2 && k.memory.writes() == 1);
  says_nothing("b_transport and transport_dbg");
}

/* Payloads that do not fit into a line. */
static void refused(platform &k) {
  payload across(0x1004), longer(0x1000, tlm::TLM_WRITE_COMMAND, 2 * LINE), streaming(0x1000), last(0x107f);
  streaming.set_streaming_width(4);
  last.set_data_length(1);
  is("a payload across lines is refused", k.blocking(across) == tlm::TLM_BURST_ERROR_RESPONSE);
  is("a payload longer than a line is refused", k.blocking(longer) == tlm::TLM_BURST_ERROR_RESPONSE);
  is("a streaming width below the length is refused", k.blocking(streaming) == tlm::TLM_BURST_ERROR_RESPONSE);
  is("the last byte of a line is not", k.blocking(last) == tlm::TLM_OK_RESPONSE);
  says_nothing("payloads that are refused");
  payload at(0x1040);
  k.from.got.clear();
  k.from.send(at, tlm::BEGIN_REQ);
  sc_start(latency + latency);
  is("so it is by nb_transport",
     k.from.got.size() == 1 && at.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
  k.from.send(at, tlm::END_RESP);
  at.release();
  says_nothing("a payload that is refused by nb_transport");
}

static void enables(platform &k) {
  payload p(0x6000, tlm::TLM_WRITE_COMMAND);
  p.set_byte_enable_ptr(p.data.data());
  is("byte enables without a length are refused", k.blocking(p) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  says("byte enables without a length", "byte enables without a length");
  payload seen(0x6000 + LINE - 1, tlm::TLM_READ_COMMAND, 1);
  is("and write nothing",
     k.blocking(seen) == tlm::TLM_OK_RESPONSE && seen.data[0] == initial(seen.get_address()));
  says_nothing("a read after them");
}

/* An exchange of a word, and an atomic whose operands don't fit the line. */
static void atomics(platform &k) {
  payload p(0x7000), q(0x7000, tlm::TLM_READ_COMMAND, 8);
  auto *info = new heddle::request_info;
  p.set_extension(info);
  info->field["op"] = 3;
  info->operand.assign(LINE, 0xab);
  info->enabled.assign(LINE, 0);
  info->enabled[5] = 1;
  is("an atomic brings the line as it was",
     k.blocking(p) == tlm::TLM_OK_RESPONSE && info->performed && p.data[5] == initial(0x7005));
  is("it changes the word of which a byte is enabled",
     k.blocking(q) == tlm::TLM_OK_RESPONSE && q.data[3] == initial(0x7003) && q.data[4] == 0xab &&
         q.data[7] == 0xab && k.memory.atomics() == 1);
  info->operand.pop_back();
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  info->performed = false;
  is("operands of another length are refused",
     k.blocking(p) == tlm::TLM_GENERIC_ERROR_RESPONSE && !info->performed && k.memory.atomics() == 1);
  says_nothing("atomics");
}

/* Several transactions in flight. The next response waits for END_RESP of the last. */
static void overlapping(platform &k) {
  enum { N = 8 };
  std::vector<std::unique_ptr<payload>> all;
  const int freed = manager.freed;
  k.from.got.clear();
  for (unsigned i = 0; i < N; i++) {
    all.push_back(std::make_unique<payload>(0x2000 + LINE * i));
    is("the memory ends a request at once", k.from.send(*all[i], tlm::BEGIN_REQ) == tlm::TLM_UPDATED);
    sc_start(sc_time(1, SC_NS));
  }
  is("no response before the latency", k.from.got.empty());
  sc_start(latency + latency);
  for (unsigned i = 0; i < N; i++) {
    is("one response before its END_RESP", k.from.got.size() == i + 1);
    const auto [p, phase] = k.from.got.back();
    is("in order, with its data",
       p == all[i].get() && phase == tlm::BEGIN_RESP && all[i]->data[5] == initial(p->get_address() + 5));
    k.from.send(*p, tlm::END_RESP);
    p->release();
  }
  is("all payloads are given back", manager.freed == freed + N);
  says_nothing("eight in flight");
}

int sc_main(int, char **) {
  sc_report_handler::set_handler(hear);
  platform good("good");
  std::vector<std::unique_ptr<broken>> bad, fair;
  for (const fault &f : faults)
    bad.push_back(std::make_unique<broken>(("bad" + std::to_string(&f - faults.data())).c_str()));
  for (const auto &f : allowed)
    fair.push_back(std::make_unique<broken>(("fair" + std::to_string(&f - allowed.data())).c_str()));
  sc_start(SC_ZERO_TIME);
  blocking(good);
  refused(good);
  enables(good);
  overlapping(good);
  atomics(good);
  const unruly_case of_memory{"memory", good.to_alone, LINE, latency, 2, true};
  of_memory.all();
  for (size_t i = 0; i < faults.size(); i++) {
    faults[i].commit(*bad[i]);
    says("fault " + std::to_string(i), faults[i].says);
  }
  for (size_t i = 0; i < allowed.size(); i++) {
    allowed[i](*fair[i]);
    says_nothing("allowed " + std::to_string(i));
    is("it is over", fair[i]->checker.open() == 0);
  }
  sc_stop();
  says("the end", "bad0.checker: open at the end: 2 of 2 transactions; the first, number 0, after BEGIN_REQ");
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
