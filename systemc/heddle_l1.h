/* TLM-2.0 (IEEE 1666, base protocol) on the pins of sm_mem: a target for loads and stores. Its memory is behind memory_side, on the
 * same pins.
 *
 * A transaction is a memory instruction of one warp whose lanes touch one line.
 *
 * Invariant: of two open transactions of a line one is inside sm_mem at most, unless both are reads; so transactions of a line take
 * effect in the order in which they begin. Each is answered once, also over a reset. A payload is acquired while it is kept.
 */
#ifndef HEDDLE_L1_H
#define HEDDLE_L1_H

#include <deque>
#include <list>
#include <vector>

#include <tlm_utils/simple_target_socket.h>

#include "heddle_tlm.h"

namespace heddle {

/* Whose load or store it is: an extension that an initiator may leave out. */
struct warp_info : tlm::tlm_extension<warp_info> {
  unsigned warp = 0;  /* slot of the SM */
  uint64_t pc = 0;    /* of the instruction */
  uint64_t lanes = 1; /* bit l: lane l takes part; not 0 */
  unsigned cta = 0;   /* slot of the SM */
  unsigned place = 0; /* of the warp in its CTA */
  tlm_extension_base *clone() const override { return new warp_info(*this); }
  void copy_from(const tlm_extension_base &other) override { *this = static_cast<const warp_info &>(other); }
};

/* Drives all inputs of sm_mem but those of the memory side (mreq_ready, mrsp_...) and of a shared table (rft_bypass). */
class l1_memory_path : public sc_core::sc_module {
public:
  sc_core::sc_in<bool> clk{"clk"}, rst{"rst"};
  tlm_utils::simple_target_socket<l1_memory_path> socket{"socket"};

  /* `machine`: the same configuration as that of sm_mem (heddle::sm_mem::machine()). */
  l1_memory_path(const sc_core::sc_module_name &name, const wires &pins, memory_side &memory,
                 const char *machine);
  l1_memory_path(const l1_memory_path &) = delete;
  l1_memory_path &operator=(const l1_memory_path &) = delete;

  /* A kernel begins, as soon as nothing is inside; what begins after this call waits for it. */
  void flush() { flush_asked_ = true; }

  uint64_t transactions() const { return transactions_; } /* that went into sm_mem */
  uint64_t refused() const { return refused_; }           /* answered with an error: what they ask for */
  uint64_t lost() const { return lost_; }                 /* answered with an error: a reset */
  uint64_t flushes() const { return flushes_; }
  size_t in_flight() const { return open_.size(); }

private:
  enum state_of {
    DELAYED,   /* begins later */
    WAITS,     /* for a slot of its warp, or for others of its line */
    READY,     /* for the scheduler */
    PICKED,    /* for the issue port, or at it */
    INSIDE,    /* sm_mem has it */
    ANSWERED,  /* waits for BEGIN_RESP */
    RESPONDING /* waits for END_RESP */
  };
  struct transaction {
    tlm::tlm_generic_payload *payload;
    sc_core::sc_event *done; /* of b_transport; nullptr: nb_transport */
    state_of state = DELAYED;
    unsigned warp = 0, slot = 0; /* READY to INSIDE */
  };
  typedef std::list<transaction>::iterator place;

  tlm::tlm_sync_enum nb_fw(tlm::tlm_generic_payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay);
  void b_transport(tlm::tlm_generic_payload &p, sc_core::sc_time &delay);
  unsigned debug(tlm::tlm_generic_payload &p);
  void later(tlm::tlm_generic_payload &p, const tlm::tlm_phase &phase);
  tlm::tlm_response_status judge(const tlm::tlm_generic_payload &p) const;
  place find(const tlm::tlm_generic_payload &p);
  void begin(place t);
  void answer(place t);
  void end(place t);
  uint64_t line_of(const tlm::tlm_generic_payload &p) const { return p.get_address() / line_bytes_; }
  static bool enabled(const tlm::tlm_generic_payload &p, unsigned i);
  bool is_inside(const transaction &t) const { return t.state >= READY && t.state <= INSIDE; }
  bool meets_another(place t);
  bool find_slot(place t);
  void accept();
  void respond();
  void reset();
  void edge();
  void take_answer();
  void take_issue();
  void take_picks();
  void drive();
  void drive_warps();
  void drive_kernel();
  void drive_issue();
  void drive_store();
  bool offer();
  void put(const char *pin, uint64_t number);

  const wires &pins_;
  memory_side &memory_;
  const unsigned line_bytes_, warps_, schedulers_, lanes_;
  unsigned slots_ = 0, lsu_queue_ = 0;
  bool sig_is_cta_ = false;
  std::vector<const wire *> driven_;
  std::list<transaction> open_;           /* in the order in which they began */
  std::vector<std::vector<place>> at_;    /* by warp and slot; or the end */
  std::vector<std::deque<place>> ready_;  /* of each warp */
  std::vector<std::deque<place>> picked_; /* of each scheduler */
  unsigned offered_ = 0;                  /* the scheduler whose first is at the issue port */
  std::deque<place> answers_;             /* wait for BEGIN_RESP */
  tlm_utils::peq_with_cb_and_phase<l1_memory_path> later_;
  std::vector<uint32_t> words_, mask_;
  sc_core::sc_event shown_;
  unsigned next_warp_ = 0; /* of a payload that does not say */
  enum { RUNS, BEGINS, ENDS } kernel_ = BEGINS;
  bool flush_asked_ = false, flushing_ = false, responding_ = false, in_reset_ = true;
  uint64_t transactions_ = 0, refused_ = 0, lost_ = 0, flushes_ = 0;
};

} // namespace heddle

#endif
