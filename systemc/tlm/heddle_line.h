/* What targets of TLM-2.0 payloads that lie within a line have in common; what a slice moves of one.
 *
 * Invariant: nothing here keeps or changes anything but the payload.
 */
#ifndef HEDDLE_LINE_H
#define HEDDLE_LINE_H

#include <algorithm>
#include <climits>
#include <vector>

#include "heddle_tlm.h"

namespace heddle {

/* Whether byte i of its data is enabled. */
bool is_enabled(const tlm::tlm_generic_payload &p, unsigned i);

/* A field of its request_info; 0: it has none. */
uint64_t field_of(const tlm::tlm_generic_payload &p, const char *name);

/* What is wrong with a read or write: of lines of so many bytes, whose numbers have so many bits. */
tlm::tlm_response_status status_of(const tlm::tlm_generic_payload &p, unsigned line_bytes,
                                   unsigned line_bits);

/* The kind of request that an L2 gets; `queries`: it has such, and TLM_IGNORE_COMMAND may be one. False: it has nothing to do. */
bool kind_of(const tlm::tlm_generic_payload &p, bool queries, request_info::kind_of *kind);

/* Bytes of a payload, as far as it has so many: all but of one that names a sector of its line. */
struct span {
  unsigned from = 0, length = UINT_MAX;
  unsigned end(const tlm::tlm_generic_payload &p) const {
    return from + std::min(length, p.get_data_length() - from);
  }
};

/* The bytes that a store writes, laid over a line: bytes[i] with here[i] = 1. Returns how many. */
unsigned lay_over(const tlm::tlm_generic_payload &p, unsigned line_bytes, uint8_t *bytes, uint8_t *here,
                  span of = {});

/* The same as words, and a bit in `mask` for each byte; all other bytes are 0. */
unsigned lay_over(const tlm::tlm_generic_payload &p, unsigned line_bytes, std::vector<uint32_t> &words,
                  std::vector<uint32_t> &mask, span of = {});

/* What a load brings, of a whole line. */
void bring(tlm::tlm_generic_payload &p, unsigned line_bytes, const uint8_t *line, span of = {});

/* What a slice moves at a time: a line, or with l2.fill: sectors a sector of it. The functions above take one for a line. */
struct unit {
  explicit unit(const wires &pins);
  unsigned line_bytes() const { return bytes * sectors; }
  /* What is wrong with a read or write, and which of its bytes are meant: all, in one unit. Or, in a longer one, those of the sector that
   * `sectors` of its request_info names; a store has no others enabled. */
  tlm::tlm_response_status status_of(const tlm::tlm_generic_payload &p, unsigned line_bits, span *of) const;
  /* Which unit the pins are to ask for. */
  void ask(const wires &pins, uint64_t address) const;

  const unsigned bytes, sectors; /* of a unit; of a line */
};

/* A payload for bytes of the caller; without memory manager. */
void set_plain(tlm::tlm_generic_payload &p, tlm::tlm_command command, uint64_t address, uint8_t *data,
               unsigned length);

/* transport_dbg of a cache: line by line, as far as it goes.
 *   newest(line, bytes, here): its own bytes; false: it can't say      busy(line): it will have some
 *   behind(command, address, data, length): the same of what is behind it
 * Reads lay its bytes over those behind it. Writes go to what is behind it, and only where it has nothing of the line. */
template <class Newest, class Busy, class Behind>
unsigned debug_by_lines(tlm::tlm_generic_payload &p, unsigned line_bytes, Newest &&newest, Busy &&busy,
                        Behind &&behind) {
  std::vector<uint8_t> bytes(line_bytes), here(line_bytes);
  unsigned done = 0;
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  while (p.get_command() != tlm::TLM_IGNORE_COMMAND && done < p.get_data_length()) {
    const uint64_t at = p.get_address() + done, line = at / line_bytes;
    const unsigned from = (unsigned)(at % line_bytes),
                   n = std::min(p.get_data_length() - done, line_bytes - from);
    uint8_t *data = p.get_data_ptr() + done;
    if (!newest(line, bytes.data(), here.data()))
      return done;
    if (p.is_write() && (busy(line) || std::any_of(here.begin(), here.end(), [](uint8_t h) { return h; })))
      return done;
    if (behind(p.get_command(), at, data, n) != n)
      return done;
    for (unsigned i = 0; p.is_read() && i < n; i++)
      if (here[from + i])
        data[i] = bytes[from + i];
    done += n;
  }
  return done;
}

} // namespace heddle

#endif
