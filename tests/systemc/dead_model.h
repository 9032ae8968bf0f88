/* A golden model that stops: from model_is_dead on no clock edge changes anything, so no request is ever answered.
 *
 * Invariant: its heddle_tick takes the place of the library's in the whole program. */
#ifndef HEDDLE_TESTS_SYSTEMC_DEAD_MODEL_H
#define HEDDLE_TESTS_SYSTEMC_DEAD_MODEL_H

#include <dlfcn.h>

#include <heddle.h>

#include "tlm_rig.h"

inline bool model_is_dead;
extern "C" void heddle_tick(heddle_model *model) {
  static const auto tick = reinterpret_cast<void (*)(heddle_model *)>(dlsym(RTLD_NEXT, "heddle_tick"));
  if (!model_is_dead)
    tick(model);
}

/* A model without pins that stops: the transaction ends with an error, and so do all later ones, at once. */
template <class Model> void never_answered(sender &to, Model &lt, const sc_time &period) {
  payload p(0, tlm::TLM_READ_COMMAND, 8), q(0, tlm::TLM_READ_COMMAND, 8);
  sc_time took, none;
  says_nothing("the LT model");
  model_is_dead = true;
  to.socket->b_transport(p, took);
  is("a model that never answers",
     p.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE && lt.failed() && took > 99999 * period);
  says("it is said",
       std::string(lt.name()) +
           ": address 0x0: not answered in 100000 cycles, the most that are allowed; waits for ");
  model_is_dead = false;
  to.socket->b_transport(q, none);
  is("nothing is answered after it",
     q.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE && none == SC_ZERO_TIME);
}

#endif
