/* TLM-2.0 (IEEE 1666, base protocol) on the pins of l2_top: a target with a socket for each SM. Its memory is behind memory_side, on
 * the same pins.
 *
 * Invariant: requests are offered at the pins in the order in which they begin, and each is answered once, also over a reset.
 */
#ifndef HEDDLE_L2_H
#define HEDDLE_L2_H

#include <tlm_utils/simple_target_socket.h>

#include "heddle_at.h"
#include "heddle_line.h"
#include "heddle_tlm.h"

namespace heddle {

/* The side of l2_top that faces the SMs: req_* and rsp_*. Socket s is that of SM s. */
class l2 : public clocked {
public:
  typedef tlm_utils::simple_target_socket_tagged<l2> target_socket;
  sc_core::sc_vector<target_socket> socket{"socket"};

  /* `slice`: the l2_top whose pins these are. `sms`: the number of sockets, at most gpu.sms rounded up to a power of two. */
  l2(const sc_core::sc_module_name &name, heddle::pins &slice, const wires &pins, memory_side &memory,
     unsigned sms = 1);

  uint64_t transactions() const { return transactions_; } /* the number that the slice has taken */
  uint64_t refused() const { return refused_; } /* answered with an error, because the payload is wrong */
  uint64_t lost() const { return lost_; }       /* answered with an error, because of a reset */
  size_t in_flight() const { return at_.open.size(); }

private:
  struct transaction : at_transaction {
    enum {
      WAITS = OF_TARGET, /* waits for the pins */
      OFFERED,           /* at the pins */
      INSIDE             /* the slice has taken it */
    };
    uint64_t tag = 0;                                /* valid in OFFERED and INSIDE */
    request_info::kind_of kind = request_info::FILL; /* valid from WAITS on */
    span of;                                         /* valid from WAITS on: the bytes to read or write */
  };
  typedef at_target<transaction>::place place;

  tlm::tlm_sync_enum nb_fw(int sm, tlm::tlm_generic_payload &p, tlm::tlm_phase &phase,
                           sc_core::sc_time &delay);
  void b_transport(int sm, tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
  unsigned debug(int sm, tlm::tlm_generic_payload &p);
  bool newest(uint64_t line, uint8_t *bytes, uint8_t *here);
  bool is_begun(const transaction &t, uint64_t line) const;
  void begin(place t);
  void reset();
  void taken(place t);
  void answered(place t);
  void take_answer();
  void edge() override;
  void drive() override;
  void offer(place t);
  void offer_bytes(const transaction &t);

  struct tag_field { /* a field of requests and answers that the slice returns unchanged */
    const wire *request, *answer;
  };
  heddle::pins &slice_;
  const wires &pins_;
  memory_side &memory_;
  const unit unit_;
  std::vector<tag_field> tag_;
  std::vector<uint64_t> free_tags_;
  at_target<transaction> at_;
  place offered_; /* the transaction at the pins, or the end of open */
  std::vector<uint32_t> words_, mask_;
  uint64_t transactions_ = 0, refused_ = 0, lost_ = 0;
};

} // namespace heddle

#endif
