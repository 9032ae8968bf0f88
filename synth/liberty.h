/* Cell libraries: writes the project's own 45 nm library and the stand-ins for RAM macros, and reads from any
 * other library what the flows need. */
#ifndef HEDDLE_SYNTH_LIBERTY_H
#define HEDDLE_SYNTH_LIBERTY_H

#include "arch/declaration/declaration.h"
#include "area/memory.h"
#include "base/run.h"

/* Writes heddle45 (synth/cells45.def) as a liberty file: 45 nm, typical, 1.1 V, 25 C; um2, ps, fF, nW. The
 * text depends on cells45.def alone. Returns HD_INPUT if the file cannot be written. */
enum hd_rc hd_heddle45_write(const char *path, struct hd_why *why);
/* Converts a clock with heddle45 to the clock with the library that heddle45 is fitted to: the range over the
 * circuits that were tried with both. */
void hd_heddle45_clock(double mhz, double *low, double *high);

/* The energy inside a cell at a transition of a pin, by the load: one table of the library, its column of the
 * fastest edge. */
enum { HD_LIB_POINTS = 16 };
struct hd_lib_energy {
  int n;                                             /* points, at least 1 */
  double load[HD_LIB_POINTS], energy[HD_LIB_POINTS]; /* library units; energy: capacitance times V^2 */
};
struct hd_lib_pin {
  char name[32], function[128]; /* function: of an output, else "" */
  bool output;
  double cap;                   /* library units */
  struct hd_lib_energy *energy; /* of rising and of falling edges, of each arc and condition */
  int energies;
};

struct hd_lib_cell {
  char name[64];
  double area;          /* um2 */
  double leak;          /* in the library's leakage unit; 0 if it gives none */
  bool flipflop, latch; /* holds state: changed on an edge, on a level */
  bool gate;            /* a clock-gating cell: a latch and an AND, for rising edges */
  bool plain;           /* a flip-flop or a latch with only data and clock: no set, clear, scan, enable */
  /* inputs of a plain one (a latch is open while its clock is 1); of a gating cell: enable, clock */
  char data[32], clock[32];
  char state[32];         /* the name of a plain one's state in the function of its output */
  struct hd_lib_pin *pin; /* in the file's order */
  int pins;
};

/* The data of a liberty file that the flows need. */
struct hd_lib {
  char name[64];
  double time_ps, cap_ff; /* the units of the file */
  double leak_nw;         /* the unit of leakage; 0 if the file gives none */
  double volts;           /* nominal supply; 0 if the file gives none */
  char corner[64];        /* its default operating conditions; "" if it has none */
  bool wires;             /* it has a default wire load, by the pins of a net; OpenSTA adds it */
  char gate[64];          /* the smallest clock-gating cell; "" if it has none */
  char latch[64];         /* the smallest plain latch; "" if it has none */
  char flipflop[64];      /* a plain rising-edge flip-flop: no set, clear, scan or enable */
  char driver[64],
      driver_pin[32]; /* the smallest buffer (else inverter), which drives the inputs; its output pin */
  double driver_load; /* the capacitance of its input, library units; four of them load an output */
  struct hd_lib_cell *cell;
  int cells;
};

/* Reads the file. Returns HD_INPUT if it is unreadable, has an unreadable unit, or has no cells, no plain
 * flip-flop or no buffer or inverter. hd_lib_free may be called in any case. */
enum hd_rc hd_lib_read(const char *path, struct hd_lib *lib, struct hd_why *why);
const struct hd_lib_cell *hd_lib_find(const struct hd_lib *lib, const char *cell); /* NULL: no such cell */
void hd_lib_free(struct hd_lib *lib);

/* --- libpins.c ------------------------------------------------------------------------------------------- */

const struct hd_lib_pin *hd_lib_pin(const struct hd_lib_cell *cell, const char *name); /* NULL: no such pin */
/* The single output of a cell; of a flip-flop the output that is the state itself. Returns NULL if there is
 * none, or several. */
const struct hd_lib_pin *hd_lib_output(const struct hd_lib_cell *cell);
/* The function of an output of a gate with at most `max` (up to 6) inputs: bit i is its value if the inputs,
 * in the file's order with the first lowest, make the number i. Returns false if the gate has more inputs or
 * holds state, or if its function can't be read. */
bool hd_lib_truth(const struct hd_lib_cell *cell, const struct hd_lib_pin *output, int max, uint64_t *truth);
/* fJ inside the cell at one transition of the pin: the mean of its tables at the fastest edge that they have.
 * The load matters for an output only. Returns 0 if the library has no such tables. */
double hd_lib_energy(const struct hd_lib *lib, const struct hd_lib_pin *pin, double load_ff);

/* RAM macros of a netlist: all instances of one wrapper (hd_ram_1rw and so on) of one size. */
struct hd_macro {
  enum hd_ports ports;
  int depth, width, mask; /* mask: bits of the write mask; 0: no mask */
  int count;
  /* of one macro: the price of a memory of its size without masks and power switches */
  struct hd_mem_price price;
};

#define HD_MACRO_PIN_FF 1.6 /* capacitance of a macro's input: one gate of heddle45 */

/* The name of the cell that stands for it, e.g. "hd_ram_1rw_384x64", "hd_ram_1rw_m_384x64_8". */
void hd_macro_name(const struct hd_macro *macro, char *name, size_t room);

/* Writes a library of n macros: clock to output = access time, inputs set up like a flip-flop's, minimum
 * period = cycle time. Area is 0 here, because area/ adds the memories. Returns HD_INPUT if the file cannot
 * be written. */
enum hd_rc hd_macro_lib_write(const char *path, const struct hd_macro *macro, int n, struct hd_why *why);

#endif
