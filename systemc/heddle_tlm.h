/* TLM-2.0 (IEEE 1666, base protocol) on Heddle's pins: the memory side of sm_mem as an initiator, and a memory.
 *
 * A payload is one line: a read of it, or a write with byte enables. Bytes of a line are in the order of their addresses.
 *
 * Invariant: between a BEGIN_REQ and its END_REQ an initiator begins no other, nor a target a BEGIN_RESP before the END_RESP of
 * the last. A payload belongs to its initiator's pool, and is acquired by whoever keeps it.
 */
#ifndef HEDDLE_TLM_H
#define HEDDLE_TLM_H

#include <deque>
#include <map>
#include <unordered_map>

#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "heddle_sm.h"

namespace heddle {

/* What a GPU's request says besides: an extension that a target may ignore. */
struct request_info : tlm::tlm_extension<request_info> {
  enum kind_of { FILL = 0, BYPASS = 1, STORE = 2, QUERY = 3 };
  std::map<std::string, uint64_t>
      field; /* of the bundle mreq, by name: kind, id, wid, slot, num, last, and what the machine adds */
  tlm_extension_base *clone() const override { return new request_info(*this); }
  void copy_from(const tlm_extension_base &other) override {
    *this = static_cast<const request_info &>(other);
  }
};

/* The memory side of sm_mem: its requests as transactions, several in flight. */
class memory_side : public sc_core::sc_module, public tlm::tlm_mm_interface {
public:
  sc_core::sc_in<bool> clk{"clk"}, rst{"rst"};
  tlm_utils::simple_initiator_socket<memory_side> socket{"socket"};

  memory_side(const sc_core::sc_module_name &name, const wires &pins);
  memory_side(const memory_side &) = delete;
  memory_side &operator=(const memory_side &) = delete;

  uint64_t transactions() const { return transactions_; }
  uint64_t errors() const { return errors_; } /* answers that were not TLM_OK_RESPONSE */
  size_t in_flight() const { return in_flight_; }

private:
  void edge();
  void drive();
  struct line_payload : tlm::tlm_generic_payload { /* with the bytes that it points to */
    line_payload(tlm::tlm_mm_interface *mm, unsigned bytes)
        : tlm_generic_payload(mm), data(bytes), enable(bytes) {}
    std::vector<uint8_t> data, enable;
  };
  struct answer {
    tlm::tlm_generic_payload *payload;
    bool completed; /* the target is done with it: no END_RESP */
  };
  tlm::tlm_generic_payload &request();
  void begin(tlm::tlm_generic_payload &p);
  void hear(tlm::tlm_generic_payload &p, const tlm::tlm_phase &phase, bool completed);
  void later(tlm::tlm_generic_payload &p, const tlm::tlm_phase &phase) { hear(p, phase, false); }
  line_payload &payload();
  void free(tlm::tlm_generic_payload *p) override;
  tlm::tlm_sync_enum nb_bw(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);

  std::vector<std::pair<std::string, const wire *>> request_, response_; /* fields of mreq, mrsp */
  const wire &valid_, &ready_, &wdata_, &wmask_, &answer_valid_, &answer_ready_, &answer_data_;
  const unsigned line_bytes_;
  std::vector<std::unique_ptr<line_payload>> made_;
  std::vector<line_payload *> pool_;
  std::deque<answer> answer_; /* the first is at the pins */
  tlm_utils::peq_with_cb_and_phase<memory_side> later_;
  std::vector<uint32_t> words_;
  sc_core::sc_event shown_;
  const tlm::tlm_generic_payload *requesting_ = nullptr; /* whose BEGIN_REQ is open */
  uint64_t transactions_ = 0, errors_ = 0;
  size_t in_flight_ = 0;
};

/* A memory: lines that nobody has written hold heddle_memory_initial. Reads and writes take effect in the order in which they
 * begin; each is answered `latency` later. */
class memory : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<memory> socket{"socket"};

  memory(const sc_core::sc_module_name &name, unsigned line_bytes, sc_core::sc_time latency);
  uint64_t reads() const { return reads_; }
  uint64_t writes() const { return writes_; }

private:
  std::vector<uint8_t> &line(uint64_t address);
  void work(tlm::tlm_generic_payload &p);
  void b_transport(tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
  unsigned debug(tlm::tlm_generic_payload &p);
  tlm::tlm_sync_enum nb_fw(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  void due(tlm::tlm_generic_payload &p, const tlm::tlm_phase &phase);
  void respond();

  const unsigned line_bytes_;
  const sc_core::sc_time latency_;
  std::unordered_map<uint64_t, std::vector<uint8_t>> lines_;
  tlm_utils::peq_with_cb_and_phase<memory> later_;
  std::deque<tlm::tlm_generic_payload *> ready_; /* to be answered */
  bool responding_ = false;
  uint64_t reads_ = 0, writes_ = 0;
};

/* Between two sockets: passes everything on, and says what breaks the base protocol, as an error "/heddle/tlm". */
class protocol_checker : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<protocol_checker> target{"target"};
  tlm_utils::simple_initiator_socket<protocol_checker> initiator{"initiator"};

  explicit protocol_checker(const sc_core::sc_module_name &name);
  uint64_t transactions() const { return transactions_; }

private:
  struct state {
    tlm::tlm_phase phase;
    uint64_t address;
    unsigned length;
    tlm::tlm_command command;
  };
  void wrong(const tlm::tlm_generic_payload &p, const std::string &what) const;
  void attributes(const tlm::tlm_generic_payload &p) const;
  tlm::tlm_sync_enum fw(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  tlm::tlm_sync_enum bw(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  void b_transport(tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
  unsigned debug(tlm::tlm_generic_payload &p);
  bool direct(tlm::tlm_generic_payload &p, tlm::tlm_dmi &dmi);
  void indirect(sc_dt::uint64 first, sc_dt::uint64 last);
  void step(tlm::tlm_generic_payload &p, const tlm::tlm_phase &phase, bool forward);
  void after(tlm::tlm_generic_payload &p, tlm::tlm_sync_enum answer, const tlm::tlm_phase &before,
             const tlm::tlm_phase &phase, bool forward);

  std::map<const tlm::tlm_generic_payload *, state> open_;
  const tlm::tlm_generic_payload *request_ = nullptr, *response_ = nullptr; /* whose BEGIN is not ended */
  uint64_t transactions_ = 0;
};

} // namespace heddle

#endif
