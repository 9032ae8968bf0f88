/* A checker of TLM-2.0's base protocol; see heddle_checker.h. */
#include "heddle_checker.h"

namespace heddle {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

protocol_checker::protocol_checker(const sc_core::sc_module_name &name) : sc_module(name) {
  target.register_nb_transport_fw(this, &protocol_checker::fw);
  target.register_b_transport(this, &protocol_checker::b_transport);
  target.register_transport_dbg(this, &protocol_checker::debug);
  target.register_get_direct_mem_ptr(this, &protocol_checker::direct);
  initiator.register_nb_transport_bw(this, &protocol_checker::bw);
  initiator.register_invalidate_direct_mem_ptr(this, &protocol_checker::indirect);
}

void protocol_checker::wrong(const tlm_generic_payload &p, const std::string &what) const {
  protocol_error(*this, p, what);
}

protocol_checker::attributes::attributes(const tlm_generic_payload &p)
    : command(p.get_command()), data(p.get_data_ptr()), enable(p.get_byte_enable_ptr()),
      length(p.get_data_length()), enable_length(p.get_byte_enable_length()),
      streaming_width(p.get_streaming_width()) {}

bool protocol_checker::attributes::operator==(const attributes &other) const {
  return command == other.command && data == other.data && enable == other.enable && length == other.length &&
         enable_length == other.enable_length && streaming_width == other.streaming_width;
}

/* Checks a payload whose transaction begins. */
void protocol_checker::check_begin(const tlm_generic_payload &p) const {
  if (!p.get_data_ptr() || !p.get_data_length())
    wrong(p, "no data");
  if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    wrong(p, "the response status is not TLM_INCOMPLETE_RESPONSE at the begin");
  if (p.get_byte_enable_ptr() && !p.get_byte_enable_length())
    wrong(p, "byte enables without a length");
  if (!p.get_streaming_width())
    wrong(p, "a streaming width of 0");
  if (p.is_dmi_allowed())
    wrong(p, "the DMI hint is set at the begin");
}

/* Checks a payload at a later phase. The address is not among the attributes, since an interconnect may change it. */
void protocol_checker::check_going_on(const tlm_generic_payload &p, transaction &t,
                                      const sc_time &delay) const {
  if (!(attributes(p) == t.at_begin))
    wrong(p, "command, data, length, byte enables or streaming width changed in mid-transaction");
  const sc_time until = sc_core::sc_time_stamp() + delay;
  if (until < t.until)
    wrong(p, "a phase that comes before the last one, with both delays");
  t.until = until;
}

void protocol_checker::begin(tlm_generic_payload &p, bool forward, const sc_time &delay) {
  if (!forward)
    wrong(p, "BEGIN_REQ on the backward path");
  if (open_.count(&p))
    wrong(p, "BEGIN_REQ of a payload whose transaction is not over");
  if (request_)
    wrong(p, "BEGIN_REQ before the END_REQ of the last");
  if (!p.has_mm())
    wrong(p, "no memory manager");
  else if (!p.get_ref_count())
    wrong(p, "a payload that is not acquired");
  check_begin(p);
  request_ = &p;
  open_.erase(&p);
  open_.insert({&p, {transactions_++, tlm::BEGIN_REQ, sc_core::sc_time_stamp() + delay, attributes(p)}});
}

void protocol_checker::step(tlm_generic_payload &p, const tlm_phase &phase, bool forward,
                            const sc_time &delay) {
  if (phase == tlm::BEGIN_REQ) {
    begin(p, forward, delay);
    return;
  }
  if (phase == tlm::UNINITIALIZED_PHASE) {
    wrong(p, "UNINITIALIZED_PHASE is none to send");
    return;
  }
  const auto found = open_.find(&p);
  if (found == open_.end()) {
    wrong(p, "a phase of a transaction that did not begin");
    return;
  }
  transaction &t = found->second;
  check_going_on(p, t, delay);
  if (!is_of_base_protocol(phase))
    return; /* a declared phase: it may be ignored, and stands for none of the four */
  const bool due = phase == tlm::END_REQ ? !forward && t.phase == tlm::BEGIN_REQ
                   : phase == tlm::BEGIN_RESP
                       ? !forward && (t.phase == tlm::BEGIN_REQ || t.phase == tlm::END_REQ)
                       : forward && t.phase == tlm::BEGIN_RESP;
  if (!due) {
    wrong(p, std::string(phase.get_name()) + " where none is due");
    return;
  }
  t.phase = phase;
  if (request_ == &p)
    request_ = nullptr;
  if (phase == tlm::BEGIN_RESP) {
    if (response_)
      wrong(p, "BEGIN_RESP before the END_RESP of the last");
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      wrong(p, "BEGIN_RESP without a response status");
    response_ = &p;
  }
  if (phase == tlm::END_RESP) {
    if (response_ == &p)
      response_ = nullptr;
    open_.erase(found);
  }
}

/* Handles TLM_COMPLETED in answer to a phase other than END_RESP. (END_RESP has already ended the transaction, and the payload may have
 * begun a new one meanwhile.) */
void protocol_checker::complete(tlm_generic_payload &p, const tlm_phase &before, const sc_time &delay) {
  const auto found = open_.find(&p);
  if (found == open_.end())
    return; /* the error was reported before */
  check_going_on(p, found->second, delay);
  if (before == tlm::END_REQ)
    wrong(p, "TLM_COMPLETED in answer to END_REQ");
  if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    wrong(p, "TLM_COMPLETED without a response status");
  if (request_ == &p)
    request_ = nullptr;
  if (response_ == &p)
    response_ = nullptr;
  open_.erase(found);
}

/* Handles the answer to a call: a phase of the other side, or the end of the transaction. */
void protocol_checker::after(tlm_generic_payload &p, tlm::tlm_sync_enum answer, const tlm_phase &before,
                             const tlm_phase &phase, bool forward, const sc_time &delay) {
  if (answer == tlm::TLM_UPDATED && phase != before)
    step(p, phase, !forward, delay);
  else if (answer == tlm::TLM_UPDATED)
    wrong(p, "TLM_UPDATED without a new phase");
  else if (answer == tlm::TLM_COMPLETED && before != tlm::END_RESP)
    complete(p, before, delay);
}

tlm::tlm_sync_enum protocol_checker::fw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  const tlm_phase before = phase;
  step(p, phase, true, delay);
  const tlm::tlm_sync_enum said = initiator->nb_transport_fw(p, phase, delay);
  after(p, said, before, phase, true, delay);
  return said;
}

tlm::tlm_sync_enum protocol_checker::bw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  const tlm_phase before = phase;
  step(p, phase, false, delay);
  const tlm::tlm_sync_enum said = target->nb_transport_bw(p, phase, delay);
  after(p, said, before, phase, false, delay);
  return said;
}

void protocol_checker::b_transport(tlm_generic_payload &p, sc_time &delay) {
  if (open_.count(&p))
    wrong(p, "b_transport of a payload whose transaction is not over");
  check_begin(p);
  transactions_++;
  const attributes at_begin(p);
  initiator->b_transport(p, delay);
  if (!(attributes(p) == at_begin))
    wrong(p, "b_transport changed command, data, length, byte enables or streaming width");
  if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    wrong(p, "b_transport left no response status");
}

unsigned protocol_checker::debug(tlm_generic_payload &p) {
  return initiator->transport_dbg(p);
}

bool protocol_checker::direct(tlm_generic_payload &p, tlm::tlm_dmi &dmi) {
  return initiator->get_direct_mem_ptr(p, dmi);
}

void protocol_checker::indirect(sc_dt::uint64 first, sc_dt::uint64 last) {
  target->invalidate_direct_mem_ptr(first, last);
}

void protocol_checker::end_of_simulation() {
  if (open_.empty())
    return;
  const auto *first = &*open_.begin();
  for (const auto &each : open_)
    first = each.second.number < first->second.number ? &each : first;
  SC_REPORT_WARNING("/heddle/tlm",
                    (std::string(name()) + ": open at the end: " + std::to_string(open_.size()) + " of " +
                     std::to_string(transactions_) + " transactions; the first, number " +
                     std::to_string(first->second.number) + ", after " + first->second.phase.get_name())
                        .c_str());
}

} // namespace heddle
