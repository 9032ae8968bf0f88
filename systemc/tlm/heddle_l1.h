/* TLM-2.0 (IEEE 1666, base protocol) on the pins of sm_mem: a target for loads and stores. Its memory is behind memory_side, on the
 * same pins.
 *
 * A transaction is a memory instruction of one warp whose lanes touch one line.
 *
 * Invariant: each transaction is answered once, also over a reset. Transactions of a line take effect in the order in which they
 * begin.
 */
#ifndef HEDDLE_L1_H
#define HEDDLE_L1_H

#include <tlm_utils/simple_target_socket.h>

#include "heddle_l1_pins.h"
#include "heddle_tlm.h"

namespace heddle {

/* Drives all inputs of sm_mem but those of the memory side (mreq_ready, mrsp_...) and of a shared table (rft_bypass). */
class l1_memory_path : public clocked {
public:
  tlm_utils::simple_target_socket<l1_memory_path> socket{"socket"};

  /* `machine`: the same configuration as that of sm_mem (heddle::sm_mem::machine()). */
  l1_memory_path(const sc_core::sc_module_name &name, const wires &pins, memory_side &memory,
                 const char *machine);

  /* Starts a kernel when all transactions that began before this call are answered. Transactions that begin after the call wait for
   * it. Another call before the kernel starts has no effect. */
  void flush() { sm_.flush(); }

  uint64_t transactions() const { return sm_.transactions(); } /* the number that went into sm_mem */
  uint64_t refused() const { return refused_; } /* answered with an error, because the payload is wrong */
  uint64_t lost() const { return sm_.lost(); }  /* answered with an error, because of a reset */
  uint64_t flushes() const { return sm_.flushes(); }
  size_t in_flight() const { return at_.open.size(); }

private:
  typedef at_target<l1_transaction>::place place;
  tlm::tlm_sync_enum nb_fw(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  void b_transport(tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
  unsigned debug(tlm::tlm_generic_payload &p);
  void begin(place t);
  void answered(place t, tlm::tlm_response_status status);
  void edge() override;
  void drive() override;

  memory_side &memory_;
  at_target<l1_transaction> at_;
  l1_pins sm_;
  uint64_t refused_ = 0;
};

} // namespace heddle

#endif
