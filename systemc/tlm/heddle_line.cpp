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

unsigned lay_over(const tlm::tlm_generic_payload &p, unsigned line_bytes, uint8_t *bytes, uint8_t *here,
                  span of) {
  unsigned n = 0;
  for (unsigned i = of.from; i < of.end(p); i++)
    if (is_enabled(p, i)) {
      const unsigned at = (unsigned)((p.get_address() + i) % line_bytes);
      bytes[at] = p.get_data_ptr()[i];
      here[at] = 1;
      n++;
    }
  return n;
}

unsigned lay_over(const tlm::tlm_generic_payload &p, unsigned line_bytes, std::vector<uint32_t> &words,
                  std::vector<uint32_t> &mask, span of) {
  std::vector<uint8_t> here(line_bytes);
  std::fill(words.begin(), words.end(), 0);
  std::fill(mask.begin(), mask.end(), 0);
  const unsigned n = lay_over(p, line_bytes, reinterpret_cast<uint8_t *>(words.data()), here.data(), of);
  for (unsigned i = 0; i < line_bytes; i++)
    mask[i / 32] |= (uint32_t)here[i] << i % 32;
  return n;
}

void bring(tlm::tlm_generic_payload &p, unsigned line_bytes, const uint8_t *line, span of) {
  for (unsigned i = of.from; i < of.end(p); i++)
    if (is_enabled(p, i))
      p.get_data_ptr()[i] = line[(p.get_address() + i) % line_bytes];
}

unit::unit(const wires &pins)
    : bytes(pins["req_wdata"].bits / 8), sectors(pins.has("out_sector") ? pins["req_sectors"].bits : 1) {}

tlm::tlm_response_status unit::status_of(const tlm::tlm_generic_payload &p, unsigned line_bits,
                                         span *of) const {
  const tlm::tlm_response_status status = heddle::status_of(p, line_bytes(), line_bits);
  const uint64_t at = p.get_address(), named = field_of(p, "sectors");
  const unsigned length = p.get_data_length();
  *of = {};
  if (status != tlm::TLM_OK_RESPONSE || at / bytes == (at + length - 1) / bytes)
    return status;
  if (!named || named & (named - 1))
    return tlm::TLM_BURST_ERROR_RESPONSE;
  const uint64_t first = at / line_bytes() * line_bytes() + (unsigned)__builtin_ctzll(named) * bytes;
  if (first < at || first + bytes > at + length)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  *of = {(unsigned)(first - at), bytes};
  for (unsigned i = 0; p.is_write() && i < length; i++)
    if (is_enabled(p, i) && (i < of->from || i >= of->end(p)))
      return tlm::TLM_BURST_ERROR_RESPONSE;
  return status;
}

void unit::ask(const wires &pins, uint64_t address) const {
  pins["req_line"].number(address / line_bytes());
  if (sectors > 1)
    pins["req_sectors"].number(uint64_t(1) << address / bytes % sectors);
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
