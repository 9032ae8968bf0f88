/* An SM for SystemC platforms: the SM of `heddle sim`, on any workload or trace.
 *
 * Invariant: the SM checks every answer (heddle_sm_clock). It reports a wrong answer as a SystemC error, "/heddle/sm".
 */
#ifndef HEDDLE_SM_H
#define HEDDLE_SM_H

#include "heddle_wires.h"

namespace heddle {

/* A module that drives pins. edge() is called at a clock edge: the cycle ends, and all pins have settled. drive() is called a delta
 * cycle later: the next cycle begins, and the outputs that depend on registers alone are valid. */
class clocked : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clk{"clk"}, rst{"rst"};
  clocked(const clocked &) = delete;
  clocked &operator=(const clocked &) = delete;

protected:
  explicit clocked(const sc_core::sc_module_name &name);
  virtual void edge() = 0;
  virtual void drive() = 0;
  bool in_reset_ = false; /* rst was 1 at the last edge */

private:
  void at_edge();
  void after_edge() { drive(); }
  sc_core::sc_event shown_;
};

/* The SM of a machine, on sm_mem's pins. It drives all inputs but those of the memory side (mreq_ready, mrsp_...). A reset starts
 * the workload again. After the first error it drives nothing more. */
class sm : public clocked {
public:
  /* `machine`: the same configuration as that of sm_mem (heddle::machine_of). */
  sm(const sc_core::sc_module_name &name, wires &pins, const char *machine, const std::string &workload);
  ~sm() override;

  /* True if the workload has ended and all requests are answered, or if failed(). */
  bool done() const { return done_; }
  bool failed() const { return failed_; }     /* true if a check has failed */
  uint64_t cycles() const { return cycles_; } /* since the last reset, like instructions() */
  uint64_t instructions() const { return heddle_sm_instructions(sm_); } /* warp instructions */
  uint64_t checked() const { return heddle_sm_checked(sm_); }           /* the number of facts checked */
  sc_core::sc_event ended;                                              /* notified once done() is true */

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
