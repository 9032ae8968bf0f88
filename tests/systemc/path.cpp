/* The platform of examples/systemc with an unfriendly memory side: a target that answers at random (random_target.h), resets at any
 * moment, wrong data.
 *
 * usage: path rtl|golden|both WORKLOAD SEED RESETS      that many resets, then the workload to its end
 *        path rtl|golden|both WORKLOAD again            to its end, a reset, to its end again
 *        path rtl|golden|both WORKLOAD wrong            reads bring a wrong byte from some cycle on: the SM must say so, once
 * prints what must be equal with all sides. Exit code 1: something was wrong.
 */
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "heddle_checker.h"
#include "heddle_memory.h"
#include "heddle_tlm.h"
#include "random_target.h"
#include "sm_mem_sc.h"

using namespace sc_core;

static const sc_time period(1, SC_NS);
enum { LATENCY = 40, MOST = 30 /* cycles */, LIMIT = 10 * 1000 * 1000 };

static unsigned reports; /* errors */
static void hear(const sc_report &r, const sc_actions &) {
  if (r.get_severity() < SC_WARNING)
    return;
  reports += r.get_severity() >= SC_ERROR;
  fprintf(stderr, "%s: %s\n", r.get_msg_type(), r.get_msg());
}

static unsigned failed;
static void must(bool good, const char *what) {
  if (!good) {
    failed++;
    fprintf(stderr, "FAILED: %s\n", what);
  }
}

/* With a target in between if `seed` is given. */
struct platform {
  sc_clock clk{"clk", period, 0.5, period / 2, false};
  sc_signal<bool> rst{"rst", true};
  heddle::sm_mem path;
  heddle::wires pins{"pins", path};
  heddle::sm sm;
  heddle::memory_side side{"side", pins};
  heddle::protocol_checker checker{"checker"};
  heddle::memory memory{"memory", pins["mreq_wdata"].bits / 8, LATENCY *period};
  std::unique_ptr<random_target> between;

  platform(heddle::side which, const std::string &workload, const unsigned *seed)
      : path("path", which), sm("sm", pins, heddle::sm_mem::machine(), workload) {
    side.socket.bind(checker.target);
    if (seed) {
      between = std::make_unique<random_target>("between", period, MOST, *seed);
      checker.initiator.bind(between->socket);
      between->memory.bind(memory.socket);
    } else {
      checker.initiator.bind(memory.socket);
    }
    path.clk(clk), sm.clk(clk), side.clk(clk);
    path.rst(rst), sm.rst(rst), side.rst(rst);
  }
  void reset(unsigned cycles) {
    rst.write(true);
    sc_start(cycles * period);
    rst.write(false);
  }
  void run() {
    while (!sm.done() && sm.cycles() < LIMIT)
      sc_start(100 * period);
    sc_start(2 * (LATENCY + 3 * MOST) * period); /* open transactions end */
    must(sm.done() && !sm.failed(), "the workload did not end");
  }
  void print() const {
    printf("cycles %" PRIu64 " instructions %" PRIu64 " checked %" PRIu64 " transactions %" PRIu64
           " dropped %" PRIu64 "\n",
           sm.cycles(), sm.instructions(), sm.checked(), side.transactions(), side.dropped());
  }
};

static void resets(platform &k, unsigned seed, unsigned n) {
  std::mt19937 random(seed);
  k.reset(3);
  for (unsigned i = 0; i < n; i++) {
    sc_start((1 + random() % (i % 2 ? 3000 : 300)) * period);
    k.print();
    k.reset(1 + random() % 4);
  }
  k.run();
  must(k.between->all_forms(), "a form of the protocol was not reached");
  must(!n || k.side.dropped(), "no reset came in mid-flight");
  must(!k.between->open(), "the target has open transactions");
}

static void again(platform &k) {
  uint64_t cycles = 0;
  for (unsigned i = 0; i < 2; i++) {
    k.reset(3);
    k.run();
    must(!cycles || cycles == k.sm.cycles(), "after a reset it takes other cycles");
    cycles = k.sm.cycles();
  }
}

/* The SM's loads return bytes that were never stored. Most loads after the first wrong one are wrong too. */
static void wrong(platform &k) {
  k.reset(3);
  sc_start(500 * period);
  k.between->spoil();
  sc_start(20000 * period);
  must(reports == 1, "not said once");
  must(k.sm.done() && k.sm.failed(), "the SM goes on");
}

int sc_main(int argc, char **argv) {
  const std::string which = argc > 3 ? argv[1] : "", how = argc > 3 ? argv[3] : "";
  const heddle::side side = which == "rtl"    ? heddle::side::rtl
                            : which == "both" ? heddle::side::both
                                              : heddle::side::golden;
  if (argc < 4 || (argc < 5 && how != "again" && how != "wrong")) {
    fprintf(stderr, "usage: path rtl|golden|both WORKLOAD SEED RESETS | again | wrong\n");
    return 2;
  }
  sc_report_handler::set_handler(hear);
  const unsigned seed = (unsigned)atoi(argv[3]);
  platform k(side, argv[2], how == "again" ? nullptr : &seed);
  if (argc > 4)
    resets(k, seed, (unsigned)atoi(argv[4]));
  else if (how == "again")
    again(k);
  else
    wrong(k);
  sc_stop();
  k.print();
  must(reports == (how == "wrong"), "errors were reported");
  must(k.sm.checked() && !k.side.errors(), "nothing was checked");
  must(how == "wrong" || (!k.side.in_flight() && !k.checker.open()), "payloads are still in flight");
  must(side != heddle::side::both || (k.path.values() && !k.path.mismatch()), "lockstep");
  return failed != 0;
}
