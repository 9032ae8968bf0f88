/* A memory behind a TLM-2.0 socket; see heddle_memory.h. */
#include "heddle_memory.h"

#include <heddle.h>

namespace heddle {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

memory::memory(const sc_core::sc_module_name &name, unsigned line_bytes, sc_time latency)
    : sc_module(name), line_bytes_(line_bytes), latency_(latency), later_(this, &memory::due) {
  socket.register_nb_transport_fw(this, &memory::nb_fw);
  socket.register_b_transport(this, &memory::b_transport);
  socket.register_transport_dbg(this, &memory::debug);
}

std::vector<uint8_t> &memory::line(uint64_t address) {
  auto &bytes = lines_[address / line_bytes_];
  if (bytes.empty()) {
    bytes.resize(line_bytes_);
    for (unsigned w = 0; w < line_bytes_ / 8; w++) {
      const uint64_t word = heddle_memory_initial(address / line_bytes_, w);
      for (unsigned b = 0; b < 8; b++)
        bytes[8 * w + b] = (uint8_t)(word >> 8 * b);
    }
  }
  return bytes;
}

void memory::work(tlm_generic_payload &p) {
  const unsigned length = p.get_data_length();
  const uint64_t at = p.get_address();
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  if (p.get_command() == tlm::TLM_IGNORE_COMMAND)
    return;
  if (!length || at % line_bytes_ + length > line_bytes_ || p.get_streaming_width() < length) {
    p.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if (p.get_byte_enable_ptr() && !p.get_byte_enable_length()) {
    p.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return;
  }
  uint8_t *here = line(at).data() + at % line_bytes_, *data = p.get_data_ptr();
  const uint8_t *enable = p.get_byte_enable_ptr();
  for (unsigned i = 0; i < length; i++)
    if (!enable || enable[i % p.get_byte_enable_length()] == TLM_BYTE_ENABLED)
      (p.is_write() ? here[i] : data[i]) = p.is_write() ? data[i] : here[i];
  (p.is_write() ? writes_ : reads_)++;
}

void memory::b_transport(tlm_generic_payload &p, sc_time &delay) {
  work(p);
  delay += latency_;
}

unsigned memory::debug(tlm_generic_payload &p) {
  unsigned done = 0;
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  if (p.get_command() == tlm::TLM_IGNORE_COMMAND)
    return 0;
  for (; done < p.get_data_length(); done++) {
    const uint64_t at = p.get_address() + done;
    uint8_t &here = line(at)[at % line_bytes_], &there = p.get_data_ptr()[done];
    (p.is_write() ? here : there) = p.is_write() ? there : here;
  }
  return done;
}

tlm::tlm_sync_enum memory::nb_fw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  if (phase == tlm::BEGIN_REQ) {
    p.acquire();
    work(p);
    later_.notify(p, tlm::BEGIN_RESP, delay + latency_);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  if (phase == tlm::END_RESP) {
    responding_ = false;
    p.release();
    respond();
    return tlm::TLM_COMPLETED;
  }
  SC_REPORT_ERROR("/heddle/tlm", "a memory got a phase that is neither BEGIN_REQ nor END_RESP");
  return tlm::TLM_ACCEPTED;
}

void memory::due(tlm_generic_payload &p, const tlm_phase &) {
  ready_.push_back(&p);
  respond();
}

void memory::respond() {
  while (!responding_ && !ready_.empty()) {
    tlm_generic_payload *p = ready_.front();
    ready_.pop_front();
    responding_ = true;
    tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = SC_ZERO_TIME;
    const tlm::tlm_sync_enum said = socket->nb_transport_bw(*p, phase, delay);
    if (said == tlm::TLM_COMPLETED || (said == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
      responding_ = false;
      p->release();
    }
  }
}

} // namespace heddle
