/* TLM-2.0 on Heddle's pins; see heddle_tlm.h. */
#include "heddle_tlm.h"

#include <cstdlib>
#include <cstring>

namespace heddle {

using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using tlm::tlm_generic_payload;
using tlm::tlm_phase;

/* --- the memory side of sm_mem --------------------------------------------------------------------------- */

/* What of the bundle is not in the payload itself. */
static bool is_info(const std::string &field) {
  return field != "valid" && field != "ready" && field != "wdata" && field != "wmask" && field != "data";
}

memory_side::memory_side(const sc_core::sc_module_name &name, const wires &pins)
    : sc_module(name), valid_(pins["mreq_valid"]), ready_(pins["mreq_ready"]), wdata_(pins["mreq_wdata"]),
      wmask_(pins["mreq_wmask"]), answer_valid_(pins["mrsp_valid"]), answer_ready_(pins["mrsp_ready"]),
      answer_data_(pins["mrsp_data"]), line_bytes_(wdata_.bits / 8), later_(this, &memory_side::later),
      words_(wdata_.words() + 2) {
  for (const auto &[pin, wire] : pins.all()) {
    const std::string field = pin.substr(pin.find('_') + 1);
    if (pin.rfind("mreq_", 0) == 0 && is_info(field))
      request_.emplace_back(field, &wire);
    if (pin.rfind("mrsp_", 0) == 0 && is_info(field))
      response_.emplace_back(field, &wire);
  }
  socket.register_nb_transport_bw(this, &memory_side::nb_bw);
  SC_HAS_PROCESS(memory_side);
  SC_METHOD(edge);
  sensitive << clk.pos();
  dont_initialize();
  SC_METHOD(drive);
  sensitive << shown_;
  dont_initialize();
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
tlm_generic_payload &memory_side::request() {
  line_payload &p = payload();
  auto &field = p.get_extension<request_info>()->field;
  field.clear(); /* what a target had added */
  for (const auto &[name, wire] : request_)
    field[name] = wire->number();
  const bool write = field["kind"] == request_info::STORE;
  p.set_command(field["kind"] == request_info::QUERY ? tlm::TLM_IGNORE_COMMAND
                : write                              ? tlm::TLM_WRITE_COMMAND
                                                     : tlm::TLM_READ_COMMAND);
  p.set_address(field["line"] * line_bytes_);
  p.set_data_ptr(p.data.data());
  p.set_data_length(line_bytes_);
  p.set_streaming_width(line_bytes_);
  p.set_byte_enable_ptr(write ? p.enable.data() : nullptr);
  p.set_byte_enable_length(write ? line_bytes_ : 0);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  p.set_dmi_allowed(false);
  if (write) {
    wdata_.get(words_.data());
    std::memcpy(p.data.data(), words_.data(), line_bytes_);
    wmask_.get(words_.data());
    for (unsigned i = 0; i < line_bytes_; i++)
      p.enable[i] = words_[i / 32] >> i % 32 & 1 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  }
  return p;
}

/* A cycle ends: what met is taken, and given on. */
void memory_side::edge() {
  shown_.notify(SC_ZERO_TIME);
  if (rst.read())
    return;
  if (answer_valid_.number() && answer_ready_.number()) {
    const answer taken = answer_.front();
    answer_.pop_front();
    in_flight_--;
    if (!taken.completed) {
      tlm_phase phase = tlm::END_RESP;
      sc_time delay = SC_ZERO_TIME;
      socket->nb_transport_fw(*taken.payload, phase, delay);
    }
    taken.payload->release();
  }
  if (valid_.number() && ready_.number())
    begin(request());
}

void memory_side::begin(tlm_generic_payload &p) {
  transactions_++;
  in_flight_++;
  requesting_ = &p;
  tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay = SC_ZERO_TIME;
  const tlm::tlm_sync_enum said = socket->nb_transport_fw(p, phase, delay);
  if (said == tlm::TLM_ACCEPTED)
    return;
  if (said == tlm::TLM_COMPLETED)
    hear(p, tlm::BEGIN_RESP, true);
  else if (delay == SC_ZERO_TIME)
    hear(p, phase, false);
  else
    later_.notify(p, phase, delay);
}

/* A BEGIN_RESP says END_REQ as well. */
void memory_side::hear(tlm_generic_payload &p, const tlm_phase &phase, bool completed) {
  if (requesting_ == &p)
    requesting_ = nullptr;
  if (phase == tlm::END_REQ)
    return;
  if (phase != tlm::BEGIN_RESP) {
    SC_REPORT_ERROR("/heddle/tlm", "an initiator got a phase that is neither END_REQ nor BEGIN_RESP");
    return;
  }
  if (!p.is_response_ok())
    errors_++;
  answer_.push_back({&p, completed});
}

tlm::tlm_sync_enum memory_side::nb_bw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  if (delay == SC_ZERO_TIME)
    hear(p, phase, false);
  else
    later_.notify(p, phase, delay);
  return tlm::TLM_ACCEPTED;
}

/* The next cycle begins. */
void memory_side::drive() {
  ready_.number(!rst.read() && !requesting_);
  answer_valid_.number(!answer_.empty());
  if (answer_.empty())
    return;
  tlm_generic_payload &p = *answer_.front().payload;
  auto &field = p.get_extension<request_info>()->field;
  for (const auto &[name, wire] : response_)
    wire->number(field.count(name) ? field[name] : 0);
  std::memcpy(words_.data(), p.get_data_ptr(), line_bytes_);
  answer_data_.set(words_.data());
}

/* --- a memory -------------------------------------------------------------------------------------------- */

memory::memory(const sc_core::sc_module_name &name, unsigned line_bytes, sc_time latency)
    : sc_module(name), line_bytes_(line_bytes), latency_(latency), later_(this, &memory::due) {
  socket.register_nb_transport_fw(this, &memory::nb_fw);
  socket.register_b_transport(this, &memory::b_transport);
  socket.register_transport_dbg(this, &memory::debug);
}

std::vector<uint8_t> &memory::line(uint64_t address) {
  auto &bytes = lines_[address / line_bytes_];
  if (bytes.empty()) {
    bytes.resize(line_bytes_);
    for (unsigned w = 0; w < line_bytes_ / 8; w++) {
      const uint64_t word = heddle_memory_initial(address / line_bytes_, w);
      for (unsigned b = 0; b < 8; b++)
        bytes[8 * w + b] = (uint8_t)(word >> 8 * b);
    }
  }
  return bytes;
}

void memory::work(tlm_generic_payload &p) {
  const unsigned length = p.get_data_length();
  const uint64_t at = p.get_address();
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  if (p.get_command() == tlm::TLM_IGNORE_COMMAND)
    return;
  if (!length || at % line_bytes_ + length > line_bytes_ || p.get_streaming_width() < length) {
    p.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  if (p.get_byte_enable_ptr() && !p.get_byte_enable_length()) {
    p.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return;
  }
  uint8_t *here = line(at).data() + at % line_bytes_, *data = p.get_data_ptr();
  const uint8_t *enable = p.get_byte_enable_ptr();
  for (unsigned i = 0; i < length; i++)
    if (!enable || enable[i % p.get_byte_enable_length()] == TLM_BYTE_ENABLED)
      (p.is_write() ? here[i] : data[i]) = p.is_write() ? data[i] : here[i];
  (p.is_write() ? writes_ : reads_)++;
}

void memory::b_transport(tlm_generic_payload &p, sc_time &delay) {
  work(p);
  delay += latency_;
}

unsigned memory::debug(tlm_generic_payload &p) {
  unsigned done = 0;
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  if (p.get_command() == tlm::TLM_IGNORE_COMMAND)
    return 0;
  for (; done < p.get_data_length(); done++) {
    const uint64_t at = p.get_address() + done;
    uint8_t &here = line(at)[at % line_bytes_], &there = p.get_data_ptr()[done];
    (p.is_write() ? here : there) = p.is_write() ? there : here;
  }
  return done;
}

tlm::tlm_sync_enum memory::nb_fw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  if (phase == tlm::BEGIN_REQ) {
    p.acquire();
    work(p);
    later_.notify(p, tlm::BEGIN_RESP, delay + latency_);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  if (phase == tlm::END_RESP) {
    responding_ = false;
    p.release();
    respond();
    return tlm::TLM_COMPLETED;
  }
  SC_REPORT_ERROR("/heddle/tlm", "a memory got a phase that is neither BEGIN_REQ nor END_RESP");
  return tlm::TLM_ACCEPTED;
}

void memory::due(tlm_generic_payload &p, const tlm_phase &) {
  ready_.push_back(&p);
  respond();
}

void memory::respond() {
  while (!responding_ && !ready_.empty()) {
    tlm_generic_payload *p = ready_.front();
    ready_.pop_front();
    responding_ = true;
    tlm_phase phase = tlm::BEGIN_RESP;
    sc_time delay = SC_ZERO_TIME;
    const tlm::tlm_sync_enum said = socket->nb_transport_bw(*p, phase, delay);
    if (said == tlm::TLM_COMPLETED || (said == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
      responding_ = false;
      p->release();
    }
  }
}

/* --- a checker ------------------------------------------------------------------------------------------- */

protocol_checker::protocol_checker(const sc_core::sc_module_name &name) : sc_module(name) {
  target.register_nb_transport_fw(this, &protocol_checker::fw);
  target.register_b_transport(this, &protocol_checker::b_transport);
  target.register_transport_dbg(this, &protocol_checker::debug);
  target.register_get_direct_mem_ptr(this, &protocol_checker::direct);
  initiator.register_nb_transport_bw(this, &protocol_checker::bw);
  initiator.register_invalidate_direct_mem_ptr(this, &protocol_checker::indirect);
}

void protocol_checker::wrong(const tlm_generic_payload &p, const std::string &what) const {
  char at[32];
  snprintf(at, sizeof at, "0x%llx", (unsigned long long)p.get_address());
  SC_REPORT_ERROR("/heddle/tlm", (std::string(name()) + ": address " + at + ": " + what).c_str());
}

/* Of a request that begins. */
void protocol_checker::attributes(const tlm_generic_payload &p) const {
  if (!p.get_data_ptr() || !p.get_data_length())
    wrong(p, "no data");
  if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    wrong(p, "the response status is not TLM_INCOMPLETE_RESPONSE at the begin");
  if (p.get_byte_enable_ptr() && !p.get_byte_enable_length())
    wrong(p, "byte enables without a length");
  if (!p.get_streaming_width())
    wrong(p, "a streaming width of 0");
}

void protocol_checker::step(tlm_generic_payload &p, const tlm_phase &phase, bool forward) {
  const auto found = open_.find(&p);
  const bool known = found != open_.end();
  const tlm_phase was = known ? found->second.phase : tlm_phase(tlm::UNINITIALIZED_PHASE);
  if (known && (p.get_address() != found->second.address || p.get_data_length() != found->second.length ||
                p.get_command() != found->second.command))
    wrong(p, "address, length or command changed in mid-transaction");
  if (phase == tlm::BEGIN_REQ) {
    if (!forward)
      wrong(p, "BEGIN_REQ on the backward path");
    if (known)
      wrong(p, "BEGIN_REQ of a payload whose transaction is not over");
    if (request_)
      wrong(p, "BEGIN_REQ before the END_REQ of the last");
    if (!p.has_mm())
      wrong(p, "no memory manager");
    attributes(p);
    request_ = &p;
    transactions_++;
    open_[&p] = {phase, p.get_address(), p.get_data_length(), p.get_command()};
    return;
  }
  if (!known) {
    wrong(p, "a phase of a transaction that did not begin");
    return;
  }
  if (phase == tlm::END_REQ && (forward || was != tlm::BEGIN_REQ))
    wrong(p, "END_REQ where none is due");
  if (phase == tlm::BEGIN_RESP) {
    if (forward || (was != tlm::BEGIN_REQ && was != tlm::END_REQ))
      wrong(p, "BEGIN_RESP where none is due");
    if (response_)
      wrong(p, "BEGIN_RESP before the END_RESP of the last");
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      wrong(p, "BEGIN_RESP without a response status");
    response_ = &p;
  }
  if (phase == tlm::END_RESP && (!forward || was != tlm::BEGIN_RESP))
    wrong(p, "END_RESP where none is due");
  if (request_ == &p && phase != tlm::BEGIN_REQ)
    request_ = nullptr;
  if (phase == tlm::END_RESP) {
    response_ = nullptr;
    open_.erase(&p);
  } else {
    open_[&p].phase = phase;
  }
}

/* What the answer to a call says: a phase of the other side, or that all is over. */
void protocol_checker::after(tlm_generic_payload &p, tlm::tlm_sync_enum answer, const tlm_phase &before,
                             const tlm_phase &phase, bool forward) {
  if (answer == tlm::TLM_UPDATED && phase != before)
    step(p, phase, !forward);
  else if (answer == tlm::TLM_UPDATED)
    wrong(p, "TLM_UPDATED without a new phase");
  if (answer == tlm::TLM_COMPLETED &&
      before != tlm::END_RESP) { /* which has ended it; it may have begun anew meanwhile */
    if (before == tlm::END_REQ)
      wrong(p, "TLM_COMPLETED in answer to END_REQ");
    if (before == tlm::BEGIN_REQ && p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      wrong(p, "TLM_COMPLETED without a response status");
    if (request_ == &p)
      request_ = nullptr;
    if (response_ == &p)
      response_ = nullptr;
    open_.erase(&p);
  }
}

tlm::tlm_sync_enum protocol_checker::fw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  const tlm_phase before = phase;
  step(p, phase, true);
  const tlm::tlm_sync_enum said = initiator->nb_transport_fw(p, phase, delay);
  after(p, said, before, phase, true);
  return said;
}

tlm::tlm_sync_enum protocol_checker::bw(tlm_generic_payload &p, tlm_phase &phase, sc_time &delay) {
  const tlm_phase before = phase;
  step(p, phase, false);
  const tlm::tlm_sync_enum said = target->nb_transport_bw(p, phase, delay);
  after(p, said, before, phase, false);
  return said;
}

void protocol_checker::b_transport(tlm_generic_payload &p, sc_time &delay) {
  attributes(p);
  transactions_++;
  initiator->b_transport(p, delay);
  if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    wrong(p, "b_transport left no response status");
}

unsigned protocol_checker::debug(tlm_generic_payload &p) {
  return initiator->transport_dbg(p);
}

bool protocol_checker::direct(tlm_generic_payload &p, tlm::tlm_dmi &dmi) {
  return initiator->get_direct_mem_ptr(p, dmi);
}

void protocol_checker::indirect(sc_dt::uint64 first, sc_dt::uint64 last) {
  target->invalidate_direct_mem_ptr(first, last);
}

} // namespace heddle
