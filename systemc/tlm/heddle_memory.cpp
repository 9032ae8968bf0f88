/* A memory behind a TLM-2.0 socket; see heddle_memory.h. */
#include "heddle_memory.h"

#include "heddle_line.h"

namespace heddle {

using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

constexpr unsigned LINE_BITS = 63; /* bits of a line's number: any address is allowed */

memory::memory(const sc_core::sc_module_name &name, unsigned line_bytes, sc_time latency)
    : sc_module(name), line_bytes_(line_bytes), latency_(latency),
      at_(*this, 1,
          {[this](target::place t) {
             t->state = at_transaction::OF_TARGET;
             work(*t->payload);
             at_.answer_in(t, latency_);
           },
           [this](unsigned, tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
             return socket->nb_transport_bw(p, phase, delay);
           },
           [this] {
             while (at_.respond())
               ;
           }},
          target::AT_ONCE) {
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
  const bool nothing = p.get_command() == tlm::TLM_IGNORE_COMMAND;
  p.set_response_status(nothing ? tlm::TLM_OK_RESPONSE : status_of(p, line_bytes_, LINE_BITS));
  if (nothing || !p.is_response_ok())
    return;
  std::vector<uint8_t> &bytes = line(p.get_address()), here(line_bytes_);
  auto *info = p.get_extension<request_info>();
  const bool atomic = p.is_read() && info && info->atomic();
  if (atomic && (info->operand.size() != line_bytes_ || info->enabled.size() != line_bytes_)) {
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  if (p.is_write())
    lay_over(p, line_bytes_, bytes.data(), here.data());
  else
    bring(p, line_bytes_, bytes.data());
  (p.is_write() ? writes_ : reads_)++;
  if (!atomic)
    return;
  heddle_memory_atomic(info->atomic(), bytes.data(), info->operand.data(), info->enabled.data(), line_bytes_);
  info->performed = true;
  atomics_++;
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
  return at_.forward(0, p, phase, delay);
}

} // namespace heddle
