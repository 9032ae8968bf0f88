/* TLM-2.0 (IEEE 1666, base protocol) on Heddle's pins: the memory side of sm_mem or l2_top as an initiator.
 *
 * A payload is one line: a read of it, or a write with byte enables. Bytes of a line are in the order of their addresses.
 *
 * Invariant: between a BEGIN_REQ and its END_REQ an initiator begins no other. A payload belongs to its initiator's pool, and is
 * acquired by whoever keeps it. What began before a reset is ended as the protocol has it, and nothing of it reaches the pins.
 */
#ifndef HEDDLE_TLM_H
#define HEDDLE_TLM_H

#include <deque>
#include <map>

#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "heddle_sm.h"

namespace heddle {

/* What a GPU's request says besides: an extension that a target may ignore.
 *
 * An atomic is a read of the line, as it is before, with `op` above 1 among the fields; the target performs it and says so in
 * `performed`. A target that ignores that has only read. */
struct request_info : tlm::tlm_extension<request_info> {
  enum kind_of { FILL = 0, BYPASS = 1, STORE = 2, QUERY = 3 };
  enum { UNCACHED = 1 }; /* op: above are atomics */
  std::map<std::string, uint64_t>
      field; /* of the bundle mreq, by name: kind, id, wid, slot, num, last, and what the machine adds */
  std::vector<uint8_t> operand, enabled; /* of an atomic, for each byte of the line; else empty */
  bool performed = false;
  unsigned atomic() const { /* which; 0: none */
    return operand.empty() || !field.count("op") ? 0 : (unsigned)field.at("op");
  }
  tlm_extension_base *clone() const override { return new request_info(*this); }
  void copy_from(const tlm_extension_base &other) override {
    *this = static_cast<const request_info &>(other);
  }
};

/* The memory side of sm_mem (mreq_*, mrsp_*) or l2_top (out_*, fill_*): its requests as transactions, several in flight. A reset
 * drops the answers to what began before. */
class memory_side : public clocked, public tlm::tlm_mm_interface {
public:
  tlm_utils::simple_initiator_socket<memory_side> socket{"socket"};

  memory_side(const sc_core::sc_module_name &name, const wires &pins);

  uint64_t transactions() const { return transactions_; }
  uint64_t errors() const { return errors_; }   /* answers that were not TLM_OK_RESPONSE, or not performed */
  uint64_t dropped() const { return dropped_; } /* answers to what began before a reset */
  /* Payloads that somebody has; those of before a reset too. */
  size_t in_flight() const { return made_.size() - pool_.size(); }

  /* transport_dbg of these bytes, at the target. Returns how many were moved. */
  unsigned debug(tlm::tlm_command command, uint64_t address, uint8_t *data, unsigned length);

private:
  void edge() override;
  void drive() override;
  struct line_payload : tlm::tlm_generic_payload { /* with the bytes that it points to */
    line_payload(tlm::tlm_mm_interface *mm, unsigned bytes)
        : tlm_generic_payload(mm), data(bytes), enable(bytes) {}
    std::vector<uint8_t> data, enable;
    bool completed = false;                              /* the target is done with it: no END_RESP */
    uint64_t resets = 0;                                 /* before it began */
    enum { REQUESTED, TAKEN, ANSWERED } told = ANSWERED; /* by the target, also if its delay is not over */
  };
  line_payload &request();
  void take_bytes(line_payload &p, bool write);
  void begin(line_payload &p);
  void hear(tlm::tlm_generic_payload &payload, const tlm::tlm_phase &phase);
  void tell(line_payload &p, const tlm::tlm_phase &phase, const sc_core::sc_time &delay);
  bool awaited(const line_payload &p) const { return p.resets == resets_ && !(p.is_write() && posts_); }
  void end(line_payload &p);
  void reset();
  line_payload &payload();
  void free(tlm::tlm_generic_payload *p) override;
  tlm::tlm_sync_enum nb_bw(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);

  std::vector<std::pair<std::string, const wire *>> request_, response_; /* fields of the bundles */
  const std::string asks_, brings_; /* the bundles: mreq and mrsp, or out and fill */
  const bool posts_;                /* l2_top: no pin answers a write */
  const wire *const wmask_;         /* nullptr: all bytes of a line are written */
  const wire &valid_, &ready_, &wdata_, &answer_valid_, &answer_ready_, &answer_data_;
  const unsigned line_bytes_;
  std::vector<std::unique_ptr<line_payload>> made_;
  std::vector<line_payload *> pool_;
  std::deque<line_payload *> answer_; /* the first is at the pins */
  tlm_utils::peq_with_cb_and_phase<memory_side> later_;
  std::vector<uint32_t> words_;
  const tlm::tlm_generic_payload *requesting_ = nullptr; /* whose BEGIN_REQ is open */
  uint64_t transactions_ = 0, errors_ = 0, dropped_ = 0, resets_ = 0;
};

} // namespace heddle

#endif
