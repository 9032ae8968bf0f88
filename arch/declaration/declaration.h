/* Declarations: what a .def file of arch/ becomes at run time.
 *
 * A module is declared once, in arch/<room>/<module>.def, as rows:
 *   IN/OUT/MEALY(name, width, meaning)            ports; OUT is a function of registers alone (Moore),
 *                                                 MEALY depends on inputs of the same cycle too
 *   ENABLE(name, when, key, changes, of)          an input of one bit that switches a mechanism: there if `when`; the SM
 *                                                 drives it with a key of the configuration, section.key; it changes
 *                                                 ANY_TIME, or AT_REST: only while nothing is inside
 *   SWITCH(name, bit, when, key, changes, of)     an ENABLE of sm_mem, `when` a size of 0 or 1; in a machine with
 *                                                 control registers (APB) it is an output of these instead of a port,
 *                                                 and that bit of their enables (D-APB-2)
 *   TUNABLE(name, place, width, reset, least, most, of)
 *                                                 of sm_mem: a threshold, which in a machine with control registers (APB) is
 *                                                 an output of these, and an input of that name of the module that
 *                                                 compares with it; `place` as a bit. There if `width` is not 0. `reset` and
 *                                                 `most` are names of arch/config/derived.def, `least` is a number
 *   LATE(name, width, meaning)                    an output that is known at the clock edge only: in C the tick
 *                                                 of the module writes it (struct X_late, field `late` of struct
 *                                                 X), and only ticks of other modules, later in the same cycle,
 *                                                 read it; in Verilog a wire as any other
 *   SHOW(output, register)                        this output is that register (a field of one, or what a memory gave);
 *                                                 or function() of the golden model, which takes the model
 *   SEES(output, input, ...)                      this MEALY output depends on these inputs of the cycle alone
 *   ASKED(input, register)                        the golden model looks at this input in cycles alone in which that
 *                                                 register is not 0, or one of several: a | b; 0: never, for it goes to
 *                                                 a macro, of which the model knows the contents alone
 *   ..._V(name, count, width, meaning)            a vector of `count` elements
 *   ..._B(name, bundle, meaning)                  a group of arch/declaration/bundles.def; its fields are name_field
 *   REG, REG_V(..., reset, meaning)               flip-flops; reset value, NORESET or INDEX. Verilog name: name_q
 *   REG_B(name, bundle, meaning)                  flip-flops without reset, name_field_q
 *   CAM(name, count, width, meaning)              flip-flops searched by content, no reset, name_q
 *   RAM(name, banks, depth, count, width, ports, rdw, meaning), RAM_B(name, depth, bundle, ports, rdw, meaning)
 *                                                 memory macros behind a wrapper, read synchronously: instance
 *                                                 u_name, or u_name_0, u_name_1, ... where banks > 1 (one
 *                                                 address, a write enable each). Where `ports` says so (RAM
 *                                                 alone), each element has 8 mask bits, and rows can be
 *                                                 powered off
 *   EVENT(name, when, format, meaning)            what the model says it did, if `when`; up to 4 %llu/%llx
 *   CORNER(name, when, format, meaning)           an event in which two things meet in one cycle: a forward, a row read
 *                                                 as it is written, a set and a clear. Traffic of the module alone must
 *                                                 reach it; in a machine around the module it may be rarer than that
 *   INST(name, module, when)                      a module inside, there if `when` is not 0
 *   LATCHED(name, key)                            the register or CAM of that name, declared before it without reset, is
 *                                                 latches if storage.key says so: the behaviour then drives name_we (an
 *                                                 element a bit) and name_wdata, and name_q is the output of u_name, an
 *                                                 hd_table_latch
 *   FREE(NAME, least, when)                       if `when`, the size NAME of arch/config/derived.def is free in the
 *                                                 module's Verilog: the text is the same for all values from `least`
 *                                                 up, so it is a parameter. Smaller ones make another text, to which
 *                                                 it is bound. A size that follows from a free one is a localparam
 *                                                 that says how; all else is bound to the configuration. An
 *                                                 instance whose own row has a larger `least` raises it
 * Every value is a C expression over `c` and the names of arch/config/derived.def; a row whose width or count is 0
 * does not exist in this configuration, on any floor.
 *
 * Elements are at most 64 bits wide and live in C as uint64_t; element e of a Verilog vector is at
 * [e*width +: width].
 *
 * Invariant: the rows are in declaration order, and each knows where its value lives on both floors.
 */
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
/* Kinds of memory. ..._M: a write changes the bits alone whose mask bit is set; mask bit i of a row covers its
 * bits [i*L +: L], L = 1/8 of an element. ..._SLEEP: a row without power forgets what it holds. ..._FF, ..._LATCH: no
 * macro but flip-flops, or latches, which synthesis sees: docs/pricing.md, "Storage". */
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
/* A macro, which synthesis leaves out. */
bool hd_is_macro(enum hd_ports p);
/* The kind of a memory with a read and a write port that is made of these; in a .def, of storage.KEY: HD_1R1W_AS(KEY). */
enum hd_ports hd_1r1w_of(enum hd_memory_cells cells);
#define HD_1R1W_AS(key) hd_1r1w_of(c->storage.key)
/* As files and reports call a kind; its wrapper is hd_ram_<this>. */
const char *hd_ports_name(enum hd_ports p);
/* What a read gives of a row written in the same cycle: NEVER = the design does not do it; GARBAGE = it does,
 * and does not use what it reads. The simulation wrapper returns the complement of the new data in both
 * cases. */
enum hd_rdw { HD_RDW_NEVER, HD_RDW_GARBAGE };
/* When a run-time enable may change, and what its row says of that. */
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
  const char *count_txt; /* the count's; of one that is `SIZE ? this : that`, the part that holds */
  const char *meaning;
  const char *bundle; /* the bundle it is a field of, or NULL */
  const char *sees;   /* MEALY: the inputs of the cycle that it depends on, "a, b"; NULL: all */
  const char *
      shows; /* OUT: the register that it shows as it is, or "f()": f(m) in the golden model; NULL: neither is said */
  const char *asked; /* IN: the model looks at it while this register is 1, "0": never; NULL: always */
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
  enum hd_enable enable; /* IN: when it changes, if it is a run-time enable */
  bool on;               /* the same: the value of its key */
};

/* Accesses of a memory's macros, counted by ticks of its model from its making on: an access of several banks counts for each
 * bank. A masked write is one that leaves bits of the row as they are. */
struct hd_accesses {
  uint64_t reads, writes, masked; /* masked ones are not in writes */
};

struct hd_mem {
  const char *name, *meaning, *bundle;
  unsigned banks;        /* macros side by side */
  unsigned depth, width; /* of each: rows, bits of a row */
  enum hd_ports ports;
  enum hd_rdw rdw;
  size_t offset;         /* of the pointer to the contents in struct X_st */
  size_t q_offset;       /* of what the last read gave: a uint64_t *, or the bundle itself */
  size_t wr_offset;      /* of the int64_t that holds the row written by the last tick, or -1 */
  size_t n_offset;       /* of the struct hd_accesses */
  size_t row_bytes;      /* bytes of a row (all banks) in C */
  const char *depth_txt; /* the depth expression as declared */
};

struct hd_event {
  const char *name, *format, *meaning;
  bool when;   /* can happen in this configuration */
  bool corner; /* traffic of the module alone must reach it, that of a machine around it need not */
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
  const char *when_text;        /* there if this is not 0, as declared */
};

/* A register that this machine does not have. The model may keep it all the same: a reset sets it. */
struct hd_absent {
  size_t offset; /* in the state */
  uint64_t reset;
};

/* One module as it stands in one configuration. */
struct hd_decl {
  const char *module, *room, *title, *source;
  struct hd_row *rows;
  struct hd_mem *mems;
  struct hd_event *events;
  struct hd_inst *insts;
  struct hd_free *frees;
  struct hd_absent *absents;
  char **texts; /* that rows and memories point to */
  size_t n_rows, n_mems, n_events, n_insts, n_frees, n_absents, n_texts;
  size_t in_size, out_size, st_size, late_size;
  size_t model_size, st_offset, late_offset; /* of struct X, and of its `s` and `late` */
  bool model_only;                           /* no hardware: there is no RTL of it */
  struct hd_dropin *dropin;                  /* arch/dropin/dropin.h; NULL: it is a module of modules.def */
  void (*end)(struct hd_decl *);             /* frees that */
};

/* Is told of an event of a model, as HD_EV says it. */
struct hd_model;
typedef void hd_told(const struct hd_model *m, unsigned event, uint64_t a, uint64_t b, uint64_t c,
                     uint64_t d);

/* What every model struct X begins with. */
struct hd_log;
struct hd_model {
  const struct hd_config *c;
  const struct hd_decl *decl;
  struct hd_log *log; /* may be NULL */
  uint64_t heard;     /* the events that `told` hears of, a bit each; 0: events are only counted */
  hd_told *told;      /* hd_log_event, or who wants no ring */
  uint64_t *ev;       /* count of each event */
  bool data; /* line bytes are carried; false (performance runs): vectors of WORDS elements are left alone */
  /* What a model keeps beside its state to be fast, all 0 at reset: functions of registers that have a reset
   * value, or of what its ports have brought since the reset. So it stays right when the rest of the state is
   * set from outside; but for casc's, which does not follow a change of `set` while a load is gathered. */
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
  uint64_t cycle, n; /* cycle is kept by whoever ticks; n = events ever logged */
  /* Told of every event as it happens, if set: statistics listen here. */
  void (*hook)(void *ctx, const struct hd_model *m, unsigned event, const uint64_t arg[4]);
  void *ctx;
  struct hd_logged ring[HD_LOG_SIZE];
};
/* Into m->log. */
void hd_log_event(const struct hd_model *m, unsigned event, uint64_t a, uint64_t b, uint64_t c, uint64_t d);

/* Says that an event happened: HD_EV(m, l1d_hit, line, wid, set, way). */
#define HD_EV(m, event, a, b, c, d)                                                                          \
  do {                                                                                                       \
    (m)->base.ev[EV_##event]++;                                                                              \
    if ((m)->base.heard >> EV_##event & 1)                                                                   \
      (m)->base.told(&(m)->base, EV_##event, (uint64_t)(a), (uint64_t)(b), (uint64_t)(c), (uint64_t)(d));    \
  } while (0)

/* Declarations of every module under `top` (itself last, inner ones first, each module once), for writers of
 * files. Declarations are made once a configuration and freed together. */
struct hd_design {
  const struct hd_config *c;
  struct hd_decl **decls;
  size_t n;
  bool all; /* of hd_design_all */
};
/* l2_top (with memory.kind: l2), sm_mem and all that is in them; NULL: out of memory. */
struct hd_design *hd_design_new(const struct hd_config *c);
/* The same of no machine: every row and every instance is there, with counts and widths of at least 1 that mean nothing;
 * FREE rows if they hold in every machine.
 * For writers of code that stands for all machines. */
struct hd_design *hd_design_all(const struct hd_config *c);
void hd_design_free(struct hd_design *d);
/* One that is in no design. */
void hd_decl_free(struct hd_decl *d);
const struct hd_decl *hd_design_find(const struct hd_design *d,
                                     const char *module); /* NULL: not in this machine */
/* Whether a module is one of an L2 slice: there are as many as banks, and they run by the L2's clock. All others are an SM's. */
bool hd_design_in_l2(const struct hd_design *d, const char *module);
/* The clock of a module in MHz, and the key that it comes from. */
const char *hd_design_clock(const struct hd_design *d, const char *module, unsigned *mhz);

/* Sums over one module (not its instances). */
unsigned hd_decl_ff_bits(const struct hd_decl *d);  /* REG and CAM bits */
unsigned hd_decl_ram_bits(const struct hd_decl *d); /* RAM bits */
/* What synthesis is to find of one module (not of its instances). Flip-flops: registers, and those inside of memories that are no
 * macros: what is read, what is to be written. */
struct hd_decl_cells {
  long flipflops, latches, rows; /* rows: of latches, a clock-gating cell each */
  long macro_bits;
};
void hd_decl_add_cells(const struct hd_decl *d, struct hd_decl_cells *sum);
/* Tools that know registers and macros alone refuse other memories: HD_INPUT, and a sentence that `what` begins, if a module has
 * one of latches, or with `flipflops` one of flip-flops behind a wrapper, itself or below it. */
enum hd_rc hd_decl_known_cells(const struct hd_decl *d, bool flipflops, const char *what, struct hd_why *why);

/* Allocate what the vectors of a struct need (zeroed) or free it. `cls` picks ports in, ports out (OUT and
 * MEALY) or state. The struct itself is the caller's. False: out of memory. */
bool hd_alloc_in(const struct hd_decl *d, void *in);
bool hd_alloc_out(const struct hd_decl *d, void *out);
bool hd_alloc_state(const struct hd_decl *d, void *st);
void hd_free_in(const struct hd_decl *d, void *in);
void hd_free_out(const struct hd_decl *d, void *out);
void hd_free_state(const struct hd_decl *d, void *st);

/* Puts every register that has one to its reset value; the rest keeps what it holds. */
void hd_reset_state(const struct hd_decl *d, void *st);

/* Element e (of memory row r, if a memory; bank b, element i is e = b * count + i) of a row. `base` is the
 * struct that row.offset is in. */
uint64_t *hd_elem(const struct hd_decl *d, const struct hd_row *row, const void *base, unsigned r,
                  unsigned e);

#endif
