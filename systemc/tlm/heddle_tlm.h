/* TLM-2.0 (IEEE 1666, base protocol) on Heddle's pins: the memory side of sm_mem or l2_top as an initiator.
 *
 * Invariant: between a BEGIN_REQ and its END_REQ an initiator begins no other request. A payload belongs to its initiator's pool, and
 * each module that keeps it acquires it. A transaction that began before a reset is ended as the protocol requires, and its answer does
 * not reach the pins.
 */
#ifndef HEDDLE_TLM_H
#define HEDDLE_TLM_H

#include <deque>

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "heddle_line_port.h"
#include "heddle_sm.h"

namespace heddle {

/* The memory side of sm_mem (mreq_*, mrsp_*) or l2_top (out_*, fill_*). It sends the requests as transactions, several in flight. A
 * reset drops the answers to earlier requests. */
class memory_side : public clocked, public tlm::tlm_mm_interface {
public:
  tlm_utils::simple_initiator_socket<memory_side> socket{"socket"};

  memory_side(const sc_core::sc_module_name &name, const wires &pins);

  uint64_t transactions() const { return transactions_; }
  uint64_t errors() const { return errors_; }   /* answers with an error, and atomics not performed */
  uint64_t dropped() const { return dropped_; } /* answers to requests from before a reset */
  /* The number of payloads that are not in the pool, including those from before a reset. */
  size_t in_flight() const { return made_.size() - pool_.size(); }

  /* Calls transport_dbg for these bytes at the target. Returns the number of bytes moved. */
  unsigned debug(tlm::tlm_command command, uint64_t address, uint8_t *data, unsigned length);

private:
  void edge() override;
  void drive() override;
  struct transaction : line_payload {
    using line_payload::line_payload;
    bool completed = false; /* the target has completed it: no END_RESP is sent */
    uint64_t resets = 0;    /* the number of resets before it began */
    /* The last phase from the target, also if its delay is not over. */
    enum { REQUESTED, TAKEN, ANSWERED } reported = ANSWERED;
  };
  void begin(transaction &p);
  void hear(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase);
  void tell(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase, const sc_core::sc_time &delay);
  bool awaited(const transaction &p) const { return p.resets == resets_ && port_.is_answered(p); }
  void end(transaction &p);
  void reset();
  transaction &new_payload();
  void free(tlm::tlm_generic_payload *p) override;
  tlm::tlm_sync_enum nb_bw(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);

  line_port port_;
  std::vector<std::unique_ptr<transaction>> made_;
  std::vector<transaction *> pool_;
  std::deque<transaction *> answer_; /* the first is at the pins */
  tlm_utils::peq_with_cb_and_phase<memory_side> later_;
  const tlm::tlm_generic_payload *requesting_ = nullptr; /* the payload whose BEGIN_REQ is open */
  uint64_t transactions_ = 0, errors_ = 0, dropped_ = 0, resets_ = 0;
};

} // namespace heddle

#endif
