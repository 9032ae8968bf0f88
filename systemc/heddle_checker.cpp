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
  char at[32];
  snprintf(at, sizeof at, "0x%llx", (unsigned long long)p.get_address());
  SC_REPORT_ERROR("/heddle/tlm", (std::string(name()) + ": address " + at + ": " + what).c_str());
}

/* Of a request that begins. */
void protocol_checker::attributes(const tlm_generic_payload &p) const {
  if (!p.get_data_ptr() || !p.get_data_length())
    wrong(p, "no data");
  if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    wrong(p, "the response status is not TLM_INCOMPLETE_RESPONSE at the begin");
  if (p.get_byte_enable_ptr() && !p.get_byte_enable_length())
    wrong(p, "byte enables without a length");
  if (!p.get_streaming_width())
    wrong(p, "a streaming width of 0");
}

void protocol_checker::step(tlm_generic_payload &p, const tlm_phase &phase, bool forward) {
  const auto found = open_.find(&p);
  const bool known = found != open_.end();
  const tlm_phase was = known ? found->second.phase : tlm_phase(tlm::UNINITIALIZED_PHASE);
  if (known && (p.get_address() != found->second.address || p.get_data_length() != found->second.length ||
                p.get_command() != found->second.command))
    wrong(p, "address, length or command changed in mid-transaction");
  if (phase == tlm::BEGIN_REQ) {
    if (!forward)
      wrong(p, "BEGIN_REQ on the backward path");
    if (known)
      wrong(p, "BEGIN_REQ of a payload whose transaction is not over");
    if (request_)
      wrong(p, "BEGIN_REQ before the END_REQ of the last");
    if (!p.has_mm())
      wrong(p, "no memory manager");
    attributes(p);
    request_ = &p;
    transactions_++;
    open_[&p] = {phase, p.get_address(), p.get_data_length(), p.get_command()};
    return;
  }
  if (!known) {
    wrong(p, "a phase of a transaction that did not begin");
    return;
  }
  if (phase == tlm::END_REQ && (forward || was != tlm::BEGIN_REQ))
    wrong(p, "END_REQ where none is due");
  if (phase == tlm::BEGIN_RESP) {
    if (forward || (was != tlm::BEGIN_REQ && was != tlm::END_REQ))
      wrong(p, "BEGIN_RESP where none is due");
    if (response_)
      wrong(p, "BEGIN_RESP before the END_RESP of the last");
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      wrong(p, "BEGIN_RESP without a response status");
    response_ = &p;
  }
  if (phase == tlm::END_RESP && (!forward || was != tlm::BEGIN_RESP))
    wrong(p, "END_RESP where none is due");
  if (request_ == &p && phase != tlm::BEGIN_REQ)
    request_ = nullptr;
  if (phase == tlm::END_RESP) {
    response_ = nullptr;
    open_.erase(&p);
  } else {
    open_[&p].phase = phase;
  }
}

/* What the answer to a call says: a phase of the other side, or that all is over. */
void protocol_checker::after(tlm_generic_payload &p, tlm::tlm_sync_enum answer, const tlm_phase &before,
                             const tlm_phase &phase, bool forward) {
  if (answer == tlm::TLM_UPDATED && phase != before)
    step(p, phase, !forward);
  else if (answer == tlm::TLM_UPDATED)
    wrong(p, "TLM_UPDATED without a new phase");
  if (answer == tlm::TLM_COMPLETED &&
      before != tlm::END_RESP) { /* which has ended it; it may have begun anew meanwhile */
    if (before == tlm::END_REQ)
      wrong(p, "TLM_COMPLETED in answer to END_REQ");
    if (before == tlm::BEGIN_REQ && p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      wrong(p, "TLM_COMPLETED without a response status");
    if (request_ == &p)
      request_ = nullptr;
    if (response_ == &p)
      response_ = nullptr;
    open_.erase(&p);
  }
}

tlm::tlm_sync_enum protocol_checker::fw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  const tlm_phase before = phase;
  step(p, phase, true);
  const tlm::tlm_sync_enum said = initiator->nb_transport_fw(p, phase, delay);
  after(p, said, before, phase, true);
  return said;
}

tlm::tlm_sync_enum protocol_checker::bw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  const tlm_phase before = phase;
  step(p, phase, false);
  const tlm::tlm_sync_enum said = target->nb_transport_bw(p, phase, delay);
  after(p, said, before, phase, false);
  return said;
}

void protocol_checker::b_transport(tlm_generic_payload &p, sc_time &delay) {
  attributes(p);
  transactions_++;
  initiator->b_transport(p, delay);
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

} // namespace heddle
