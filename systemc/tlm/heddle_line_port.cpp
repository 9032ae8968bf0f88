/* Pins and payloads of the memory side; see heddle_line_port.h. */
#include "heddle_line_port.h"

#include <cstring>

namespace heddle {

/* Returns true for a field of the bundle that goes into request_info, not into the payload itself. */
static bool is_info(const std::string &field) {
  return field != "valid" && field != "ready" && field != "wdata" && field != "wmask" && field != "data";
}

line_port::line_port(const wires &pins)
    : asks_(pins.has("out_valid") ? "out_" : "mreq_"), brings_(pins.has("out_valid") ? "fill_" : "mrsp_"),
      posts_(pins.has("out_valid")), wmask_(posts_ ? nullptr : &pins["mreq_wmask"]),
      valid_(pins[asks_ + "valid"]), ready_(pins[asks_ + "ready"]),
      wdata_(pins[asks_ + (posts_ ? "data" : "wdata")]), answer_valid_(pins[brings_ + "valid"]),
      answer_ready_(pins[brings_ + "ready"]), answer_data_(pins[brings_ + "data"]),
      line_bytes_(wdata_.bits / 8), sector_bits_(pins.has("out_sector") ? pins["out_sector"].bits : 0),
      words_(wdata_.words() + 2) {
  for (const auto &[pin, wire] : pins.all()) {
    const std::string field = pin.substr(pin.find('_') + 1);
    if (pin.rfind(asks_, 0) == 0 && is_info(field))
      request_.emplace_back(field, &wire);
    if (pin.rfind(brings_, 0) == 0 && is_info(field))
      response_.emplace_back(field, &wire);
  }
}

void line_port::request(line_payload &p) {
  auto &field = p.info->field;
  field.clear(); /* drops fields that a target has added */
  for (const auto &[name, wire] : request_)
    field[name] = wire->number();
  if (posts_)
    field["kind"] = field["write"] ? request_info::STORE : request_info::FILL;
  const bool write = field["kind"] == request_info::STORE;
  p.set_command(field["kind"] == request_info::QUERY ? tlm::TLM_IGNORE_COMMAND
                : write                              ? tlm::TLM_WRITE_COMMAND
                                                     : tlm::TLM_READ_COMMAND);
  p.set_address(((field["line"] << sector_bits_) + (sector_bits_ ? field["sector"] : 0)) * line_bytes_);
  p.set_data_ptr(p.data.data());
  p.set_data_length(line_bytes_);
  p.set_streaming_width(line_bytes_);
  p.set_byte_enable_ptr(write && wmask_ ? p.enable.data() : nullptr);
  p.set_byte_enable_length(write && wmask_ ? line_bytes_ : 0);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  p.set_dmi_allowed(false);
  p.info->performed = false;
  p.info->operand.clear();
  p.info->enabled.clear();
  const bool atomic = !write && field.count("op") && field["op"] > request_info::UNCACHED;
  if (!write && !atomic)
    return;
  wdata_.get(words_.data());
  std::memcpy(p.data.data(), words_.data(), line_bytes_);
  if (wmask_) {
    wmask_->get(words_.data());
    for (unsigned i = 0; i < line_bytes_; i++)
      p.enable[i] = words_[i / 32] >> i % 32 & 1 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  }
  if (atomic) {
    p.info->operand = p.data;
    p.info->enabled = p.enable;
  }
}

void line_port::show(line_payload *p) {
  answer_valid_.number(p != nullptr);
  if (!p)
    return;
  auto &field = p->info->field;
  field["error"] = !p->is_response_ok();
  for (const auto &[name, wire] : response_)
    wire->number(field.count(name) ? field[name] : 0);
  std::memcpy(words_.data(), p->get_data_ptr(), line_bytes_);
  answer_data_.set(words_.data());
}

} // namespace heddle
