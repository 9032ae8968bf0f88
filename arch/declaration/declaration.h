/* Declarations: what a .def file of arch/ becomes at run time.
 *
 * A module is declared once, in arch/<room>/<module>.def, as rows:
 *   IN/OUT/MEALY(name, width, meaning)            ports. An OUT is a function of registers alone (Moore). A MEALY output
 *                                                 also depends on inputs of the same cycle
 *   ENABLE(name, when, key, changes, of)          an input of one bit that switches a mechanism. It exists if `when`.
 *                                                 The SM drives it with a configuration key (section.key). `changes` says
 *                                                 when it may change: ANY_TIME, or AT_REST (only while nothing is inside)
 *   SWITCH(name, bit, when, key, changes, of)     an ENABLE of sm_mem; `when` is a size of 0 or 1. In a machine with
 *                                                 control registers (APB) the registers drive it, so it is no port:
 *                                                 it is bit `bit` of their enables (D-APB-2)
 *   TUNABLE(name, place, width, reset, least, most, of)
 *                                                 a threshold of sm_mem, for a machine with control registers (APB). It
 *                                                 is an output of the registers, and an input of that name of the module
 *                                                 that compares with it. `place` is its place among the thresholds. It
 *                                                 exists if `width` is not 0. `reset` and `most` are names of
 *                                                 arch/config/derived.def, `least` is a number
 *   LATE(name, width, meaning)                    an output that is known at the clock edge only. In C the tick of the
 *                                                 module writes it (struct X_late, field `late` of struct X), and only
 *                                                 ticks of other modules read it, later in the same cycle. In Verilog
 *                                                 it is an ordinary wire
 *   SHOW(output, register)                        the output equals this register, a field of it, or a memory's last read;
 *                                                 or function(): the golden model's function of that name returns it
 *   SEES(output, input, ...)                      this MEALY output depends on these inputs of the cycle alone
 *   ASKED(input, register)                        the golden model reads this input only in cycles in which that register
 *                                                 is not 0 (a | b: one of these registers). 0: the model never reads it,
 *                                                 because it goes to a macro whose contents the model knows anyway
 *   ..._V(name, count, width, meaning)            a vector of `count` elements
 *   ..._B(name, bundle, meaning)                  a group of arch/declaration/bundles.def; its fields are name_field
 *   REG, REG_V(..., reset, meaning)               flip-flops; reset value, NORESET or INDEX. Verilog name: name_q
 *   REG_B(name, bundle, meaning)                  flip-flops without reset, name_field_q
 *   CAM(name, count, width, meaning)              flip-flops searched by content, no reset, name_q
 *   RAM(name, banks, depth, count, width, ports, rdw, meaning), RAM_B(name, depth, bundle, ports, rdw, meaning)
 *                                                 memory macros behind a wrapper, read synchronously. The instance is
 *                                                 u_name, or u_name_0, u_name_1, ... if banks > 1 (one address, a write
 *                                                 enable each). `ports` may give each element 8 mask bits, and rows
 *                                                 that can be powered off (RAM only)
 *   EVENT(name, when, format, meaning)            an event that the model reports, if `when`; up to 4 %llu/%llx
 *   CORNER(name, when, format, meaning)           an event in which two things meet in one cycle: a forward, a row read
 *                                                 as it is written, a set and a clear. Traffic of the module alone must
 *                                                 reach it; traffic of a machine around the module need not
 *   INST(name, module, when)                      a module inside; it exists if `when` is not 0
 *   LATCHED(name, key)                            the register or CAM of that name, declared above without reset, is made
 *                                                 of latches if storage.key says so. The behaviour then drives name_we (a
 *                                                 bit for each element) and name_wdata, and name_q is the output of
 *                                                 u_name, an hd_table_latch
 *   FREE(NAME, least, when)                       if `when`, the size NAME of arch/config/derived.def is free in the
 *                                                 module's Verilog: it is a parameter, and the text is the same for all
 *                                                 values from `least` up. A smaller value makes another text, which is
 *                                                 bound to that value. A size that follows from a free one is a
 *                                                 localparam with the expression. All other sizes are bound to the
 *                                                 configuration. An instance whose own row has a larger `least` raises it
 * Every value is a C expression over `c` and the names of arch/config/derived.def. A row whose width or count
 * is 0 does not exist in this configuration, on any floor.
 *
 * Elements are at most 64 bits wide and are uint64_t in C. Element e of a Verilog vector is at
 * [e*width +: width].
 *
 * Invariant: the rows are in declaration order, and each knows where its value lives on both floors. */
#ifndef HEDDLE_ARCH_DECLARATION_DECLARATION_H
#define HEDDLE_ARCH_DECLARATION_DECLARATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/config/config.h"
#include "base/text.h"

enum hd_class { HD_IN, HD_OUT, HD_MEALY, HD_LATE, HD_REG, HD_CAM, HD_RAM };
bool hd_is_port(enum hd_class cls);
bool hd_is_output(enum hd_class cls);
/* The kinds of memory. ..._M: a write changes only the bits whose mask bit is set. Mask bit i of a row covers
 * its bits [i*L +: L], L = 1/8 of an element. ..._SLEEP: a row without power loses its contents. ..._FF,
 * ..._LATCH: the memory is flip-flops or latches, which synthesis sees, and no macro: docs/pricing.md,
 * "Storage". */
enum hd_ports {
  HD_1RW,
  HD_1R1W,
  HD_1RW_M,
  HD_1R1W_M,
  HD_1RW_M_SLEEP,
  HD_1R1W_FF,
  HD_1R1W_LATCH,
  HD_PORT_KINDS
};
bool hd_one_port(enum hd_ports p);
bool hd_masked(enum hd_ports p);
/* True for a macro, which synthesis leaves out. */
bool hd_is_macro(enum hd_ports p);
/* The kind of a memory with a read port and a write port that is made of these cells. A .def file writes
 * HD_1R1W_AS(KEY) for the cells of storage.KEY. */
enum hd_ports hd_1r1w_of(enum hd_memory_cells cells);
#define HD_1R1W_AS(key) hd_1r1w_of(c->storage.key)
/* The name of a kind in files and reports; its wrapper is hd_ram_<name>. */
const char *hd_ports_name(enum hd_ports p);
/* The result of a read of a row that is written in the same cycle. NEVER: the design never does it. GARBAGE:
 * the design does it and ignores the result. In both cases the simulation wrapper returns the complement of
 * the new data. */
enum hd_rdw { HD_RDW_NEVER, HD_RDW_GARBAGE };
/* When a run-time enable may change, and the meaning that its row gets. */
enum hd_enable { HD_NO_ENABLE, HD_ANY_TIME, HD_AT_REST };
#define HD_ABOUT_ANY_TIME(of) "run-time enable of " of " (D-MIX-2)"
#define HD_ABOUT_AT_REST(of) "run-time enable of " of "; changes only while nothing is inside (D-MIX-2)"
#define NORESET (-1LL)
#define INDEX (-2LL) /* element e resets to e */

/* One named value on both floors: a port, a register, a field of a bundle, a field of a memory word. */
struct hd_row {
  enum hd_class cls;
  char name[64];         /* in reports: "enq.line", "count" */
  char var[64];          /* Verilog variable: "enq_line", "count_q"; memories: the instance, "u_fifo" */
  const char *width_txt; /* the width expression as declared */
  const char *count_txt; /* the count expression; of `SIZE ? this : that` only the branch that holds */
  const char *meaning;
  const char *bundle; /* the bundle that the row is a field of, or NULL */
  const char *sees;   /* MEALY: the inputs of the cycle that it depends on, "a, b"; NULL: all */
  /* OUT: the register that it shows unchanged, or "f()" for f(m) of the golden model; NULL: not declared */
  const char *shows;
  const char *asked; /* IN: the model reads it only while this register is not 0; "0": never; NULL: always */
  unsigned count;    /* elements (of one bank of one memory row, if a memory) */
  unsigned width;    /* bits of an element, 1..64 */
  unsigned lsb;      /* memories of bundles: bit of the field in the word, else 0 */
  long long reset;   /* REG: reset value of every element, NORESET or INDEX */
  int mem;           /* HD_RAM: index into hd_decl.mems, else -1 */
  size_t offset;     /* in struct X_in, X_out, X_late or X_st */
  bool pointer;      /* the field at offset is a uint64_t * to the elements (vectors, memories) */
  size_t stride;     /* memories of bundles: bytes from row to row; else 0 */
  size_t field;      /* memories of bundles: offset of the field in a row; else 0 */

  bool latched;          /* REG, CAM: made of latches, in an instance u_name */
  enum hd_enable enable; /* IN: when it may change, if it is a run-time enable */
  bool on;               /* IN: the value of its key, if it is a run-time enable */
};

/* Accesses of a memory's macros. The ticks of the model count them, from the model's creation on. An access
 * of several banks counts once for each bank. A masked write leaves some bits of the row as they are. */
struct hd_accesses {
  uint64_t reads, writes, masked; /* `writes` does not include `masked` */
};

struct hd_mem {
  const char *name, *meaning, *bundle;
  unsigned banks;        /* macros side by side */
  unsigned depth, width; /* of each macro: rows, bits of a row */
  enum hd_ports ports;
  enum hd_rdw rdw;
  size_t offset;         /* of the pointer to the contents in struct X_st */
  size_t q_offset;       /* of the result of the last read: a uint64_t *, or the bundle itself */
  size_t wr_offset;      /* of the int64_t that holds the row written by the last tick, or -1 */
  size_t n_offset;       /* of the struct hd_accesses */
  size_t row_bytes;      /* bytes of a row (all banks) in C */
  const char *depth_txt; /* the depth expression as declared */
};

struct hd_event {
  const char *name, *format, *meaning;
  bool when;   /* it can happen in this configuration */
  bool corner; /* traffic of the module alone must reach it, traffic of a machine around it need not */
};

struct hd_free {
  const char *name; /* of the size */
  unsigned least;
};

struct hd_decl;
struct hd_inst {
  const char *name; /* instance name, Verilog and C field */
  const struct hd_decl *decl;
  size_t offset;                /* of the pointer to the inner model in struct X */
  size_t in_offset, out_offset; /* of its inputs and outputs there: <name>_in, <name>_out */
  const char *when_text;        /* its condition, as declared: the instance exists if this is not 0 */
};

/* A register that this machine does not have. The model may still keep it, so a reset sets it. */
struct hd_absent {
  size_t offset; /* in the state */
  uint64_t reset;
};

/* One module in one configuration. */
struct hd_decl {
  const char *module, *room, *title, *source;
  struct hd_row *rows;
  struct hd_mem *mems;
  struct hd_event *events;
  struct hd_inst *insts;
  struct hd_free *frees;
  struct hd_absent *absents;
  char **texts; /* rows and memories point to these */
  size_t n_rows, n_mems, n_events, n_insts, n_frees, n_absents, n_texts;
  size_t in_size, out_size, st_size, late_size;
  size_t model_size, st_offset, late_offset; /* of struct X, and of its `s` and `late` */
  bool model_only;                           /* a module of the golden model only: it has no RTL */
  struct hd_dropin *dropin;                  /* arch/dropin/dropin.h; NULL: a module of modules.def */
  void (*end)(struct hd_decl *);             /* frees `dropin` */
};

/* A function that receives an event of a model, with the arguments of HD_EV. */
struct hd_model;
typedef void hd_told(const struct hd_model *m, unsigned event, uint64_t a, uint64_t b, uint64_t c,
                     uint64_t d);

/* The first member of every model struct X. */
struct hd_log;
struct hd_model {
  const struct hd_config *c;
  const struct hd_decl *decl;
  struct hd_log *log; /* may be NULL */
  uint64_t heard;     /* the events that `told` receives, a bit each; 0: events are only counted */
  hd_told *told;      /* hd_log_event, or another function if the ring is not wanted */
  uint64_t *ev;       /* count of each event */
  /* the model carries line bytes; false (performance runs): it leaves vectors of WORDS elements alone */
  bool data;
  /* Values that a model keeps beside its state for speed, all 0 at reset. They are functions of registers
   * that have a reset value, or of the inputs since the reset. So they stay right when a caller sets the rest
   * of the state. Exception: the one of casc does not follow a change of `set` while a load is gathered. */
  uint64_t memo[12];
};

/* The last HD_LOG_SIZE events in a ring, with the cycle in which each happened. */
enum { HD_LOG_SIZE = 64 };
struct hd_logged {
  uint64_t cycle, arg[4];
  const struct hd_decl *decl;
  unsigned event;
};
struct hd_log {
  uint64_t cycle, n; /* the code that ticks the models sets `cycle`; n: all events logged so far */
  /* Called for every event as it happens, if set; used for statistics. */
  void (*hook)(void *ctx, const struct hd_model *m, unsigned event, const uint64_t arg[4]);
  void *ctx;
  struct hd_logged ring[HD_LOG_SIZE];
};
/* Adds an event to m->log. */
void hd_log_event(const struct hd_model *m, unsigned event, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

/* Reports an event: HD_EV(m, l1d_hit, line, wid, set, way). */
#define HD_EV(m, event, a, b, c, d)                                                                          \
  do {                                                                                                       \
    (m)->base.ev[EV_##event]++;                                                                              \
    if ((m)->base.heard >> EV_##event & 1)                                                                   \
      (m)->base.told(&(m)->base, EV_##event, (uint64_t)(a), (uint64_t)(b), (uint64_t)(c), (uint64_t)(d));    \
  } while (0)

/* The declarations of every module under `top`: inner ones first, `top` last, each module once. Writers of
 * files use them. They are made once for a configuration and freed together. */
struct hd_design {
  const struct hd_config *c;
  struct hd_decl **decls;
  size_t n;
  bool all; /* made by hd_design_all */
};
/* The design of a machine: sm_mem, l2_top (with memory.kind: l2) and all modules in them. Returns NULL if
 * memory is out. */
struct hd_design *hd_design_new(const struct hd_config *c);
/* The design of all machines together, for writers of code that serves all of them. Every row and every
 * instance exists; counts and widths are at least 1 and mean nothing. A FREE row exists only if it holds in
 * every machine. */
struct hd_design *hd_design_all(const struct hd_config *c);
void hd_design_free(struct hd_design *d);
/* Frees a declaration that is in no design. */
void hd_decl_free(struct hd_decl *d);
const struct hd_decl *hd_design_find(const struct hd_design *d,
                                     const char *module); /* NULL: not in this machine */
/* True if the module belongs to an L2 slice: it exists once a bank and runs by the L2's clock. All other
 * modules belong to an SM. */
bool hd_design_in_l2(const struct hd_design *d, const char *module);
/* Returns the key that sets the clock of a module; *mhz is the clock in MHz. */
const char *hd_design_clock(const struct hd_design *d, const char *module, unsigned *mhz);

/* Sums over one module, without its instances. */
unsigned hd_decl_ff_bits(const struct hd_decl *d);  /* REG and CAM bits */
unsigned hd_decl_ram_bits(const struct hd_decl *d); /* RAM bits */
/* The cells that synthesis must find in one module, without its instances. Flip-flops are the registers and
 * those inside memories that are no macros (the word read, the word to write). */
struct hd_decl_cells {
  long flipflops, latches, rows; /* rows: of latches; each has a clock-gating cell */
  long macro_bits;
};
void hd_decl_add_cells(const struct hd_decl *d, struct hd_decl_cells *sum);
/* For tools that know only registers and macros. Returns HD_INPUT if the module or one below it has a memory
 * or a register of latches; with `flipflops` also if it has a memory of flip-flops. The sentence in `why`
 * begins with `what`. */
enum hd_rc hd_decl_known_cells(const struct hd_decl *d, bool flipflops, const char *what, struct hd_why *why);

/* Allocate (zeroed) or free the vectors of a struct: inputs, outputs (OUT and MEALY) or state. The struct
 * itself is the caller's. hd_alloc_... return false if memory is out. */
bool hd_alloc_in(const struct hd_decl *d, void *in);
bool hd_alloc_out(const struct hd_decl *d, void *out);
bool hd_alloc_state(const struct hd_decl *d, void *st);
void hd_free_in(const struct hd_decl *d, void *in);
void hd_free_out(const struct hd_decl *d, void *out);
void hd_free_state(const struct hd_decl *d, void *st);

/* Sets every register that has a reset value to it. All other state keeps its contents. */
void hd_reset_state(const struct hd_decl *d, void *st);

/* Element e of a row; `base` is the struct that row.offset is in. For a memory: element e of its row r, where
 * element i of bank b is e = b * count + i. */
uint64_t *hd_elem(const struct hd_decl *d, const struct hd_row *row, const void *base, unsigned r,
                  unsigned e);

#endif
