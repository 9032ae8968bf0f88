/* A target that draws at random among all that TLM-2.0's base protocol allows: when a request ends, in which form, after how long
 * and in which order it answers. A memory behind it, by b_transport, moves the bytes when a request begins.
 *
 * Invariant: the same calls in the same order with the same seed get the same answers. Until a read is answered, its payload holds
 * other bytes. */
#ifndef HEDDLE_TESTS_SYSTEMC_RANDOM_TARGET_H
#define HEDDLE_TESTS_SYSTEMC_RANDOM_TARGET_H

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <tlm>
#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

class random_target : public sc_core::sc_module {
public:
  tlm_utils::simple_target_socket<random_target> socket{"socket"};
  tlm_utils::simple_initiator_socket<random_target> memory{"memory"};

  /* Times are multiples of a quarter of the period, up to `most` periods. */
  random_target(const sc_core::sc_module_name &name, sc_core::sc_time period, unsigned most, unsigned seed)
      : sc_module(name), fourth_(period / 4), most_(4 * most), random_(seed),
        later_(this, &random_target::due) {
    socket.register_nb_transport_fw(this, &random_target::nb_fw);
    socket.register_transport_dbg(this, &random_target::debug);
    SC_HAS_PROCESS(random_target);
    SC_METHOD(respond);
    sensitive << free_;
    dont_initialize();
  }
  /* Returns true if every form has occurred and an answer has overtaken another. */
  bool all_forms() const { return *std::min_element(forms_, forms_ + FORMS) > 0 && overtakes_; }
  size_t open() const { return open_.size(); }
  /* Requests that are answered with an error and do nothing. */
  std::function<bool(const tlm::tlm_generic_payload &)> fails = [](const tlm::tlm_generic_payload &) {
    return false;
  };
  /* From now on each read returns a wrong byte. */
  void spoil() { spoil_ = true; }

private:
  using payload = tlm::tlm_generic_payload;
  enum form { ENDS_LATER, ANSWERS_LATER, ENDS_AT_ONCE, ANSWERS_AT_ONCE, COMPLETES, FORMS };
  struct transaction {
    std::vector<uint8_t> data;
    tlm::tlm_response_status status;
    uint64_t number;
  };

  unsigned below(unsigned n) { return (unsigned)(random_() % n); }
  sc_core::sc_time draw() { return (below(4) ? below(most_) : 0) * fourth_; }

  void hide(payload &p, transaction &t) {
    t.status = p.get_response_status();
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    if (!p.is_read())
      return;
    t.data.assign(p.get_data_ptr(), p.get_data_ptr() + p.get_data_length());
    std::fill_n(p.get_data_ptr(), p.get_data_length(), (uint8_t)0xee);
  }
  void show(payload &p) {
    const transaction &t = open_.at(&p);
    p.set_response_status(t.status);
    if (p.is_read())
      std::copy(t.data.begin(), t.data.end(), p.get_data_ptr());
    if (p.is_read() && spoil_)
      p.get_data_ptr()[0] ^= 1;
    for (const auto &other : open_)
      overtakes_ |= other.second.number < t.number;
  }
  void close(payload &p) {
    open_.erase(&p);
    p.release();
  }

  tlm::tlm_sync_enum nb_fw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &delay) {
    if (phase == tlm::END_RESP) {
      close(p);
      responding_ = false;
      free_.notify(draw());
      return tlm::TLM_COMPLETED;
    }
    sc_core::sc_time none;
    p.acquire();
    if (fails(p))
      p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    else
      memory->b_transport(p, none);
    hide(p, open_[&p] = {{}, p.get_response_status(), begun_++});
    form f = (form)below(FORMS);
    if (f == ANSWERS_AT_ONCE && responding_)
      f = ENDS_AT_ONCE;
    forms_[f]++;
    delay += draw();
    switch (f) {
    case ENDS_LATER:
      later_.notify(p, tlm::END_REQ, delay);
      return tlm::TLM_ACCEPTED;
    case ANSWERS_LATER:
      later_.notify(p, tlm::BEGIN_RESP, delay);
      return tlm::TLM_ACCEPTED;
    case ENDS_AT_ONCE:
      later_.notify(p, tlm::BEGIN_RESP, delay + draw());
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    case ANSWERS_AT_ONCE:
      show(p);
      responding_ = true;
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    default:
      show(p);
      close(p);
      return tlm::TLM_COMPLETED;
    }
  }

  unsigned debug(payload &p) { return memory->transport_dbg(p); }

  void due(payload &p, const tlm::tlm_phase &phase) {
    if (phase == tlm::BEGIN_RESP) {
      ready_.push_back(&p);
      respond();
      return;
    }
    const sc_core::sc_time delay = below(2) ? sc_core::SC_ZERO_TIME : draw();
    send(p, tlm::END_REQ, delay);
    later_.notify(p, tlm::BEGIN_RESP, delay + draw());
  }

  void respond() {
    if (responding_ || ready_.empty())
      return;
    const auto which = ready_.begin() + below((unsigned)ready_.size());
    payload &p = **which;
    ready_.erase(which);
    show(p);
    responding_ = true;
    send(p, tlm::BEGIN_RESP, below(2) ? sc_core::SC_ZERO_TIME : draw());
  }

  void send(payload &p, tlm::tlm_phase phase, sc_core::sc_time delay) {
    if (socket->nb_transport_bw(p, phase, delay) != tlm::TLM_ACCEPTED)
      SC_REPORT_ERROR("/heddle/test", "an initiator that ends a phase at once is not expected here");
  }

  const sc_core::sc_time fourth_;
  const unsigned most_;
  std::mt19937 random_;
  tlm_utils::peq_with_cb_and_phase<random_target> later_;
  std::map<payload *, transaction> open_;
  std::vector<payload *> ready_; /* ready to be answered */
  sc_core::sc_event free_;       /* another may be answered */
  bool responding_ = false, overtakes_ = false, spoil_ = false;
  uint64_t begun_ = 0, forms_[FORMS] = {};
};

#endif
