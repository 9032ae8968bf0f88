/* heddle::l1_memory_path with random loads and stores by nb_transport and b_transport, in every form of the protocol. The memory
 * answers at random. There are illegal transactions, kernels that begin, and resets at any moment. Machines that have them also get
 * uncached loads, atomics, and lines with errors. All data are checked.
 *
 * usage: l1 rtl|golden|both SEED TRANSACTIONS RESETS
 * prints what must be equal with all sides. Exit code 1: something was wrong.
 */
#include <cinttypes>
#include <cstdlib>

#include "heddle_checker.h"
#include "heddle_memory.h"
#include "l1_user.h"
#include "random_target.h"
#include "sm_mem_sc.h"

enum {
  LATENCY = 20, /* of the memory */
  MOST = 20     /* cycles that the target in front of it takes */
};

static unsigned reports;
static void hear(const sc_report &r, const sc_actions &) {
  if (r.get_severity() < SC_WARNING)
    return;
  reports++;
  fprintf(stderr, "%s: %s\n", r.get_msg_type(), r.get_msg());
}

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
      : path("path", which), between("between", period, MOST, seed), from("from", seed, n, pins) {
    between.fails = [this](const tlm_generic_payload &p) { return from.is_bad(p.get_address()); };
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
  /* A reset in mid-flight. Afterwards debug transport reads the lines back, since stores may be lost. */
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
         " uncached %" PRIu64 " atomics %" PRIu64 " with errors %" PRIu64 " below %" PRIu64
         " hash %016" PRIx64 "\n",
         sc_time_stamp().to_string().c_str(), k.from.answered, k.from.blocked, k.l1.refused(), k.l1.lost(),
         k.l1.flushes(), k.from.uncached, k.from.atomics, k.from.failed_ones, k.below.transactions(),
         k.from.hash);
  must(!reports, "errors were reported");
  must(k.l1.refused() == k.from.wrong_ones, "another number is refused than was wrong");
  must(done == resets && !resets == !k.l1.lost(), "resets");
  must(k.l1.flushes() && k.from.blocked && k.l1.refused(), "something was never tried");
  must(!k.from.kinds == !k.from.uncached && (k.from.kinds < 2) == !k.memory.atomics(), "request kinds");
  must(!k.from.errors == !k.from.failed_ones && !k.from.errors == !k.side.errors(), "errors");
  must(!k.l1.in_flight() && !k.side.in_flight() && !k.above.open() && !k.below.open(), "some are still open");
  must(lockstep, "lockstep");
  return failed != 0;
}
