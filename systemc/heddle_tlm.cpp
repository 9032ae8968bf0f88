/* TLM-2.0 on Heddle's pins; see heddle_tlm.h. */
#include "heddle_tlm.h"

#include <cstring>

#include "heddle_at.h"
#include "heddle_line.h"

namespace heddle {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

/* What of the bundle is not in the payload itself. */
static bool is_info(const std::string &field) {
  return field != "valid" && field != "ready" && field != "wdata" && field != "wmask" && field != "data";
}

memory_side::memory_side(const sc_core::sc_module_name &name, const wires &pins)
    : clocked(name), asks_(pins.has("out_valid") ? "out_" : "mreq_"),
      brings_(pins.has("out_valid") ? "fill_" : "mrsp_"), posts_(pins.has("out_valid")),
      wmask_(posts_ ? nullptr : &pins["mreq_wmask"]), valid_(pins[asks_ + "valid"]),
      ready_(pins[asks_ + "ready"]), wdata_(pins[asks_ + (posts_ ? "data" : "wdata")]),
      answer_valid_(pins[brings_ + "valid"]), answer_ready_(pins[brings_ + "ready"]),
      answer_data_(pins[brings_ + "data"]), line_bytes_(wdata_.bits / 8), later_(this, &memory_side::hear),
      words_(wdata_.words() + 2) {
  for (const auto &[pin, wire] : pins.all()) {
    const std::string field = pin.substr(pin.find('_') + 1);
    if (pin.rfind(asks_, 0) == 0 && is_info(field))
      request_.emplace_back(field, &wire);
    if (pin.rfind(brings_, 0) == 0 && is_info(field))
      response_.emplace_back(field, &wire);
  }
  socket.register_nb_transport_bw(this, &memory_side::nb_bw);
}

memory_side::line_payload &memory_side::payload() {
  if (pool_.empty()) {
    made_.push_back(std::make_unique<line_payload>(this, line_bytes_));
    made_.back()->set_extension(new request_info);
    pool_.push_back(made_.back().get());
  }
  line_payload *p = pool_.back();
  pool_.pop_back();
  p->acquire();
  return *p;
}

void memory_side::free(tlm_generic_payload *p) {
  pool_.push_back(static_cast<line_payload *>(p));
}

/* What is at the pins, as a payload. */
memory_side::line_payload &memory_side::request() {
  line_payload &p = payload();
  p.completed = false;
  p.resets = resets_;
  auto &field = p.get_extension<request_info>()->field;
  field.clear(); /* what a target had added */
  for (const auto &[name, wire] : request_)
    field[name] = wire->number();
  if (posts_)
    field["kind"] = field["write"] ? request_info::STORE : request_info::FILL;
  const bool write = field["kind"] == request_info::STORE;
  p.set_command(field["kind"] == request_info::QUERY ? tlm::TLM_IGNORE_COMMAND
                : write                              ? tlm::TLM_WRITE_COMMAND
                                                     : tlm::TLM_READ_COMMAND);
  p.set_address(field["line"] * line_bytes_);
  p.set_data_ptr(p.data.data());
  p.set_data_length(line_bytes_);
  p.set_streaming_width(line_bytes_);
  p.set_byte_enable_ptr(write && wmask_ ? p.enable.data() : nullptr);
  p.set_byte_enable_length(write && wmask_ ? line_bytes_ : 0);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  p.set_dmi_allowed(false);
  take_bytes(p, write);
  return p;
}

/* The bytes of a store, or the operands of an atomic. */
void memory_side::take_bytes(line_payload &p, bool write) {
  auto *info = p.get_extension<request_info>();
  info->performed = false;
  info->operand.clear();
  info->enabled.clear();
  const bool atomic = !write && info->field.count("op") && info->field["op"] > request_info::UNCACHED;
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
    info->operand = p.data;
    info->enabled = p.enable;
  }
}

/* What met is taken, and given on. */
void memory_side::edge() {
  if (in_reset_) {
    reset();
    return;
  }
  if (answer_valid_.number() && answer_ready_.number()) {
    line_payload *taken = answer_.front();
    answer_.pop_front();
    end(*taken);
  }
  if (valid_.number() && ready_.number())
    begin(request());
}

/* What is open stays open at the target, and its answer will be dropped; so are those that wait for the pins. */
void memory_side::reset() {
  resets_++;
  while (!answer_.empty()) {
    line_payload *waits = answer_.front();
    answer_.pop_front();
    dropped_++;
    end(*waits);
  }
}

void memory_side::end(line_payload &p) {
  if (!p.completed) {
    tlm_phase phase = tlm::END_RESP;
    sc_time delay = SC_ZERO_TIME;
    socket->nb_transport_fw(p, phase, delay);
  }
  p.release();
}

void memory_side::begin(line_payload &p) {
  transactions_++;
  requesting_ = &p;
  p.told = line_payload::REQUESTED;
  tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  const tlm::tlm_sync_enum said = socket->nb_transport_fw(p, phase, delay);
  if (said == tlm::TLM_ACCEPTED)
    return;
  p.completed = said == tlm::TLM_COMPLETED;
  tell(p, p.completed ? tlm_phase(tlm::BEGIN_RESP) : phase, delay);
}

/* A BEGIN_RESP says END_REQ as well. */
void memory_side::hear(tlm_generic_payload &payload, const tlm_phase &phase) {
  line_payload &p = static_cast<line_payload &>(payload);
  if (requesting_ == &p)
    requesting_ = nullptr;
  if (phase == tlm::END_REQ)
    return;
  const auto *info = p.get_extension<request_info>();
  if (info->atomic() && p.is_response_ok() && !info->performed) {
    p.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    protocol_error(*this, p, "the target has not performed an atomic: it ignores request_info");
  }
  dropped_ += p.resets != resets_;
  errors_ += p.resets == resets_ && !p.is_response_ok();
  if (awaited(p))
    answer_.push_back(&p);
  else
    end(p);
}

/* The target says END_REQ or BEGIN_RESP; other phases change nothing. Nobody is called back out of a call: an END_RESP that is due
 * at once comes a delta cycle later. */
void memory_side::tell(line_payload &p, const tlm_phase &phase, const sc_time &delay) {
  const bool answers = phase == tlm::BEGIN_RESP;
  if (!is_of_base_protocol(phase))
    return;
  if (answers ? p.told == line_payload::ANSWERED
              : phase != tlm::END_REQ || p.told != line_payload::REQUESTED) {
    protocol_error(*this, p, std::string(phase.get_name()) + " where none is due");
    return;
  }
  p.told = answers ? line_payload::ANSWERED : line_payload::TAKEN;
  if (delay == SC_ZERO_TIME && !(answers && !awaited(p)))
    hear(p, phase);
  else
    later_.notify(p, phase, delay);
}

tlm::tlm_sync_enum memory_side::nb_bw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  tell(static_cast<line_payload &>(p), phase, delay);
  return tlm::TLM_ACCEPTED;
}

void memory_side::drive() {
  ready_.number(!in_reset_ && !requesting_);
  answer_valid_.number(!answer_.empty());
  if (answer_.empty())
    return;
  line_payload &p = *answer_.front();
  auto &field = p.get_extension<request_info>()->field;
  field["error"] = !p.is_response_ok();
  for (const auto &[name, wire] : response_)
    wire->number(field.count(name) ? field[name] : 0);
  std::memcpy(words_.data(), p.get_data_ptr(), line_bytes_);
  answer_data_.set(words_.data());
}

unsigned memory_side::debug(tlm::tlm_command command, uint64_t address, uint8_t *data, unsigned length) {
  tlm_generic_payload p;
  set_plain(p, command, address, data, length);
  return socket->transport_dbg(p);
}

} // namespace heddle
