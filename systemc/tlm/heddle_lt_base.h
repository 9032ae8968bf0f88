/* The common parts of the models without pins: a golden model, calls one at a time, the memory behind.
 *
 * Invariant: times are those of the simulation. A model is ahead of the kernel by the delay of the call that steps it.
 */
#ifndef HEDDLE_LT_BASE_H
#define HEDDLE_LT_BASE_H

#include <deque>

#include "heddle_at.h"
#include "heddle_line_port.h"

namespace heddle {

/* The golden model of a module of a machine. */
struct lt_model {
  lt_model(const char *machine, const char *module);
  ~lt_model();
  lt_model(const lt_model &) = delete;
  lt_model &operator=(const lt_model &) = delete;
  heddle_machine *machine = nullptr;
  heddle_model *model = nullptr;
};

/* Makes calls run one after the other, also if one of them waits. */
class one_at_a_time {
public:
  class turn { /* while it exists, other threads wait for their turn */
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

/* The most cycles that a model is stepped for a transaction. A model that has not answered by then never will. The transaction gets an
 * error, and the model is not stepped any more. */
enum { PATIENCE = 100000 };
/* Reports that a transaction is not answered, and sets its response status. `awaited`: the pin that it waits for. `owed`: the number
 * of answers that the memory owes. */
void never_answered(const sc_core::sc_object &who, tlm::tlm_generic_payload &p, const std::string &awaited,
                    size_t owed);

/* Returns the time from the kernel's time to `then`, or 0 if `then` is over. */
sc_core::sc_time ahead(const sc_core::sc_time &then);

/* The memory side of a model. It sends the model's requests by b_transport, and shows each answer at the pins when its time has come.
 * Writes that no pin answers are posted: their time is not counted, unless the memory waits. */
class lt_memory {
public:
  typedef std::function<void(tlm::tlm_generic_payload &, sc_core::sc_time &)> transport;
  lt_memory(const sc_core::sc_object &owner, const wires &pins, transport to);
  void begin_cycle(const sc_core::sc_time &now);
  bool end_cycle(const sc_core::sc_time &now); /* before the model's edge; false: there was no handshake */
  /* Returns the time of the next answer, rounded up to a cycle. Returns `now` if an answer is there, or if none will come. */
  sc_core::sc_time rests_until(const sc_core::sc_time &now, const sc_core::sc_time &period) const;
  bool expects() const { return !answers_.empty(); }
  size_t owed() const { return answers_.size(); }
  uint64_t errors() const { return errors_; }

private:
  struct answer {
    sc_core::sc_time at;
    std::unique_ptr<line_payload> payload;
  };
  const sc_core::sc_object &owner_;
  line_port port_;
  const transport to_;
  std::deque<answer> answers_; /* in the order of their times */
  bool shown_ = false;         /* the first answer is at the pins */
  std::vector<std::unique_ptr<line_payload>> pool_;
  uint64_t errors_ = 0;
};

} // namespace heddle

#endif
