/* An SM on the pins of sm_mem; see heddle_sm.h. */
#include "heddle_sm.h"

namespace heddle {

clocked::clocked(const sc_core::sc_module_name &name) : sc_module(name) {
  SC_HAS_PROCESS(clocked);
  SC_METHOD(at_edge);
  sensitive << clk.pos();
  dont_initialize();
  SC_METHOD(after_edge);
  sensitive << shown_;
  dont_initialize();
}

void clocked::at_edge() {
  shown_.notify(sc_core::SC_ZERO_TIME);
  in_reset_ = rst.read();
  edge();
}

static bool of_memory_side(const std::string &pin) {
  return pin == "mreq_ready" || pin.rfind("mrsp_", 0) == 0;
}

sm::sm(const sc_core::sc_module_name &name, wires &pins, const char *machine, const std::string &workload)
    : clocked(name) {
  if (heddle_load_text(machine, "machine", nullptr, 0, &machine_) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/machine", heddle_machine_message(machine_));
  if (heddle_open(machine_, "sm_mem", 0, &ports_) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/model", heddle_model_message(ports_));
  if (heddle_sm_open(ports_, workload.c_str(), &sm_) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/sm", heddle_sm_message(sm_));
  unsigned most = 2;
  for (const auto &[pin, wire] : pins.all()) {
    const size_t value = heddle_find(ports_, pin.c_str());
    if (value == HEDDLE_NONE)
      SC_REPORT_FATAL("/heddle/model", heddle_model_message(ports_));
    (!pins.is_input(pin) ? outputs_ : of_memory_side(pin) ? memory_ : driven_).push_back({value, &wire});
    most = wire.words() > most ? wire.words() : most;
  }
  words_.resize(most);
}

sm::~sm() {
  heddle_sm_close(sm_);
  heddle_close(ports_);
  heddle_unload(machine_);
}

/* Copies the values of the wires into the ports, or outputs into the SM. */
void sm::hear(const std::vector<pin_of> &pins, bool outputs) {
  for (const pin_of &pin : pins) {
    pin.at->get(words_.data());
    if (outputs)
      heddle_sm_hear(sm_, pin.value, words_.data());
    else
      heddle_set(ports_, pin.value, 0, words_.data());
  }
}

void sm::edge() {
  if (failed_)
    return;
  if (in_reset_ && started_)
    restart();
  else if (started_ && !done_)
    clock();
}

void sm::clock() {
  hear(outputs_, true);
  hear(memory_, false);
  const bool good = heddle_sm_clock(sm_) == HEDDLE_OK;
  cycles_++;
  if (!good)
    fail();
  else if (heddle_sm_done(sm_))
    end();
}

void sm::restart() {
  started_ = done_ = false;
  cycles_ = 0;
  if (heddle_sm_reset(sm_) != HEDDLE_OK)
    fail();
}

void sm::end() {
  done_ = true;
  ended.notify(sc_core::SC_ZERO_TIME);
}

/* Called once. The report comes last, since it may throw. */
void sm::fail() {
  failed_ = true;
  end();
  SC_REPORT_ERROR("/heddle/sm", ("cycle " + std::to_string(cycles_) + ": " + heddle_sm_message(sm_)).c_str());
}

/* In reset all inputs are 0. After the end they keep their values. */
void sm::drive() {
  if (done_)
    return;
  if (in_reset_) {
    words_.assign(words_.size(), 0);
    for (const pin_of &pin : driven_)
      pin.at->set(words_.data());
    return;
  }
  started_ = true;
  hear(outputs_, true);
  heddle_sm_drive(sm_);
  for (const pin_of &pin : driven_) {
    heddle_get(ports_, pin.value, 0, words_.data());
    pin.at->set(words_.data());
  }
}

} // namespace heddle
