/* The AXI4 pins of a module under AXIProtocolChecker of libsystemctlm-soc, which is not part of this tree: tests/systemc/check with
 * AXI_CHECKER=DIR, where DIR is that project. The checker only watches: the pins are copied to signals of its types.
 *
 * An error that it finds is an error of SystemC and ends the bench. It checks all it can, with two exceptions: an answer with an
 * error is no mistake here, and the bus may delay a transaction for long. */
#ifndef HEDDLE_TESTS_SYSTEMC_AXI_WATCH_H
#define HEDDLE_TESTS_SYSTEMC_AXI_WATCH_H

#include <functional>
#include <memory>
#include <vector>

#include <systemc.h> /* it needs the names without a namespace */

#include "tlm-bridges/amba.h"

#include "checkers/pc-axi.h"

/* DUT is the module. `signal` returns the sc_signal that is bound to the pin of that name. */
template <class DUT> struct axi_watch : sc_core::sc_module {
  template <class P> struct carried;
  template <class T> struct carried<sc_core::sc_in<T>> {
    using type = T;
    enum { WIDTH = heddle::bits<T>::WIDTH };
  };
  template <class T> struct carried<sc_core::sc_out<T>> : carried<sc_core::sc_in<T>> {};

  static AXIPCConfig config() {
    AXIPCConfig c = AXIPCConfig::all_enabled();
    c.check_axi_responses(false);
    c.check_axi_handshakes(true, 100000);
    c.set_max_outstanding_tx(1024);
    return c;
  }
  /* An L2 slice has no AxUSER. */
  template <class D> static constexpr int user_of(decltype(&D::m_axi_awuser)) {
    return carried<decltype(D::m_axi_awuser)>::WIDTH;
  }
  template <class D> static constexpr int user_of(...) { return 0; }
  enum { USER = user_of<DUT>(nullptr) };
  using checker_class =
      AXIProtocolChecker<carried<decltype(DUT::m_axi_awaddr)>::WIDTH,
                         carried<decltype(DUT::m_axi_wdata)>::WIDTH,
                         carried<decltype(DUT::m_axi_awid)>::WIDTH, 8, 1, USER, USER, 0, 0, 0>;
  using finder = std::function<void *(const char *)>;

  checker_class checker{"checker", config()};
  sc_core::sc_signal<bool> resetn;
  sc_core::sc_signal<sc_dt::sc_bv<4>> nothing; /* QoS, region */
  std::vector<std::function<void()>> copies;
  std::vector<std::shared_ptr<void>> wires;
  SC_HAS_PROCESS(axi_watch);

  axi_watch(const sc_core::sc_module_name &name, sc_core::sc_clock &clk, sc_core::sc_signal<bool> &rst,
            const finder &signal)
      : sc_module(name) {
    SC_METHOD(copy);
    checker.clk(clk);
    checker.resetn(resetn);
    sensitive << rst;
    copies.push_back([this, &rst] { resetn.write(!rst.read()); });
    checker.awqos(nothing), checker.awregion(nothing), checker.arqos(nothing), checker.arregion(nothing);
#define WATCHED(pin)                                                                                         \
  link<typename carried<decltype(DUT::m_axi_##pin)>::type>(signal("m_axi_" #pin), checker.pin)
    WATCHED(awvalid), WATCHED(awready), WATCHED(awid), WATCHED(awaddr), WATCHED(awlen), WATCHED(awsize),
        WATCHED(awburst), WATCHED(awlock), WATCHED(awcache), WATCHED(awprot);
    WATCHED(wvalid), WATCHED(wready), WATCHED(wdata), WATCHED(wstrb), WATCHED(wlast);
    WATCHED(bvalid), WATCHED(bready), WATCHED(bid), WATCHED(bresp);
    WATCHED(arvalid), WATCHED(arready), WATCHED(arid), WATCHED(araddr), WATCHED(arlen), WATCHED(arsize),
        WATCHED(arburst), WATCHED(arlock), WATCHED(arcache), WATCHED(arprot);
    WATCHED(rvalid), WATCHED(rready), WATCHED(rid), WATCHED(rdata), WATCHED(rresp), WATCHED(rlast);
    users<DUT>(signal, nullptr);
#undef WATCHED
  }
  template <class D> void users(const finder &signal, decltype(&D::m_axi_awuser)) {
    link<typename carried<decltype(D::m_axi_awuser)>::type>(signal("m_axi_awuser"), checker.awuser);
    link<typename carried<decltype(D::m_axi_aruser)>::type>(signal("m_axi_aruser"), checker.aruser);
  }
  template <class D> void users(...) {}
  template <class T, class U> void link(void *signal, sc_core::sc_in<U> &pin) {
    auto *from = static_cast<sc_core::sc_signal<T> *>(signal);
    auto to = std::make_shared<sc_core::sc_signal<U>>();
    wires.push_back(to);
    pin(*to);
    sensitive << *from;
    copies.push_back([from, to = to.get()] { to->write(value<U>(from->read())); });
  }
  template <class U, class T> static U value(const T &v) {
    if constexpr (std::is_same_v<U, T>) {
      return v;
    } else {
      U wide;
      uint32_t words[heddle::bits<T>::WORDS];
      heddle::bits<T>::words(v, words);
      for (int i = 0; i < heddle::bits<T>::WORDS; i++)
        wide.set_word(i, words[i]);
      return wide;
    }
  }
  void copy() {
    for (auto &c : copies)
      c();
  }
};

#endif
