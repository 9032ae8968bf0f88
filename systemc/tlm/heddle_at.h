/* The target's side of the base protocol of TLM-2.0 (IEEE 1666), for one socket or several. It keeps the open transactions and the
 * phase that is due for each, and sends one response at a time.
 *
 * Invariant: a socket has at most one BEGIN_REQ without its END_REQ, and one BEGIN_RESP without its END_RESP. A phase that is not due
 * is an error, and changes nothing. A phase of TLM_DECLARE_EXTENDED_PHASE is ignored. A payload is acquired while it is open.
 */
#ifndef HEDDLE_AT_H
#define HEDDLE_AT_H

#include <algorithm>
#include <deque>
#include <functional>
#include <list>
#include <string>
#include <vector>

#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>

namespace heddle {

/* Reports that `who` has found the error `what` in a transaction. */
void protocol_error(const sc_core::sc_object &who, const tlm::tlm_generic_payload &p,
                    const std::string &what);

/* Returns true for a phase of the base protocol. Other phases may be ignored. */
bool is_of_base_protocol(const tlm::tlm_phase &phase);

struct at_transaction {
  enum {
    DELAYED,    /* begins later */
    ANSWERED,   /* waits for BEGIN_RESP */
    RESPONDING, /* waits for END_RESP */
    ENDING,     /* END_RESP was sent with a delay */
    OF_TARGET   /* the first state that the target may define, for transactions between begin and answer */
  };
  tlm::tlm_generic_payload *payload = nullptr;
  unsigned socket = 0;
  sc_core::sc_event *done = nullptr; /* ends the call of b_transport; nullptr: nb_transport */
  int state = DELAYED;
};

/* `Transaction` is an at_transaction, extended by the target's own fields. */
template <class Transaction> class at_target {
public:
  using payload = tlm::tlm_generic_payload;
  typedef std::list<Transaction> list;
  typedef typename list::iterator place;
  struct calls {
    std::function<void(place)> begins; /* called after the transaction's delay: sets a state, or answers */
    std::function<tlm::tlm_sync_enum(unsigned socket, payload &, tlm::tlm_phase &, sc_core::sc_time &)>
        backward;
    std::function<void()> moved = [] {
    }; /* called when another response may begin: an END_RESP has come, or an answer_in is due */
  };
  enum ends { LATER, AT_ONCE }; /* END_REQ is sent by end_request, or at once in answer to BEGIN_REQ */

  at_target(const sc_core::sc_module &owner, unsigned sockets, calls call, ends end = LATER)
      : open(), owner_(owner), call_(std::move(call)), ends_(end), requesting_(sockets), responding_(sockets),
        later_(this, &at_target::due) {}
  at_target(const at_target &) = delete;
  at_target &operator=(const at_target &) = delete;

  list open; /* the open transactions, in the order in which they began */

  /* Implements nb_transport_fw. */
  tlm::tlm_sync_enum forward(unsigned socket, payload &p, tlm::tlm_phase &phase,
                             const sc_core::sc_time &delay) {
    const bool begins = phase == tlm::BEGIN_REQ;
    if (!begins && phase != tlm::END_RESP) {
      if (is_of_base_protocol(phase))
        protocol_error(owner_, p, std::string(phase.get_name()) + " on the forward path");
      return tlm::TLM_ACCEPTED;
    }
    const place t = find(p);
    if (begins && t == open.end() && !(p.has_mm() && !requesting_[socket])) {
      p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      protocol_error(owner_, p,
                     p.has_mm() ? "BEGIN_REQ before the END_REQ of the last" : "no memory manager");
      return tlm::TLM_COMPLETED;
    }
    if (begins ? t != open.end()
               : t == open.end() || t->socket != socket || t->state != at_transaction::RESPONDING) {
      protocol_error(owner_, p, std::string(phase.get_name()) + " where none is due");
      return tlm::TLM_ACCEPTED;
    }
    if (begins) {
      p.acquire();
      add(p, socket, nullptr);
      if (ends_ == LATER)
        requesting_[socket] = &p;
    } else {
      t->state = at_transaction::ENDING;
    }
    if (delay == sc_core::SC_ZERO_TIME)
      due(p, phase);
    else
      later_.notify(p, phase, delay);
    if (!begins)
      return tlm::TLM_COMPLETED;
    if (ends_ == LATER)
      return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }

  /* Implements b_transport, for a target whose time passes in the SystemC kernel. */
  void block(unsigned socket, payload &p, sc_core::sc_time &delay) {
    if (delay != sc_core::SC_ZERO_TIME)
      sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    sc_core::sc_event done;
    add(p, socket, &done);
    call_.begins(std::prev(open.end()));
    sc_core::wait(done);
  }

  /* Sends END_REQ. Any other transaction may begin or end during the call. */
  void end_request(place t) {
    if (t->done)
      return;
    requesting_[t->socket] = nullptr;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    call_.backward(t->socket, *t->payload, phase, delay);
  }

  /* Answers a transaction, whose data and response status are set. b_transport returns in the next delta cycle. With nb_transport the
   * answer waits for respond(). */
  void answer(place t) {
    t->state = at_transaction::ANSWERED;
    if (t->done)
      end(t);
    else
      answers_.push_back(t);
  }

  /* Answers after a delay, as answer() does, and then calls `moved`. */
  void answer_in(place t, const sc_core::sc_time &delay) {
    later_.notify(*t->payload, tlm::BEGIN_RESP, delay);
  }

  /* Sends BEGIN_RESP for the first waiting answer of each socket that has no response open. Any transaction may begin or end during
   * the call. Returns false if no answer could begin. */
  bool respond() {
    std::vector<bool> had(responding_.size());
    for (bool any = false;; any = true) {
      const auto next = std::find_if(answers_.begin(), answers_.end(), [this, &had](place t) {
        return !had[t->socket] && !responding_[t->socket];
      });
      if (next == answers_.end())
        return any;
      const place t = *next;
      answers_.erase(next);
      had[t->socket] = true;
      begin_response(t);
    }
  }

  size_t waiting() const { return answers_.size(); } /* the number of answers that wait for BEGIN_RESP */
  /* Returns true if an answer of this socket waits or is not over. */
  bool answering(unsigned socket) const {
    return std::any_of(open.begin(), open.end(), [socket](const Transaction &t) {
      return t.socket == socket && t.state > at_transaction::DELAYED && t.state < at_transaction::OF_TARGET;
    });
  }

private:
  place find(const payload &p) {
    return std::find_if(open.begin(), open.end(), [&p](const Transaction &t) { return t.payload == &p; });
  }
  void add(payload &p, unsigned socket, sc_core::sc_event *done) {
    open.emplace_back();
    open.back().payload = &p;
    open.back().socket = socket;
    open.back().done = done;
  }
  void due(payload &p, const tlm::tlm_phase &phase) {
    const place t = find(p);
    if (phase == tlm::BEGIN_REQ) {
      open.splice(open.end(), open, t); /* transactions that began during its delay come before it */
      call_.begins(t);
      return;
    }
    if (phase == tlm::BEGIN_RESP)
      answer(t);
    else
      end(t);
    call_.moved();
  }
  void begin_response(place t) {
    payload &p = *t->payload;
    const unsigned socket = t->socket;
    t->state = at_transaction::RESPONDING;
    responding_[socket] = &p;
    if (requesting_[socket] == &p) /* BEGIN_RESP implies END_REQ */
      requesting_[socket] = nullptr;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum said = call_.backward(socket, p, phase, delay);
    if (said != tlm::TLM_COMPLETED && !(said == tlm::TLM_UPDATED && phase == tlm::END_RESP))
      return;
    const place now = find(p);
    if (now == open.end() || now->state != at_transaction::RESPONDING) {
      protocol_error(owner_, p, "a response that is ended twice");
      return;
    }
    now->state = at_transaction::ENDING;
    if (delay == sc_core::SC_ZERO_TIME)
      end(now);
    else
      later_.notify(p, tlm::END_RESP, delay);
  }
  void end(place t) {
    payload &p = *t->payload;
    sc_core::sc_event *done = t->done;
    if (responding_[t->socket] == &p)
      responding_[t->socket] = nullptr;
    open.erase(t);
    if (done)
      done->notify(sc_core::SC_ZERO_TIME);
    else
      p.release();
  }

  const sc_core::sc_module &owner_;
  const calls call_;
  const ends ends_;
  std::vector<const payload *> requesting_, responding_; /* of each socket: with BEGIN_REQ or _RESP open */
  std::deque<place> answers_;
  tlm_utils::peq_with_cb_and_phase<at_target> later_;
};

} // namespace heddle

#endif
