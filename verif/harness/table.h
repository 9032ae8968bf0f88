/* Where every declared value lives on both sides: in the Verilated RTL and in the golden model.
 *
 * Made once a run by walking the declaration and what is inside it; then compared every cycle. Invariant:
 * every declared port of the top and every declared state element below it is in the table, or there is no
 * table.
 */
#ifndef HEDDLE_VERIF_HARNESS_TABLE_H
#define HEDDLE_VERIF_HARNESS_TABLE_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "verif/verilate/dut.h"

/* A port or register. One element: both sides are read as they are. More: `image` is what the RTL's bits must
 * be, kept up to date by the elements in which the model differs from `was`, so that a vector at rest costs
 * two memcmp. */
struct hd_cell {
  const struct hd_decl *decl;
  const struct hd_row *row;
  const char *path; /* the instances above it, "u_l1d.", or "" */
  struct hd_dut_var rtl;
  struct hd_dut_var twin; /* where the waveform shows the model's value; no data: it does not */
  uint64_t *model;
  uint64_t *was;  /* NULL: one element */
  uint8_t *image; /* 8 bytes longer than rtl.bytes */
};

/* A cell of one element, as comparing needs it. */
struct hd_pair {
  uint8_t *rtl;
  const uint64_t *model;
};

struct hd_cells {
  struct hd_cell *cell;
  size_t n, elements;
  struct hd_pair *pair[4]; /* those with one element, by the bytes they have in the RTL: 1, 2, 4, 8 */
  size_t pairs[4];
  struct hd_cell **vector; /* the others */
  size_t vectors;
};

struct hd_ram_bank {
  struct hd_dut_var mem, rdata, we, en, addr; /* en: with one port only */
  struct hd_dut_var re, wmask,
      sleep;      /* where the memory has them, and they can be found (inside of struct hd_dut_want) */
  uint8_t *slept; /* sleep in the last cycle */
  uint64_t *woke; /* of each row: the cycle in which it was powered on last */
};
struct hd_ram {
  const struct hd_decl *decl;
  const struct hd_mem *mem;
  const struct hd_row *field; /* the rows of the declaration that are its fields */
  size_t n_fields;
  const char *path;
  void *st; /* the model's struct X_st */
  struct hd_ram_bank *bank;
  size_t elements;             /* of a row, all banks */
  int64_t writing;             /* row that the RTL writes at the coming edge, or -1 */
  struct hd_accesses seen;     /* on the RTL's side; the model's are in st */
  uint64_t sleeps, wakes;      /* rows that were powered off, and on again */
  uint64_t asleep, row_cycles; /* rows without power now; and summed over the cycles */
  uint64_t cycles, unpowered;  /* counted; accesses of rows that slept, or were not awake yet */
};

struct hd_table {
  const struct hd_decl *decl; /* of the top */
  struct hd_cells in, out;    /* ports of the top; out: without the late ones */
  struct hd_cells late;       /* its late outputs; the model's are in the model */
  struct hd_cells state;      /* inner modules first */
  struct hd_ram *ram;
  size_t n_rams;
  unsigned
      wake; /* cycles from a row's power to its first access: as many as the configuration says; set by who makes it */
  struct hd_dut_var clk, reset;
  char **paths; /* storage of the `path`s */
  size_t n_paths;
};

/* The model is one of hd_model_new; in and out are its ports' structs. HD_CHECK: the RTL lacks a declared
 * name or gives it another width; what is said begins with the file, "mrpb.v: ...". hd_table_free in any case. */
enum hd_rc hd_table_make(struct hd_table *t, const struct hd_decl *top, const struct hd_dut_api *api,
                         void *dut, void *model, void *in, void *out, struct hd_why *why);
/* The same of registers and memories alone: no ports, no clk, no reset. `scope` is that of the top. */
enum hd_rc hd_table_of_state(struct hd_table *t, const struct hd_decl *top, const char *scope,
                             hd_dut_find *find, void *dut, void *model, struct hd_why *why);
void hd_table_free(struct hd_table *t);
/* The ports that say most in a narrow table, `most` at most; returns how many. */
unsigned hd_table_columns(const struct hd_table *t, const struct hd_cell **column, unsigned most);

/* Element e of a cell on the RTL's side. */
uint64_t hd_cell_rtl(const struct hd_cell *c, unsigned e);
/* Element e of row r of a memory; e counts through the banks, as in hd_elem. */
uint64_t hd_ram_rtl(const struct hd_ram *m, const struct hd_row *row, unsigned r, unsigned e);
uint64_t *hd_ram_model(const struct hd_ram *m, const struct hd_row *row, unsigned r, unsigned e);
/* The row that the model wrote in the last edge. -1: none, or one that the memory does not have: a place is wrong by a fault. */
int64_t hd_ram_written(const struct hd_ram *m);

/* --- compare.c: what is done with it every cycle -------------------------------------------------------- */

void hd_drive_inputs(struct hd_table *t); /* model's inputs into the RTL */
void hd_read_outputs(struct hd_table *t,
                     enum hd_class cls); /* the RTL's OUT or MEALY ports into the struct X_out */
bool hd_outputs_agree(struct hd_table *t);
bool hd_late_agrees(struct hd_table *t);  /* between the model's tick and the RTL's edge */
bool hd_state_agrees(struct hd_table *t); /* registers */

/* Before the edge: notes which rows the RTL is about to write. After it: compares these and the rows that the
 * model says it wrote; *values counts the elements. */
void hd_note_writes(struct hd_table *t);
bool hd_writes_agree(struct hd_table *t, uint64_t *values);
bool hd_memories_agree(const struct hd_table *t, uint64_t *values); /* every row */

/* --- accesses.c: counts of what memories do; needs inside of struct hd_dut_want ---------------------------------------- */

/* Before the edge: counts what the RTL's memories are told. After it: whether the model has counted the same, and no row was
 * accessed without power; else `text` says of which memory it is not so. */
void hd_note_accesses(struct hd_table *t);
bool hd_accesses_agree(const struct hd_table *t, char *text, size_t room);
uint64_t hd_accesses_counted(const struct hd_table *t); /* of all memories, on the RTL's side */

/* The model's registers and outputs, for the waveform. */
void hd_show_model(struct hd_table *t);

/* Power-up: random values in everything declared on the RTL's side, before its first evaluation. */
void hd_randomize(struct hd_table *t, uint64_t seed);
/* After a reset: what has no reset value, from the RTL into the model. `all`: other registers too, without the notes that the
 * model keeps about them. */
void hd_copy_state(struct hd_table *t, bool all);

/* A number that changes when a register of the RTL does, for all that matters. */
uint64_t hd_state_hash(const struct hd_table *t);
/* Two runs of one module: whether registers and outputs of the RTL are equal but for one bit; with `memories` their rows too, and
 * what was read last. */
struct hd_bit;
bool hd_equal_but(const struct hd_table *a, const struct hd_table *b, const struct hd_bit *of_a,
                  const struct hd_bit *of_b, bool memories);

/* One value that differs. */
struct hd_diff {
  const char *kind;           /* "register", "memory", "output", "late" */
  char name[160];             /* "u_l1d.mshr_line[3]", "fifo[12].line" */
  const struct hd_decl *decl; /* of its module */
  const struct hd_row *row;
  const struct hd_ram *ram; /* memories: with the row of it, to show all of it */
  unsigned r;
  uint64_t rtl, model;
};
/* The moments of a cycle in which both sides can be compared. */
enum hd_moment {
  HD_AT_OUTPUTS, /* before the edge: registers, memories, outputs */
  HD_AT_LATE,    /* the model has had it, the RTL has not: late outputs alone */
  HD_AT_STATE    /* after it: registers, memories */
};
/* All that differ at this moment, registers first, then memories, then outputs, in declaration order, inner modules
 * before outer; fills at most `max`, returns how many there are. */
size_t hd_differences(const struct hd_table *t, enum hd_moment moment, struct hd_diff *diff, size_t max);

/* --- fault.c -------------------------------------------------------------------------------------------- */

/* A bit on the RTL's side, the model's or both; byte NULL: not on that side. */
struct hd_fault {
  bool there;
  uint64_t cycle;
  struct hd_bit {
    uint8_t *byte, mask;
  } rtl, model;
  enum hd_moment moment; /* in which it strikes */
  struct hd_ram *ram;    /* a memory: its row counts as written in that cycle */
  int64_t r;
};
/* Whether "SIDE:NAME[element].BIT@CYCLE" can be read, and the module has that name: before there is a table. HD_INPUT: not. */
enum hd_rc hd_fault_check(const struct hd_decl *top, const char *text, struct hd_why *why);
/* Reads it. HD_INPUT: no such value. */
enum hd_rc hd_fault_find(struct hd_table *t, const char *text, struct hd_fault *fault, struct hd_why *why);
void hd_fault_strike(const struct hd_fault *fault);

#endif
