/* heddle::l1_memory_path: random loads and stores by nb_transport and b_transport, in every form of the protocol, against a memory
 * that answers by chance; bad ones; kernels that begin; resets at any moment. All data are checked.
 *
 * usage: l1 rtl|golden|both SEED TRANSACTIONS RESETS
 * prints what must be equal with all sides. Exit code 1: something was wrong.
 */
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "heddle_checker.h"
#include "heddle_l1.h"
#include "heddle_memory.h"
#include "random_target.h"
#include "sm_mem_sc.h"

using namespace sc_core;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

static const sc_time period(1, SC_NS);
enum {
  LINES = 160,     /* that are used */
  FIRST = 0x2000,  /* of them */
  BLOCKING = 16,   /* the last ones, by b_transport alone */
  IN_FLIGHT = 24,  /* at most */
  LATENCY = 20,    /* of the memory */
  MOST = 20,       /* cycles that the target before it takes */
  PATIENCE = 20000 /* cycles without an answer */
};

static unsigned failed;
static void must(bool good, const std::string &what) {
  if (good)
    return;
  failed++;
  fprintf(stderr, "FAILED: %s: %s\n", sc_time_stamp().to_string().c_str(), what.c_str());
}
static unsigned reports;
static void hear(const sc_report &r, const sc_actions &) {
  if (r.get_severity() < SC_WARNING)
    return;
  reports++;
  fprintf(stderr, "%s: %s\n", r.get_msg_type(), r.get_msg());
}

/* Sends random transactions, and knows what each must bring: the memory as it is when it begins. */
struct user : sc_module, tlm::tlm_mm_interface {
  tlm_utils::simple_initiator_socket<user> socket{"socket"};
  sc_in<bool> clk{"clk"};
  const unsigned line_bytes, warps, lanes;
  std::vector<uint8_t> bytes; /* of the lines */
  uint64_t left, answered = 0, wrong_ones = 0, blocked = 0, hash = 14695981039346656037u;
  bool paused = true;
  size_t open = 0; /* by nb_transport */

  struct payload : tlm_generic_payload {
    std::vector<uint8_t> data, enable, expected;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE; /* that it must get */
    uint64_t number = 0;
    using tlm_generic_payload::tlm_generic_payload;
  };

  SC_HAS_PROCESS(user);
  user(const sc_module_name &name, unsigned seed, uint64_t n, unsigned line_bytes, unsigned warps,
       unsigned lanes)
      : sc_module(name), line_bytes(line_bytes), warps(warps), lanes(lanes), left(n), random_(seed),
        blocking_random_(seed + 1), later_(this, &user::later) {
    socket.register_nb_transport_bw(this, &user::nb_bw);
    for (uint64_t line = FIRST; line < FIRST + LINES; line++)
      for (unsigned b = 0; b < line_bytes; b++)
        bytes.push_back((uint8_t)(heddle_memory_initial(line, b / 8) >> b % 8 * 8));
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
    SC_THREAD(block);
  }

  void free(tlm_generic_payload *p) override {
    p->free_all_extensions();
    delete static_cast<payload *>(p);
  }

  /* A payload of these lines; one in 16 is wrong somehow. */
  void fill(payload &p, std::mt19937 &random, unsigned first, unsigned n) {
    const auto below = [&random](uint64_t m) { return (unsigned)(random() % m); };
    const bool write = below(3) == 0;
    unsigned length = 1 + below(below(4) ? 16 : line_bytes), offset = below(line_bytes - length + 1);
    uint64_t address = uint64_t(FIRST + first + below(n)) * line_bytes + offset;
    unsigned streaming = length;
    p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    if (below(2)) {
      p.enable.resize(1 + below(length));
      for (uint8_t &e : p.enable)
        e = below(2) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
      p.set_byte_enable_ptr(p.enable.data());
      p.set_byte_enable_length((unsigned)p.enable.size());
    }
    auto *info = below(2) ? new heddle::warp_info : nullptr;
    if (info) {
      info->warp = below(warps);
      info->pc = 8 * below(6);
      info->lanes = 1 + random() % ((uint64_t(1) << lanes) - 1);
      info->place = info->warp;
    }
    p.status = tlm::TLM_OK_RESPONSE;
    const unsigned what = below(16 * 5);
    if (what == 0) {
      p.set_command(tlm::TLM_IGNORE_COMMAND);
      p.status = tlm::TLM_COMMAND_ERROR_RESPONSE;
    } else if (what == 1) {
      address |= uint64_t(1) << 40;
      p.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    } else if (what == 2) { /* across lines, or too long for any */
      length = line_bytes - offset + 1 + below(line_bytes);
      streaming = length;
      p.status = tlm::TLM_BURST_ERROR_RESPONSE;
    } else if (what == 3 && length > 1) {
      streaming = length - 1;
      p.status = tlm::TLM_BURST_ERROR_RESPONSE;
    } else if (what == 4 && info) {
      (below(2) ? info->lanes = 0 : info->warp = warps);
      p.status = tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
    wrong_ones += p.status != tlm::TLM_OK_RESPONSE;
    p.data.resize(length);
    for (uint8_t &d : p.data)
      d = (uint8_t)random();
    p.expected = p.data;
    p.set_address(address);
    p.set_data_ptr(p.data.data());
    p.set_data_length(length);
    p.set_streaming_width(streaming);
    p.set_extension(info);
  }
  /* It begins. */
  void expect(payload &p) {
    if (p.status != tlm::TLM_OK_RESPONSE)
      return;
    uint8_t *here = &bytes[p.get_address() - uint64_t(FIRST) * line_bytes];
    for (size_t i = 0; i < p.data.size(); i++)
      if (p.enable.empty() || p.enable[i % p.enable.size()] == TLM_BYTE_ENABLED)
        (p.is_write() ? here[i] : p.expected[i]) = p.is_write() ? p.data[i] : here[i];
  }
  void check(const payload &p) {
    const bool lost = may_be_lost_ && p.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE;
    must(lost || p.get_response_status() == p.status,
         "found " + p.get_response_string() + " of number " + std::to_string(p.number));
    must(may_be_lost_ || p.data == p.expected, "wrong data of number " + std::to_string(p.number));
    answered++;
    hash = ((hash ^ p.number) * 1099511628211u ^ (uint64_t)sc_time_stamp().value()) * 1099511628211u;
  }

  void edge() {
    cycles_++;
    must(paused || cycles_ < moved_ + PATIENCE, "nothing moves");
    if (cycles_ >= moved_ + PATIENCE)
      sc_stop();
    if (paused || requesting_ || !left || open == IN_FLIGHT || random_() % 4 == 0)
      return;
    auto *p = new payload(this);
    p->acquire();
    p->number = left--;
    open++;
    fill(*p, random_, 0, LINES - BLOCKING);
    expect(*p);
    requesting_ = p;
    moved_ = cycles_;
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = (random_() % 4 ? 0 : random_() % 8) * period / 4;
    const tlm::tlm_sync_enum said = socket->nb_transport_fw(*p, phase, delay);
    must(said == tlm::TLM_ACCEPTED, "a request is not answered at once");
  }
  tlm::tlm_sync_enum nb_bw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
    must(delay == SC_ZERO_TIME, "a delay");
    if (requesting_ == &p)
      requesting_ = nullptr;
    if (phase == tlm::END_REQ)
      return tlm::TLM_ACCEPTED;
    check(static_cast<payload &>(p));
    moved_ = cycles_;
    const sc_time after = random_() % 12 * period / 4;
    switch (random_() % 3) {
    case 0:
      later_.notify(p, tlm::END_RESP, after);
      return tlm::TLM_ACCEPTED;
    case 1:
      phase = tlm::END_RESP;
      delay = after;
      close(p);
      return tlm::TLM_UPDATED;
    default:
      close(p);
      return tlm::TLM_COMPLETED;
    }
  }
  void later(tlm_generic_payload &p, const tlm_phase &) {
    tlm_phase phase = tlm::END_RESP;
    sc_time delay = random_() % 2 * period / 2;
    socket->nb_transport_fw(p, phase, delay);
    close(p);
  }
  void close(tlm_generic_payload &p) {
    open--;
    p.release();
  }

  /* One after the other, in lines of their own. */
  void block() {
    for (uint64_t i = 0;; i++) {
      wait(clk.posedge_event());
      if (paused || !left)
        continue;
      payload p;
      p.number = i + (uint64_t(1) << 32);
      fill(p, blocking_random_, LINES - BLOCKING, BLOCKING);
      expect(p);
      blocking_ = true;
      sc_time delay = blocking_random_() % 2 * period;
      socket->b_transport(p, delay);
      blocking_ = false;
      check(p);
      blocked++;
    }
  }
  bool idle() const { return !open && !blocking_; }
  /* From a reset until what is in flight has been answered: what is lost may be done or not, and those behind it bring that. */
  void lose(bool may) { may_be_lost_ = may; }

  /* What debug transport sees of a line; into `bytes` if it may differ. */
  void look(unsigned line, bool take) {
    tlm_generic_payload p;
    std::vector<uint8_t> seen(line_bytes);
    p.set_read();
    p.set_address(uint64_t(FIRST + line) * line_bytes);
    p.set_data_ptr(seen.data());
    p.set_data_length(line_bytes);
    must(socket->transport_dbg(p) == line_bytes, "debug transport");
    const auto here = bytes.begin() + line * line_bytes;
    must(take || std::equal(seen.begin(), seen.end(), here),
         "debug transport of line " + std::to_string(line));
    std::copy(seen.begin(), seen.end(), here);
  }
  bool requesting() const { return requesting_; }

private:
  std::mt19937 random_, blocking_random_;
  tlm_utils::peq_with_cb_and_phase<user> later_;
  const tlm_generic_payload *requesting_ = nullptr;
  uint64_t cycles_ = 0, moved_ = 0;
  bool blocking_ = false, may_be_lost_ = false;
};

struct platform {
  sc_clock clk{"clk", period, 0.5, period / 2, false};
  sc_signal<bool> rst{"rst", true};
  heddle::sm_mem path;
  heddle::wires pins{"pins", path};
  heddle::memory_side side{"side", pins};
  heddle::l1_memory_path l1{"l1", pins, side, heddle::sm_mem::machine()};
  heddle::protocol_checker above{"above"}, below{"below"};
  random_target between;
  heddle::memory memory{"memory", pins["mreq_wdata"].bits / 8, LATENCY *period};
  user from;

  platform(heddle::side which, unsigned seed, uint64_t n)
      : path("path", which), between("between", period, MOST, seed),
        from("from", seed, n, pins["st_mask"].bits, pins["ready"].bits, pins["issue_mask"].bits) {
    from.socket.bind(above.target);
    above.initiator.bind(l1.socket);
    side.socket.bind(below.target);
    below.initiator.bind(between.socket);
    between.memory.bind(memory.socket);
    path.clk(clk), l1.clk(clk), side.clk(clk), from.clk(clk);
    path.rst(rst), l1.rst(rst), side.rst(rst);
  }
  void drain() {
    for (unsigned i = 0; i < PATIENCE && (!from.idle() || l1.in_flight() || side.in_flight()); i++)
      sc_start(period);
    must(from.idle(), "what was sent is not answered");
  }
  /* In mid-flight; then what was lost is looked up. */
  void reset(unsigned cycles) {
    from.lose(true);
    from.paused = true;
    rst.write(true);
    sc_start(cycles * period);
    rst.write(false);
    drain();
    for (unsigned line = 0; line < LINES; line++)
      from.look(line, true);
    from.lose(false);
    from.paused = false;
  }
};

int sc_main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: l1 rtl|golden|both SEED TRANSACTIONS RESETS\n");
    return 2;
  }
  const std::string which = argv[1];
  const heddle::side side = which == "rtl"    ? heddle::side::rtl
                            : which == "both" ? heddle::side::both
                                              : heddle::side::golden;
  const unsigned seed = (unsigned)atoi(argv[2]), resets = (unsigned)atoi(argv[4]);
  sc_report_handler::set_handler(hear);
  platform k(side, seed, strtoull(argv[3], nullptr, 0));
  std::mt19937 random(seed + 2);
  const uint64_t all = k.from.left;
  k.reset(3);
  unsigned done = 0;
  while (k.from.left && !failed) {
    sc_start((1 + random() % 200) * period);
    if (random() % 8 == 0)
      k.l1.flush();
    if (!k.from.requesting())
      k.from.look((unsigned)(random() % (LINES - BLOCKING)), false);
    if (done < resets && (all - k.from.left) * (resets + 1) > (done + 1) * all) {
      k.reset(1 + (unsigned)(random() % 4));
      done++;
    }
  }
  k.drain();
  const bool lockstep = side != heddle::side::both || (k.path.values() && !k.path.mismatch());
  sc_stop();
  printf("%s answered %" PRIu64 " blocking %" PRIu64 " refused %" PRIu64 " lost %" PRIu64 " kernels %" PRIu64
         " below %" PRIu64 " hash %016" PRIx64 "\n",
         sc_time_stamp().to_string().c_str(), k.from.answered, k.from.blocked, k.l1.refused(), k.l1.lost(),
         k.l1.flushes(), k.below.transactions(), k.from.hash);
  must(!reports, "errors were reported");
  must(k.l1.refused() == k.from.wrong_ones, "another number is refused than was wrong");
  must(done == resets && !resets == !k.l1.lost(), "resets");
  must(k.l1.flushes() && k.from.blocked && k.l1.refused(), "something was never tried");
  must(!k.l1.in_flight() && !k.side.in_flight() && !k.above.open() && !k.below.open(), "some are still open");
  must(lockstep, "lockstep");
  return failed != 0;
}
