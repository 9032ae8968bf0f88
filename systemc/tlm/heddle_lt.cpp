/* l2_top without pins; see heddle_lt.h. */
#include "heddle_lt.h"

namespace heddle {

using sc_core::sc_time;
using tlm::tlm_generic_payload;

l2_lt::l2_lt(const sc_core::sc_module_name &name, const char *machine, sc_time period, unsigned sms)
    : sc_module(name), period_(period), model_(machine, "l2_top"), pins_("pins", model_.model), unit_(pins_),
      req_ready_(pins_["req_ready"]), rsp_valid_(pins_["rsp_valid"]),
      behind_(*this, pins_,
              [this](tlm_generic_payload &p, sc_time &delay) { memory->b_transport(p, delay); }),
      words_(unit_.bytes / 4), mask_((unit_.bytes + 31) / 32) {
  const uint64_t most = pins_.has("req_sm") ? uint64_t(1) << pins_["req_sm"].bits : 1;
  if (!sms || sms > most)
    SC_REPORT_FATAL("/heddle/l2", ("found " + std::to_string(sms) + " SMs; allowed: 1 to " +
                                   std::to_string(most) + ", by gpu.sms of the machine")
                                      .c_str());
  put("los_en", 1);
  put("rsp_ready", 1);
  socket.init(sms);
  for (unsigned s = 0; s < sms; s++) {
    socket[s].register_b_transport(this, &l2_lt::b_transport, (int)s);
    socket[s].register_transport_dbg(this, &l2_lt::debug, (int)s);
  }
}

void l2_lt::put(const char *pin, uint64_t number) {
  if (pins_.has(pin))
    pins_[pin].number(number);
}

/* Steps the model by a cycle. now_ is the edge before it, and then the edge after it. */
void l2_lt::step() {
  behind_.begin_cycle(now_);
  now_ += period_;
  behind_.end_cycle(now_);
  heddle_tick(model_.model);
}

void l2_lt::offer(int sm, const tlm_generic_payload &p, request_info::kind_of kind, span of) {
  put("req_sm", (uint64_t)sm);
  put("req_kind", kind);
  unit_.ask(pins_, p.get_address() + of.from);
  put("req_pe", field_of(p, "pe"));
  put("req_pred", field_of(p, "pred"));
  if (!p.is_write())
    return;
  put("req_full", lay_over(p, unit_.bytes, words_, mask_, of) == unit_.bytes);
  pins_["req_wdata"].set(words_.data());
  pins_["req_wmask"].set(mask_.data());
}

/* Steps the model until the request is answered. Returns nullptr, or the pin that stays 0 for PATIENCE cycles. While the request waits
 * for the memory, time passes without steps. */
const char *l2_lt::pass_through(int sm, const tlm_generic_payload &p, request_info::kind_of kind, span of) {
  unsigned cycles = 0;
  bool taken = false;
  offer(sm, p, kind, of);
  put("req_valid", 1);
  for (; !taken && cycles < PATIENCE; step(), cycles++)
    taken = req_ready_.number();
  put("req_valid", 0);
  if (!taken)
    return "req_ready";
  for (; !rsp_valid_.number() && cycles < PATIENCE; step(), cycles++)
    now_ = behind_.rests_until(now_, period_);
  return rsp_valid_.number() ? nullptr : "rsp_valid";
}

void l2_lt::b_transport(int sm, tlm_generic_payload &p, sc_time &delay) {
  request_info::kind_of kind;
  span of;
  const bool asks = kind_of(p, pins_.has("req_pred"), &kind);
  const tlm::tlm_response_status status = p.get_command() == tlm::TLM_IGNORE_COMMAND && !asks
                                              ? tlm::TLM_OK_RESPONSE
                                              : unit_.status_of(p, pins_["req_line"].bits, &of);
  p.set_response_status(status);
  refused_ += status != tlm::TLM_OK_RESPONSE;
  if (status != tlm::TLM_OK_RESPONSE || !asks)
    return;
  const sc_time begin = sc_core::sc_time_stamp() + delay;
  const one_at_a_time::turn turn(calls_);
  if (failed_) {
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return;
  }
  now_ = std::max(begin, sc_core::sc_time_stamp());
  transactions_++;
  if (const char *awaited = pass_through(sm, p, kind, of)) {
    failed_ = true;
    delay = ahead(now_);
    never_answered(*this, p, awaited, behind_.owed());
    return;
  }
  if (p.is_read()) {
    pins_["rsp_data"].get(words_.data());
    bring(p, unit_.bytes, reinterpret_cast<const uint8_t *>(words_.data()), of);
  }
  request_info *info = p.get_extension<request_info>();
  if (info && pins_.has("rsp_count"))
    info->field["count"] = pins_["rsp_count"].number();
  step();
  delay = ahead(now_);
}

unsigned l2_lt::debug(int, tlm_generic_payload &p) {
  return debug_by_lines(
      p, unit_.line_bytes(),
      [this](uint64_t line, uint8_t *bytes, uint8_t *here) {
        return heddle_peek(model_.model, line, bytes, here) == HEDDLE_OK;
      },
      [this](uint64_t) { return calls_.busy(); },
      [this](tlm::tlm_command command, uint64_t at, uint8_t *data, unsigned n) {
        tlm_generic_payload q;
        set_plain(q, command, at, data, n);
        return memory->transport_dbg(q);
      });
}

} // namespace heddle
