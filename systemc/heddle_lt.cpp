/* l2_top without pins; see heddle_lt.h. */
#include "heddle_lt.h"

#include <cmath>

#include "heddle_line.h"

namespace heddle {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;

l2_lt::l2_lt(const sc_core::sc_module_name &name, const char *machine, sc_time period, unsigned sms)
    : sc_module(name), period_(period) {
  if (heddle_load_text(machine, "machine", nullptr, 0, &machine_) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/machine", heddle_machine_message(machine_));
  if (heddle_open(machine_, "l2_top", 0, &model_) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/model", heddle_model_message(model_));
  for (const char *pin :
       {"los_en",     "req_valid",  "req_ready", "req_sm",    "req_kind",  "req_line",  "req_pe",
        "req_pred",   "req_full",   "req_wdata", "req_wmask", "rsp_valid", "rsp_ready", "rsp_count",
        "rsp_data",   "out_valid",  "out_ready", "out_write", "out_line",  "out_id",    "out_data",
        "fill_valid", "fill_ready", "fill_id",   "fill_data"})
    value_[pin] = heddle_find(model_, pin);
  out_valid_ = value("out_valid");
  fill_ready_ = value("fill_ready");
  fill_valid_ = value("fill_valid");
  rsp_valid_ = value("rsp_valid");
  req_ready_ = value("req_ready");
  line_bytes_ = heddle_value_at(model_, value("req_wdata"))->bits / 8;
  line_bits_ = heddle_value_at(model_, value("req_line"))->bits;
  words_.resize(line_bytes_ / 4);
  mask_.resize(line_bytes_ / 32);
  const uint64_t most = has("req_sm") ? uint64_t(1) << heddle_value_at(model_, value("req_sm"))->bits : 1;
  if (!sms || sms > most)
    SC_REPORT_FATAL("/heddle/l2", ("found " + std::to_string(sms) + " SMs; allowed: 1 to " +
                                   std::to_string(most) + ", by gpu.sms of the machine")
                                      .c_str());
  set("los_en", 1);
  set("rsp_ready", 1);
  set("out_ready", 1);
  socket.init(sms);
  for (unsigned s = 0; s < sms; s++) {
    socket[s].register_b_transport(this, &l2_lt::b_transport, (int)s);
    socket[s].register_transport_dbg(this, &l2_lt::debug, (int)s);
  }
}

l2_lt::~l2_lt() {
  heddle_close(model_);
  heddle_unload(machine_);
}

void l2_lt::set(const char *name, uint64_t number) {
  if (has(name))
    heddle_set_u64(model_, value(name), number);
}

/* From the kernel's time to this; 0 if it is over. */
static sc_time ahead(const sc_time &then) {
  return then > sc_core::sc_time_stamp() ? then - sc_core::sc_time_stamp() : SC_ZERO_TIME;
}

/* What leaves for the memory at this edge. Writes are posted: their time is nobody's, unless the memory waits. */
void l2_lt::ask() {
  const bool write = get(value("out_write"));
  fill f{get(value("out_id")), SC_ZERO_TIME, std::vector<uint32_t>(line_bytes_ / 4)};
  if (write)
    heddle_get(model_, value("out_data"), 0, f.data.data());
  tlm_generic_payload p;
  set_plain(p, write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, get(value("out_line")) * line_bytes_,
            reinterpret_cast<uint8_t *>(f.data.data()), line_bytes_);
  sc_time delay = ahead(now_);
  memory->b_transport(p, delay);
  f.at = sc_core::sc_time_stamp() + delay;
  errors_ += !p.is_response_ok();
  if (!write)
    fills_.push_back(std::move(f));
}

/* A cycle. now_ is at its edges: before and after. */
void l2_lt::step() {
  if (!filling_ && !fills_.empty() && fills_.front().at <= now_) {
    heddle_set_u64(model_, fill_valid_, 1);
    heddle_set_u64(model_, value("fill_id"), fills_.front().id);
    heddle_set(model_, value("fill_data"), 0, fills_.front().data.data());
    filling_ = true;
  }
  const bool filled = filling_ && get(fill_ready_);
  now_ += period_;
  if (get(out_valid_))
    ask();
  heddle_tick(model_);
  if (filled) {
    heddle_set_u64(model_, fill_valid_, 0);
    fills_.pop_front();
    filling_ = false;
  }
}

void l2_lt::offer(int sm, const tlm_generic_payload &p, request_info::kind_of kind) {
  set("req_sm", (uint64_t)sm);
  set("req_kind", kind);
  set("req_line", p.get_address() / line_bytes_);
  set("req_pe", field_of(p, "pe"));
  set("req_pred", field_of(p, "pred"));
  if (!p.is_write())
    return;
  set("req_full", lay_over(p, line_bytes_, words_, mask_) == line_bytes_);
  heddle_set(model_, value("req_wdata"), 0, words_.data());
  heddle_set(model_, value("req_wmask"), 0, mask_.data());
}

/* While it waits for the memory, time passes and the slice rests. */
void l2_lt::b_transport(int sm, tlm_generic_payload &p, sc_time &delay) {
  request_info::kind_of kind;
  const bool asks = kind_of(p, has("req_pred"), &kind);
  const tlm::tlm_response_status status = p.get_command() == tlm::TLM_IGNORE_COMMAND && !asks
                                              ? tlm::TLM_OK_RESPONSE
                                              : judge(p, line_bytes_, line_bits_);
  p.set_response_status(status);
  refused_ += status != tlm::TLM_OK_RESPONSE;
  if (status != tlm::TLM_OK_RESPONSE || !asks)
    return;
  const sc_time begin = sc_core::sc_time_stamp() + delay;
  const one_at_a_time::turn turn(calls_);
  now_ = std::max(begin, sc_core::sc_time_stamp());
  transactions_++;
  offer(sm, p, kind);
  set("req_valid", 1);
  for (bool taken = false; !taken; step())
    taken = get(req_ready_);
  set("req_valid", 0);
  while (!get(rsp_valid_)) {
    if (!filling_ && !fills_.empty() && fills_.front().at > now_)
      now_ += ceil((fills_.front().at - now_) / period_) * period_;
    step();
  }
  if (p.is_read()) {
    heddle_get(model_, value("rsp_data"), 0, words_.data());
    bring(p, line_bytes_, reinterpret_cast<const uint8_t *>(words_.data()));
  }
  request_info *info = p.get_extension<request_info>();
  if (info && has("rsp_count"))
    info->field["count"] = get(value("rsp_count"));
  step();
  delay = ahead(now_);
}

unsigned l2_lt::debug(int, tlm_generic_payload &p) {
  return debug_by_lines(
      p, line_bytes_,
      [this](uint64_t line, uint8_t *bytes, uint8_t *here) {
        return heddle_peek(model_, line, bytes, here) == HEDDLE_OK;
      },
      [this](uint64_t) { return calls_.busy(); },
      [this](tlm::tlm_command command, uint64_t at, uint8_t *data, unsigned n) {
        tlm_generic_payload q;
        set_plain(q, command, at, data, n);
        return memory->transport_dbg(q);
      });
}

} // namespace heddle
