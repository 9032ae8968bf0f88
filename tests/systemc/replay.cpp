/* The cost of SystemC around a module: the stimulus of a test bench (heddle gen --testbench) on TOP, as fast as a bench can apply
 * it. The inputs are the same for each of these, and so must the outputs be:
 *
 *   -DREPLAY_CC          Verilator's --cc: variables are set, two evaluations a cycle
 *   -DREPLAY_VERILATOR   Verilator's --sc: a signal for each pin, of the types that its options say
 *   neither              the class that heddle gen --systemc writes, likewise, by `rtl` or `golden`; and by `model` what is behind the
 *                        latter, the golden model of libheddle without SystemC
 *
 * ports.h has a line IN(name, bits) or OUT(name, bits) for each pin of TOP, in the order of the test bench (tests/systemc/check).
 *
 * usage: replay IN.hex ROUNDS [rtl|golden|model]      each round begins with a reset
 * prints: a hash of all outputs in every 64th cycle; on stderr cycles a second of processor time
 */
#define TEXT(x) TEXT_(x)
#define TEXT_(x) #x
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
#define HEADER_(x) TEXT_(V##x.h)
#define HEADER(x) HEADER_(x)
#define CLASS_HEADER_(x) TEXT_(x##_sc.h)
#define CLASS_HEADER(x) CLASS_HEADER_(x)

#ifdef REPLAY_CC
#include HEADER(TOP)
#else
#include <systemc.h> /* Verilator 5.006 needs its names without a namespace */
#ifdef REPLAY_VERILATOR
#include HEADER(TOP)
#else
#include CLASS_HEADER(TOP)
#endif
#endif

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

enum { RESET_EDGES = 3, SAMPLE = 64 };

/* The values of a pin in all cycles, as words, the least significant first. */
struct stream {
  unsigned bits, words;
  std::vector<uint32_t> all;
  const uint32_t *at(size_t cycle) const { return all.data() + cycle * words; }
};

/* Reads the inputs. A line of the file is a cycle: all inputs, the first in the lowest bits. */
static std::vector<stream> read_inputs(const char *path, const std::vector<unsigned> &widths,
                                       size_t *cycles) {
  std::vector<stream> in;
  for (unsigned w : widths)
    in.push_back({w, (w + 31) / 32, {}});
  std::ifstream file(path);
  std::string line;
  for (*cycles = 0; std::getline(file, line) && !line.empty(); ++*cycles) {
    size_t bit = 0;
    for (stream &s : in) {
      const size_t first = s.all.size();
      s.all.resize(first + s.words, 0);
      for (unsigned i = 0; i < s.bits; i++, bit++) {
        const char c = line[line.size() - 1 - bit / 4];
        const unsigned digit = static_cast<unsigned>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        s.all[first + i / 32] |= (digit >> bit % 4 & 1) << i % 32;
      }
    }
  }
  return in;
}

static uint64_t hash = 14695981039346656037u;
static void mix(uint64_t v) {
  hash = (hash ^ v) * 1099511628211u;
}

static std::vector<unsigned> widths() {
  return {
#define IN(name, bits) bits,
#define OUT(name, bits)
#include "ports.h"
#undef IN
#undef OUT
  };
}

static int said(size_t cycles, std::clock_t start) {
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  std::printf("hash %016" PRIx64 " of %zu cycles\n", hash, cycles);
  std::fprintf(stderr, "%.0f cycles a second of processor time\n", static_cast<double>(cycles) / seconds);
  return cycles == 0;
}

#ifdef REPLAY_CC

template <class V> static void set(V &variable, const uint32_t *w) {
  if constexpr (std::is_integral_v<V>)
    variable = static_cast<V>(sizeof(V) > 4 ? static_cast<uint64_t>(w[1]) << 32 | w[0] : w[0]);
  else
    std::memcpy(variable.data(), w, sizeof variable);
}
template <class V> static void mix_variable(const V &variable, unsigned bits) {
  if constexpr (std::is_integral_v<V>)
    mix(variable);
  else
    for (unsigned i = 0; i < (bits + 31) / 32; i++)
      mix(variable.data()[i]);
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  size_t cycles, all = 0;
  const std::vector<stream> in = read_inputs(argv[1], widths(), &cycles);
  JOINED(V, TOP) top;
  const std::clock_t start = std::clock();
  for (int round = std::atoi(argv[2]); round > 0; round--)
    for (size_t edge = 0; edge < cycles + RESET_EDGES; edge++) {
      const size_t cycle = edge < RESET_EDGES ? 0 : edge - RESET_EDGES;
      const stream *s = in.data();
      top.rst = edge < RESET_EDGES;
#define IN(name, bits) set(top.name, (s++)->at(cycle));
#define OUT(name, bits)
#include "ports.h"
#undef IN
#undef OUT
      top.clk = 0;
      top.eval();
      if (edge >= RESET_EDGES && ++all % SAMPLE == 0) {
#define IN(name, bits)
#define OUT(name, bits) mix_variable(top.name, bits);
#include "ports.h"
#undef IN
#undef OUT
      }
      top.clk = 1;
      top.eval();
    }
  return said(all, start);
}

#else

template <class T> struct value;
template <> struct value<bool> {
  static bool of(const uint32_t *w) { return w[0]; }
  static void mix_in(bool v) { mix(v); }
};
template <> struct value<uint32_t> {
  static uint32_t of(const uint32_t *w) { return w[0]; }
  static void mix_in(uint32_t v) { mix(v); }
};
template <> struct value<uint64_t> {
  static uint64_t of(const uint32_t *w) { return static_cast<uint64_t>(w[1]) << 32 | w[0]; }
  static void mix_in(uint64_t v) { mix(v); }
};
template <int W> struct value<sc_dt::sc_uint<W>> {
  static sc_dt::sc_uint<W> of(const uint32_t *w) {
    return W > 32 ? static_cast<uint64_t>(w[W > 32]) << 32 | w[0] : w[0];
  }
  static void mix_in(const sc_dt::sc_uint<W> &v) { mix(v.to_uint64()); }
};
template <int W> struct value<sc_dt::sc_bv<W>> {
  static sc_dt::sc_bv<W> of(const uint32_t *w) {
    sc_dt::sc_bv<W> v;
    for (int i = 0; i < (W + 31) / 32; i++)
      v.set_word(i, w[i]);
    return v;
  }
  static void mix_in(const sc_dt::sc_bv<W> &v) {
    if (W <= 64)
      mix(v.to_uint64());
    else
      for (int i = 0; i < (W + 31) / 32; i++)
        mix(v.get_word(i));
  }
};
/* The type that a port carries; Verilator's ports are references. */
template <class P> struct carried;
template <class P> struct carried<P &> : carried<P> {};
template <class T> struct carried<sc_core::sc_in<T>> { using type = T; };
template <class T> struct carried<sc_core::sc_out<T>> { using type = T; };

#ifdef REPLAY_VERILATOR
using top_class = JOINED(V, TOP);
#else
using top_class = heddle::TOP;
#endif

struct bench : sc_core::sc_module {
  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_signal<bool> rst{"rst", true};
#define IN(name, bits) sc_core::sc_signal<carried<decltype(top_class::name)>::type> name{#name};
#define OUT IN
#include "ports.h"
#undef IN
#undef OUT
  const std::vector<stream> &in;
  const size_t cycles;
  int rounds;
  size_t edges = 0, all = 0;
  SC_HAS_PROCESS(bench);

  bench(const sc_core::sc_module_name &name, top_class &top, const std::vector<stream> &in, size_t cycles,
        int rounds)
      : sc_module(name), in(in), cycles(cycles), rounds(rounds) {
    top.rst(rst);
#define IN(name, bits) top.name(this->name);
#define OUT IN
#include "ports.h"
#undef IN
#undef OUT
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
  }
  void edge() {
    if (edges > RESET_EDGES && ++all % SAMPLE == 0) {
#define IN(name, bits)
#define OUT(name, bits) value<carried<decltype(top_class::name)>::type>::mix_in(name.read());
#include "ports.h"
#undef IN
#undef OUT
    }
    if (edges == cycles + RESET_EDGES) {
      edges = 0;
      if (!--rounds) {
        sc_core::sc_stop();
        return;
      }
    }
    const size_t cycle = edges < RESET_EDGES ? 0 : edges - RESET_EDGES;
    const stream *s = in.data();
    rst.write(edges < RESET_EDGES);
#define IN(name, bits) name.write(value<carried<decltype(top_class::name)>::type>::of((s++)->at(cycle)));
#define OUT(name, bits)
#include "ports.h"
#undef IN
#undef OUT
    edges++;
  }
};

static void simulate(top_class &top, const std::vector<stream> &in, size_t cycles, int rounds, size_t *all) {
  sc_core::sc_clock clk("clk", 10, sc_core::SC_NS, 0.5, 5, sc_core::SC_NS, false);
  top.clk(clk);
  bench b("bench", top, in, cycles, rounds);
  b.clk(clk);
  sc_core::sc_start();
  *all = b.all;
}

#ifndef REPLAY_VERILATOR
static void step_model(const std::vector<stream> &in, size_t cycles, int rounds, size_t *all) {
  heddle_machine *machine;
  heddle_model *m = nullptr;
  if (heddle_load_text(heddle::TOP::machine(), TEXT(TOP), nullptr, 0, &machine) ||
      heddle_open(machine, TEXT(TOP), 0, &m)) {
    std::fprintf(stderr, "%s%s\n", heddle_machine_message(machine), m ? heddle_model_message(m) : "");
    std::exit(2);
  }
  std::vector<size_t> inputs;
  std::vector<std::pair<size_t, unsigned>> outputs; /* and their number of words */
#define IN(name, bits) inputs.push_back(heddle_find(m, #name));
#define OUT(name, bits) outputs.push_back({heddle_find(m, #name), (bits + 31) / 32});
#include "ports.h"
#undef IN
#undef OUT
  uint32_t words[64];
  for (; rounds > 0; rounds--) {
    heddle_reset(m);
    for (size_t cycle = 0; cycle < cycles; cycle++) {
      for (size_t i = 0; i < inputs.size(); i++)
        heddle_set(m, inputs[i], 0, in[i].at(cycle));
      heddle_eval(m);
      if (++*all % SAMPLE == 0)
        for (const auto &[value, n] : outputs) {
          heddle_get(m, value, 0, words);
          if (n <= 2)
            mix(n > 1 ? static_cast<uint64_t>(words[1]) << 32 | words[0] : words[0]);
          else
            for (unsigned i = 0; i < n; i++)
              mix(words[i]);
        }
      heddle_tick(m);
    }
  }
  heddle_close(m);
  heddle_unload(machine);
}
#endif

int sc_main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  size_t cycles, all = 0;
  const std::vector<stream> in = read_inputs(argv[1], widths(), &cycles);
  const std::string side = argc > 3 ? argv[3] : "rtl";
  const int rounds = std::atoi(argv[2]);
#ifdef REPLAY_VERILATOR
  top_class top("top");
#else
  if (side == "model") {
    const std::clock_t start = std::clock();
    step_model(in, cycles, rounds, &all);
    return said(all, start);
  }
  top_class top("top", side == "golden" ? heddle::side::golden : heddle::side::rtl);
#endif
  const std::clock_t start = std::clock();
  simulate(top, in, cycles, rounds, &all);
  return said(all, start);
}

#endif
