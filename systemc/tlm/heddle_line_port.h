/* The memory side of sm_mem (mreq_*, mrsp_*) or of l2_top (out_*, fill_*): requests at its pins as TLM-2.0 payloads, and their answers.
 *
 * A payload is one line: a read of it, or a write with byte enables. Bytes of a line are in the order of their addresses. Of an l2_top
 * that moves sectors (l2.fill: sectors) a payload is one sector, here called a line.
 *
 * Invariant: nothing here keeps a payload, or knows of time.
 */
#ifndef HEDDLE_LINE_PORT_H
#define HEDDLE_LINE_PORT_H

#include <map>

#include <tlm>

#include "heddle_wires.h"

namespace heddle {

/* What a GPU's request says besides: an extension that a target may ignore.
 *
 * An atomic is a read of the line, as it is before, with `op` above 1 among the fields; the target performs it and says so in
 * `performed`. A target that ignores that has only read. */
struct request_info : tlm::tlm_extension<request_info> {
  enum kind_of { FILL = 0, BYPASS = 1, STORE = 2, QUERY = 3 };
  enum { UNCACHED = 1 }; /* op: above are atomics */
  std::map<std::string, uint64_t>
      field; /* of the bundle mreq, by name: kind, id, wid, slot, num, last, and what the machine adds */
  std::vector<uint8_t> operand, enabled; /* of an atomic, for each byte of the line; else empty */
  bool performed = false;
  unsigned atomic() const { /* which; 0: none */
    return operand.empty() || !field.count("op") ? 0 : (unsigned)field.at("op");
  }
  tlm_extension_base *clone() const override { return new request_info(*this); }
  void copy_from(const tlm_extension_base &other) override {
    *this = static_cast<const request_info &>(other);
  }
};

/* With the bytes that it points to, and a request_info. */
struct line_payload : tlm::tlm_generic_payload {
  line_payload(tlm::tlm_mm_interface *mm, unsigned bytes)
      : tlm_generic_payload(mm), data(bytes), enable(bytes), info(new request_info) {
    set_extension(info); /* which deletes it */
  }
  std::vector<uint8_t> data, enable;
  request_info *const info;
  bool ignored_atomic() const { return info->atomic() && is_response_ok() && !info->performed; }
};

class line_port {
public:
  explicit line_port(const wires &pins);
  unsigned line_bytes() const { return line_bytes_; }

  /* At an edge: a request is taken; so is the answer that is shown. */
  bool asks() const { return valid_.number() && ready_.number(); }
  bool takes() const { return answer_valid_.number() && answer_ready_.number(); }
  void request(line_payload &p); /* what is asked */
  bool is_answered(const line_payload &p) const { return !(p.is_write() && posts_); }
  /* After it, for the cycle that begins. nullptr: no answer. */
  void ready(bool is) const { ready_.number(is); }
  void show(line_payload *p);

private:
  std::vector<std::pair<std::string, const wire *>> request_, response_; /* fields of the bundles */
  const std::string asks_, brings_; /* the bundles: mreq and mrsp, or out and fill */
  const bool posts_;                /* l2_top: no pin answers a write */
  const wire *const wmask_;         /* nullptr: all bytes of a line are written */
  const wire &valid_, &ready_, &wdata_, &answer_valid_, &answer_ready_, &answer_data_;
  const unsigned line_bytes_;
  const unsigned sector_bits_; /* of a sector's number in what the pins call a line; 0: lines are moved */
  std::vector<uint32_t> words_;
};

} // namespace heddle

#endif
