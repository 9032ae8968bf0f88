/* sm_mem without pins, loosely timed (TLM-2.0, IEEE 1666): the golden model is stepped inside b_transport, and no process runs.
 *
 * Invariant: transactions take effect in the order of the calls. Cycles are skipped only after REST of them in which nothing has met
 * at the pins.
 */
#ifndef HEDDLE_L1_LT_H
#define HEDDLE_L1_LT_H

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "heddle_l1_pins.h"
#include "heddle_lt_base.h"

namespace heddle {

/* What l1_memory_path does, one transaction at a time. A call's time is in the delay, for initiators with a tlm_quantumkeeper. It
 * waits only if the memory does: then others that are made meanwhile wait for it. */
class l1_lt : public sc_core::sc_module {
public:
  enum { REST = 32 };
  tlm_utils::simple_target_socket<l1_lt> socket{"socket"};
  tlm_utils::simple_initiator_socket<l1_lt> memory{"memory"};

  /* `machine`: the configuration, as sm_mem::machine() gives it. `period`: of the SM's clock. */
  l1_lt(const sc_core::sc_module_name &name, const char *machine, sc_core::sc_time period);
  l1_lt(const l1_lt &) = delete;
  l1_lt &operator=(const l1_lt &) = delete;

  void flush() { sm_.flush(); } /* a kernel begins before the next transaction */

  uint64_t transactions() const { return sm_.transactions(); }
  uint64_t refused() const { return refused_; }
  /* A transaction was not answered in PATIENCE cycles: all later ones fail. */
  bool failed() const { return failed_; }
  uint64_t flushes() const { return sm_.flushes(); }
  /* Answers of the memory that were not TLM_OK_RESPONSE. */
  uint64_t errors() const { return behind_.errors(); }
  uint64_t cycles() const { return heddle_cycle(model_.model); } /* stepped */

private:
  void b_transport(tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
  unsigned debug(tlm::tlm_generic_payload &p);
  void step();
  void pass(const sc_core::sc_time &begin);

  const sc_core::sc_time period_;
  lt_model model_;
  wires pins_;
  l1_pins::list open_; /* one, or none; after a failure, the one that was not answered */
  l1_pins sm_;
  lt_memory behind_;
  sc_core::sc_time now_; /* at the model */
  unsigned rests_ = 0;   /* cycles without a handshake */
  one_at_a_time calls_;
  uint64_t refused_ = 0;
  bool failed_ = false;
};

} // namespace heddle

#endif
