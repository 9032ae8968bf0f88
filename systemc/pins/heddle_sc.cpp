/* Pins with a golden model or RTL behind them, and the lockstep of both; see heddle_sc.h. */
#ifndef HEDDLE_NO_RTL
#include <verilated.h> /* must come before SystemC, whose names it would take for its own */
#include <verilated_syms.h>
#endif

#include "heddle_sc.h"

namespace heddle {

namespace {

#ifndef HEDDLE_NO_RTL
/* Finds a variable of the Verilated RTL; `user` is the scope of its top. Returns 0 if there is none. */
int find_rtl(void *user, const char *path, const char *name, heddle_rtl_variable *variable) {
  const std::string scope = *static_cast<const std::string *>(user) + path;
  const VerilatedScope *s = Verilated::threadContextp()->scopeFind(scope.c_str());
  const VerilatedVar *v = s ? s->varFind(name) : nullptr;
  if (!v)
    return 0;
  variable->data = static_cast<uint8_t *>(v->datap());
  variable->bytes = v->entSize();
  variable->bits = static_cast<unsigned>(v->packed().elements());
  variable->rows = v->udims() ? static_cast<unsigned>(v->unpacked().elements()) : 1;
  return 1;
}
#endif

/* All rows of all memories are compared once in so many cycles. In other cycles only the written rows are. */
constexpr uint64_t SWEEP = 10000;

} // namespace

pins::pins(const sc_core::sc_module_name &name, heddle::side side, const char *top, const char *machine)
    : sc_module(name), side_(side), top_(top), text_(machine) {
#ifdef HEDDLE_NO_RTL
  if (side != side::golden)
    SC_REPORT_FATAL("/heddle/side",
                    (top_ + " was compiled with HEDDLE_NO_RTL: it has side::golden alone").c_str());
#endif
  if (side != side::rtl)
    make_model(&model_);
}

void pins::make_model(heddle_model **model) {
  if (!machine_ && heddle_load_text(text_.c_str(), top_.c_str(), nullptr, 0, &machine_) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/machine", heddle_machine_message(machine_));
  if (heddle_open(machine_, top_.c_str(), 0, model) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/model", heddle_model_message(*model));
}

/* Connects a model with the Verilated RTL. */
void pins::join(heddle_model *model, heddle_lockstep **lockstep) {
#ifndef HEDDLE_NO_RTL
  if (heddle_lockstep_open(model, find_rtl, &scope_, lockstep) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/lockstep", heddle_lockstep_message(*lockstep));
#else
  (void)model, (void)lockstep;
#endif
}

pins::~pins() {
  heddle_lockstep_close(lockstep_);
  heddle_lockstep_close(seeing_);
  heddle_close(seen_);
  heddle_close(model_);
  heddle_unload(machine_);
}

size_t pins::index_of(const sc_core::sc_object &port) const {
  const size_t value = heddle_find(model_, port.basename());
  if (value == HEDDLE_NONE)
    SC_REPORT_FATAL("/heddle/model", heddle_model_message(model_));
  return value;
}

void pins::start(std::function<void(bool, bool)> evaluate) {
  scope_ = std::string(name()) + "." + top_;
  evaluate_ = std::move(evaluate);
  if (evaluate_)
    evaluate_(false, true); /* Verilator detects an edge by comparing with the evaluation before */
  if (side_ == side::both)
    join(model_, &lockstep_);
  SC_HAS_PROCESS(pins);
  SC_METHOD(edge);
  sensitive << clk.pos();
  dont_initialize();
  SC_METHOD(settle);
  sensitive << edged_;
  for (sc_core::sc_port_base *port : mealy_ports_)
    sensitive << *port;
  dont_initialize();
  if (side_ == side::both) {
    SC_METHOD(compare_state);
    sensitive << edged_;
    dont_initialize();
  }
}

/* The clock edge. Inputs still have the values from before it, and outputs have settled. */
void pins::edge() {
  if (model_ && !mismatch_)
    model_edge();
  if (evaluate_)
    rtl_edge();
  edged_.notify(sc_core::SC_ZERO_TIME);
}

void pins::model_edge() {
  for (const auto &pin : inputs_)
    pin->take(model_);
  if (rst.read()) {
    heddle_reset(model_);
    reset_seen_ = true;
    in_reset_ = true;
  } else {
    in_reset_ = false;
    heddle_eval(model_);
    if (side_ == side::both && reset_seen_)
      compare_outputs();
    heddle_tick(model_);
    cycles_++;
  }
  if (side_ == side::golden)
    for (const pin *pin : moore_outputs_)
      pin->give(model_);
}

void pins::rtl_edge() {
  for (rtl_pin *w : rtl_inputs_)
    w->move();
  evaluate_(true, rst.read());
  for (rtl_pin *w : rtl_outputs_)
    w->move();
}

/* Called after an edge, and whenever an input changes on which an output of the same cycle depends. */
void pins::settle() {
  if (evaluate_) {
    for (rtl_pin *w : rtl_mealy_inputs_)
      w->move();
    evaluate_(false, rst.read());
    for (rtl_pin *w : rtl_mealy_outputs_)
      w->move();
    return;
  }
  for (const pin *pin : mealy_inputs_)
    pin->take(model_);
  heddle_eval(model_);
  for (const pin *pin : mealy_outputs_)
    pin->give(model_);
}

/* --- lockstep -------------------------------------------------------------------------------------------- */

void pins::differ(const std::string &what) {
  mismatch_ = true;
  SC_REPORT_ERROR("/heddle/mismatch",
                  ("cycle " + std::to_string(cycles_) + " of " + top_ + ": " + what).c_str());
}

void pins::compare_outputs() {
  for (const auto &pin : outputs_)
    if (!pin->same(model_)) {
      const std::string rtl = pin->text();
      differ(std::string("output ") + heddle_value_at(model_, pin->value)->name + ": RTL " + rtl +
             ", golden model " + pin->expected(model_));
      return;
    }
  values_ += outputs_.size();
}

/* Called after an edge, before the RTL has its next one. */
void pins::compare_state() {
  if (mismatch_)
    return;
  if (in_reset_)
    heddle_lockstep_align(lockstep_);
  if (reset_seen_ && !heddle_lockstep_same(lockstep_, in_reset_ || cycles_ % SWEEP == 0))
    differ(heddle_lockstep_message(lockstep_));
}

void pins::end_of_simulation() {
  if (lockstep_ && !mismatch_ && reset_seen_ && !heddle_lockstep_same(lockstep_, 1))
    differ(heddle_lockstep_message(lockstep_));
}

/* After a mismatch the model is not stepped any more, so its state is not used: the RTL's state is copied. */
bool pins::peek(uint64_t line, uint8_t *bytes, uint8_t *known) {
  if (model_ && !mismatch_)
    return heddle_peek(model_, line, bytes, known) == HEDDLE_OK;
  if (!seen_) {
    make_model(&seen_);
    join(seen_, &seeing_);
  }
  heddle_lockstep_copy(seeing_);
  return heddle_peek(seen_, line, bytes, known) == HEDDLE_OK;
}

uint64_t pins::values() const {
  return values_ + (lockstep_ ? heddle_lockstep_values(lockstep_) : 0);
}

} // namespace heddle
