/* A SystemC platform around one module, TOP: random inputs that keep its protocols, and checks of its outputs. Behind its pins is
 * the RTL, the golden model or both.
 *
 * usage: bench rtl|golden|both MACHINE CYCLES SEED [fault]
 * prints: cycles, facts that the surroundings checked, values that lockstep compared, a hash of all outputs in all cycles. Exit
 * code 1: something differed or nothing was checked. fault: a register of the golden model is changed at half time.
 */
#ifndef HEDDLE_NO_RTL
#include <verilated.h>
#endif

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x
#define HEADER_(x) TEXT_(x##_sc.h)
#define HEADER(x) HEADER_(x)
#include HEADER(TOP)

#include "tests/systemc/surround.h"
#ifdef AXI_CHECKER
#include "tests/systemc/axi_watch.h"
#endif

using sc_core::sc_in;
using sc_core::sc_out;
using sc_core::sc_signal;

/* Writes a value as 32-bit words, the least significant first. */
static unsigned words_of(bool v, uint32_t *w) {
  w[0] = v;
  return 1;
}
template <int W> unsigned words_of(const sc_dt::sc_uint<W> &v, uint32_t *w) {
  w[0] = (uint32_t)v.to_uint64();
  w[1] = (uint32_t)(v.to_uint64() >> 32);
  return 2;
}
template <int W> unsigned words_of(const sc_dt::sc_bv<W> &v, uint32_t *w) {
  for (int i = 0; i < (W + 31) / 32; i++)
    w[i] = v.get_word(i);
  return (W + 31) / 32;
}
static void of_words(bool &v, const uint32_t *w) {
  v = w[0] & 1;
}
template <int W> void of_words(sc_dt::sc_uint<W> &v, const uint32_t *w) {
  v = W > 32 ? (uint64_t)w[1] << 32 | w[0] : w[0];
}
template <int W> void of_words(sc_dt::sc_bv<W> &v, const uint32_t *w) {
  for (int i = 0; i < (W + 31) / 32; i++)
    v.set_word(i, w[i]);
}

enum { RESET_EDGES = 3 };

struct bench : sc_core::sc_module {
  sc_in<bool> clk{"clk"};
  sc_signal<bool> rst{"rst", true};
  heddle::TOP &dut;
  surround *around;
  const uint64_t fault; /* cycle of the fault; 0: none */
  uint64_t edges = 0, hash = 14695981039346656037u;
  std::vector<std::shared_ptr<void>> wires;
  std::map<std::string, void *> by_name;       /* the signals by pin name */
  std::vector<std::function<void()>> put, get; /* outputs to the surroundings, inputs from them */
  sc_core::sc_event shown;
  SC_HAS_PROCESS(bench);

  bench(const sc_core::sc_module_name &name, heddle::TOP &dut, surround *around, uint64_t fault)
      : sc_module(name), dut(dut), around(around), fault(fault) {
    dut.rst(rst);
    dut.each_port([this](auto &port, bool) { wire(port); });
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
    SC_METHOD(drive);
    sensitive << shown;
    dont_initialize();
  }
  template <class T> sc_signal<T> &wire_to(const char *name) {
    auto w = std::make_shared<sc_signal<T>>(name);
    wires.push_back(w);
    by_name[name] = w.get();
    return *w;
  }
  template <class T> void wire(sc_in<T> &port) {
    auto &w = wire_to<T>(port.basename());
    port(w);
    const size_t p = surround_port(around, port.basename());
    get.push_back([this, &w, p] {
      uint32_t words[SURROUND_WORDS];
      T v;
      surround_get(around, p, words);
      of_words(v, words);
      w.write(v);
    });
  }
  template <class T> void wire(sc_out<T> &port) {
    auto &w = wire_to<T>(port.basename());
    port(w);
    const size_t p = surround_port(around, port.basename());
    put.push_back([this, &w, p] {
      uint32_t words[SURROUND_WORDS] = {0};
      const unsigned n = words_of(w.read(), words);
      surround_put(around, p, words);
      for (unsigned i = 0; i < n; i++)
        hash = (hash ^ words[i]) * 1099511628211u;
    });
  }
  /* The cycle ends: all outputs have settled. */
  void edge() {
    if (++edges > RESET_EDGES) {
      for (auto &p : put)
        p();
      if (!surround_clock(around))
        SC_REPORT_FATAL("/bench/surroundings", "a check of the outputs failed");
    }
    shown.notify(sc_core::SC_ZERO_TIME);
  }
  /* The next cycle begins: the outputs that depend on registers alone are there. */
  void drive() {
    if (edges < RESET_EDGES)
      return;
    const uint64_t before = hash;
    for (auto &p : put)
      p();
    hash = before;
    surround_drive(around);
    for (auto &g : get)
      g();
    rst.write(false);
    if (fault && edges == fault + RESET_EDGES)
      strike();
  }
  /* Flips the lowest bit of every register of the golden model that may be set. */
  void strike() {
    heddle_model *m = dut.model();
    for (size_t i = 0; i < heddle_value_count(m); i++) {
      const heddle_value *v = heddle_value_at(m, i);
      if (v->kind == HEDDLE_KIND_REGISTER && v->settable)
        heddle_set_u64(m, i, heddle_get_u64(m, i) ^ 1);
    }
  }
};

int sc_main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr, "usage: bench rtl|golden|both MACHINE CYCLES SEED [fault]\n");
    return 2;
  }
  const std::string which = argv[1];
  const heddle::side side = which == "rtl"    ? heddle::side::rtl
                            : which == "both" ? heddle::side::both
                                              : heddle::side::golden;
  const uint64_t cycles = strtoull(argv[3], nullptr, 0), seed = strtoull(argv[4], nullptr, 0);
#ifndef HEDDLE_NO_RTL
  if (side == heddle::side::both) { /* registers hold random values at power-up */
    Verilated::randReset(2);
    Verilated::randSeed((int)seed);
  }
#endif
  surround *around = surround_open(argv[2], TEXT(TOP), seed);
  if (!around)
    return 2;
  sc_core::sc_clock clk("clk", 10, sc_core::SC_NS, 0.5, 5, sc_core::SC_NS, false);
  heddle::TOP dut("dut", side);
  dut.clk(clk);
  bench b("bench", dut, around, argc > 5 ? cycles / 2 : 0);
  b.clk(clk);
#ifdef AXI_CHECKER
  axi_watch<heddle::TOP> watch("watch", clk, b.rst, [&b](const char *pin) { return b.by_name.at(pin); });
#endif
  bool good = true;
  const std::clock_t start = std::clock();
  try {
    sc_core::sc_start(sc_core::sc_time(10.0 * (double)(cycles + RESET_EDGES), sc_core::SC_NS));
    sc_core::sc_stop();
  } catch (const sc_core::sc_report &r) {
    fprintf(stderr, "%s: %s\n", r.get_msg_type(), r.get_msg());
    good = false;
  }
  const double seconds = (double)(std::clock() - start) / CLOCKS_PER_SEC;
  const uint64_t checked = surround_checked(around);
  if (good && (!checked || (side == heddle::side::both && !dut.values()))) {
    fprintf(stderr, "nothing was checked\n");
    good = false;
  }
  printf("%s cycles %" PRIu64 " facts %" PRIu64 " hash %016" PRIx64 "\n", TEXT(TOP), b.edges - RESET_EDGES,
         checked, b.hash);
  fprintf(stderr, "%s %s: %.0f cycles a second of processor time, %" PRIu64 " values compared\n", TEXT(TOP),
          argv[1], (double)b.edges / seconds, dut.values());
  surround_close(around);
  return !good;
}
