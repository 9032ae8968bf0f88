/* Functions for TLM-2.0 payloads that lie within a line, used by all targets; and the unit (a line or a sector) that a slice moves.
 *
 * Invariant: these functions have no state, and change nothing but the payload.
 */
#ifndef HEDDLE_LINE_H
#define HEDDLE_LINE_H

#include <algorithm>
#include <climits>
#include <vector>

#include "heddle_tlm.h"

namespace heddle {

/* Returns true if byte i of the payload's data is enabled. */
bool is_enabled(const tlm::tlm_generic_payload &p, unsigned i);

/* Returns a field of the payload's request_info, or 0 if it has none. */
uint64_t field_of(const tlm::tlm_generic_payload &p, const char *name);

/* Returns the error of a read or write, or TLM_OK_RESPONSE. Line numbers have `line_bits` bits. */
tlm::tlm_response_status status_of(const tlm::tlm_generic_payload &p, unsigned line_bytes,
                                   unsigned line_bits);

/* Finds the kind of request that the payload is for an L2. `queries`: the L2 has queries, so TLM_IGNORE_COMMAND may be one. Returns
 * false if the L2 has nothing to do. */
bool kind_of(const tlm::tlm_generic_payload &p, bool queries, request_info::kind_of *kind);

/* A range of a payload's bytes: all of them, or the bytes of the sector that the payload names. */
struct span {
  unsigned from = 0, length = UINT_MAX;
  unsigned end(const tlm::tlm_generic_payload &p) const {
    return from + std::min(length, p.get_data_length() - from);
  }
};

/* Lays the bytes that a store writes over a line: sets bytes[i] and here[i] = 1. Returns the number of bytes. */
unsigned lay_over(const tlm::tlm_generic_payload &p, unsigned line_bytes, uint8_t *bytes, uint8_t *here,
                  span of = {});

/* The same with 32-bit words, and a bit in `mask` for each byte. All other bytes and bits become 0. */
unsigned lay_over(const tlm::tlm_generic_payload &p, unsigned line_bytes, std::vector<uint32_t> &words,
                  std::vector<uint32_t> &mask, span of = {});

/* Copies the bytes that a load reads from a whole line into the payload. */
void bring(tlm::tlm_generic_payload &p, unsigned line_bytes, const uint8_t *line, span of = {});

/* The unit that a slice moves at a time: a line, or with l2.fill: sectors a sector. The functions above treat a unit as a line. */
struct unit {
  explicit unit(const wires &pins);
  unsigned line_bytes() const { return bytes * sectors; }
  /* Returns the error of a read or write, or TLM_OK_RESPONSE. Sets `of` to the bytes to read or write. A payload within one unit means
   * all its bytes. A longer payload means the sector that `sectors` of its request_info names, and a store enables no other bytes. */
  tlm::tlm_response_status status_of(const tlm::tlm_generic_payload &p, unsigned line_bits, span *of) const;
  /* Sets the request pins to the unit of this address. */
  void ask(const wires &pins, uint64_t address) const;

  const unsigned bytes, sectors; /* bytes of a unit; units of a line */
};

/* Makes a payload of the caller's bytes, without memory manager. */
void set_plain(tlm::tlm_generic_payload &p, tlm::tlm_command command, uint64_t address, uint8_t *data,
               unsigned length);

/* transport_dbg of a cache, line by line. Stops at the first line that it can't do, and returns the number of bytes done.
 *   newest(line, bytes, here)                 the cache's own bytes; false if they can't be read
 *   busy(line)                                true if a request for the line is open in the cache
 *   behind(command, address, data, length)    transport_dbg of the memory behind the cache
 * A read lays the cache's bytes over those from behind. A write goes behind, and only if the cache has nothing of the line. */
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
