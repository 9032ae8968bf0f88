/* A memory behind a TLM-2.0 socket, base protocol, with a fixed latency.
 *
 * Invariant: a request takes effect when it begins, and is answered once.
 */
#ifndef HEDDLE_MEMORY_H
#define HEDDLE_MEMORY_H

#include <unordered_map>
#include <vector>

#include <tlm_utils/simple_target_socket.h>

#include "heddle_at.h"
#include "heddle_tlm.h"

namespace heddle {

/* A memory. A line that was not written holds heddle_memory_initial. Reads and writes take effect in the order in which they begin.
 * Each is answered `latency` later. The memory performs atomics (request_info). */
class memory : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<memory> socket{"socket"};

  memory(const sc_core::sc_module_name &name, unsigned line_bytes, sc_core::sc_time latency);
  uint64_t reads() const { return reads_; }
  uint64_t writes() const { return writes_; }
  uint64_t atomics() const { return atomics_; }

private:
  typedef at_target<at_transaction> target;
  std::vector<uint8_t> &line(uint64_t address);
  void work(tlm::tlm_generic_payload &p);
  void b_transport(tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
  unsigned debug(tlm::tlm_generic_payload &p);
  tlm::tlm_sync_enum nb_fw(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);

  const unsigned line_bytes_;
  const sc_core::sc_time latency_;
  std::unordered_map<uint64_t, std::vector<uint8_t>> lines_;
  target at_;
  uint64_t reads_ = 0, writes_ = 0, atomics_ = 0;
};

} // namespace heddle

#endif
