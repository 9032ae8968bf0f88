/* The table of every declared value: its place in the Verilated RTL and its place in the golden model.
 *
 * A run makes the table once, by walking the declaration and its instances; then it compares the values every cycle.
 * Invariant: every declared port of the top and every declared state element below it is in the table, or there is no table.
 */
#ifndef HEDDLE_VERIF_HARNESS_TABLE_H
#define HEDDLE_VERIF_HARNESS_TABLE_H

#include "arch/declaration/modules.h"
#include "base/run.h"
#include "verif/verilate/dut.h"

/* A port or register. With one element both sides are read directly. With more, `image` holds the bits that the RTL must have. Only
 * elements in which the model differs from `was` are written to it, so a vector that does not change costs two memcmp. */
struct hd_cell {
  const struct hd_decl *decl;
  const struct hd_row *row;
  const char *path; /* the instances above it, "u_l1d.", or "" */
  struct hd_dut_var rtl;
  struct hd_dut_var twin; /* shows the model's value in the waveform; data NULL: there is none */
  uint64_t *model;
  uint64_t *was;  /* NULL: one element */
  uint8_t *image; /* 8 bytes longer than rtl.bytes */
};

/* A cell of one element, in the form that the compare needs. */
struct hd_pair {
  uint8_t *rtl;
  const uint64_t *model;
};

struct hd_cells {
  struct hd_cell *cell;
  size_t n, elements;
  struct hd_pair *pair[4]; /* cells of one element, by their bytes in the RTL: 1, 2, 4, 8 */
  size_t pairs[4];
  struct hd_cell **vector; /* cells of more elements */
  size_t vectors;
};

struct hd_ram_bank {
  struct hd_dut_var mem, rdata, we, en, addr; /* en: only with one port */
  struct hd_dut_var re, wmask, sleep; /* if the memory has them and `inside` of struct hd_dut_want is set */
  uint8_t *slept;                     /* sleep in the last cycle */
  uint64_t *woke;                     /* for each row: the cycle in which it was last powered on */
};
struct hd_ram {
  const struct hd_decl *decl;
  const struct hd_mem *mem;
  const struct hd_row *field; /* its fields: rows of the declaration */
  size_t n_fields;
  const char *path;
  void *st; /* the model's struct X_st */
  struct hd_ram_bank *bank;
  size_t elements;             /* elements of a row, in all banks */
  int64_t writing;             /* the row that the RTL writes at the coming edge, or -1 */
  struct hd_accesses seen;     /* counts of the RTL's accesses; the model's are in st */
  uint64_t sleeps, wakes;      /* how often rows were powered off, and on again */
  uint64_t asleep, row_cycles; /* rows without power now; the sum of that over the cycles */
  uint64_t cycles, unpowered;  /* counted cycles; accesses of rows that slept or were not awake yet */
};

struct hd_table {
  const struct hd_decl *decl; /* of the top */
  struct hd_cells in, out;    /* ports of the top; out: without late outputs */
  struct hd_cells late;       /* late outputs of the top; the model's values are inside the model */
  struct hd_cells state;      /* inner modules first */
  struct hd_ram *ram;
  size_t n_rams;
  unsigned wake; /* least cycles from a row's power-on to its first access; the maker of the table sets it */
  struct hd_dut_var clk, reset;
  char **paths; /* storage of the `path` strings */
  size_t n_paths;
};

/* `model` comes from hd_model_new; `in` and `out` are the structs of its ports. Returns HD_CHECK if the RTL lacks a declared name or
 * gives it another width; the reason begins with the file, "mrpb.v: ...". Call hd_table_free in any case. */
enum hd_rc hd_table_make(struct hd_table *t, const struct hd_decl *top, const struct hd_dut_api *api,
                         void *dut, void *model, void *in, void *out, struct hd_why *why);
/* The same for registers and memories alone: no ports, no clk, no reset. `scope` is the top's. */
enum hd_rc hd_table_of_state(struct hd_table *t, const struct hd_decl *top, const char *scope,
                             hd_dut_find *find, void *dut, void *model, struct hd_why *why);
void hd_table_free(struct hd_table *t);
/* Selects up to `most` ports for the report's narrow table of last cycles, the most useful ones first. Returns their number. */
unsigned hd_table_columns(const struct hd_table *t, const struct hd_cell **column, unsigned most);

/* Returns element e of a cell on the RTL's side. */
uint64_t hd_cell_rtl(const struct hd_cell *c, unsigned e);
/* Return element e of row r of a memory; e counts through the banks, as in hd_elem. */
uint64_t hd_ram_rtl(const struct hd_ram *m, const struct hd_row *row, unsigned r, unsigned e);
uint64_t *hd_ram_model(const struct hd_ram *m, const struct hd_row *row, unsigned r, unsigned e);
/* The row that the model wrote in the last edge. -1: none, or one that the memory does not have: a place is wrong by a fault. */
int64_t hd_ram_written(const struct hd_ram *m);

/* --- compare.c: what a run does with the table every cycle ----------------------------------------------- */

void hd_drive_inputs(struct hd_table *t); /* copies the model's inputs to the RTL */
void hd_read_outputs(struct hd_table *t,
                     enum hd_class cls); /* copies the RTL's OUT or MEALY ports to the struct X_out */
bool hd_outputs_agree(struct hd_table *t);
bool hd_late_agrees(struct hd_table *t);  /* between the model's tick and the RTL's edge */
bool hd_state_agrees(struct hd_table *t); /* registers */

/* Before the edge: notes which rows the RTL is about to write. After it: compares these rows and those that the model wrote, and adds
 * the number of elements to *values. */
void hd_note_writes(struct hd_table *t);
bool hd_writes_agree(struct hd_table *t, uint64_t *values);
bool hd_memories_agree(const struct hd_table *t, uint64_t *values); /* every row */

/* --- accesses.c: counts accesses of memories; needs `inside` of struct hd_dut_want --------------------------------------- */

/* Before the edge: counts the accesses at the pins of the RTL's memories. After it: returns true if the model has counted the same, and
 * no row was accessed without power. Returns false after `text` names the memory and the reason. */
void hd_note_accesses(struct hd_table *t);
bool hd_accesses_agree(const struct hd_table *t, char *text, size_t room);
uint64_t hd_accesses_counted(const struct hd_table *t); /* accesses of all memories, on the RTL's side */

/* Shows the model's registers and outputs in the waveform. */
void hd_show_model(struct hd_table *t);

/* Power-up: sets registers and memories on the RTL's side to random values, inputs to 0, before the first evaluation. */
void hd_randomize(struct hd_table *t, uint64_t seed);
/* After a reset: copies memories and registers without a reset value from the RTL to the model. `all`: copies the other registers too.
 * Notes that the model keeps about them stay as they are. */
void hd_copy_state(struct hd_table *t, bool all);

/* Returns a hash of all registers of the RTL. */
uint64_t hd_state_hash(const struct hd_table *t);
/* Compares the RTL of two runs of one module. Returns true if registers and outputs are equal except for one bit; with `memories` also
 * the memories' rows and read data. */
struct hd_bit;
bool hd_equal_but(const struct hd_table *a, const struct hd_table *b, const struct hd_bit *of_a,
                  const struct hd_bit *of_b, bool memories);

/* One value that differs. */
struct hd_diff {
  const char *kind;           /* "register", "memory", "output", "late" */
  char name[160];             /* "u_l1d.mshr_line[3]", "fifo[12].line" */
  const struct hd_decl *decl; /* of its module */
  const struct hd_row *row;
  const struct hd_ram *ram; /* memories: with row r, so that the report can show the whole row */
  unsigned r;
  uint64_t rtl, model;
};
/* The moments of a cycle in which both sides can be compared. */
enum hd_moment {
  HD_AT_OUTPUTS, /* before the edge: registers, memories, outputs */
  HD_AT_LATE,    /* after the model's edge, before the RTL's: only late outputs */
  HD_AT_STATE    /* after the edge: registers, memories */
};
/* Finds all values that differ at this moment: registers first, then memories, then outputs, in declaration order, inner modules before
 * outer ones. Fills at most `max` entries and returns the number of differences. */
size_t hd_differences(const struct hd_table *t, enum hd_moment moment, struct hd_diff *diff, size_t max);

/* --- fault.c -------------------------------------------------------------------------------------------- */

/* A bit of the RTL, of the model, or of both. byte NULL: not on that side. */
struct hd_fault {
  bool there;
  uint64_t cycle;
  struct hd_bit {
    uint8_t *byte, mask;
  } rtl, model;
  enum hd_moment moment; /* the moment at which the bit flips */
  struct hd_ram *ram;    /* a memory: row r counts as written in that cycle, so that it is compared */
  int64_t r;
};
/* Checks "SIDE:NAME[element].BIT@CYCLE" before there is a table. Returns HD_INPUT if it cannot be parsed or the module lacks the name. */
enum hd_rc hd_fault_check(const struct hd_decl *top, const char *text, struct hd_why *why);
/* Parses the text and finds its bit. Returns HD_INPUT if there is no such value. */
enum hd_rc hd_fault_find(struct hd_table *t, const char *text, struct hd_fault *fault, struct hd_why *why);
void hd_fault_strike(const struct hd_fault *fault);

#endif
