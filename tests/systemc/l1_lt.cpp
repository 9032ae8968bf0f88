/* l1_lt beside sm_mem over pins (golden model). Each transaction alone must have the same data and take the same time. Then the
 * speed of both, with initiators that have a quantum keeper.
 *
 * usage: l1_lt TRANSACTIONS SEED LATENCY      of the memory, in cycles
 * prints "... N passed, N failed"; transactions a second of processor time to stderr
 */
#include <cinttypes>
#include <cstdlib>
#include <ctime>
#include <random>

#include "dead_model.h"
#include "heddle_checker.h"
#include "heddle_l1.h"
#include "heddle_l1_lt.h"
#include "heddle_memory.h"
#include "sm_mem_sc.h"
#include "tlm_rig.h"
#include "waiting.h"

#include <tlm_utils/tlm_quantumkeeper.h> /* after <systemc>, which it does not include */

static const sc_time period(10, SC_NS);

struct platform : sc_module {
  const unsigned transactions, lines, latency;
  sc_signal<bool> clk{"clk", false}, rst{"rst", true};
  bool clocked = true;
  heddle::sm_mem path{"path", heddle::side::golden};
  heddle::wires pins{"pins", path};
  heddle::memory_side behind{"behind", pins};
  heddle::l1_memory_path l1{"l1", pins, behind, heddle::sm_mem::machine()};
  const unsigned line_bytes = pins["st_mask"].bits, warps = pins["ready"].bits,
                 lanes = pins["issue_mask"].bits,
                 kinds = pins.has("issue_op") ? (1U << pins["issue_op"].bits) - 1 : 0;
  heddle::l1_lt lt{"lt", heddle::sm_mem::machine(), period};
  heddle::l1_lt slow{"slow", heddle::sm_mem::machine(), period}; /* in front of a memory that waits */
  waiting_memory waits{"waits"};
  heddle::memory memory, memory_of_lt, memory_of_slow;
  sender to_pins{"to_pins"}, to_lt{"to_lt"}, to_slow{"to_slow"};
  heddle::protocol_checker checker{"checker"}, behind_lt{"behind_lt"};
  std::mt19937 random;
  unsigned stream = 0;
  uint64_t hits = 0, others = 0;
  double time_of_all = 0, seconds[2] = {0, 0};
  SC_HAS_PROCESS(platform);

  platform(const sc_module_name &name, unsigned transactions, unsigned lines, unsigned latency, unsigned seed)
      : sc_module(name), transactions(transactions), lines(lines), latency(latency),
        memory("memory", line_bytes, latency * period),
        memory_of_lt("memory_of_lt", line_bytes, latency * period),
        memory_of_slow("memory_of_slow", line_bytes, latency * period), random(seed) {
    path.clk(clk), behind.clk(clk), l1.clk(clk);
    path.rst(rst), behind.rst(rst), l1.rst(rst);
    to_pins.socket.bind(l1.socket);
    behind.socket.bind(memory.socket);
    to_lt.socket.bind(checker.target);
    checker.initiator.bind(lt.socket);
    lt.memory.bind(behind_lt.target);
    behind_lt.initiator.bind(memory_of_lt.socket);
    to_slow.socket.bind(slow.socket);
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
  /* Half of all are random. The others are the next warp of a load whose lines are two apart from warp to warp, which suits
   * prefetchers. */
  void draw(payload &p) {
    const bool streams = random() % 2;
    auto *info = new heddle::warp_info;
    stream += streams;
    info->warp = info->place = (streams ? stream : (unsigned)random()) % warps;
    info->pc = 8 * (streams ? stream / warps % 3 : random() % 6);
    const bool write = !streams && random() % 4 == 0;
    const unsigned from = (unsigned)random() % 4 * line_bytes / 4, n = line_bytes / 4;
    p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    const unsigned line = streams ? 10 * (stream / warps) + 2 * info->warp : (unsigned)random();
    p.set_address((uint64_t)(line % lines) * line_bytes + from);
    p.data.resize(n);
    for (uint8_t &b : p.data)
      b = (uint8_t)random();
    p.set_data_ptr(p.data.data());
    p.set_data_length(n);
    p.set_streaming_width(n);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    info->lanes = 1 + random() % ((uint64_t(1) << (lanes - 1)) - 1);
    if (!write && kinds && random() % 4 == 0) {
      info->op = 1 + (unsigned)random() % kinds;
      info->operand = p.data;
    }
    p.set_extension(info);
  }
  void all() {
    wait(3 * period);
    rst.write(false);
    wait(10 * period);
    alone();
    speed(to_pins, 0);
    clocked = false;
    speed(to_lt, 1);
    refused();
    is("a memory that waits, two threads",
       two_threads(to_slow, line_bytes, period) == 0 && slow.transactions() == 200 && !slow.errors());
    never_answered(to_lt, lt, period);
    sc_stop();
  }
  /* Runs a transaction over pins. When nothing is inside any more, runs the same on the LT model. */
  void alone() {
    uint64_t differ = 0;
    for (unsigned i = 0; i < transactions; i++) {
      payload p;
      draw(p);
      payload q(p.get_address(), p.get_command(), p.get_data_length());
      q.data = p.data;
      q.set_data_ptr(q.data.data());
      q.set_extension(new heddle::warp_info(*p.get_extension<heddle::warp_info>()));
      const sc_time begin = sc_time_stamp();
      sc_time none, took;
      to_pins.socket->b_transport(p, none);
      const sc_time over_pins = sc_time_stamp() - begin;
      to_lt.socket->b_transport(q, took);
      hits += over_pins < latency * period;
      time_of_all += over_pins / period;
      differ += p.data != q.data || !q.is_response_ok() || !p.is_response_ok();
      if (took != over_pins && ++others < 5)
        printf("transaction %u: %s over pins, %s by the LT model\n", i, over_pins.to_string().c_str(),
               took.to_string().c_str());
      wait((2 * latency + 100 + random() % 3) * period);
    }
    is("all data are equal", differ == 0);
    is("all take the same time", others == 0);
    is("hits and misses", hits > transactions / 20 && hits < transactions);
  }
  /* One transaction after the other, by an initiator with a quantum of 1 us. */
  void speed(sender &from, unsigned which) {
    tlm_utils::tlm_quantumkeeper keeper;
    tlm_utils::tlm_quantumkeeper::set_global_quantum(sc_time(1, SC_US));
    keeper.reset();
    payload p;
    const std::clock_t start = std::clock();
    for (unsigned i = 0; i < transactions; i++) {
      draw(p);
      sc_time delay = keeper.get_local_time();
      from.socket->b_transport(p, delay);
      p.free_all_extensions();
      keeper.set(delay);
      if (keeper.need_sync())
        keeper.sync();
    }
    seconds[which] = (double)(std::clock() - start) / CLOCKS_PER_SEC;
  }
  void refused() {
    payload across(line_bytes / 2, tlm::TLM_READ_COMMAND, line_bytes),
        nothing(0, tlm::TLM_IGNORE_COMMAND, line_bytes), shown(4, tlm::TLM_WRITE_COMMAND, 8),
        read(4, tlm::TLM_READ_COMMAND, 8);
    sc_time delay;
    to_lt.socket->b_transport(across, delay);
    to_lt.socket->b_transport(nothing, delay);
    is("what is refused takes no time",
       across.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE &&
           nothing.get_response_status() == tlm::TLM_COMMAND_ERROR_RESPONSE && delay == SC_ZERO_TIME &&
           lt.refused() == 2);
    shown.data.assign(8, 0x77);
    to_lt.socket->b_transport(shown, delay);
    is("debug transport shows a store", to_lt.socket->transport_dbg(read) == 8 && read.data == shown.data);
    lt.flush();
    read.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    to_lt.socket->b_transport(read, delay);
    is("a load after a flush", read.is_response_ok() && read.data == shown.data && lt.flushes() == 1);
    tlm::tlm_dmi dmi;
    is("DMI is refused", !to_lt.socket->get_direct_mem_ptr(nothing, dmi));
  }
};

int sc_main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: l1_lt TRANSACTIONS SEED LATENCY\n");
    return 2;
  }
  sc_report_handler::set_handler(hear);
  heddle_machine *machine;
  if (heddle_load_text(heddle::sm_mem::machine(), "machine", nullptr, 0, &machine))
    return 2;
  int64_t sets, ways;
  heddle_key(machine, "l1d.sets", &sets);
  heddle_key(machine, "l1d.ways", &ways);
  heddle_unload(machine);
  platform k("k", (unsigned)atoi(argv[1]), (unsigned)(sets * ways * 3 / 2), (unsigned)atoi(argv[3]),
             (unsigned)atoi(argv[2]));
  sc_start();
  says_nothing("the LT model");
  is("all transactions were its own", k.lt.transactions() == 2 * k.transactions + 3 && !k.lt.errors());
  fprintf(stderr, "transactions a second, of the processor: pins %.0f, LT model %.0f\n",
          k.transactions / k.seconds[0], k.transactions / k.seconds[1]);
  printf("hits %" PRIu64 " of %u, %.1f cycles each, fills %" PRIu64 ", other times %" PRIu64
         ": %d passed, %d failed\n",
         k.hits, k.transactions, k.time_of_all / k.transactions, k.memory_of_lt.reads(), k.others, passed,
         failed);
  return failed != 0;
}
