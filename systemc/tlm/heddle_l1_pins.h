/* Drives loads and stores of warps on the pins of sm_mem, cycle by cycle, in place of the SM.
 *
 * Invariant: of two open transactions of a line at most one is inside sm_mem, unless both are loads. So transactions of a line take
 * effect in the order in which they begin.
 */
#ifndef HEDDLE_L1_PINS_H
#define HEDDLE_L1_PINS_H

#include "heddle_at.h"
#include "heddle_sm.h"

namespace heddle {

/* The warp of a load or store: an extension that an initiator may leave out. */
struct warp_info : tlm::tlm_extension<warp_info> {
  unsigned warp = 0;  /* warp slot of the SM */
  uint64_t pc = 0;    /* of the instruction */
  uint64_t lanes = 1; /* bit l: lane l takes part; not 0 */
  unsigned cta = 0;   /* CTA slot of the SM */
  unsigned place = 0; /* of the warp in its CTA */
  /* For a read, with l1d.request_kinds. 1: an uncached load; above: that atomic, as at issue_op. `operand` has a byte for each byte
   * of data. A target that ignores the extension only reads. */
  unsigned op = 0;
  std::vector<uint8_t> operand;
  tlm_extension_base *clone() const override { return new warp_info(*this); }
  void copy_from(const tlm_extension_base &other) override { *this = static_cast<const warp_info &>(other); }
};

/* A load or store. */
struct l1_transaction : at_transaction {
  enum {
    WAITS = OF_TARGET, /* waits for a slot of its warp, or for other transactions of its line */
    READY,             /* waits for the scheduler */
    PICKED,            /* waits for the issue port, or is at it */
    INSIDE             /* sm_mem has taken it */
  };
  bool is_inside() const { return state >= READY; } /* true if it has a slot */
  unsigned warp = 0, slot = 0;                      /* its slot, from READY on */
  bool of_kernel = false;                           /* it began before the pending flush() */
};

/* Drives all inputs of sm_mem but those of the memory side (mreq_ready, mrsp_...) and of a shared table (rft_bypass). */
class l1_pins {
public:
  typedef std::list<l1_transaction> list; /* in the order in which they begin */
  typedef list::iterator place;
  struct calls {                      /* any transaction may begin during a call */
    std::function<void(place)> taken; /* the transaction has a slot; any other may end during the call */
    std::function<void(place, tlm::tlm_response_status)> answered;
  };

  /* `machine`: the same configuration as that of sm_mem. `open`: the transactions; the caller gives new ones the state WAITS. */
  l1_pins(const wires &pins, const char *machine, list &open, calls call);
  l1_pins(const l1_pins &) = delete;
  l1_pins &operator=(const l1_pins &) = delete;

  /* Returns TLM_OK_RESPONSE if sm_mem can perform the payload, else the error to answer with. */
  tlm::tlm_response_status status_of(const tlm::tlm_generic_payload &p) const;
  /* To be called at the end of a cycle, when all pins have settled. In a reset it answers all transactions inside with an error.
   * Returns false if there was no handshake. */
  bool edge(bool in_reset);
  /* Gives slots to waiting transactions, as far as there are slots. edge() does this too. A call between edge() and drive() takes the
   * transactions that have begun since edge(). Returns true if it took any. */
  bool accept();
  /* Returns the name of the pin or event that an open transaction waits for, as text. */
  std::string awaited(const l1_transaction &t) const;
  /* To be called at the start of the next cycle, when the outputs that depend on registers alone are valid. */
  void drive(bool takes_answers);
  /* Starts a kernel when all transactions that began before this call are answered. Transactions that begin after the call wait for
   * it. Another call before the kernel starts has no effect. */
  void flush();

  uint64_t transactions() const { return transactions_; } /* the number that went into sm_mem */
  uint64_t lost() const { return lost_; }                 /* the number lost in resets */
  uint64_t flushes() const { return flushes_; }

private:
  uint64_t line_of(const tlm::tlm_generic_payload &p) const { return p.get_address() / line_bytes_; }
  bool may_begin(const l1_transaction &t) const;
  bool meets_another(place t);
  unsigned signature(const warp_info &info) const { return sig_is_cta_ ? info.cta : info.place; }
  static unsigned op_of(const tlm::tlm_generic_payload &p);
  static bool is_load(const tlm::tlm_generic_payload &p) { return p.is_read() && !op_of(p); }
  bool find_slot(place t);
  place &at(uint64_t warp, uint64_t slot);
  void reset();
  bool take_answer();
  bool take_issue();
  bool take_picks();
  void drive_warps();
  void drive_kernel();
  void drive_issue();
  void drive_sectors(const tlm::tlm_generic_payload &p, uint64_t lanes);
  unsigned sector_bytes() const;
  unsigned sectors_of(const tlm::tlm_generic_payload &p) const;
  void drive_store();
  bool offer();
  void put(const wire *pin, uint64_t number);
  void set(const wire *pin, const std::vector<uint32_t> &words);

  struct named { /* the pins by name; nullptr: the machine does not have the pin */
    explicit named(const wires &all) : pins(all) {}
    const wire *find(const char *name) const { return pins.has(name) ? &pins[name] : nullptr; }
    const wires &pins;
    const wire *awake = find("awake"), *exit = find("exit"), *flush = find("flush"),
               *issue_line = find("issue_line"), *issue_low = find("issue_low"),
               *issue_mask = find("issue_mask"), *issue_op = find("issue_op"), *issue_pc = find("issue_pc"),
               *issue_ready = find("issue_ready"), *issue_sig = find("issue_sig"),
               *issue_sector = find("issue_sector"), *issue_slot = find("issue_slot"),
               *issue_valid = find("issue_valid"), *issue_wid = find("issue_wid"),
               *issue_write = find("issue_write"), *kernel = find("kernel"),
               *kernel_ctas = find("kernel_ctas"), *launch_valid = find("launch_valid"),
               *launch_warps = find("launch_warps"), *next_load = find("next_load"),
               *next_mem = find("next_mem"), *pick_valid = find("pick_valid"), *pick_wid = find("pick_wid"),
               *ready = find("ready"), *resp_data = find("resp_data"), *resp_error = find("resp_error"),
               *resp_ready = find("resp_ready"), *resp_slot = find("resp_slot"),
               *resp_valid = find("resp_valid"), *resp_wid = find("resp_wid"), *st_data = find("st_data"),
               *st_mask = find("st_mask"), *st_slot = find("st_slot"), *st_valid = find("st_valid"),
               *st_wid = find("st_wid"), *wait_mem = find("wait_mem");
  };
  const named pin_;
  const unsigned line_bytes_, warps_, schedulers_, lanes_;
  list &open_;
  const calls call_;
  unsigned slots_ = 0, lsu_queue_ = 0;
  bool sig_is_cta_ = false;
  std::vector<const wire *> raised_;      /* the wires that were set in this cycle; all others are 0 */
  place none_;                            /* the end of open_ */
  std::vector<std::vector<place>> at_;    /* the transaction in each slot of each warp, or none_ */
  std::vector<std::deque<place>> ready_;  /* of each warp: its READY transactions */
  std::vector<std::deque<place>> picked_; /* of each scheduler: its PICKED transactions */
  unsigned offered_ = 0;                  /* the scheduler whose first transaction is at the issue port */
  std::vector<uint32_t> words_, mask_;
  unsigned next_warp_ = 0; /* the first warp to try for a payload without warp_info */
  enum { IN_RESET, BEGINS, RUNS, ENDS } kernel_ = IN_RESET;
  bool flush_asked_ = false, flushing_ = false;
  uint64_t transactions_ = 0, lost_ = 0, flushes_ = 0;
};

} // namespace heddle

#endif
