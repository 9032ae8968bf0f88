/* l2_top without pins, loosely timed (TLM-2.0, IEEE 1666): the golden model is stepped inside b_transport, and no process runs.
 *
 * Invariant: a request has the data, and takes the cycles, that it has over the pins of l2_top when nothing else is inside.
 */
#ifndef HEDDLE_LT_H
#define HEDDLE_LT_H

#include <deque>
#include <map>
#include <string>
#include <vector>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "heddle_tlm.h"

namespace heddle {

/* Calls that have to come one after the other, also if one of them waits. */
class one_at_a_time {
public:
  class turn { /* as long as it is there, nobody else has one */
  public:
    explicit turn(one_at_a_time &of) : of_(of) {
      while (of_.busy_)
        sc_core::wait(of_.free_);
      of_.busy_ = true;
    }
    ~turn() {
      of_.busy_ = false;
      of_.free_.notify(sc_core::SC_ZERO_TIME);
    }
    turn(const turn &) = delete;
    turn &operator=(const turn &) = delete;

  private:
    one_at_a_time &of_;
  };
  bool busy() const { return busy_; }

private:
  bool busy_ = false;
  sc_core::sc_event free_;
};

/* Socket s is that of SM s. A call's time is in the delay, for initiators with a tlm_quantumkeeper. It waits only if the memory does:
 * then others that are made meanwhile wait for it. */
class l2_lt : public sc_core::sc_module {
public:
  typedef tlm_utils::simple_target_socket_tagged<l2_lt> target_socket;
  sc_core::sc_vector<target_socket> socket{"socket"};
  tlm_utils::simple_initiator_socket<l2_lt> memory{"memory"};

  /* `machine`: the configuration, as l2_top::machine() gives it. `period`: of the slice's clock. */
  l2_lt(const sc_core::sc_module_name &name, const char *machine, sc_core::sc_time period, unsigned sms = 1);
  ~l2_lt() override;
  l2_lt(const l2_lt &) = delete;
  l2_lt &operator=(const l2_lt &) = delete;

  uint64_t transactions() const { return transactions_; }
  uint64_t refused() const { return refused_; }
  uint64_t errors() const { return errors_; } /* answers of the memory that were not TLM_OK_RESPONSE */

private:
  struct fill {
    uint64_t id;
    sc_core::sc_time at; /* of the simulation */
    std::vector<uint32_t> data;
  };
  void b_transport(int sm, tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
  unsigned debug(int sm, tlm::tlm_generic_payload &p);
  void offer(int sm, const tlm::tlm_generic_payload &p, request_info::kind_of kind);
  void step();
  void ask();
  size_t value(const char *name) const { return value_.at(name); }
  bool has(const char *name) const { return value(name) != HEDDLE_NONE; }
  uint64_t get(size_t v) { return heddle_get_u64(model_, v); }
  void set(const char *name, uint64_t number);

  const sc_core::sc_time period_;
  heddle_machine *machine_ = nullptr;
  heddle_model *model_ = nullptr;
  std::map<std::string, size_t> value_; /* HEDDLE_NONE: the machine does not have it */
  size_t out_valid_, fill_ready_, fill_valid_, rsp_valid_, req_ready_;
  unsigned line_bytes_, line_bits_;
  sc_core::sc_time now_; /* of the simulation, at the slice: ahead of the kernel's by the delay */
  std::deque<fill> fills_;
  bool filling_ = false; /* the first is at the port */
  std::vector<uint32_t> words_, mask_;
  one_at_a_time calls_;
  uint64_t transactions_ = 0, refused_ = 0, errors_ = 0;
};

} // namespace heddle

#endif
