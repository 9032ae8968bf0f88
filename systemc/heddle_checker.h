/* A checker of TLM-2.0's base protocol (IEEE 1666), between an initiator's and a target's socket.
 *
 * Invariant: every call passes unchanged, also one that breaks the protocol.
 */
#ifndef HEDDLE_CHECKER_H
#define HEDDLE_CHECKER_H

#include <map>
#include <string>

#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

namespace heddle {

/* Between two sockets: passes everything on, and says what breaks the base protocol, as an error "/heddle/tlm". */
class protocol_checker : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<protocol_checker> target{"target"};
  tlm_utils::simple_initiator_socket<protocol_checker> initiator{"initiator"};

  explicit protocol_checker(const sc_core::sc_module_name &name);
  uint64_t transactions() const { return transactions_; }

private:
  struct state {
    tlm::tlm_phase phase;
    uint64_t address;
    unsigned length;
    tlm::tlm_command command;
  };
  void wrong(const tlm::tlm_generic_payload &p, const std::string &what) const;
  void attributes(const tlm::tlm_generic_payload &p) const;
  tlm::tlm_sync_enum fw(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  tlm::tlm_sync_enum bw(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  void b_transport(tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
  unsigned debug(tlm::tlm_generic_payload &p);
  bool direct(tlm::tlm_generic_payload &p, tlm::tlm_dmi &dmi);
  void indirect(sc_dt::uint64 first, sc_dt::uint64 last);
  void step(tlm::tlm_generic_payload &p, const tlm::tlm_phase &phase, bool forward);
  void after(tlm::tlm_generic_payload &p, tlm::tlm_sync_enum answer, const tlm::tlm_phase &before,
             const tlm::tlm_phase &phase, bool forward);

  std::map<const tlm::tlm_generic_payload *, state> open_;
  const tlm::tlm_generic_payload *request_ = nullptr, *response_ = nullptr; /* whose BEGIN is not ended */
  uint64_t transactions_ = 0;
};

} // namespace heddle

#endif
