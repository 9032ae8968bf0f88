/* A checker of TLM-2.0's base protocol (IEEE 1666), between an initiator's and a target's socket.
 *
 * Invariant: every call passes unchanged, also one that breaks the protocol. A phase that is not due does not change the checker's
 * record of the transactions.
 */
#ifndef HEDDLE_CHECKER_H
#define HEDDLE_CHECKER_H

#include <map>
#include <string>

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "heddle_at.h"

namespace heddle {

/* Passes all calls between two sockets. It reports each call that breaks the base protocol as an error "/heddle/tlm". If transactions
 * are open when the simulation ends, it reports a warning. */
class protocol_checker : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<protocol_checker> target{"target"};
  tlm_utils::simple_initiator_socket<protocol_checker> initiator{"initiator"};

  explicit protocol_checker(const sc_core::sc_module_name &name);
  uint64_t transactions() const { return transactions_; }
  size_t open() const { return open_.size(); } /* transactions that have begun and are not over */

private:
  using payload = tlm::tlm_generic_payload;
  struct attributes { /* must not change while the transaction is open */
    tlm::tlm_command command;
    const uint8_t *data, *enable;
    unsigned length, enable_length, streaming_width;
    explicit attributes(const payload &p);
    bool operator==(const attributes &other) const;
  };
  struct transaction {
    uint64_t number;
    tlm::tlm_phase phase;   /* the last phase of the base protocol */
    sc_core::sc_time until; /* the time of the last call, with its delay */
    attributes at_begin;
  };
  void wrong(const payload &p, const std::string &what) const;
  void check_begin(const payload &p) const;
  void check_going_on(const payload &p, transaction &t, const sc_core::sc_time &delay) const;
  void begin(payload &p, bool forward, const sc_core::sc_time &delay);
  void step(payload &p, const tlm::tlm_phase &phase, bool forward, const sc_core::sc_time &delay);
  void complete(payload &p, const tlm::tlm_phase &before, const sc_core::sc_time &delay);
  void after(payload &p, tlm::tlm_sync_enum answer, const tlm::tlm_phase &before, const tlm::tlm_phase &phase,
             bool forward, const sc_core::sc_time &delay);
  tlm::tlm_sync_enum fw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  tlm::tlm_sync_enum bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  void b_transport(payload &p, sc_core::sc_time &delay);
  unsigned debug(payload &p);
  bool direct(payload &p, tlm::tlm_dmi &dmi);
  void indirect(sc_dt::uint64 first, sc_dt::uint64 last);
  void end_of_simulation() override;

  std::map<const payload *, transaction> open_;
  const payload *request_ = nullptr,
                *response_ = nullptr; /* the payloads of the open BEGIN_REQ and BEGIN_RESP */
  uint64_t transactions_ = 0;
};

} // namespace heddle

#endif
