/* What targets of TLM-2.0 payloads that lie within a line have in common.
 *
 * Invariant: nothing here keeps or changes anything but the payload.
 */
#ifndef HEDDLE_LINE_H
#define HEDDLE_LINE_H

#include <algorithm>
#include <vector>

#include "heddle_tlm.h"

namespace heddle {

/* Whether byte i of its data is enabled. */
inline bool is_enabled(const tlm::tlm_generic_payload &p, unsigned i) {
  const uint8_t *enable = p.get_byte_enable_ptr();
  return !enable || enable[i % p.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

/* A field of its request_info; 0: it has none. */
inline uint64_t field_of(const tlm::tlm_generic_payload &p, const char *name) {
  const request_info *info = p.get_extension<request_info>();
  return info && info->field.count(name) ? info->field.at(name) : 0;
}

/* What is wrong with a read or write: of lines of so many bytes, whose numbers have so many bits. */
inline tlm::tlm_response_status status_of(const tlm::tlm_generic_payload &p, unsigned line_bytes,
                                          unsigned line_bits) {
  const uint64_t at = p.get_address();
  const unsigned length = p.get_data_length();
  if (at / line_bytes >> line_bits)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (!length || at % line_bytes + length > line_bytes || p.get_streaming_width() < length)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (p.get_byte_enable_ptr() && !p.get_byte_enable_length())
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

/* The kind of request that an L2 gets; `queries`: it has such, and TLM_IGNORE_COMMAND may be one. False: it has nothing to do. */
inline bool kind_of(const tlm::tlm_generic_payload &p, bool queries, request_info::kind_of *kind) {
  const uint64_t said = field_of(p, "kind");
  *kind = p.is_write()                                                    ? request_info::STORE
          : !p.is_read()                                                  ? request_info::QUERY
          : said == request_info::FILL && p.get_extension<request_info>() ? request_info::FILL
                                                                          : request_info::BYPASS;
  return *kind != request_info::QUERY || (queries && said == request_info::QUERY);
}

/* The bytes that a store writes, laid over a line: bytes[i] with here[i] = 1. Returns how many. */
inline unsigned lay_over(const tlm::tlm_generic_payload &p, unsigned line_bytes, uint8_t *bytes,
                         uint8_t *here) {
  const unsigned from = (unsigned)(p.get_address() % line_bytes);
  unsigned n = 0;
  for (unsigned i = 0; i < p.get_data_length(); i++)
    if (is_enabled(p, i)) {
      bytes[from + i] = p.get_data_ptr()[i];
      here[from + i] = 1;
      n++;
    }
  return n;
}

/* The same as words, and a bit in `mask` for each byte; all other bytes are 0. */
inline unsigned lay_over(const tlm::tlm_generic_payload &p, unsigned line_bytes, std::vector<uint32_t> &words,
                         std::vector<uint32_t> &mask) {
  std::vector<uint8_t> here(line_bytes);
  std::fill(words.begin(), words.end(), 0);
  std::fill(mask.begin(), mask.end(), 0);
  const unsigned n = lay_over(p, line_bytes, reinterpret_cast<uint8_t *>(words.data()), here.data());
  for (unsigned i = 0; i < line_bytes; i++)
    mask[i / 32] |= (uint32_t)here[i] << i % 32;
  return n;
}

/* What a load brings, of a whole line. */
inline void bring(tlm::tlm_generic_payload &p, unsigned line_bytes, const uint8_t *line) {
  for (unsigned i = 0; i < p.get_data_length(); i++)
    if (is_enabled(p, i))
      p.get_data_ptr()[i] = line[p.get_address() % line_bytes + i];
}

/* A payload for bytes of the caller; without memory manager. */
inline void set_plain(tlm::tlm_generic_payload &p, tlm::tlm_command command, uint64_t address, uint8_t *data,
                      unsigned length) {
  p.set_command(command);
  p.set_address(address);
  p.set_data_ptr(data);
  p.set_data_length(length);
  p.set_streaming_width(length);
  p.set_byte_enable_ptr(nullptr);
  p.set_byte_enable_length(0);
  p.set_dmi_allowed(false);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

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
