/* The base class of every SystemC module that `heddle gen --systemc` writes: pins, and behind them the Verilated RTL, the golden
 * model of libheddle, or both in lockstep.
 *
 * C++17; SystemC 2.3.3 and later. One clock must drive all modules. A clock that is copied through a signal comes a delta cycle
 * late, and a module on it then samples the inputs of the next cycle.
 *
 * Invariant: at a rising edge of clk a module samples its inputs as they are before that edge. A delta cycle later its outputs
 * have the values of the next cycle. An output that depends on inputs of the same cycle follows them by a delta cycle.
 */
#ifndef HEDDLE_SC_H
#define HEDDLE_SC_H

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include <systemc>

#include <heddle.h>

namespace heddle {

/* The model behind the pins. */
enum class side {
  rtl,    /* the Verilated RTL */
  golden, /* the golden model */
  both /* the RTL, and the golden model beside it: outputs, registers and memories must be equal in every cycle */
};

/* A port, and the index of its value in the golden model. */
struct pin {
  explicit pin(size_t value) : value(value) {}
  pin(const pin &) = delete;
  pin &operator=(const pin &) = delete;
  virtual ~pin() = default;
  virtual void take(heddle_model *m) const = 0;            /* copies an input from the port into the model */
  virtual void give(heddle_model *m) const = 0;            /* copies an output from the model to the port */
  virtual bool same(heddle_model *m) const = 0;            /* true if port and model have the same value */
  virtual std::string text() const = 0;                    /* the port's value, as text */
  virtual std::string expected(heddle_model *m) const = 0; /* the model's value, as text */
  const size_t value;
};

/* A port, and its variable in the Verilated RTL. move() copies an input into the variable, and an output out of it. */
struct rtl_pin {
  rtl_pin() = default;
  rtl_pin(const rtl_pin &) = delete;
  rtl_pin &operator=(const rtl_pin &) = delete;
  virtual ~rtl_pin() = default;
  virtual void move() = 0;
};

class pins : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clk{"clk"}; /* rising edge */
  sc_core::sc_in<bool> rst{"rst"}; /* synchronous, active high */

  ~pins() override;
  pins(const pins &) = delete;
  pins &operator=(const pins &) = delete;

  heddle::side side() const { return side_; }
  /* Returns the golden model, for its state and events; nullptr with side::rtl. */
  heddle_model *model() const { return model_; }

  /* For side::both. The first difference is reported as a SystemC error, "/heddle/mismatch". Then the RTL goes on alone. */
  uint64_t values() const;                    /* the number of values compared */
  bool mismatch() const { return mismatch_; } /* true after a difference */

  /* heddle_peek of the model behind the pins; works with the RTL too. Returns false if the module is not l2_top. */
  bool peek(uint64_t line, uint8_t *bytes, uint8_t *known);

protected:
  /* `top` is the module's name, `machine` the text of its configuration. */
  pins(const sc_core::sc_module_name &name, heddle::side side, const char *top, const char *machine);

  /* To be called once for each port. `mealy`: an output that depends on inputs of the same cycle, or one of these inputs. */
  template <class T> void add(sc_core::sc_in<T> &port, bool mealy);
  template <class T> void add(sc_core::sc_out<T> &port, bool mealy);
  /* To be called once for each port, if there is RTL. `variable` is the port's variable in Verilator's class. */
  template <class T, class V> void join(sc_core::sc_in<T> &port, V &variable, bool mealy);
  template <class T, class V> void join(sc_core::sc_out<T> &port, V &variable, bool mealy);
  /* To be called after add and join. evaluate(clk, rst) evaluates the RTL once; empty if there is no RTL. The RTL has this module's
   * name in Verilator. */
  void start(std::function<void(bool, bool)> evaluate);

private:
  size_t index_of(const sc_core::sc_object &port) const;
  void edge();
  void model_edge();
  void rtl_edge();
  void settle();
  void make_model(heddle_model **model);
  void join(heddle_model *model, heddle_lockstep **lockstep);
  void compare_outputs();
  void compare_state();
  void differ(const std::string &what);
  void end_of_simulation() override;

  const heddle::side side_;
  const std::string top_, text_; /* text_: the configuration */
  heddle_machine *machine_ = nullptr;
  heddle_model *model_ = nullptr;
  heddle_lockstep *lockstep_ = nullptr;
  heddle_model *seen_ = nullptr; /* peek copies the RTL's state into this model when no model is stepped */
  heddle_lockstep *seeing_ = nullptr;
  std::string scope_; /* the Verilator scope of the RTL's top */
  std::function<void(bool, bool)> evaluate_;
  std::vector<std::unique_ptr<rtl_pin>> rtl_pins_;
  std::vector<rtl_pin *> rtl_inputs_, rtl_outputs_, rtl_mealy_inputs_,
      rtl_mealy_outputs_; /* rtl_outputs_ has no Mealy outputs; rtl_inputs_ has all inputs */
  std::vector<std::unique_ptr<pin>> inputs_, outputs_;
  std::vector<const pin *> mealy_inputs_, moore_outputs_, mealy_outputs_;
  std::vector<sc_core::sc_port_base *> mealy_ports_;
  sc_core::sc_event edged_;
  uint64_t cycles_ = 0, values_ = 0; /* values_: those compared at the pins */
  bool mismatch_ = false, reset_seen_ = false, in_reset_ = false;
};

/* --- values of the model and of SystemC ------------------------------------------------------------------ */

/* Converts a port's type (bool, sc_uint<2> to sc_uint<64>, sc_bv<65> and wider) to and from 32-bit words, the least first. */
template <class T> struct bits;
template <> struct bits<bool> {
  enum { WIDTH = 1, WORDS = 1 };
  static void words(bool v, uint32_t *w) { w[0] = v; }
  static bool value(const uint32_t *w) { return w[0] & 1; }
  static std::string text(bool v) { return v ? "1" : "0"; }
};
template <int W> struct bits<sc_dt::sc_uint<W>> {
  enum { WIDTH = W, WORDS = (W + 31) / 32 };
  static void words(const sc_dt::sc_uint<W> &v, uint32_t *w) {
    const uint64_t n = v.to_uint64();
    for (int k = 0; k < WORDS; k++)
      w[k] = (uint32_t)(n >> 32 * k);
  }
  static sc_dt::sc_uint<W> value(const uint32_t *w) {
    return WORDS > 1 ? (uint64_t)w[WORDS - 1] << 32 | w[0] : w[0];
  }
  static std::string text(const sc_dt::sc_uint<W> &v) { return v.to_string(sc_dt::SC_HEX); }
};
template <int W> struct bits<sc_dt::sc_bv<W>> {
  enum { WIDTH = W, WORDS = (W + 31) / 32 };
  static void words(const sc_dt::sc_bv<W> &v, uint32_t *w) {
    for (int k = 0; k < WORDS; k++)
      w[k] = v.get_word(k);
  }
  static sc_dt::sc_bv<W> value(const uint32_t *w) {
    sc_dt::sc_bv<W> v;
    for (int k = 0; k < WORDS; k++)
      v.set_word(k, w[k]);
    return v;
  }
  static std::string text(const sc_dt::sc_bv<W> &v) { return v.to_string(sc_dt::SC_HEX); }
};
template <class T> void to_model(heddle_model *m, size_t value, const T &v) {
  uint32_t words[bits<T>::WORDS];
  bits<T>::words(v, words);
  heddle_set(m, value, 0, words);
}
template <class T> T of_model(heddle_model *m, size_t value) {
  uint32_t words[bits<T>::WORDS];
  heddle_get(m, value, 0, words);
  return bits<T>::value(words);
}

template <class T> struct pin_in final : pin {
  pin_in(size_t value, sc_core::sc_in<T> &port) : pin(value), port(port) {}
  void take(heddle_model *m) const override { to_model<T>(m, value, port.read()); }
  void give(heddle_model *) const override {}
  bool same(heddle_model *) const override { return true; }
  std::string text() const override { return bits<T>::text(port.read()); }
  std::string expected(heddle_model *m) const override { return bits<T>::text(of_model<T>(m, value)); }
  sc_core::sc_in<T> &port;
};
/* Writes a port only when its value changes, since most of the cost of a wide port is SystemC's copy of it. */
template <class T> struct written {
  explicit written(sc_core::sc_out<T> &port) : port(port) {}
  void write(const uint32_t *words) {
    if (known && !std::memcmp(last, words, sizeof last))
      return;
    known = true;
    std::memcpy(last, words, sizeof last);
    port.write(bits<T>::value(words));
  }
  sc_core::sc_out<T> &port;
  uint32_t last[bits<T>::WORDS];
  bool known = false;
};
template <class T> struct pin_out final : pin {
  pin_out(size_t value, sc_core::sc_out<T> &port) : pin(value), port(port), out(port) {}
  void take(heddle_model *) const override {}
  void give(heddle_model *m) const override {
    uint32_t words[bits<T>::WORDS];
    heddle_get(m, value, 0, words);
    out.write(words);
  }
  bool same(heddle_model *m) const override { return port.read() == of_model<T>(m, value); }
  std::string text() const override { return bits<T>::text(port.read()); }
  std::string expected(heddle_model *m) const override { return bits<T>::text(of_model<T>(m, value)); }
  sc_core::sc_out<T> &port;
  mutable written<T> out;
};

/* Verilator stores a variable as an unsigned integer of up to 64 bits, and a wider one as VlWide: words with the least first. */
template <class T, class V> struct rtl_in final : rtl_pin {
  rtl_in(sc_core::sc_in<T> &port, V &variable) : port(port), variable(variable) {}
  void move() override {
    if constexpr (std::is_integral_v<V>) {
      uint32_t words[2] = {0, 0};
      bits<T>::words(port.read(), words);
      variable = static_cast<V>((uint64_t)words[1] << 32 | words[0]);
    } else {
      bits<T>::words(port.read(), variable.data());
    }
  }
  sc_core::sc_in<T> &port;
  V &variable;
};
template <class T, class V> struct rtl_out final : rtl_pin {
  rtl_out(sc_core::sc_out<T> &port, V &variable) : out(port), variable(variable) {}
  void move() override {
    if constexpr (std::is_integral_v<V>) {
      const uint64_t v = variable;
      const uint32_t words[2] = {(uint32_t)v, (uint32_t)(v >> 32)};
      out.write(words);
    } else {
      out.write(variable.data());
    }
  }
  written<T> out;
  V &variable;
};

template <class T> void pins::add(sc_core::sc_in<T> &port, bool mealy) {
  if (mealy)
    mealy_ports_.push_back(&port);
  if (!model_)
    return;
  inputs_.push_back(std::make_unique<pin_in<T>>(index_of(port), port));
  if (mealy)
    mealy_inputs_.push_back(inputs_.back().get());
}
template <class T> void pins::add(sc_core::sc_out<T> &port, bool mealy) {
  if (!model_)
    return;
  outputs_.push_back(std::make_unique<pin_out<T>>(index_of(port), port));
  (mealy ? mealy_outputs_ : moore_outputs_).push_back(outputs_.back().get());
}
template <class T, class V> void pins::join(sc_core::sc_in<T> &port, V &variable, bool mealy) {
  rtl_pins_.push_back(std::make_unique<rtl_in<T, V>>(port, variable));
  rtl_inputs_.push_back(rtl_pins_.back().get());
  if (mealy)
    rtl_mealy_inputs_.push_back(rtl_pins_.back().get());
}
template <class T, class V> void pins::join(sc_core::sc_out<T> &port, V &variable, bool mealy) {
  rtl_pins_.push_back(std::make_unique<rtl_out<T, V>>(port, variable));
  (mealy ? rtl_mealy_outputs_ : rtl_outputs_).push_back(rtl_pins_.back().get());
}

} // namespace heddle

#endif
