/* sm_mem without pins, loosely timed (TLM-2.0, IEEE 1666): the golden model is stepped inside b_transport, and no process runs.
 *
 * Invariant: transactions take effect in the order of the calls. Cycles are skipped only after REST cycles without a handshake at the
 * pins.
 */
#ifndef HEDDLE_L1_LT_H
#define HEDDLE_L1_LT_H

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "heddle_l1_pins.h"
#include "heddle_lt_base.h"

namespace heddle {

/* Does the work of l1_memory_path, one transaction at a time. A call adds its time to the delay, for initiators with a
 * tlm_quantumkeeper. It waits only if the memory calls wait(). Then calls of other threads wait for it. */
class l1_lt : public sc_core::sc_module {
public:
  enum { REST = 32 };
  tlm_utils::simple_target_socket<l1_lt> socket{"socket"};
  tlm_utils::simple_initiator_socket<l1_lt> memory{"memory"};

  /* `machine`: the configuration, as sm_mem::machine() returns it. `period`: the period of the SM's clock. */
  l1_lt(const sc_core::sc_module_name &name, const char *machine, sc_core::sc_time period);
  l1_lt(const l1_lt &) = delete;
  l1_lt &operator=(const l1_lt &) = delete;

  void flush() { sm_.flush(); } /* a kernel begins before the next transaction */

  uint64_t transactions() const { return sm_.transactions(); }
  uint64_t refused() const { return refused_; }
  /* Returns true if a transaction was not answered in PATIENCE cycles. All later ones fail. */
  bool failed() const { return failed_; }
  uint64_t flushes() const { return sm_.flushes(); }
  /* The number of the memory's answers other than TLM_OK_RESPONSE. */
  uint64_t errors() const { return behind_.errors(); }
  uint64_t cycles() const { return heddle_cycle(model_.model); } /* the number of cycles stepped */

private:
  void b_transport(tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
  unsigned debug(tlm::tlm_generic_payload &p);
  void step();
  void pass(const sc_core::sc_time &begin);

  const sc_core::sc_time period_;
  lt_model model_;
  wires pins_;
  l1_pins::list open_; /* at most one transaction; after a failure, the one that was not answered */
  l1_pins sm_;
  lt_memory behind_;
  sc_core::sc_time now_; /* the model's time */
  unsigned rests_ = 0;   /* cycles without a handshake */
  one_at_a_time calls_;
  uint64_t refused_ = 0;
  bool failed_ = false;
};

} // namespace heddle

#endif
