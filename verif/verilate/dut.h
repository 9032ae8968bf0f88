/* The C interface of a Verilated module: all that the harness sees of the C++ code.
 *
 * verif/verilate/dut.cpp is compiled together with Verilator's output into a shared object. Its one exported symbol is `hd_dut`. It
 * knows no module: variables are found by name. Invariant: a variable's bits lie in memory as one little-endian string, whatever type
 * Verilator chose for it.
 */
#ifndef HEDDLE_VERIF_VERILATE_DUT_H
#define HEDDLE_VERIF_VERILATE_DUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_dut_var {
  uint8_t *data;
  size_t bytes;  /* of a row; bits above `bits` are 0 */
  unsigned bits; /* of a row */
  unsigned rows; /* of an array; of any other variable 1 */
};

/* Finds a variable. Returns false if the scope has no variable of that name. */
typedef bool hd_dut_find(void *dut, const char *scope, const char *name, struct hd_dut_var *var);

struct hd_dut_api {
  /* Registers and memories get random values from the seed. Returns NULL if out of memory. */
  void *(*open)(uint64_t seed);
  /* Ports are in scope "TOP.TOP"; their copies in "TOP.<module>" drive nothing. All other variables are in "TOP.<module>" and
   * "TOP.<module>.<instance>...". */
  hd_dut_find *find;
  void (*eval)(void *dut);
  /* Recomputes the combinational logic after a register was written from outside. eval reacts only to changes of ports and clock. */
  void (*settle)(void *dut);
  /* trace opens a waveform file; it returns false if the module was built without waveforms. sample writes all signals. close ends the
   * waveform and frees the module. */
  bool (*trace)(void *dut, const char *path);
  void (*sample)(void *dut, uint64_t time);
  void (*close)(void *dut);
};

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((visibility("default"))) extern const struct hd_dut_api hd_dut;
#ifdef __cplusplus
}
#endif

#endif
