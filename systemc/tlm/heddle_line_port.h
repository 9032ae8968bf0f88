/* The memory side of sm_mem (mreq_*, mrsp_*) or of l2_top (out_*, fill_*): turns requests at the pins into TLM-2.0 payloads, and
 * answered payloads into values of the pins.
 *
 * A payload is one line: a read, or a write with byte enables. Bytes of a line are in the order of their addresses. With an l2_top that
 * moves sectors (l2.fill: sectors) a payload is one sector, here called a line.
 *
 * Invariant: nothing here keeps a payload, or depends on time.
 */
#ifndef HEDDLE_LINE_PORT_H
#define HEDDLE_LINE_PORT_H

#include <map>

#include <tlm>

#include "heddle_wires.h"

namespace heddle {

/* The other fields of a GPU's request: an extension that a target may ignore.
 *
 * An atomic is a read with `op` above 1 among the fields. It returns the line as it was before. The target performs the atomic and
 * sets `performed`. A target that ignores the extension only reads. */
struct request_info : tlm::tlm_extension<request_info> {
  enum kind_of { FILL = 0, BYPASS = 1, STORE = 2, QUERY = 3 };
  enum { UNCACHED = 1 }; /* a value of op; the values above are atomics */
  /* The fields of the bundle mreq by name: kind, id, wid, slot, num, last, and those that the machine adds. */
  std::map<std::string, uint64_t> field;
  std::vector<uint8_t> operand, enabled; /* of an atomic, for each byte of the line; else empty */
  bool performed = false;
  unsigned atomic() const { /* returns the op of an atomic, or 0 */
    return operand.empty() || !field.count("op") ? 0 : (unsigned)field.at("op");
  }
  tlm_extension_base *clone() const override { return new request_info(*this); }
  void copy_from(const tlm_extension_base &other) override {
    *this = static_cast<const request_info &>(other);
  }
};

/* A payload that owns its bytes and a request_info. */
struct line_payload : tlm::tlm_generic_payload {
  line_payload(tlm::tlm_mm_interface *mm, unsigned bytes)
      : tlm_generic_payload(mm), data(bytes), enable(bytes), info(new request_info) {
    set_extension(info); /* the payload deletes it */
  }
  std::vector<uint8_t> data, enable;
  request_info *const info;
  bool ignored_atomic() const { return info->atomic() && is_response_ok() && !info->performed; }
};

class line_port {
public:
  explicit line_port(const wires &pins);
  unsigned line_bytes() const { return line_bytes_; }

  /* To be called at an edge. */
  bool asks() const { return valid_.number() && ready_.number(); } /* a request is taken */
  /* The shown answer is taken. */
  bool takes() const { return answer_valid_.number() && answer_ready_.number(); }
  void request(line_payload &p); /* fills p with the request at the pins */
  bool is_answered(const line_payload &p) const { return !(p.is_write() && posts_); } /* the pins answer it */
  /* To be called after the edge, for the cycle that begins. show(nullptr): no answer. */
  void ready(bool is) const { ready_.number(is); }
  void show(line_payload *p);

private:
  std::vector<std::pair<std::string, const wire *>> request_, response_; /* fields of the bundles */
  const std::string asks_, brings_; /* prefixes of the bundles: mreq_ and mrsp_, or out_ and fill_ */
  const bool posts_;                /* true for l2_top, where no pin answers a write */
  const wire *const wmask_;         /* nullptr: a write writes all bytes of a line */
  const wire &valid_, &ready_, &wdata_, &answer_valid_, &answer_ready_, &answer_data_;
  const unsigned line_bytes_;
  const unsigned sector_bits_; /* bits of a sector's number in a line; 0: whole lines are moved */
  std::vector<uint32_t> words_;
};

} // namespace heddle

#endif
