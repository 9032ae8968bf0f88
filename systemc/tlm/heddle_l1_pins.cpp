/* Loads and stores of warps on the pins of sm_mem; see heddle_l1_pins.h. */
#include "heddle_l1_pins.h"

#include "heddle_line.h"

namespace heddle {

using tlm::tlm_generic_payload;

static unsigned key(heddle_machine *machine, const char *name) {
  int64_t value = 0;
  if (heddle_key(machine, name, &value) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/machine", heddle_machine_message(machine));
  return (unsigned)value;
}

enum { UNCACHED = 1, WORD_BYTES = 4 };

/* Returns the op of a request that is neither a plain load nor a store, else 0. */
unsigned l1_pins::op_of(const tlm_generic_payload &p) {
  const auto *info = p.get_extension<warp_info>();
  return info ? info->op : 0;
}

l1_pins::l1_pins(const wires &pins, const char *machine, list &open, calls call)
    : pin_(pins), line_bytes_(pins["st_mask"].bits), warps_(pins["ready"].bits),
      schedulers_(pins["pick_valid"].bits), lanes_(pins["issue_mask"].bits), open_(open),
      call_(std::move(call)), none_(open.end()), ready_(warps_), picked_(schedulers_) {
  heddle_machine *m = nullptr;
  if (heddle_load_text(machine, "machine", nullptr, 0, &m) != HEDDLE_OK)
    SC_REPORT_FATAL("/heddle/machine", heddle_machine_message(m));
  slots_ = key(m, "sm.loads");
  lsu_queue_ = key(m, "sm.lsu_queue");
  sig_is_cta_ = std::string(heddle_key_word(m, "request_buffer.signature")) == "block";
  heddle_unload(m);
  at_.assign(warps_, std::vector<place>(slots_, none_));
  unsigned most = 2;
  for (const auto &[pin, wire] : pins.all()) {
    most = std::max(most, wire.words());
    if (pins.is_input(pin) && pin.size() > 3 && pin.compare(pin.size() - 3, 3, "_en") == 0)
      wire.number(1);
  }
  words_.resize(most);
  mask_.resize(most);
}

tlm::tlm_response_status l1_pins::status_of(const tlm_generic_payload &p) const {
  if (p.get_command() == tlm::TLM_IGNORE_COMMAND)
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const auto *info = p.get_extension<warp_info>();
  const unsigned op = op_of(p);
  if (op && (!p.is_read() || !pin_.issue_op || op >> pin_.issue_op->bits))
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const tlm::tlm_response_status status = heddle::status_of(p, line_bytes_, pin_.issue_line->bits / lanes_);
  if (status == tlm::TLM_OK_RESPONSE && pin_.issue_sector &&
      sectors_of(p) > (unsigned)__builtin_popcountll(info ? info->lanes : 1))
    return tlm::TLM_BURST_ERROR_RESPONSE; /* each lane can ask for one sector only */
  if (status == tlm::TLM_OK_RESPONSE && info &&
      (info->warp >= warps_ || !info->lanes || (lanes_ < 64 && info->lanes >> lanes_) ||
       (pin_.issue_sig && signature(*info) >> pin_.issue_sig->bits)))
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  if (status == tlm::TLM_OK_RESPONSE && op > UNCACHED) {
    if ((p.get_address() | p.get_data_length()) % WORD_BYTES)
      return tlm::TLM_BURST_ERROR_RESPONSE;
    if (info->operand.size() != p.get_data_length())
      return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  return status;
}

bool l1_pins::edge(bool in_reset) {
  const auto was = kernel_;
  if (in_reset) {
    reset();
    return true;
  }
  if (kernel_ == IN_RESET) {
    kernel_ = BEGINS;
    return true;
  }
  kernel_ = kernel_ == ENDS ? BEGINS : RUNS;
  bool moves = take_answer();
  moves |= take_issue();
  moves |= take_picks();
  moves |= accept();
  if (flush_asked_ && kernel_ == RUNS &&
      std::none_of(open_.begin(), open_.end(),
                   [this](const l1_transaction &t) { return t.is_inside() || may_begin(t); })) {
    flush_asked_ = false;
    flushing_ = true;
    flushes_++;
    kernel_ = ENDS;
  }
  return moves || kernel_ != was;
}

/* Returns the transaction in this slot of the warp. A module that was never reset may show any numbers, so they are checked. */
l1_pins::place &l1_pins::at(uint64_t warp, uint64_t slot) {
  return warp < warps_ && slot < slots_ ? at_[warp][slot] : none_;
}

bool l1_pins::take_answer() {
  if (!pin_.resp_valid->number() || !pin_.resp_ready->number())
    return false;
  const uint64_t warp = pin_.resp_wid->number(), number = pin_.resp_slot->number();
  place &slot = at(warp, number);
  const place t = slot;
  if (t == none_ || t->state != l1_transaction::INSIDE) {
    SC_REPORT_ERROR("/heddle/tlm",
                    (std::string(pin_.pins.name()) + ": resp_valid: found an answer for warp " +
                     std::to_string(warp) + " slot " + std::to_string(number) +
                     "; allowed: what sm_mem has taken and not answered")
                        .c_str());
    return true;
  }
  slot = none_;
  if (pin_.resp_error && pin_.resp_error->number()) {
    call_.answered(t, tlm::TLM_GENERIC_ERROR_RESPONSE);
    return true;
  }
  if (t->payload->is_read()) {
    pin_.resp_data->get(words_.data());
    bring(*t->payload, line_bytes_, reinterpret_cast<const uint8_t *>(words_.data()));
  }
  call_.answered(t, tlm::TLM_OK_RESPONSE);
  return true;
}

/* Returns true if another transaction of its line is inside, unless both are loads. */
bool l1_pins::meets_another(place t) {
  return std::any_of(open_.begin(), open_.end(), [this, t](const l1_transaction &other) {
    return other.is_inside() && line_of(*other.payload) == line_of(*t->payload) &&
           !(is_load(*other.payload) && is_load(*t->payload));
  });
}

/* Gives the transaction a slot of the warp that it names, or else of the next warp with a free one. Returns false if there is none. */
bool l1_pins::find_slot(place t) {
  const auto *info = t->payload->get_extension<warp_info>();
  for (unsigned i = 0; i < (info ? 1 : warps_); i++) {
    const unsigned warp = info ? info->warp : (next_warp_ + i) % warps_;
    for (unsigned slot = 0; slot < slots_; slot++)
      if (at_[warp][slot] == none_) {
        at_[warp][slot] = t;
        t->warp = warp;
        t->slot = slot;
        next_warp_ = info ? next_warp_ : warp + 1;
        return true;
      }
  }
  return false;
}

std::string l1_pins::awaited(const l1_transaction &t) const {
  const std::string of = " for warp " + std::to_string(t.warp) + " slot " + std::to_string(t.slot);
  switch (t.state) {
  case l1_transaction::READY:
    return "pick_valid" + of;
  case l1_transaction::PICKED:
    return "issue_ready" + of;
  case l1_transaction::INSIDE:
    return "resp_valid" + of;
  default:
    return !may_begin(t) ? "a kernel to begin" : "a free slot of its warp, or another of its line";
  }
}

void l1_pins::flush() {
  for (l1_transaction &t : open_)
    t.of_kernel = t.of_kernel || (!flush_asked_ && t.state == l1_transaction::WAITS);
  flush_asked_ = true;
}

/* Returns true if it waits for a slot or for other transactions of its line, and not for a kernel to begin. */
bool l1_pins::may_begin(const l1_transaction &t) const {
  return t.state == l1_transaction::WAITS && (!flush_asked_ || t.of_kernel);
}

/* Takes waiting transactions in the order in which they began. A call may begin or end others, so the search starts again after it. */
bool l1_pins::accept() {
  bool any = false;
  for (;; any = true) {
    const place t = std::find_if(open_.begin(), open_.end(),
                                 [this](const l1_transaction &each) { return may_begin(each); });
    if (t == none_ || meets_another(t) || !find_slot(t))
      return any;
    t->state = l1_transaction::READY;
    ready_[t->warp].push_back(t);
    transactions_++;
    call_.taken(t);
  }
  return any;
}

/* Transactions inside are lost. Waiting transactions keep waiting. */
void l1_pins::reset() {
  for (auto &warp : at_)
    std::fill(warp.begin(), warp.end(), none_);
  for (auto &warp : ready_)
    warp.clear();
  for (auto &scheduler : picked_)
    scheduler.clear();
  for (place t = open_.begin(); t != none_;) {
    const place now = t++;
    if (!now->is_inside())
      continue;
    lost_++;
    call_.answered(now, tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
  offered_ = 0;
  kernel_ = IN_RESET;
  flush_asked_ = flushing_ = false;
}

bool l1_pins::take_issue() {
  if (!pin_.issue_valid->number() || !pin_.issue_ready->number())
    return false;
  if (picked_[offered_].empty())
    return false;
  picked_[offered_].front()->state = l1_transaction::INSIDE;
  picked_[offered_].pop_front();
  return true;
}

bool l1_pins::take_picks() {
  const uint64_t valid = pin_.pick_valid->number(), wids = pin_.pick_wid->number();
  const unsigned bits = pin_.pick_wid->bits / schedulers_;
  bool any = false;
  for (unsigned s = 0; s < schedulers_; s++) {
    const uint64_t wid = wids >> s * bits & ((uint64_t(1) << bits) - 1);
    if (!(valid >> s & 1) || wid >= warps_ || ready_[wid].empty())
      continue;
    const place t = ready_[wid].front();
    ready_[wid].pop_front();
    t->state = l1_transaction::PICKED;
    picked_[s].push_back(t);
    any = true;
  }
  return any;
}

/* Does nothing if the machine has no such pin. */
void l1_pins::put(const wire *pin, uint64_t number) {
  if (!pin)
    return;
  pin->number(number);
  raised_.push_back(pin);
}

void l1_pins::set(const wire *pin, const std::vector<uint32_t> &words) {
  pin->set(words.data());
  raised_.push_back(pin);
}

/* In reset, and in the cycles around a kernel's start, all inputs that are not set below are 0. */
void l1_pins::drive(bool takes_answers) {
  std::fill(words_.begin(), words_.end(), 0);
  for (const wire *w : raised_)
    w->set(words_.data());
  raised_.clear();
  if (kernel_ == IN_RESET)
    return;
  put(pin_.resp_ready, takes_answers);
  if (kernel_ != RUNS) {
    drive_kernel();
    return;
  }
  drive_warps();
  drive_issue();
  drive_store();
}

/* All warps end; a cycle later all begin, as those of one CTA. */
void l1_pins::drive_kernel() {
  const uint64_t all = UINT64_MAX >> (64 - warps_);
  if (kernel_ == ENDS) {
    put(pin_.exit, all);
    return;
  }
  put(pin_.flush, flushing_);
  put(pin_.kernel, 1);
  put(pin_.kernel_ctas, 1);
  put(pin_.launch_valid, 1);
  put(pin_.launch_warps, all);
  put(pin_.wait_mem, all);
  flushing_ = false;
}

/* A warp exists all the time, and waits (wait_mem) while it has no instruction. */
void l1_pins::drive_warps() {
  uint64_t ready = 0, next_load = 0, next_mem = 0;
  for (unsigned w = 0; w < warps_; w++) {
    if (ready_[w].empty())
      continue;
    next_mem |= uint64_t(1) << w;
    next_load |= (uint64_t)is_load(*ready_[w].front()->payload) << w;
    ready |= (uint64_t)(picked_[w % schedulers_].size() < lsu_queue_) << w;
  }
  const uint64_t all = UINT64_MAX >> (64 - warps_);
  put(pin_.ready, ready);
  put(pin_.next_mem, next_mem);
  put(pin_.next_load, next_load);
  put(pin_.wait_mem, all & ~next_mem);
  put(pin_.awake, all);
}

/* Chooses the scheduler for the issue port. The choice stays while its first transaction is offered. Returns false if no scheduler has a
 * transaction. */
bool l1_pins::offer() {
  for (unsigned i = 0; i < schedulers_; i++) {
    const unsigned s = (offered_ + i) % schedulers_;
    if (picked_[s].empty())
      continue;
    offered_ = s;
    return true;
  }
  return false;
}

void l1_pins::drive_issue() {
  if (!offer())
    return;
  const l1_transaction &t = *picked_[offered_].front();
  const tlm_generic_payload &p = *t.payload;
  static const warp_info anyone;
  const auto *said = p.get_extension<warp_info>();
  const warp_info &info = said ? *said : anyone;
  put(pin_.issue_valid, 1);
  put(pin_.issue_write, !is_load(p));
  put(pin_.issue_op, op_of(p));
  put(pin_.issue_wid, t.warp);
  put(pin_.issue_slot, t.slot);
  put(pin_.issue_mask, info.lanes);
  put(pin_.issue_pc, info.pc);
  put(pin_.issue_sig, signature(info));
  put(pin_.issue_low, p.get_address() % line_bytes_);
  const unsigned bits = pin_.issue_line->bits / lanes_;
  const uint64_t line = line_of(p);
  std::fill(words_.begin(), words_.end(), 0);
  for (unsigned i = 0; i < lanes_ * bits; i++)
    words_[i / 32] |= (uint32_t)(line >> i % bits & 1) << i % 32;
  set(pin_.issue_line, words_);
  if (pin_.issue_sector)
    drive_sectors(p, info.lanes);
}

/* Returns the bytes of a sector, in a machine with sectors. */
unsigned l1_pins::sector_bytes() const {
  return line_bytes_ >> pin_.issue_sector->bits / lanes_;
}

/* Returns the number of sectors that the payload's bytes are in. */
unsigned l1_pins::sectors_of(const tlm_generic_payload &p) const {
  const uint64_t first = p.get_address() / sector_bytes();
  return (unsigned)((p.get_address() + std::max(p.get_data_length(), 1u) - 1) / sector_bytes() - first) + 1;
}

/* Gives each lane one sector of those that the payload's bytes are in. The lanes left over ask for the last sector too. */
void l1_pins::drive_sectors(const tlm_generic_payload &p, uint64_t lanes) {
  const unsigned bits = pin_.issue_sector->bits / lanes_, count = sectors_of(p);
  const uint64_t first = p.get_address() % line_bytes_ / sector_bytes();
  std::fill(words_.begin(), words_.end(), 0);
  for (unsigned lane = 0, n = 0; lane < lanes_; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    const uint64_t sector = first + std::min(n++, count - 1);
    for (unsigned b = 0; b < bits; b++)
      words_[(lane * bits + b) / 32] |= (uint32_t)(sector >> b & 1) << (lane * bits + b) % 32;
  }
  set(pin_.issue_sector, words_);
}

/* Drives the bytes of the store that sm_mem asks for in this cycle, or the operands of an atomic. */
void l1_pins::drive_store() {
  if (!pin_.st_valid->number())
    return;
  const place t = at(pin_.st_wid->number(), pin_.st_slot->number());
  if (t == none_ || op_of(*t->payload) == UNCACHED)
    return;
  const tlm_generic_payload &p = *t->payload;
  lay_over(p, line_bytes_, words_, mask_);
  if (op_of(p)) { /* all operands: a compare-and-swap compares with the one that is not enabled */
    const auto &operand = p.get_extension<warp_info>()->operand;
    std::copy(operand.begin(), operand.end(),
              reinterpret_cast<uint8_t *>(words_.data()) + p.get_address() % line_bytes_);
  }
  set(pin_.st_data, words_);
  set(pin_.st_mask, mask_);
}

} // namespace heddle
