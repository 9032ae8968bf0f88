/* The C face of a Verilated module: what the harness sees of the C++ behind it.
 *
 * verif/verilate/dut.cpp is compiled together with what Verilator made of the module into a shared object whose one
 * symbol is `hd_dut`. Nothing in it knows the module: variables are found by name. Invariant: a variable's
 * bits lie in memory as one little-endian string, whatever type Verilator chose for it.
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
  unsigned rows; /* of an array, else 1 */
};

/* False: there is no variable of that name in that scope. */
typedef bool hd_dut_find(void *dut, const char *scope, const char *name, struct hd_dut_var *var);

struct hd_dut_api {
  /* Registers and memories hold random values of the seed; NULL: out of memory. */
  void *(*open)(uint64_t seed);
  /* Ports are in scope "TOP.TOP" (the copies of them in "TOP.<module>" drive nothing), all else in
   * "TOP.<module>" and "TOP.<module>.<instance>...". */
  hd_dut_find *find;
  void (*eval)(void *dut);
  /* What hangs combinationally on registers, after one was written from outside; eval sees the changes that ports and clock make. */
  void (*settle)(void *dut);
  /* A waveform file, if built for it (else false); a sample of all signals; its end. */
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
