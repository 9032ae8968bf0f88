/* l2_lt beside l2_top over pins (golden model). Each request alone must have the same data and take the same time. Then the speed of
 * both, with initiators that have a quantum keeper. On a slice that moves sectors, also longer payloads, on both.
 *
 * usage: lt REQUESTS SEED
 * prints "... N passed, N failed"; requests a second of processor time to stderr
 */
#include <cinttypes>
#include <cstdlib>
#include <ctime>
#include <random>

#include "dead_model.h"
#include "heddle_checker.h"
#include "heddle_l2.h"
#include "heddle_lt.h"
#include "heddle_memory.h"
#include "l2_top_sc.h"
#include "tlm_rig.h"
#include "waiting.h"

#include <tlm_utils/tlm_quantumkeeper.h> /* after <systemc>, which it does not include */

enum { WAITING = 40 };
static const sc_time period(10, SC_NS), latency(37 * period);

/* A line whose request_info names one or several sectors. */
struct line_of_sectors : payload {
  line_of_sectors(tlm::tlm_command command, unsigned bytes, uint64_t named) : payload(0, command, bytes) {
    heddle::request_info *info = new heddle::request_info;
    info->field = {{"kind", command == tlm::TLM_WRITE_COMMAND ? 2 : 1}, {"sectors", named}};
    set_extension(info);
  }
  /* Enables bytes of this sector only. */
  void enable(unsigned sector, unsigned bytes) {
    on.assign(data.size(), TLM_BYTE_DISABLED);
    std::fill_n(on.begin() + sector * bytes, bytes, TLM_BYTE_ENABLED);
    set_byte_enable_ptr(on.data());
    set_byte_enable_length((unsigned)on.size());
  }
  std::vector<uint8_t> on;
};

struct platform : sc_module {
  sc_signal<bool> clk{"clk", false}, rst{"rst", true};
  bool clocked = true;
  heddle::l2_top slice{"slice", heddle::side::golden};
  heddle::wires pins{"pins", slice};
  heddle::memory_side behind{"behind", pins};
  heddle::l2 l2{"l2", slice, pins, behind};
  const unsigned line_bytes = pins["req_wdata"].bits / 8; /* of a sector if the slice moves sectors */
  heddle::l2_lt lt{"lt", heddle::l2_top::machine(), period};
  heddle::memory memory{"memory", line_bytes, latency}, memory_of_lt{"memory_of_lt", line_bytes, latency};
  sender to_pins{"to_pins"}, to_lt{"to_lt"};
  heddle::l2_lt slow{"slow", heddle::l2_top::machine(), period}; /* in front of a memory that waits */
  waiting_memory waits{"waits"};
  heddle::memory memory_of_slow{"memory_of_slow", line_bytes, latency};
  sender to_slow{"to_slow"};
  heddle::protocol_checker checker{"checker"}, behind_lt{"behind_lt"};
  std::mt19937 random;
  const unsigned requests, lines;
  uint64_t hits = 0, differ = 0, shown = 0;
  double seconds[2] = {0, 0};
  SC_HAS_PROCESS(platform);

  platform(const sc_module_name &name, unsigned requests, unsigned lines, unsigned seed)
      : sc_module(name), random(seed), requests(requests),
        lines(lines * (pins.has("out_sector") ? pins["req_sectors"].bits : 1)) {
    slice.clk(clk), behind.clk(clk), l2.clk(clk);
    slice.rst(rst), behind.rst(rst), l2.rst(rst);
    to_pins.socket.bind(l2.socket[0]);
    behind.socket.bind(memory.socket);
    to_lt.socket.bind(checker.target);
    checker.initiator.bind(lt.socket[0]);
    lt.memory.bind(behind_lt.target);
    behind_lt.initiator.bind(memory_of_lt.socket);
    to_slow.socket.bind(slow.socket[0]);
    slow.memory.bind(waits.socket);
    waits.behind.bind(memory_of_slow.socket);
    SC_THREAD(ticks);
    SC_THREAD(all);
  }
  /* A clock that can be stopped, so that the pins then cost nothing. */
  void ticks() {
    while (clocked) {
      clk.write(true);
      wait(period / 2);
      clk.write(false);
      wait(period / 2);
    }
  }
  void draw(payload &p) {
    const bool write = random() % 3 == 0;
    const unsigned from = (unsigned)random() % 4 * line_bytes / 4, n = line_bytes / 4 << random() % 2;
    p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    p.set_address((uint64_t)(random() % lines) * line_bytes + from);
    p.data.resize(std::min(n, line_bytes - from));
    for (uint8_t &b : p.data)
      b = (uint8_t)random();
    p.set_data_ptr(p.data.data());
    p.set_data_length((unsigned)p.data.size());
    p.set_streaming_width((unsigned)p.data.size());
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  void all() {
    wait(3 * period);
    rst.write(false);
    wait(2 * period);
    alone();
    if (pins.has("out_sector")) {
      sectors(to_pins, l2);
      sectors(to_lt, lt);
    }
    speed(to_pins, 0);
    clocked = false;
    speed(to_lt, 1);
    refused();
    waiting();
    never_answered(to_lt, lt, period);
    sc_stop();
  }
  /* Runs a request over pins. When nothing is inside any more, runs the same on the LT model. */
  void alone() {
    for (unsigned i = 0; i < requests; i++) {
      payload p;
      draw(p);
      payload q(p.get_address(), p.get_command(), p.get_data_length());
      q.data = p.data;
      q.set_data_ptr(q.data.data());
      const sc_time begin = sc_time_stamp();
      sc_time none, took;
      to_pins.socket->b_transport(p, none);
      const sc_time over_pins = sc_time_stamp() - begin;
      to_lt.socket->b_transport(q, took);
      hits += took < latency;
      differ += took != over_pins || p.data != q.data || !q.is_response_ok();
      if (took != over_pins && differ < 5)
        printf("request %u: %s over pins, %s by the LT model\n", i, over_pins.to_string().c_str(),
               took.to_string().c_str());
      if (i % 16 == 0)
        look(p.get_address() / line_bytes * line_bytes);
      wait((50 + random() % 3) * period);
    }
    is("all requests alone are equal", differ == 0);
    is("hits and misses", hits > requests / 10 && hits < requests);
    is("debug transport shows the same", shown == 0);
  }
  /* Whole lines that name a sector, as memory_side sends them, by `to`, which is bound to `slice`. */
  template <class Slice> void sectors(sender &to, const Slice &slice) {
    const unsigned n = line_bytes, line = n * pins["req_sectors"].bits;
    const uint64_t refused = slice.refused();
    const auto answer = [&to](payload &p) {
      sc_time delay;
      to.socket->b_transport(p, delay);
      return p.get_response_status();
    };
    line_of_sectors store(tlm::TLM_WRITE_COMMAND, line, 2), load(tlm::TLM_READ_COMMAND, line, 2),
        two(tlm::TLM_READ_COMMAND, line, 3), none(tlm::TLM_READ_COMMAND, line, 0),
        more(tlm::TLM_WRITE_COMMAND, line, 2), other(tlm::TLM_WRITE_COMMAND, line, 2);
    payload before(0, tlm::TLM_READ_COMMAND, line), after(0, tlm::TLM_READ_COMMAND, line);
    to.socket->transport_dbg(before);
    for (unsigned i = 0; i < line; i++)
      store.data[i] = (uint8_t)(i + 7);
    store.enable(1, n);
    is("a line with a sector is stored", answer(store) == tlm::TLM_OK_RESPONSE);
    std::vector<uint8_t> wanted(line, 0x33);
    load.data.assign(line, 0x33);
    std::copy_n(store.data.begin() + n, n, wanted.begin() + n);
    is("and loaded, its other bytes stay", answer(load) == tlm::TLM_OK_RESPONSE && load.data == wanted);
    std::copy_n(store.data.begin() + n, n, before.data.begin() + n);
    is("no other sector is stored", to.socket->transport_dbg(after) == line && after.data == before.data);
    other.enable(0, n);
    is("two sectors", answer(two) == tlm::TLM_BURST_ERROR_RESPONSE);
    is("a line without a sector", answer(none) == tlm::TLM_BURST_ERROR_RESPONSE);
    is("a store of more than its sector", answer(more) == tlm::TLM_BURST_ERROR_RESPONSE);
    is("a store of another sector", answer(other) == tlm::TLM_BURST_ERROR_RESPONSE);
    is("four are counted", slice.refused() == refused + 4);
  }
  void look(uint64_t address) {
    payload p(address, tlm::TLM_READ_COMMAND, line_bytes), q(address, tlm::TLM_READ_COMMAND, line_bytes);
    const bool good =
        to_pins.socket->transport_dbg(p) == line_bytes && to_lt.socket->transport_dbg(q) == line_bytes;
    shown += !good || p.data != q.data;
  }
  /* Loads and stores one after the other, by an initiator with a quantum of 1 us. */
  void speed(sender &from, unsigned which) {
    tlm_utils::tlm_quantumkeeper keeper;
    tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(1, SC_US));
    keeper.reset();
    payload p;
    const std::clock_t start = std::clock();
    for (unsigned i = 0; i < requests; i++) {
      draw(p);
      sc_time delay = keeper.get_local_time();
      from.socket->b_transport(p, delay);
      keeper.set(delay);
      if (keeper.need_sync())
        keeper.sync();
    }
    seconds[which] = (double)(std::clock() - start) / CLOCKS_PER_SEC;
  }
  /* Two threads in front of a memory that waits write lines of their own and read them back. Then one thread alone: it takes as long
   * as with a memory that does not wait, once no line is dirty in either slice. */
  void waiting() {
    const unsigned wrong = two_threads(to_slow, line_bytes, period);
    is("a memory that waits, two threads", wrong == 0 && slow.transactions() == 200 && !slow.errors());
    uint64_t other = 0;
    for (unsigned i = 0; i < lines + WAITING; i++) {
      payload p((uint64_t)(1000 + i) * line_bytes, tlm::TLM_READ_COMMAND, 1),
          q(p.get_address(), p.get_command(), 1);
      sc_time took, delay = (i % 4) * period;
      const sc_time begin = sc_time_stamp() + delay;
      to_slow.socket->b_transport(p, delay);
      to_lt.socket->b_transport(q, took);
      other += i >= lines && (sc_time_stamp() + delay - begin != took || p.data != q.data);
    }
    is("a memory that waits takes as long as one that does not", other == 0);
  }
  void refused() {
    payload across(line_bytes / 2, tlm::TLM_READ_COMMAND, line_bytes),
        nothing(0, tlm::TLM_IGNORE_COMMAND, line_bytes);
    const uint64_t before = lt.refused();
    sc_time delay;
    to_lt.socket->b_transport(across, delay);
    to_lt.socket->b_transport(nothing, delay);
    is("a payload across lines is refused, and takes no time",
       across.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE && delay == SC_ZERO_TIME &&
           lt.refused() == before + 1);
    is("TLM_IGNORE_COMMAND does nothing", nothing.is_response_ok());
    tlm::tlm_dmi dmi;
    is("DMI is refused", !to_lt.socket->get_direct_mem_ptr(nothing, dmi));
  }
};

int sc_main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: lt REQUESTS SEED\n");
    return 2;
  }
  sc_report_handler::set_handler(hear);
  heddle_machine *machine;
  if (heddle_load_text(heddle::l2_top::machine(), "machine", nullptr, 0, &machine))
    return 2;
  int64_t sets, ways;
  heddle_key(machine, "l2.sets", &sets);
  heddle_key(machine, "l2.ways", &ways);
  heddle_unload(machine);
  platform k("k", (unsigned)atoi(argv[1]), (unsigned)(sets * ways * 3 / 2), (unsigned)atoi(argv[2]));
  sc_start();
  says_nothing("the LT model");
  is("all requests were its own",
     k.lt.transactions() == 2 * k.requests + k.lines + WAITING + 1 + 2 * k.pins.has("out_sector") &&
         !k.lt.errors());
  fprintf(stderr, "requests a second, of the processor: pins %.0f, LT model %.0f\n",
          k.requests / k.seconds[0], k.requests / k.seconds[1]);
  printf("hits %" PRIu64 " of %u: %d passed, %d failed\n", k.hits, k.requests, passed, failed);
  return failed != 0;
}
