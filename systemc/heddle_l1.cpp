/* Loads and stores by TLM-2.0, from the socket to sm_mem and back; see heddle_l1.h. */
#include "heddle_l1.h"

#include <algorithm>

namespace heddle {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

static unsigned key(heddle_machine *machine, const char *name) {
  int64_t value = 0;
  if (heddle_key(machine, name, &value) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/machine", heddle_machine_message(machine));
  return (unsigned)value;
}

l1_memory_path::l1_memory_path(const sc_core::sc_module_name &name, const wires &pins, memory_side &memory,
                               const char *machine)
    : sc_module(name), pins_(pins), memory_(memory), line_bytes_(pins["st_mask"].bits),
      warps_(pins["ready"].bits), schedulers_(pins["pick_valid"].bits), lanes_(pins["issue_mask"].bits),
      ready_(warps_), picked_(schedulers_), later_(this, &l1_memory_path::later) {
  heddle_machine *m = nullptr;
  if (heddle_load_text(machine, "machine", nullptr, 0, &m) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/machine", heddle_machine_message(m));
  slots_ = key(m, "sm.loads");
  lsu_queue_ = key(m, "sm.lsu_queue");
  sig_is_cta_ = std::string(heddle_key_word(m, "request_buffer.signature")) == "block";
  heddle_unload(m);
  at_.assign(warps_, std::vector<place>(slots_, open_.end()));
  unsigned most = 2;
  for (const auto &[pin, wire] : pins.all()) {
    most = std::max(most, wire.words());
    const bool enable = pin.size() > 3 && pin.compare(pin.size() - 3, 3, "_en") == 0;
    if (pins.is_input(pin) && enable)
      wire.number(1);
    else if (pins.is_input(pin) && pin != "mreq_ready" && pin.rfind("mrsp_", 0) && pin != "rft_bypass")
      driven_.push_back(&wire);
  }
  words_.resize(most);
  mask_.resize(most);
  socket.register_nb_transport_fw(this, &l1_memory_path::nb_fw);
  socket.register_b_transport(this, &l1_memory_path::b_transport);
  socket.register_transport_dbg(this, &l1_memory_path::debug);
  SC_HAS_PROCESS(l1_memory_path);
  SC_METHOD(edge);
  sensitive << clk.pos();
  dont_initialize();
  SC_METHOD(drive);
  sensitive << shown_;
  dont_initialize();
}

bool l1_memory_path::enabled(const tlm_generic_payload &p, unsigned i) {
  const uint8_t *enable = p.get_byte_enable_ptr();
  return !enable || enable[i % p.get_byte_enable_length()] == TLM_BYTE_ENABLED;
}

tlm::tlm_response_status l1_memory_path::judge(const tlm_generic_payload &p) const {
  const unsigned length = p.get_data_length();
  if (p.get_command() == tlm::TLM_IGNORE_COMMAND)
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (line_of(p) >> pins_["issue_line"].bits / lanes_)
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (!length || p.get_address() % line_bytes_ + length > line_bytes_ || p.get_streaming_width() < length)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (p.get_byte_enable_ptr() && !p.get_byte_enable_length())
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const auto *info = p.get_extension<warp_info>();
  if (info && (info->warp >= warps_ || !info->lanes || (lanes_ < 64 && info->lanes >> lanes_)))
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

l1_memory_path::place l1_memory_path::find(const tlm_generic_payload &p) {
  return std::find_if(open_.begin(), open_.end(), [&p](const transaction &t) { return t.payload == &p; });
}

void l1_memory_path::begin(place t) {
  open_.splice(open_.end(), open_, t); /* those that began while it was delayed come before */
  const tlm::tlm_response_status status = judge(*t->payload);
  if (status == tlm::TLM_OK_RESPONSE) {
    t->state = WAITS;
    return;
  }
  refused_++;
  t->payload->set_response_status(status);
  answer(t);
}

/* b_transport returns in the next delta cycle; nb_transport takes its turn. */
void l1_memory_path::answer(place t) {
  t->state = ANSWERED;
  if (t->done)
    end(t);
  else
    answers_.push_back(t);
}

void l1_memory_path::end(place t) {
  tlm_generic_payload &p = *t->payload;
  sc_core::sc_event *done = t->done;
  responding_ = responding_ && t->state != RESPONDING;
  open_.erase(t);
  if (done)
    done->notify(SC_ZERO_TIME);
  else
    p.release();
}

tlm::tlm_sync_enum l1_memory_path::nb_fw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  if (phase == tlm::BEGIN_REQ && !p.has_mm()) {
    SC_REPORT_ERROR("/heddle/tlm", "a memory path got a payload without a memory manager");
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::BEGIN_REQ) {
    p.acquire();
    open_.push_back({&p, nullptr});
  } else if (phase != tlm::END_RESP) {
    return tlm::TLM_ACCEPTED; /* a declared phase may be ignored */
  }
  if (delay == SC_ZERO_TIME)
    later(p, phase);
  else
    later_.notify(p, phase, delay);
  return phase == tlm::END_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void l1_memory_path::later(tlm_generic_payload &p, const tlm_phase &phase) {
  const place t = find(p);
  if (t != open_.end() && phase == tlm::BEGIN_REQ && t->state == DELAYED)
    begin(t);
  else if (t != open_.end() && phase == tlm::END_RESP && t->state == RESPONDING)
    end(t);
  else
    SC_REPORT_ERROR("/heddle/tlm", "a memory path got a phase that is not due");
}

void l1_memory_path::b_transport(tlm_generic_payload &p, sc_time &delay) {
  sc_core::wait(delay);
  delay = SC_ZERO_TIME;
  sc_core::sc_event done;
  open_.push_back({&p, &done});
  begin(std::prev(open_.end()));
  sc_core::wait(done);
}

/* The L1D writes through: the newest bytes are the memory's, and those of stores that are inside. */
unsigned l1_memory_path::debug(tlm_generic_payload &p) {
  if (p.get_command() == tlm::TLM_IGNORE_COMMAND)
    return 0;
  tlm_generic_payload below;
  below.set_command(p.get_command());
  below.set_address(p.get_address());
  below.set_data_ptr(p.get_data_ptr());
  below.set_data_length(p.get_data_length());
  below.set_streaming_width(p.get_data_length());
  const unsigned done = memory_.socket->transport_dbg(below);
  for (const transaction &t : open_)
    for (unsigned i = 0;
         p.is_read() && is_inside(t) && t.payload->is_write() && i < t.payload->get_data_length(); i++) {
      const uint64_t at = t.payload->get_address() + i - p.get_address();
      if (at < done && enabled(*t.payload, i))
        p.get_data_ptr()[at] = t.payload->get_data_ptr()[i];
    }
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  return done;
}

/* --- into sm_mem ----------------------------------------------------------------------------------------- */

/* One of its line is inside, and one of both writes. */
bool l1_memory_path::meets_another(place t) {
  return std::any_of(open_.begin(), open_.end(), [this, t](const transaction &other) {
    return is_inside(other) && line_of(*other.payload) == line_of(*t->payload) &&
           (other.payload->is_write() || t->payload->is_write());
  });
}

/* Of the warp that it names; else of the next warp that has one. */
bool l1_memory_path::find_slot(place t) {
  const auto *info = t->payload->get_extension<warp_info>();
  for (unsigned i = 0; i < (info ? 1 : warps_); i++) {
    const unsigned warp = info ? info->warp : (next_warp_ + i) % warps_;
    for (unsigned slot = 0; slot < slots_; slot++)
      if (at_[warp][slot] == open_.end()) {
        at_[warp][slot] = t;
        t->warp = warp;
        t->slot = slot;
        next_warp_ = info ? next_warp_ : warp + 1;
        return true;
      }
  }
  return false;
}

/* Those that wait, in the order in which they began. */
void l1_memory_path::accept() {
  for (place t = open_.begin(); t != open_.end();) {
    const place now = t++;
    if (now->state != WAITS)
      continue;
    if (flush_asked_ || meets_another(now) || !find_slot(now))
      return;
    now->state = READY;
    ready_[now->warp].push_back(now);
    transactions_++;
    if (now->done)
      continue;
    tlm_phase phase = tlm::END_REQ;
    sc_time delay = SC_ZERO_TIME;
    socket->nb_transport_bw(*now->payload, phase, delay);
  }
}

/* One in a cycle. */
void l1_memory_path::respond() {
  if (responding_ || answers_.empty())
    return;
  const place t = answers_.front();
  answers_.pop_front();
  t->state = RESPONDING;
  responding_ = true;
  tlm_generic_payload &p = *t->payload;
  tlm_phase phase = tlm::BEGIN_RESP;
  sc_time delay = SC_ZERO_TIME;
  const tlm::tlm_sync_enum said = socket->nb_transport_bw(p, phase, delay);
  if (said == tlm::TLM_COMPLETED || (said == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    later_.notify(p, tlm::END_RESP, delay);
}

/* What is inside is lost, and answered so; what waits goes on to wait. */
void l1_memory_path::reset() {
  for (auto &warp : at_)
    std::fill(warp.begin(), warp.end(), open_.end());
  for (auto &warp : ready_)
    warp.clear();
  for (auto &scheduler : picked_)
    scheduler.clear();
  for (place t = open_.begin(); t != open_.end();) {
    const place now = t++;
    if (!is_inside(*now))
      continue;
    lost_++;
    now->payload->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    answer(now);
  }
  offered_ = 0;
  kernel_ = BEGINS;
  flush_asked_ = flushing_ = false;
}

} // namespace heddle
