/* sm_mem without pins; see heddle_l1_lt.h. */
#include "heddle_l1_lt.h"

#include "heddle_line.h"

namespace heddle {

using sc_core::sc_time;
using tlm::tlm_generic_payload;

constexpr unsigned BEGIN = 4; /* cycles from the reset until a kernel runs */

l1_lt::l1_lt(const sc_core::sc_module_name &name, const char *machine, sc_time period)
    : sc_module(name), period_(period), model_(machine, "sm_mem"), pins_("pins", model_.model),
      sm_(pins_, machine, open_,
          {[](l1_pins::place) {},
           [this](l1_pins::place t, tlm::tlm_response_status status) {
             t->payload->set_response_status(status);
             open_.erase(t);
           }}),
      behind_(*this, pins_,
              [this](tlm_generic_payload &p, sc_time &delay) { memory->b_transport(p, delay); }) {
  socket.register_b_transport(this, &l1_lt::b_transport);
  socket.register_transport_dbg(this, &l1_lt::debug);
  for (unsigned i = 0; i < BEGIN; i++)
    step();
  now_ = sc_core::SC_ZERO_TIME;
}

/* Steps the model by a cycle. now_ is the edge before it, and then the edge after it. */
void l1_lt::step() {
  behind_.begin_cycle(now_);
  heddle_eval(model_.model);
  now_ += period_;
  const bool moves = sm_.edge(false);
  rests_ = behind_.end_cycle(now_) || moves ? 0 : rests_ + 1;
  heddle_tick(model_.model);
  sm_.drive(true);
}

/* Steps the model up to `begin`, the time of the next request, so that it finishes the work that follows the last answer. If the memory
 * waits meanwhile, the request begins after the wait. */
void l1_lt::pass(const sc_time &begin) {
  const auto until = [&begin] { return std::max(begin, sc_core::sc_time_stamp()); };
  while (now_ + period_ <= until()) {
    if (rests_ >= REST) {
      const sc_time next = behind_.rests_until(now_, period_);
      if (!behind_.expects() || next + period_ > until())
        break;
      now_ = next;
    }
    step();
  }
  now_ = std::max(now_, until());
}

void l1_lt::b_transport(tlm_generic_payload &p, sc_time &delay) {
  const tlm::tlm_response_status status = sm_.status_of(p);
  if (status != tlm::TLM_OK_RESPONSE) {
    refused_++;
    p.set_response_status(status);
    return;
  }
  const sc_time begin = sc_core::sc_time_stamp() + delay;
  const one_at_a_time::turn turn(calls_);
  if (failed_) {
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  pass(begin);
  open_.emplace_back();
  open_.back().payload = &p;
  open_.back().state = l1_transaction::WAITS;
  sm_.accept(); /* as if the transaction had begun before the edge at now_ */
  sm_.drive(true);
  rests_ = 0;
  for (unsigned cycles = 0; !open_.empty() && cycles < PATIENCE; cycles++) {
    if (rests_ >= REST)
      now_ = behind_.rests_until(now_, period_);
    step();
  }
  delay = ahead(now_);
  if (open_.empty())
    return;
  failed_ = true;
  never_answered(*this, p, sm_.awaited(open_.front()), behind_.owed());
}

/* The L1D writes through, so the newest bytes are the memory's. */
unsigned l1_lt::debug(tlm_generic_payload &p) {
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  if (p.get_command() == tlm::TLM_IGNORE_COMMAND)
    return 0;
  tlm_generic_payload q;
  set_plain(q, p.get_command(), p.get_address(), p.get_data_ptr(), p.get_data_length());
  return memory->transport_dbg(q);
}

} // namespace heddle
