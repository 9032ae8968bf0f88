/* An initiator that breaks the base protocol, for targets that must not follow it. Each mistake is an error "/heddle/tlm" and
 * changes no open transaction. What the protocol lets a target ignore is no error. */
#ifndef HEDDLE_TESTS_SYSTEMC_UNRULY_H
#define HEDDLE_TESTS_SYSTEMC_UNRULY_H

#include <algorithm>
#include <memory>

#include "tlm_rig.h"

DECLARE_EXTENDED_PHASE(SOME_PHASE);

struct unruly : sender {
  using sender::sender;
  /* Returns how often it has got this phase. */
  unsigned times(const tlm_generic_payload &p, const tlm_phase &phase) const {
    return (unsigned)std::count(
        got.begin(), got.end(),
        std::pair<tlm_generic_payload *, tlm_phase>(const_cast<tlm_generic_payload *>(&p), phase));
  }
  bool began(const tlm_generic_payload &p) const { return times(p, tlm::BEGIN_RESP) == 1; }
};

/* A target that is bound to `from`: the bytes of its lines, its clock cycle, and the most cycles until it answers. A memory ends
 * requests at once, so it can have no second BEGIN_REQ before the first END_REQ. */
struct unruly_case {
  std::string who;
  unruly &from;
  unsigned line_bytes;
  sc_time cycle;
  unsigned most;
  bool ends_at_once;
  unsigned bytes = 4;

  std::unique_ptr<payload> read(unsigned line) const {
    return std::make_unique<payload>((uint64_t)line * line_bytes, tlm::TLM_READ_COMMAND, bytes);
  }
  void run() const { sc_start(most * cycle); }
  void must(const std::string &what, bool good) const { is(who + ": " + what, good); }
  void error(const std::string &what, const std::string &text) const { says(who + ": " + what, text); }
  void silent(const std::string &what) const { says_nothing(who + ": " + what); }
  tlm_sync_enum end(payload &p, sc_time delay = SC_ZERO_TIME) const {
    return from.send(p, tlm::END_RESP, delay);
  }

  void requests() const {
    auto a = read(1), b = read(2);
    must("a declared phase of nothing", from.send(*a, SOME_PHASE) == tlm::TLM_ACCEPTED);
    silent("a declared phase of nothing");
    payload loose(line_bytes, tlm::TLM_READ_COMMAND, bytes, nullptr);
    must("no memory manager",
         from.send(loose, tlm::BEGIN_REQ) == tlm::TLM_COMPLETED && loose.is_response_error());
    error("no memory manager", "no memory manager");
    end(*a);
    error("an END_RESP of nothing", "END_RESP where none is due");

    from.send(*a, tlm::BEGIN_REQ);
    silent("a good request");
    must("a declared phase", from.send(*a, SOME_PHASE) == tlm::TLM_ACCEPTED);
    silent("a declared phase");
    from.send(*a, tlm::BEGIN_REQ);
    error("a doubled BEGIN_REQ", "BEGIN_REQ where none is due");
    end(*a);
    error("an END_RESP before BEGIN_RESP", "END_RESP where none is due");
    from.send(*a, tlm::END_REQ);
    error("END_REQ by the initiator", "END_REQ on the forward path");
    if (!ends_at_once) {
      must("a second BEGIN_REQ",
           from.send(*b, tlm::BEGIN_REQ) == tlm::TLM_COMPLETED && b->is_response_error());
      error("a second BEGIN_REQ", "BEGIN_REQ before the END_REQ of the last");
    }
    run();
    must("one answer, once",
         from.began(*a) && from.times(*a, tlm::END_REQ) == !ends_at_once && !from.times(*b, tlm::BEGIN_RESP));
    end(*a);
    silent("the end");
    must("its payload is free", a->get_ref_count() == 1);
    end(*a);
    error("a late END_RESP", "END_RESP where none is due");
  }

  /* Two of three responses wait for their turn. */
  void responses() const {
    auto a = read(3), b = read(4);
    for (payload *p : {a.get(), b.get()}) {
      from.send(*p, tlm::BEGIN_REQ);
      run();
    }
    must("one response at a time", from.began(*a) && !from.began(*b));
    end(*b);
    error("an END_RESP of another", "END_RESP where none is due");
    run();
    must("it ends nothing", !from.began(*b));
    end(*a, most * cycle * 1.5);
    silent("an END_RESP with a delay");
    end(*a);
    error("a second one", "END_RESP where none is due");
    from.send(*a, tlm::BEGIN_REQ);
    error("a BEGIN_REQ before it is over", "BEGIN_REQ where none is due");
    run();
    must("the next waits for the delay", !from.began(*b));
    run();
    must("and no longer", from.began(*b));
    end(*b);
    silent("two responses");
  }

  /* The initiator ends a response at once, with a delay. The next response waits as long. */
  void short_ends(tlm_sync_enum said) const {
    auto a = read(5), b = read(6);
    from.answer = [this, said, p = a.get()](tlm_generic_payload &q, tlm_phase &phase, sc_time &delay) {
      if (&q != p || phase != tlm::BEGIN_RESP)
        return tlm::TLM_ACCEPTED;
      if (said == tlm::TLM_UPDATED)
        phase = tlm::END_RESP;
      delay += 3 * most * cycle;
      return said;
    };
    for (payload *p : {a.get(), b.get()}) {
      from.send(*p, tlm::BEGIN_REQ);
      run();
    }
    must("the delay of a short end", from.began(*a) && !from.began(*b));
    end(*a);
    error("and an END_RESP besides", "END_RESP where none is due");
    run();
    run();
    must("the next after a short end", from.began(*b));
    from.answer = nullptr;
    end(*b);
    silent("a short end");
  }

  /* The END_RESP of one transaction comes from inside the END_REQ of another. Also an END_RESP together with TLM_COMPLETED. */
  void nested() const {
    auto a = read(7), b = read(8);
    from.send(*a, tlm::BEGIN_REQ);
    run();
    from.answer = [this, p = a.get()](tlm_generic_payload &, tlm_phase &phase, sc_time &) {
      if (phase == tlm::END_REQ)
        end(*p);
      return tlm::TLM_ACCEPTED;
    };
    from.send(*b, tlm::BEGIN_REQ);
    if (ends_at_once)
      end(*a);
    run();
    must("a nested END_RESP", a->get_ref_count() == 1 && from.began(*b));
    end(*b);
    silent("a nested END_RESP");
    auto c = read(9);
    from.answer = [this](tlm_generic_payload &p, tlm_phase &phase, sc_time &) {
      if (phase != tlm::BEGIN_RESP)
        return tlm::TLM_ACCEPTED;
      end(static_cast<payload &>(p));
      return tlm::TLM_COMPLETED;
    };
    from.send(*c, tlm::BEGIN_REQ);
    run();
    error("ended twice", "a response that is ended twice");
    must("and over", c->get_ref_count() == 1);
    from.answer = nullptr;
  }

  void all() const {
    for (const auto &each : std::initializer_list<std::function<void()>>{
             [this] { requests(); }, [this] { responses(); }, [this] { short_ends(tlm::TLM_COMPLETED); },
             [this] { short_ends(tlm::TLM_UPDATED); }, [this] { nested(); }}) {
      from.got.clear();
      each();
    }
  }
};

#endif
