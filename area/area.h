/* The area of a design: all its memories, the logic around them, and how the sum compares with the paper.
 *
 * Total = memories that are macros (SRAM, CAM) + logic. Memories of kind ff are rows of the table too. After
 * a synthesis their flip-flops are in the logic's area and are not added again. Without synthesis they are
 * priced per bit; the total then leaves out all other logic, and the report says so. */
#ifndef HEDDLE_AREA_AREA_H
#define HEDDLE_AREA_AREA_H

#include <jansson.h>
#include <stdio.h>

#include "area/memory.h"
#include "synth/synth.h"

struct hd_design;
struct hd_area_claim;

struct hd_area_memory {
  const char *name; /* e.g. "l1d.tags" */
  struct hd_memory mem;
  int count; /* banks times instances of the module times the copies that a claim counts, >= 1 */
};

/* The memories of `n` modules of a design and of all modules below them, one row for each declaration,
 * counted over banks and instances. `claim` says how often each module counts (NULL: once). RAM rows are
 * SRAM, CAM rows are searched flip-flops. Registers are no memories: they are in the logic. Free the array
 * and its names with hd_area_memories_free. Returns their number, or -1 if there is no such module. */
int hd_area_memories_of(const struct hd_design *design, const struct hd_area_claim *claim,
                        const char *const *tops, int n, struct hd_area_memory **memories);
void hd_area_memories_free(struct hd_area_memory *memories, int n);

/* A cache to compare with. Each way has one single-ported data array with words of port_bits, and one tag
 * array. */
struct hd_area_cache {
  int size_bytes, ways, line_bytes;
  int port_bits; /* bits read from each way at once: this decides the area, so every share prints it */
  int tag_bits;  /* tag and state bits of a line */
};

/* A line of a paper's storage table, and the rows that hold it here. */
struct hd_area_item {
  const char *name;
  long paper_bits;  /* 0: the paper has no such line or gives no number */
  const char *rows; /* declared rows, "module.row ..." */
  const char *why;  /* the reason for the difference */
};

/* The figures that a paper gives for its design. 0: not given. */
enum { HD_CLAIM_MODULES = 4 };
struct hd_area_claim {
  const char *name, *where;                           /* the mechanism; the paper and the place in it */
  double node_nm, area_mm2, clock_ghz, cache_percent; /* 0: not given; the share is of the paper's L1 */
  const char *module[HD_CLAIM_MODULES];               /* the modules of the mechanism, up to the first NULL */
  /* the size of the GPU whose modules the paper counts together; 0: the paper counts those of one SM */
  int sms, banks;
  const struct hd_area_item *item; /* ends with an item without name; NULL: the paper has no such table */
};
/* The claim of this name; the names are in area/<room>/claims.c. Returns NULL if there is none. */
const struct hd_area_claim *hd_area_claim_of(const char *name);
/* How often a claim counts a module in this machine: once, or for a claim of a whole GPU as often as the GPU
 * has it. With `claim` NULL: once. */
int hd_area_copies(const struct hd_design *design, const struct hd_area_claim *claim, const char *module);
/* The claim of a mechanism whose modules the design has completely. Returns NULL if there is none. */
const struct hd_area_claim *hd_area_claim_in(const struct hd_design *design);

struct hd_area_job {
  const struct hd_area_memory *memory;
  int memories;
  const struct hd_synth_report *synth; /* of each module: the first result is the logic around the memories */
  int synths;                          /* 0: not synthesised */
  struct hd_pricer pricer;
  const struct hd_area_claim *claim; /* NULL: no comparison */
  struct hd_area_cache cache;        /* the cache that the claim's share refers to; size 0: no share */
  /* the design in which the claim counts; NULL: no items, each module once */
  const struct hd_design *design;
};

/* Bits of storage: the paper's and those declared here. */
struct hd_area_storage {
  struct hd_area_item of;
  long bits;
};

struct hd_area_row {
  struct hd_area_memory of;
  struct hd_mem_price price; /* of one instance */
  bool in_logic;             /* its flip-flops are in the logic's area */
};

struct hd_area_report {
  double node_nm;
  struct hd_area_row *row;
  int rows;
  double memories_mm2; /* of the rows that are not in_logic */
  double logic_mm2;    /* at node_nm if logic_scaled, else at the library's own node; 0 without synthesis */
  bool logic_there, logic_scaled;
  char logic_lib[64];
  double total_mm2, leak_mw; /* leakage: memories at 350 K plus logic at the library's temperature */
  double clock_ghz;          /* the slower of the logic's fmax and the memories' cycle; 0: neither is known */
  const struct hd_area_claim *claim;
  int sms, banks; /* of the machine, if the claim is of a GPU */
  /* one for each item of the claim, then one for all else that its modules declare */
  struct hd_area_storage *storage;
  int storages;
  struct hd_area_cache cache;
  double cache_mm2; /* 0: no cache was given */
};

/* Counts in a design the items of a claim, and last all else that its modules declare. The array is to be
 * freed. Returns its length. */
int hd_area_storage_of(const struct hd_design *design, const struct hd_area_claim *claim,
                       struct hd_area_storage **storage);

/* Prices everything. Returns HD_INPUT if a memory, the cache or the node is out of range. hd_area_free may be
 * called in any case. */
enum hd_rc hd_area_run(const struct hd_area_job *job, struct hd_area_report *report, struct hd_why *why);
void hd_area_free(struct hd_area_report *report);

/* The price of all arrays of the cache together (area, leakage); energies and times are of one way's data
 * array. */
enum hd_rc hd_area_cache_price(const struct hd_pricer *how, const struct hd_area_cache *cache,
                               struct hd_mem_price *price, struct hd_why *why);

void hd_area_print(const struct hd_area_report *report, FILE *out);
json_t *hd_area_json(
    const struct hd_area_report *report); /* {node_nm, total_mm2, memories: [...], ...}; new reference */

#endif
