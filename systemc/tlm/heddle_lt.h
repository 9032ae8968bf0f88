/* l2_top without pins, loosely timed (TLM-2.0, IEEE 1666): the golden model is stepped inside b_transport, and no process runs.
 *
 * Invariant: a request has the same data, and takes the same cycles, as over the pins of l2_top when nothing else is inside.
 */
#ifndef HEDDLE_LT_H
#define HEDDLE_LT_H

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "heddle_line.h"
#include "heddle_lt_base.h"

namespace heddle {

/* Socket s is that of SM s. A call adds its time to the delay, for initiators with a tlm_quantumkeeper. It waits only if the memory
 * calls wait(). Then calls of other threads wait for it. */
class l2_lt : public sc_core::sc_module {
public:
  typedef tlm_utils::simple_target_socket_tagged<l2_lt> target_socket;
  sc_core::sc_vector<target_socket> socket{"socket"};
  tlm_utils::simple_initiator_socket<l2_lt> memory{"memory"};

  /* `machine`: the configuration, as l2_top::machine() returns it. `period`: the period of the slice's clock. */
  l2_lt(const sc_core::sc_module_name &name, const char *machine, sc_core::sc_time period, unsigned sms = 1);
  l2_lt(const l2_lt &) = delete;
  l2_lt &operator=(const l2_lt &) = delete;

  uint64_t transactions() const { return transactions_; }
  uint64_t refused() const { return refused_; }
  /* Returns true if a transaction was not answered in PATIENCE cycles. All later ones fail. */
  bool failed() const { return failed_; }
  /* The number of the memory's answers other than TLM_OK_RESPONSE. */
  uint64_t errors() const { return behind_.errors(); }

private:
  void b_transport(int sm, tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
  unsigned debug(int sm, tlm::tlm_generic_payload &p);
  const char *pass_through(int sm, const tlm::tlm_generic_payload &p, request_info::kind_of kind, span of);
  void offer(int sm, const tlm::tlm_generic_payload &p, request_info::kind_of kind, span of);
  void step();
  void put(const char *pin, uint64_t number);

  const sc_core::sc_time period_;
  lt_model model_;
  wires pins_;
  const unit unit_;
  const wire &req_ready_, &rsp_valid_;
  lt_memory behind_;
  sc_core::sc_time now_; /* the slice's time */
  std::vector<uint32_t> words_, mask_;
  one_at_a_time calls_;
  uint64_t transactions_ = 0, refused_ = 0;
  bool failed_ = false;
};

} // namespace heddle

#endif
