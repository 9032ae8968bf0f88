/* A wire for each pin of a module, found by the pin's name. The wires are signals, or the ports of a golden model.
 *
 * Invariant: a wire has the width of its pin.
 */
#ifndef HEDDLE_WIRES_H
#define HEDDLE_WIRES_H

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "heddle_sc.h"

namespace heddle {

/* A wire. Its value is 32-bit words, the least significant first. */
struct wire {
  unsigned bits;
  std::function<void(uint32_t *)> get;
  std::function<void(const uint32_t *)> set;
  std::shared_ptr<void> signal;
  unsigned words() const { return (bits + 31) / 32; }
  uint64_t number() const { /* returns the lowest 64 bits */
    uint32_t few[2] = {0, 0};
    if (words() <= 2) {
      get(few);
    } else {
      std::vector<uint32_t> w(words());
      get(w.data());
      std::copy(w.begin(), w.begin() + 2, few);
    }
    return (uint64_t)few[1] << 32 | few[0];
  }
  void number(uint64_t v) const { /* sets the lowest 64 bits, and the bits above to 0 */
    uint32_t few[2] = {(uint32_t)v, (uint32_t)(v >> 32)};
    if (words() <= 2) {
      set(few);
      return;
    }
    std::vector<uint32_t> w(words());
    std::copy(few, few + 2, w.begin());
    set(w.data());
  }
};

/* A wire for each pin of a module but clk and rst, found by the pin's name. */
class wires : public sc_core::sc_module {
public:
  template <class Module> wires(const sc_core::sc_module_name &name, Module &module) : sc_module(name) {
    module.each_port([this](auto &port, bool) { connect(port); });
  }
  /* The wires are the ports of a golden model that the caller steps; there are no signals. */
  wires(const sc_core::sc_module_name &name, heddle_model *model) : sc_module(name) {
    for (size_t v = 0; v < heddle_value_count(model); v++)
      if (const heddle_value *port = heddle_value_at(model, v); port->kind <= HEDDLE_KIND_MEALY) {
        wire_[port->name] = wire{port->bits, [model, v](uint32_t *w) { heddle_get(model, v, 0, w); },
                                 [model, v](const uint32_t *w) { heddle_set(model, v, 0, w); }, nullptr};
        input_[port->name] = port->kind == HEDDLE_KIND_INPUT;
      }
  }
  bool has(const std::string &pin) const { return wire_.count(pin); }
  /* Ends with a fatal report if the module has no such pin. */
  const wire &operator[](const std::string &pin) const {
    if (!has(pin))
      SC_REPORT_FATAL("/heddle/pins",
                      (std::string(name()) + ": found no pin " + pin +
                       "; allowed: those of the module whose wires these are; is it another top?")
                          .c_str());
    return wire_.at(pin);
  }
  const std::map<std::string, wire> &all() const { return wire_; }
  bool is_input(const std::string &pin) const { return input_.count(pin) && input_.at(pin); }

private:
  template <class T> void connect(sc_core::sc_in<T> &port) {
    connect_to<T>(port);
    input_[port.basename()] = true;
  }
  template <class T> void connect(sc_core::sc_out<T> &port) { connect_to<T>(port); }
  template <class T, class Port> void connect_to(Port &port) {
    auto signal = std::make_shared<sc_core::sc_signal<T>>(port.basename());
    port(*signal);
    auto *s = signal.get();
    wire_[port.basename()] = wire{bits<T>::WIDTH, [s](uint32_t *w) { bits<T>::words(s->read(), w); },
                                  [s](const uint32_t *w) { s->write(bits<T>::value(w)); }, signal};
  }
  std::map<std::string, wire> wire_;
  std::map<std::string, bool> input_;
};

} // namespace heddle

#endif
