/* Traces of Accel-Sim: a list of kernels (kernelslist.g), or one kernel (.traceg), each plain or xz.
 * docs/trace.md describes the format, and what Heddle decides where it does not fit stream.h.
 *
 * Invariant: files are read forward, once; no kept data grows with them.
 */
#ifndef HEDDLE_WORKLOADS_ACCELSIM_ACCEL_H
#define HEDDLE_WORKLOADS_ACCELSIM_ACCEL_H

#include "workloads/accelsim/accel_opcode.h"
#include "workloads/accelsim/accel_text.h"
#include "workloads/trace/trace_read.h"

/* Returns an object that feeds the kernels of the trace at `path` to the reader of our own format, or NULL
 * with one line in err. */
struct wl_trace_feed *wl_accel_open(const char *path, char *err, size_t errlen);

/* --- the parts ------------------------------------------------------------------------------------------ */

/* The position for error messages: the last line read. */
struct wl_accel_line {
  struct wl_text *text;
  const char *path;
  char *err;
  size_t errlen;
};

/* Writes "path:line: ..." to err. Returns false. */
bool wl_accel_error(const struct wl_accel_line *at, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads a number off the front of *text, after blanks. The base is 10 or 16 (with 0x or without); a decimal
 * number may be negative. Returns false if there is no number, or if it needs more than 64 bits. */
bool wl_accel_number(const char **text, int base, uint64_t *x);

enum { WL_ACCEL_REGISTERS = 255, WL_ACCEL_OPCODES = 64, WL_ACCEL_OPCODE = 40, WL_ACCEL_OPERATIONS = 256 };

/* The part of a line between its mask and its addresses: `len` characters of text, and their meaning. */
struct wl_accel_operation {
  char text[48];
  uint8_t len; /* 0: empty */
  int8_t dst;
  struct wl_opcode opcode;
  uint64_t src, width;
};

/* The state of reading a kernel: the values of its header, and what the lines so far gave. */
struct wl_accel_kernel {
  struct wl_launch launch;
  unsigned version, tracer; /* of the binary; of the tracer */
  bool lines;               /* each instruction line begins with a source line number */
  uint64_t shared_base, local_base;
  struct wl_trace_notes notes;
  int8_t number[WL_ACCEL_REGISTERS]; /* our number of each register; WL_NO_REG: not seen yet */
  uint64_t taken;                    /* mask of our numbers in use */
  struct {
    char text[WL_ACCEL_OPCODE];
    struct wl_opcode opcode;
  } met[WL_ACCEL_OPCODES]; /* opcodes seen, each at the place that its hash gives */
  struct wl_accel_operation
      operations[WL_ACCEL_OPERATIONS]; /* the last operation of each pc; pcs share places */
};

/* Set for a line that gives its addresses by a stride. Then the instruction holds only the first address. */
struct wl_accel_stride {
  bool told;
  uint64_t by; /* valid if told */
};

/* Reads an instruction line that wl_text_line returned. `final`: it is the warp's last. Returns false with
 * one line in err if the line is no instruction. */
bool wl_accel_inst(struct wl_accel_kernel *k, const char *line, bool final, struct wl_inst *inst,
                   struct wl_accel_stride *stride, const struct wl_accel_line *at);

#endif
