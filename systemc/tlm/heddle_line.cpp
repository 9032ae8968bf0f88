/* Payloads that lie within a line; see heddle_line.h. */
#include "heddle_line.h"

namespace heddle {

bool is_enabled(const tlm::tlm_generic_payload &p, unsigned i) {
  const uint8_t *enable = p.get_byte_enable_ptr();
  return !enable || enable[i % p.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

uint64_t field_of(const tlm::tlm_generic_payload &p, const char *name) {
  const request_info *info = p.get_extension<request_info>();
  return info && info->field.count(name) ? info->field.at(name) : 0;
}

tlm::tlm_response_status status_of(const tlm::tlm_generic_payload &p, unsigned line_bytes,
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

bool kind_of(const tlm::tlm_generic_payload &p, bool queries, request_info::kind_of *kind) {
  const uint64_t said = field_of(p, "kind");
  *kind = p.is_write()                                                    ? request_info::STORE
          : !p.is_read()                                                  ? request_info::QUERY
          : said == request_info::FILL && p.get_extension<request_info>() ? request_info::FILL
                                                                          : request_info::BYPASS;
  return *kind != request_info::QUERY || (queries && said == request_info::QUERY);
}

unsigned lay_over(const tlm::tlm_generic_payload &p, unsigned line_bytes, uint8_t *bytes, uint8_t *here) {
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

unsigned lay_over(const tlm::tlm_generic_payload &p, unsigned line_bytes, std::vector<uint32_t> &words,
                  std::vector<uint32_t> &mask) {
  std::vector<uint8_t> here(line_bytes);
  std::fill(words.begin(), words.end(), 0);
  std::fill(mask.begin(), mask.end(), 0);
  const unsigned n = lay_over(p, line_bytes, reinterpret_cast<uint8_t *>(words.data()), here.data());
  for (unsigned i = 0; i < line_bytes; i++)
    mask[i / 32] |= (uint32_t)here[i] << i % 32;
  return n;
}

void bring(tlm::tlm_generic_payload &p, unsigned line_bytes, const uint8_t *line) {
  for (unsigned i = 0; i < p.get_data_length(); i++)
    if (is_enabled(p, i))
      p.get_data_ptr()[i] = line[p.get_address() % line_bytes + i];
}

void set_plain(tlm::tlm_generic_payload &p, tlm::tlm_command command, uint64_t address, uint8_t *data,
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

} // namespace heddle
