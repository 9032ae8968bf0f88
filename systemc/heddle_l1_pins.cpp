/* Loads and stores by TLM-2.0: the pins of sm_mem, cycle by cycle; see heddle_l1.h. */
#include "heddle_l1.h"

#include <algorithm>

namespace heddle {

using tlm::tlm_generic_payload;

constexpr size_t ANSWERS = 2; /* that wait for BEGIN_RESP, until resp_ready is 0 */

/* A cycle ends: all pins are what they have settled to. */
void l1_memory_path::edge() {
  shown_.notify(sc_core::SC_ZERO_TIME);
  const bool was_in_reset = in_reset_;
  in_reset_ = rst.read();
  if (in_reset_) {
    reset();
  } else if (!was_in_reset) {
    kernel_ = kernel_ == ENDS ? BEGINS : RUNS;
    take_answer();
    take_issue();
    take_picks();
    accept();
    if (flush_asked_ && kernel_ == RUNS &&
        std::none_of(open_.begin(), open_.end(), [this](const transaction &t) { return is_inside(t); })) {
      flush_asked_ = false;
      flushing_ = true;
      flushes_++;
      kernel_ = ENDS;
    }
  }
  respond();
}

void l1_memory_path::take_answer() {
  if (!pins_["resp_valid"].number() || !pins_["resp_ready"].number())
    return;
  place &at = at_[pins_["resp_wid"].number()][pins_["resp_slot"].number()];
  const place t = at;
  if (t == open_.end()) {
    SC_REPORT_ERROR("/heddle/tlm", "sm_mem answers what it was not asked");
    return;
  }
  at = open_.end();
  tlm_generic_payload &p = *t->payload;
  if (p.is_read()) {
    pins_["resp_data"].get(words_.data());
    const uint8_t *from = (const uint8_t *)words_.data() + p.get_address() % line_bytes_;
    for (unsigned i = 0; i < p.get_data_length(); i++)
      if (enabled(p, i))
        p.get_data_ptr()[i] = from[i];
  }
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  answer(t);
}

void l1_memory_path::take_issue() {
  if (!pins_["issue_valid"].number() || !pins_["issue_ready"].number())
    return;
  picked_[offered_].front()->state = INSIDE;
  picked_[offered_].pop_front();
}

void l1_memory_path::take_picks() {
  const uint64_t valid = pins_["pick_valid"].number(), wids = pins_["pick_wid"].number();
  const unsigned bits = pins_["pick_wid"].bits / schedulers_;
  for (unsigned s = 0; s < schedulers_; s++) {
    const uint64_t wid = wids >> s * bits & ((uint64_t(1) << bits) - 1);
    if (!(valid >> s & 1) || wid >= warps_ || ready_[wid].empty())
      continue;
    const place t = ready_[wid].front();
    ready_[wid].pop_front();
    t->state = PICKED;
    picked_[s].push_back(t);
  }
}

void l1_memory_path::put(const char *pin, uint64_t number) {
  if (pins_.has(pin))
    pins_[pin].number(number);
}

/* The next cycle begins. In reset, and in the cycles around a kernel's begin, all inputs are 0 that are not set below. */
void l1_memory_path::drive() {
  std::fill(words_.begin(), words_.end(), 0);
  for (const wire *w : driven_)
    w->set(words_.data());
  if (in_reset_)
    return;
  put("resp_ready", answers_.size() < ANSWERS);
  if (kernel_ != RUNS) {
    drive_kernel();
    return;
  }
  drive_warps();
  drive_issue();
  drive_store();
}

/* All warps end; a cycle later all begin, as those of one CTA. */
void l1_memory_path::drive_kernel() {
  const uint64_t all = UINT64_MAX >> (64 - warps_);
  if (kernel_ == ENDS) {
    put("exit", all);
    return;
  }
  put("flush", flushing_);
  put("kernel", 1);
  put("kernel_ctas", 1);
  put("launch_valid", 1);
  put("launch_warps", all);
  put("wait_mem", all);
  flushing_ = false;
}

/* A warp is there all the time, and waits while nobody has sent its next instruction. */
void l1_memory_path::drive_warps() {
  uint64_t ready = 0, next_load = 0, next_mem = 0;
  for (unsigned w = 0; w < warps_; w++) {
    if (ready_[w].empty())
      continue;
    next_mem |= uint64_t(1) << w;
    next_load |= (uint64_t)ready_[w].front()->payload->is_read() << w;
    ready |= (uint64_t)(picked_[w % schedulers_].size() < lsu_queue_) << w;
  }
  const uint64_t all = UINT64_MAX >> (64 - warps_);
  put("ready", ready);
  put("next_mem", next_mem);
  put("next_load", next_load);
  put("wait_mem", all & ~next_mem);
  put("awake", all);
}

/* The scheduler whose turn it is; as long as one is offered, the same. */
bool l1_memory_path::offer() {
  for (unsigned i = 0; i < schedulers_; i++) {
    const unsigned s = (offered_ + i) % schedulers_;
    if (picked_[s].empty())
      continue;
    offered_ = s;
    return true;
  }
  return false;
}

void l1_memory_path::drive_issue() {
  if (!offer())
    return;
  const transaction &t = *picked_[offered_].front();
  const tlm_generic_payload &p = *t.payload;
  static const warp_info anyone;
  const auto *said = p.get_extension<warp_info>();
  const warp_info &info = said ? *said : anyone;
  put("issue_valid", 1);
  put("issue_write", p.is_write());
  put("issue_wid", t.warp);
  put("issue_slot", t.slot);
  put("issue_mask", info.lanes);
  put("issue_pc", info.pc);
  put("issue_sig", sig_is_cta_ ? info.cta : info.place);
  put("issue_low", p.get_address() % line_bytes_);
  const unsigned bits = pins_["issue_line"].bits / lanes_;
  const uint64_t line = line_of(p);
  std::fill(words_.begin(), words_.end(), 0);
  for (unsigned i = 0; i < lanes_ * bits; i++)
    words_[i / 32] |= (uint32_t)(line >> i % bits & 1) << i % 32;
  pins_["issue_line"].set(words_.data());
}

/* The bytes that a store is asked for in this cycle. */
void l1_memory_path::drive_store() {
  if (!pins_["st_valid"].number())
    return;
  const place t = at_[pins_["st_wid"].number()][pins_["st_slot"].number()];
  if (t == open_.end())
    return;
  const tlm_generic_payload &p = *t->payload;
  std::fill(words_.begin(), words_.end(), 0);
  std::fill(mask_.begin(), mask_.end(), 0);
  const unsigned first = (unsigned)(p.get_address() % line_bytes_);
  for (unsigned i = 0; i < p.get_data_length(); i++)
    if (enabled(p, i)) {
      const unsigned at = first + i;
      words_[at / 4] |= (uint32_t)p.get_data_ptr()[i] << at % 4 * 8;
      mask_[at / 32] |= uint32_t(1) << at % 32;
    }
  pins_["st_data"].set(words_.data());
  pins_["st_mask"].set(mask_.data());
}

} // namespace heddle
