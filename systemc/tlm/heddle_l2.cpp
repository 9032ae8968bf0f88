/* TLM-2.0 on the pins of l2_top; see heddle_l2.h. */
#include "heddle_l2.h"

#include <algorithm>

namespace heddle {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

constexpr unsigned TAG_BITS = 12; /* enough: at most 4096 requests are in flight */

l2::l2(const sc_core::sc_module_name &name, heddle::pins &slice, const wires &pins, memory_side &memory,
       unsigned sms)
    : clocked(name), slice_(slice), pins_(pins), memory_(memory), unit_(pins),
      at_(*this, sms,
          {[this](place t) { begin(t); },
           [this](unsigned s, tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
             return socket[s]->nb_transport_bw(p, phase, delay);
           }}),
      offered_(at_.open.end()), words_(unit_.bytes / 4 + 2), mask_(words_.size()) {
  const uint64_t most = pins.has("req_sm") ? uint64_t(1) << pins["req_sm"].bits : 1;
  if (!sms || sms > most)
    SC_REPORT_FATAL("/heddle/l2", ("found " + std::to_string(sms) + " SMs; allowed: 1 to " +
                                   std::to_string(most) + ", by gpu.sms of the machine")
                                      .c_str());
  socket.init(sms);
  for (unsigned s = 0; s < sms; s++) {
    socket[s].register_nb_transport_fw(this, &l2::nb_fw, (int)s);
    socket[s].register_b_transport(this, &l2::b_transport, (int)s);
    socket[s].register_transport_dbg(this, &l2::debug, (int)s);
  }
  unsigned bits = 0;
  for (const char *field : {"id", "wid", "slot", "num", "last"})
    if (pins.has(std::string("req_") + field)) {
      tag_.push_back({&pins[std::string("req_") + field], &pins[std::string("rsp_") + field]});
      bits += tag_.back().request->bits;
    }
  for (uint64_t tag = uint64_t(1) << (bits < TAG_BITS ? bits : TAG_BITS); tag--;)
    free_tags_.push_back(tag);
  if (pins.has("los_en"))
    pins["los_en"].number(1);
}

/* --- the sockets ----------------------------------------------------------------------------------------- */

/* A payload that is wrong, or that has nothing to do for the slice, is answered at once. */
void l2::begin(place t) {
  tlm_generic_payload &p = *t->payload;
  const bool asks = kind_of(p, pins_.has("req_pred"), &t->kind);
  const tlm::tlm_response_status status = p.get_command() == tlm::TLM_IGNORE_COMMAND && !asks
                                              ? tlm::TLM_OK_RESPONSE
                                              : unit_.status_of(p, pins_["req_line"].bits, &t->of);
  if (status == tlm::TLM_OK_RESPONSE && asks) {
    t->state = transaction::WAITS;
    return;
  }
  refused_ += status != tlm::TLM_OK_RESPONSE;
  p.set_response_status(status);
  at_.answer(t);
}

tlm::tlm_sync_enum l2::nb_fw(int sm, tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  return at_.forward((unsigned)sm, p, phase, delay);
}

void l2::b_transport(int sm, tlm_generic_payload &p, sc_time &delay) {
  at_.block((unsigned)sm, p, delay);
}

/* --- the pins -------------------------------------------------------------------------------------------- */

/* Transactions inside are lost. The offered one waits again. */
void l2::reset() {
  for (place t = at_.open.begin(); t != at_.open.end();) {
    const place now = t++;
    if (now->state != transaction::INSIDE)
      continue;
    now->payload->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    free_tags_.push_back(now->tag);
    lost_++;
    at_.answer(now);
  }
  if (offered_ == at_.open.end())
    return;
  free_tags_.push_back(offered_->tag);
  offered_->state = transaction::WAITS;
  offered_ = at_.open.end();
}

void l2::taken(place t) {
  transactions_++;
  t->state = transaction::INSIDE;
  at_.end_request(t);
}

/* The slice answers this transaction: the answer is at the pins. */
void l2::answered(place t) {
  tlm_generic_payload &p = *t->payload;
  free_tags_.push_back(t->tag);
  if (p.is_read()) {
    pins_["rsp_data"].get(words_.data());
    bring(p, unit_.bytes, reinterpret_cast<const uint8_t *>(words_.data()), t->of);
  }
  request_info *info = p.get_extension<request_info>();
  if (info && pins_.has("rsp_count"))
    info->field["count"] = pins_["rsp_count"].number();
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  at_.answer(t);
}

void l2::take_answer() {
  uint64_t tag = 0;
  unsigned at = 0;
  for (const tag_field &f : tag_) {
    tag |= f.answer->number() << at;
    at += f.answer->bits;
  }
  const place t = std::find_if(at_.open.begin(), at_.open.end(), [tag](const transaction &t) {
    return t.state == transaction::INSIDE && t.tag == tag;
  });
  if (t == at_.open.end())
    SC_REPORT_ERROR("/heddle/l2", (std::string(name()) + ": rsp_valid: found an answer with the number " +
                                   std::to_string(tag) + "; allowed: those of requests that the slice has")
                                      .c_str());
  else
    answered(t);
}

void l2::edge() {
  if (in_reset_) {
    reset();
  } else {
    if (pins_["rsp_valid"].number() && pins_["rsp_ready"].number())
      take_answer();
    if (offered_ != at_.open.end() && pins_["req_ready"].number()) {
      const place t = offered_;
      offered_ = at_.open.end();
      taken(t);
    }
  }
  at_.respond();
}

/* A request that is offered stays until it is taken. */
void l2::drive() {
  if (!in_reset_ && offered_ == at_.open.end() && !free_tags_.empty()) {
    offered_ = std::find_if(at_.open.begin(), at_.open.end(),
                            [](const transaction &t) { return t.state == transaction::WAITS; });
    if (offered_ != at_.open.end())
      offer(offered_);
  }
  pins_["req_valid"].number(offered_ != at_.open.end());
  const unsigned sm = pins_.has("rsp_sm") ? (unsigned)pins_["rsp_sm"].number() : 0;
  pins_["rsp_ready"].number(!in_reset_ && !at_.answering(sm));
}

void l2::offer(place t) {
  const tlm_generic_payload &p = *t->payload;
  t->state = transaction::OFFERED;
  t->tag = free_tags_.back();
  free_tags_.pop_back();
  uint64_t tag = t->tag;
  for (const tag_field &f : tag_) {
    f.request->number(tag & ((uint64_t(1) << f.request->bits) - 1));
    tag >>= f.request->bits;
  }
  if (pins_.has("req_sm"))
    pins_["req_sm"].number(t->socket);
  unit_.ask(pins_, p.get_address() + t->of.from);
  pins_["req_kind"].number(t->kind);
  for (const char *field : {"pe", "pred"})
    if (pins_.has(std::string("req_") + field))
      pins_[std::string("req_") + field].number(field_of(p, field));
  if (p.is_write())
    offer_bytes(*t);
}

void l2::offer_bytes(const transaction &t) {
  const unsigned bytes = lay_over(*t.payload, unit_.bytes, words_, mask_, t.of);
  pins_["req_wdata"].set(words_.data());
  pins_["req_wmask"].set(mask_.data());
  if (pins_.has("req_full"))
    pins_["req_full"].number(bytes == unit_.bytes);
}

/* --- debug transport ------------------------------------------------------------------------------------- */

bool l2::is_begun(const transaction &t, uint64_t line) const {
  return t.state >= transaction::WAITS && t.payload->get_address() / unit_.line_bytes() == line;
}

/* Reads the newest bytes of a line that are not in the memory: bytes[i] with here[i] = 1. Returns false if the slice can't be read. */
bool l2::newest(uint64_t line, uint8_t *bytes, uint8_t *here) {
  if (!slice_.peek(line, bytes, here))
    return false;
  for (const transaction &t : at_.open)
    if (t.payload->is_write() && is_begun(t, line))
      lay_over(*t.payload, unit_.line_bytes(), bytes, here);
  return true;
}

unsigned l2::debug(int, tlm_generic_payload &p) {
  return debug_by_lines(
      p, unit_.line_bytes(),
      [this](uint64_t line, uint8_t *bytes, uint8_t *here) { return newest(line, bytes, here); },
      [this](uint64_t line) {
        return std::any_of(at_.open.begin(), at_.open.end(),
                           [this, line](const transaction &t) { return is_begun(t, line); });
      },
      [this](tlm::tlm_command command, uint64_t at, uint8_t *data, unsigned n) {
        return memory_.debug(command, at, data, n);
      });
}

} // namespace heddle
