/* An SM for SystemC platforms: the one that `heddle sim` has, on any workload or trace, and a wire for each pin of sm_mem.
 *
 * Invariant: the SM checks every answer (heddle_sm_clock); what is wrong is an error of SystemC, "/heddle/sm".
 */
#ifndef HEDDLE_SM_H
#define HEDDLE_SM_H

#include <cstring>
#include <functional>
#include <map>
#include <string>

#include "heddle_sc.h"

namespace heddle {

/* A wire and its value as 32-bit words, the least significant first. */
struct wire {
  unsigned bits;
  std::function<void(uint32_t *)> get;
  std::function<void(const uint32_t *)> set;
  std::shared_ptr<void> signal;
  unsigned words() const { return (bits + 31) / 32; }
  uint64_t number() const { /* of at most 64 bits */
    std::vector<uint32_t> w(words() + 1);
    get(w.data());
    return bits > 32 ? (uint64_t)w[1] << 32 | w[0] : w[0];
  }
  void number(uint64_t v) const {
    std::vector<uint32_t> w(words() + 1);
    w[0] = (uint32_t)v;
    w[1] = (uint32_t)(v >> 32);
    set(w.data());
  }
};

/* A wire for each pin of a module but clk and rst, by the pin's name. */
class wires : public sc_core::sc_module {
public:
  template <class Module> wires(const sc_core::sc_module_name &name, Module &module) : sc_module(name) {
    module.each_port([this](auto &port, bool) { connect(port); });
  }
  bool has(const std::string &pin) const { return wire_.count(pin); }
  const wire &operator[](const std::string &pin) const { return wire_.at(pin); }
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

/* What drives pins: at an edge a cycle ends, and all pins are what they have settled to; a delta cycle later the next begins, and the
 * outputs that follow from registers are there. */
class clocked : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clk{"clk"}, rst{"rst"};
  clocked(const clocked &) = delete;
  clocked &operator=(const clocked &) = delete;

protected:
  explicit clocked(const sc_core::sc_module_name &name);
  virtual void edge() = 0;
  virtual void drive() = 0;
  bool in_reset_ = false; /* at the last edge */

private:
  void at_edge();
  void after_edge() { drive(); }
  sc_core::sc_event shown_;
};

/* The SM of a machine, on sm_mem's pins: all inputs but those of the memory side (mreq_ready, mrsp_...) are driven here. A reset
 * starts the workload anew. After the first error it drives no more. */
class sm : public clocked {
public:
  /* `machine`: the same configuration as that of sm_mem (heddle::machine_of). */
  sm(const sc_core::sc_module_name &name, wires &pins, const char *machine, const std::string &workload);
  ~sm() override;

  bool done() const { return done_; }         /* the workload has ended, and all is answered; or failed() */
  bool failed() const { return failed_; }     /* a check has failed */
  uint64_t cycles() const { return cycles_; } /* since the last reset, as instructions() */
  uint64_t instructions() const { return heddle_sm_instructions(sm_); } /* of warps */
  uint64_t checked() const { return heddle_sm_checked(sm_); }           /* facts */
  sc_core::sc_event ended;                                              /* it is done */

private:
  struct pin_of {
    size_t value;
    const wire *at;
  };
  void hear(const std::vector<pin_of> &pins, bool outputs);
  void edge() override;
  void clock();
  void restart();
  void end();
  void fail();
  void drive() override;
  heddle_machine *machine_ = nullptr;
  heddle_model *ports_ = nullptr; /* holds the values of the pins; is not stepped */
  heddle_sm *sm_ = nullptr;
  std::vector<pin_of> outputs_, memory_, driven_;
  uint64_t cycles_ = 0;
  bool started_ = false, done_ = false, failed_ = false;
  std::vector<uint32_t> words_;
};

} // namespace heddle

#endif
