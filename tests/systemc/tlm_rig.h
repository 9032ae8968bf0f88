/* What the tests of TLM-2.0 modules share: results, reported messages, payloads, a sender, a scripted target. */
#ifndef HEDDLE_TESTS_SYSTEMC_TLM_RIG_H
#define HEDDLE_TESTS_SYSTEMC_TLM_RIG_H

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

using namespace sc_core;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;
using tlm::tlm_sync_enum;

enum { LINE = 128 };

inline int passed, failed;
inline void is(const std::string &what, bool good) {
  (good ? passed : failed)++;
  if (!good)
    printf("FAILED: %s\n", what.c_str());
}

/* Errors and warnings since the last look. */
inline std::vector<std::string> said;
inline void hear(const sc_report &r, const sc_actions &) {
  if (r.get_severity() >= SC_WARNING)
    said.push_back(r.get_msg());
}
inline void says(const std::string &what, const std::string &text) {
  bool found = false;
  for (const std::string &s : said)
    found |= s.find(text) != std::string::npos;
  is(what + ": not found: " + text, found);
  said.clear();
}
inline void says_nothing(const std::string &what) {
  is(what + ": " + (said.empty() ? "" : said[0]), said.empty());
  said.clear();
}

struct pool : tlm::tlm_mm_interface {
  int freed = 0;
  void free(tlm_generic_payload *p) override {
    p->reset();
    freed++;
  }
};
inline pool manager;

struct payload : tlm_generic_payload {
  std::vector<uint8_t> data;
  explicit payload(uint64_t address = 0, tlm::tlm_command command = tlm::TLM_READ_COMMAND,
                   unsigned length = LINE, tlm::tlm_mm_interface *mm = &manager)
      : tlm_generic_payload(mm), data(length ? length : 1) {
    set_command(command);
    set_address(address);
    set_data_ptr(data.data());
    set_data_length(length);
    set_streaming_width(length);
    if (mm)
      acquire();
  }
};

/* Sends transactions on request, and keeps the replies. `answer` may return another value than TLM_ACCEPTED. */
struct sender : sc_module {
  tlm_utils::simple_initiator_socket<sender> socket{"socket"};
  std::vector<std::pair<tlm_generic_payload *, tlm_phase>> got;
  std::function<tlm_sync_enum(tlm_generic_payload &, tlm_phase &, sc_time &)> answer;
  explicit sender(const sc_module_name &name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &sender::bw);
  }
  tlm_sync_enum bw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
    got.emplace_back(&p, phase);
    return answer ? answer(p, phase, delay) : tlm::TLM_ACCEPTED;
  }
  tlm_sync_enum send(tlm_generic_payload &p, tlm_phase phase, sc_time delay = SC_ZERO_TIME) {
    return socket->nb_transport_fw(p, phase, delay);
  }
};

/* A scripted target. */
struct puppet : sc_module {
  tlm_utils::simple_target_socket<puppet> socket{"socket"};
  std::function<tlm_sync_enum(tlm_generic_payload &, tlm_phase &, sc_time &)> answer =
      [](tlm_generic_payload &, tlm_phase &, sc_time &) { return tlm::TLM_ACCEPTED; };
  std::function<void(tlm_generic_payload &)> block = [](tlm_generic_payload &) {};
  explicit puppet(const sc_module_name &name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &puppet::fw);
    socket.register_b_transport(this, &puppet::b_transport);
  }
  tlm_sync_enum fw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
    return answer(p, phase, delay);
  }
  void b_transport(tlm_generic_payload &p, sc_time &) { block(p); }
  void send(tlm_generic_payload &p, tlm_phase phase, sc_time delay = SC_ZERO_TIME) {
    socket->nb_transport_bw(p, phase, delay);
  }
};

#endif
