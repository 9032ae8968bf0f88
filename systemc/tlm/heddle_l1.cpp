/* Loads and stores by TLM-2.0, from the socket to sm_mem and back; see heddle_l1.h. */
#include "heddle_l1.h"

#include "heddle_line.h"

namespace heddle {

using sc_core::sc_time;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

constexpr size_t ANSWERS = 2; /* resp_ready is 0 while so many answers wait for BEGIN_RESP */

l1_memory_path::l1_memory_path(const sc_core::sc_module_name &name, const wires &pins, memory_side &memory,
                               const char *machine)
    : clocked(name), memory_(memory),
      at_(*this, 1,
          {[this](place t) { begin(t); },
           [this](unsigned, tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
             return socket->nb_transport_bw(p, phase, delay);
           }}),
      sm_(pins, machine, at_.open,
          {[this](place t) { at_.end_request(t); },
           [this](place t, tlm::tlm_response_status status) { answered(t, status); }}) {
  socket.register_nb_transport_fw(this, &l1_memory_path::nb_fw);
  socket.register_b_transport(this, &l1_memory_path::b_transport);
  socket.register_transport_dbg(this, &l1_memory_path::debug);
}

void l1_memory_path::begin(place t) {
  const tlm::tlm_response_status status = sm_.status_of(*t->payload);
  if (status == tlm::TLM_OK_RESPONSE) {
    t->state = l1_transaction::WAITS;
    return;
  }
  refused_++;
  answered(t, status);
}

void l1_memory_path::answered(place t, tlm::tlm_response_status status) {
  t->payload->set_response_status(status);
  at_.answer(t);
}

tlm::tlm_sync_enum l1_memory_path::nb_fw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  return at_.forward(0, p, phase, delay);
}

void l1_memory_path::b_transport(tlm_generic_payload &p, sc_time &delay) {
  at_.block(0, p, delay);
}

/* The L1D writes through. So the newest bytes are the memory's, and over them those of stores that are inside. */
unsigned l1_memory_path::debug(tlm_generic_payload &p) {
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  if (p.get_command() == tlm::TLM_IGNORE_COMMAND)
    return 0;
  const unsigned done =
      memory_.debug(p.get_command(), p.get_address(), p.get_data_ptr(), p.get_data_length());
  for (const l1_transaction &t : at_.open)
    for (unsigned i = 0;
         p.is_read() && t.is_inside() && t.payload->is_write() && i < t.payload->get_data_length(); i++) {
      const uint64_t at = t.payload->get_address() + i - p.get_address();
      if (at < done && is_enabled(*t.payload, i))
        p.get_data_ptr()[at] = t.payload->get_data_ptr()[i];
    }
  return done;
}

void l1_memory_path::edge() {
  sm_.edge(in_reset_);
  at_.respond();
}

void l1_memory_path::drive() {
  sm_.drive(at_.waiting() < ANSWERS);
}

} // namespace heddle
