/* Models without pins in front of a memory that waits.
 *
 * Invariant: two threads never touch a line of each other. */
#ifndef HEDDLE_TESTS_SYSTEMC_WAITING_H
#define HEDDLE_TESTS_SYSTEMC_WAITING_H

#include "tlm_rig.h"

/* A memory that spends its time in wait(), not in the delay. Only for reads, since the LT model counts no other time. */
struct waiting_memory : sc_module {
  tlm_utils::simple_target_socket<waiting_memory> socket{"socket"};
  tlm_utils::simple_initiator_socket<waiting_memory> behind{"behind"};
  explicit waiting_memory(const sc_module_name &name) : sc_module(name) {
    socket.register_b_transport(this, &waiting_memory::b_transport);
  }
  void b_transport(tlm_generic_payload &p, sc_time &delay) {
    sc_time took = delay;
    behind->b_transport(p, took);
    if (!p.is_read())
      return;
    delay = SC_ZERO_TIME;
    wait(took);
  }
};

/* Two threads write lines of their own and read them back. Returns the number of wrong reads. */
inline unsigned two_threads(sender &to, unsigned line_bytes, const sc_time &period) {
  unsigned ended = 0, wrong = 0;
  sc_event end;
  for (unsigned t = 1; t <= 2; t++)
    sc_spawn([&, t] {
      for (unsigned i = 0; i < 50; i++) {
        payload p(((uint64_t)t + 2 * (i % 20)) * line_bytes, tlm::TLM_WRITE_COMMAND, 1),
            q(p.get_address(), tlm::TLM_READ_COMMAND, 1);
        p.data[0] = (uint8_t)t;
        sc_time delay = (1 + i % 3) * period;
        to.socket->b_transport(p, delay);
        to.socket->b_transport(q, delay);
        wrong += q.data[0] != t || !p.is_response_ok() || !q.is_response_ok();
        wait(delay);
      }
      ended++;
      end.notify();
    });
  while (ended < 2)
    wait(end);
  return wrong;
}

#endif
