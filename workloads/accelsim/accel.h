/* Traces of Accel-Sim: a list of kernels (kernelslist.g), or one kernel (.traceg), each plain or xz. docs/trace.md
 * has the format, and what is decided where it does not fit stream.h.
 *
 * Invariant: files are read forward, once; nothing that is kept grows with them.
 */
#ifndef HEDDLE_WORKLOADS_ACCELSIM_ACCEL_H
#define HEDDLE_WORKLOADS_ACCELSIM_ACCEL_H

#include "workloads/accelsim/accel_opcode.h"
#include "workloads/accelsim/accel_text.h"
#include "workloads/trace/trace_read.h"

/* What feeds the kernels of the trace at `path` to a reader of our own form. NULL: one line in err. */
struct wl_trace_feed *wl_accel_open(const char *path, char *err, size_t errlen);

/* --- the parts ------------------------------------------------------------------------------------------ */

/* The line that was read last, for errors. */
struct wl_accel_line {
  struct wl_text *text;
  const char *path;
  char *err;
  size_t errlen;
};

/* Writes "path:line: ..." to err and returns false. */
bool wl_accel_error(const struct wl_accel_line *at, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads a number in base 10 or 16 (with 0x or without), blanks before it, off the front of *text; a decimal one may be
 * negative. False: there is none, or it is larger than 64 bits. */
bool wl_accel_number(const char **text, int base, uint64_t *x);

enum { WL_ACCEL_REGISTERS = 255, WL_ACCEL_OPCODES = 64, WL_ACCEL_OPCODE = 40, WL_ACCEL_OPERATIONS = 256 };

/* What a line says between its mask and its addresses: `len` characters of text, and what they mean. */
struct wl_accel_operation {
  char text[48];
  uint8_t len; /* 0: nothing is kept */
  int8_t dst;
  struct wl_opcode opcode;
  uint64_t src, width;
};

/* A kernel while it is read: what its header says, and what has been met in it. */
struct wl_accel_kernel {
  struct wl_launch launch;
  unsigned version, tracer; /* of the binary, of the tracer */
  bool lines;               /* a source line number stands before each instruction */
  uint64_t shared_base, local_base;
  struct wl_trace_notes notes;
  int8_t number[WL_ACCEL_REGISTERS]; /* ours of a register; WL_NO_REG: not met */
  uint64_t taken;                    /* our numbers that are given */
  struct {
    char text[WL_ACCEL_OPCODE];
    struct wl_opcode opcode;
  } met[WL_ACCEL_OPCODES]; /* opcodes, each at the place that its hash says */
  struct wl_accel_operation
      operations[WL_ACCEL_OPERATIONS]; /* the last at each pc, those of several in one place */
};

/* The addresses of a line that says them by a stride: only the first of them is in the instruction. */
struct wl_accel_stride {
  bool told;
  uint64_t by; /* if told */
};

/* Reads an instruction line, of wl_text_line. `final`: it is the warp's last. False: it is none, err says why. */
bool wl_accel_inst(struct wl_accel_kernel *k, const char *line, bool final, struct wl_inst *inst,
                   struct wl_accel_stride *stride, const struct wl_accel_line *at);

#endif
