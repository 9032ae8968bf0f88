/* The C++ side of verif/verilate/dut.h, the same for every module. The program contains its text, and compiles it together with the
 * Verilated module (prefix Vdut). HD_TRACE: with a waveform writer. */
#include "dut.h"

#include "Vdut.h"
#include "verilated.h"
#include "verilated_syms.h"
#if HD_TRACE
#include "verilated_fst_c.h"
#endif

#include <new>

/* Verilator's function that evaluates the combinational logic at the start; none of its headers declares it. */
void Vdut___024root___eval_settle(Vdut___024root *root);

namespace {

struct Dut {
  VerilatedContext context;
  Vdut *top = nullptr;
#if HD_TRACE
  VerilatedFstC wave;
#endif
  ~Dut() {
    // Scopes are removed from the thread's context, which may be another dut's by now.
    Verilated::threadContextp(&context);
    delete top;
  }
};

Dut *of(void *dut) {
  return static_cast<Dut *>(dut);
}

void *open_dut(uint64_t seed) {
  Dut *d = new (std::nothrow) Dut;
  if (!d)
    return nullptr;
  d->context.randReset(2);
  d->context.randSeed(static_cast<int>((seed ^ seed >> 32) & 0x7fffffff) | 1); /* 0 would mean: random */
  d->context.threads(1); // otherwise Verilator makes a pool of idle workers, one for each core
  d->context.traceEverOn(HD_TRACE);
  d->top = new (std::nothrow) Vdut(&d->context, "TOP");
  if (d->top)
    return d;
  delete d;
  return nullptr;
}

/* Returns the bits of a variable. In Verilator 5.006 they are the elements of dimension 0. In later versions that is one bit; those
 * have entBits. */
template <class Var> auto bits_of(const Var *v, int) -> decltype(static_cast<unsigned>(v->entBits())) {
  return static_cast<unsigned>(v->entBits());
}
template <class Var> unsigned bits_of(const Var *v, long) {
  return static_cast<unsigned>(v->elements(0));
}

bool find(void *dut, const char *scope, const char *name, hd_dut_var *var) {
  const VerilatedScope *s = of(dut)->context.scopeFind(scope);
  const VerilatedVar *v = s ? s->varFind(name) : nullptr;
  if (!v)
    return false;
  var->data = static_cast<uint8_t *>(v->datap());
  var->bytes = v->entSize();
  var->bits = bits_of(v, 0);
  var->rows = v->udims() ? static_cast<unsigned>(v->elements(1)) : 1;
  return true;
}

void eval(void *dut) {
  of(dut)->top->eval();
}

void settle(void *dut) {
  Vdut___024root___eval_settle(of(dut)->top->rootp);
}

bool trace(void *dut, const char *path) {
#if HD_TRACE
  of(dut)->top->trace(&of(dut)->wave, 99);
  of(dut)->wave.open(path);
  return of(dut)->wave.isOpen();
#else
  (void)dut, (void)path;
  return false;
#endif
}

void sample(void *dut, uint64_t time) {
#if HD_TRACE
  of(dut)->wave.dump(time);
#else
  (void)dut, (void)time;
#endif
}

void close_dut(void *dut) {
#if HD_TRACE
  of(dut)->wave.close();
#endif
  delete of(dut);
}

} // namespace

const hd_dut_api hd_dut = {open_dut, find, eval, settle, trace, sample, close_dut};
