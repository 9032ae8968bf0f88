/* Sends random loads and stores to heddle::l1_memory_path by nb_transport and b_transport, in every form of the protocol. Also
 * illegal transactions, and on machines that have them uncached loads and atomics.
 *
 * Invariant: it knows the data that each load must return: the memory's contents when the load begins. */
#ifndef HEDDLE_TESTS_SYSTEMC_L1_USER_H
#define HEDDLE_TESTS_SYSTEMC_L1_USER_H

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "heddle_l1.h"

using namespace sc_core;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

static const sc_time period(1, SC_NS);
enum {
  LINES = 160,     /* lines in use */
  FIRST = 0x2000,  /* the first of them */
  BLOCKING = 16,   /* the last ones, only by b_transport */
  BAD = 20,        /* one of this many lines has errors */
  IN_FLIGHT = 24,  /* at most */
  PATIENCE = 20000 /* cycles without an answer */
};

inline unsigned failed;
inline void must(bool good, const std::string &what) {
  if (good)
    return;
  failed++;
  fprintf(stderr, "FAILED: %s: %s\n", sc_time_stamp().to_string().c_str(), what.c_str());
}
struct user : sc_module, tlm::tlm_mm_interface {
  tlm_utils::simple_initiator_socket<user> socket{"socket"};
  sc_in<bool> clk{"clk"};
  const unsigned line_bytes, warps, lanes;
  const unsigned kinds;       /* operations above plain loads and stores */
  const bool errors;          /* some lines have errors */
  std::vector<uint8_t> bytes; /* of the lines */
  uint64_t atomics = 0, uncached = 0, failed_ones = 0;
  uint64_t left, answered = 0, wrong_ones = 0, blocked = 0, hash = 14695981039346656037u;
  bool paused = true;
  size_t open = 0; /* open by nb_transport */

  struct payload : tlm_generic_payload {
    std::vector<uint8_t> data, enable, expected;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE; /* the status that it must get */
    uint64_t number = 0;
    using tlm_generic_payload::tlm_generic_payload;
  };

  SC_HAS_PROCESS(user);
  user(const sc_module_name &name, unsigned seed, uint64_t n, const heddle::wires &pins)
      : sc_module(name), line_bytes(pins["st_mask"].bits), warps(pins["ready"].bits),
        lanes(pins["issue_mask"].bits), kinds(pins.has("issue_op") ? (1U << pins["issue_op"].bits) - 1 : 0),
        errors(pins.has("resp_error")), left(n), random_(seed), blocking_random_(seed + 1),
        later_(this, &user::later) {
    socket.register_nb_transport_bw(this, &user::nb_bw);
    for (uint64_t line = FIRST; line < FIRST + LINES; line++)
      for (unsigned b = 0; b < line_bytes; b++)
        bytes.push_back((uint8_t)(heddle_memory_initial(line, b / 8) >> b % 8 * 8));
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
    SC_THREAD(block);
  }

  void free(tlm_generic_payload *p) override {
    p->free_all_extensions();
    delete static_cast<payload *>(p);
  }

  /* Fills in a payload on these lines. One in 16 is illegal in some way. */
  void fill(payload &p, std::mt19937 &random, unsigned first, unsigned n) {
    const auto below = [&random](uint64_t m) { return (unsigned)(random() % m); };
    const bool write = below(3) == 0;
    unsigned length = 1 + below(below(4) ? 16 : line_bytes), offset = below(line_bytes - length + 1);
    uint64_t address = uint64_t(FIRST + first + below(n)) * line_bytes + offset;
    unsigned streaming = length;
    p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    if (below(2)) {
      p.enable.resize(1 + below(length));
      for (uint8_t &e : p.enable)
        e = below(2) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
      p.set_byte_enable_ptr(p.enable.data());
      p.set_byte_enable_length((unsigned)p.enable.size());
    }
    auto *info = below(2) ? new heddle::warp_info : nullptr;
    if (info) {
      info->warp = below(warps);
      info->pc = 8 * below(6);
      info->lanes = 1 + random() % ((uint64_t(1) << lanes) - 1);
      info->place = info->warp;
    }
    p.status = tlm::TLM_OK_RESPONSE;
    if (info && !write && kinds && below(2))
      draw_kind(*info, random, &offset, &length);
    address = address / line_bytes * line_bytes + offset;
    streaming = length;
    const unsigned what = below(16 * 9);
    if (what == 0) {
      p.set_command(tlm::TLM_IGNORE_COMMAND);
      p.status = tlm::TLM_COMMAND_ERROR_RESPONSE;
    } else if (what == 1) {
      address |= uint64_t(1) << 40;
      p.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
    } else if (what == 2) { /* across lines, or too long */
      length = line_bytes - offset + 1 + below(line_bytes);
      streaming = length;
      p.status = tlm::TLM_BURST_ERROR_RESPONSE;
    } else if (what == 3 && length > 1) {
      streaming = length - 1;
      p.status = tlm::TLM_BURST_ERROR_RESPONSE;
    } else if (what == 4 && info) {
      (below(2) ? info->lanes = 0 : info->warp = warps);
      p.status = tlm::TLM_GENERIC_ERROR_RESPONSE;
    } else if (what == 5 && info) {
      p.set_command(tlm::TLM_WRITE_COMMAND);
      info->op = 1;
      p.status = tlm::TLM_COMMAND_ERROR_RESPONSE;
    } else if (what == 6 && info) {
      info->op = kinds + 1;
      p.status = tlm::TLM_COMMAND_ERROR_RESPONSE;
    } else if (what == 7 && info && info->op > 1) {
      info->operand.push_back(0);
      p.status = tlm::TLM_GENERIC_ERROR_RESPONSE;
    } else if (what == 8 && info && info->op > 1) {
      length = streaming = length - 1;
      p.status = tlm::TLM_BURST_ERROR_RESPONSE;
    }
    wrong_ones += p.status != tlm::TLM_OK_RESPONSE; /* payloads on bad lines are not refused */
    p.data.resize(length);
    for (uint8_t &d : p.data)
      d = (uint8_t)random();
    p.expected = p.data;
    p.set_address(address);
    p.set_data_ptr(p.data.data());
    p.set_data_length(length);
    p.set_streaming_width(streaming);
    p.set_extension(info);
    if (p.status == tlm::TLM_OK_RESPONSE && is_bad(address)) {
      p.status = tlm::TLM_GENERIC_ERROR_RESPONSE;
      failed_ones++;
    } else if (p.status == tlm::TLM_OK_RESPONSE && info) {
      atomics += info->op > 1;
      uncached += info->op == 1;
    }
  }
  bool is_bad(uint64_t address) const { return errors && address / line_bytes % BAD == 7; }
  /* An uncached load, or an atomic on whole words. */
  void draw_kind(heddle::warp_info &info, std::mt19937 &random, unsigned *offset, unsigned *length) {
    info.op = 1 + (unsigned)random() % kinds;
    if (info.op == 1)
      return;
    *offset = *offset / 8 * 8 + 4 * (random() % 2);
    *length = std::min(4 * (1 + (unsigned)random() % 3), line_bytes - *offset);
    info.operand.resize(*length);
    for (uint8_t &b : info.operand)
      b = random() % 4 ? (uint8_t)random() : bytes[random() % bytes.size()];
  }
  /* Returns a word by the table in docs/mechanisms/l1d.md, Request kinds. */
  static uint32_t result(unsigned op, uint32_t old, uint32_t x, uint32_t c) {
    const int32_t s = (int32_t)old, y = (int32_t)x;
    const uint32_t all[] = {old + x,
                            x,
                            old == c ? x : old,
                            (uint32_t)std::min(s, y),
                            (uint32_t)std::max(s, y),
                            std::min(old, x),
                            std::max(old, x),
                            old & x,
                            old | x,
                            old ^ x,
                            old >= x ? 0 : old + 1,
                            !old || old > x ? x : old - 1};
    return op - 2 < sizeof all / sizeof *all ? all[op - 2] : old;
  }
  /* Performs the transaction on the line `here`. */
  void perform(const payload &p, const heddle::warp_info &info, uint8_t *here) const {
    std::vector<uint32_t> x(line_bytes / 4), old(line_bytes / 4);
    std::vector<bool> enabled(line_bytes / 4);
    const unsigned from = (unsigned)(p.get_address() % line_bytes);
    std::memcpy(reinterpret_cast<uint8_t *>(x.data()) + from, info.operand.data(), info.operand.size());
    std::memcpy(old.data(), here, line_bytes);
    for (unsigned i = 0; i < p.data.size(); i++)
      if (p.enable.empty() || p.enable[i % p.enable.size()] == TLM_BYTE_ENABLED)
        enabled[(from + i) / 4] = true;
    for (unsigned w = 0; w < x.size(); w++)
      if (enabled[w])
        old[w] = result(info.op, old[w], x[w], x[w ^ 1]);
    std::memcpy(here, old.data(), line_bytes);
  }
  /* Called when the transaction begins. */
  void expect(payload &p) {
    if (p.status != tlm::TLM_OK_RESPONSE)
      return;
    uint8_t *here = &bytes[p.get_address() - uint64_t(FIRST) * line_bytes];
    for (size_t i = 0; i < p.data.size(); i++)
      if (p.enable.empty() || p.enable[i % p.enable.size()] == TLM_BYTE_ENABLED)
        (p.is_write() ? here[i] : p.expected[i]) = p.is_write() ? p.data[i] : here[i];
    const auto *info = p.get_extension<heddle::warp_info>();
    if (info && info->op > 1) {
      perform(p, *info, here - p.get_address() % line_bytes);
      inside_.insert(p.get_address() / line_bytes);
    }
  }
  void check(const payload &p) {
    const bool lost = may_be_lost_ && p.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE;
    must(lost || p.get_response_status() == p.status,
         "found " + p.get_response_string() + " of number " + std::to_string(p.number));
    must(may_be_lost_ || p.data == p.expected, "wrong data of number " + std::to_string(p.number));
    const auto *info = p.get_extension<heddle::warp_info>();
    if (info && info->op > 1 && p.status == tlm::TLM_OK_RESPONSE)
      inside_.erase(inside_.find(p.get_address() / line_bytes));
    answered++;
    hash = ((hash ^ p.number) * 1099511628211u ^ (uint64_t)sc_time_stamp().value()) * 1099511628211u;
  }

  void edge() {
    cycles_++;
    must(paused || cycles_ < moved_ + PATIENCE, "nothing moves");
    if (cycles_ >= moved_ + PATIENCE)
      sc_stop();
    if (paused || requesting_ || !left || open == IN_FLIGHT || random_() % 4 == 0)
      return;
    auto *p = new payload(this);
    p->acquire();
    p->number = left--;
    open++;
    fill(*p, random_, 0, LINES - BLOCKING);
    expect(*p);
    requesting_ = p;
    moved_ = cycles_;
    tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = (random_() % 4 ? 0 : random_() % 8) * period / 4;
    const tlm::tlm_sync_enum said = socket->nb_transport_fw(*p, phase, delay);
    must(said == tlm::TLM_ACCEPTED, "a request is not answered at once");
  }
  tlm::tlm_sync_enum nb_bw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
    must(delay == SC_ZERO_TIME, "a delay");
    if (requesting_ == &p)
      requesting_ = nullptr;
    if (phase == tlm::END_REQ)
      return tlm::TLM_ACCEPTED;
    check(static_cast<payload &>(p));
    moved_ = cycles_;
    const sc_time after = random_() % 12 * period / 4;
    switch (random_() % 3) {
    case 0:
      later_.notify(p, tlm::END_RESP, after);
      return tlm::TLM_ACCEPTED;
    case 1:
      phase = tlm::END_RESP;
      delay = after;
      close(p);
      return tlm::TLM_UPDATED;
    default:
      close(p);
      return tlm::TLM_COMPLETED;
    }
  }
  void later(tlm_generic_payload &p, const tlm_phase &) {
    tlm_phase phase = tlm::END_RESP;
    sc_time delay = random_() % 2 * period / 2;
    socket->nb_transport_fw(p, phase, delay);
    close(p);
  }
  void close(tlm_generic_payload &p) {
    open--;
    p.release();
  }

  /* Transactions one after the other, in lines of their own. */
  void block() {
    for (uint64_t i = 0;; i++) {
      wait(clk.posedge_event());
      if (paused || !left)
        continue;
      payload p;
      p.number = i + (uint64_t(1) << 32);
      fill(p, blocking_random_, LINES - BLOCKING, BLOCKING);
      expect(p);
      blocking_ = true;
      sc_time delay = blocking_random_() % 2 * period;
      socket->b_transport(p, delay);
      blocking_ = false;
      check(p);
      blocked++;
    }
  }
  bool idle() const { return !open && !blocking_; }
  /* Call with true from a reset until all transactions in flight have been answered. A lost store may be performed or not, and later
   * loads may see either. */
  void lose(bool may) { may_be_lost_ = may; }

  /* Checks what debug transport shows of a line. `take`: copies it to `bytes`, since it may differ. */
  void look(unsigned line, bool take) {
    if (is_bad(uint64_t(FIRST + line) * line_bytes) || inside_.count(FIRST + line))
      return;
    tlm_generic_payload p;
    std::vector<uint8_t> seen(line_bytes);
    p.set_read();
    p.set_address(uint64_t(FIRST + line) * line_bytes);
    p.set_data_ptr(seen.data());
    p.set_data_length(line_bytes);
    must(socket->transport_dbg(p) == line_bytes, "debug transport");
    const auto here = bytes.begin() + line * line_bytes;
    must(take || std::equal(seen.begin(), seen.end(), here),
         "debug transport of line " + std::to_string(line));
    std::copy(seen.begin(), seen.end(), here);
  }
  bool requesting() const { return requesting_; }

private:
  std::mt19937 random_, blocking_random_;
  tlm_utils::peq_with_cb_and_phase<user> later_;
  const tlm_generic_payload *requesting_ = nullptr;
  std::multiset<uint64_t>
      inside_; /* lines of atomics: debug transport shows them when the memory has performed them */
  uint64_t cycles_ = 0, moved_ = 0;
  bool blocking_ = false, may_be_lost_ = false;
};

#endif
