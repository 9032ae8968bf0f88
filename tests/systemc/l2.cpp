/* l2_top behind TLM-2.0 sockets (systemc/tlm/heddle_l2.h). SMs load and store at random, by nb_transport and b_transport, with every
 * checker in between. The memory behind it answers in all forms and any order. Loads, and transport_dbg in every cycle, must show
 * the data that was stored last. A reset comes in mid-flight.
 *
 * usage: l2 rtl|golden|both CYCLES SEED
 * prints "... hash X: N passed, N failed"; the hash, of all answers and when they came, is the same with each side.
 */
#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <random>

#include "heddle_checker.h"
#include "heddle_l2.h"
#include "heddle_memory.h"
#include "l2_top_sc.h"
#include "random_target.h"
#include "tlm_rig.h"

enum { LINES = 40, OPEN = 12 };
static const sc_time period(10, SC_NS);

/* The data stored last, and the order in which requests begin. For a slice that moves sectors, a line here is a sector. */
struct reference {
  unsigned line_bytes, stride;
  std::vector<uint8_t> byte; /* of LINES lines that are `stride` lines apart */
  uint64_t hash = 14695981039346656037u;
  uint64_t address(unsigned at) const {
    return (uint64_t)at / line_bytes * stride * line_bytes + at % line_bytes;
  }
  void mix(uint64_t v) { hash = (hash ^ v) * 1099511628211u; }
};

struct request : tlm_generic_payload {
  std::vector<uint8_t> data, enable, expected;
  unsigned at; /* its place in the reference */
  bool taken, may_fail;
  explicit request(tlm::tlm_mm_interface *mm) : tlm_generic_payload(mm) {}
  bool on(unsigned i) const { return enable.empty() || enable[i % enable.size()] == TLM_BYTE_ENABLED; }
  void draw(const reference &ref, std::mt19937 &r) {
    const bool whole = r() % 3 == 0;
    const unsigned from = whole ? 0 : (unsigned)r() % ref.line_bytes;
    const unsigned n = whole ? ref.line_bytes : 1 + (unsigned)r() % (ref.line_bytes - from);
    at = (unsigned)r() % LINES * ref.line_bytes + from;
    data.resize(n);
    for (uint8_t &b : data)
      b = (uint8_t)r();
    enable.resize(r() % 3 ? 0 : 1 + (unsigned)r() % n);
    for (uint8_t &e : enable)
      e = r() % 2 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    set_command(r() % 2 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    set_address(ref.address(at));
    set_data_ptr(data.data());
    set_data_length(n);
    set_streaming_width(n);
    set_byte_enable_ptr(enable.empty() ? nullptr : enable.data());
    set_byte_enable_length((unsigned)enable.size());
    set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    set_dmi_allowed(false);
    taken = may_fail = false;
  }
  /* Called when the request begins, after all that began before. */
  void apply(reference &ref) {
    expected = data;
    for (unsigned i = 0; i < data.size(); i++)
      if (on(i))
        (is_write() ? ref.byte[at + i] : expected[i]) = is_write() ? data[i] : ref.byte[at + i];
  }
  bool right() const {
    return get_response_status() == tlm::TLM_OK_RESPONSE
               ? data == expected
               : may_fail && get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
};

/* An SM with several requests in flight by AT. Its answers end in all forms. */
struct requester : sc_module, tlm::tlm_mm_interface {
  tlm_utils::simple_initiator_socket<requester> socket{"socket"};
  sc_in<bool> clk{"clk"};
  reference &ref;
  std::deque<request *> &order; /* of all SMs: begun and not answered */
  std::mt19937 random;
  std::vector<std::unique_ptr<request>> made;
  std::vector<request *> pool;
  tlm_utils::peq_with_cb_and_phase<requester> later;
  request *requesting = nullptr;
  unsigned open = 0, most = 0;
  uint64_t answers = 0, wrong = 0, failed_ones = 0;
  bool rests = false;
  SC_HAS_PROCESS(requester);
  requester(const sc_module_name &name, reference &ref, std::deque<request *> &order, unsigned seed)
      : sc_module(name), ref(ref), order(order), random(seed), later(this, &requester::send_end) {
    socket.register_nb_transport_bw(this, &requester::bw);
    for (unsigned i = 0; i < OPEN; i++) {
      made.push_back(std::make_unique<request>(this));
      pool.push_back(made.back().get());
    }
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }
  void free(tlm_generic_payload *p) override { pool.push_back(static_cast<request *>(p)); }

  void edge() {
    if (rests || requesting || pool.empty() || random() % 3 == 0)
      return;
    request *p = pool.back();
    pool.pop_back();
    p->acquire();
    p->draw(ref, random);
    const bool reported = random() % 2;
    heddle::request_info *info = p->get_extension<heddle::request_info>();
    if (reported && !info)
      p->set_extension(info = new heddle::request_info);
    if (info) /* the info is true or absent */
      info->field = {
          {"kind", p->is_write() ? 2 : random() % 2}, {"pe", random() % 4}, {"pred", random() % 4}};
    p->apply(ref);
    order.push_back(p);
    requesting = p;
    most = std::max(most, ++open);
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = SC_ZERO_TIME;
    if (socket->nb_transport_fw(*p, phase, delay) != tlm::TLM_ACCEPTED)
      wrong++;
  }
  tlm_sync_enum bw(tlm_generic_payload &payload, tlm_phase &phase, sc_time &) {
    request &p = static_cast<request &>(payload);
    p.taken = true;
    if (requesting == &p)
      requesting = nullptr;
    if (phase == tlm::END_REQ)
      return tlm::TLM_ACCEPTED;
    answers++;
    wrong += !p.right();
    failed_ones += p.is_response_error();
    order.erase(std::find(order.begin(), order.end(), &p));
    ref.mix(p.get_address());
    ref.mix(sc_time_stamp().value());
    for (unsigned i = 0; i < p.get_data_length(); i++)
      ref.mix(p.data[i]);
    if (random() % 2) {
      later.notify(p, tlm::END_RESP, random() % 2 ? SC_ZERO_TIME : (1 + random() % 6) * period / 2);
      return tlm::TLM_ACCEPTED;
    }
    open--;
    p.release();
    return tlm::TLM_COMPLETED;
  }
  void send_end(tlm_generic_payload &p, const tlm_phase &) {
    tlm_phase phase = tlm::END_RESP;
    sc_time delay = SC_ZERO_TIME;
    socket->nb_transport_fw(p, phase, delay);
    open--;
    p.release();
  }
};

struct platform : sc_module {
  sc_clock clk{"clk", period, 0.5, period / 2, true};
  sc_signal<bool> rst{"rst", true};
  heddle::l2_top slice;
  heddle::wires pins;
  heddle::memory_side behind;
  const unsigned sms;
  heddle::l2 l2;
  reference ref;
  std::deque<request *> order;
  std::vector<std::unique_ptr<requester>> sm;
  std::vector<std::unique_ptr<heddle::protocol_checker>> checker;
  heddle::protocol_checker checker_behind{"checker_behind"};
  random_target target;
  heddle::memory memory;
  request one{nullptr}; /* the request of the thread that blocks */
  uint64_t blocked = 0, seen = 0, ahead = 0;
  bool debugs = true, blocks = false;
  SC_HAS_PROCESS(platform);

  platform(const sc_module_name &name, heddle::side side, unsigned sms, unsigned sets, unsigned seed)
      : sc_module(name), slice("slice", side), pins("pins", slice), behind("behind", pins), sms(sms),
        l2("l2", slice, pins, behind, sms), target("target", period, 12, seed),
        memory("memory", pins["req_wdata"].bits / 8, SC_ZERO_TIME) {
    ref.line_bytes = pins["req_wdata"].bits / 8;
    /* so that lines are replaced; with sectors, all sectors of a line */
    ref.stride = pins.has("out_sector") ? 3 : sets / 2;
    ref.byte.resize(LINES * ref.line_bytes);
    slice.clk(clk), behind.clk(clk), l2.clk(clk);
    slice.rst(rst), behind.rst(rst), l2.rst(rst);
    for (unsigned s = 0; s < sms; s++) {
      sm.push_back(std::make_unique<requester>(("sm" + std::to_string(s)).c_str(), ref, order, seed + s));
      checker.push_back(std::make_unique<heddle::protocol_checker>(("checker" + std::to_string(s)).c_str()));
      sm[s]->clk(clk);
      sm[s]->socket.bind(checker[s]->target);
      checker[s]->initiator.bind(l2.socket[s]);
    }
    behind.socket.bind(checker_behind.target);
    checker_behind.initiator.bind(target.socket);
    target.memory.bind(memory.socket);
    SC_THREAD(block);
    SC_METHOD(look);
    sensitive << clk.negedge_event();
    dont_initialize();
  }

  /* Blocking loads and stores of SM 0, among its other requests. */
  void block() {
    for (;;) {
      wait((1 + sm[0]->random() % 60) * period);
      if (sm[0]->rests)
        continue;
      one.draw(ref, sm[0]->random);
      one.apply(ref);
      sc_time delay = SC_ZERO_TIME;
      blocks = true;
      sm[0]->socket->b_transport(one, delay);
      blocks = false;
      sm[0]->wrong += !one.right();
      blocked++;
    }
  }

  std::vector<uint8_t> debug_behind() {
    return debug_by([this](tlm_generic_payload &p) { return target.memory->transport_dbg(p); });
  }
  std::vector<uint8_t> debug() {
    return debug_by([this](tlm_generic_payload &p) { return sm[0]->socket->transport_dbg(p); });
  }
  template <class F> std::vector<uint8_t> debug_by(F &&transport) {
    std::vector<uint8_t> all(ref.byte.size());
    for (unsigned at = 0; at < all.size(); at += ref.line_bytes) {
      payload p(ref.address(at), tlm::TLM_READ_COMMAND, ref.line_bytes, nullptr);
      if (transport(p) != ref.line_bytes)
        is("transport_dbg reads a line", false);
      std::copy(p.data.begin(), p.data.end(), all.begin() + at);
    }
    return all;
  }
  /* Called in every cycle. */
  void look() {
    if (!debugs)
      return;
    seen++;
    const std::vector<uint8_t> bytes = debug();
    if (bytes != ref.byte && failed < 5) {
      const auto at = std::mismatch(bytes.begin(), bytes.end(), ref.byte.begin()).first - bytes.begin();
      is("transport_dbg at " + sc_time_stamp().to_string() + ", byte " + std::to_string(at % ref.line_bytes) +
             " of line " + std::to_string(at / ref.line_bytes),
         false);
    }
  }
};

/* At the first edge of a reset: requests inside the slice are lost, the others begin again. */
static void reset(platform &k) {
  unsigned kept = 0, lost = 0;
  for (request *p : k.order)
    if ((p->may_fail = p->taken))
      lost++;
  k.debugs = false;
  k.rst.write(true);
  sc_start(period);
  k.ref.byte = k.debug_behind();
  for (request *p : k.order)
    if (!p->taken) {
      p->apply(k.ref);
      kept++;
    }
  is("after the reset: transport_dbg", k.debug() == k.ref.byte);
  k.debugs = true;
  sc_start(2 * period);
  k.rst.write(false);
  printf("reset: %u kept, %u lost; ", kept, lost);
}

static void rest(platform &k, bool rests) {
  for (auto &sm : k.sm)
    sm->rests = rests;
}

/* Requests that the slice refuses, one by one; and debug transport across lines, and debug writes. */
static void refused(platform &k) {
  const unsigned n = k.ref.line_bytes;
  const auto blocks = [&k](payload &p) {
    sc_core::sc_spawn([&k, &p] {
      sc_time delay = SC_ZERO_TIME;
      k.sm[0]->socket->b_transport(p, delay);
    });
    sc_start(300 * period);
    return p.get_response_status();
  };
  payload across(n / 2, tlm::TLM_READ_COMMAND, n), longer(0, tlm::TLM_WRITE_COMMAND, 2 * n),
      streams(0, tlm::TLM_READ_COMMAND, n), far(uint64_t(1) << 40, tlm::TLM_READ_COMMAND, n),
      nothing(0, tlm::TLM_IGNORE_COMMAND, n), plain(n / 2, tlm::TLM_READ_COMMAND, 1);
  streams.set_streaming_width(n / 2);
  is("across lines", blocks(across) == tlm::TLM_BURST_ERROR_RESPONSE);
  is("longer than a line", blocks(longer) == tlm::TLM_BURST_ERROR_RESPONSE);
  is("a streaming width below the length", blocks(streams) == tlm::TLM_BURST_ERROR_RESPONSE);
  is("an address that no line has", blocks(far) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  is("TLM_IGNORE_COMMAND", blocks(nothing) == tlm::TLM_OK_RESPONSE);
  is("a byte", blocks(plain) == tlm::TLM_OK_RESPONSE && plain.data[0] == k.ref.byte[n / 2]);
  says_nothing("payloads that are refused");
  is("four are counted", k.l2.refused() == 4);
  payload loose(0, tlm::TLM_READ_COMMAND, n, nullptr);
  tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  is("no memory manager", k.sm[0]->socket->nb_transport_fw(loose, phase, delay) == tlm::TLM_COMPLETED &&
                              loose.is_response_error());
  says("no memory manager", "no memory manager");

  k.debugs = false;
  const uint64_t apart = k.ref.address((LINES - 1) * n) + 16 * n;
  payload held(0, tlm::TLM_WRITE_COMMAND, 1), free(apart, tlm::TLM_WRITE_COMMAND, 8),
      shown(apart - 4, tlm::TLM_READ_COMMAND, 16);
  is("transport_dbg writes no line that the slice has", k.sm[0]->socket->transport_dbg(held) == 0);
  free.data.assign(8, 0x5a);
  is("it writes others to the memory", k.sm[0]->socket->transport_dbg(free) == 8);
  is("and reads across lines",
     k.sm[0]->socket->transport_dbg(shown) == 16 && shown.data[4] == 0x5a && shown.data[11] == 0x5a);
  payload loads(apart, tlm::TLM_READ_COMMAND, 8);
  is("a load brings it", blocks(loads) == tlm::TLM_OK_RESPONSE && loads.data == free.data);
  is("then the slice has it", k.sm[0]->socket->transport_dbg(free) == 0);
  says_nothing("debug transport");
}

int sc_main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: l2 rtl|golden|both CYCLES SEED\n");
    return 2;
  }
  const std::string which = argv[1];
  const heddle::side side = which == "rtl"      ? heddle::side::rtl
                            : which == "golden" ? heddle::side::golden
                                                : heddle::side::both;
  const unsigned cycles = (unsigned)atoi(argv[2]), seed = (unsigned)atoi(argv[3]);
  sc_report_handler::set_handler(hear);
  heddle_machine *machine;
  if (heddle_load_text(heddle::l2_top::machine(), "machine", nullptr, 0, &machine))
    return 2;
  int64_t sms, sets;
  heddle_key(machine, "gpu.sms", &sms);
  heddle_key(machine, "l2.sets", &sets);
  heddle_unload(machine);
  platform k("k", side, (unsigned)sms, (unsigned)sets, seed);
  rest(k, true);
  k.debugs = false;
  sc_start(3 * period);
  k.rst.write(false);
  sc_start(period);
  k.ref.byte = k.debug();
  k.debugs = true;
  rest(k, false);
  sc_start(cycles / 2 * period);
  k.sm[0]->rests =
      true; /* no blocking request is inside at the reset, as the test could not see whether it was taken */
  while (k.blocks)
    sc_start(period);
  is("something is in flight at the reset", k.order.size() > 0);
  reset(k);
  rest(k, false);
  sc_start(cycles / 2 * period);
  rest(k, true);
  sc_start(2000 * period);
  is("all is answered", k.order.empty() && !k.l2.in_flight() && !k.behind.in_flight());
  uint64_t answers = 0, failed_ones = 0;
  for (auto &sm : k.sm) {
    answers += sm->answers;
    failed_ones += sm->failed_ones;
    is("answers are right", sm->wrong == 0);
    is("several in flight", sm->most > 2);
    is("all payloads are back", sm->pool.size() == OPEN);
  }
  is("many answers", answers > cycles / 50 && k.blocked > cycles / 500);
  is("the reset is said", failed_ones == k.l2.lost());
  is("the memory answers in all forms", k.target.all_forms());
  is("transport_dbg in every cycle", k.seen >= cycles);
  says_nothing("random traffic");
  const uint64_t hash = k.ref.hash;
  refused(k);
  if (side == heddle::side::both)
    is("compared", k.slice.values() && !k.slice.mismatch());
  printf("answers %" PRIu64 " blocked %" PRIu64 " lost %" PRIu64 " memory %" PRIu64 " hash %016" PRIx64
         ": %d passed, %d failed\n",
         answers, k.blocked, failed_ones, k.checker_behind.transactions(), hash, passed, failed);
  return failed != 0;
}
