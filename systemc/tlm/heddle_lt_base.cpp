/* The common parts of the models without pins; see heddle_lt_base.h. */
#include "heddle_lt_base.h"

#include <cmath>

namespace heddle {

using sc_core::sc_time;

lt_model::lt_model(const char *text, const char *module) {
  if (heddle_load_text(text, "machine", nullptr, 0, &machine) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/machine", heddle_machine_message(machine));
  if (heddle_open(machine, module, 0, &model) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/model", heddle_model_message(model));
}

lt_model::~lt_model() {
  heddle_close(model);
  heddle_unload(machine);
}

void never_answered(const sc_core::sc_object &who, tlm::tlm_generic_payload &p, const std::string &awaited,
                    size_t owed) {
  p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  protocol_error(who, p,
                 "not answered in " + std::to_string(PATIENCE) +
                     " cycles, the most that are allowed; waits for " + awaited + "; the memory owes " +
                     std::to_string(owed) + " answers");
}

sc_time ahead(const sc_time &then) {
  return then > sc_core::sc_time_stamp() ? then - sc_core::sc_time_stamp() : sc_core::SC_ZERO_TIME;
}

lt_memory::lt_memory(const sc_core::sc_object &owner, const wires &pins, transport to)
    : owner_(owner), port_(pins), to_(std::move(to)) {
  port_.ready(true);
}

void lt_memory::begin_cycle(const sc_time &now) {
  if (shown_)
    return;
  shown_ = !answers_.empty() && answers_.front().at <= now;
  port_.show(shown_ ? answers_.front().payload.get() : nullptr);
}

bool lt_memory::end_cycle(const sc_time &now) {
  const bool takes = shown_ && port_.takes(), asks = port_.asks();
  if (takes) {
    pool_.push_back(std::move(answers_.front().payload));
    answers_.pop_front();
    shown_ = false;
  }
  if (!asks)
    return takes;
  if (pool_.empty())
    pool_.push_back(std::make_unique<line_payload>(nullptr, port_.line_bytes()));
  std::unique_ptr<line_payload> p = std::move(pool_.back());
  pool_.pop_back();
  port_.request(*p);
  const sc_time before =
      sc_core::sc_time_stamp() + ahead(now); /* not `now`: a model that catches up is behind the kernel */
  sc_time delay = ahead(now);
  to_(*p, delay);
  const sc_time at = now + (sc_core::sc_time_stamp() + delay - before);
  if (p->ignored_atomic()) {
    p->set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    protocol_error(owner_, *p, "the target has not performed an atomic: it ignores request_info");
  }
  errors_ += !p->is_response_ok();
  if (!port_.is_answered(*p)) {
    pool_.push_back(std::move(p));
    return true;
  }
  const auto later = std::find_if(answers_.begin() + shown_, answers_.end(),
                                  [&at](const answer &other) { return other.at > at; });
  answers_.insert(later, {at, std::move(p)});
  return true;
}

sc_time lt_memory::rests_until(const sc_time &now, const sc_time &period) const {
  if (shown_ || answers_.empty() || answers_.front().at <= now)
    return now;
  return now + ceil((answers_.front().at - now) / period) * period;
}

} // namespace heddle
