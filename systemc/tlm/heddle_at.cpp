/* Reports of protocol errors, and the phases of the base protocol; see heddle_at.h. */
#include "heddle_at.h"

#include <cstdio>

namespace heddle {

void protocol_error(const sc_core::sc_object &who, const tlm::tlm_generic_payload &p,
                    const std::string &what) {
  char at[32];
  std::snprintf(at, sizeof at, "0x%llx", (unsigned long long)p.get_address());
  SC_REPORT_ERROR("/heddle/tlm", (std::string(who.name()) + ": address " + at + ": " + what).c_str());
}

bool is_of_base_protocol(const tlm::tlm_phase &phase) {
  return phase == tlm::UNINITIALIZED_PHASE || phase == tlm::BEGIN_REQ || phase == tlm::END_REQ ||
         phase == tlm::BEGIN_RESP || phase == tlm::END_RESP;
}

} // namespace heddle
