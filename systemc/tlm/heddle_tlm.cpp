/* TLM-2.0 on Heddle's pins; see heddle_tlm.h. */
#include "heddle_tlm.h"

#include <algorithm>

#include "heddle_at.h"
#include "heddle_line.h"

namespace heddle {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

memory_side::memory_side(const sc_core::sc_module_name &name, const wires &pins)
    : clocked(name), port_(pins), later_(this, &memory_side::hear) {
  socket.register_nb_transport_bw(this, &memory_side::nb_bw);
}

memory_side::transaction &memory_side::new_payload() {
  if (pool_.empty()) {
    made_.push_back(std::make_unique<transaction>(this, port_.line_bytes()));
    pool_.push_back(made_.back().get());
  }
  transaction *p = pool_.back();
  pool_.pop_back();
  p->acquire();
  return *p;
}

void memory_side::free(tlm_generic_payload *p) {
  pool_.push_back(static_cast<transaction *>(p));
}

/* Ends the answer that the pins have taken, and sends the request that they show. */
void memory_side::edge() {
  if (in_reset_) {
    reset();
    return;
  }
  if (port_.takes()) {
    transaction *taken = answer_.front();
    answer_.pop_front();
    end(*taken);
  }
  if (!port_.asks())
    return;
  transaction &p = new_payload();
  p.completed = false;
  p.resets = resets_;
  port_.request(p);
  begin(p);
}

/* Open transactions stay open at the target, and their answers will be dropped. Answers that wait for the pins are dropped here. */
void memory_side::reset() {
  resets_++;
  while (!answer_.empty()) {
    transaction *waits = answer_.front();
    answer_.pop_front();
    dropped_++;
    end(*waits);
  }
}

void memory_side::end(transaction &p) {
  if (!p.completed) {
    tlm_phase phase = tlm::END_RESP;
    sc_time delay = SC_ZERO_TIME;
    socket->nb_transport_fw(p, phase, delay);
  }
  p.release();
}

void memory_side::begin(transaction &p) {
  transactions_++;
  requesting_ = &p;
  p.reported = transaction::REQUESTED;
  tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  const tlm::tlm_sync_enum said = socket->nb_transport_fw(p, phase, delay);
  if (said == tlm::TLM_ACCEPTED)
    return;
  p.completed = said == tlm::TLM_COMPLETED;
  tell(p, p.completed ? tlm_phase(tlm::BEGIN_RESP) : phase, delay);
}

/* Handles a phase of the target when its delay is over. A BEGIN_RESP implies END_REQ. */
void memory_side::hear(tlm_generic_payload &payload, const tlm_phase &phase) {
  transaction &p = static_cast<transaction &>(payload);
  if (requesting_ == &p)
    requesting_ = nullptr;
  if (phase == tlm::END_REQ)
    return;
  if (p.ignored_atomic()) {
    p.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    protocol_error(*this, p, "the target has not performed an atomic: it ignores request_info");
  }
  dropped_ += p.resets != resets_;
  errors_ += p.resets == resets_ && !p.is_response_ok();
  if (awaited(p))
    answer_.push_back(&p);
  else
    end(p);
}

/* Checks a phase that the target sends, END_REQ or BEGIN_RESP; other phases change nothing. The target must not be called from inside
 * its own call, so an END_RESP that is due at once is sent a delta cycle later. */
void memory_side::tell(tlm_generic_payload &payload, const tlm_phase &phase, const sc_time &delay) {
  const bool answers = phase == tlm::BEGIN_RESP;
  if (!is_of_base_protocol(phase))
    return;
  if (std::none_of(made_.begin(), made_.end(),
                   [&payload](const auto &own) { return own.get() == &payload; })) {
    protocol_error(*this, payload, std::string(phase.get_name()) + " of a payload that is not from here");
    return;
  }
  transaction &p = static_cast<transaction &>(payload);
  if (answers ? p.reported == transaction::ANSWERED
              : phase != tlm::END_REQ || p.reported != transaction::REQUESTED) {
    protocol_error(*this, p, std::string(phase.get_name()) + " where none is due");
    return;
  }
  p.reported = answers ? transaction::ANSWERED : transaction::TAKEN;
  if (delay == SC_ZERO_TIME && !(answers && !awaited(p)))
    hear(p, phase);
  else
    later_.notify(p, phase, delay);
}

tlm::tlm_sync_enum memory_side::nb_bw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  tell(p, phase, delay);
  return tlm::TLM_ACCEPTED;
}

void memory_side::drive() {
  port_.ready(!in_reset_ && !requesting_);
  port_.show(answer_.empty() ? nullptr : answer_.front());
}

unsigned memory_side::debug(tlm::tlm_command command, uint64_t address, uint8_t *data, unsigned length) {
  tlm_generic_payload p;
  set_plain(p, command, address, data, length);
  return socket->transport_dbg(p);
}

} // namespace heddle
